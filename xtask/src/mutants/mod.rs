//! Mutation testing of our own sources: plausible bugs, written down as data, that some test must notice.
//!
//! A mutant is a file `crates/<crate>/mutants/<name>.md`; see [`Mutant`]. The checkout itself is never changed: the
//! mutants are applied to a copy below `target`, which is brought back to the exact files of the checkout before
//! every one of them, so that nothing that one test run leaves behind can help or hinder the next. There is one copy, so
//! one run at a time: see `lock.rs`.

mod copy;
mod description;
mod lock;
mod process;

use std::collections::BTreeMap;
use std::io::Write;
use std::path::Path;
use std::time::{Duration, Instant};

pub use self::copy::WorkspaceCopy;
pub use self::description::Mutant;
use self::lock::CopyLock;
use self::process::{CargoTest, End};
use crate::tree::Tree;

/// What to run, and for how long.
#[derive(Debug, Clone)]
pub struct Options {
    /// The names of the mutants to run, with or without their crate; all where there is none.
    pub only: Vec<String>,
    /// Only each so many-th mutant, and from which on: a part of all, counted from one.
    pub part: Option<(usize, usize)>,
    /// How long the tests of one mutant may run before they count as failed.
    pub time_limit: Duration,
}

impl Default for Options {
    fn default() -> Self {
        Self { only: Vec::new(), part: None, time_limit: Duration::from_secs(300) }
    }
}

/// What became of a mutant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// A test failed.
    Caught,
    /// The tests did not end in time.
    CaughtByTimeLimit,
    /// The tests passed: they miss this bug.
    Survived,
    /// The compiler rejected it, so that it says nothing about the tests.
    DoesNotCompile,
}

impl Outcome {
    /// Whether the tests noticed the bug.
    pub fn is_caught(self) -> bool {
        matches!(self, Self::Caught | Self::CaughtByTimeLimit)
    }

    fn description(self) -> &'static str {
        match self {
            Self::Caught => "caught",
            Self::CaughtByTimeLimit => "caught (timeout)",
            Self::Survived => "SURVIVED",
            Self::DoesNotCompile => "does not compile",
        }
    }
}

/// The outcome of one mutant.
#[derive(Debug, Clone)]
pub struct MutantResult {
    /// The name of the mutant, with its crate.
    pub name: String,
    /// What became of it.
    pub outcome: Outcome,
    /// How long it took to build and to test.
    pub duration: Duration,
}

/// Runs mutants of the workspace in `root` and writes a table of the outcomes.
///
/// An error means that nothing was learned: a mutant cannot be read, or the tests fail without any mutant.
pub fn run(root: &Path, options: &Options, output: &mut dyn Write) -> Result<Vec<MutantResult>, String> {
    let tree = Tree::of_folder(root)?;
    let mut mutants = select(&tree, &options.only)?;
    if let Some((part, parts)) = options.part {
        mutants = part_of(mutants, part, parts);
    }
    let base = root.join("target").join("mutants");
    // Held until the end: another run would take the mutants of this one for the checkout.
    let _lock = CopyLock::take(&base)?;
    let copy = WorkspaceCopy::create(&base.join("workspace"), tree)?;
    let cargo = CargoTest { workspace: copy.folder(), base: &base, time_limit: options.time_limit };
    let mut say = |line: String| {
        writeln!(output, "{line}")
            .and_then(|()| output.flush())
            .map_err(|error| format!("cannot write: {error}"))
    };

    if mutants.is_empty() {
        say("There are no mutants.".to_owned())?;
        return Ok(Vec::new());
    }
    // A mutant that does not fit is better known now than after the minutes that the others take.
    for mutant in &mutants {
        copy.mutated_source(mutant)?;
    }
    // Mutants of one file usually name the same tests; each is checked once without any mutant.
    let mut commands = BTreeMap::new();
    for mutant in &mutants {
        commands.entry(mutant.test_arguments.as_slice()).or_insert(mutant.name.as_str());
    }
    for (index, (arguments, user)) in commands.into_iter().enumerate() {
        let log_name = format!("unmutated-{index}");
        for builds_only in [true, false] {
            let end = cargo.run(arguments, builds_only, &log_name)?;
            if end != End::Passed {
                let (command, log) = (arguments.join(" "), cargo.end_of_log(&log_name));
                return Err(format!("without any mutant, `cargo test {command}` (of {user}) {end}:\n{log}"));
            }
        }
    }

    let width = mutants.iter().map(|mutant| mutant.name.chars().count()).max().unwrap_or(0);
    let mut results = Vec::new();
    for mutant in mutants {
        let start = Instant::now();
        let outcome = run_one(&mutant, &copy, &cargo)?;
        let duration = start.elapsed();
        say(format!(
            "{:width$}  {:16}  {:6.1} s",
            mutant.name,
            outcome.description(),
            duration.as_secs_f64()
        ))?;
        results.push(MutantResult { name: mutant.name, outcome, duration });
    }
    copy.reset()?;
    let caught = results.iter().filter(|result| result.outcome.is_caught()).count();
    say(format!("{caught} of {} caught; logs are in target/mutants/logs.", results.len()))?;
    Ok(results)
}

