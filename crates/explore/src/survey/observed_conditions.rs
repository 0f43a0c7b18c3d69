//! Observed conditions of a survey: conjuncts of guards and invariants, and the values of selects.
//!
//! Invariant: a condition that cannot be evaluated counts as observed with both truth values, so it is not reported.

use std::ops::ControlFlow;

use tempora_machine::{
    CodeId, Declined, Execution, Machine, Predicate, compile_bound_predicate, compile_predicate,
};
use tempora_model::{Id, Network};
use tempora_zones::{Bound, Zone};

use crate::graph::clocks::{ClockIndex, Resolved};
use crate::graph::explorer::Explorer;

/// A guard whose conjuncts are observed.
pub(crate) struct WatchedGuard {
    /// The process and the edge of the guard.
    pub(crate) process: usize,
    pub(crate) edge: usize,
    pub(crate) conjuncts: Vec<WatchedConjunct>,
    /// The range of each select, and the current values.
    selects: Vec<(i32, i32)>,
    choice: Vec<i32>,
}

/// A conjunct of an invariant.
pub(crate) struct WatchedInvariant {
    pub(crate) process: usize,
    pub(crate) location: usize,
    /// The position among the conjuncts, those without clocks first.
    pub(crate) conjunct: usize,
    pub(crate) predicate: Predicate,
    /// Whether it has prevented a delay or a transition.
    pub(crate) restricts: bool,
}

/// The values of a select with which an edge was taken.
pub(crate) struct WatchedSelect {
    pub(crate) process: usize,
    pub(crate) edge: usize,
    /// The position among the selects of the edge.
    pub(crate) select: usize,
    pub(crate) least: i32,
    pub(crate) taken: u64,
}

pub(crate) struct WatchedConjunct {
    pub(crate) predicate: Predicate,
    pub(crate) was_true: bool,
    pub(crate) was_false: bool,
}

/// Guards with more combinations of select values are not observed.
const MOST_CHOICES: i64 = 64;

/// Returns the guards whose conjuncts can be evaluated separately.
pub(crate) fn watched_guards(network: &Network, machine: &mut Machine) -> Vec<WatchedGuard> {
    let most = most_watched(machine);
    let mut guards = Vec::new();
    for (process, automaton) in network.processes.iter() {
        for (edge, written) in automaton.edges.iter() {
            let selects: Vec<(i32, i32)> = written
                .selects
                .iter()
                .map(|binder| (*binder.domain.values().start(), *binder.domain.values().end()))
                .collect();
            let sizes = selects.iter().map(|&(least, greatest)| i64::from(greatest) - i64::from(least) + 1);
            let choices = sizes.fold(1i64, |product, size| product.saturating_mul(size.max(0)));
            if !(1..=MOST_CHOICES).contains(&choices) || written.guard.is_trivial() || guards.len() >= most {
                continue;
            }
            let conjuncts = written.guard.data.iter().chain(&written.guard.clocks);
            let conjuncts: Result<Vec<WatchedConjunct>, _> = conjuncts
                .map(|conjunct| {
                    let predicate = compile_bound_predicate(machine, network, conjunct, &written.selects)?;
                    Ok::<_, Declined>(WatchedConjunct { predicate, was_true: false, was_false: false })
                })
                .collect();
            if let Ok(conjuncts) = conjuncts {
                let choice = vec![0; selects.len()];
                let (process, edge) = (process.index(), edge.index());
                guards.push(WatchedGuard { process, edge, conjuncts, selects, choice });
            }
        }
    }
    guards
}

/// Returns the limit on observed conditions: preparing each takes time linear in the cells of the state. Further
/// conditions are not reported.
fn most_watched(machine: &Machine) -> usize {
    20_000_000 / machine.layout().all_cells().max(1)
}

/// Returns the conjuncts of invariants.
pub(crate) fn watched_invariants(network: &Network, machine: &mut Machine) -> Vec<WatchedInvariant> {
    let most = most_watched(machine);
    let mut invariants = Vec::new();
    for (process, automaton) in network.processes.iter() {
        for (location, written) in automaton.locations.iter() {
            let conjuncts = written.invariant.data.iter().chain(&written.invariant.clocks);
            for (conjunct, expression) in conjuncts.enumerate() {
                if invariants.len() < most
                    && let Ok(predicate) = compile_predicate(machine, network, expression)
                {
                    let (process, location) = (process.index(), location.index());
                    invariants.push(WatchedInvariant {
                        process,
                        location,
                        conjunct,
                        predicate,
                        restricts: false,
                    });
                }
            }
        }
    }
    invariants
}

