//! Dense typed ids, and the tables that they index.
//!
//! Invariant: an id is only meaningful for the table that created it; ids count from zero without gaps, in the order of
//! creation, so that the order of iteration is deterministic.

use std::fmt;
use std::marker::PhantomData;
use std::ops::{Index, IndexMut};

/// A dense index of one kind of entry.
pub trait Id: Copy + Eq + Ord + fmt::Debug {
    /// Returns the id of the entry at this position.
    fn from_index(index: usize) -> Self;
    /// Returns the position.
    fn index(self) -> usize;
}

/// Declares typed ids, each with its documentation.
#[macro_export]
macro_rules! declare_ids {
    ($($(#[$attribute:meta])* $name:ident;)*) => {$(
        $(#[$attribute])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        pub struct $name(pub u32);

        impl $crate::Id for $name {
            fn from_index(index: usize) -> $name {
                // A table of more than four thousand million entries does not fit into memory.
                $name(u32::try_from(index).unwrap_or(u32::MAX))
            }

            fn index(self) -> usize {
                self.0 as usize
            }
        }
    )*};
}

/// A list indexed by one kind of id.
#[derive(Clone, PartialEq)]
pub struct Table<I, T> {
    entries: Vec<T>,
    id: PhantomData<fn(I) -> I>,
}

impl<I: Id, T> Table<I, T> {
    /// Creates an empty table.
    pub fn new() -> Table<I, T> {
        Table::default()
    }

    /// Adds an entry and returns its id.
    pub fn push(&mut self, entry: T) -> I {
        self.entries.push(entry);
        I::from_index(self.entries.len() - 1)
    }

    /// Returns the id of the next entry to be added.
    pub fn next_id(&self) -> I {
        I::from_index(self.entries.len())
    }

    /// Returns the number of entries.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Returns whether the table is empty.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Returns the entry; `None` for an id past the end.
    pub fn get(&self, id: I) -> Option<&T> {
        self.entries.get(id.index())
    }

    /// Returns all ids, in order.
    pub fn ids(&self) -> impl DoubleEndedIterator<Item = I> + ExactSizeIterator + use<I, T> {
        (0..self.entries.len()).map(I::from_index)
    }

    /// Returns all ids with their entries, in order.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = (I, &T)> + ExactSizeIterator {
        self.entries.iter().enumerate().map(|(index, entry)| (I::from_index(index), entry))
    }

    /// Returns all entries, in order.
    pub fn values(&self) -> std::slice::Iter<'_, T> {
        self.entries.iter()
    }

    /// Returns mutable references to all entries, in order.
    pub fn values_mut(&mut self) -> std::slice::IterMut<'_, T> {
        self.entries.iter_mut()
    }

    /// Consumes the table and returns its entries, in order.
    pub fn into_values(self) -> std::vec::IntoIter<T> {
        self.entries.into_iter()
    }
}

impl<I, T> Default for Table<I, T> {
    fn default() -> Table<I, T> {
        Table { entries: Vec::new(), id: PhantomData }
    }
}

impl<I: Id, T> Index<I> for Table<I, T> {
    type Output = T;

    fn index(&self, id: I) -> &T {
        &self.entries[id.index()]
    }
}

impl<I: Id, T> IndexMut<I> for Table<I, T> {
    fn index_mut(&mut self, id: I) -> &mut T {
        &mut self.entries[id.index()]
    }
}

impl<I: Id, T> FromIterator<T> for Table<I, T> {
    fn from_iter<Entries: IntoIterator<Item = T>>(entries: Entries) -> Table<I, T> {
        Table { entries: entries.into_iter().collect(), id: PhantomData }
    }
}

impl<I: Id, T: fmt::Debug> fmt::Debug for Table<I, T> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_map().entries(self.iter()).finish()
    }
}
