//! Random specifications, as text and as data, and the engine's answers about them.
//!
//! Invariant: specifications are deterministic: edges of a location on one action exclude each other.

pub(crate) mod regions;

use std::fmt::Write;

use tempora_evidence::{Answer, Budget, Caveat, Engine, Progress, Task, UnknownReason, Verdict};
use tempora_frontends::{language_named, read_model, read_query};
use tempora_games::SpecificationEngine;
use tempora_replay::{Showing, judge_network};
use tempora_source::{Files, Origins};

/// A deterministic pseudo-random sequence.
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u64) -> Random {
        Random(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ 0xD1B5_4A32_D192_ED03)
    }

    pub(crate) fn below(&mut self, limit: u32) -> u32 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) % u64::from(limit)) as u32
    }

    pub(crate) fn chance(&mut self, percent: u32) -> bool {
        self.below(100) < percent
    }
}

/// `clock < constant`, `<=`, `>=` or `>`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Bound {
    pub(crate) clock: usize,
    pub(crate) is_upper: bool,
    pub(crate) is_strict: bool,
    pub(crate) constant: u32,
}

/// An edge of a specification.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Edge {
    pub(crate) source: usize,
    pub(crate) target: usize,
    pub(crate) action: &'static str,
    pub(crate) is_output: bool,
    pub(crate) guard: Vec<Bound>,
    /// The value of the variable that the edge requires.
    pub(crate) data: Option<u32>,
    pub(crate) resets: Vec<usize>,
    /// The value that the edge assigns to the variable.
    pub(crate) assigned: Option<u32>,
}

/// A specification with some clocks and a variable that is 0 or 1.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Specification {
    pub(crate) inputs: Vec<&'static str>,
    pub(crate) outputs: Vec<&'static str>,
    pub(crate) clocks: usize,
    /// The invariant of each location.
    pub(crate) locations: Vec<Vec<Bound>>,
    pub(crate) edges: Vec<Edge>,
}

/// The maximal constant of random specifications.
pub(crate) const GREATEST: u32 = 2;

