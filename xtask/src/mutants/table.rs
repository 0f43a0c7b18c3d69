//! The table of outcomes, written line by line.

use std::io::Write;

use super::{Mutant, MutantResult};

/// A table with a column that is as wide as the longest name.
pub(super) struct Table<'a> {
    output: &'a mut dyn Write,
    width: usize,
}

impl<'a> Table<'a> {
    pub(super) fn new(output: &'a mut dyn Write, mutants: &[&Mutant]) -> Self {
        let width = mutants.iter().map(|mutant| mutant.name.chars().count()).max().unwrap_or(0);
        Self { output, width }
    }

    pub(super) fn add(&mut self, result: &MutantResult) -> Result<(), String> {
        let MutantResult { name, outcome, duration, built_alone } = result;
        let (outcome, seconds) = (outcome.description(), duration.as_secs_f64());
        let alone = built_alone.map_or_else(String::new, |reason| format!("  built alone: {reason}"));
        self.say(&format!("{name:width$}  {outcome:16}  {seconds:6.1} s{alone}", width = self.width))
    }

    pub(super) fn finish(&mut self, results: &[MutantResult]) -> Result<(), String> {
        let survivors = results.iter().filter(|result| !result.outcome.is_caught());
        for MutantResult { name, outcome, .. } in survivors {
            self.say(&format!("{name}: {}", outcome.description()))?;
        }
        let caught = results.iter().filter(|result| result.outcome.is_caught()).count();
        let alone = results.iter().filter(|result| result.built_alone.is_some()).count();
        self.say(&format!(
            "{caught} of {} caught, {alone} built alone; logs are in target/mutants/logs.",
            results.len()
        ))
    }

    pub(super) fn say(&mut self, line: &str) -> Result<(), String> {
        writeln!(self.output, "{line}")
            .and_then(|()| self.output.flush())
            .map_err(|error| format!("cannot write: {error}"))
    }
}
