//! The difference between two texts, line by line.

/// Returns the difference: lines of the first text only start with `-`, lines of the second only with `+`, and common
/// lines with a space.
pub fn difference(expected: &str, found: &str) -> String {
    let (old, new): (Vec<&str>, Vec<&str>) = (expected.lines().collect(), found.lines().collect());
    // The lengths of the longest common subsequences of the remaining texts.
    let mut common = vec![vec![0usize; new.len() + 1]; old.len() + 1];
    for left in (0..old.len()).rev() {
        for right in (0..new.len()).rev() {
            common[left][right] = if old[left] == new[right] {
                common[left + 1][right + 1] + 1
            } else {
                common[left + 1][right].max(common[left][right + 1])
            };
        }
    }
    let (mut left, mut right, mut text) = (0, 0, String::new());
    while left < old.len() || right < new.len() {
        let (sign, line) = if left < old.len() && right < new.len() && old[left] == new[right] {
            left += 1;
            right += 1;
            (' ', old[left - 1])
        } else if right == new.len() || left < old.len() && common[left + 1][right] >= common[left][right + 1]
        {
            left += 1;
            ('-', old[left - 1])
        } else {
            right += 1;
            ('+', new[right - 1])
        };
        text.push_str(&format!("  {sign} {line}\n"));
    }
    text
}
