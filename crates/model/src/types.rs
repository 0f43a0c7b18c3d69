//! Elaborated types and their constant values.
//!
//! Invariant: ranges and sizes are numbers; two types are equal exactly if whole values of them may be assigned to
//! each other. Records and arrays are shared, so a type is cheap to clone.

use std::fmt;
use std::sync::Arc;

use crate::ScalarSetId;

/// The type of a variable or of an expression.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Type {
    /// An integer in a range.
    Integer(Range),
    /// 0 or 1.
    Boolean,
    /// A floating point number; verdicts of engines over zones never depend on it.
    Double,
    /// A string, such as the path of a library.
    Text,
    /// A clock; also the type of a clock plus or minus an integer.
    Clock,
    /// The difference of two clocks, plus or minus an integer.
    ClockDifference,
    /// A channel.
    Channel(ChannelKind),
    /// An element of a scalar set: it can only be compared and used as an index.
    Scalar(ScalarSetId),
    /// An array.
    Array(Arc<ArrayType>),
    /// A record.
    Record(Arc<RecordType>),
    /// The result of a function without one.
    Void,
    /// A clock condition.
    Condition(ConditionCategory),
}

/// The inclusive bounds of an integer type; `least <= greatest`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Range {
    /// The smallest value.
    pub least: i32,
    /// The largest value.
    pub greatest: i32,
}

/// The kind of a channel.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct ChannelKind {
    /// No time passes while a synchronisation on the channel is enabled.
    pub is_urgent: bool,
    /// One sender synchronises with all enabled receivers.
    pub is_broadcast: bool,
}

/// An array type.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct ArrayType {
    /// The type of the elements.
    pub element: Type,
    /// The type of the index; its values number the elements in ascending order.
    pub index: IndexType,
}

/// The type of an array index, or of a name bound by a select, quantifier or loop.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum IndexType {
    /// The integers of a range.
    Range(Range),
    /// The scalars of a set of this size.
    Scalars {
        /// The set.
        set: ScalarSetId,
        /// The number of its elements.
        size: u32,
    },
}

/// A record type; the order and the names of the fields are significant.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct RecordType {
    /// The fields in the order of their declaration.
    pub fields: Vec<Field>,
    /// Whether it has clocks that only statistical queries may observe.
    pub is_hybrid: bool,
}

/// A field of a record.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Field {
    /// Its name.
    pub name: String,
    /// Its type.
    pub field_type: Type,
}

/// The places in which a clock condition is allowed; each category includes the ones before it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum ConditionCategory {
    /// A conjunction of bounds: allowed in invariants, guards and queries.
    Invariant,
    /// With equalities: allowed in guards and queries.
    Guard,
    /// With negation or disjunction of bounds: allowed in queries only.
    Constraint,
}

impl Range {
    /// The range of `int` without bounds.
    pub const DEFAULT: Range = Range { least: -32768, greatest: 32767 };
    /// The range of intermediate results.
    pub const WORD: Range = Range { least: i32::MIN, greatest: i32::MAX };

    /// Returns whether the value is in the range.
    pub fn contains(self, value: i64) -> bool {
        (i64::from(self.least)..=i64::from(self.greatest)).contains(&value)
    }

    /// Returns the number of values.
    pub fn size(self) -> u64 {
        (i64::from(self.greatest) - i64::from(self.least)) as u64 + 1
    }
}

impl IndexType {
    /// Returns the values as integers, in ascending order.
    pub fn values(&self) -> std::ops::RangeInclusive<i32> {
        match *self {
            IndexType::Range(range) => range.least..=range.greatest,
            IndexType::Scalars { size, .. } => 0..=i32::try_from(size).unwrap_or(i32::MAX) - 1,
        }
    }

    /// Returns the number of values.
    pub fn size(&self) -> u64 {
        match self {
            IndexType::Range(range) => range.size(),
            IndexType::Scalars { size, .. } => u64::from(*size),
        }
    }

    /// Returns the type of a name bound to the values.
    pub fn element_type(&self) -> Type {
        match *self {
            IndexType::Range(range) => Type::Integer(range),
            IndexType::Scalars { set, .. } => Type::Scalar(set),
        }
    }

