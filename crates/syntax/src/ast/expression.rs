//! Expressions, and the temporal formulas that queries build with them.
//!
//! Invariant: temporal nodes occur only in trees of queries; `Deadlock` does too. Everything that tells two ways of
//! writing the same thing apart (`&&` or `and`, `=` or `:=`, parentheses) is kept, so that printing gives back what was
//! written.

use tempora_source::Span;

use super::{Name, TypeExpression};

/// An expression of models or queries.
#[derive(Clone, Debug, PartialEq)]
pub struct Expression {
    /// What it is.
    pub kind: ExpressionKind,
    /// Where it stands; for a parenthesised one, with the parentheses.
    pub span: Span,
}

/// What an expression is.
#[derive(Clone, Debug, PartialEq)]
pub enum ExpressionKind {
    /// `17`. Never negative; at most 2147483647, or 2147483648 as the operand of a unary minus.
    Integer(i64),
    /// `1.5`, `1e-3`: the digits as written; [`Expression::double_value`] reads them.
    Double(String),
    /// `true` or `false`.
    Boolean(bool),
    /// `"text"`: what stands between the quotes.
    Text(String),
    /// A name that stands for whatever it turns out to be.
    Name(String),
    /// `deadlock`, in queries only.
    Deadlock,
    /// `(e)`.
    Parenthesised(Box<Expression>),
    /// `a[i]`.
    Index {
        /// What is indexed.
        base: Box<Expression>,
        /// The index.
        index: Box<Expression>,
    },
    /// `a.b`: a field of a structure, or a location or variable of a process.
    Member {
        /// The structure or the process, such as `P` or `P(1)`.
        base: Box<Expression>,
        /// The field.
        member: Name,
    },
    /// `f(a, b)`: a function call or a process with arguments.
    Call {
        /// What is called.
        callee: Box<Expression>,
        /// The arguments.
        arguments: Vec<Expression>,
    },
    /// `x'`, the rate of a clock.
    Derivative(Box<Expression>),
    /// `-e`, `+e`, `!e`, `not e`.
    Unary {
        /// What is done.
        operator: UnaryOperator,
        /// How `!` is written.
        spelling: Spelling,
        /// Where the operator stands.
        operator_span: Span,
        /// What it is done to.
        operand: Box<Expression>,
    },
    /// `i++`, `--i`.
    Step {
        /// Before or after.
        place: StepPlace,
        /// Up or down.
        direction: StepDirection,
        /// What is changed.
        operand: Box<Expression>,
    },
    /// `a + b` and all other operators between two expressions, except assignments.
    Binary {
        /// What is done.
        operator: BinaryOperator,
        /// How `&&` and `||` are written; those that have one way only are [`Spelling::Symbol`], `imply` and `xor`
        /// are [`Spelling::Word`].
        spelling: Spelling,
        /// Where the operator stands.
        operator_span: Span,
        /// The left operand.
        left: Box<Expression>,
        /// The right operand.
        right: Box<Expression>,
    },
    /// `a ? b : c`.
    Conditional {
        /// `a`
        condition: Box<Expression>,
        /// `b`
        consequence: Box<Expression>,
        /// `c`
        alternative: Box<Expression>,
    },
    /// `a = b`, `a := b`, `a += b`.
    Assignment {
        /// What is done.
        operator: AssignmentOperator,
        /// Where the operator stands.
        operator_span: Span,
        /// What is changed.
        target: Box<Expression>,
        /// By what.
        value: Box<Expression>,
    },
    /// `forall (i : T) e` and its kin.
    Quantified {
        /// Which.
        quantifier: Quantifier,
        /// `i : T`
        binding: Box<Binding>,
        /// `e`
        body: Box<Expression>,
    },
    /// `spawn T(a, b)`.
    Spawn {
        /// The dynamic template.
        template: Name,
        /// Its arguments.
        arguments: Vec<Expression>,
    },
    /// `exit()`.
    Exit,
    /// `numOf(T)`.
    NumberOf(Name),
    /// `A[] p`, `E<> p` in queries; `<> p`, `[][1,5] p`, `X p` inside `Pr (…)`.
    Temporal {
        /// `A` or `E`; none inside `Pr`.
        quantifier: Option<PathQuantifier>,
        /// `[]`, `<>` or `X`.
        operator: TemporalOperator,
        /// `[l,u]`
        interval: Option<Box<Interval>>,
        /// `p`, which may itself be temporal.
        operand: Box<Expression>,
    },
    /// `A[p U q]`, `A[p W q]` with a quantifier; `p U q`, `p U[1,5] q`, `p R[1,5] q` without, inside `Pr (…)`.
    Until {
        /// `A` or `E`, then the whole stands in brackets.
        quantifier: Option<PathQuantifier>,
        /// `U`, `W` or `R`.
        operator: UntilOperator,
        /// `[l,u]`
        interval: Option<Box<Interval>>,
        /// `p`
        left: Box<Expression>,
        /// `q`
        right: Box<Expression>,
    },
    /// `p --> q`, `p -->[<=T] q`.
    LeadsTo {
        /// `T`
        deadline: Option<Box<Expression>>,
        /// `p`
        left: Box<Expression>,
        /// `q`
        right: Box<Expression>,
    },
    /// Something that could not be read; a diagnostic says why.
    Error,
}

