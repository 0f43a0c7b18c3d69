//! The precedence table of UPPAAL, shared by the parser and the printer.
//!
//! Larger numbers bind tighter. Binary operators associate to the left, assignments and `?:` to the right.

use super::ast::{AssignmentOperator, BinaryOperator, Spelling};
use super::token::{Symbol, TokenKind, Word};

pub(crate) const LOWEST: u8 = 1;
pub(crate) const ASSIGNMENT: u8 = 3;
pub(crate) const CONDITIONAL: u8 = 4;
/// `U`, `W` and `R` between path formulas, below all operators of state formulas.
pub(crate) const UNTIL: u8 = 5;
pub(crate) const OR: u8 = 6;
const AND: u8 = 7;
const BIT_OR: u8 = 8;
const BIT_XOR: u8 = 9;
const BIT_AND: u8 = 10;
const EQUALITY: u8 = 11;
pub(crate) const COMPARISON: u8 = 12;
const EXTREMUM: u8 = 13;
const SHIFT: u8 = 14;
const SUM: u8 = 15;
const PRODUCT: u8 = 16;
const POWER: u8 = 17;
pub(crate) const UNARY: u8 = 18;
/// `[i]`, `.m`, `(a)`, `'`, `++` after an operand, and primary expressions.
pub(crate) const POSTFIX: u8 = 19;

/// Returns the binary operator of a token.
pub(crate) fn binary_operator(kind: TokenKind, text: &str) -> Option<(BinaryOperator, Spelling, u8)> {
    let (operator, spelling) = match kind {
        TokenKind::Word(Word::And) => (BinaryOperator::And, Spelling::Word),
        TokenKind::Word(Word::Or) => (BinaryOperator::Or, Spelling::Word),
        TokenKind::Word(Word::Imply) => (BinaryOperator::Imply, Spelling::Word),
        TokenKind::Name if text == "xor" => (BinaryOperator::Xor, Spelling::Word),
        TokenKind::Symbol(symbol) => {
            let operator = SYMBOLS.iter().find(|entry| entry.0 == symbol)?.1;
            (operator, Spelling::Symbol)
        }
        _ => return None,
    };
    Some((operator, spelling, binary_level(operator)))
}

const SYMBOLS: &[(Symbol, BinaryOperator)] = &[
    (Symbol::AndAnd, BinaryOperator::And),
    (Symbol::OrOr, BinaryOperator::Or),
    (Symbol::EqualEqual, BinaryOperator::Equal),
    (Symbol::NotEqual, BinaryOperator::NotEqual),
    (Symbol::Less, BinaryOperator::Less),
    (Symbol::LessEqual, BinaryOperator::LessEqual),
    (Symbol::GreaterEqual, BinaryOperator::GreaterEqual),
    (Symbol::Greater, BinaryOperator::Greater),
    (Symbol::Plus, BinaryOperator::Add),
    (Symbol::Minus, BinaryOperator::Subtract),
    (Symbol::Times, BinaryOperator::Multiply),
    (Symbol::Divide, BinaryOperator::Divide),
    (Symbol::Remainder, BinaryOperator::Remainder),
    (Symbol::Bar, BinaryOperator::BitOr),
    (Symbol::Caret, BinaryOperator::BitXor),
    (Symbol::Ampersand, BinaryOperator::BitAnd),
    (Symbol::Minimum, BinaryOperator::Minimum),
    (Symbol::Maximum, BinaryOperator::Maximum),
    (Symbol::ShiftLeft, BinaryOperator::ShiftLeft),
    (Symbol::ShiftRight, BinaryOperator::ShiftRight),
    (Symbol::PowerOf, BinaryOperator::Power),
];

const ASSIGNMENTS: &[(Symbol, AssignmentOperator)] = &[
    (Symbol::Assign, AssignmentOperator::Assign),
    (Symbol::ColonAssign, AssignmentOperator::ColonAssign),
    (Symbol::PlusAssign, AssignmentOperator::Add),
    (Symbol::MinusAssign, AssignmentOperator::Subtract),
    (Symbol::TimesAssign, AssignmentOperator::Multiply),
    (Symbol::DivideAssign, AssignmentOperator::Divide),
    (Symbol::RemainderAssign, AssignmentOperator::Remainder),
    (Symbol::AndAssign, AssignmentOperator::BitAnd),
    (Symbol::OrAssign, AssignmentOperator::BitOr),
    (Symbol::XorAssign, AssignmentOperator::BitXor),
    (Symbol::ShiftLeftAssign, AssignmentOperator::ShiftLeft),
    (Symbol::ShiftRightAssign, AssignmentOperator::ShiftRight),
];

/// Returns the assignment operator of a token.
pub(crate) fn assignment_operator(kind: TokenKind) -> Option<AssignmentOperator> {
    let TokenKind::Symbol(symbol) = kind else { return None };
    ASSIGNMENTS.iter().find(|entry| entry.0 == symbol).map(|entry| entry.1)
}

/// Returns the precedence of an operator.
pub(crate) fn binary_level(operator: BinaryOperator) -> u8 {
    match operator {
        BinaryOperator::Imply | BinaryOperator::Or | BinaryOperator::Xor => OR,
        BinaryOperator::And => AND,
        BinaryOperator::BitOr => BIT_OR,
        BinaryOperator::BitXor => BIT_XOR,
        BinaryOperator::BitAnd => BIT_AND,
        BinaryOperator::Equal | BinaryOperator::NotEqual => EQUALITY,
        BinaryOperator::Less
        | BinaryOperator::LessEqual
        | BinaryOperator::GreaterEqual
        | BinaryOperator::Greater => COMPARISON,
        BinaryOperator::Minimum | BinaryOperator::Maximum => EXTREMUM,
        BinaryOperator::ShiftLeft | BinaryOperator::ShiftRight => SHIFT,
        BinaryOperator::Add | BinaryOperator::Subtract => SUM,
        BinaryOperator::Multiply | BinaryOperator::Divide | BinaryOperator::Remainder => PRODUCT,
        BinaryOperator::Power => POWER,
    }
}

/// Returns whether an operator connects truth values, so that it may also connect path formulas.
pub(crate) fn is_boolean(operator: BinaryOperator) -> bool {
    binary_level(operator) <= AND
}

/// Returns the text of an operator.
pub(crate) fn binary_text(operator: BinaryOperator, spelling: Spelling) -> &'static str {
    match (operator, spelling) {
        (BinaryOperator::Imply, _) => "imply",
        (BinaryOperator::Xor, _) => "xor",
        (BinaryOperator::And, Spelling::Word) => "and",
        (BinaryOperator::Or, Spelling::Word) => "or",
        _ => SYMBOLS.iter().find(|entry| entry.1 == operator).map_or("?", |entry| entry.0.text()),
    }
}

/// Returns the text of an assignment operator.
pub(crate) fn assignment_text(operator: AssignmentOperator) -> &'static str {
    ASSIGNMENTS.iter().find(|entry| entry.1 == operator).map_or("?", |entry| entry.0.text())
}
