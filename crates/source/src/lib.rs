//! Files, embedded texts, spans, origins, symbols and diagnostics.
//!
//! The lowest crate of the workspace. It knows how texts are stored in files (encodings, XML and JSON escapes) and how
//! diagnostics are rendered, and no modelling language. Its guarantee: a diagnostic about a character of a label points
//! at the bytes that the user sees in the editor, however deeply the label is embedded.
//!
//! ```
//! use tempora_source::{Diagnostic, Files, Span, decode_xml_text};
//!
//! let mut files = Files::new();
//! let file = files.add("model.xml", r#"<label kind="guard">x &lt;= 5 &amp;&amp; y</label>"#)?;
//! let (guard, faults) = decode_xml_text(&files, Span::new(file, 20, 42));
//! assert_eq!((guard.text(), faults.len()), ("x <= 5 && y", 0));
//!
//! let guard = files.add_embedded("guard of edge 3", guard);
//! let y = Span::new(guard, 10, 11);
//! assert_eq!(files.locate(y).to_string(), "model.xml:1:42");
//! # Ok::<(), Diagnostic>(())
//! ```

mod code;
pub mod codes;
mod diagnostic;
mod embedded;
mod encoding;
mod escape_map;
mod files;
mod json;
mod lines;
mod nearest;
mod origin;
mod render;
mod span;
mod splice;
mod symbols;
mod table;

pub use code::{Code, Example, PAGE_SECTIONS, page_faults, registry_faults};
pub use diagnostic::{Diagnostic, Diagnostics, Label, Severity};
pub use embedded::{
    EmbeddedText, EmbeddedTextBuilder, decode_json_string, decode_xml_attribute, decode_xml_text,
};
pub use encoding::{Charset, DecodeFault, DecodeFaultKind, Decoded, Encoding, Unencodable, decode_bytes};
pub use escape_map::EscapeMap;
pub use files::{Files, SourceRange, Utf16Position};
pub use json::{JsonKind, JsonMember, JsonValue, parse_json};
pub use nearest::nearest_names;
pub use origin::{Origin, Origins, PassName};
pub use render::{Colour, embedding_description, render_text};
pub use span::{FileId, Span};
pub use splice::{Splice, apply_splices};
pub use symbols::{Symbol, SymbolId, SymbolKind, SymbolRole, SymbolUse, Symbols};
pub use table::{Id, Table};
