//! Sorts of terms.
//!
//! Invariant: an enumeration is identified by its id in the store of terms that declared it.

use std::sync::Arc;

use crate::{EnumerationId, FloatFormat};

/// The sort of a term.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Sort {
    /// Truth values.
    Boolean,
    /// Mathematical integers.
    Integer,
    /// Mathematical reals; their values are rational.
    Real,
    /// Bit vectors of a width.
    BitVector(u32),
    /// Floating point numbers of a format.
    Float(FloatFormat),
    /// An enumeration.
    Enumeration(EnumerationId),
    /// Total maps from one sort to another.
    Array(Arc<ArraySort>),
}

/// The sort of total maps from one sort to another.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct ArraySort {
    /// The sort of indexes.
    pub index: Sort,
    /// The sort of elements.
    pub element: Sort,
}

/// An enumeration.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Enumeration {
    /// Its name.
    pub name: String,
    /// The names of its literals, at least one.
    pub literals: Vec<String>,
}

impl Sort {
    /// Returns the sort of maps between two sorts.
    pub fn array(index: Sort, element: Sort) -> Sort {
        Sort::Array(Arc::new(ArraySort { index, element }))
    }

    /// Returns whether it is a sort of numbers.
    pub fn is_numeric(&self) -> bool {
        matches!(self, Sort::Integer | Sort::Real)
    }
}
