//! Values of terms.
//!
//! Invariant: equal values are structurally equal: integers and arrays have unique normal forms.

use std::collections::BTreeMap;
use std::sync::Arc;

use num_bigint::BigInt;
use num_rational::BigRational;

use crate::{BitVector, EnumerationId, Float, Integer, Sort, TermStore};

/// A value.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Value {
    /// A truth value.
    Boolean(bool),
    /// An integer.
    Integer(Integer),
    /// A rational number.
    Real(Box<BigRational>),
    /// A bit vector.
    Bits(BitVector),
    /// A floating point number.
    Float(Box<Float>),
    /// A literal of an enumeration, by position.
    Enumerator(EnumerationId, u32),
    /// A map.
    Array(Arc<ArrayValue>),
}

/// A total map with finitely many exceptions.
///
/// If the index has finitely many values, the exceptions are the indexes with an element other than that of the first
/// index, which is the rest: so every map has one representation.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct ArrayValue {
    index: Sort,
    /// The number of values of the index, if it is finite.
    index_count: Option<u32>,
    rest: Value,
    exceptions: BTreeMap<Value, Value>,
}

impl ArrayValue {
    /// Returns the map with the same element everywhere.
    pub fn constant(store: &TermStore, index: Sort, rest: Value) -> ArrayValue {
        let index_count = match &index {
            Sort::Boolean => Some(2),
            Sort::Enumeration(id) => u32::try_from(store.enumeration(*id).literals.len()).ok(),
            // Wider indexes count as infinite.
            Sort::BitVector(width) if *width <= 12 => Some(1 << width),
            _ => None,
        };
        ArrayValue { index, index_count, rest, exceptions: BTreeMap::new() }
    }

    /// Returns the sort of the index.
    pub fn index_sort(&self) -> &Sort {
        &self.index
    }

    /// Returns the element of all other indexes.
    pub fn rest(&self) -> &Value {
        &self.rest
    }

    /// Returns the indexes with an element other than the rest.
    pub fn exceptions(&self) -> &BTreeMap<Value, Value> {
        &self.exceptions
    }

    /// Returns the element at an index.
    pub fn select(&self, index: &Value) -> &Value {
        self.exceptions.get(index).unwrap_or(&self.rest)
    }

    /// Returns the map with one element replaced.
    pub fn store(&self, index: Value, element: Value) -> ArrayValue {
        let mut changed = self.clone();
        if element == changed.rest {
            changed.exceptions.remove(&index);
        } else {
            changed.exceptions.insert(index, element);
        }
        changed.normalise();
        changed
    }

    fn normalise(&mut self) {
        let Some(count) = self.index_count else { return };
        let index_at = |position: u32| match &self.index {
            Sort::Enumeration(id) => Value::Enumerator(*id, position),
            Sort::BitVector(width) => Value::bits(*width, i64::from(position)),
            _ => Value::Boolean(position == 1),
        };
        let rest = self.select(&index_at(0)).clone();
        if rest == self.rest {
            return;
        }
        let exceptions = (1..count)
            .map(index_at)
            .map(|index| (index.clone(), self.select(&index).clone()))
            .filter(|(_, element)| *element != rest)
            .collect();
        self.exceptions = exceptions;
        self.rest = rest;
    }
}

impl Value {
    /// Creates a small integer.
    pub fn integer(value: i64) -> Value {
        Value::Integer(Integer::from(value))
    }

    /// Creates a bit vector with the lowest bits of a number; of width one for an invalid width.
    pub fn bits(width: u32, number: i64) -> Value {
        let number = BigInt::from(number);
        let allowed = width.clamp(1, crate::WIDEST_BIT_VECTOR);
        BitVector::new(allowed, &number).map_or(Value::Boolean(false), Value::Bits)
    }

    /// Returns the truth value, if it is one.
    pub fn as_boolean(&self) -> Option<bool> {
        match self {
            Value::Boolean(value) => Some(*value),
            _ => None,
        }
    }

    /// Returns the integer, if it is one.
    pub fn as_integer(&self) -> Option<&Integer> {
        match self {
            Value::Integer(value) => Some(value),
            _ => None,
        }
    }

    /// Returns its sort.
    pub fn sort(&self) -> Sort {
        match self {
            Value::Boolean(_) => Sort::Boolean,
            Value::Integer(_) => Sort::Integer,
            Value::Real(_) => Sort::Real,
            Value::Bits(bits) => Sort::BitVector(bits.width()),
            Value::Float(float) => Sort::Float(float.format()),
            Value::Enumerator(id, _) => Sort::Enumeration(*id),
            Value::Array(array) => Sort::array(array.index.clone(), array.rest.sort()),
        }
    }

    /// Returns a fixed value of a sort.
    pub fn default_of(store: &TermStore, sort: &Sort) -> Value {
        match sort {
            Sort::Boolean => Value::Boolean(false),
            Sort::Integer => Value::integer(0),
            Sort::Real => Value::Real(Box::default()),
            Sort::BitVector(width) => Value::bits(*width, 0),
            Sort::Float(format) => Value::Float(Box::new(Float::zero(*format))),
            Sort::Enumeration(id) => Value::Enumerator(*id, 0),
            Sort::Array(array) => {
                let rest = Value::default_of(store, &array.element);
                Value::Array(Arc::new(ArrayValue::constant(store, array.index.clone(), rest)))
            }
        }
    }

    /// Returns all values of a sort, up to a limit on their number.
    pub fn all_of(store: &TermStore, sort: &Sort, limit: usize) -> Option<Vec<Value>> {
        match sort {
            Sort::Boolean => Some(vec![Value::Boolean(false), Value::Boolean(true)]),
            Sort::Enumeration(id) => {
                let count = store.enumeration(*id).literals.len();
                if count > limit {
                    return None;
                }
                Some((0..u32::try_from(count).ok()?).map(|literal| Value::Enumerator(*id, literal)).collect())
            }
            Sort::BitVector(width) => {
                let count = 1usize.checked_shl(*width).filter(|count| *count <= limit && *width < 60)?;
                Some((0..count).map(|number| Value::bits(*width, number as i64)).collect())
            }
            Sort::Float(format) => {
                let floats = Float::all_of(*format, limit)?;
                Some(floats.into_iter().map(|float| Value::Float(Box::new(float))).collect())
            }
            Sort::Integer | Sort::Real | Sort::Array(_) => None,
        }
    }

    /// Returns the value as text, with numbers and names in the notation of users.
    pub fn describe(&self, store: &TermStore) -> String {
        match self {
            Value::Boolean(value) => value.to_string(),
            Value::Integer(value) => value.to_string(),
            Value::Real(value) => value.to_string(),
            Value::Bits(bits) => format!("{}'b{}", bits.width(), bits.digits()),
            Value::Float(float) => float.describe(),
            Value::Enumerator(id, literal) => store.literal_name(*id, *literal).to_owned(),
            Value::Array(array) => {
                let mut parts: Vec<String> = array
                    .exceptions
                    .iter()
                    .map(|(index, element)| {
                        format!("{} <- {}", index.describe(store), element.describe(store))
                    })
                    .collect();
                parts.push(format!("default <- {}", array.rest.describe(store)));
                format!("[{}]", parts.join(", "))
            }
        }
    }
}
