//! Elaborated expressions and statements.
//!
//! Invariant: every node has a type and an origin; names are ids; every comparison of clocks is an
//! [`ExpressionKind::CompareClocks`], so engines never find clocks in arithmetic. Trees are at most a thousand levels
//! deep, so recursion over them is safe.

use tempora_source::Origin;

use crate::types::{IndexType, Type, Value};
use crate::{FunctionId, LocationId, ProcessId, VariableId};

/// An expression with its type.
#[derive(Clone, PartialEq, Debug)]
pub struct Expression {
    /// Its operator and operands.
    pub kind: ExpressionKind,
    /// The type of its value.
    pub value_type: Type,
    /// Its origin in the text.
    pub origin: Origin,
}

/// The kind of an expression.
#[derive(Clone, PartialEq, Debug)]
pub enum ExpressionKind {
    /// An integer or truth value.
    Integer(i32),
    /// A floating point number.
    Double(f64),
    /// A variable of the network, also a clock or a channel.
    Variable(VariableId),
    /// A name bound by a select, a quantifier, a loop or a function.
    Local(LocalId),
    /// An element of an array.
    Element {
        /// The array.
        array: Box<Expression>,
        /// The index; evaluation fails if it is out of range.
        index: Box<Expression>,
    },
    /// A field of a record.
    Field {
        /// The record.
        record: Box<Expression>,
        /// The position of the field.
        field: usize,
    },
    /// An operator with one operand.
    Unary {
        /// The operator.
        operator: UnaryOperator,
        /// The operand.
        operand: Box<Expression>,
    },
    /// An operator with two operands.
    Binary {
        /// The operator.
        operator: BinaryOperator,
        /// The left operand.
        left: Box<Expression>,
        /// The right operand.
        right: Box<Expression>,
    },
    /// `condition ? then : otherwise`; assignable if both branches are.
    Conditional {
        /// The condition.
        condition: Box<Expression>,
        /// The value if it holds.
        then: Box<Expression>,
        /// The value if it does not.
        otherwise: Box<Expression>,
    },
    /// An assignment; its value is the assigned one. A clock is only assigned an integer, a clock, or the sum of a clock
    /// and an integer, without an operator.
    Assign {
        /// The operator of a compound assignment such as `+=`; `None` for plain assignment.
        operator: Option<BinaryOperator>,
        /// The assigned variable.
        target: Box<Expression>,
        /// The assigned value, or the right operand.
        value: Box<Expression>,
    },
    /// `++` and `--`.
    Step {
        /// The changed variable.
        target: Box<Expression>,
        /// 1 or -1.
        amount: i32,
        /// Whether the value of the expression is the old one.
        is_postfix: bool,
    },
    /// A call of a function of the model.
    Call {
        /// The function.
        function: FunctionId,
        /// One argument for each parameter; for a reference parameter, the variable that it refers to.
        arguments: Vec<Expression>,
    },
    /// A call of a mathematical function.
    CallBuiltin {
        /// The function's name, one of [`crate::builtins::FUNCTIONS`].
        function: &'static str,
        /// The arguments.
        arguments: Vec<Expression>,
    },
    /// `forall`, `exists` and `sum`.
    Quantified {
        /// The quantifier.
        quantifier: Quantifier,
        /// The bound name.
        binder: Binder,
        /// The body, evaluated for each value.
        body: Box<Expression>,
    },
    /// `left - right` compared with a bound, where a missing clock is zero.
    CompareClocks {
        /// The clock that counts positively.
        left: Option<Box<Expression>>,
        /// The clock that counts negatively.
        right: Option<Box<Expression>>,
        /// The comparison.
        comparison: Comparison,
        /// The bound: an integer or double without clocks.
        bound: Box<Expression>,
    },
    /// `clock' == rate`, in invariants.
    RateIs {
        /// The clock.
        clock: Box<Expression>,
        /// Its rate.
        rate: Box<Expression>,
    },
    /// Whether a process is in a location; in queries.
    At {
        /// The process.
        process: ProcessId,
        /// The location.
        location: LocationId,
    },
    /// The number of the location of a process; in queries.
    LocationOf(ProcessId),
    /// Whether some process is in a location that has the label; in queries.
    HasLabel(String),
    /// Whether no transition is possible, now or after a delay; in queries.
    Deadlock,
}

/// A bound name, numbered by the count of enclosing bound names in the same function, edge, invariant or query.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct LocalId(pub u32);

/// The binding of a name to each value of a range or set.
#[derive(Clone, PartialEq, Debug)]
pub struct Binder {
    /// Its name in the model.
    pub name: String,
    /// The number by which the body refers to it.
    pub local: LocalId,
    /// The values that it takes.
    pub domain: IndexType,
    /// Its origin in the text.
    pub origin: Origin,
}

/// A quantifier.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Quantifier {
    /// For all values.
    ForAll,
    /// For some value.
    Exists,
    /// The sum over all values.
    Sum,
}

/// An operator with one operand.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum UnaryOperator {
    /// `-`.
    Negate,
    /// `!`.
    Not,
}

