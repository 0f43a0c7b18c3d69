//! How the abstraction works.
//!
//! Invariant: options that do not go together are named by [`CegarOptions::contradiction`]; all others do.

/// What abstract states say.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Domain {
    /// The values of some variables.
    Explicit,
    /// What is known of some predicates.
    Predicates(PredicateKind),
    /// The values of control variables and of those that are moved there, and what is known of predicates besides.
    Product(PredicateKind),
    /// The same, with values and predicates found together.
    CombinedProduct,
}

/// What a state says of predicates.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PredicateKind {
    /// Which hold for sure, and which do not for sure.
    Cartesian,
    /// A disjunction of combinations of them.
    Boolean,
    /// One combination of them in each state.
    Split,
}

/// When a variable of a product is looked at by its values rather than by predicates.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum AutomaticValues {
    /// Never, but for control variables.
    Static,
    /// When a refinement finds an atom with it that the model does not have.
    NewAtoms,
    /// When a refinement compares it with something that the model does not compare it with.
    #[default]
    NewOperands,
}

/// What one step of the abstraction is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum BlockEncoding {
    /// A chain of edges without a choice between them.
    #[default]
    Large,
    /// One edge.
    Single,
}

/// What a spurious counterexample teaches.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum RefinementStrategy {
    /// A formula for each state on the way, from a chain of Horn clauses.
    #[default]
    SequenceInterpolants,
    /// A formula for each state on the way, worked out step by step.
    Newton(Newton),
    /// The variables of the steps that contradict each other; for explicit values only.
    UnsatCore,
}

/// How interpolants are worked out step by step.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Newton {
    /// From which end.
    pub direction: Direction,
    /// Whether what does not contribute to the contradiction is forgotten first.
    pub forgets: bool,
    /// Whether formulas speak only about variables that the other side of the way speaks about too.
    pub keeps_live_only: bool,
}

/// From which end of a way formulas are worked out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Direction {
    /// Strongest postconditions, from the first state on.
    Forwards,
    /// Weakest preconditions, from the last state back.
    Backwards,
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
    /// With the control variables; for domains with values only.
    Control,
    /// With all variables; for domains with values only.
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
    /// In products, when a variable is looked at by its values.
    pub automatic_values: AutomaticValues,
    /// What one step of the abstraction is.
    pub encoding: BlockEncoding,
    /// It gives up when the solver has been asked more questions than this; for a first try.
    pub most_checks: Option<u64>,
    /// Whether interpolants are checked with the solver before they are used; for tests.
    pub verifies_interpolants: bool,
}

impl Default for Domain {
    fn default() -> Domain {
        Domain::Predicates(PredicateKind::Cartesian)
    }
}

impl Domain {
    /// Whether states say the values of variables.
    pub fn has_values(self) -> bool {
        !matches!(self, Domain::Predicates(_))
    }

    /// What states say of predicates, if they say anything.
    pub fn predicates(self) -> Option<PredicateKind> {
        match self {
            Domain::Explicit => None,
            Domain::Predicates(kind) | Domain::Product(kind) => Some(kind),
            Domain::CombinedProduct => Some(PredicateKind::Split),
        }
    }
}

impl Newton {
    /// All ways to do so.
    pub const ALL: [Newton; 8] = {
        const fn way(direction: Direction, forgets: bool, keeps_live_only: bool) -> Newton {
            Newton { direction, forgets, keeps_live_only }
        }
        [
            way(Direction::Forwards, false, false),
            way(Direction::Forwards, false, true),
            way(Direction::Forwards, true, false),
            way(Direction::Forwards, true, true),
            way(Direction::Backwards, false, false),
            way(Direction::Backwards, false, true),
            way(Direction::Backwards, true, false),
            way(Direction::Backwards, true, true),
        ]
    };
}

impl CegarOptions {
    /// Why the options do not go together, if they do not.
    pub fn contradiction(&self) -> Option<&'static str> {
        if self.refinement == RefinementStrategy::UnsatCore && self.domain != Domain::Explicit {
            return Some("refinement UNSAT_CORE finds variables, and the domain is of predicates");
        }
        let of_variables = [InitialPrecision::Control, InitialPrecision::AllVariables];
        if of_variables.contains(&self.initial_precision) && !self.domain.has_values() {
            return Some("an initial precision of variables needs the domain EXPL or one of EXPL_PRED");
        }
        if self.most_successors > 0 && !self.domain.has_values() {
            return Some("a limit of successors (--maxenum) needs the domain EXPL or one of EXPL_PRED");
        }
        None
    }
}
