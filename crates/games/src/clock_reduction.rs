//! Clock reduction: merges equal clocks of a component and drops unused ones.
//!
//! Invariant: two clocks are merged if every edge sets both to the same number or sets neither, for then they are
//! always equal. A clock that is never compared is dropped, unless edges that may compete for one action set it
//! differently, since determinism depends on it. Questions about clock values, or with arbitrary initial clock values,
//! need all clocks. If an update cannot be analysed, all clocks are kept.

use std::collections::{BTreeMap, BTreeSet};

use tempora_machine::{Layout, constant_clock};
use tempora_model::{Edge, Expression, ExpressionKind, Network, ProcessId, Type};

/// Returns the clocks of a process, in classes of equal clocks.
pub(crate) fn needed_clocks(
    network: &Network,
    layout: &Layout,
    process: ProcessId,
    own: &[usize],
) -> Vec<Vec<usize>> {
    let apart = || own.iter().map(|&clock| vec![clock]).collect();
    let Some(effects) = effects(network, layout, process) else { return apart() };
    let compared = compared(network, layout, process);
    let competing_clocks = competing_clocks(network, process, &effects);
    let mut classes: BTreeMap<Vec<Option<i32>>, Vec<usize>> = BTreeMap::new();
    for &clock in own {
        let signature = effects.iter().map(|effect| effect.get(&clock).copied()).collect();
        classes.entry(signature).or_default().push(clock);
    }
    let is_needed = |clock: &usize| compared.contains(clock) || competing_clocks.contains(clock);
    let mut needed: Vec<Vec<usize>> =
        classes.into_values().filter(|class| class.iter().any(is_needed)).collect();
    needed.sort_unstable();
    needed
}

/// Returns the clocks that competing edges, with one source location and one action, set differently.
fn competing_clocks(
    network: &Network,
    process: ProcessId,
    effects: &[BTreeMap<usize, i32>],
) -> BTreeSet<usize> {
    let mut found = BTreeSet::new();
    let edges: Vec<&Edge> = network.processes[process].edges.values().collect();
    let channel = |edge: &Edge| edge.synchronisation.as_ref().map(|used| (used.channel.root(), used.role));
    for (position, (one, effect)) in edges.iter().zip(effects).enumerate() {
        for (other, another) in edges.iter().zip(effects).skip(position + 1) {
            if one.source == other.source && channel(one) == channel(other) {
                let clocks = effect.keys().chain(another.keys());
                found.extend(clocks.filter(|clock| effect.get(clock) != another.get(clock)));
            }
        }
    }
    found
}

/// Returns the constant that each edge assigns to each clock; `None` if an update cannot be analysed.
fn effects(network: &Network, layout: &Layout, process: ProcessId) -> Option<Vec<BTreeMap<usize, i32>>> {
    let has_clock = |value_type: &Type| value_type.any_part(&|part| matches!(part, Type::Clock));
    let mut effects = Vec::new();
    for edge in network.processes[process].edges.values() {
        let mut effect = BTreeMap::new();
        for update in edge.branches.iter().flat_map(|branch| &branch.updates) {
            if let ExpressionKind::Assign { operator: None, target, value } = &update.kind
                && target.value_type == Type::Clock
            {
                let ExpressionKind::Integer(number) = value.kind else { return None };
                effect.insert(constant_clock(network, layout, target)?, number);
                continue;
            }
            let is_unclear = update.any(&mut |part| match &part.kind {
                ExpressionKind::Assign { target, .. } | ExpressionKind::Step { target, .. } => {
                    has_clock(&target.value_type)
                }
                ExpressionKind::Call { .. } => network.functions.values().any(|function| {
                    function.parameters.iter().any(|parameter| has_clock(&parameter.value_type))
                        || function.body.iter().any(|statement| {
                            statement.any_expression(&mut |part| match &part.kind {
                                ExpressionKind::Assign { target, .. } => has_clock(&target.value_type),
                                _ => false,
                            })
                        })
                }),
                _ => false,
            });
            if is_unclear {
                return None;
            }
        }
        effects.push(effect);
    }
    Some(effects)
}

/// Returns the clocks that occur in guards and invariants.
fn compared(network: &Network, layout: &Layout, process: ProcessId) -> Vec<usize> {
    let process = &network.processes[process];
    let invariants = process.locations.values().map(|location| &location.invariant);
    let guards = process.edges.values().map(|edge| &edge.guard);
    let mut found = Vec::new();
    let mut look = |condition: &Expression| {
        condition.for_each(&mut |part| {
            if let ExpressionKind::Variable(variable) = part.kind {
                found.extend(layout.clocks_of(network, variable));
            }
        });
    };
    for condition in invariants.chain(guards) {
        condition.data.iter().chain(&condition.clocks).for_each(&mut look);
    }
    found
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

    use tempora_frontends::{language_named, read_model};
    use tempora_source::{Files, Origins};

    use crate::action::ActionNames;
    use crate::component::Component;

    /// Returns the number of clocks of the component without and with reduction.
    fn clocks(edges: &str) -> [usize; 2] {
        let text = format!(
            "broadcast chan a, b;
            process P {{
                clock x, y, z;
                void restart() {{ x = 0; }}
                init location L {{ invariant x <= 5; }}
                location M {{ invariant y <= 7; }}
                {edges}
            }}
            system P;"
        );
        let (mut files, mut origins) = (Files::new(), Origins::new());
        let file = files.add("model.net", text).unwrap();
        let read = read_model(language_named("net").unwrap(), &mut files, &mut origins, file, None);
        assert!(!read.diagnostics.has_errors(), "{:?}", read.diagnostics.as_slice());
        let network = read.network.unwrap();
        let process = network.processes.ids().next().unwrap();
        let names = ActionNames::new(&network);
        [false, true].map(|is_reduced| {
            Component::new(&network, &names, process, is_reduced).unwrap().dimension().size() - 1
        })
    }

    #[test]
    fn merges_only_equal_clocks() {
        assert_eq!(clocks("L -> M { sync a?; do x = 0, y = 0, z = 0; }"), [3, 1]);
        assert_eq!(clocks("L -> M { sync a?; do x = 0, y = 0; }"), [3, 1]);
        assert_eq!(clocks("L -> M { sync a?; do x = 0; }"), [3, 2]);
        assert_eq!(clocks("L -> M { sync a?; do x = 0, y = 1; }"), [3, 2]);
        assert_eq!(clocks("L -> M { sync a?; do x = 0, z = 0; } M -> L { guard z > 2; sync b!; }"), [3, 2]);
        assert_eq!(
            clocks("L -> M { sync a?; do x = 0; } M -> L { guard z > 2; sync b!; do z = 0; }"),
            [3, 3]
        );
    }

    #[test]
    fn competing_edges_keep_their_clocks() {
        let competing = |first: &str, second: &str| {
            clocks(&format!(
                "L -> M {{ sync a?; do x = 0, y = 0{first}; }} L -> M {{ sync a?; do x = 0, y = 0{second}; }}"
            ))
        };
        assert_eq!(competing("", ""), [3, 1]);
        assert_eq!(competing(", z = 0", ""), [3, 2]);
        assert_eq!(competing(", z = 0", ", z = 0"), [3, 1]);
    }

    #[test]
    fn opaque_updates_keep_all_clocks() {
        assert_eq!(clocks("L -> M { sync a?; do restart(); }"), [3, 3]);
        assert_eq!(clocks("L -> M { sync a?; do z = x; }"), [3, 3]);
    }
}
