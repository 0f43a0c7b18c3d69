//! Queries: what is asked about a model.
//!
//! Invariant: temporal formulas are expressions, so that one grammar serves state predicates, nested formulas and
//! boolean combinations; whether an engine can answer one is for others to say.

use tempora_source::Span;

use super::{Expression, Name, StringLiteral};

/// A query.
#[derive(Clone, Debug, PartialEq)]
pub struct Query {
    /// What is asked.
    pub kind: QueryKind,
    /// `under S`: only the runs that the strategy allows.
    pub under: Option<Name>,
    /// `imitate S`: learn from the runs of the strategy.
    pub imitate: Option<Name>,
    /// All of it.
    pub span: Span,
}

/// What is asked.
#[derive(Clone, Debug, PartialEq)]
pub enum QueryKind {
    /// Nothing but blanks and comments.
    Empty,
    /// `A[] p`, `p --> q`, `!(E<> p) && A[] q`; an expression that is temporal somewhere.
    Formula(Expression),
    /// `sup{p}: a, b`
    Extremum {
        /// Which.
        extremum: ExtremumKind,
        /// `p`
        predicate: Option<Expression>,
        /// `a, b`
        expressions: Vec<Expression>,
    },
    /// `control: A<> p` and its kin
    Control(ControlQuery),
    /// `Pr[<=10](<> p) >= 0.5` and its kin
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
        /// `3` where it stands before the bound, as in versions up to 4.1.
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
        /// What computes it.
        definition: Box<Query>,
    },
    /// `minE(e)[<=10] {d} -> {c} : <> p` and its kin
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
    /// `refinement: A || B <= C`, `consistency: A` and whatever else is asked of specifications
    Specification(SpecQuery),
    /// `mintime: p` or `maxtime: p`: the earliest or the latest time at which `p` is first reached
    ReachTime {
        /// Earliest is [`ExtremumKind::Infimum`], latest [`ExtremumKind::Supremum`].
        extremum: ExtremumKind,
        /// `p`
        goal: Expression,
    },
    /// `reach: a, b` or `buchi: a, b`
    Labels {
        /// Once or again and again.
        goal: LabelGoal,
        /// `a, b`
        labels: Vec<Name>,
    },
    /// Something that could not be read; a diagnostic says why.
    Error,
}

/// Which end of the values.
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
    /// Whether `E<>` stands before it: the environment may help.
    pub is_cooperative: bool,
    /// `{a, b}`: all that the controller sees.
    pub observations: Option<Vec<Expression>>,
    /// `control`, `control_t*` or `acontrol`.
    pub method: ControlMethod,
    /// `A<> p`
    pub goal: Expression,
}

/// How a strategy is looked for.
#[derive(Clone, Debug, PartialEq)]
pub enum ControlMethod {
    /// `control:`
    Plain,
    /// `control_t*(u, g):`: as fast as possible.
    TimeOptimal {
        /// `u`: no slower than this.
        limit: Option<Expression>,
        /// `g`
        lower: Option<Expression>,
    },
    /// `acontrol: A[] p {x[0,1]:10, y}`: on a grid.
    Approximate {
        /// What stands between the braces, dimension by dimension.
        grid: Vec<GridDimension>,
    },
}

/// `[<=10; 100]`.
#[derive(Clone, Debug, PartialEq)]
pub struct RunBound {
    /// What is bounded.
    pub measure: RunMeasure,
    /// By what.
    pub limit: Expression,
    /// How many runs.
    pub runs: Option<Expression>,
    /// With the brackets.
    pub span: Span,
}

/// What ends a random run.
#[derive(Clone, Debug, PartialEq)]
pub enum RunMeasure {
    /// `<=`: time.
    Time,
    /// `#<=`: steps.
    Steps,
    /// `x<=`: the value of a clock.
    Clock(Expression),
}

