//! Compares systems of components, as products and as conjunctions, with a simple enumeration of the components.
//!
//! Invariant: the enumeration knows components, events and values, and neither products nor conjunctions nor
//! statements. `SYMBOLIC_CASES` sets the number of systems.

use std::collections::{BTreeSet, VecDeque};
use std::fmt::Write;
use std::time::Duration;

use tempora_evidence::{Budget, Engine, UnknownReason, Verdict};
use tempora_source::{Files, Origins};
use tempora_symbolic::{
    BoundedEngine, CegarEngine, CegarOptions, Domain, ExplicitEngine, PredicateKind, SolverOptions,
};
use tempora_transition::{
    Composition, SymbolicSystem, VariableRole, print_system, read_system, read_system_as, validate_system,
};

use crate::support::{Chance, decide};

const VALUES: u64 = 3;

/// Components with one variable each; an edge with an event changes only that of its component.
struct Components {
    components: Vec<Vec<Edge>>,
    locations: usize,
    events: usize,
    /// These components are never at these locations while the variable has this value.
    never: (Vec<(usize, usize)>, usize, u64),
}

struct Edge {
    source: usize,
    target: usize,
    event: Option<usize>,
    guard: Option<(usize, u64)>,
    /// A variable is assigned the sum of two others and a number.
    changes: Vec<(usize, usize, usize, u64)>,
}

type State = (Vec<usize>, Vec<u64>);

fn pick(chance: &mut Chance, limit: usize) -> usize {
    usize::try_from(chance.below(limit as u64)).unwrap()
}

fn random(seed: u64) -> Components {
    let mut chance = Chance::new(seed);
    let (count, locations, events) = (2 + pick(&mut chance, 2), 2 + pick(&mut chance, 2), 2);
    let mut components = Vec::new();
    for number in 0..count {
        let mut edges = Vec::new();
        for _ in 0..4 + pick(&mut chance, 5) {
            let event = (chance.below(3) > 0).then(|| pick(&mut chance, events));
            let changes = (0..pick(&mut chance, 3)).map(|_| {
                let changed = if event.is_some() { number } else { pick(&mut chance, count) };
                let (left, right) = (pick(&mut chance, count), pick(&mut chance, count));
                (changed, left, right, chance.below(VALUES))
            });
            let changes = changes.collect();
            edges.push(Edge {
                source: pick(&mut chance, locations),
                target: pick(&mut chance, locations),
                event,
                guard: (chance.below(3) == 0).then(|| (pick(&mut chance, count), chance.below(VALUES))),
                changes,
            });
        }
        components.push(edges);
    }
    let places = (0..2).map(|number| (number, pick(&mut chance, locations))).collect();
    let never = (places, pick(&mut chance, count), chance.below(VALUES));
    Components { components, locations, events, never }
}

impl Components {
    fn text(&self) -> String {
        let mut text = String::new();
        for number in 0..self.components.len() {
            let _ = writeln!(text, "(var v{number} Int)");
        }
        for event in 0..self.events {
            let _ = writeln!(text, "(event e{event})");
        }
        for (number, edges) in self.components.iter().enumerate() {
            let _ = writeln!(text, "(component C{number}");
            for location in 0..self.locations {
                let _ = writeln!(text, "  (location L{location})");
            }
            text.push_str("  (initial L0)\n");
            for edge in edges {
                let _ = write!(text, "  (edge L{} L{} step", edge.source, edge.target);
                if let Some(event) = edge.event {
                    let _ = write!(text, " (on e{event})");
                }
                text.push_str(" (do");
                if let Some((variable, value)) = edge.guard {
                    let _ = write!(text, " (assume (= v{variable} {value}))");
                }
                for (changed, left, right, more) in &edge.changes {
                    let _ = write!(text, " (set v{changed} (mod (+ v{left} v{right} {more}) {VALUES}))");
                }
                text.push_str("))\n");
            }
            text.push_str(")\n");
        }
        let start: Vec<String> =
            (0..self.components.len()).map(|number| format!("(= v{number} 0)")).collect();
        let _ = writeln!(text, "(initial (and {}))", start.join(" "));
        let (places, variable, value) = &self.never;
        let places: Vec<String> =
            places.iter().map(|(component, location)| format!("C{component}.L{location}")).collect();
        let _ =
            writeln!(text, "(property \"never\" (at ({})) (not (= v{variable} {value})))", places.join(" "));
        text
    }

    fn is_wrong(&self, (at, values): &State) -> bool {
        let (places, variable, value) = &self.never;
        places.iter().all(|(component, location)| at[*component] == *location) && values[*variable] == *value
    }