/// An operator with two operands; `And`, `Or` and `Imply` use short-circuit evaluation.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum BinaryOperator {
    /// `+`.
    Add,
    /// `-`.
    Subtract,
    /// `*`.
    Multiply,
    /// `/`, towards zero; fails for zero.
    Divide,
    /// `%`, with the sign of the left operand; fails for zero.
    Remainder,
    /// `**`.
    Power,
    /// `&`.
    BitAnd,
    /// `|`.
    BitOr,
    /// `^`.
    BitXor,
    /// `<<`; fails for a negative right operand.
    ShiftLeft,
    /// `>>`; fails for a negative right operand.
    ShiftRight,
    /// `<?`.
    Minimum,
    /// `>?`.
    Maximum,
    /// `&&`.
    And,
    /// `||`.
    Or,
    /// `imply`.
    Imply,
    /// `xor`: exactly one of two truth values.
    Xor,
    /// A comparison; `==` and `!=` also of scalars, records and arrays.
    Compare(Comparison),
}

/// A comparison.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Comparison {
    /// `<`.
    Less,
    /// `<=`.
    LessOrEqual,
    /// `==`.
    Equal,
    /// `!=`.
    NotEqual,
    /// `>=`.
    GreaterOrEqual,
    /// `>`.
    Greater,
}

impl Comparison {
    /// Returns the comparison for exchanged operands.
    pub fn flipped(self) -> Comparison {
        match self {
            Comparison::Less => Comparison::Greater,
            Comparison::LessOrEqual => Comparison::GreaterOrEqual,
            Comparison::GreaterOrEqual => Comparison::LessOrEqual,
            Comparison::Greater => Comparison::Less,
            Comparison::Equal | Comparison::NotEqual => self,
        }
    }

    /// Returns the negation of the comparison.
    pub fn negated(self) -> Comparison {
        match self {
            Comparison::Less => Comparison::GreaterOrEqual,
            Comparison::LessOrEqual => Comparison::Greater,
            Comparison::GreaterOrEqual => Comparison::Less,
            Comparison::Greater => Comparison::LessOrEqual,
            Comparison::Equal => Comparison::NotEqual,
            Comparison::NotEqual => Comparison::Equal,
        }
    }

    /// Returns whether it holds for values in this order.
    pub fn holds(self, order: std::cmp::Ordering) -> bool {
        match self {
            Comparison::Less => order.is_lt(),
            Comparison::LessOrEqual => order.is_le(),
            Comparison::Equal => order.is_eq(),
            Comparison::NotEqual => order.is_ne(),
            Comparison::GreaterOrEqual => order.is_ge(),
            Comparison::Greater => order.is_gt(),
        }
    }

    /// Returns the operator of the language.
    pub fn symbol(self) -> &'static str {
        match self {
            Comparison::Less => "<",
            Comparison::LessOrEqual => "<=",
            Comparison::Equal => "==",
            Comparison::NotEqual => "!=",
            Comparison::GreaterOrEqual => ">=",
            Comparison::Greater => ">",
        }
    }
}

/// A function of the model.
#[derive(Clone, PartialEq, Debug)]
pub struct Function {
    /// Its name, without that of its process.
    pub name: String,
    /// The process that it belongs to.
    pub owner: Option<ProcessId>,
    /// The parameters; the first locals.
    pub parameters: Vec<Parameter>,
    /// The type of its result.
    pub result: Type,
    /// Its statements.
    pub body: Vec<Statement>,
    /// Its origin in the text.
    pub origin: Origin,
}

/// A parameter of a function.
#[derive(Clone, PartialEq, Debug)]
pub struct Parameter {
    /// Its name.
    pub name: String,
    /// Its type.
    pub value_type: Type,
    /// Whether assignments to it change the argument.
    pub is_reference: bool,
    /// Its number.
    pub local: LocalId,
}

/// A statement of a function.
#[derive(Clone, PartialEq, Debug)]
pub enum Statement {
    /// Declares a local variable.
    Declare {
        /// Its name.
        name: String,
        /// Its number.
        local: LocalId,
        /// Its type.
        value_type: Type,
        /// Its initial value.
        initial: LocalInitial,
        /// Its origin in the text.
        origin: Origin,
    },
    /// Evaluates an expression for its side effects.
    Evaluate(Expression),
    /// Several statements.
    Block(Vec<Statement>),
    /// A conditional statement.
    If {
        /// The condition.
        condition: Expression,
        /// The statement if it holds.
        then: Box<Statement>,
        /// The statement if it does not hold.
        otherwise: Option<Box<Statement>>,
    },
    /// A loop with the test at the start; also a `for` loop, with its step at the end of the body.
    While {
        /// The condition.
        condition: Expression,
        /// The body.
        body: Box<Statement>,
    },
    /// A loop with the test at the end.
    DoWhile {
        /// The body.
        body: Box<Statement>,
        /// The condition.
        condition: Expression,
    },
    /// A loop over a range or set.
    ForEach {
        /// The name bound to each value.
        binder: Binder,
        /// The body.
        body: Box<Statement>,
    },
    /// Leaves the function.
    Return(Option<Expression>, Origin),
    /// Fails if the condition does not hold.
    Assert(Expression),
}

/// The initial value of a local variable.
#[derive(Clone, PartialEq, Debug)]
pub enum LocalInitial {
    /// A constant.
    Constant(Value),
    /// The value of an expression, evaluated at each declaration.
    Computed(Expression),
}
