//! Options of the abstraction.
//!
//! Invariant: [`CegarOptions::contradiction`] rejects exactly the unsupported combinations.

/// The domain of abstract states.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Domain {
    /// The values of some variables.
    Explicit,
    /// The truth values of some predicates.
    Predicates(PredicateKind),
    /// The values of control variables and of variables moved there, and predicates.
    Product(PredicateKind),
    /// As [`Domain::Product`], with values and predicates enumerated together.
    CombinedProduct,
}

/// The abstraction of predicates in a state.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PredicateKind {
    /// The predicates that certainly hold, and those that certainly do not.
    Cartesian,
    /// A disjunction of combinations of them.
    Boolean,
    /// One combination in each state.
    Split,
}

/// When a product tracks a variable by its values rather than by predicates.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum AutomaticValues {
    /// Only control variables.
    Static,
    /// When a refinement yields an atom about it that the model does not contain.
    NewAtoms,
    /// When a refinement compares it with a term with which the model does not compare it.
    #[default]
    NewOperands,
}

/// The steps of the abstraction.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum BlockEncoding {
    /// A chain of edges without a choice between them.
    #[default]
    Large,
    /// One edge.
    Single,
}

/// The information taken from a spurious counterexample.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum RefinementStrategy {
    /// A formula for each state of the path, from a chain of Horn clauses.
    #[default]
    SequenceInterpolants,
    /// A formula for each state of the path, computed step by step.
    Newton(Newton),
    /// The variables of the steps that contradict each other; for explicit values only.
    UnsatCore,
}

/// The computation of interpolants step by step.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Newton {
    /// The direction.
    pub direction: Direction,
    /// Whether steps outside of the contradiction are dropped first.
    pub forgets: bool,
    /// Whether formulas are restricted to variables that the other side of the path mentions too.
    pub keeps_live_only: bool,
}

/// The direction in which formulas are computed along a path.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Direction {
    /// Strongest postconditions, from the first state on.
    Forwards,
    /// Weakest preconditions, from the last state back.
    Backwards,
}

/// The order in which nodes are expanded.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum GraphSearch {
    /// Breadth first.
    #[default]
    BreadthFirst,
    /// Depth first.
    DepthFirst,
    /// Least distance to an observed location first.
    NearestToError,
}

/// The part of the graph discarded after a refinement.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Pruning {
    /// Only nodes that the refinement shows to be too coarse.
    #[default]
    Lazy,
    /// All of it.
    Full,
}

/// The initial precision.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum InitialPrecision {
    /// Empty.
    Empty,
    /// The predicates or variables of the property.
    #[default]
    Property,
    /// The control variables; for domains with values only.
    Control,
    /// All variables; for domains with values only.
    AllVariables,
}

/// The parts into which formulas are split to get predicates.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum PredicateSplit {
    /// The whole formula.
    Whole,
    /// The conjuncts.
    Conjuncts,
    /// The atoms.
    #[default]
    Atoms,
}

/// The configuration of the abstraction.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct CegarOptions {
    /// The domain of abstract states.
    pub domain: Domain,
    /// The information taken from a spurious counterexample.
    pub refinement: RefinementStrategy,
    /// The order in which nodes are expanded.
    pub search: GraphSearch,
    /// The part of the graph discarded after a refinement.
    pub pruning: Pruning,
    /// The initial precision.
    pub initial_precision: InitialPrecision,
    /// The parts into which formulas are split.
    pub split: PredicateSplit,
    /// With explicit values, the limit on successors, above which they are merged; zero for no limit.
    pub most_successors: usize,
    /// In products, when a variable is tracked by its values.
    pub automatic_values: AutomaticValues,
    /// The steps of the abstraction.
    pub encoding: BlockEncoding,
    /// The limit on solver checks; for a first attempt.
    pub most_checks: Option<u64>,
    /// Whether interpolants are verified with the solver before use; for tests.
    pub verifies_interpolants: bool,
}

impl Default for Domain {
    fn default() -> Domain {
        Domain::Predicates(PredicateKind::Cartesian)
    }
}

impl Domain {
    /// Returns whether states contain values of variables.
    pub fn has_values(self) -> bool {
        !matches!(self, Domain::Predicates(_))
    }

    /// Returns the abstraction of predicates in states, if there is one.
    pub fn predicates(self) -> Option<PredicateKind> {
        match self {
            Domain::Explicit => None,
            Domain::Predicates(kind) | Domain::Product(kind) => Some(kind),
            Domain::CombinedProduct => Some(PredicateKind::Split),
        }
    }
}

impl Newton {
    /// All variants.
    pub const ALL: [Newton; 8] = {
        const fn variant(direction: Direction, forgets: bool, keeps_live_only: bool) -> Newton {
            Newton { direction, forgets, keeps_live_only }
        }
        [
            variant(Direction::Forwards, false, false),
            variant(Direction::Forwards, false, true),
            variant(Direction::Forwards, true, false),
            variant(Direction::Forwards, true, true),
            variant(Direction::Backwards, false, false),
            variant(Direction::Backwards, false, true),
            variant(Direction::Backwards, true, false),
            variant(Direction::Backwards, true, true),
        ]
    };
}

impl CegarOptions {
    /// Returns why the options contradict each other, if they do.
    pub fn contradiction(&self) -> Option<&'static str> {
        if self.refinement == RefinementStrategy::UnsatCore && self.domain != Domain::Explicit {
            return Some("refinement UNSAT_CORE finds variables, but the domain has predicates");
        }
        let of_variables = [InitialPrecision::Control, InitialPrecision::AllVariables];
        if of_variables.contains(&self.initial_precision) && !self.domain.has_values() {
            return Some("an initial precision with variables needs the domain EXPL or one of EXPL_PRED");
        }
        if self.most_successors > 0 && !self.domain.has_values() {
            return Some("a limit on successors (--maxenum) needs the domain EXPL or one of EXPL_PRED");
        }
        None
    }
}
