//! Bounded model checking and k-induction.
//!
//! A solver is asked for runs of growing length: either one ends in a violation, or no run has that length. Induction
//! also asks whether a violation can follow a sequence of good states that are pairwise different; if not, no violation
//! is reachable. See M. Sheeran, S. Singh, G. Stålmarck: Checking safety properties using induction and a SAT-solver,
//! FMCAD 2000.
//!
//! Invariant: the verdict "holds" requires that the solver proved one of the two cases unsatisfiable.

use tempora_evidence::{Budget, Engine, Phase, Prepared, Progress, Support, Task, UnknownReason};
use tempora_smt::Solver;
use tempora_transition::{RelevantVariables, SafetyProperty, SymbolicSystem};

use crate::answers::PropertyResult;
use crate::properties::{self, PropertyEngine};
use crate::solving::{SolverOptions, failure, is_satisfiable, note_solver};
use crate::unroll::Unrolling;

/// Bounded model checking, with or without induction.
#[derive(Clone, Debug, Default)]
pub struct BoundedEngine {
    /// Whether to attempt proofs by induction.
    pub induction: bool,
    /// The limit on the length of runs, even if the budget allows longer ones.
    pub longest: Option<usize>,
    /// The solver.
    pub solver: SolverOptions,
}

impl Engine for BoundedEngine {
    fn name(&self) -> &'static str {
        self.engine_name()
    }

    fn prepare<'task>(&'task self, task: &'task Task) -> Prepared<'task> {
        properties::prepare(self, task)
    }
}

impl PropertyEngine for BoundedEngine {
    fn engine_name(&self) -> &'static str {
        if self.induction { "kinduction" } else { "bmc" }
    }

    fn support(&self) -> Support {
        match self.solver.find() {
            Err(missing) => Support::Declines(missing.message),
            Ok(()) if self.induction => Support::MayDecide("not every property is inductive".to_owned()),
            Ok(()) => Support::MayDecide("the length of runs may be unbounded".to_owned()),
        }
    }

    fn solver(&self) -> Option<&SolverOptions> {
        Some(&self.solver)
    }

    fn decide(
        &self,
        system: &SymbolicSystem,
        claim: &SafetyProperty,
        budget: &Budget,
        progress: &Progress,
    ) -> Result<PropertyResult, UnknownReason> {
        let mut store = system.store.clone();
        let mut watch = budget.watch();
        let mut solver = self.solver.start(budget)?;
        let (mut runs, begin) = Unrolling::from_start(system, &mut store);
        solver.assert(&store, begin);
        let relevant = RelevantVariables::of(system, claim);
        let is_state: Vec<bool> = system
            .variables
            .iter()
            .map(|(id, variable)| relevant.contains(id) && variable.role.is_state())
            .collect();
        let mut induction = match self.induction {
            false => None,
            true => {
                let mut solver = self.solver.start(budget)?;
                let (runs, anywhere) = Unrolling::from_anywhere(system, &mut store);
                solver.assert(&store, anywhere);
                Some((solver, runs))
            }
        };
        let unsupported = UnknownReason::Unsupported;
        let mut length = 0;
        loop {
            watch.check(0).map_err(UnknownReason::from)?;
            watch.check_memory().map_err(UnknownReason::from)?;
            note_solver(progress, &self.solver.meter);
            let violation = runs.violation(&mut store, claim);
            if is_satisfiable(budget, solver.check(&store, &[violation]))? {
                progress.enter(Phase::Concretising);
                let symbols = runs.symbols(&store);
                let model = solver.model(&mut store, &symbols).map_err(|error| failure(budget, error))?;
                return Ok(PropertyResult::Unsafe(runs.trace(&store, &model)));
            }
            let good = store.not(violation);
            solver.assert(&store, good);
            if let Some((solver, runs)) = &mut induction {
                let violation = runs.violation(&mut store, claim);
                if !is_satisfiable(budget, solver.check(&store, &[violation]))? {
                    return Ok(PropertyResult::Safe);
                }
                let good = store.not(violation);
                solver.assert(&store, good);
                let step = runs.step(&mut store).map_err(unsupported)?;
                solver.assert(&store, step);
                let difference = runs.difference(&mut store, &is_state);
                solver.assert(&store, difference);
            }
            if self.longest.is_some_and(|longest| length >= longest) {
                return Err(UnknownReason::StateLimit);
            }
            length += 1;
            progress.add_explored(1);
            let step = runs.step(&mut store).map_err(unsupported)?;
            solver.assert(&store, step);
            if !is_satisfiable(budget, solver.check(&store, &[]))? {
                return Ok(PropertyResult::Safe);
            }
        }
    }
}
