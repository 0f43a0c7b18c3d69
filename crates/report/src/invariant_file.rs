//! Writes and reads inductive invariants of symbolic systems as JSON.
//!
//! Invariant: reading returns exactly the invariants that were written. The file must have a formula for each control
//! location; an unreadable formula invalidates only its own invariant. Whether an invariant is valid is decided by the
//! independent checker.

use tempora_evidence::InductiveInvariant;
use tempora_source::{Diagnostic, FileId, Files, Span, parse_json};
use tempora_transition::{SymbolicSystem, read_formula};

use crate::codes::{CERTIFICATE_FORM, CERTIFICATE_OF_ANOTHER_MODEL};
use crate::documents::{DocumentVersion, LocationInvariantRecord, record_line};
use crate::json_form::JsonForm;

static FORM: JsonForm =
    JsonForm { code: &CERTIFICATE_FORM, hint: "use a file that `tempora check --certificate` has written" };

/// An invariant for a property.
#[derive(Clone, PartialEq, Debug)]
pub struct WrittenInvariant {
    /// The text of the property.
    pub query: String,
    /// The formulas, or the first unreadable one.
    pub invariant: Result<InductiveInvariant, UnreadableFormula>,
}

/// The first formula of an invariant that cannot be read.
#[derive(Clone, PartialEq, Debug)]
pub struct UnreadableFormula {
    /// The number of its control location.
    pub location: usize,
    /// The error.
    pub diagnostic: Diagnostic,
}

/// Writes invariants of a system, one line per control location.
pub fn write_invariants(
    model: &str,
    system: &SymbolicSystem,
    invariants: &[(&str, &InductiveInvariant)],
) -> String {
    let mut text = format!("{{\n\"version\": 1,\n\"model\": {},\n\"invariants\": [", record_line(&model));
    for (position, (query, invariant)) in invariants.iter().enumerate() {
        let separator = if position == 0 { "" } else { "," };
        text += &format!("{separator}\n{{ \"query\": {}, \"locations\": [", record_line(&query));
        for (position, (location, formula)) in system.locations.values().zip(invariant.texts()).enumerate() {
            text += if position == 0 { "\n" } else { ",\n" };
            text += &record_line(&LocationInvariantRecord { formula: &formula, location: &location.name });
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
        let message = format!("unsupported version {version}");
        return Err(FORM.fault(file.get("version")?.span, message).with_hint("use version 1"));
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
                    .with_hint("generate the certificate again with `tempora check --certificate`"));
            };
            let formula = location.get("formula")?;
            formulas[position] = Some((FORM.text(formula, "`formula`")?.to_owned(), formula.span));
        }
        let formulas: Option<Vec<(String, Span)>> = formulas.into_iter().collect();
        let Some(formulas) = formulas else {
            return Err(FORM
                .fault(locations.span, "a control location of the model has no formula")
                .with_hint("add a formula for each location"));
        };
        read.push(WrittenInvariant { query, invariant: read_formulas(files, system, &formulas) });
    }
    Ok(read)
}

/// Parses the formulas of all control locations, in order.
fn read_formulas(
    files: &Files,
    system: &SymbolicSystem,
    texts: &[(String, Span)],
) -> Result<InductiveInvariant, UnreadableFormula> {
    let mut store = system.store.clone();
    let mut formulas = Vec::with_capacity(texts.len());
    for (location, (text, span)) in texts.iter().enumerate() {
        let formula = read_formula(system, &mut store, text).map_err(|error| {
            let place = place_in_string(files, *span, text, (error.start, error.end));
            let diagnostic = FORM.fault(place, error.message).with_hint(FORM.hint);
            UnreadableFormula { location, diagnostic }
        })?;
        formulas.push(formula);
    }
    Ok(InductiveInvariant::new(system, store, formulas))
}

/// Returns the place of a part of a JSON string; the whole string if it has escapes.
fn place_in_string(files: &Files, string: Span, text: &str, (start, end): (usize, usize)) -> Span {
    let inner = Span::new(string.file, string.start.saturating_add(1), string.end.saturating_sub(1));
    let offset = |position: usize| inner.start.saturating_add(u32::try_from(position).unwrap_or(u32::MAX));
    if files.text_at(inner) == text { Span::new(string.file, offset(start), offset(end)) } else { string }
}

#[cfg(test)]
mod tests {
    use tempora_source::{Files, Origins};
    use tempora_transition::read_system;

    use super::{WrittenInvariant, read_invariants, write_invariants};

    const SYSTEM: &str =
        "(var x Int) (var t Int local) (location l) (initial l (= x 0)) (edge l l step (set x 1))
        (property \"p\" everywhere (>= x 0))";

    /// Reads a file with one formula; returns its invariant and the text at the place of its fault.
    fn read(formula: &str) -> (WrittenInvariant, Option<String>) {
        let mut files = Files::new();
        let model = files.add("model.sym", SYSTEM).unwrap();
        let system = read_system(model, SYSTEM, &mut Origins::new()).unwrap();
        let text = format!(
            "{{\"version\": 1, \"model\": \"m\", \"invariants\": [{{ \"query\": \"p\", \"locations\": [\n\
             {{\"formula\":\"{formula}\",\"location\":\"l\"}}\n] }}]}}"
        );
        let file = files.add("invariants.json", text).unwrap();
        let written = read_invariants(&files, file, &system).unwrap().remove(0);
        let fault = written.invariant.as_ref().err();
        let place = fault.map(|fault| files.text_at(fault.diagnostic.labels[0].span).to_owned());
        if let Ok(invariant) = &written.invariant {
            let again = write_invariants("m", &system, &[("p", invariant)]);
            assert!(again.contains(&format!("\"formula\":\"{formula}\"")), "{again}");
        }
        (written, place)
    }

    #[test]
    fn formulas_round_trip() {
        for formula in ["(<= 0 x)", "true", "(or (= x 0) (= x 1))"] {
            assert_eq!(read(formula).1, None, "{formula}");
        }
    }

    #[test]
    fn unreadable_formula_has_place() {
        for (formula, place) in [
            ("(= nothing 1)", "nothing"),
            ("(and true (= t 0))", "t"),
            ("(and true", "("),
            ("x", "x"),
            ("", ""),
            // With escapes, positions in the text differ from those in the file.
            ("(= \\u0078 y)", "\"(= \\u0078 y)\""),
        ] {
            let (written, found) = read(formula);
            let found = found.unwrap_or_else(|| panic!("{formula}: {written:?}"));
            assert_eq!(found, place, "{formula}");
        }
    }
}