/// `i : T`, in quantifiers, selects, loops and Gantt rows.
#[derive(Clone, Debug, PartialEq)]
pub struct Binding {
    /// `i`
    pub name: Name,
    /// `T`
    pub domain: TypeExpression,
    /// Both.
    pub span: Span,
}

/// `[l,u]` behind a temporal operator.
#[derive(Clone, Debug, PartialEq)]
pub struct Interval {
    /// `l`
    pub lower: Expression,
    /// `u`
    pub upper: Expression,
    /// With the brackets.
    pub span: Span,
}

/// Whether an operator that has a symbol and a word is written as the one or the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Spelling {
    /// `&&`, `||`, `!`
    Symbol,
    /// `and`, `or`, `not`
    Word,
}

/// An operator before one operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum UnaryOperator {
    /// `-`
    Negate,
    /// `+`
    Plus,
    /// `!`, `not`
    Not,
}

/// Where `++` or `--` stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum StepPlace {
    /// `++i`
    Before,
    /// `i++`
    After,
}

/// `++` or `--`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum StepDirection {
    /// `++`
    Up,
    /// `--`
    Down,
}

/// An operator between two operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum BinaryOperator {
    /// `imply`
    Imply,
    /// `||`, `or`
    Or,
    /// `xor`
    Xor,
    /// `&&`, `and`
    And,
    /// `|`
    BitOr,
    /// `^`
    BitXor,
    /// `&`
    BitAnd,
    /// `==`
    Equal,
    /// `!=`
    NotEqual,
    /// `<`
    Less,
    /// `<=`
    LessEqual,
    /// `>=`
    GreaterEqual,
    /// `>`
    Greater,
    /// `<?`
    Minimum,
    /// `>?`
    Maximum,
    /// `<<`
    ShiftLeft,
    /// `>>`
    ShiftRight,
    /// `+`
    Add,
    /// `-`
    Subtract,
    /// `*`
    Multiply,
    /// `/`
    Divide,
    /// `%`
    Remainder,
    /// `**`
    Power,
}

/// An operator that changes its left operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum AssignmentOperator {
    /// `=`
    Assign,
    /// `:=`, which means the same
    ColonAssign,
    /// `+=`
    Add,
    /// `-=`
    Subtract,
    /// `*=`
    Multiply,
    /// `/=`
    Divide,
    /// `%=`
    Remainder,
    /// `&=`
    BitAnd,
    /// `|=`
    BitOr,
    /// `^=`
    BitXor,
    /// `<<=`
    ShiftLeft,
    /// `>>=`
    ShiftRight,
}

/// What ranges over a type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Quantifier {
    /// `forall`
    Forall,
    /// `exists`
    Exists,
    /// `sum`
    Sum,
    /// `foreach`, over the processes of a dynamic template
    Foreach,
}

/// Over which runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum PathQuantifier {
    /// `A`
    All,
    /// `E`
    Some,
}

/// When on a run, for one formula.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum TemporalOperator {
    /// `[]`
    Always,
    /// `<>`
    Eventually,
    /// `X`
    Next,
}

/// When on a run, for two formulas.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum UntilOperator {
    /// `U`
    Until,
    /// `W`
    WeakUntil,
    /// `R`
    Release,
}

impl Expression {
    /// The value of a [`ExpressionKind::Double`]; infinite where the number is too large to be represented.
    pub fn double_value(&self) -> Option<f64> {
        match &self.kind {
            ExpressionKind::Double(digits) => digits.parse().ok(),
            _ => None,
        }
    }

    /// The expression inside all parentheses around it.
    pub fn without_parentheses(&self) -> &Expression {
        let mut expression = self;
        while let ExpressionKind::Parenthesised(inner) = &expression.kind {
            expression = inner;
        }
        expression
    }
}
