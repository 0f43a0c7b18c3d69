//! Origins: the provenance of the nodes of a model.
//!
//! Invariant: the parents of a derived origin are older than the origin, so that the graph of origins is acyclic. It is
//! traversed with an explicit stack and a set of visited origins, because chains can be long and shared. A table that
//! extends another table keeps its origins.

use std::collections::{BTreeSet, HashSet};
use std::fmt;
use std::num::NonZeroU32;
use std::sync::Arc;

use crate::Span;

/// The origin of one node, in four bytes; [`Origins`] resolves it.
///
/// Origins are ordered by creation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Origin(NonZeroU32);

/// The name of a pass, which completes "derived by …", such as `unroll-select`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PassName(pub &'static str);

/// The table of all origins of a run.
#[derive(Clone, Debug, Default)]
pub struct Origins {
    /// The origins of the extended table, which are older than all `entries`.
    base: Option<Arc<Origins>>,
    base_length: usize,
    entries: Vec<Entry>,
    /// The concatenated parents of all derived origins in `entries`.
    parents: Vec<Origin>,
}

#[derive(Clone, Copy, Debug)]
enum Entry {
    Written(Span),
    Derived { pass: PassName, first_parent: usize, parent_count: usize },
    BuiltIn(&'static str),
}

impl Origins {
    /// Creates an empty table.
    pub fn new() -> Origins {
        Origins::default()
    }

    /// Creates a table that extends another without changing it. The entries are shared, not copied.
    pub fn extending(base: &Arc<Origins>) -> Origins {
        // Skip a table without own entries, which would only add a step to every look-up.
        let shared = match &base.base {
            Some(below) if base.entries.is_empty() => below,
            _ => base,
        };
        Origins { base: Some(Arc::clone(shared)), base_length: shared.len(), ..Origins::default() }
    }

    /// Returns the number of origins.
    pub fn len(&self) -> usize {
        self.base_length + self.entries.len()
    }

    /// Returns whether the table is empty.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Adds the origin of a node that the user wrote at a span.
    pub fn written(&mut self, span: Span) -> Origin {
        self.push(Entry::Written(span))
    }

    /// Adds the origin of a node that a pass derived from others, most relevant first.
    pub fn derived(&mut self, pass: PassName, parents: &[Origin]) -> Origin {
        let first_parent = self.parents.len();
        // An origin of another table could be younger than this one and thus close a cycle.
        let length = self.len();
        let known = parents.iter().filter(|parent| parent.index() < length);
        self.parents.extend(known);
        let parent_count = self.parents.len() - first_parent;
        self.push(Entry::Derived { pass, first_parent, parent_count })
    }

    /// Adds the origin of a built-in name of the language, such as `int`.
    pub fn built_in(&mut self, name: &'static str) -> Origin {
        self.push(Entry::BuiltIn(name))
    }

    /// Returns all written spans that an origin derives from, each once.
    ///
    /// The order is depth first, with parents in the order given, so that the first span is the primary one.
    pub fn spans(&self, origin: Origin) -> Vec<Span> {
        let mut seen = HashSet::new();
        let written = self.ancestors(origin).filter_map(|entry| match entry {
            Entry::Written(span) => Some(span),
            _ => None,
        });
        written.filter(|&span| seen.insert(span)).collect()
    }

    /// Returns the first of [`Origins::spans`].
    pub fn primary_span(&self, origin: Origin) -> Option<Span> {
        self.ancestors(origin).find_map(|entry| match entry {
            Entry::Written(span) => Some(span),
            _ => None,
        })
    }

    /// Returns the passes that an origin derives from, last pass first, each once.
    pub fn passes(&self, origin: Origin) -> Vec<PassName> {
        let mut seen = BTreeSet::new();
        let passes = self.ancestors(origin).filter_map(|entry| match entry {
            Entry::Derived { pass, .. } => Some(pass),
            _ => None,
        });
        passes.filter(|&pass| seen.insert(pass)).collect()
    }

    /// Describes an origin, as in `derived by product, unroll-select from 2 written places`.
    pub fn describe(&self, origin: Origin) -> String {
        let passes: Vec<&str> = self.passes(origin).into_iter().map(|pass| pass.0).collect();
        let mut sources = Vec::new();
        match self.spans(origin).len() {
            0 => {}
            1 => sources.push("1 written place".to_owned()),
            count => sources.push(format!("{count} written places")),
        }
        let built_in: BTreeSet<&str> = self
            .ancestors(origin)
            .filter_map(|entry| match entry {
                Entry::BuiltIn(name) => Some(name),
                _ => None,
            })
            .collect();
        sources.extend(built_in.iter().map(|name| format!("built-in `{name}`")));
        match (passes.is_empty(), sources.is_empty()) {
            (true, _) if built_in.is_empty() => "written".to_owned(),
            (true, _) => sources.join(" and "),
            (false, true) => format!("derived by {} without a written source", passes.join(", ")),
            (false, false) => format!("derived by {} from {}", passes.join(", "), sources.join(" and ")),
        }
    }

    fn ancestors(&self, origin: Origin) -> Ancestors<'_> {
        Ancestors { origins: self, seen: HashSet::new(), stack: vec![origin] }
    }

