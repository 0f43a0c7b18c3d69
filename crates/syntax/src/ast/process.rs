//! Processes, vectors and whole networks, shared by `.xta` and `.net` files.
//!
//! Both forms give the same trees. Names of locations are not resolved here.

use tempora_source::Span;

use super::{Binding, Declaration, Expression, Name, Parameter, ProcessReference};

/// A whole file of declarations, processes, vectors, a system line and queries.
#[derive(Clone, Debug, PartialEq)]
pub struct Network {
    /// All declarations, in the order of the text.
    pub declarations: Vec<Declaration>,
    /// The whole text.
    pub span: Span,
}

/// `process P(int a) { … }`, or `process P(0) { … }`.
#[derive(Clone, Debug, PartialEq)]
pub struct ProcessDeclaration {
    /// The name.
    pub name: Name,
    /// `(0)`: the values in the name of a process such as `P(0)`, which then has no parameters.
    pub arguments: Vec<Expression>,
    /// The parameters of a template.
    pub parameters: Vec<Parameter>,
    /// `: Train`: the template of this instance, if it differs from its name.
    pub template: Option<Name>,
    /// Local declarations.
    pub declarations: Vec<Declaration>,
    /// The locations in the order of declaration.
    pub locations: Vec<LocationDeclaration>,
    /// Names declared with `branchpoint`.
    pub branchpoints: Vec<Name>,
    /// Names marked as initial.
    pub initial: Vec<Name>,
    /// Names marked as urgent.
    pub urgent: Vec<Name>,
    /// Names marked as committed.
    pub committed: Vec<Name>,
    /// The edges.
    pub edges: Vec<Edge>,
    /// Its span.
    pub span: Span,
}

/// `location Near { invariant x <= 5; rate 1 : 2; labels busy; }`, or `Near { x <= 5; 1 : 2 }` after `state`.
#[derive(Clone, Debug, PartialEq)]
pub struct LocationDeclaration {
    /// The name.
    pub name: Name,
    /// The invariant.
    pub invariant: Option<Expression>,
    /// The rate of the exponential distribution.
    pub rate: Option<Rate>,
    /// Labels that queries can refer to.
    pub labels: Vec<Name>,
    /// Its span.
    pub span: Span,
}

/// `e` or `e : d`, which means e/d.
#[derive(Clone, Debug, PartialEq)]
pub struct Rate {
    /// `e`
    pub value: Expression,
    /// `d`
    pub divisor: Option<Expression>,
    /// Its span.
    pub span: Span,
}

/// An edge.
#[derive(Clone, Debug, PartialEq)]
pub struct Edge {
    /// The source. In `trans A -> B {}, -> C {}` the second edge repeats the name `A` with its span.
    pub source: Name,
    /// Whether the arrow is `-u->`.
    pub is_uncontrollable: bool,
    /// The labels.
    pub labels: EdgeLabels,
    /// The target.
    pub target: EdgeTarget,
    /// Its span.
    pub span: Span,
}

/// The labels of an edge.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct EdgeLabels {
    /// `select i : T`
    pub select: Vec<Binding>,
    /// `guard e`
    pub guard: Option<Expression>,
    /// `sync c!`
    pub synchronisation: Option<Synchronisation>,
    /// `event a`: the event for synchronisation vectors.
    pub event: Option<Name>,
    /// `do a = 1, f()` or `assign …`
    pub updates: Vec<Expression>,
    /// `probability w`, on an edge that leaves a branch point.
    pub weight: Option<Expression>,
}

/// The target of an edge.
#[derive(Clone, Debug, PartialEq)]
pub enum EdgeTarget {
    /// A location or branch point.
    Single(Name),
    /// `{ weight 2: Far { do n = 0; } weight 1: U; }`: branches, of which one is chosen when the edge is taken.
    Branches(Vec<Branch>),
}

/// `weight 2: Far { do n = 0; }`.
#[derive(Clone, Debug, PartialEq)]
pub struct Branch {
    /// `2`; one by default.
    pub weight: Option<Expression>,
    /// `Far`
    pub target: Name,
    /// `n = 0`, evaluated after the updates of the edge.
    pub updates: Vec<Expression>,
    /// Its span.
    pub span: Span,
}

/// `c!`, `c[i]?` or `c`.
#[derive(Clone, Debug, PartialEq)]
pub struct Synchronisation {
    /// The channel.
    pub channel: Expression,
    /// The direction.
    pub direction: Direction,
    /// Its span.
    pub span: Span,
}

/// The side of a synchronisation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Direction {
    /// `!`
    Send,
    /// `?`
    Receive,
    /// Neither: all processes that use the channel synchronise, as in CSP.
    Both,
}

/// `vector Train(0)@go, Gate@open?;`
#[derive(Clone, Debug, PartialEq)]
pub struct SynchronisationVector {
    /// The participants.
    pub participants: Vec<VectorParticipant>,
}

/// `Gate@open?`
#[derive(Clone, Debug, PartialEq)]
pub struct VectorParticipant {
    /// The process.
    pub process: ProcessReference,
    /// The event of its edges.
    pub event: Name,
    /// Whether it is optional, marked by `?`.
    pub is_weak: bool,
    /// Its span.
    pub span: Span,
}
