//! Cargo manifests, read for the rules about crates and their edges.
//!
//! A dependency counts as one on a workspace crate by the package that it finally names, or by its path: a renamed
//! or inherited dependency is still the same edge.

use std::collections::BTreeMap;

use toml::{Table, Value};

use crate::tree::{Tree, crate_name};

/// All manifests of the workspace that can be read.
#[derive(Debug)]
pub struct Workspace {
    /// The manifest of the root.
    pub root: Table,
    /// The manifests of the crates, by folder.
    pub crates: BTreeMap<String, Table>,
    /// The manifests that are missing or are not TOML, with the reason.
    pub unreadable: Vec<(String, String)>,
}

/// How a crate uses another.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Use {
    /// By its library, its binary or its build script.
    Product,
    /// By its tests, benches and examples only.
    Tests,
}

/// One edge between two crates of the workspace.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Edge {
    /// The crate that is used, by the name of its folder.
    pub to: String,
    /// How it is used.
    pub usage: Use,
    /// The key under which the manifest names it.
    pub key: String,
}

impl Workspace {
    /// Reads the manifests of the root and of all crates.
    pub fn of_tree(tree: &Tree) -> Self {
        let mut unreadable = Vec::new();
        let root = read("Cargo.toml", tree, &mut unreadable);
        let mut crates = BTreeMap::new();
        for folder in tree.crate_folders() {
            let manifest = read(&format!("{folder}/Cargo.toml"), tree, &mut unreadable);
            crates.insert(folder.to_owned(), manifest);
        }
        Self { root, crates, unreadable }
    }

    /// Returns the folders that the root names as members; a last part `*` stands for every crate there.
    pub fn is_member(&self, folder: &str) -> bool {
        let members = lookup(&self.root, &["workspace", "members"]).and_then(Value::as_array);
        members.into_iter().flatten().filter_map(Value::as_str).any(|member| {
            member == folder
                || member.strip_suffix("/*").is_some_and(|parent| {
                    folder.rsplit_once('/').is_some_and(|(folder_parent, _)| folder_parent == parent)
                })
        })
    }

    /// Returns the edges from the crate in `folder` to other crates of the workspace.
    pub fn edges(&self, folder: &str) -> Vec<Edge> {
        let Some(manifest) = self.crates.get(folder) else { return Vec::new() };
        let platforms = manifest.get("target").and_then(Value::as_table);
        let platforms = platforms.into_iter().flat_map(Table::values).filter_map(Value::as_table);
        let mut edges = Vec::new();
        for table in std::iter::once(manifest).chain(platforms) {
            for (section, usage) in [
                ("dependencies", Use::Product),
                ("build-dependencies", Use::Product),
                ("dev-dependencies", Use::Tests),
            ] {
                let dependencies = table.get(section).and_then(Value::as_table);
                for (key, dependency) in dependencies.into_iter().flatten() {
                    if let Some(to) = self.crate_named(folder, key, dependency) {
                        edges.push(Edge { to: crate_name(to).to_owned(), usage, key: key.clone() });
                    }
                }
            }
        }
        edges
    }

    fn crate_named(&self, from: &str, key: &str, dependency: &Value) -> Option<&str> {
        let inherits = dependency.get("workspace").and_then(Value::as_bool) == Some(true);
        let (base, dependency) = if inherits {
            ("", lookup(&self.root, &["workspace", "dependencies", key])?)
        } else {
            (from, dependency)
        };
        let package = dependency.get("package").and_then(Value::as_str).unwrap_or(key);
        let path = dependency.get("path").and_then(Value::as_str).and_then(|path| join(base, path));
        self.crates.iter().find_map(|(folder, manifest)| {
            let is_same_package =
                lookup(manifest, &["package", "name"]).and_then(Value::as_str) == Some(package);
            (is_same_package || path.as_deref() == Some(folder)).then_some(folder.as_str())
        })
    }
}

/// Returns the value at a path of keys.
pub fn lookup<'a>(table: &'a Table, keys: &[&str]) -> Option<&'a Value> {
    let (last, parents) = keys.split_last()?;
    let mut table = table;
    for key in parents {
        table = table.get(*key)?.as_table()?;
    }
    table.get(*last)
}

/// Returns a relative path seen from a folder, both relative to the root and without `.` and `..` in the result. `None`
/// where it leaves the root.
pub fn join(folder: &str, path: &str) -> Option<String> {
    let mut parts: Vec<&str> = folder.split('/').filter(|part| !part.is_empty()).collect();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop()?;
            }
            _ => parts.push(part),
        }
    }
    Some(parts.join("/"))
}

fn read(path: &str, tree: &Tree, unreadable: &mut Vec<(String, String)>) -> Table {
    let result = match tree.text(path) {
        Some(text) => text.parse::<Table>().map_err(|error| error.message().to_owned()),
        None => Err("is missing or is not text".to_owned()),
    };
    result.unwrap_or_else(|reason| {
        unreadable.push((path.to_owned(), reason));
        Table::new()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_spellings_of_a_dependency_are_one_edge() {
        let tree = Tree::of_texts([
            (
                "Cargo.toml",
                "[workspace.dependencies]\nzones-inherited = { package = \"tempora-zones\", path = \"crates/zones\" }\n",
            ),
            ("crates/zones/Cargo.toml", "[package]\nname = \"tempora-zones\"\n"),
            (
                "crates/explore/Cargo.toml",
                "[package]\nname = \"tempora-explore\"\n\
                 [dependencies]\ntempora-zones = \"1\"\nserde = \"1\"\nrenamed = { package = \"tempora-zones\" }\n\
                 [build-dependencies]\nby-path = { path = \"../zones\" }\n\
                 [dev-dependencies]\nzones-inherited.workspace = true\n\
                 [target.'cfg(unix)'.dependencies]\ntempora-zones = \"1\"\n",
            ),
        ]);
        let mut edges = Workspace::of_tree(&tree).edges("crates/explore");
        edges.sort();
        let edge = |usage, key: &str| Edge { to: "zones".to_owned(), usage, key: key.to_owned() };
        assert_eq!(
            edges,
            [
                edge(Use::Product, "by-path"),
                edge(Use::Product, "renamed"),
                edge(Use::Product, "tempora-zones"),
                edge(Use::Product, "tempora-zones"),
                edge(Use::Tests, "zones-inherited"),
            ]
        );
    }

    #[test]
    fn a_manifest_that_is_not_toml_is_reported() {
        let tree = Tree::of_texts([("Cargo.toml", "[workspace]\n"), ("crates/zones/Cargo.toml", "= what")]);
        let unreadable = Workspace::of_tree(&tree).unreadable;
        assert_eq!(unreadable.len(), 1);
        assert_eq!(unreadable[0].0, "crates/zones/Cargo.toml");
    }

    #[test]
    fn members_may_be_written_with_a_star() {
        let tree = Tree::of_texts([("Cargo.toml", "[workspace]\nmembers = [\"crates/*\", \"xtask\"]\n")]);
        let workspace = Workspace::of_tree(&tree);
        assert!(workspace.is_member("crates/zones") && workspace.is_member("xtask"));
        assert!(!workspace.is_member("fuzz") && !workspace.is_member("crates/zones/inner"));
    }

    #[test]
    fn joined_paths_stay_inside_the_root() {
        assert_eq!(
            join("docs/guide", "../decisions/./README.md").as_deref(),
            Some("docs/decisions/README.md")
        );
        assert_eq!(join("docs", "..").as_deref(), Some(""));
        assert_eq!(join("docs", "../../elsewhere"), None);
    }
}
