//! Inductive invariants of symbolic systems written as JSON, and read back.
//!
//! Invariant: what was written is read back as it was. A file that is read has a formula for each control location of the
//! system, by name; whether it shows anything is for the checker of certificates to say.

use tempora_evidence::InductiveInvariant;
use tempora_source::{Diagnostic, FileId, Files, parse_json};
use tempora_transition::SymbolicSystem;

use crate::codes::{CERTIFICATE_FORM, CERTIFICATE_OF_ANOTHER_MODEL};
use crate::documents::{DocumentVersion, LocationInvariantRecord, record_line};
use crate::json_form::JsonForm;

static FORM: JsonForm =
    JsonForm { code: &CERTIFICATE_FORM, hint: "certificates are written by `tempora check --certificate`" };

/// An invariant for a property.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct WrittenInvariant {
    /// The property, as it was asked.
    pub query: String,
    /// The formulas.
    pub invariant: InductiveInvariant,
}

/// Writes invariants of a system, one line a control location.
pub fn write_invariants(
    model: &str,
    system: &SymbolicSystem,
    invariants: &[(&str, &InductiveInvariant)],
) -> String {
    let mut text = format!("{{\n\"version\": 1,\n\"model\": {},\n\"invariants\": [", record_line(&model));
    for (position, (query, invariant)) in invariants.iter().enumerate() {
        let separator = if position == 0 { "" } else { "," };
        text += &format!("{separator}\n{{ \"query\": {}, \"locations\": [", record_line(&query));
        for (position, (location, formula)) in system.locations.values().zip(&invariant.formulas).enumerate()
        {
            text += if position == 0 { "\n" } else { ",\n" };
            text += &record_line(&LocationInvariantRecord { formula, location: &location.name });
        }
        text += "\n] }";
    }
    text + "\n]\n}\n"
}

/// Reads the invariants of a file.
pub fn read_invariants(
    files: &Files,
    file: FileId,
    system: &SymbolicSystem,
) -> Result<Vec<WrittenInvariant>, Diagnostic> {
    let whole = parse_json(files, file)?;
    let file = FORM.members(&whole, "a file of invariants", &["version", "model", "invariants"], &[])?;
    let version: u32 = FORM.integer(file.get("version")?, "`version`")?;
    if version != DocumentVersion::NUMBER {
        let message = format!("version {version} is not known");
        return Err(FORM.fault(file.get("version")?.span, message).with_hint("this program reads version 1"));
    }
    FORM.text(file.get("model")?, "`model`")?;
    let mut read = Vec::new();
    for written in FORM.list(file.get("invariants")?, "`invariants`")? {
        let written = FORM.members(written, "an invariant", &["query", "locations"], &[])?;
        let query = FORM.text(written.get("query")?, "`query`")?.to_owned();
        let locations = written.get("locations")?;
        let mut formulas = vec![None; system.locations.len()];
        for location in FORM.list(locations, "`locations`")? {
            let span = location.span;
            let location = FORM.members(location, "a location", &["location", "formula"], &[])?;
            let name = FORM.text(location.get("location")?, "`location`")?;
            let position = system.locations.values().position(|own| own.name == name);
            let Some(position) = position else {
                let message = format!("the model has no control location `{name}`");
                return Err(Diagnostic::error(&CERTIFICATE_OF_ANOTHER_MODEL, message)
                    .with_primary(span, "")
                    .with_hint("make the certificate again with `tempora check --certificate`"));
            };
            formulas[position] = Some(FORM.text(location.get("formula")?, "`formula`")?.to_owned());
        }
        let formulas: Option<Vec<String>> = formulas.into_iter().collect();
        let Some(formulas) = formulas else {
            return Err(FORM
                .fault(locations.span, "a control location of the model has no formula")
                .with_hint("each location has one"));
        };
        read.push(WrittenInvariant { query, invariant: InductiveInvariant { formulas } });
    }
    Ok(read)
}
