//! The workspace with all its mutants at once, each behind its switch.
//!
//! Every mutant is in exactly one of two sets: switched in the tree, or built alone, with the reason. The tree always
//! has all mutants that can be switched, not only those of one run: so the next run finds it built.

use std::collections::BTreeMap;
use std::ops::Range;
use std::path::Path;

use super::Mutant;
use super::build::CompilerError;
use super::switch::{self, Mutation};
use crate::tree::Tree;

/// The mutants of a workspace, and which of them are switched.
pub(super) struct Schemata<'a> {
    original: &'a Tree,
    mutants: BTreeMap<u64, &'a Mutant>,
    built_alone: BTreeMap<u64, &'static str>,
    /// Which bytes of which file only one mutant uses.
    bodies: Vec<(&'a str, u64, Range<usize>)>,
}

impl<'a> Schemata<'a> {
    /// Takes all mutants that fit into the tree.
    pub(super) fn new(original: &'a Tree, mutants: &'a [Mutant]) -> Self {
        let mut schemata =
            Self { original, mutants: BTreeMap::new(), built_alone: BTreeMap::new(), bodies: Vec::new() };
        for mutant in mutants {
            schemata.mutants.insert(number(mutant), mutant);
            if library_root(original, &mutant.file).is_none() {
                schemata.built_alone.insert(number(mutant), "not in a library");
            }
        }
        schemata
    }

    /// Why a mutant has no switch, if it has none.
    pub(super) fn reason_to_build_alone(&self, mutant: &Mutant) -> Option<&'static str> {
        // Two names with one number are not expected; the mutant that lost its place is built alone.
        if self.mutants.get(&number(mutant)).is_none_or(|other| other.name != mutant.name) {
            return Some("no number of its own");
        }
        self.built_alone.get(&number(mutant)).copied()
    }

    /// Returns the files of the workspace with all switched mutants.
    pub(super) fn tree(&mut self) -> Tree {
        let mut tree = self.original.clone();
        self.bodies.clear();
        let mut of_files: BTreeMap<&str, Vec<Mutation>> = BTreeMap::new();
        for (&number, mutant) in &self.mutants {
            let place = self.original.text(&mutant.file).and_then(|source| mutant.place(source).ok());
            if let Some(place) = place.filter(|_| !self.built_alone.contains_key(&number)) {
                let mutation = Mutation { number, place, replacement: mutant.replacement().to_owned() };
                of_files.entry(&mutant.file).or_default().push(mutation);
            }
        }
        let mut roots = Vec::new();
        for (file, mut mutations) in of_files {
            let (Some(source), Some(root)) = (self.original.text(file), library_root(self.original, file))
            else {
                continue;
            };
            mutations.sort_by_key(|mutation| (mutation.place.start, mutation.number));
            let switched = switch::switch(source, &mutations);
            self.built_alone.extend(switched.refused);
            if !switched.bodies.is_empty() {
                tree.insert(file, switched.text);
                roots.push(root);
            }
            self.bodies.extend(switched.bodies.into_iter().map(|(number, bytes)| (file, number, bytes)));
        }
        roots.sort_unstable();
        roots.dedup();
        for root in roots {
            let text = format!("{}{}", tree.text(&root).unwrap_or_default(), switch::MODULE);
            tree.insert(&root, text);
        }
        tree
    }

    /// Takes the switches away from the mutants that the compiler rejects; false if none had a switch.
    ///
    /// Where no body of a mutant is to blame, all mutants of the crate lose their switches, or those of all crates.
    pub(super) fn exclude(&mut self, errors: &[CompilerError], workspace: &Path) -> bool {
        let mut excluded: Vec<u64> = Vec::new();
        for error in errors {
            let guilty = error.places.iter().flat_map(|(file, place)| {
                self.bodies.iter().filter(move |(other, _, bytes)| {
                    file == other && place.start < bytes.end && bytes.start < place.end.max(place.start + 1)
                })
            });
            excluded.extend(guilty.map(|(_, number, _)| number));
        }
        if excluded.is_empty() {
            let in_rejected_package = |file: &str| {
                errors.iter().any(|error| workspace.join(file).starts_with(&error.package_folder))
            };
            let of_packages = self.bodies.iter().filter(|(file, _, _)| in_rejected_package(file));
            excluded.extend(of_packages.map(|(_, number, _)| number));
        }
        if excluded.is_empty() {
            excluded.extend(self.bodies.iter().map(|(_, number, _)| number));
        }
        self.built_alone.extend(excluded.iter().map(|&number| (number, "rejected behind a switch")));
        !excluded.is_empty()
    }
}

