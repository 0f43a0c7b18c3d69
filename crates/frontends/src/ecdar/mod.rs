//! Ecdar's languages: project folders of JSON files, and UPPAAL documents whose processes are components.
//!
//! Invariant: a component has the actions of its edges; what a project says about the actions of its components beside
//! that adds none.

pub(crate) mod codes;
mod colours;
mod component;
mod document;
mod json;
mod parts;
mod project;
mod system;
mod write;

pub(crate) use document::tolerate_components;
pub(crate) use project::{PROJECT, read_project};
pub use project::{Project, ProjectFile, ProjectRole, role_of_file};
pub(crate) use write::{DOCUMENT_WRITER, PROJECT_WRITER};

/// The labels of locations that have a meaning for specifications: anything may happen from there on, and nothing.
pub(crate) const SPECIAL_LABELS: [&str; 2] = ["universal", "inconsistent"];