fn run_one(mutant: &Mutant, copy: &WorkspaceCopy, cargo: &CargoTest<'_>) -> Result<Outcome, String> {
    copy.reset()?;
    copy.apply(mutant)?;
    let log_name = mutant.name.replace('/', "-");
    Ok(match cargo.run(&mutant.test_arguments, true, &log_name)? {
        End::Failed | End::OutOfTime => Outcome::DoesNotCompile,
        End::Passed => match cargo.run(&mutant.test_arguments, false, &log_name)? {
            End::Passed => Outcome::Survived,
            End::Failed => Outcome::Caught,
            End::OutOfTime => Outcome::CaughtByTimeLimit,
        },
    })
}

/// Each of the parts has mutants of all crates, and together they have all.
fn part_of<Item>(all: Vec<Item>, part: usize, parts: usize) -> Vec<Item> {
    all.into_iter().enumerate().filter(|(index, _)| index % parts == part - 1).map(|(_, item)| item).collect()
}

fn select(tree: &Tree, only: &[String]) -> Result<Vec<Mutant>, String> {
    let mut mutants = Vec::new();
    for (path, result) in Mutant::all_in(tree) {
        mutants.push(result.map_err(|message| format!("{path}: {message}"))?);
    }
    if let Some(unknown) = only.iter().find(|name| !mutants.iter().any(|mutant| mutant.is_called(name))) {
        let names: Vec<&str> = mutants.iter().map(|mutant| mutant.name.as_str()).collect();
        return Err(format!("there is no mutant `{unknown}`; there are: {}", names.join(", ")));
    }
    mutants.retain(|mutant| only.is_empty() || only.iter().any(|name| mutant.is_called(name)));
    Ok(mutants)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_disjoint_and_have_everything() {
        let mut all: Vec<u32> = (1..=4).flat_map(|part| part_of((0..10).collect(), part, 4)).collect();
        assert_eq!(part_of((0..10).collect::<Vec<u32>>(), 2, 4), [1, 5, 9]);
        all.sort_unstable();
        assert_eq!(all, (0..10).collect::<Vec<u32>>());
    }

    fn tree() -> Tree {
        let mutant = "# T\n\nWhy.\n\nfile: a.rs\ntest: -p a\n\n```find\na\n```\n\n```replace\nb\n```\n";
        Tree::of_texts([("crates/x/mutants/one.md", mutant), ("crates/y/mutants/two.md", mutant)])
    }

    fn selected(only: &[&str]) -> Result<Vec<String>, String> {
        let only: Vec<String> = only.iter().map(|&name| name.to_owned()).collect();
        Ok(select(&tree(), &only)?.into_iter().map(|mutant| mutant.name).collect())
    }

    #[test]
    fn mutants_are_selected_by_name_with_or_without_the_crate() {
        assert_eq!(selected(&[]).unwrap(), ["x/one", "y/two"]);
        assert_eq!(selected(&["two"]).unwrap(), ["y/two"]);
        assert_eq!(selected(&["x/one"]).unwrap(), ["x/one"]);
        assert!(selected(&["three"]).unwrap_err().contains("x/one, y/two"));
    }
}
