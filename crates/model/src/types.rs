//! Types after all names, sizes and ranges have been worked out, and constant values of them.
//!
//! Invariant: ranges and sizes are numbers; two types are equal exactly if values of them may be assigned to each
//! other as wholes. Records and arrays are shared, so a type is cheap to clone.

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
    /// A floating point number; engines over zones do not let it influence a verdict.
    Double,
    /// A text, as in the path of a library.
    Text,
    /// A clock; also the type of a clock plus or minus an integer.
    Clock,
    /// The difference of two clocks, plus or minus an integer.
    ClockDifference,
    /// A channel.
    Channel(ChannelKind),
    /// An element of a set of scalars: compared and used as an index, nothing else.
    Scalar(ScalarSetId),
    /// An array.
    Array(Arc<ArrayType>),
    /// A record.
    Record(Arc<RecordType>),
    /// What a function without result returns.
    Void,
    /// A condition on clocks.
    Condition(ConditionCategory),
}

/// The bounds of an integer type, both included; `least <= greatest`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Range {
    /// The smallest value.
    pub least: i32,
    /// The largest value.
    pub greatest: i32,
}

/// What distinguishes channels.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct ChannelKind {
    /// No time passes while a synchronisation on the channel is enabled.
    pub is_urgent: bool,
    /// One sender, all receivers that can.
    pub is_broadcast: bool,
}

/// An array type.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct ArrayType {
    /// The type of the elements.
    pub element: Type,
    /// The type of the index; its values number the elements from the least up.
    pub index: IndexType,
}

/// What an array is indexed by, or what a bound name runs over.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum IndexType {
    /// The integers of a range.
    Range(Range),
    /// The scalars of a set of this size.
    Scalars {
        /// Which set.
        set: ScalarSetId,
        /// How many elements it has.
        size: u32,
    },
}

/// A record type; the order of the fields counts, and so do their names.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct RecordType {
    /// The fields in the order of their declaration.
    pub fields: Vec<Field>,
    /// Whether it has clocks, and only statistics may look at them.
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

/// What a condition on clocks may be used for; each category includes the ones before it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum ConditionCategory {
    /// A conjunction of bounds: in invariants, guards and queries.
    Invariant,
    /// With equalities: in guards and queries.
    Guard,
    /// With negation and disjunction of bounds: in queries only.
    Constraint,
}

impl Range {
    /// The range of `int` without bounds.
    pub const DEFAULT: Range = Range { least: -32768, greatest: 32767 };
    /// The range of intermediate results.
    pub const WORD: Range = Range { least: i32::MIN, greatest: i32::MAX };

    /// Whether the value is in the range.
    pub fn contains(self, value: i64) -> bool {
        (i64::from(self.least)..=i64::from(self.greatest)).contains(&value)
    }

    /// The number of values.
    pub fn size(self) -> u64 {
        (i64::from(self.greatest) - i64::from(self.least)) as u64 + 1
    }
}

impl IndexType {
    /// The values, as integers, from the least up.
    pub fn values(&self) -> std::ops::RangeInclusive<i32> {
        match *self {
            IndexType::Range(range) => range.least..=range.greatest,
            IndexType::Scalars { size, .. } => 0..=i32::try_from(size).unwrap_or(i32::MAX) - 1,
        }
    }

    /// The number of values.
    pub fn size(&self) -> u64 {
        match self {
            IndexType::Range(range) => range.size(),
            IndexType::Scalars { size, .. } => u64::from(*size),
        }
    }

    /// The type of a name that runs over the values.
    pub fn element_type(&self) -> Type {
        match *self {
            IndexType::Range(range) => Type::Integer(range),
            IndexType::Scalars { set, .. } => Type::Scalar(set),
        }
    }

    /// The position of a value, `None` if it is none of the values.
    pub fn position(&self, value: i32) -> Option<usize> {
        let values = self.values();
        values.contains(&value).then(|| (i64::from(value) - i64::from(*values.start())) as usize)
    }
}

impl Type {
    /// Whether it has clocks inside of records, and only statistics may look at them.
    pub fn is_hybrid(&self) -> bool {
        match self {
            Type::Record(record) => record.is_hybrid,
            Type::Array(array) => array.element.is_hybrid(),
            _ => false,
        }
    }

    /// Whether values are integers or truth values, which may stand for each other.
    pub fn is_integral(&self) -> bool {
        matches!(self, Type::Integer(_) | Type::Boolean)
    }

    /// The number of integers, clocks and channels that a value consists of.
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

    /// Whether a part of a value satisfies the condition.
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

    /// Whether a value is a clock or has one inside.
    pub fn has_clocks(&self) -> bool {
        self.any_part(&|part| matches!(part, Type::Clock))
    }

    /// Whether a value is a channel or has one inside.
    pub fn has_channels(&self) -> bool {
        self.any_part(&|part| matches!(part, Type::Channel(_)))
    }
}

/// A constant of some type. Truth values are 0 and 1; scalars are their numbers.
#[derive(Clone, PartialEq, Debug)]
pub enum Value {
    /// An integer, truth value or scalar.
    Integer(i32),
    /// A floating point number.
    Double(f64),
    /// The elements of an array or the fields of a record; clocks and channels in them are [`Value::None`].
    Parts(Vec<Value>),
    /// A clock or a channel: nothing that is stored with the other values.
    None,
}

impl Value {
    /// The value that a variable has if none is written: zero, or the least value of a range without zero.
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

    /// The integer, if it is one.
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
