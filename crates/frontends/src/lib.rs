//! The modelling languages, one folder each.
//!
//! A front end parses a text into trees of [`tempora_syntax`]; [`read_model`] elaborates them in the same way for every
//! language, so that types, sizes, instances and queries have the same meaning everywhere. A new language is a reader
//! and a line in [`LANGUAGES`].
//!
//! [`WRITERS`] write models, and refuse constructs that their language cannot express.
//!
//! The crate depends on neither engines nor output.

mod aiger;
mod cfa;
pub mod codes;
mod diagrams;
mod document;
mod ecdar;
mod edits;
mod language;
mod layout;
mod lisp;
mod lowered;
mod net;
mod project_diagrams;
mod read;
mod reading;
mod sts;
mod sym;
mod symbolic;
mod tck;
mod text_document;
pub mod uppaal;
mod workspace;
mod writer;
mod xsts;

pub use document::{
    DiagramKind, Document, DocumentDiagram, FileText, Notation, Part, PartEdit, PartId, PartKind,
    WrittenNetwork,
};
pub use ecdar::{Project, ProjectFile, ProjectRole, role_of_file};
pub use language::{
    FolderPart, FolderReader, LANGUAGES, Language, Reader, language_named, recognise_among,
    recognise_language,
};
pub use layout::{Bend, ComponentLayout, EdgeLabel, EdgeLayout, LayoutPoint, LocationLayout};
pub use lowered::{
    LiftedMove, LiftedRun, LiftedStep, LoweredModel, LoweredRun, Plan, ReadModel, Rule, all_hold,
};
pub use read::{
    QueryFile, Read, ReadStatement, Written, read_folder, read_model, read_model_in, read_project_model,
    read_proof, read_query, read_tree, read_with_properties,
};
pub use reading::Reading;
pub use symbolic::{PropertyText, ReadSymbolic};
pub use workspace::{Workspace, inside};
pub use writer::{Content, Conversion, FolderFile, WRITERS, Writable, Writer, writer_for_file, writer_named};
