//! Ecdar's languages: project folders of JSON files, and UPPAAL documents whose processes are components.
//!
//! Invariant: the actions of a component are those of its edges; declarations elsewhere in the project add none.

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

/// The location labels with a meaning for specifications: any behaviour is allowed from there on, or none.
pub(crate) const SPECIAL_LABELS: [&str; 2] = ["universal", "inconsistent"];
