//! Developer tasks of the Tempora workspace, as a library so that `cargo test` and the command run the same code.
//!
//! Invariant: no crate under `crates/` depends on this one. Tasks take the workspace as data (a [`tree::Tree`]) where
//! possible, so that their tests need no files.

pub mod assurance;
pub mod manifest;
pub mod markdown;
pub mod mutants;
pub mod prose;
pub mod readme;
pub mod record;
pub mod rust_text;
pub mod setup;
pub mod test;
pub mod tidy;
pub mod tree;

use std::path::PathBuf;

/// Returns the folder of the workspace that this tool was built from.
///
/// Cargo tells a running tool where its package is, so that a moved checkout is found again; the place at compile
/// time is only for a tool that was started without Cargo.
pub fn workspace_folder() -> PathBuf {
    let package = std::env::var_os("CARGO_MANIFEST_DIR")
        .map_or_else(|| PathBuf::from(env!("CARGO_MANIFEST_DIR")), PathBuf::from);
    package.parent().map_or_else(|| package.clone(), PathBuf::from)
}
