//! Syntax trees of types and expressions.
//!
//! Invariant: the parser limits the depth of a tree; left-associative operators form one flat chain.

use num_bigint::BigInt;
use tempora_smt::{BitOperator, FloatFormat, FloatOperator};
use tempora_source::Span;

/// A type.
#[derive(Clone, Debug)]
pub(crate) enum TypeTree {
    /// By name.
    Named(String, Span),
    /// Bit-vectors of this width.
    Bits(u32),
    /// Floating point numbers.
    Float(FloatFormat),
    /// A map.
    Array(Box<TypeTree>, Box<TypeTree>),
}

/// An expression.
#[derive(Clone, Debug)]
pub(crate) struct ExpressionTree {
    pub(crate) kind: ExpressionKind,
    pub(crate) span: Span,
}

impl ExpressionTree {
    /// Joins operands by one operator; a single operand is returned unchanged.
    pub(crate) fn joined(
        mut parts: Vec<ExpressionTree>,
        make: fn(Vec<ExpressionTree>) -> ExpressionKind,
        span: Span,
    ) -> ExpressionTree {
        match (parts.len(), parts.pop()) {
            (1, Some(only)) => only,
            (_, last) => {
                parts.extend(last);
                ExpressionTree { kind: make(parts), span }
            }
        }
    }
}

#[derive(Clone, Debug)]
pub(crate) enum ExpressionKind {
    Boolean(bool),
    Integer(String),
    /// Numerator and denominator.
    Rational(String, String),
    Name(String),
    /// A bit-vector: its width and its value.
    Bits(u32, BigInt),
    /// A floating point number without sign: its exponent and its stored significand.
    Float(FloatFormat, Box<[BigInt; 2]>),
    /// An operator on floating point numbers.
    FloatOperation(FloatOperator, Vec<ExpressionTree>),
    /// An operator on bit-vectors.
    BitOperation(BitOperation, Vec<ExpressionTree>),
    Not(Box<ExpressionTree>),
    Negative(Box<ExpressionTree>),
    /// The value of a variable after the step.
    Prime(Box<ExpressionTree>),
    And(Vec<ExpressionTree>),
    Or(Vec<ExpressionTree>),
    /// A chain of left-associative operators.
    Chain(Box<ExpressionTree>, Vec<(ArithmeticOperator, ExpressionTree)>),
    Relation(Relation, Box<ExpressionTree>, Box<ExpressionTree>),
    IfThenElse(Box<ExpressionTree>, Box<ExpressionTree>, Box<ExpressionTree>),
    Read(Box<ExpressionTree>, Box<ExpressionTree>),
    Write(Box<ExpressionTree>, Box<ExpressionTree>, Box<ExpressionTree>),
    ArrayLiteral {
        index: Option<TypeTree>,
        entries: Vec<(ExpressionTree, ExpressionTree)>,
        rest: Box<ExpressionTree>,
    },
}

/// The operators on bit-vectors.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum BitOperation {
    /// An operator of the solver.
    Plain(BitOperator),
    /// An operator of the solver with swapped operands.
    Swapped(BitOperator),
    /// A rotation to the left.
    RotateLeft,
    /// A rotation to the right.
    RotateRight,
    /// An extension to this width.
    Extend { width: u32, is_signed: bool },
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum ArithmeticOperator {
    Add,
    Subtract,
    Multiply,
    Divide,
    Modulo,
    Remainder,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Relation {
    Equal,
    NotEqual,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
    Implies,
    IfAndOnlyIf,
    ExclusiveOr,
}
