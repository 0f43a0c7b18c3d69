//! Counterexample-guided abstraction refinement.
//!
//! The states of the system are looked at through a precision: some variables, or some predicates. An abstract
//! reachability graph is built; a way in it to a violation is checked by the solver, and if it is none of the system's,
//! the reason makes the precision finer. See E. Clarke, O. Grumberg, S. Jha, Y. Lu, H. Veith: Counterexample-guided
//! abstraction refinement, CAV 2000; Á. Hajdu, Z. Micskei: Efficient strategies for CEGAR-based model checking, JAR 2020.
//!
//! Invariant: "holds" is only said if the graph is complete: every node is expanded or covered, and none violates.

mod context;
mod domain;
mod graph;
mod refine;

use tempora_evidence::{Answer, Budget, Progress, Support, SymbolicEngine, SymbolicTask, UnknownReason};
use tempora_model::{SafetyProperty, SymbolicSystem};

use crate::answers::{Finding, answer_each};
use crate::solving::SolverOptions;
use context::Context;
use domain::Precision;
use graph::Graph;
use refine::Refinement;

/// What abstract states say.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Domain {
    /// The values of some variables.
    Explicit,
    /// Which predicates hold for sure, and which do not for sure.
    #[default]
    PredicateCartesian,
    /// A disjunction of combinations of predicates.
    PredicateBoolean,
    /// One combination of predicates in each state.
    PredicateSplit,
}

/// What a spurious counterexample teaches.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum RefinementStrategy {
    /// A formula for each state on the way, from a chain of Horn clauses.
    #[default]
    SequenceInterpolants,
    /// The variables of the steps that contradict each other; for explicit values only.
    UnsatCore,
}

/// In which order nodes are expanded.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum GraphSearch {
    /// Breadth first.
    #[default]
    BreadthFirst,
    /// Depth first.
    DepthFirst,
    /// Nearest to where the property is observed first.
    NearestToError,
}

/// What is thrown away after a refinement.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Pruning {
    /// Only what the refinement shows to be wrong.
    #[default]
    Lazy,
    /// Everything.
    Full,
}

/// With what precision the search begins.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum InitialPrecision {
    /// With none.
    Empty,
    /// With the predicates or variables of the property.
    #[default]
    Property,
    /// With the control variables; for explicit values only.
    Control,
    /// With all variables; for explicit values only.
    AllVariables,
}

/// Into what formulas are split before they become predicates.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum PredicateSplit {
    /// They are not.
    Whole,
    /// The parts of conjunctions.
    Conjuncts,
    /// Their atoms.
    #[default]
    Atoms,
}

/// How the abstraction works.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct CegarOptions {
    /// What abstract states say.
    pub domain: Domain,
    /// What a spurious counterexample teaches.
    pub refinement: RefinementStrategy,
    /// In which order nodes are expanded.
    pub search: GraphSearch,
    /// What is thrown away after a refinement.
    pub pruning: Pruning,
    /// With what precision the search begins.
    pub initial_precision: InitialPrecision,
    /// Into what formulas are split.
    pub split: PredicateSplit,
    /// With explicit values, more successors than this are made one; zero for no limit.
    pub most_successors: usize,
}

impl CegarOptions {
    /// Why the options do not go together, if they do not.
    pub fn contradiction(&self) -> Option<&'static str> {
        let is_explicit = self.domain == Domain::Explicit;
        if self.refinement == RefinementStrategy::UnsatCore && !is_explicit {
            return Some("refinement UNSAT_CORE finds variables, and the domain is of predicates");
        }
        let of_variables = [InitialPrecision::Control, InitialPrecision::AllVariables];
        if of_variables.contains(&self.initial_precision) && !is_explicit {
            return Some("an initial precision of variables needs the domain EXPL");
        }
        None
    }
}

/// Counterexample-guided abstraction refinement.
#[derive(Clone, Debug, Default)]
pub struct CegarEngine {
    /// How the abstraction works.
    pub options: CegarOptions,
    /// The solver.
    pub solver: SolverOptions,
}

impl SymbolicEngine for CegarEngine {
    fn name(&self) -> &'static str {
        "cegar"
    }

    fn supports(&self, task: &SymbolicTask) -> Vec<Support> {
        let support = match (self.options.contradiction(), self.solver.find()) {
            (Some(why), _) => Support::Declines(why.to_owned()),
            (None, Err(missing)) => Support::Declines(missing.message),
            (None, Ok(())) => Support::MayDecide("the abstraction may get finer for ever".to_owned()),
        };
        vec![support; task.system.properties.len()]
    }

    fn run(&self, task: &SymbolicTask, budget: &Budget, progress: &Progress) -> Vec<Answer> {
        answer_each(self.name(), task, progress, |claim| self.decide(&task.system, claim, budget, progress))
    }
}

impl CegarEngine {
    fn decide(
        &self,
        system: &SymbolicSystem,
        claim: &SafetyProperty,
        budget: &Budget,
        progress: &Progress,
    ) -> Result<Finding, UnknownReason> {
        if let Some(why) = self.options.contradiction() {
            return Err(UnknownReason::Unsupported(why.to_owned()));
        }
        let mut context = Context::new(system, claim, self.options, &self.solver, budget, progress)?;
        let mut precision = Precision::initial(&mut context);
        let mut graph = Graph::new();
        // Whether all of the graph was built with the precision as it is now.
        let mut is_fresh = true;
        loop {
            let Some(target) = graph.build(&mut context, &precision)? else { return Ok(Finding::Safe) };
            let path = graph.path_to(target);
            match refine::check(&mut context, &path)? {
                Refinement::Feasible(trace) => return Ok(Finding::Unsafe(trace)),
                Refinement::Spurious { lessons, first } => {
                    let has_learnt = precision.learn(&mut context, &lessons);
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