/// `Pr[<=10](<> p)` and what it is compared with.
#[derive(Clone, Debug, PartialEq)]
pub struct ProbabilityQuery {
    /// `[<=10]`; none for a formula with intervals.
    pub bound: Option<RunBound>,
    /// What stands in the parentheses.
    pub formula: Expression,
    /// `under S` between the parentheses and a comparison with another probability; behind a query that stands alone it is
    /// [`Query::under`].
    pub under: Option<Name>,
    /// What follows them.
    pub comparison: Option<ProbabilityBound>,
}

/// What a probability is compared with.
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

/// `2 : p` behind a simulation: keep only runs that reach `p`.
#[derive(Clone, Debug, PartialEq)]
pub struct SimulationGoal {
    /// `2`: how many.
    pub runs: Option<Expression>,
    /// `p`
    pub goal: Expression,
}

/// `minE(e)[<=10] {d} -> {c} : <> p`.
#[derive(Clone, Debug, PartialEq)]
pub struct LearningQuery {
    /// What is made small or large.
    pub objective: LearningObjective,
    /// `[<=10]`
    pub bound: RunBound,
    /// `{d} -> {c}`
    pub features: Option<Features>,
    /// `<> p`
    pub goal: Expression,
}

/// What a learned strategy makes small or large.
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

/// `{a, b} -> {c}`: what a learned strategy sees.
#[derive(Clone, Debug, PartialEq)]
pub struct Features {
    /// What is distinguished by value.
    pub discrete: Vec<Expression>,
    /// What is cut into regions.
    pub continuous: Vec<Expression>,
    /// All of it.
    pub span: Span,
}

/// `refinement: A || B <= C`, `reachability: A @ p -> q`, `get-component: A && B save-as C`.
#[derive(Clone, Debug, PartialEq)]
pub struct SpecQuery {
    /// The word before the colon, such as `refinement`; hyphens are part of it.
    pub property: Name,
    /// The specification.
    pub specification: SpecExpression,
    /// What follows `<=`.
    pub refined: Option<SpecExpression>,
    /// What follows `@`: where to start.
    pub start: Option<Expression>,
    /// What follows `->`: where to get to.
    pub goal: Option<Expression>,
    /// What follows `save-as`.
    pub save_as: Option<Name>,
}

/// A line of a proof: `S <= T;` or `conclude S <= T;`.
#[derive(Clone, Debug, PartialEq)]
pub struct ProofStatement {
    /// Whether it follows from others, and is not shown by itself.
    pub is_conclusion: bool,
    /// The refinement.
    pub query: Query,
}

/// A specification made of others.
#[derive(Clone, Debug, PartialEq)]
pub struct SpecExpression {
    /// What it is.
    pub kind: SpecExpressionKind,
    /// All of it.
    pub span: Span,
}

/// What a specification is.
#[derive(Clone, Debug, PartialEq)]
pub enum SpecExpressionKind {
    /// A component or process: `A`, `A(1)` or `A[left]`.
    Component {
        /// `A` or `A(1)`
        process: super::ProcessReference,
        /// `left`, which tells copies of a component apart.
        instance: Option<Name>,
    },
    /// `(S)`
    Parenthesised(Box<SpecExpression>),
    /// `S || T` and its kin
    Combined {
        /// How they are combined.
        operator: SpecOperator,
        /// Where the operator stands.
        operator_span: Span,
        /// `S`
        left: Box<SpecExpression>,
        /// `T`
        right: Box<SpecExpression>,
    },
    /// `S : A[] p`: what satisfies both.
    Constrained {
        /// `S`
        specification: Box<SpecExpression>,
        /// `A[] p`
        formula: Box<Expression>,
    },
    /// Something that could not be read; a diagnostic says why.
    Error,
}

/// How specifications are combined.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum SpecOperator {
    /// `||`: both run.
    Composition,
    /// `&&`: what both allow.
    Conjunction,
    /// `\`: what must be added to the right one to get the left one.
    Quotient,
    /// `\\`, which means the same
    DoubleQuotient,
    /// `//`, which means the same
    DoubleSlash,
    /// `>>`: what keeps the promises of the left one wherever the right one is.
    Weakening,
}

/// Once or again and again.
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
    /// All of it.
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