/// Returns the number that activates a mutant: a hash of its name, so that another mutant does not change it.
pub(super) fn number(mutant: &Mutant) -> u64 {
    let hash = mutant.name.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    });
    hash.max(1)
}

/// Returns the root of the library that a source belongs to.
fn library_root(tree: &Tree, file: &str) -> Option<String> {
    let (package, rest) = file.strip_prefix("crates/")?.split_once('/')?;
    let is_in_library = rest.starts_with("src/") && rest != "src/main.rs" && !rest.starts_with("src/bin/");
    let root = format!("crates/{package}/src/lib.rs");
    (is_in_library && tree.contains_file(&root)).then_some(root)
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIBRARY: &str = "crates/a/src/lib.rs";

    fn mutant(name: &str, file: &str, find: &str, replace: &str) -> Mutant {
        let text = format!(
            "# T\n\nWhy.\n\nfile: {file}\ntest: -p a\n\n```find\n{find}\n```\n\n```replace\n{replace}\n```\n"
        );
        Mutant::parse(name, &text).unwrap()
    }

    fn tree() -> Tree {
        Tree::of_texts([
            (LIBRARY, "mod b;\npub fn f() -> u8 { 1 + b::g() }\n"),
            ("crates/a/src/b.rs", "pub(crate) fn g() -> u8 { 2 }\n"),
            ("crates/a/src/main.rs", "fn main() { drop(3); }\n"),
        ])
    }

    fn mutants() -> Vec<Mutant> {
        vec![
            mutant("a/one", LIBRARY, "1", "10"),
            mutant("a/two", "crates/a/src/b.rs", "2", "20"),
            mutant("a/three", "crates/a/src/main.rs", "3", "30"),
        ]
    }

    fn error_at(tree: &Tree, file: &str, text: &str) -> CompilerError {
        let start = tree.text(file).unwrap().find(text).unwrap();
        CompilerError { package_folder: "/w/crates/a".into(), places: vec![(file.to_owned(), start..start)] }
    }

    fn reasons(schemata: &Schemata<'_>, mutants: &[Mutant]) -> Vec<Option<&'static str>> {
        mutants.iter().map(|mutant| schemata.reason_to_build_alone(mutant)).collect()
    }

    #[test]
    fn library_has_switches_and_their_module() {
        let (original, mutants) = (tree(), mutants());
        let mut schemata = Schemata::new(&original, &mutants);
        let tree = schemata.tree();
        assert!(tree.text(LIBRARY).unwrap().ends_with(switch::MODULE));
        assert!(tree.text(LIBRARY).unwrap().contains(&format!("is_active({})", number(&mutants[0]))));
        assert!(tree.text("crates/a/src/b.rs").unwrap().contains("{ 20 }"));
        assert_eq!(tree.text("crates/a/src/main.rs"), original.text("crates/a/src/main.rs"));
        assert_eq!(reasons(&schemata, &mutants), [None, None, Some("not in a library")]);
    }

    #[test]
    fn rejected_body_loses_its_switch() {
        let (original, mutants) = (tree(), mutants());
        let mut schemata = Schemata::new(&original, &mutants);
        let tree = schemata.tree();
        let error = error_at(&tree, "crates/a/src/b.rs", "20");
        assert!(schemata.exclude(&[error], Path::new("/w")));
        let tree = schemata.tree();
        assert_eq!(tree.text("crates/a/src/b.rs"), original.text("crates/a/src/b.rs"));
        assert_eq!(reasons(&schemata, &mutants)[..2], [None, Some("rejected behind a switch")]);
    }

    #[test]
    fn error_elsewhere_takes_all_switches_of_the_crate() {
        let (original, mutants) = (tree(), mutants());
        let mut schemata = Schemata::new(&original, &mutants);
        let tree = schemata.tree();
        let error = error_at(&tree, LIBRARY, "mod b");
        assert!(schemata.exclude(&[error], Path::new("/w")));
        assert_eq!(schemata.tree(), original);
        assert!(reasons(&schemata, &mutants).iter().all(Option::is_some));
        // The crate is at fault itself.
        assert!(!schemata.exclude(&[], Path::new("/w")));
    }
}
