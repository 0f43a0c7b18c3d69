//! Corrupted, truncated, shuffled and random texts result in a model or an error, never in a panic or a hang.
//!
//! Invariant: runs of the same length use the same texts. `HOSTILE_SECONDS` sets the duration; the default is short
//! enough for every build. A failing text is written to the target folder, so that it can become a case.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use tempora_evidence::{Budget, Progress, UnknownReason, Verdict};
use tempora_report::formats::text::{self, Plain};
use tempora_report::{Source, locate};
use tempora_source::{Colour, render_text};
use tempora_workbench::{CheckOptions, check, load};

use tempora_testkit::{blocks_of, files_below, workspace};

use crate::support::read_back;

/// Limit on the time for a text; generous, because the machine may be busy.
const LIMIT: Duration = Duration::from_secs(120);
/// Limit on the time of the search.
const SEARCH: Duration = Duration::from_millis(20);

/// The current text, and the time when it was started.
type Current = Mutex<Option<(Instant, Vec<u8>)>>;

#[test]
fn texts_cause_no_panic_or_hang() {
    let seconds = match std::env::var("HOSTILE_SECONDS") {
        Ok(seconds) => seconds.parse().unwrap(),
        Err(_) => 6,
    };
    let current: Arc<Current> = Arc::default();
    // Computations recurse over syntax trees, for which the command line has a large stack.
    let worker = std::thread::Builder::new().stack_size(256 << 20);
    let looked_at = current.clone();
    let worker = worker.spawn(move || attack(Duration::from_secs(seconds), &looked_at)).unwrap();
    while !worker.is_finished() {
        std::thread::sleep(Duration::from_millis(50));
        if let Some((start, text)) = &*current.lock().unwrap()
            && start.elapsed() > LIMIT
        {
            panic!("{}: took more than {LIMIT:?}", kept(text));
        }
    }
    let (count, failures) = worker.join().unwrap();
    assert!(failures.is_empty(), "{} of {count} texts:\n{}", failures.len(), failures.join("\n"));
    assert!(count > 500, "only {count} texts were tried");
}

/// Tries texts for some time; returns their number and the failures.
fn attack(duration: Duration, current: &Current) -> (usize, Vec<String>) {
    let seeds = seeds();
    assert!(seeds.len() > 100, "only {} models were found", seeds.len());
    let deadline = Instant::now() + duration;
    let mut random = Random(0x5eed);
    let (mut count, mut failures) = (0, Vec::new());
    let mut attempt = |text: Vec<u8>| {
        *current.lock().unwrap() = Some((Instant::now(), text.clone()));
        failures.extend(failure_of(&text));
        *current.lock().unwrap() = None;
        count += 1;
        (count, failures.len())
    };
    // Start with the intact texts, since the search must not fail either.
    let mut tried = (0, 0);
    for seed in &seeds {
        tried = attempt(seed.clone().into_bytes());
    }
    let mut cuts =
        seeds.iter().flat_map(|seed| (0..seed.len()).step_by(7).map(|end| &seed.as_bytes()[..end]));
    while Instant::now() < deadline && tried.1 < 10 {
        tried = attempt(match tried.0 % 8 {
            // The text may be cut inside a character, which is an error as well.
            0..=2 => match cuts.next() {
                Some(cut) => cut.to_vec(),
                None => random.bytes(),
            },
            3 => random.bytes(),
            _ => random.shuffled(&seeds),
        });
    }
    (count, failures)
}

/// Returns all models of the examples, the test data, the cases and the guide.
fn seeds() -> Vec<String> {
    let root = workspace();
    let mut seeds = Vec::new();
    for folder in ["examples", "crates/model/tests/data"] {
        for extension in tempora_frontends::LANGUAGES.iter().flat_map(|language| language.extensions) {
            for path in files_below(&root.join(folder), &format!(".{extension}")) {
                seeds.push(std::fs::read_to_string(path).unwrap());
            }
        }
    }
    for folder in ["tests/cases", "docs/guide"] {
        for path in files_below(&root.join(folder), ".md") {
            let document = std::fs::read_to_string(path).unwrap();
            for extension in tempora_frontends::LANGUAGES.iter().flat_map(|language| language.extensions) {
                seeds.extend(blocks_of(&document, extension));
            }
        }
    }
    seeds
}

/// Returns the failure of a text: a panic, or a defect found by replaying or parsing the output again.
fn failure_of(bytes: &[u8]) -> Option<String> {
    let problem = match catch_unwind(AssertUnwindSafe(|| read_and_check(bytes))) {
        Err(_) => "a panic".to_owned(),
        Ok(problem) => problem?,
    };
    Some(format!("{}: {problem}", kept(bytes)))
}

/// Writes a text to a file and returns its path.
fn kept(bytes: &[u8]) -> String {
    let name = bytes.iter().fold(0u64, |hash, &byte| hash.wrapping_mul(31).wrapping_add(u64::from(byte)));
    let path = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("hostile-{name:016x}.net"));
    std::fs::write(&path, bytes).unwrap();
    path.display().to_string()
}