/// Returns a specification, in most cases a consistent one.
pub(crate) fn random_specification(
    random: &mut Random,
    inputs: &[&'static str],
    outputs: &[&'static str],
    most_clocks: usize,
    most_locations: u32,
) -> Specification {
    let percents = if random.chance(30) { [75, 45] } else { [35, 65] };
    specification_with(random, inputs, outputs, most_clocks, most_locations, percents)
}

/// Returns a specification with many invariants and few outputs, often inconsistent.
pub(crate) fn harsh_specification(
    random: &mut Random,
    inputs: &[&'static str],
    outputs: &[&'static str],
    most_clocks: usize,
    most_locations: u32,
) -> Specification {
    specification_with(random, inputs, outputs, most_clocks, most_locations, [75, 40])
}

/// Returns a specification that is often inconsistent, as an operand.
pub(crate) fn random_operand(
    random: &mut Random,
    inputs: &[&'static str],
    outputs: &[&'static str],
    most_clocks: usize,
    most_locations: u32,
) -> Specification {
    match random.chance(45) {
        true => harsh_specification(random, inputs, outputs, most_clocks, most_locations),
        false => random_specification(random, inputs, outputs, most_clocks, most_locations),
    }
}

fn specification_with(
    random: &mut Random,
    inputs: &[&'static str],
    outputs: &[&'static str],
    most_clocks: usize,
    most_locations: u32,
    [invariants, edges_of_outputs]: [u32; 2],
) -> Specification {
    let clocks = 1 + random.below(most_clocks as u32) as usize;
    let count = 1 + random.below(most_locations) as usize;
    // Some specifications have upper bounds only, so that zones cover more zones.
    let is_slack = random.chance(25);
    let mut locations = Vec::new();
    for number in 0..count {
        let mut invariant = Vec::new();
        if random.chance(invariants) {
            invariant.push(Bound {
                clock: random.below(clocks as u32) as usize,
                is_upper: true,
                // In most cases the initial state must be allowed.
                is_strict: number != 0 && random.chance(25),
                constant: random.below(GREATEST + 1),
            });
        }
        locations.push(invariant);
    }
    let mut edges = Vec::new();
    for source in 0..count {
        let sides = [(inputs, false, 60), (outputs, true, edges_of_outputs)];
        for (actions, is_output, percent) in sides {
            for &action in actions {
                if random.chance(percent) {
                    let first = edges.len();
                    random_edges(random, source, count, clocks, action, is_output, &mut edges);
                    if is_slack {
                        edges.truncate(first + 1);
                        let is_kept = |bound: &Bound| bound.is_upper && is_output;
                        edges[first].guard.retain(is_kept);
                    }
                }
            }
        }
    }
    Specification { inputs: inputs.to_vec(), outputs: outputs.to_vec(), clocks, locations, edges }
}

fn random_edges(
    random: &mut Random,
    source: usize,
    count: usize,
    clocks: usize,
    action: &'static str,
    is_output: bool,
    edges: &mut Vec<Edge>,
) {
    let cut = Bound {
        clock: random.below(clocks as u32) as usize,
        is_upper: true,
        is_strict: random.chance(50),
        constant: random.below(GREATEST + 1),
    };
    let rest = Bound { is_upper: false, is_strict: !cut.is_strict, ..cut };
    let guards: Vec<(Vec<Bound>, Option<u32>)> = match random.below(6) {
        0 | 1 => vec![(Vec::new(), None)],
        2 => vec![(vec![cut], None)],
        3 => vec![(vec![rest], None)],
        4 => vec![(vec![cut], None), (vec![rest], None)],
        _ => vec![(Vec::new(), Some(0)), (vec![cut], Some(1))],
    };
    for (guard, data) in guards {
        let resets = (0..clocks).filter(|_| random.chance(40)).collect();
        let assigned = random.chance(25).then(|| random.below(2));
        let target = random.below(count as u32) as usize;
        edges.push(Edge { source, target, action, is_output, guard, data, resets, assigned });
    }
}

/// Returns an implementation: each location has either no output, or one at a fixed time.
pub(crate) fn random_implementation(
    random: &mut Random,
    inputs: &[&'static str],
    outputs: &[&'static str],
    most_clocks: usize,
    most_locations: u32,
) -> Specification {
    let clocks = 1 + random.below(most_clocks as u32) as usize;
    let count = 1 + random.below(most_locations) as usize;
    let (mut locations, mut edges) = (Vec::new(), Vec::new());
    for source in 0..count {
        let until = Bound {
            clock: random.below(clocks as u32) as usize,
            is_upper: true,
            is_strict: false,
            constant: random.below(GREATEST + 1),
        };
        let gives_output = random.chance(60);
        locations.push(if gives_output { vec![until] } else { Vec::new() });
        let edge = |action, is_output, guard, target, resets| Edge {
            source,
            target,
            action,
            is_output,
            guard,
            data: None,
            resets,
            assigned: None,
        };
        if gives_output {
            let action = outputs[random.below(outputs.len() as u32) as usize];
            let (at, target) = (Bound { is_upper: false, ..until }, random.below(count as u32) as usize);
            edges.push(edge(action, true, vec![at], target, (0..clocks).collect()));
        }
        for &action in inputs {
            if random.chance(60) {
                let target = random.below(count as u32) as usize;
                let resets = (0..clocks).filter(|_| random.chance(60)).collect();
                edges.push(edge(action, false, Vec::new(), target, resets));
            }
        }
    }
    Specification { inputs: inputs.to_vec(), outputs: outputs.to_vec(), clocks, locations, edges }
}

/// Returns the same specification with outputs, and a few inputs, into a stuck location.
pub(crate) fn with_trap(random: &mut Random, specification: &Specification) -> Specification {
    let mut trapped = specification.clone();
    let trap = trapped.locations.len();
    for source in 0..trap {
        for (actions, is_output, percent) in
            [(&specification.outputs, true, 60), (&specification.inputs, false, 8)]
        {
            for &action in actions {
                let has_edge =
                    trapped.edges.iter().any(|edge| edge.source == source && edge.action == action);
                if !has_edge && random.chance(percent) {
                    let guard = Bound {
                        clock: random.below(trapped.clocks as u32) as usize,
                        is_upper: random.chance(50),
                        is_strict: random.chance(50),
                        constant: random.below(GREATEST + 1),
                    };
                    let (guard, target, data) = (vec![guard], trap, None);
                    let (resets, assigned) = (vec![], None);
                    trapped.edges.push(Edge {
                        source,
                        target,
                        action,
                        is_output,
                        guard,
                        data,
                        resets,
                        assigned,
                    });
                }
            }
        }
    }
    let until = Bound { clock: 0, is_upper: true, is_strict: false, constant: GREATEST };
    trapped.locations.push(vec![until]);
    trapped
}

/// Returns a more permissive specification: weaker invariants, wider guards of outputs, fewer required inputs.
pub(crate) fn relaxed(random: &mut Random, specification: &Specification) -> Specification {
    let mut relaxed = specification.clone();
    for invariant in &mut relaxed.locations {
        if random.chance(40) {
            invariant.clear();
        } else {
            for bound in invariant.iter_mut() {
                bound.is_strict = bound.is_strict && random.chance(50);
                bound.constant = (bound.constant + random.below(2)).min(GREATEST);
            }
        }
    }
    let count = relaxed.locations.len();
    for source in 0..count {
        for &action in &specification.outputs {
            let has_edge = relaxed.edges.iter().any(|edge| edge.source == source && edge.action == action);
            if !has_edge && random.chance(30) {
                let target = random.below(count as u32) as usize;
                relaxed.edges.push(Edge {
                    source,
                    target,
                    action,
                    is_output: true,
                    guard: Vec::new(),
                    data: None,
                    resets: Vec::new(),
                    assigned: None,
                });
            }
        }
    }
    relaxed
}

impl Specification {
    fn text(&self, name: &str) -> String {
        let clock = |number: usize| ["x", "y", "z"][number];
        let bound = |bound: &Bound| {
            let operator = match (bound.is_upper, bound.is_strict) {
                (true, true) => "<",
                (true, false) => "<=",
                (false, true) => ">",
                (false, false) => ">=",
            };
            format!("{} {operator} {}", clock(bound.clock), bound.constant)
        };
        let mut text = format!("process {name} {{\n");
        let clocks: Vec<&str> = (0..self.clocks).map(clock).collect();
        writeln!(text, "    clock {};\n    int[0,1] n;", clocks.join(", ")).unwrap();
        for (number, invariant) in self.locations.iter().enumerate() {
            let word = if number == 0 { "init location" } else { "location" };
            let bounds: Vec<String> = invariant.iter().map(bound).collect();
            match bounds.is_empty() {
                true => writeln!(text, "    {word} L{number};").unwrap(),
                false => {
                    writeln!(text, "    {word} L{number} {{ invariant {}; }}", bounds.join(" && ")).unwrap();
                }
            }
        }
        for edge in &self.edges {
            let mut guard: Vec<String> = edge.guard.iter().map(bound).collect();
            guard.extend(edge.data.map(|value| format!("n == {value}")));
            let mut updates: Vec<String> =
                edge.resets.iter().map(|&reset| format!("{} = 0", clock(reset))).collect();
            updates.extend(edge.assigned.map(|value| format!("n = {value}")));
            write!(text, "    L{} -> L{} {{ ", edge.source, edge.target).unwrap();
            if !guard.is_empty() {
                write!(text, "guard {}; ", guard.join(" && ")).unwrap();
            }
            write!(text, "sync {}{}; ", edge.action, if edge.is_output { "!" } else { "?" }).unwrap();
            if !updates.is_empty() {
                write!(text, "do {}; ", updates.join(", ")).unwrap();
            }
            text.push_str("}\n");
        }
        // All actions are in the alphabet, even without an edge in a reachable location.
        writeln!(text, "    location Unreached;").unwrap();
        for (actions, sign) in [(&self.inputs, '?'), (&self.outputs, '!')] {
            for action in actions {
                writeln!(text, "    Unreached -> Unreached {{ sync {action}{sign}; }}").unwrap();
            }
        }
        text.push_str("}\n");
        text
    }
}

/// Returns a model with these specifications, named from `A` on.
pub(crate) fn model(specifications: &[Specification]) -> String {
    let names: Vec<String> =
        (0..specifications.len()).map(|number| char::from(b'A' + number as u8).to_string()).collect();
    let mut text = "broadcast chan a, b, c, d, e;\n".to_owned();
    for (specification, name) in specifications.iter().zip(&names) {
        text.push_str(&specification.text(name));
    }
    writeln!(text, "system {};", names.join(", ")).unwrap();
    text
}

/// Returns the engine's answers to questions.
pub(crate) fn answers(text: &str, questions: &[&str]) -> Vec<Answer> {
    let task = task(text, questions);
    SpecificationEngine::default().run(&task, &Budget::unlimited(), &Progress::new())
}

/// An answer with executed and judged runs.
#[derive(Debug)]
pub(crate) struct Judged {
    /// The answer, with the remarks of the judgement. It has no verdict if a run is refuted.
    pub(crate) answer: Answer,
    /// Whether the runs prove the verdict.
    pub(crate) is_shown: bool,
}

/// Judges the engine's answer to a question.
pub(crate) fn judged(text: &str, question: &str) -> Judged {
    judged_by(SpecificationEngine::default(), text, question)
}

/// Judges the answer of an engine with other options.
pub(crate) fn judged_by(engine: SpecificationEngine, text: &str, question: &str) -> Judged {
    let task = task(text, &[question]);
    let mut answers = engine.run(&task, &Budget::unlimited(), &Progress::new());
    judge(&task, answers.remove(0))
}

/// Executes and judges the runs of an answer to the first query of a task.
pub(crate) fn judge(task: &Task, mut answer: Answer) -> Judged {
    let network = task.system.network().unwrap();
    let judgement = judge_network(network, &task.queries[0], &answer, &Budget::unlimited());
    answer.caveats.extend(judgement.remarks.into_iter().map(Caveat::Remark));
    if let Showing::Refuted(why) = &judgement.showing {
        answer.verdict = Verdict::Unknown(UnknownReason::EngineBug(why.clone()));
    }
    Judged { answer, is_shown: judgement.showing == Showing::Shown }
}

pub(crate) fn task(text: &str, questions: &[&str]) -> Task {
    let (mut files, mut origins) = (Files::new(), Origins::new());
    let file = files.add("model.net", text).unwrap();
    let read = read_model(language_named("net").unwrap(), &mut files, &mut origins, file, None);
    assert!(!read.diagnostics.has_errors(), "{text}\n{:?}", read.diagnostics.as_slice());
    let mut queries = Vec::new();
    for question in questions {
        let file = files.add("query", *question).unwrap();
        let (query, found) = read_query(&files, &mut origins, read.elaborated().unwrap(), file);
        assert!(!found.has_errors(), "{question}: {:?}", found.as_slice());
        queries.push(query.unwrap());
    }
    Task::about_network(read.network.unwrap(), queries)
}

/// Returns whether a query holds; panics without a verdict.
pub(crate) fn holds(text: &str, question: &str) -> bool {
    let verdict = verdict(text, question);
    assert!(verdict.is_ok(), "{text}\n{question}: {verdict:?}");
    verdict == Ok(true)
}

/// Returns whether a query holds, or the reason of an unknown verdict.
pub(crate) fn verdict(text: &str, question: &str) -> Result<bool, String> {
    let answer = answers(text, &[question]).remove(0);
    match answer.verdict {
        Verdict::Holds => Ok(true),
        Verdict::Fails => Ok(false),
        other => Err(format!("{other:?}")),
    }
}

/// Returns the remarks of an answer.
pub(crate) fn remarks(text: &str, question: &str) -> String {
    let answer = answers(text, &[question]).remove(0);
    let remarks: Vec<String> = answer
        .caveats
        .iter()
        .map(|caveat| match caveat {
            Caveat::Remark(remark) => remark.clone(),
            other => format!("{other:?}"),
        })
        .collect();
    remarks.join("\n")
}

/// Returns the number of random cases.
pub(crate) fn cases(usual: u64) -> u64 {
    std::env::var("GAMES_CASES").ok().and_then(|text| text.parse().ok()).unwrap_or(usual)
}