    /// Returns an entry with its parents.
    fn entry(&self, origin: Origin) -> Option<(Entry, &[Origin])> {
        let mut layer = self;
        while let (Some(base), true) = (&layer.base, origin.index() < layer.base_length) {
            layer = base;
        }
        let entry = *layer.entries.get(origin.index().checked_sub(layer.base_length)?)?;
        let parents = match entry {
            Entry::Derived { first_parent, parent_count, .. } => {
                layer.parents.get(first_parent..first_parent + parent_count).unwrap_or(&[])
            }
            _ => &[],
        };
        Some((entry, parents))
    }

    fn push(&mut self, entry: Entry) -> Origin {
        tempora_interrupt::checkpoint();
        self.entries.push(entry);
        // A table of more than four thousand million entries does not fit into memory.
        let number = u32::try_from(self.len()).unwrap_or(u32::MAX);
        Origin(NonZeroU32::new(number).unwrap_or(NonZeroU32::MAX))
    }
}

impl Origin {
    fn index(self) -> usize {
        self.0.get() as usize - 1
    }
}

/// An iterator over an origin and its ancestors, each once, depth first, parents in order.
struct Ancestors<'origins> {
    origins: &'origins Origins,
    seen: HashSet<Origin>,
    stack: Vec<Origin>,
}

impl Iterator for Ancestors<'_> {
    type Item = Entry;

    fn next(&mut self) -> Option<Entry> {
        loop {
            let origin = self.stack.pop()?;
            if !self.seen.insert(origin) {
                continue;
            }
            let Some((entry, parents)) = self.origins.entry(origin) else {
                continue;
            };
            self.stack.extend(parents.iter().rev());
            return Some(entry);
        }
    }
}

impl fmt::Display for PassName {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.0)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::{Origin, Origins, PassName};
    use crate::{FileId, Span};

    const UNROLL: PassName = PassName("unroll");
    const PRODUCT: PassName = PassName("product");

    fn span(start: u32) -> Span {
        Span::new(FileId::from_index(0), start, start + 1)
    }

    #[test]
    fn origin_has_four_bytes() {
        assert_eq!(size_of::<Origin>(), 4);
        assert_eq!(size_of::<Option<Origin>>(), 4);
    }

    #[test]
    fn spans_follow_parents_without_duplicates() {
        let mut origins = Origins::new();
        let (first, second, again) =
            (origins.written(span(9)), origins.written(span(2)), origins.written(span(9)));
        let int = origins.built_in("int");
        let unrolled = origins.derived(UNROLL, &[int, second]);
        let product = origins.derived(PRODUCT, &[first, unrolled, again, first]);
        let cases: &[(Origin, &[u32], &[PassName], &str)] = &[
            (first, &[9], &[], "written"),
            (int, &[], &[], "built-in `int`"),
            (unrolled, &[2], &[UNROLL], "derived by unroll from 1 written place and built-in `int`"),
            (
                product,
                &[9, 2],
                &[PRODUCT, UNROLL],
                "derived by product, unroll from 2 written places and built-in `int`",
            ),
        ];
        for (origin, starts, passes, description) in cases {
            let found: Vec<u32> = origins.spans(*origin).iter().map(|span| span.start).collect();
            assert_eq!(&found, starts);
            assert_eq!(origins.primary_span(*origin), starts.first().map(|&start| span(start)));
            assert_eq!(&origins.passes(*origin), passes);
            assert_eq!(&origins.describe(*origin), description);
        }
    }

    #[test]
    fn long_chains_and_diamonds_are_visited_once() {
        let mut origins = Origins::new();
        let mut origin = origins.written(span(1));
        for _ in 0..200_000 {
            // Each level doubles the number of paths.
            origin = origins.derived(UNROLL, &[origin, origin]);
        }
        assert_eq!(origins.spans(origin), [span(1)]);
        assert_eq!(origins.passes(origin), [UNROLL]);
    }

    #[test]
    fn extended_table_shares_older_origins() {
        let mut origins = Origins::new();
        let first = origins.written(span(3));
        let derived = origins.derived(UNROLL, &[first]);
        let base = Arc::new(origins);
        let mut extended = Origins::extending(&base);
        let own = extended.written(span(7));
        let product = extended.derived(PRODUCT, &[own, derived]);
        let extended = Arc::new(extended);
        let again = Origins::extending(&Arc::new(Origins::extending(&extended)));
        for table in [&*extended, &again] {
            assert_eq!(table.spans(product), [span(7), span(3)]);
            assert_eq!(table.passes(product), [PRODUCT, UNROLL]);
            assert_eq!(table.spans(derived), [span(3)]);
            assert_eq!(table.len(), 4);
        }
        assert_eq!((extended.entries.len(), again.entries.len()), (2, 0));
        assert!(Arc::ptr_eq(again.base.as_ref().unwrap(), &extended), "an empty layer is skipped");
        assert_eq!((base.len(), base.spans(product)), (2, Vec::new()));
    }

    #[test]
    fn origins_of_other_tables_are_ignored() {
        let mut other = Origins::new();
        let foreign = (0..9).map(|start| other.written(span(start))).last().unwrap();
        let mut origins = Origins::new();
        let orphan = origins.derived(UNROLL, &[foreign]);
        assert_eq!(origins.spans(orphan), []);
        assert_eq!(origins.describe(orphan), "derived by unroll without a written source");
        assert_eq!(origins.spans(foreign), []);
    }
}
