//! Queries about a model.
//!
//! Temporal formulas are expressions, so that one grammar covers state predicates, nested formulas and Boolean
//! combinations; elaboration decides which of them are supported.

use tempora_source::Span;

use super::{Expression, Name, StringLiteral};

/// A query.
#[derive(Clone, Debug, PartialEq)]
pub struct Query {
    /// Its kind.
    pub kind: QueryKind,
    /// `under S`: only the runs that the strategy allows.
    pub under: Option<Name>,
    /// `imitate S`: learn from the runs of the strategy.
    pub imitate: Option<Name>,
    /// Its span.
    pub span: Span,
}

/// The kind of a query.
#[derive(Clone, Debug, PartialEq)]
pub enum QueryKind {
    /// Only white space and comments.
    Empty,
    /// `A[] p`, `p --> q`, `!(E<> p) && A[] q`: an expression with a temporal operator.
    Formula(Expression),
    /// `sup{p}: a, b`
    Extremum {
        /// The bound.
        extremum: ExtremumKind,
        /// `p`
        predicate: Option<Expression>,
        /// `a, b`
        expressions: Vec<Expression>,
    },
    /// `control: A<> p` and similar queries
    Control(ControlQuery),
    /// `Pr[<=10](<> p) >= 0.5` and similar queries
    Probability(ProbabilityQuery),
    /// `E[<=10; 100](max: e)`
    Expectation {
        /// `[<=10; 100]`
        bound: RunBound,
        /// `max` or `min`: [`ExtremumKind::Supremum`] or [`ExtremumKind::Infimum`].
        extremum: ExtremumKind,
        /// `e`
        expression: Expression,
    },
    /// `simulate [<=10; 3] {a, b} : 2 : p`
    Simulation {
        /// `3` before the bound, the form of UPPAAL up to 4.1.
        old_runs: Option<Expression>,
        /// `[<=10; 3]`
        bound: RunBound,
        /// `a, b`
        expressions: Vec<Expression>,
        /// `2 : p`
        goal: Option<SimulationGoal>,
    },
    /// `strategy S = …`
    Strategy {
        /// `S`
        name: Name,
        /// The query that computes it.
        definition: Box<Query>,
    },
    /// `minE(e)[<=10] {d} -> {c} : <> p` and similar queries
    Learning(LearningQuery),
    /// `loadStrategy {d} -> {c} ("file")`
    LoadStrategy {
        /// `{d} -> {c}`
        features: Option<Features>,
        /// `"file"`
        path: StringLiteral,
    },
    /// `saveStrategy("file", S)`
    SaveStrategy {
        /// `"file"`
        path: StringLiteral,
        /// `S`
        strategy: Name,
    },
    /// `sat: Scenario`
    Scenario(Name),
    /// `refinement: A || B <= C`, `consistency: A` and other queries about specifications
    Specification(SpecQuery),
    /// `mintime: p` or `maxtime: p`: the earliest or the latest time at which `p` is first reached
    ReachTime {
        /// [`ExtremumKind::Infimum`] for the earliest, [`ExtremumKind::Supremum`] for the latest time.
        extremum: ExtremumKind,
        /// `p`
        goal: Expression,
    },
    /// `reach: a, b` or `buchi: a, b`
    Labels {
        /// The goal.
        goal: LabelGoal,
        /// `a, b`
        labels: Vec<Name>,
    },
    /// Unreadable text, reported by a diagnostic.
    Error,
}

/// The bound that a query asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ExtremumKind {
    /// `sup`, `max`
    Supremum,
    /// `inf`, `min`
    Infimum,
    /// `bounds`
    Bounds,
}

/// `{a, b} control: A<> p`.
#[derive(Clone, Debug, PartialEq)]
pub struct ControlQuery {
    /// Whether `E<>` precedes it: the environment may cooperate.
    pub is_cooperative: bool,
    /// `{a, b}`: the observations of the controller.
    pub observations: Option<Vec<Expression>>,
    /// `control`, `control_t*` or `acontrol`.
    pub method: ControlMethod,
    /// `A<> p`
    pub goal: Expression,
}

/// The method of strategy synthesis.
#[derive(Clone, Debug, PartialEq)]
pub enum ControlMethod {
    /// `control:`
    Plain,
    /// `control_t*(u, g):`: time-optimal.
    TimeOptimal {
        /// `u`: the upper bound of the time.
        limit: Option<Expression>,
        /// `g`
        lower: Option<Expression>,
    },
    /// `acontrol: A[] p {x[0,1]:10, y}`: on a grid.
    Approximate {
        /// The dimensions of the grid.
        grid: Vec<GridDimension>,
    },
}

/// `[<=10; 100]`.
#[derive(Clone, Debug, PartialEq)]
pub struct RunBound {
    /// The bounded quantity.
    pub measure: RunMeasure,
    /// The bound.
    pub limit: Expression,
    /// The number of runs.
    pub runs: Option<Expression>,
    /// Its span, including the brackets.
    pub span: Span,
}

/// The quantity that bounds a random run.
#[derive(Clone, Debug, PartialEq)]
pub enum RunMeasure {
    /// `<=`: time.
    Time,
    /// `#<=`: steps.
    Steps,
    /// `x<=`: the value of a clock.
    Clock(Expression),
}