/// Runs all stages that a user's text passes through.
fn read_and_check(bytes: &[u8]) -> Option<String> {
    let mut loaded = load("hostile.net", bytes);
    loaded.diagnostics.sort(&loaded.files);
    let complaints = render_text(&loaded.files, loaded.diagnostics.as_slice(), Colour::Never);
    if loaded.network().is_none() && !loaded.diagnostics.has_errors() {
        return Some(format!("neither a model nor an error:\n{complaints}"));
    }
    let queries = if loaded.queries.is_empty() {
        loaded.read_query("query", "E<> false").value.into_iter().collect()
    } else {
        loaded.queries.clone()
    };
    let task = loaded.task(queries)?;
    let printed = tempora_model::print_network(task.system.network().unwrap());
    let source = Source { files: &loaded.files, origins: &loaded.origins };
    let budget = Budget::unlimited().with_max_states(300).with_timeout(SEARCH);
    let answers = check(&task, &CheckOptions::default(), &budget, &Progress::new());
    for (query, answer) in task.queries.iter().zip(&answers) {
        if let Verdict::Unknown(UnknownReason::EngineBug(why)) = &answer.answer().verdict {
            return Some(format!("{}: {why}", query.text));
        }
        text::answer(&locate(source, &task, query, answer), true, true, &Plain);
    }
    // The printed model must be valid.
    let again = load("printed.net", printed.as_bytes());
    if again.network().is_none() {
        let complaints = render_text(&again.files, again.diagnostics.as_slice(), Colour::Never);
        return Some(format!("the printed network is not read back:\n{complaints}"));
    }
    for writer in tempora_frontends::WRITERS.iter().filter(|writer| !writer.is_symbolic()) {
        if let Ok(written) = writer.write(&loaded.writable().unwrap()) {
            let again = read_back(writer, &written);
            if again.network().is_none() {
                let complaints = render_text(&again.files, again.diagnostics.as_slice(), Colour::Never);
                return Some(format!("the output in {} is not valid:\n{complaints}", writer.name));
            }
        }
    }
    None
}

/// A deterministic pseudorandom number generator.
struct Random(u64);

impl Random {
    /// Returns a number below the limit.
    fn below(&mut self, limit: usize) -> usize {
        // Steele, Lea and Flood, "Fast splittable pseudorandom number generators" (2014).
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((mixed ^ (mixed >> 31)) % limit.max(1) as u64) as usize
    }

    fn bytes(&mut self) -> Vec<u8> {
        const ALPHABET: &[u8] = b"(){}[];,.:!?&|<>=+-*/%'\"@# \n\tabx019\\\x00\xff\xc3\xa9";
        let only_some = self.below(2) == 0;
        let length = self.below(200);
        let byte = |random: &mut Random| match only_some {
            true => ALPHABET[random.below(ALPHABET.len())],
            false => random.below(256) as u8,
        };
        (0..length).map(|_| byte(self)).collect()
    }

    /// Returns a model with some tokens removed, duplicated, exchanged, or replaced by tokens of another model.
    fn shuffled(&mut self, seeds: &[String]) -> Vec<u8> {
        let (one, other) = (&seeds[self.below(seeds.len())], &seeds[self.below(seeds.len())]);
        let (mut pieces, others) = (pieces_of(one), pieces_of(other));
        for _ in 0..=self.below(3) {
            if pieces.is_empty() {
                break;
            }
            let (at, with) = (self.below(pieces.len()), self.below(pieces.len()));
            match self.below(6) {
                0 => drop(pieces.remove(at)),
                1 => pieces.insert(at, pieces[at]),
                2 => pieces.swap(at, with),
                3 => pieces[at] = pieces[with],
                4 if !others.is_empty() => pieces[at] = others[self.below(others.len())],
                _ => {
                    const NUMBERS: [&str; 9] = [
                        "0",
                        "-1",
                        "2147483647",
                        "-2147483648",
                        "65536",
                        "99999999999",
                        "1",
                        "1000000",
                        "255",
                    ];
                    pieces[at] = NUMBERS[self.below(NUMBERS.len())];
                }
            }
        }
        pieces.concat().into_bytes()
    }
}

/// Splits a text into words, numbers, single other characters, and white space.
fn pieces_of(text: &str) -> Vec<&str> {
    let mut pieces = Vec::new();
    let mut rest = text;
    let kind = |character: char| match character {
        character if character.is_alphanumeric() || character == '_' => 1,
        character if character.is_whitespace() => 2,
        _ => 3,
    };
    while let Some(first) = rest.chars().next() {
        let end = match kind(first) {
            3 => first.len_utf8(),
            same => rest.find(|character| kind(character) != same).unwrap_or(rest.len()),
        };
        let (piece, after) = rest.split_at(end);
        pieces.push(piece);
        rest = after;
    }
    pieces
}