    /// Returns the position of a value; `None` if the value is out of range.
    pub fn position(&self, value: i32) -> Option<usize> {
        let values = self.values();
        values.contains(&value).then(|| (i64::from(value) - i64::from(*values.start())) as usize)
    }
}

impl Type {
    /// Returns whether it has clocks in records that only statistical queries may observe.
    pub fn is_hybrid(&self) -> bool {
        match self {
            Type::Record(record) => record.is_hybrid,
            Type::Array(array) => array.element.is_hybrid(),
            _ => false,
        }
    }

    /// Returns whether values are integers or truth values, which convert to each other.
    pub fn is_integral(&self) -> bool {
        matches!(self, Type::Integer(_) | Type::Boolean)
    }

    /// Returns the number of integers, clocks and channels that a value consists of.
    pub fn cells(&self) -> u64 {
        match self {
            Type::Array(array) => array.element.cells().saturating_mul(array.index.size()),
            Type::Record(record) => {
                record.fields.iter().fold(0u64, |cells, field| cells.saturating_add(field.field_type.cells()))
            }
            Type::Void | Type::Text => 0,
            _ => 1,
        }
    }

    /// Returns the number of types that it consists of, itself included; counts no further than the limit. A shared
    /// record counts each time it occurs, because traversals visit it each time.
    pub fn parts_up_to(&self, limit: u64) -> u64 {
        let inner = limit.saturating_sub(1);
        let parts = match self {
            _ if limit == 0 => 0,
            Type::Array(array) => array.element.parts_up_to(inner),
            Type::Record(record) => record.fields.iter().fold(0, |parts: u64, field| {
                parts.saturating_add(field.field_type.parts_up_to(inner.saturating_sub(parts)))
            }),
            _ => 0,
        };
        parts.saturating_add(1).min(limit)
    }

    /// Returns whether a part of a value satisfies the condition.
    pub fn any_part(&self, condition: &impl Fn(&Type) -> bool) -> bool {
        condition(self)
            || match self {
                Type::Array(array) => array.element.any_part(condition),
                Type::Record(record) => {
                    record.fields.iter().any(|field| field.field_type.any_part(condition))
                }
                _ => false,
            }
    }

    /// Returns whether a value is or contains a clock.
    pub fn has_clocks(&self) -> bool {
        self.any_part(&|part| matches!(part, Type::Clock))
    }

    /// Returns whether a value is or contains a channel.
    pub fn has_channels(&self) -> bool {
        self.any_part(&|part| matches!(part, Type::Channel(_)))
    }
}

/// A constant value. Truth values are 0 and 1; scalars are their numbers.
#[derive(Clone, PartialEq, Debug)]
pub enum Value {
    /// An integer, truth value or scalar.
    Integer(i32),
    /// A floating point number.
    Double(f64),
    /// The elements of an array or the fields of a record; clocks and channels in them are [`Value::None`].
    Parts(Vec<Value>),
    /// A clock or a channel, which has no stored value.
    None,
}

impl Value {
    /// Returns the default initial value: zero, or the value of the range that is nearest to zero.
    pub fn default_of(value_type: &Type) -> Value {
        match value_type {
            Type::Integer(range) => Value::Integer(0i32.clamp(range.least, range.greatest)),
            Type::Boolean | Type::Scalar(_) => Value::Integer(0),
            Type::Double => Value::Double(0.0),
            Type::Array(array) => {
                let count = usize::try_from(array.index.size()).unwrap_or(usize::MAX);
                Value::Parts(vec![Value::default_of(&array.element); count])
            }
            Type::Record(record) => {
                Value::Parts(record.fields.iter().map(|field| Value::default_of(&field.field_type)).collect())
            }
            _ => Value::None,
        }
    }

    /// Returns the integer, if the value is one.
    pub fn as_integer(&self) -> Option<i32> {
        match self {
            Value::Integer(value) => Some(*value),
            _ => None,
        }
    }
}

impl fmt::Display for Value {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Integer(value) => write!(formatter, "{value}"),
            Value::Double(value) => write!(formatter, "{value:?}"),
            Value::Parts(parts) => {
                formatter.write_str("{ ")?;
                for (position, part) in parts.iter().enumerate() {
                    write!(formatter, "{}{part}", if position == 0 { "" } else { ", " })?;
                }
                formatter.write_str(" }")
            }
            Value::None => formatter.write_str("-"),
        }
    }
}