    /// Returns the state after these components take these edges at once.
    fn together(&self, (at, values): &State, taken: &[(usize, &Edge)]) -> Option<State> {
        let (mut at, mut after) = (at.clone(), values.clone());
        for (component, edge) in taken {
            if at[*component] != edge.source || edge.guard.is_some_and(|(one, value)| values[one] != value) {
                return None;
            }
            // A component sees its own changes, and the values of others from before the step.
            let mut own = values.clone();
            for (changed, left, right, more) in &edge.changes {
                own[*changed] = (own[*left] + own[*right] + more) % VALUES;
                after[*changed] = own[*changed];
            }
            at[*component] = edge.target;
        }
        Some((at, after))
    }

    fn successors(&self, state: &State) -> Vec<State> {
        let mut steps: Vec<Vec<(usize, &Edge)>> = Vec::new();
        for (number, edges) in self.components.iter().enumerate() {
            steps.extend(edges.iter().filter(|edge| edge.event.is_none()).map(|edge| vec![(number, edge)]));
        }
        for event in 0..self.events {
            let mut all: Vec<Vec<(usize, &Edge)>> = vec![Vec::new()];
            for (number, edges) in self.components.iter().enumerate() {
                let own: Vec<&Edge> = edges.iter().filter(|edge| edge.event == Some(event)).collect();
                if own.is_empty() {
                    continue;
                }
                let longer = all.iter().flat_map(|before| {
                    own.iter().map(|edge| {
                        let mut step = before.clone();
                        step.push((number, *edge));
                        step
                    })
                });
                all = longer.collect();
            }
            steps.extend(all.into_iter().filter(|step| !step.is_empty()));
        }
        steps.iter().filter_map(|step| self.together(state, step)).collect()
    }

    fn holds(&self) -> bool {
        let count = self.components.len();
        let mut known: BTreeSet<State> = BTreeSet::new();
        let mut queue: VecDeque<State> = VecDeque::from([(vec![0; count], vec![0; count])]);
        while let Some(state) = queue.pop_front() {
            if self.is_wrong(&state) {
                return false;
            }
            if known.insert(state.clone()) {
                queue.extend(self.successors(&state));
            }
        }
        true
    }
}

fn read_as(text: &str, composition: Composition) -> SymbolicSystem {
    let file = Files::new().add("test.sym", text).unwrap();
    let system = read_system_as(file, text, &mut Origins::new(), composition).unwrap();
    assert_eq!(validate_system(&system), [], "{text}");
    system
}

fn cegar(domain: Domain) -> CegarEngine {
    let options = CegarOptions { domain, ..CegarOptions::default() };
    CegarEngine { options, solver: SolverOptions::default(), observer: None }
}

#[test]
fn products_and_conjunctions_agree_with_enumeration() {
    let count = std::env::var("SYMBOLIC_CASES").ok().and_then(|text| text.parse().ok()).unwrap_or(300);
    let with_solver: [&dyn Engine; 2] =
        [&cegar(Domain::default()), &cegar(Domain::Product(PredicateKind::Cartesian))];
    let (mut verdicts, mut decided) = ([0u64, 0], 0);
    for seed in 0..count {
        let components = random(seed);
        let (text, holds) = (components.text(), components.holds());
        verdicts[usize::from(holds)] += 1;
        let expected = if holds { Verdict::Holds } else { Verdict::Fails };
        for composition in [Composition::Product, Composition::Conjunction] {
            let system = read_as(&text, composition);
            let found = decide(&ExplicitEngine::default(), &system, &Budget::unlimited());
            assert_eq!(found, expected, "{composition:?} of seed {seed}\n{text}");
        }
        if seed % 25 == 0 {
            let system = read_as(&text, Composition::Conjunction);
            for engine in with_solver {
                let budget = Budget::unlimited().with_timeout(Duration::from_secs(5));
                match decide(engine, &system, &budget) {
                    Verdict::Unknown(UnknownReason::EngineBug(why)) => panic!("{why}\n{text}"),
                    Verdict::Unknown(_) => {}
                    found => {
                        assert_eq!(found, expected, "{} on seed {seed}\n{text}", engine.name());
                        decided += 1;
                    }
                }
            }
        }
    }
    assert!(verdicts.iter().all(|verdict| *verdict * 5 > count), "{verdicts:?} is not balanced");
    assert!(decided * 25 > count, "{decided} decided with a solver");
}

/// Builds components that pass a token round; the owner may work.
fn ring(count: usize) -> String {
    let mut text = String::from("(var token Int)\n");
    for number in 0..count {
        let next = (number + 1) % count;
        let _ = writeln!(
            text,
            "(component C{number} (location Idle) (location Busy) (initial Idle)
               (edge Idle Busy step (assume (= token {number}))) (edge Busy Idle step (set token {next})))"
        );
    }
    text.push_str("(initial (= token 0))\n");
    text.push_str("(property \"one works at a time\" (at (C1.Busy C2.Busy)) false)\n");
    text.push_str("(property \"the last never works\" (at C3.Busy) false)\n");
    text
}

