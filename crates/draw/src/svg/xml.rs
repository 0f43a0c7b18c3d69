//! Formats texts and numbers for XML.
//!
//! Invariant: an escaped text is valid in both content and quoted attributes, and has no character that XML 1.0
//! forbids.

/// Escapes a text.
pub(super) fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            '\n' => escaped.push_str("&#10;"),
            '\t' => escaped.push_str("&#9;"),
            // These characters are forbidden even as references.
            '\0'..='\u{1f}' | '\u{fffe}' | '\u{ffff}' => escaped.push('\u{fffd}'),
            other => escaped.push(other),
        }
    }
    escaped
}

/// Formats a coordinate to a hundredth of a pixel; zero if it is not finite.
pub(super) fn number(value: f64) -> String {
    if !value.is_finite() {
        return "0".to_owned();
    }
    let text = format!("{value:.2}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    if text == "-0" { "0".to_owned() } else { text.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short_and_finite() {
        let texts = [1.0, -0.001, 2.5, 1e6, 100.0, 0.126, f64::NAN, f64::INFINITY].map(number);
        assert_eq!(texts, ["1", "0", "2.5", "1000000", "100", "0.13", "0", "0"]);
    }

    #[test]
    fn escaped_text_cannot_close_its_element() {
        assert_eq!(
            escaped("a<b && \"c\">'d'\u{1}"),
            "a&lt;b &amp;&amp; &quot;c&quot;&gt;&#39;d&#39;\u{fffd}"
        );
    }
}
