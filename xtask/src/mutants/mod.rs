//! Mutation testing of our own sources: plausible bugs, written down as data, that some test must notice.
//!
//! A mutant is a file `crates/<crate>/mutants/<name>.md`; see [`Mutant`]. The checkout itself is never changed: the
//! mutants go into a copy below `target`. Nearly all are in it at once, each behind a switch that an environment
//! variable throws (see `switch.rs`), so that the tests are built once and run once per mutant. The few that cannot be
//! switched are built one after the other. There is one copy, so one run at a time: see `lock.rs`.

mod build;
mod copy;
mod description;
mod lock;
mod named_tests;
mod parallel;
mod process;
mod schemata;
mod switch;
mod table;
mod test_line;

use std::io::Write;
use std::num::NonZeroUsize;
use std::path::Path;
use std::time::{Duration, Instant};

use self::build::{Build, Executables};
pub use self::copy::WorkspaceCopy;
pub use self::description::Mutant;
use self::lock::CopyLock;
use self::named_tests::NamedTests;
use self::process::{End, TestRunner};
use self::schemata::Schemata;
use self::table::Table;
use crate::tree::Tree;

/// The selection of mutants and the limits of the run.
#[derive(Debug, Clone)]
pub struct Options {
    /// The names of the mutants to run, with or without their crate; empty for all.
    pub only: Vec<String>,
    /// One of several parts of all mutants, counted from one, and how many parts there are.
    pub part: Option<(usize, usize)>,
    /// How many mutants are tested at the same time.
    pub jobs: usize,
    /// How long the tests of one mutant may run before they count as failed.
    pub time_limit: Duration,
}

impl Default for Options {
    fn default() -> Self {
        Self { only: Vec::new(), part: None, jobs: cores(), time_limit: Duration::from_secs(300) }
    }
}

fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, NonZeroUsize::get)
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
    /// Returns whether the tests noticed the bug.
    pub fn is_caught(self) -> bool {
        matches!(self, Self::Caught | Self::CaughtByTimeLimit)
    }

    fn of_tests(end: End) -> Self {
        match end {
            End::Passed => Self::Survived,
            End::Failed => Self::Caught,
            End::OutOfTime => Self::CaughtByTimeLimit,
        }
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
    /// How long its tests took, and its build if it was built alone.
    pub duration: Duration,
    /// Why it was built alone, if it was.
    pub built_alone: Option<&'static str>,
}

/// Runs mutants of the workspace in `root` and writes a table of the outcomes.
///
/// An error means that nothing was learned: a mutant cannot be read, or the tests fail without any mutant.
pub fn run(root: &Path, options: &Options, output: &mut dyn Write) -> Result<Vec<MutantResult>, String> {
    let tree = Tree::of_folder(root)?;
    let all = all_mutants(&tree)?;
    let mut mutants = select(&all, &options.only)?;
    // The crates of the sources one after the other, so that a part needs few of them.
    mutants.sort_by_key(|mutant| (crate_folder(&mutant.file), mutant.name.as_str()));
    if let Some((part, parts)) = options.part {
        mutants = part_of(mutants, part, parts);
    }
    let mut table = Table::new(output, &mutants);
    if mutants.is_empty() {
        table.say("There are no mutants.")?;
        return Ok(Vec::new());
    }
    // A mutant that does not fit is better known now than after the minutes that the others take.
    for mutant in &mutants {
        mutated_source(&tree, mutant)?;
    }

    let base = root.join("target").join("mutants");
    // Held until the end: another run would take the mutants of this one for the checkout.
    let _lock = CopyLock::take(&base)?;
    let mut schemata = Schemata::new(&tree, &all);
    let mut copy = WorkspaceCopy::create(&base.join("workspace"), schemata.tree())?;
    let logs = base.join("logs");
    let runner = TestRunner {
        workspace: copy.folder().to_owned(),
        target: base.join("target"),
        logs: &logs,
        time_limit: options.time_limit,
        // With two, a test that loops does not keep another one from failing.
        test_threads: (cores() / options.jobs.max(1)).max(2),
    };
    let start = Instant::now();
    let tests = NamedTests::of_mutants(&mutants);
    let executables = build_all(&runner, &tests, &mut schemata, &mut copy)?;
    table.say(&format!("The build took {:.1} s.", start.elapsed().as_secs_f64()))?;
    tests.pass_without_mutant(&runner, &executables, options.jobs)?;

    let (alone, switched): (Vec<&Mutant>, Vec<&Mutant>) = mutants.iter().partition(|mutant| {
        schemata.reason_to_build_alone(mutant).is_some() || tests.line_of(mutant).is_none()
    });
    let mut results = Vec::new();
    let mut receive = |result: MutantResult| {
        table.add(&result)?;
        results.push(result);
        Ok(())
    };
    let run_switched = |mutant: &&Mutant| run_switched(mutant, &tests, &executables, &runner);
    parallel::for_each(&switched, options.jobs, run_switched, &mut receive)?;
    copy.reset()?;
    if !alone.is_empty() {
        // A copy and a build of its own: so the switched mutants are still built in the next run.
        let copy = WorkspaceCopy::create(&base.join("workspace-alone"), tree.clone())?;
        let runner = TestRunner {
            workspace: copy.folder().to_owned(),
            target: base.join("target-alone"),
            test_threads: cores(),
            ..runner
        };
        for mutant in alone {
            let reason = schemata.reason_to_build_alone(mutant).unwrap_or("needs Cargo to run its tests");
            receive(run_alone(mutant, reason, &tree, &copy, &runner)?)?;
        }
    }
    results.sort_by(|one, other| one.name.cmp(&other.name));
    table.finish(&results)?;
    Ok(results)
}

