//! The distinct tests that some mutants name.
//!
//! Mutants of one file usually name the same tests; each test is run once without any mutant.

use std::collections::BTreeSet;

use super::build::Executables;
use super::process::{End, TestRunner};
use super::test_line::TestLine;
use super::{Mutant, parallel};

/// The tests of some mutants.
pub(super) struct NamedTests<'a> {
    distinct: Vec<NamedTest<'a>>,
}

#[derive(Clone)]
struct NamedTest<'a> {
    /// The arguments of `cargo test`.
    arguments: &'a [String],
    /// `None` if only Cargo can run it.
    line: Option<TestLine>,
    /// A mutant that names it.
    user: &'a str,
    log_name: String,
}

impl<'a> NamedTests<'a> {
    pub(super) fn of_mutants(mutants: &[&'a Mutant]) -> Self {
        let mut distinct: Vec<NamedTest<'a>> = Vec::new();
        for mutant in mutants {
            let arguments = mutant.test_arguments.as_slice();
            if !distinct.iter().any(|test| test.arguments == arguments) {
                let log_name = format!("unmutated-{}", distinct.len());
                let line = TestLine::parse(arguments);
                distinct.push(NamedTest { arguments, line, user: &mutant.name, log_name });
            }
        }
        Self { distinct }
    }

    /// Returns the tests that can be run without Cargo.
    pub(super) fn lines(&self) -> BTreeSet<&TestLine> {
        self.distinct.iter().filter_map(|test| test.line.as_ref()).collect()
    }

    /// Returns the tests of a mutant, if they can be run without Cargo.
    pub(super) fn line_of(&self, mutant: &Mutant) -> Option<&TestLine> {
        self.distinct.iter().find(|test| test.arguments == mutant.test_arguments)?.line.as_ref()
    }

    /// Runs all tests without any mutant; nothing can be concluded from tests that fail anyway.
    pub(super) fn pass_without_mutant(
        &self,
        runner: &TestRunner<'_>,
        executables: &Executables,
        jobs: usize,
    ) -> Result<(), String> {
        let runs = self.merged();
        // A run may have the tests of all lines.
        let lines = u32::try_from(self.distinct.len()).unwrap_or(u32::MAX);
        let runner = TestRunner { time_limit: runner.time_limit.saturating_mul(lines), ..runner.clone() };
        parallel::for_each(&runs, jobs, |test| test.passes_without_mutant(&runner, executables), Ok)
    }

    /// The tests, with those of the same executables in one run, which runs a test once that several lines name.
    fn merged(&self) -> Vec<NamedTest<'a>> {
        let mut runs: Vec<NamedTest<'a>> = Vec::new();
        for test in &self.distinct {
            let same = runs.iter_mut().find_map(|run| match (&mut run.line, &test.line) {
                (Some(run), Some(line)) if run.is_mergeable_with(line) => Some((run, line)),
                _ => None,
            });
            match same {
                Some((run, line)) => run.merge(line),
                None => runs.push(test.clone()),
            }
        }
        runs
    }
}

impl NamedTest<'_> {
    fn passes_without_mutant(
        &self,
        runner: &TestRunner<'_>,
        executables: &Executables,
    ) -> Result<(), String> {
        let Self { arguments, line, user, log_name } = self;
        let (command, end) = match line {
            Some(line) => {
                let command = line.to_string();
                let executables = executables.of_line(line);
                if executables.is_empty() {
                    return Err(format!("`cargo test {command}` (of {user}) has no test executable"));
                }
                (command, runner.run_executables(&executables, &line.arguments, None, log_name)?)
            }
            None => (arguments.join(" "), runner.run_cargo(arguments, log_name)?),
        };
        if end == End::Passed {
            return Ok(());
        }
        let log = runner.end_of_log(log_name);
        Err(format!("without any mutant, `cargo test {command}` (of {user}) {end}:\n{log}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_the_same_executables_are_merged() {
        let mutants: Vec<Mutant> = [
            "-p a --test it one",
            "-p a --test it two",
            "-p a --test it one",
            "-p a --lib one",
            "-p a --lib",
            "-p b --lib one",
            "-p b --lib -- --skip two",
            "-p b --doc",
        ]
        .iter()
        .map(|line| {
            let blocks = "```find\na\n```\n\n```replace\nb\n```\n";
            Mutant::parse("a/b", &format!("# T\n\nWhy.\n\nfile: a.rs\ntest: {line}\n\n{blocks}")).unwrap()
        })
        .collect();
        let tests = NamedTests::of_mutants(&mutants.iter().collect::<Vec<_>>());
        assert_eq!(tests.distinct.len(), 7);
        let merged = tests.merged();
        let runs =
            merged.iter().map(|run| run.line.as_ref().map_or_else(|| "-".to_owned(), ToString::to_string));
        let expected =
            ["-p a --test it -- one two", "-p a --lib", "-p b --lib -- one", "-p b --lib -- --skip two", "-"];
        assert_eq!(runs.collect::<Vec<_>>(), expected);
    }
}