/// `Pr[<=10](<> p)`, optionally with a comparison.
#[derive(Clone, Debug, PartialEq)]
pub struct ProbabilityQuery {
    /// `[<=10]`; `None` for a formula with intervals.
    pub bound: Option<RunBound>,
    /// The formula in parentheses.
    pub formula: Expression,
    /// `under S` between the parentheses and a comparison with another probability; at the end of a query it is
    /// [`Query::under`].
    pub under: Option<Name>,
    /// The comparison.
    pub comparison: Option<ProbabilityBound>,
}

/// The comparison of a probability.
#[derive(Clone, Debug, PartialEq)]
pub enum ProbabilityBound {
    /// `>= 0.5`
    AtLeast(Expression),
    /// `<= 0.5`
    AtMost(Expression),
    /// `>= Pr[<=10](<> q)`
    AtLeastThatOf(Box<ProbabilityQuery>),
    /// `<= Pr[<=10](<> q)`
    AtMostThatOf(Box<ProbabilityQuery>),
}

/// `2 : p` after a simulation: keep only runs that reach `p`.
#[derive(Clone, Debug, PartialEq)]
pub struct SimulationGoal {
    /// `2`: the number of runs.
    pub runs: Option<Expression>,
    /// `p`
    pub goal: Expression,
}

/// `minE(e)[<=10] {d} -> {c} : <> p`.
#[derive(Clone, Debug, PartialEq)]
pub struct LearningQuery {
    /// The objective.
    pub objective: LearningObjective,
    /// `[<=10]`
    pub bound: RunBound,
    /// `{d} -> {c}`
    pub features: Option<Features>,
    /// `<> p`
    pub goal: Expression,
}

/// The objective of a learned strategy.
#[derive(Clone, Debug, PartialEq)]
pub enum LearningObjective {
    /// `minE(e)`
    MinimalExpectation(Expression),
    /// `maxE(e)`
    MaximalExpectation(Expression),
    /// `minPr`
    MinimalProbability,
    /// `maxPr`
    MaximalProbability,
}

/// `{a, b} -> {c}`: the observations of a learned strategy.
#[derive(Clone, Debug, PartialEq)]
pub struct Features {
    /// The discrete observations.
    pub discrete: Vec<Expression>,
    /// The continuous observations, which are partitioned.
    pub continuous: Vec<Expression>,
    /// Its span.
    pub span: Span,
}

/// `refinement: A || B <= C`, `reachability: A @ p -> q`, `get-component: A && B save-as C`.
#[derive(Clone, Debug, PartialEq)]
pub struct SpecQuery {
    /// The keyword before the colon, such as `refinement`, including hyphens.
    pub property: Name,
    /// The specification.
    pub specification: SpecExpression,
    /// The specification after `<=`.
    pub refined: Option<SpecExpression>,
    /// The start, after `@`.
    pub start: Option<Expression>,
    /// The goal, after `->`.
    pub goal: Option<Expression>,
    /// The name after `save-as`.
    pub save_as: Option<Name>,
}

/// A line of a proof: `S <= T;` or `conclude S <= T;`.
#[derive(Clone, Debug, PartialEq)]
pub struct ProofStatement {
    /// Whether it follows from other statements instead of being checked.
    pub is_conclusion: bool,
    /// The refinement.
    pub query: Query,
}

/// An expression over specifications.
#[derive(Clone, Debug, PartialEq)]
pub struct SpecExpression {
    /// Its kind.
    pub kind: SpecExpressionKind,
    /// Its span.
    pub span: Span,
}

/// The kind of an expression over specifications.
#[derive(Clone, Debug, PartialEq)]
pub enum SpecExpressionKind {
    /// A component or process: `A`, `A(1)` or `A[left]`.
    Component {
        /// `A` or `A(1)`
        process: super::ProcessReference,
        /// `left`, which distinguishes copies of a component.
        instance: Option<Name>,
    },
    /// `(S)`
    Parenthesised(Box<SpecExpression>),
    /// `S || T` and other operators
    Combined {
        /// The operator.
        operator: SpecOperator,
        /// The span of the operator.
        operator_span: Span,
        /// `S`
        left: Box<SpecExpression>,
        /// `T`
        right: Box<SpecExpression>,
    },
    /// `S : A[] p`: the specification restricted by a formula.
    Constrained {
        /// `S`
        specification: Box<SpecExpression>,
        /// `A[] p`
        formula: Box<Expression>,
    },
    /// Unreadable text, reported by a diagnostic.
    Error,
}

/// An operator on specifications.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum SpecOperator {
    /// `||`: parallel composition.
    Composition,
    /// `&&`: conjunction.
    Conjunction,
    /// `\`: the weakest specification that, composed with the right operand, refines the left one.
    Quotient,
    /// `\\`, which means the same
    DoubleQuotient,
    /// `//`, which means the same
    DoubleSlash,
    /// `>>`: the guarantee on the left weakened by the assumption on the right.
    Weakening,
}

/// The goal of a query about labels.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum LabelGoal {
    /// `reach`: some state has all labels.
    Reach,
    /// `buchi`: some run has each label infinitely often.
    Buchi,
}

/// `x[0,1]:10` or `x` in the grid of an approximate game.
#[derive(Clone, Debug, PartialEq)]
pub struct GridDimension {
    /// `x`
    pub expression: Expression,
    /// `[0,1]` and `10`: the range and the number of its pieces.
    pub range: Option<GridRange>,
    /// Its span.
    pub span: Span,
}

/// `[0,1]:10`
#[derive(Clone, Debug, PartialEq)]
pub struct GridRange {
    /// `0`
    pub lower: Expression,
    /// `1`
    pub upper: Expression,
    /// `10`
    pub pieces: Expression,
}
