//! The context of the refinement loop: the system as formulas, the solver, the budget.
//!
//! Invariant: the formulas of edges are over the symbols of the variables themselves.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use tempora_evidence::{Budget, BudgetWatch, Progress, UnknownReason};
use tempora_model::Id;
use tempora_smt::{ProcessSolver, SolverMeter, SymbolId, TermId, TermStore};
use tempora_transition::{
    ControlLocationId, RelevantVariables, SafetyProperty, StateVariableId, SymbolicSystem,
};

use super::CegarOptions;
use super::blocks::Block;
use super::learning::Vocabulary;
use crate::encode::{Encoded, Encoder};
use crate::explicit::Executor;
use crate::solving::SolverOptions;

pub(super) struct Context<'run> {
    pub(super) system: &'run SymbolicSystem,
    pub(super) claim: &'run SafetyProperty,
    pub(super) options: CegarOptions,
    pub(super) budget: &'run Budget,
    pub(super) watch: BudgetWatch<'run>,
    pub(super) progress: &'run Progress,
    pub(super) store: TermStore,
    pub(super) solver: ProcessSolver,
    pub(super) meter: Arc<SolverMeter>,
    pub(super) executor: Executor<'run>,
    pub(super) bad: TermId,
    /// The tracked variables: relevant and not local.
    pub(super) variables: Vec<StateVariableId>,
    /// The distance in steps from each location to the observed locations.
    pub(super) distances: Vec<u64>,
    pub(super) blocks: &'run [Block],
    /// The formula of each block.
    pub(super) encoded: Vec<Encoded>,
    pub(super) vocabulary: Vocabulary,
    /// The symbols that stand for predicates when all combinations are enumerated.
    pub(super) activations: HashMap<TermId, SymbolId>,
}

impl<'run> Context<'run> {
    pub(super) fn new(
        system: &'run SymbolicSystem,
        claim: &'run SafetyProperty,
        blocks: &'run [Block],
        options: CegarOptions,
        solver: &SolverOptions,
        budget: &'run Budget,
        progress: &'run Progress,
    ) -> Result<Context<'run>, UnknownReason> {
        let mut store = system.store.clone();
        let relevant = RelevantVariables::of(system, claim);
        let is_relevant: Vec<bool> = system.variables.ids().map(|id| relevant.contains(id)).collect();
        let variables = system
            .variables
            .iter()
            .filter(|(id, variable)| is_relevant[id.index()] && variable.role.is_state())
            .map(|(id, _)| id)
            .collect();
        let mut encoded = Vec::new();
        for block in blocks {
            // Each block has its own limit.
            let mut encoder = Encoder::new(system);
            let environment = encoder.plain_environment();
            let formula = encoder.encode(&mut store, &block.statement, environment);
            encoded.push(formula.map_err(UnknownReason::Unsupported)?);
        }
        let bad = store.not(claim.condition);
        Ok(Context {
            system,
            claim,
            options,
            budget,
            watch: budget.watch(),
            progress,
            solver: solver.start(budget)?,
            meter: Arc::clone(&solver.meter),
            executor: Executor::new(system, is_relevant),
            bad,
            variables,
            distances: distances(system, claim),
            blocks,
            encoded,
            vocabulary: Vocabulary::of(system, claim.condition),
            activations: HashMap::new(),
            store,
        })
    }

    /// Checks whether the budget and the options allow to continue with this number of nodes.
    pub(super) fn may_go_on(&mut self, nodes: usize) -> Result<(), UnknownReason> {
        self.watch.check(nodes as u64)?;
        match self.options.most_checks {
            Some(most) if self.solver.checks() > most => Err(UnknownReason::StateLimit),
            _ => Ok(()),
        }
    }

    /// Instantiates a term about variables with other values.
    pub(super) fn instance(&mut self, term: TermId, environment: &[TermId]) -> TermId {
        let symbols = self.system.variables.values().map(|variable| variable.symbol);
        let replacement: BTreeMap<SymbolId, TermId> = symbols.zip(environment.iter().copied()).collect();
        self.store.substitute(term, &replacement)
    }
}

/// Computes the distance in steps from each location to the observed locations.
fn distances(system: &SymbolicSystem, claim: &SafetyProperty) -> Vec<u64> {
    let mut distances = vec![u64::MAX; system.locations.len()];
    let mut border: Vec<ControlLocationId> =
        system.locations.ids().filter(|location| claim.is_observed_at(*location)).collect();
    let mut distance = 0;
    while !border.is_empty() {
        border.retain(|location| distances[location.index()] == u64::MAX);
        for location in &border {
            distances[location.index()] = distance;
        }
        distance += 1;
        let edges = system.edges.values().filter(|edge| border.contains(&edge.target));
        border = edges.map(|edge| edge.source).collect();
    }
    distances
}
