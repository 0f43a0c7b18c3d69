//! Shown runs have the states of the replayed runs.
//!
//! `AGREEMENT_CASES` sets the number of networks; each failure prints the network.

use tempora_evidence::{Budget, Progress};
use tempora_model::{Id, Value, VariableKind};
use tempora_oracle::random_networks::{Knobs, generate_text};
use tempora_replay::ConcreteState;
use tempora_report::{ShownState, ShownValue, Source, locate};
use tempora_workbench::{CheckOptions, Loaded, check, load};

/// Compares a shown state with a replayed one: locations, clocks, and integer variables.
fn compare(loaded: &Loaded, names: &[&str], shown: &ShownState, executed: &ConcreteState) {
    let network = loaded.network().unwrap();
    let locations: Vec<usize> = executed.locations.iter().map(|location| location.index()).collect();
    assert_eq!(shown.locations.iter().map(|location| location.index).collect::<Vec<_>>(), locations);
    assert_eq!(shown.clocks.iter().map(|clock| clock.0).collect::<Vec<_>>(), executed.clocks);
    for (id, variable) in network.variables.iter() {
        if let (VariableKind::State, Value::Integer(value)) = (variable.kind, executed.variable(id)) {
            let name = network.qualified_name(id);
            let position = names.iter().position(|other| *other == name).unwrap();
            let found = match &shown.values[position] {
                ShownValue::Boolean(found) => i32::from(*found).to_string(),
                found => found.to_string(),
            };
            assert_eq!(found, value.to_string(), "{name}");
        }
    }
}

/// Compares the runs of all answers about a model; returns the number of their states.
fn compare_runs(text: &str) -> usize {
    let loaded = load("random.net", text.as_bytes());
    let Some(task) = loaded.task(loaded.queries.clone()) else { panic!("the model has errors\n{text}") };
    let budget = Budget::unlimited().with_max_states(5_000);
    let answers = check(&task, &CheckOptions::default(), &budget, &Progress::new());
    let source = Source { files: &loaded.files, origins: &loaded.origins };
    let mut compared = 0;
    for (query, answer) in task.queries.iter().zip(&answers) {
        let Some((_, executed)) = answer.run() else { continue };
        let located = locate(source, &task, query, answer);
        let run = located.run.unwrap();
        let names: Vec<&str> = run.variables.iter().map(|variable| variable.name.as_str()).collect();
        let states: Vec<ShownState> = run.states().collect();
        assert_eq!(states.len(), executed.steps.len() + 1, "{}\n{text}", query.text);
        for (number, state) in states.iter().enumerate() {
            compare(&loaded, &names, state, executed.state_before(number));
        }
        compare(&loaded, &names, &run.last, &executed.last);
        for (step, states) in run.steps.iter().zip(&executed.steps) {
            let delayed: Vec<_> = step.effect.iter().flat_map(|effect| &effect.clocks_before).collect();
            assert_eq!(delayed.iter().map(|clock| clock.0).collect::<Vec<_>>(), states.after_delay.clocks);
        }
        compared += states.len();
    }
    compared
}

#[test]
fn random_runs_have_replayed_states() {
    let cases: u64 = std::env::var("AGREEMENT_CASES").map_or(60, |cases| cases.parse().unwrap());
    let compared: usize =
        (0..cases).map(|seed| compare_runs(&generate_text(seed, 0, &Knobs::default()))).sum();
    assert!(compared as u64 > cases, "only {compared} states");
}

/// A stopwatch, arrays, records, meta variables, branches, a run to an error, and a lasso.
#[test]
fn special_runs_have_replayed_states() {
    let compared = compare_runs(
        "clock x, y; meta int m; bool b; int[0,9] a[2]; struct { int[0,9] f; bool g; } r; broadcast chan go;
         process P {
             init location A { invariant y' == 0; } location B; location C;
             A -> B { guard x >= 2; sync go!; do m = 4, a[1] = 3, b = true, r.f = 2, x = 0; }
             B -> { weight 1: C { do r.g = true; } weight 2: A { do a[0] = 9; } }
             C -> C { guard x > 3; do a[0] = a[0] + 5, x = 0; }
         }
         process Q { init location D; D -> D { sync go?; do y = 0; } }
         system P, Q;
         query E<> P.C && b; query E<> P.A && a[0] == 9; query E<> a[1] == 7; query E[] P.A; query A<> P.C;",
    );
    assert!(compared >= 8, "only {compared} states");
}
