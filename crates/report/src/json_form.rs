//! Checks the structure of JSON files and reports faults.
//!
//! Invariant: every fault has a place in the file and a hint.

use tempora_source::{Code, Diagnostic, JsonKind, JsonMember, JsonValue, Span, nearest_names};

/// A JSON file format.
pub(crate) struct JsonForm {
    /// The diagnostic code for malformed files.
    pub(crate) code: &'static Code,
    /// The hint for malformed files.
    pub(crate) hint: &'static str,
}

impl JsonForm {
    /// Returns a fault at a place.
    pub(crate) fn fault(&self, span: Span, message: impl Into<String>) -> Diagnostic {
        Diagnostic::error(self.code, message).with_primary(span, "")
    }

    /// Returns a fault for a value of the wrong type.
    pub(crate) fn wrong_kind(&self, value: &JsonValue, what: &str, expected: &str) -> Diagnostic {
        let message = format!("{what} must be {expected}, found {}", value.kind_name());
        self.fault(value.span, message).with_hint(self.hint)
    }

    pub(crate) fn text<'json>(&self, value: &'json JsonValue, what: &str) -> Result<&'json str, Diagnostic> {
        match &value.kind {
            JsonKind::Text(text) => Ok(text),
            _ => Err(self.wrong_kind(value, what, "a string")),
        }
    }

    pub(crate) fn list<'json>(
        &self,
        value: &'json JsonValue,
        what: &str,
    ) -> Result<&'json [JsonValue], Diagnostic> {
        match &value.kind {
            JsonKind::Array(values) => Ok(values),
            _ => Err(self.wrong_kind(value, what, "a list")),
        }
    }

    pub(crate) fn integer<T: std::str::FromStr>(
        &self,
        value: &JsonValue,
        what: &str,
    ) -> Result<T, Diagnostic> {
        match &value.kind {
            JsonKind::Number(number) => {
                number.parse().map_err(|_| self.wrong_kind(value, what, "an integer of supported size"))
            }
            _ => Err(self.wrong_kind(value, what, "an integer")),
        }
    }

    /// Returns the members of an object that must have the required members, and may have the optional ones.
    pub(crate) fn members<'json>(
        &'static self,
        object: &'json JsonValue,
        what: &'static str,
        required: &[&str],
        optional: &[&str],
    ) -> Result<Members<'json>, Diagnostic> {
        let JsonKind::Object(members) = &object.kind else {
            return Err(self.wrong_kind(object, what, "an object"));
        };
        for JsonMember { name, name_span, .. } in members {
            let known = required.iter().chain(optional);
            if !known.clone().any(|other| other == name) {
                let hint = match nearest_names(name, known.copied()).first() {
                    Some(nearest) => format!("did you mean `{nearest}`?"),
                    None => format!("use the members {}", required.join(", ")),
                };
                return Err(self
                    .fault(*name_span, format!("{what} has an unknown member `{name}`"))
                    .with_hint(hint));
            }
        }
        if let Some(missing) = required.iter().find(|name| object.member(name).is_none()) {
            let start = Span::new(object.span.file, object.span.start, object.span.start + 1);
            return Err(self
                .fault(start, format!("{what} has no member `{missing}`"))
                .with_hint(format!("use the members {}", required.join(", "))));
        }
        Ok(Members { form: self, object, what })
    }
}

/// The required and optional members of an object.
pub(crate) struct Members<'json> {
    form: &'static JsonForm,
    pub(crate) object: &'json JsonValue,
    what: &'static str,
}

impl<'json> Members<'json> {
    /// Returns a required member.
    pub(crate) fn get(&self, name: &str) -> Result<&'json JsonValue, Diagnostic> {
        self.object
            .member(name)
            .ok_or_else(|| self.form.fault(self.object.span, format!("{} has no `{name}`", self.what)))
    }
}
