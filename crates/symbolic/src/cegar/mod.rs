//! Counterexample-guided abstraction refinement.
//!
//! The states of the system are abstracted by a precision: a set of variables, or of predicates. The engine builds an
//! abstract reachability graph. The solver checks each path to a violation; if the path is spurious, the reason refines
//! the precision. See E. Clarke, O. Grumberg, S. Jha, Y. Lu, H. Veith: Counterexample-guided abstraction refinement,
//! CAV 2000; Á. Hajdu, Z. Micskei: Efficient strategies for CEGAR-based model checking, JAR 2020.
//!
//! Invariant: the verdict "holds" requires a complete graph: every node is expanded or covered, and none violates.

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

use crate::answers::PropertyResult;
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
    /// The configuration of the abstraction.
    pub options: CegarOptions,
    /// The solver.
    pub solver: SolverOptions,
    /// The observer of the graph after each iteration, if any.
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
            (None, Ok(())) => Support::MayDecide("the refinement may not terminate".to_owned()),
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
        let blocks = blocks::blocks(system, claim, self.options.encoding);
        let mut context = self.context(system, claim, &blocks, budget, progress)?;
        match self.refine(&mut context)? {
            Refined::Safe(_) => Ok(PropertyResult::Safe),
            Refined::Unsafe(trace) => Ok(PropertyResult::Unsafe(trace)),
        }
    }
}

impl CegarEngine {
    /// Returns the formula of the abstraction for each control location, if it proves that a property holds.
    pub(crate) fn invariant(
        &self,
        system: &SymbolicSystem,
        claim: &SafetyProperty,
        budget: &Budget,
        progress: &Progress,
    ) -> Result<Option<InductiveInvariant>, UnknownReason> {
        // Every location needs a formula, including those inside of a chain.
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

    /// Builds and refines until the property is proved or refuted.
    fn refine(&self, context: &mut Context<'_>) -> Result<Refined, UnknownReason> {
        let mut precision = Precision::initial(context);
        let mut graph = Graph::new();
        // Whether the whole graph was built with the current precision.
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
                        let why = "the spurious counterexample does not refine the abstraction";
                        return Err(UnknownReason::OverApproximation(why.to_owned()));
                    }
                    // A part of the graph may be older than the precision: then all of it is rebuilt.
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

/// The result of the loop.
enum Refined {
    Safe(Graph),
    Unsafe(SymbolicTrace),
}