/// Builds the copy with all switched mutants; those that the compiler rejects lose their switches.
fn build_all(
    runner: &TestRunner<'_>,
    tests: &NamedTests<'_>,
    schemata: &mut Schemata<'_>,
    copy: &mut WorkspaceCopy,
) -> Result<Executables, String> {
    let lines = tests.lines();
    if lines.is_empty() {
        return Ok(Executables::default());
    }
    loop {
        match build::build(runner, &lines)? {
            Build::Built(executables) => return Ok(executables),
            Build::Failed(errors) => {
                if !schemata.exclude(&errors, copy.folder()) {
                    let log = runner.end_of_log(build::LOG);
                    return Err(format!("without any mutant, the tests do not build:\n{log}"));
                }
                copy.hold(schemata.tree())?;
            }
        }
    }
}

/// Tests a mutant with its switch thrown.
fn run_switched(
    mutant: &Mutant,
    tests: &NamedTests<'_>,
    executables: &Executables,
    runner: &TestRunner<'_>,
) -> Result<MutantResult, String> {
    let start = Instant::now();
    let line = tests.line_of(mutant).ok_or_else(|| format!("{} has no tests", mutant.name))?;
    let executables = executables.of_line(line);
    let number = Some(schemata::number(mutant));
    let end = runner.run_executables(&executables, &line.arguments, number, &log_name(mutant))?;
    let (name, outcome) = (mutant.name.clone(), Outcome::of_tests(end));
    Ok(MutantResult { name, outcome, duration: start.elapsed(), built_alone: None })
}

/// Tests a mutant that has no switch: applies it to a copy of the checkout.
fn run_alone(
    mutant: &Mutant,
    reason: &'static str,
    tree: &Tree,
    copy: &WorkspaceCopy,
    runner: &TestRunner<'_>,
) -> Result<MutantResult, String> {
    let start = Instant::now();
    copy.reset()?;
    copy.write(&mutant.file, mutated_source(tree, mutant)?.as_bytes())?;
    let outcome = match runner.build(&mutant.test_arguments, &log_name(mutant))?.0 {
        End::Failed | End::OutOfTime => Outcome::DoesNotCompile,
        End::Passed => Outcome::of_tests(runner.run_cargo(&mutant.test_arguments, &log_name(mutant))?),
    };
    let (name, duration) = (mutant.name.clone(), start.elapsed());
    Ok(MutantResult { name, outcome, duration, built_alone: Some(reason) })
}

/// Returns the source that a mutant changes, with the bug in it, or why it does not fit.
fn mutated_source(tree: &Tree, mutant: &Mutant) -> Result<String, String> {
    let complain = |message| format!("mutant {}: {message}", mutant.name);
    let source =
        tree.text(&mutant.file).ok_or_else(|| complain(format!("`{}` does not exist", mutant.file)))?;
    mutant.apply(source).map_err(complain)
}

fn log_name(mutant: &Mutant) -> String {
    mutant.name.replace('/', "-")
}

/// Returns one of several parts of nearly the same size, each without a gap; together they have all.
fn part_of<Item>(all: Vec<Item>, part: usize, parts: usize) -> Vec<Item> {
    let count = all.len();
    all.into_iter()
        .skip(count * (part - 1) / parts)
        .take(count * part / parts - count * (part - 1) / parts)
        .collect()
}

/// Returns the folder of the crate that a source lies in.
fn crate_folder(file: &str) -> &str {
    file.split_once("/src/").map_or(file, |(folder, _)| folder)
}

fn all_mutants(tree: &Tree) -> Result<Vec<Mutant>, String> {
    let read = Mutant::all_in(tree).into_iter();
    read.map(|(path, result)| result.map_err(|message| format!("{path}: {message}"))).collect()
}

fn select<'a>(mutants: &'a [Mutant], only: &[String]) -> Result<Vec<&'a Mutant>, String> {
    if let Some(unknown) = only.iter().find(|name| !mutants.iter().any(|mutant| mutant.is_called(name))) {
        let names: Vec<&str> = mutants.iter().map(|mutant| mutant.name.as_str()).collect();
        return Err(format!("there is no mutant `{unknown}`; there are: {}", names.join(", ")));
    }
    let is_selected = |mutant: &&Mutant| only.is_empty() || only.iter().any(|name| mutant.is_called(name));
    Ok(mutants.iter().filter(is_selected).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_disjoint_and_have_everything() {
        let mut all: Vec<u32> = (1..=4).flat_map(|part| part_of((0..10).collect(), part, 4)).collect();
        assert_eq!(part_of((0..10).collect::<Vec<u32>>(), 2, 4), [2, 3, 4]);
        all.sort_unstable();
        assert_eq!(all, (0..10).collect::<Vec<u32>>());
    }

    fn tree() -> Tree {
        let mutant = "# T\n\nWhy.\n\nfile: a.rs\ntest: -p a\n\n```find\na\n```\n\n```replace\nb\n```\n";
        Tree::of_texts([("crates/x/mutants/one.md", mutant), ("crates/y/mutants/two.md", mutant)])
    }

    fn selected(only: &[&str]) -> Result<Vec<String>, String> {
        let only: Vec<String> = only.iter().map(|&name| name.to_owned()).collect();
        let all = all_mutants(&tree())?;
        Ok(select(&all, &only)?.into_iter().map(|mutant| mutant.name.clone()).collect())
    }

    #[test]
    fn selects_mutants_by_name_with_or_without_crate() {
        assert_eq!(selected(&[]).unwrap(), ["x/one", "y/two"]);
        assert_eq!(selected(&["two"]).unwrap(), ["y/two"]);
        assert_eq!(selected(&["x/one"]).unwrap(), ["x/one"]);
        assert!(selected(&["three"]).unwrap_err().contains("x/one, y/two"));
    }
}
