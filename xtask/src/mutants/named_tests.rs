//! The distinct tests that some mutants name.
//!
//! Mutants of one file usually name the same tests; each is run once without any mutant.

use std::collections::BTreeSet;

use super::build::Executables;
use super::process::{End, TestRunner};
use super::test_line::TestLine;
use super::{Mutant, parallel};

/// The tests of some mutants.
pub(super) struct NamedTests<'a> {
    distinct: Vec<NamedTest<'a>>,
}

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

    /// The tests that can be run without Cargo.
    pub(super) fn lines(&self) -> BTreeSet<&TestLine> {
        self.distinct.iter().filter_map(|test| test.line.as_ref()).collect()
    }

    /// The tests of a mutant, if they can be run without Cargo.
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
        parallel::for_each(&self.distinct, jobs, |test| test.passes_without_mutant(runner, executables), Ok)
    }
}

impl NamedTest<'_> {
    fn passes_without_mutant(
        &self,
        runner: &TestRunner<'_>,
        executables: &Executables,
    ) -> Result<(), String> {
        let Self { arguments, line, user, log_name } = self;
        let command = arguments.join(" ");
        let end = match line {
            Some(line) => {
                let executables = executables.of_line(line);
                if executables.is_empty() {
                    return Err(format!("`cargo test {command}` (of {user}) has no test executable"));
                }
                runner.run_executables(&executables, &line.arguments, None, log_name)?
            }
            None => runner.run_cargo(arguments, log_name)?,
        };
        if end == End::Passed {
            return Ok(());
        }
        let log = runner.end_of_log(log_name);
        Err(format!("without any mutant, `cargo test {command}` (of {user}) {end}:\n{log}"))
    }
}
