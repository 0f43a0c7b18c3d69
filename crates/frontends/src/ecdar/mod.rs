//! Ecdar's languages: project folders of JSON files, and UPPAAL documents whose processes are components.
//!
//! Invariant: a component has the actions of its edges; what a project says about the actions of its components beside that
//! adds none.

pub(crate) mod codes;
mod component;
mod document;
mod json;
mod project;

pub(crate) use document::tolerate_components;
pub(crate) use project::read_project;
pub use project::{ProjectFile, ProjectRole, role_of_file};