/// Along edges, ignoring values, 2^60 combinations of locations are reachable; in fact there are 120. So the product
/// cannot be built before exploration.
#[test]
fn sixty_components_are_composed_during_exploration() {
    let text = ring(60);
    let system = read_as(&text, Composition::Automatic);
    assert_eq!(system.locations.len(), 1);
    assert_eq!(system.edges.len(), 120);
    let at = system.variables.values().filter(|variable| variable.role == VariableRole::Control);
    assert_eq!(at.count(), 60);
    let file = Files::new().add("test.sym", text.as_str()).unwrap();
    assert!(read_system_as(file, &text, &mut Origins::new(), Composition::Product).is_err());
    let mut claims = Vec::new();
    for property in &system.properties {
        let mut one = system.clone();
        one.properties = vec![property.clone()];
        claims.push(decide(&ExplicitEngine::default(), &one, &Budget::unlimited().with_max_states(200)));
    }
    assert_eq!(claims, [Verdict::Holds, Verdict::Fails]);
    let mut one = system.clone();
    one.properties.remove(0);
    let bounded = BoundedEngine { induction: false, longest: None, solver: SolverOptions::default() };
    let budget = Budget::unlimited().with_timeout(Duration::from_secs(60));
    assert_eq!(decide(&bounded, &one, &budget), Verdict::Fails);
}

/// A few components become a product, with a location for each combination.
#[test]
fn small_systems_are_products_and_print_round_trips() {
    for (count, composition, locations) in
        [(4, Composition::Automatic, 16), (4, Composition::Conjunction, 1), (60, Composition::Automatic, 1)]
    {
        let system = read_as(&ring(count), composition);
        assert_eq!(system.locations.len(), locations);
        let printed = print_system(&system);
        let file = Files::new().add("test.sym", printed.as_str()).unwrap();
        let again = read_system(file, &printed, &mut Origins::new()).unwrap();
        assert_eq!(print_system(&again), printed);
    }
}

/// Two components with clocks: the first stays at most three, the second never for zero time.
const CLOCKS: &str = "(var x Real clock) (var y Real clock) (var n Int) (var m Int) (event meet)
    (component A (location Work) (initial Work) (delay Work (<= x 3.0))
      (edge Work Work step (on meet) (do (assume (<= 2.0 x)) (set x 0.0) (set n (+ m 1)))))
    (component B (location Wait) (location Go) (initial Wait) (delay Wait positive true)
      (edge Wait Wait step (on meet) (do (assume (< 1.0 y)) (set y 0.0) (set m n))) (edge Wait Go step (do)))
    (initial (and (= x 0.0) (= y 0.0) (= n 0) (= m 0)))
    (property \"the invariant is kept\" everywhere (<= x 3.0))
    (property \"nobody is two ahead\" everywhere (<= n (+ m 1)))
    (property \"they never meet\" everywhere (= n 0))
    (property \"time stops at Go\" (at B.Go) (< x 3.0))";

#[test]
fn time_passes_for_all_components_together() {
    // Each component reads the values from before the event, so n and m are 0 and 0, 1 and 0, 1 and 1, 2 and 1, and so
    // on. Time may pass up to three at Wait, and then B moves: the last property fails too.
    let expected = [Verdict::Holds, Verdict::Holds, Verdict::Fails, Verdict::Fails];
    for composition in [Composition::Product, Composition::Conjunction] {
        let system = read_as(CLOCKS, composition);
        let delays = system.edges.values().filter(|edge| edge.kind == tempora_transition::EdgeKind::Delay);
        // Go has no delay.
        assert_eq!(delays.count(), 1);
        let mut found = Vec::new();
        for property in &system.properties {
            let mut one = system.clone();
            one.properties = vec![property.clone()];
            let budget = Budget::unlimited().with_timeout(Duration::from_secs(30));
            found.push(decide(&CegarEngine::default(), &one, &budget));
        }
        assert_eq!(found, expected, "{composition:?}");
    }
}

#[test]
fn refuses_unsupported_component_constructs() {
    let refused = [
        (CLOCKS.replace("(set m n)", "(set n m)"), "another component changes `n`"),
        (CLOCKS.replace("(delay Work", "(delay Work true) (delay Work"), "already has a delay"),
        (CLOCKS.replace("(delay Work (<= x 3.0))", "(edge Work Work delay (set x 5.0))"), "(delay LOCATION"),
        (
            CLOCKS.replace("(initial (and", "(var z Real clock) (initial (and"),
            "a clock must be declared before",
        ),
        (
            CLOCKS.replace("(var m Int)", "(var m Int) (var |at A| Int)"),
            "reserved for the location of the component",
        ),
    ];
    for (text, message) in refused {
        let file = Files::new().add("test.sym", text.as_str()).unwrap();
        let found = read_system_as(file, &text, &mut Origins::new(), Composition::Conjunction);
        let found = found.map(|_| ()).unwrap_err();
        assert!(found.iter().any(|one| one.message.contains(message)), "{message}: {found:?}\n{text}");
    }
}
