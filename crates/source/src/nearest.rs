//! The known names that resemble an unknown name, for "did you mean".
//!
//! Invariant: the result depends on the names only, not on their order.

/// Returns at most three candidates that are a few typing errors away from `wanted` or contain it, nearest first.
pub fn nearest_names<'name>(
    wanted: &str,
    candidates: impl IntoIterator<Item = &'name str>,
) -> Vec<&'name str> {
    const MOST: usize = 3;
    // Comparing long names is slow, and a typing error in such a name is unlikely.
    const LONGEST: usize = 100;
    let wanted = wanted.to_lowercase();
    let wanted_length = wanted.chars().count();
    if wanted_length == 0 || wanted_length > LONGEST {
        return Vec::new();
    }
    let tolerance = (wanted_length / 3).max(1);
    let mut found: Vec<(usize, &str)> = candidates
        .into_iter()
        .filter(|candidate| candidate.len() <= 4 * LONGEST)
        .filter_map(|candidate| {
            let lowercase = candidate.to_lowercase();
            let distance = edit_distance(&wanted, &lowercase);
            let is_part = wanted_length >= 3 && lowercase.contains(&wanted);
            // Names without a common letter are not similar.
            let is_near = distance <= tolerance && distance < wanted_length;
            (is_near || is_part).then_some((distance, candidate))
        })
        .collect();
    found.sort_unstable();
    found.dedup();
    found.into_iter().take(MOST).map(|(_, candidate)| candidate).collect()
}

/// Computes the edit distance with swaps of neighbours (optimal string alignment).
fn edit_distance(left: &str, right: &str) -> usize {
    let left: Vec<char> = left.chars().collect();
    let right: Vec<char> = right.chars().collect();
    let mut before_previous = vec![0; right.len() + 1];
    let mut previous: Vec<usize> = (0..=right.len()).collect();
    for row in 1..=left.len() {
        let mut current = vec![row];
        for column in 1..=right.len() {
            let is_same = left[row - 1] == right[column - 1];
            let mut best = (previous[column - 1] + usize::from(!is_same))
                .min(previous[column] + 1)
                .min(current[column - 1] + 1);
            let is_swap = row > 1
                && column > 1
                && left[row - 1] == right[column - 2]
                && left[row - 2] == right[column - 1];
            if is_swap {
                best = best.min(before_previous[column - 2] + 1);
            }
            current.push(best);
        }
        before_previous = std::mem::replace(&mut previous, current);
    }
    previous.last().copied().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::{edit_distance, nearest_names};

    #[test]
    fn edit_distance_is_symmetric() {
        let cases = [
            ("", "", 0),
            ("abc", "abc", 0),
            ("abc", "acb", 1),
            ("abc", "ab", 1),
            ("", "xy", 2),
            ("kitten", "sitting", 3),
        ];
        for (left, right, distance) in cases {
            assert_eq!(edit_distance(left, right), distance, "{left} {right}");
            assert_eq!(edit_distance(right, left), distance, "{right} {left}");
        }
    }

    #[test]
    fn nearest_names_ignore_order_of_candidates() {
        let known = ["clock", "clocks", "block", "invalid-utf8", "invalid-utf16", "y"];
        let cases: &[(&str, &[&str])] = &[
            ("clokc", &["clock"]),
            ("Clock", &["clock", "block", "clocks"]),
            ("utf8", &["invalid-utf8"]),
            ("invalid-utf", &["invalid-utf8", "invalid-utf16"]),
            ("zebra", &[]),
            ("x", &[]),
            ("", &[]),
        ];
        for (wanted, expected) in cases {
            assert_eq!(&nearest_names(wanted, known), expected, "{wanted}");
            assert_eq!(&nearest_names(wanted, known.into_iter().rev()), expected, "{wanted} reversed");
        }
    }
}
