//! Values of variables in runs of networks and symbolic systems.
//!
//! Invariant: a value is owned data without ids, and its text is the text shown to users.

use std::fmt;

use serde::{Serialize, Serializer};
use tempora_smt::{Integer, TermStore, Value};

/// A value of a variable.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ShownValue {
    /// A Boolean.
    Boolean(bool),
    /// An integer or a scalar.
    Integer(#[serde(serialize_with = "as_text")] Integer),
    /// A floating-point number of a network.
    Double(f64),
    /// A rational number in lowest terms.
    Rational {
        /// The numerator.
        #[serde(serialize_with = "as_text")]
        numerator: Integer,
        /// The denominator, which is positive.
        #[serde(serialize_with = "as_text")]
        denominator: Integer,
    },
    /// A literal of an enumeration.
    Literal(String),
    /// A bit vector or a floating-point number of a symbolic system, as text.
    Machine(String),
    /// A map from indices to elements.
    Map(Box<ShownMap>),
}

/// A total map with finitely many exceptions.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct ShownMap {
    /// The indices and elements that differ from the rest.
    pub entries: Vec<(ShownValue, ShownValue)>,
    /// The element of all other indices.
    pub rest: ShownValue,
}

impl ShownValue {
    /// Converts a value of a symbolic system, whose store has the names of literals.
    pub(crate) fn of_symbolic(store: &TermStore, value: &Value) -> ShownValue {
        match value {
            Value::Boolean(value) => ShownValue::Boolean(*value),
            Value::Integer(value) => ShownValue::Integer(value.clone()),
            Value::Real(value) => ShownValue::Rational {
                numerator: Integer::from(value.numer().clone()),
                denominator: Integer::from(value.denom().clone()),
            },
            Value::Enumerator(id, literal) => {
                ShownValue::Literal(store.literal_name(*id, *literal).to_owned())
            }
            Value::Bits(_) | Value::Float(_) => ShownValue::Machine(value.describe(store)),
            Value::Array(array) => {
                let shown = |value: &Value| ShownValue::of_symbolic(store, value);
                let entries =
                    array.exceptions().iter().map(|(index, element)| (shown(index), shown(element)));
                ShownValue::Map(Box::new(ShownMap { entries: entries.collect(), rest: shown(array.rest()) }))
            }
        }
    }
}

impl ShownValue {
    /// Returns whether two values have the same text; unlike with `==`, every floating-point number equals itself.
    pub(crate) fn is_same(&self, other: &ShownValue) -> bool {
        match (self, other) {
            (ShownValue::Double(left), ShownValue::Double(right)) => left.to_bits() == right.to_bits(),
            (left, right) => left == right,
        }
    }
}

impl fmt::Display for ShownValue {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ShownValue::Boolean(value) => write!(formatter, "{value}"),
            ShownValue::Integer(value) => write!(formatter, "{value}"),
            ShownValue::Double(value) => write!(formatter, "{value:?}"),
            ShownValue::Rational { numerator, denominator } if *denominator == Integer::from(1) => {
                write!(formatter, "{numerator}")
            }
            ShownValue::Rational { numerator, denominator } => write!(formatter, "{numerator}/{denominator}"),
            ShownValue::Literal(text) | ShownValue::Machine(text) => formatter.write_str(text),
            ShownValue::Map(map) => {
                formatter.write_str("[")?;
                for (index, element) in &map.entries {
                    write!(formatter, "{index} <- {element}, ")?;
                }
                write!(formatter, "default <- {}]", map.rest)
            }
        }
    }
}

fn as_text<S: Serializer>(value: &Integer, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(value)
}
