//! Counterexample-guided abstraction refinement.
//!
//! The states of the system are looked at through a precision: some variables, or some predicates. An abstract
//! reachability graph is built; a way in it to a violation is checked by the solver, and if it is none of the system's,
//! the reason makes the precision finer. See E. Clarke, O. Grumberg, S. Jha, Y. Lu, H. Veith: Counterexample-guided
//! abstraction refinement, CAV 2000; Á. Hajdu, Z. Micskei: Efficient strategies for CEGAR-based model checking, JAR 2020.
//!
//! Invariant: "holds" is only said if the graph is complete: every node is expanded or covered, and none violates.

mod blocks;
mod context;
mod domain;
mod graph;
mod image;
mod learning;
mod newton;
mod options;
mod project;
mod refine;
mod snapshot;

pub use options::{
    AutomaticValues, BlockEncoding, CegarOptions, Direction, Domain, GraphSearch, InitialPrecision, Newton,
    PredicateKind, PredicateSplit, Pruning, RefinementStrategy,
};
pub use snapshot::{AbstractGraph, AbstractNode, GraphObserver};

use tempora_evidence::{
    Budget, Engine, InductiveInvariant, Prepared, Progress, Support, SymbolicTrace, Task, UnknownReason,
};
use tempora_transition::{SafetyProperty, SymbolicSystem};

use crate::answers::Finding;
use crate::properties::{self, PropertyEngine};
use crate::solving::SolverOptions;
use blocks::Block;
use context::Context;
use domain::Precision;
use graph::Graph;
use refine::Refinement;

/// Counterexample-guided abstraction refinement.
#[derive(Clone, Debug, Default)]
pub struct CegarEngine {
    /// How the abstraction works.
    pub options: CegarOptions,
    /// The solver.
    pub solver: SolverOptions,
    /// Who is shown the graph after each iteration, if anybody is.
    pub observer: Option<GraphObserver>,
}

impl Engine for CegarEngine {
    fn name(&self) -> &'static str {
        self.engine_name()
    }

    fn prepare<'task>(&'task self, task: &'task Task) -> Prepared<'task> {
        properties::prepare(self, task)
    }
}

impl PropertyEngine for CegarEngine {
    fn engine_name(&self) -> &'static str {
        "cegar"
    }

    fn support(&self) -> Support {
        match (self.options.contradiction(), self.solver.find()) {
            (Some(why), _) => Support::Declines(why.to_owned()),
            (None, Err(missing)) => Support::Declines(missing.message),
            (None, Ok(())) => Support::MayDecide("the abstraction may get finer for ever".to_owned()),
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
    ) -> Result<Finding, UnknownReason> {
        let blocks = blocks::blocks(system, claim, self.options.encoding);
        let mut context = self.context(system, claim, &blocks, budget, progress)?;
        match self.refine(&mut context)? {
            Refined::Safe(_) => Ok(Finding::Safe),
            Refined::Unsafe(trace) => Ok(Finding::Unsafe(trace)),
        }
    }
}

impl CegarEngine {
    /// What the abstraction says of each control location, if it shows that a property holds.
    pub(crate) fn invariant(
        &self,
        system: &SymbolicSystem,
        claim: &SafetyProperty,
        budget: &Budget,
        progress: &Progress,
    ) -> Result<Option<InductiveInvariant>, UnknownReason> {
        // Every location has to have a formula, also those inside of a chain.
        let blocks = blocks::blocks(system, claim, BlockEncoding::Single);
        let mut context = self.context(system, claim, &blocks, budget, progress)?;
        let Refined::Safe(graph) = self.refine(&mut context)? else { return Ok(None) };
        let formulas = graph.formulas(&mut context);
        Ok(Some(InductiveInvariant::new(system, context.store, formulas)))
    }

    fn context<'run>(
        &self,
        system: &'run SymbolicSystem,
        claim: &'run SafetyProperty,
        blocks: &'run [Block],
        budget: &'run Budget,
        progress: &'run Progress,
    ) -> Result<Context<'run>, UnknownReason> {
        if let Some(why) = self.options.contradiction() {
            return Err(UnknownReason::Unsupported(why.to_owned()));
        }
        Context::new(system, claim, blocks, self.options, &self.solver, budget, progress)
    }

    /// Builds and refines until one side is shown.
    fn refine(&self, context: &mut Context<'_>) -> Result<Refined, UnknownReason> {
        let mut precision = Precision::initial(context);
        let mut graph = Graph::new();
        // Whether all of the graph was built with the precision as it is now.
        let mut is_fresh = true;
        let mut iteration = 0;
        loop {
            iteration += 1;
            let target = graph.build(context, &precision, iteration)?;
            if let Some(observer) = &self.observer {
                observer.see(&graph.snapshot(context, &precision, iteration));
            }
            let Some(target) = target else { return Ok(Refined::Safe(graph)) };
            let path = graph.path_to(target);
            match refine::check(context, &path)? {
                Refinement::Feasible(trace) => return Ok(Refined::Unsafe(trace)),
                Refinement::Spurious { lessons, first } => {
                    let has_learnt = precision.learn(context, &lessons);
                    if !has_learnt && is_fresh {
                        let why = "the abstraction cannot be made finer by what the counterexample shows";
                        return Err(UnknownReason::OverApproximation(why.to_owned()));
                    }
                    // A part of the graph may be older than what is known: then all of it is built anew.
                    is_fresh = !has_learnt || self.options.pruning == Pruning::Full;
                    if is_fresh {
                        graph = Graph::new();
                    } else {
                        graph.prune(target, first);
                    }
                }
            }
        }
    }
}

/// What the loop ends with.
enum Refined {
    Safe(Graph),
    Unsafe(SymbolicTrace),
}
