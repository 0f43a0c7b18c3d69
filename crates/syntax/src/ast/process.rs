//! Processes, vectors and whole networks: the textual forms that `.xta` files and our own `.net` files share.
//!
//! Invariant: both forms give the same trees. Names of locations are not resolved: that an edge starts at a location
//! that exists is for others to check.

use tempora_source::Span;

use super::{Binding, Declaration, Expression, Name, Parameter, ProcessReference};

/// A whole file of declarations, processes, vectors, a system line and queries.
#[derive(Clone, Debug, PartialEq)]
pub struct Network {
    /// Everything, in the order in which it was written.
    pub declarations: Vec<Declaration>,
    /// The whole text.
    pub span: Span,
}

/// `process P(int a) { … }`, or `process P(0) { … }`.
#[derive(Clone, Debug, PartialEq)]
pub struct ProcessDeclaration {
    /// The name.
    pub name: Name,
    /// `(0)`: the values that make this a process of its own, named `P(0)`. Then there are no parameters.
    pub arguments: Vec<Expression>,
    /// The parameters of a template.
    pub parameters: Vec<Parameter>,
    /// `: Train`: the template that this is an instance of, where its name does not say so.
    pub template: Option<Name>,
    /// Local declarations.
    pub declarations: Vec<Declaration>,
    /// The locations in the order in which they are declared.
    pub locations: Vec<Location>,
    /// Names declared by `branchpoint`.
    pub branchpoints: Vec<Name>,
    /// Names that were said to be initial.
    pub initial: Vec<Name>,
    /// Names that were said to be urgent.
    pub urgent: Vec<Name>,
    /// Names that were said to be committed.
    pub committed: Vec<Name>,
    /// The edges.
    pub edges: Vec<Edge>,
    /// All of it.
    pub span: Span,
}

/// `location Near { invariant x <= 5; rate 1 : 2; labels busy; }`, or `Near { x <= 5; 1 : 2 }` behind `state`.
#[derive(Clone, Debug, PartialEq)]
pub struct Location {
    /// The name.
    pub name: Name,
    /// The invariant.
    pub invariant: Option<Expression>,
    /// The rate of the exponential distribution.
    pub rate: Option<Rate>,
    /// Labels that queries can speak about.
    pub labels: Vec<Name>,
    /// All of it.
    pub span: Span,
}

/// `e` or `e : d`, which is e/d.
#[derive(Clone, Debug, PartialEq)]
pub struct Rate {
    /// `e`
    pub value: Expression,
    /// `d`
    pub divisor: Option<Expression>,
    /// All of it.
    pub span: Span,
}

/// An edge.
#[derive(Clone, Debug, PartialEq)]
pub struct Edge {
    /// Where it starts. In `trans A -> B {}, -> C {}` the second edge repeats the name `A` with its span.
    pub source: Name,
    /// Whether the arrow is `-u->`.
    pub is_uncontrollable: bool,
    /// What must hold and what is done.
    pub labels: EdgeLabels,
    /// Where it leads.
    pub target: EdgeTarget,
    /// All of it.
    pub span: Span,
}

/// What must hold for an edge and what it does.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct EdgeLabels {
    /// `select i : T`
    pub select: Vec<Binding>,
    /// `guard e`
    pub guard: Option<Expression>,
    /// `sync c!`
    pub synchronisation: Option<Synchronisation>,
    /// `event a`: what vectors call it.
    pub event: Option<Name>,
    /// `do a = 1, f()` or `assign …`
    pub updates: Vec<Expression>,
    /// `probability w`, on an edge that leaves a branch point.
    pub weight: Option<Expression>,
}

/// Where an edge leads.
#[derive(Clone, Debug, PartialEq)]
pub enum EdgeTarget {
    /// To one place.
    Single(Name),
    /// `{ weight 2: Far { do n = 0; } weight 1: U; }`: one of several, chosen when the edge is taken.
    Branches(Vec<Branch>),
}

/// `weight 2: Far { do n = 0; }`.
#[derive(Clone, Debug, PartialEq)]
pub struct Branch {
    /// `2`; one if it is not written.
    pub weight: Option<Expression>,
    /// `Far`
    pub target: Name,
    /// `n = 0`, done after the updates of the edge.
    pub updates: Vec<Expression>,
    /// All of it.
    pub span: Span,
}

/// `c!`, `c[i]?` or `c`.
#[derive(Clone, Debug, PartialEq)]
pub struct Synchronisation {
    /// The channel.
    pub channel: Expression,
    /// What follows it.
    pub direction: Direction,
    /// All of it.
    pub span: Span,
}

/// The side of a synchronisation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Direction {
    /// `!`
    Send,
    /// `?`
    Receive,
    /// Neither: all that know the channel take part, as in CSP.
    Both,
}

/// `vector Train(0)@go, Gate@open?;`
#[derive(Clone, Debug, PartialEq)]
pub struct SynchronisationVector {
    /// Who takes part.
    pub participants: Vec<VectorParticipant>,
}

/// `Gate@open?`
#[derive(Clone, Debug, PartialEq)]
pub struct VectorParticipant {
    /// The process.
    pub process: ProcessReference,
    /// The event of its edges.
    pub event: Name,
    /// Whether the others may go without it, marked by `?`.
    pub is_weak: bool,
    /// All of it.
    pub span: Span,
}
