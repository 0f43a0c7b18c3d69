//! The line `test:` of a mutant, as far as its test executables can be run without Cargo.

use std::fmt;

/// The tests of one package that a mutant names.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct TestLine {
    /// The package with the tests.
    pub(super) package: String,
    /// The targets; empty for all tests of the package.
    pub(super) targets: Vec<TestTarget>,
    /// The arguments of the test executables: names of tests, and options behind `--`.
    pub(super) arguments: Vec<String>,
}

/// One executable with tests.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum TestTarget {
    /// The unit tests of the library.
    Library,
    /// The unit tests of a program.
    Binary(String),
    /// An integration test.
    Integration(String),
}

impl TestTarget {
    /// Returns the arguments of `cargo test` that select it.
    pub(super) fn arguments(&self) -> Vec<String> {
        match self {
            Self::Library => vec!["--lib".to_owned()],
            Self::Binary(name) => vec!["--bin".to_owned(), name.clone()],
            Self::Integration(name) => vec!["--test".to_owned(), name.clone()],
        }
    }
}

impl TestLine {
    /// Reads arguments of `cargo test`; `None` if only Cargo can follow them.
    pub(super) fn parse(arguments: &[String]) -> Option<Self> {
        let mut package = None;
        let mut targets = Vec::new();
        let mut names = Vec::new();
        let mut remaining = arguments.iter().map(String::as_str);
        while let Some(argument) = remaining.next() {
            match argument {
                "-p" | "--package" => {
                    if package.replace(remaining.next()?.to_owned()).is_some() {
                        return None;
                    }
                }
                "--lib" => targets.push(TestTarget::Library),
                "--bin" => targets.push(TestTarget::Binary(remaining.next()?.to_owned())),
                "--test" => targets.push(TestTarget::Integration(remaining.next()?.to_owned())),
                "--" => names.extend(remaining.by_ref().map(str::to_owned)),
                _ if argument.starts_with('-') => return None,
                _ => names.push(argument.to_owned()),
            }
        }
        targets.sort();
        targets.dedup();
        Some(Self { package: package?, targets, arguments: names })
    }

    /// Returns whether the line names this target of its package.
    pub(super) fn names(&self, target: &TestTarget) -> bool {
        self.targets.is_empty() || self.targets.contains(target)
    }

    /// Returns whether one run of the executables can do what two lines ask for. Options could contradict each other.
    pub(super) fn is_mergeable_with(&self, other: &Self) -> bool {
        let has_options = |line: &Self| line.arguments.iter().any(|argument| argument.starts_with('-'));
        self.package == other.package
            && self.targets == other.targets
            && !has_options(self)
            && !has_options(other)
    }

    /// Adds the tests of a line that is mergeable: names are alternatives, and no name stands for all tests.
    pub(super) fn merge(&mut self, other: &Self) {
        if self.arguments.is_empty() || other.arguments.is_empty() {
            self.arguments.clear();
        } else {
            self.arguments.extend(other.arguments.iter().cloned());
        }
    }
}

impl fmt::Display for TestLine {
    /// Writes the arguments of `cargo test`.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "-p {}", self.package)?;
        for argument in self.targets.iter().flat_map(TestTarget::arguments) {
            write!(formatter, " {argument}")?;
        }
        if !self.arguments.is_empty() {
            write!(formatter, " -- {}", self.arguments.join(" "))?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(line: &str) -> Option<TestLine> {
        let arguments: Vec<String> = line.split_whitespace().map(str::to_owned).collect();
        TestLine::parse(&arguments)
    }

    #[test]
    fn reads_package_targets_and_filters() {
        let line = parsed("-p zones --test it operations:: -- --skip slow").unwrap();
        assert_eq!(line.package, "zones");
        assert_eq!(line.targets, [TestTarget::Integration("it".to_owned())]);
        assert_eq!(line.arguments, ["operations::", "--skip", "slow"]);
        assert!(!line.names(&TestTarget::Library));
        assert!(parsed("-p zones --lib stuck").unwrap().names(&TestTarget::Library));
    }

    #[test]
    fn package_alone_names_all_its_targets() {
        let line = parsed("--package zones").unwrap();
        assert!(line.names(&TestTarget::Library));
        assert!(line.names(&TestTarget::Integration("operations".to_owned())));
    }

    #[test]
    fn leaves_other_options_to_cargo() {
        for line in ["--workspace", "-p zones --doc", "-p zones -p draw", "--lib", "-p", "-p zones --test"] {
            assert_eq!(parsed(line), None, "{line}");
        }
    }
}
