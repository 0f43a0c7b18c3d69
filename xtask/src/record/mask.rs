//! Masks figures that differ from run to run: times, rates and memory.

/// Keys of JSON whose numbers are times or memory.
const KEYS: [&str; 2] = ["\"seconds\":", "\"peak_bytes\":"];

/// Units of times, rates and memory.
const UNITS: [&str; 8] = ["s", "ms", "µs", "states/s", "KiB", "MiB", "MB", "seconds"];

/// Replaces each number that is a time, a rate or an amount of memory by `#`.
pub fn figures(text: &str) -> String {
    let mut result = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(character) = rest.chars().next() {
        if let Some(key) = KEYS.iter().find(|key| rest.starts_with(**key)) {
            result.push_str(key);
            rest = &rest[key.len()..];
            let spaces = rest.len() - rest.trim_start_matches(' ').len();
            let (number, after) = split_number(&rest[spaces..]);
            result.push_str(&rest[..spaces]);
            if !number.is_empty() {
                // In quotes, so that the text is still JSON.
                result.push_str("\"#\"");
            }
            rest = after;
        } else if character.is_ascii_digit() && !result.ends_with(is_part_of_word) {
            let (number, after) = split_number(rest);
            let unit = after.strip_prefix(' ').map(|after| {
                let end = after.find(|character: char| !character.is_alphabetic() && character != '/');
                &after[..end.unwrap_or(after.len())]
            });
            result.push_str(if unit.is_some_and(|unit| UNITS.contains(&unit)) { "#" } else { number });
            rest = after;
        } else {
            result.push(character);
            rest = &rest[character.len_utf8()..];
        }
    }
    result
}

fn is_part_of_word(character: char) -> bool {
    character.is_alphanumeric() || character == '_' || character == '.'
}

/// Splits a number off the start of a text.
fn split_number(text: &str) -> (&str, &str) {
    let digits = |text: &str| text.len() - text.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let mut end = digits(text);
    if let Some(fraction) = text[end..].strip_prefix('.').filter(|rest| digits(rest) > 0) {
        end += 1 + digits(fraction);
    }
    if let Some(exponent) = text[end..].strip_prefix("e-").filter(|rest| digits(rest) > 0) {
        end += 2 + digits(exponent);
    }
    text.split_at(end)
}

#[cfg(test)]
mod tests {
    use super::figures;

    #[test]
    fn masks_times_rates_and_memory() {
        let text = "engine zones: 246 states stored, 0.002 s, 26 solver checks in 0.045 s";
        assert_eq!(figures(text), "engine zones: 246 states stored, # s, 26 solver checks in # s");
        assert_eq!(
            figures("\"seconds\": 1.5e-5,\n\"peak_bytes\": 77"),
            "\"seconds\": \"#\",\n\"peak_bytes\": \"#\""
        );
        assert_eq!(figures("CPU user time used : 1 ms, 9940 KiB"), "CPU user time used : # ms, # KiB");
        assert_eq!(figures("3000 states/s"), "# states/s");
    }

    #[test]
    fn keeps_counts_places_and_names() {
        for text in [
            "3 certificates written: 11387 bytes",
            "a.xml:3:14",
            "P1 s",
            "x = 3, y = 4",
            "at 1/50: P",
            "2 states",
        ] {
            assert_eq!(figures(text), text);
        }
    }
}
