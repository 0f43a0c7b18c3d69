//! Functions and the statements in them.
//!
//! Invariant: a chain of `else if` is one node, however long, so that generated decision chains are not deep trees.

use tempora_source::Span;

use super::{Binding, Declaration, Expression, Name, Parameter, TypeExpression};

/// `int f(int a) { … }`.
#[derive(Clone, Debug, PartialEq)]
pub struct FunctionDeclaration {
    /// The type of the result.
    pub return_type: TypeExpression,
    /// The name.
    pub name: Name,
    /// The parameters.
    pub parameters: Vec<Parameter>,
    /// The body.
    pub body: Block,
    /// All of it.
    pub span: Span,
}

/// `{ declarations statements }`.
#[derive(Clone, Debug, PartialEq)]
pub struct Block {
    /// Variables and types; the parser reports those that stand after a statement, and puts them here too.
    pub declarations: Vec<Declaration>,
    /// What is done.
    pub statements: Vec<Statement>,
    /// With the braces.
    pub span: Span,
}

/// One statement.
#[derive(Clone, Debug, PartialEq)]
pub struct Statement {
    /// What it is.
    pub kind: StatementKind,
    /// With its semicolon.
    pub span: Span,
}

/// What a statement is.
#[derive(Clone, Debug, PartialEq)]
pub enum StatementKind {
    /// `;`
    Empty,
    /// `x = 0, f();`, never empty
    Expressions(Vec<Expression>),
    /// `{ … }`
    Block(Block),
    /// `if (a) s else if (b) t else u`
    If {
        /// The conditions with what is done; never empty.
        branches: Vec<ConditionalBranch>,
        /// What follows the last `else`.
        otherwise: Option<Box<Statement>>,
    },
    /// `for (a; b; c) s`; each of the three may be a list, and may be empty
    For {
        /// `a`
        initial: Vec<Expression>,
        /// `b`
        condition: Vec<Expression>,
        /// `c`
        step: Vec<Expression>,
        /// `s`
        body: Box<Statement>,
    },
    /// `for (i : T) s`
    ForEach {
        /// `i : T`
        binding: Box<Binding>,
        /// `s`
        body: Box<Statement>,
    },
    /// `while (e) s`
    While {
        /// `e`
        condition: Expression,
        /// `s`
        body: Box<Statement>,
    },
    /// `do s while (e);`
    DoWhile {
        /// `s`
        body: Box<Statement>,
        /// `e`
        condition: Expression,
    },
    /// `return e;`
    Return(Option<Expression>),
    /// `assert e;`
    Assert(Expression),
    /// Something that could not be read; a diagnostic says why.
    Error,
}

/// `if (e) s` or `else if (e) s`.
#[derive(Clone, Debug, PartialEq)]
pub struct ConditionalBranch {
    /// `e`
    pub condition: Expression,
    /// `s`
    pub body: Statement,
    /// From `if` on.
    pub span: Span,
}
