//! Diagnostic codes: the name and the manual page of one kind of finding.
//!
//! Invariant: the page is the documentation comment of the static that declares the code, so that the manual, the
//! `explain` command and the tests read the same text. [`page_faults`] and [`registry_faults`] check pages and
//! registries; every crate that declares codes tests its own registry with them.

use std::fmt;

/// One kind of finding: its name, its summary and its manual page.
///
/// Declare one with [`declare_code!`](crate::declare_code).
pub struct Code {
    name: &'static str,
    summary: &'static str,
    documentation: &'static str,
}

/// A fenced block under the `Example` heading of a page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Example {
    /// The text after the opening fence, which names the language of the example.
    pub language: String,
    /// The text between the fences.
    pub text: String,
}

/// The headings of every page, in this order.
pub const PAGE_SECTIONS: [&str; 4] = ["Meaning", "Why it matters", "Example", "How to fix it"];

/// Declares a [`Code`] whose manual page is its documentation comment.
///
/// ```
/// tempora_source::declare_code! {
///     /// ## Meaning
///     ///
///     /// A clock is compared with itself.
///     ///
///     /// ## Why it matters
///     ///
///     /// The comparison is always true or always false.
///     ///
///     /// ## Example
///     ///
///     /// ```text
///     /// x < x
///     /// ```
///     ///
///     /// ## How to fix it
///     ///
///     /// Compare with the other clock that was meant.
///     pub static CLOCK_AGAINST_ITSELF = "clock-against-itself": "a clock is compared with itself";
/// }
/// assert_eq!(tempora_source::registry_faults(&[&CLOCK_AGAINST_ITSELF]), Vec::<String>::new());
/// ```
#[macro_export]
macro_rules! declare_code {
    ($(#[doc = $line:literal])+ $visibility:vis static $identifier:ident = $name:literal: $summary:literal;) => {
        $(#[doc = $line])+
        $visibility static $identifier: $crate::Code =
            $crate::Code::declare($name, $summary, concat!($($line, "\n"),+));
    };
}

impl Code {
    /// Creates a code; [`declare_code!`](crate::declare_code) expands to this call. `documentation` is the comment as
    /// the compiler sees it.
    #[doc(hidden)]
    pub const fn declare(name: &'static str, summary: &'static str, documentation: &'static str) -> Code {
        Code { name, summary, documentation }
    }

    /// Returns the name in kebab case, such as `xml-unknown-entity`.
    pub const fn name(&self) -> &'static str {
        self.name
    }

    /// Returns the summary, one line without a full stop.
    pub const fn summary(&self) -> &'static str {
        self.summary
    }

    /// Returns the manual page in Markdown, without a title.
    pub fn page(&self) -> String {
        // The compiler keeps the blank after `///`.
        self.documentation.lines().flat_map(|line| [line.strip_prefix(' ').unwrap_or(line), "\n"]).collect()
    }

    /// Returns the fenced blocks under the `Example` heading.
    pub fn examples(&self) -> Vec<Example> {
        let page = self.page();
        let mut examples = Vec::new();
        let mut open: Option<Example> = None;
        let mut in_section = false;
        for line in page.lines() {
            if let Some(mut example) = open.take() {
                if line == "```" {
                    example.text.pop();
                    examples.push(example);
                } else {
                    example.text.push_str(line);
                    example.text.push('\n');
                    open = Some(example);
                }
            } else if let Some(heading) = line.strip_prefix("## ") {
                in_section = heading == "Example";
            } else if let Some(language) = line.strip_prefix("```").filter(|_| in_section) {
                open = Some(Example { language: language.to_owned(), text: String::new() });
            }
        }
        examples
    }
}

/// Returns the faults of the manual page of a code.
pub fn page_faults(code: &Code) -> Vec<String> {
    let page = code.page();
    let mut faults = Vec::new();
    let headings: Vec<&str> = page.lines().filter_map(|line| line.strip_prefix("## ")).collect();
    if headings != PAGE_SECTIONS {
        faults.push(format!("{}: the headings are {headings:?}, not {PAGE_SECTIONS:?}", code.name));
    }
    for section in page.split("## ").skip(1) {
        let (heading, body) = section.split_once('\n').unwrap_or((section, ""));
        if body.trim().is_empty() {
            faults.push(format!("{}: the section `{heading}` is empty", code.name));
        }
    }
    if code.examples().is_empty() {
        faults.push(format!("{}: no fenced example", code.name));
    }
    if code.summary.is_empty() || code.summary.contains('\n') || code.summary.ends_with('.') {
        faults.push(format!("{}: the summary is not one line without a full stop", code.name));
    }
    faults
}

/// Returns the faults of a list of codes and of their pages.
pub fn registry_faults(codes: &[&Code]) -> Vec<String> {
    let mut faults = Vec::new();
    for (position, code) in codes.iter().enumerate() {
        if !is_kebab_case(code.name) {
            faults.push(format!("{}: the name is not in kebab case", code.name));
        }
        if codes[..position].contains(code) {
            faults.push(format!("{}: the name is not unique", code.name));
        }
        faults.extend(page_faults(code));
    }
    faults
}

fn is_kebab_case(name: &str) -> bool {
    name.starts_with(|first: char| first.is_ascii_lowercase())
        && name.split('-').all(|word| {
            !word.is_empty()
                && word.chars().all(|character| character.is_ascii_lowercase() || character.is_ascii_digit())
        })
}

impl PartialEq for Code {
    fn eq(&self, other: &Code) -> bool {
        self.name == other.name
    }
}

impl Eq for Code {}

impl PartialOrd for Code {
    fn partial_cmp(&self, other: &Code) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Code {
    fn cmp(&self, other: &Code) -> std::cmp::Ordering {
        self.name.cmp(other.name)
    }
}

impl fmt::Debug for Code {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "Code({})", self.name)
    }
}

impl fmt::Display for Code {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.name)
    }
}

#[cfg(test)]
mod tests {
    use super::{Code, registry_faults};

    const GOOD_PAGE: &str =
        " ## Meaning\n a\n ## Why it matters\n b\n ## Example\n ```text\n c\n ```\n ## How to fix it\n d\n";

    #[test]
    fn registry_faults_are_counted() {
        static GOOD: Code = Code::declare("good-1", "fine", GOOD_PAGE);
        static UPPER: Code = Code::declare("Upper", "fine", GOOD_PAGE);
        static DOUBLE_DASH: Code = Code::declare("double--dash", "fine", GOOD_PAGE);
        static NO_PAGE: Code = Code::declare("no-page", "fine", "");
        static SENTENCE: Code = Code::declare("sentence", "Ends with a stop.", GOOD_PAGE);
        let cases: &[(&[&Code], usize)] = &[
            (&[&GOOD], 0),
            (&[&GOOD, &SENTENCE], 1),
            (&[&GOOD, &GOOD], 1),
            (&[&UPPER], 1),
            (&[&DOUBLE_DASH], 1),
            (&[&NO_PAGE], 2),
        ];
        for (codes, count) in cases {
            assert_eq!(registry_faults(codes).len(), *count, "{codes:?}: {:?}", registry_faults(codes));
        }
    }

    #[test]
    fn examples_ignore_blocks_of_other_sections() {
        static CODE: Code = Code::declare(
            "code",
            "fine",
            " ## Meaning\n ```text\n no\n ```\n ## Example\n ```xml text\n a\n\n  b\n ```\n",
        );
        let examples = CODE.examples();
        assert_eq!(examples.len(), 1);
        assert_eq!((examples[0].language.as_str(), examples[0].text.as_str()), ("xml text", "a\n\n b"));
    }
}
