//! Translates operators of the syntax tree, and defines the built-in constants.

use crate::expression::{BinaryOperator, Comparison};
use crate::types::{Range, Type, Value};
use tempora_syntax::ast;

/// Translates a binary operator.
pub(super) fn binary_operator(operator: ast::BinaryOperator) -> BinaryOperator {
    match operator {
        ast::BinaryOperator::Imply => BinaryOperator::Imply,
        ast::BinaryOperator::Or => BinaryOperator::Or,
        ast::BinaryOperator::Xor => BinaryOperator::Xor,
        ast::BinaryOperator::And => BinaryOperator::And,
        ast::BinaryOperator::BitOr => BinaryOperator::BitOr,
        ast::BinaryOperator::BitXor => BinaryOperator::BitXor,
        ast::BinaryOperator::BitAnd => BinaryOperator::BitAnd,
        ast::BinaryOperator::Equal => BinaryOperator::Compare(Comparison::Equal),
        ast::BinaryOperator::NotEqual => BinaryOperator::Compare(Comparison::NotEqual),
        ast::BinaryOperator::Less => BinaryOperator::Compare(Comparison::Less),
        ast::BinaryOperator::LessEqual => BinaryOperator::Compare(Comparison::LessOrEqual),
        ast::BinaryOperator::GreaterEqual => BinaryOperator::Compare(Comparison::GreaterOrEqual),
        ast::BinaryOperator::Greater => BinaryOperator::Compare(Comparison::Greater),
        ast::BinaryOperator::Minimum => BinaryOperator::Minimum,
        ast::BinaryOperator::Maximum => BinaryOperator::Maximum,
        ast::BinaryOperator::ShiftLeft => BinaryOperator::ShiftLeft,
        ast::BinaryOperator::ShiftRight => BinaryOperator::ShiftRight,
        ast::BinaryOperator::Add => BinaryOperator::Add,
        ast::BinaryOperator::Subtract => BinaryOperator::Subtract,
        ast::BinaryOperator::Multiply => BinaryOperator::Multiply,
        ast::BinaryOperator::Divide => BinaryOperator::Divide,
        ast::BinaryOperator::Remainder => BinaryOperator::Remainder,
        ast::BinaryOperator::Power => BinaryOperator::Power,
    }
}

/// Returns the operator of a compound assignment; `None` for a plain one.
pub(super) fn assignment_operator(operator: ast::AssignmentOperator) -> Option<BinaryOperator> {
    match operator {
        ast::AssignmentOperator::Assign | ast::AssignmentOperator::ColonAssign => None,
        ast::AssignmentOperator::Add => Some(BinaryOperator::Add),
        ast::AssignmentOperator::Subtract => Some(BinaryOperator::Subtract),
        ast::AssignmentOperator::Multiply => Some(BinaryOperator::Multiply),
        ast::AssignmentOperator::Divide => Some(BinaryOperator::Divide),
        ast::AssignmentOperator::Remainder => Some(BinaryOperator::Remainder),
        ast::AssignmentOperator::BitAnd => Some(BinaryOperator::BitAnd),
        ast::AssignmentOperator::BitOr => Some(BinaryOperator::BitOr),
        ast::AssignmentOperator::BitXor => Some(BinaryOperator::BitXor),
        ast::AssignmentOperator::ShiftLeft => Some(BinaryOperator::ShiftLeft),
        ast::AssignmentOperator::ShiftRight => Some(BinaryOperator::ShiftRight),
    }
}

/// Returns the built-in constant with this name; a declaration in the model hides it.
pub(super) fn built_in_constant(name: &str) -> Option<(Value, Type)> {
    use std::f64::consts;
    let integer = match name {
        "INT8_MIN" => Some(i32::from(i8::MIN)),
        "INT8_MAX" => Some(i32::from(i8::MAX)),
        "UINT8_MAX" => Some(i32::from(u8::MAX)),
        "INT16_MIN" => Some(i32::from(i16::MIN)),
        "INT16_MAX" => Some(i32::from(i16::MAX)),
        "UINT16_MAX" => Some(i32::from(u16::MAX)),
        "INT32_MIN" => Some(i32::MIN),
        "INT32_MAX" => Some(i32::MAX),
        _ => None,
    };
    if let Some(value) = integer {
        return Some((Value::Integer(value), Type::Integer(Range { least: value, greatest: value })));
    }
    let double = match name {
        "FLT_MIN" => f64::from(f32::MIN_POSITIVE),
        "FLT_MAX" => f64::from(f32::MAX),
        "DBL_MIN" => f64::MIN_POSITIVE,
        "DBL_MAX" => f64::MAX,
        "M_PI" => consts::PI,
        "M_PI_2" => consts::FRAC_PI_2,
        "M_PI_4" => consts::FRAC_PI_4,
        "M_E" => consts::E,
        "M_LOG2E" => consts::LOG2_E,
        "M_LOG10E" => consts::LOG10_E,
        "M_LN2" => consts::LN_2,
        "M_LN10" => consts::LN_10,
        "M_1_PI" => consts::FRAC_1_PI,
        "M_2_PI" => consts::FRAC_2_PI,
        "M_2_SQRTPI" => consts::FRAC_2_SQRT_PI,
        "M_SQRT2" => consts::SQRT_2,
        "M_SQRT1_2" => consts::FRAC_1_SQRT_2,
        _ => return None,
    };
    Some((Value::Double(double), Type::Double))
}