impl Explorer<'_> {
    /// Records the truth values of the conjuncts of a guard, for all values of its selects.
    pub(crate) fn watch_guard(&mut self, guard: &mut WatchedGuard, zone: &Zone) {
        let WatchedGuard { conjuncts, selects, choice, .. } = guard;
        for (value, range) in choice.iter_mut().zip(&*selects) {
            *value = range.0;
        }
        loop {
            self.watch(conjuncts, zone, choice);
            let Some(position) = (0..choice.len()).rev().find(|&at| choice[at] < selects[at].1) else {
                return;
            };
            choice[position] += 1;
            for at in position + 1..choice.len() {
                choice[at] = selects[at].0;
            }
        }
    }

    /// Records truth values of conjuncts, in order: a conjunct counts where the data conjuncts before it hold.
    fn watch(&mut self, conjuncts: &mut [WatchedConjunct], zone: &Zone, arguments: &[i32]) {
        for conjunct in conjuncts {
            let met = match &conjunct.predicate {
                Predicate::Data(code) => match self.execution.truth(self.machine, *code, arguments) {
                    Ok(holds) => (holds, !holds),
                    // The failure of the guard is recorded when it is evaluated.
                    Err(_) => (true, true),
                },
                Predicate::Clocks(code) => {
                    let execution = &mut self.execution;
                    let met = atom_values(execution, self.machine, &self.source, (*code, arguments), zone);
                    met.unwrap_or((true, true))
                }
                other if arguments.is_empty() => {
                    let other = other.clone();
                    let mut is_met = |wanted| match self.parts(&other, wanted, zone, false, &[]) {
                        ControlFlow::Continue(Ok(parts)) => !parts.is_empty(),
                        _ => true,
                    };
                    (is_met(true), is_met(false))
                }
                _ => (true, true),
            };
            conjunct.was_true |= met.0;
            conjunct.was_false |= met.1;
            if !met.0 {
                return;
            }
        }
    }

    /// Records the conjuncts that are violated by a transition whose target violates a data invariant.
    pub(crate) fn survey_violated_conjuncts(&mut self) {
        let Some(mut surveyor) = self.surveyor.take() else { return };
        for process in 0..surveyor.first_location.len() {
            let location = self.execution.cells()[process];
            let position = surveyor.first_location[process] as usize + location as usize;
            let mut open = std::mem::take(&mut surveyor.invariants_of_location[position]);
            open.retain(|&number| {
                let invariant = &mut surveyor.invariants[number as usize];
                if let Predicate::Data(code) = invariant.predicate {
                    invariant.restricts |= self.execution.truth(self.machine, code, &[]) != Ok(true);
                }
                !invariant.restricts
            });
            surveyor.invariants_of_location[position] = open;
        }
        self.surveyor = Some(surveyor);
    }

    /// Records the invariants of the target that prevent delay and have not done so before.
    ///
    /// Such an invariant allows less time to pass than the others.
    pub(crate) fn survey_restricting_invariants(&mut self, zone: &Zone, may_delay: bool) {
        let Some(mut surveyor) = self.surveyor.take() else { return };
        for process in 0..surveyor.first_location.len() {
            let location = self.execution.cells()[process];
            let position = surveyor.first_location[process] as usize + location as usize;
            if surveyor.invariants_of_location[position].is_empty() {
                continue;
            }
            let mut open = std::mem::take(&mut surveyor.invariants_of_location[position]);
            open.retain(|&number| {
                let invariant = &mut surveyor.invariants[number as usize];
                invariant.restricts |= self.restricts(&invariant.predicate, zone, may_delay);
                !invariant.restricts
            });
            surveyor.invariants_of_location[position] = open;
        }
        self.surveyor = Some(surveyor);
    }

    /// Returns whether more time could pass without a conjunct of an invariant, or whether that is unknown.
    fn restricts(&mut self, predicate: &Predicate, entry: &Zone, may_delay: bool) -> bool {
        let code = match predicate {
            Predicate::Clocks(code) => code,
            // It restricts transitions, not delay.
            Predicate::Data(_) => return false,
            _ => return true,
        };
        let Ok(Some(atom)) = self.execution.atom(self.machine, *code, &[]) else { return true };
        let Some((constraint, None)) = atom.constraints() else { return true };
        let Ok(bound) = Bound::finite(constraint.constant, !constraint.is_strict) else { return true };
        let Resolved::Constraint(own) = self.target.resolve(&constraint, bound) else { return true };
        if !may_delay {
            return !entry.satisfies_everywhere(own);
        }
        // A stricter conjunct makes this one redundant. Equal ones both count, so that not both are reported.
        if self.uppers.iter().any(|(clock, other)| *clock == own.left && *other < own.bound) {
            return false;
        }
        let mut later = entry.clone();
        let mut others = self.uppers.clone();
        others.retain(|&other| other != (own.left, own.bound));
        if later.up_within(&others).is_err() {
            return true;
        }
        !later.satisfies_everywhere(own)
    }
}

/// Returns whether a clock comparison is true, and whether it is false, for some values of a zone; `None` if unknown.
fn atom_values(
    execution: &mut Execution,
    machine: &Machine,
    clocks: &ClockIndex,
    (code, arguments): (CodeId, &[i32]),
    zone: &Zone,
) -> Option<(bool, bool)> {
    let atom = execution.atom(machine, code, arguments).ok()??;
    let (one, other) = atom.constraints()?;
    let (mut is_somewhere, mut is_everywhere) = (true, true);
    for constraint in [Some(one), other].into_iter().flatten() {
        let bound = Bound::finite(constraint.constant, !constraint.is_strict).ok()?;
        match clocks.resolve(&constraint, bound) {
            Resolved::Constraint(resolved) => {
                is_somewhere &= zone.satisfies_somewhere(resolved);
                is_everywhere &= zone.satisfies_everywhere(resolved);
            }
            Resolved::True => {}
            Resolved::False => (is_somewhere, is_everywhere) = (false, false),
            Resolved::Forgotten => return None,
        }
    }
    Some((is_somewhere, !is_everywhere))
}
