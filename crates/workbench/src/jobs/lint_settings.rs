//! Parses `tempora.toml`, the settings of a project for `tempora lint`.
//!
//! Invariant: an unknown setting in the section `lint` is an error. Other sections are ignored.

use std::collections::BTreeSet;
use std::path::Path;

use tempora_source::{Diagnostic, Severity};
use toml::{Table, Value};

use crate::codes::BAD_SETTINGS;
use crate::session::Session;

/// The parsed settings.
#[derive(Default)]
pub(super) struct Settings {
    pub(super) only: Vec<String>,
    pub(super) skip: Vec<String>,
    pub(super) ends: BTreeSet<String>,
    pub(super) fail_on: Option<Severity>,
    pub(super) severity: Vec<(String, Severity)>,
}

/// Reads the settings beside a model; the defaults if there is no such file.
pub(super) fn settings_beside(session: Session<'_>, model: &str) -> Result<Settings, Diagnostic> {
    let name = Path::new(model).with_file_name("tempora.toml").display().to_string();
    if model == "-" || !session.workspace().is_file(&name) {
        return Ok(Settings::default());
    }
    let bytes = session.read(&name, "make the settings file readable")?;
    let text = String::from_utf8_lossy(&bytes);
    read(&text).map_err(|why| {
        Diagnostic::error(&BAD_SETTINGS, format!("`{name}`: {why}"))
            .with_hint("`tempora explain bad-settings` lists the settings")
    })
}

/// Parses settings; fails with a message.
fn read(text: &str) -> Result<Settings, String> {
    let table: Table = text.parse().map_err(|error: toml::de::Error| error.message().to_owned())?;
    let mut settings = Settings::default();
    let section = match table.get("lint") {
        None => return Ok(settings),
        Some(Value::Table(section)) => section,
        Some(_) => return Err("`lint` is not a section".to_owned()),
    };
    for (key, value) in section {
        match key.as_str() {
            "only" => settings.only = texts(key, value)?,
            "skip" => settings.skip = texts(key, value)?,
            "ends" => settings.ends = texts(key, value)?.into_iter().collect(),
            "fail-on" => settings.fail_on = Some(severity(key, value)?),
            "severity" => {
                let Value::Table(levels) = value else { return Err("`severity` is not a table".to_owned()) };
                for (check, level) in levels {
                    settings.severity.push((check.clone(), severity(check, level)?));
                }
            }
            other => return Err(format!("unknown setting `{other}`")),
        }
    }
    Ok(settings)
}

fn texts(key: &str, value: &Value) -> Result<Vec<String>, String> {
    let wrong = || format!("`{key}` is not a list of strings");
    let list = value.as_array().ok_or_else(wrong)?;
    list.iter().map(|text| text.as_str().map(str::to_owned).ok_or_else(wrong)).collect()
}

fn severity(key: &str, value: &Value) -> Result<Severity, String> {
    match value.as_str() {
        Some("error") => Ok(Severity::Error),
        Some("warning") => Ok(Severity::Warning),
        Some("info") => Ok(Severity::Info),
        _ => Err(format!("`{key}` is not `error`, `warning` or `info`")),
    }
}

#[cfg(test)]
mod tests {
    use super::read;
    use tempora_source::Severity;

    #[test]
    fn parses_settings_and_rejects_unknown_ones() {
        let text = "[lint]\nskip = [\"naming\"]\nends = [\"Belt.end\"]\nfail-on = \"info\"\n[lint.severity]\ndeadlock = \"error\"\n";
        let settings = read(text).unwrap_or_default();
        assert_eq!(settings.skip, ["naming"]);
        assert!(settings.ends.contains("Belt.end"));
        assert_eq!(settings.fail_on, Some(Severity::Info));
        assert_eq!(settings.severity, [("deadlock".to_owned(), Severity::Error)]);
        for wrong in
            ["[lint", "lint = 3", "[lint]\nskipp = []", "[lint]\nskip = 1", "[lint]\nfail-on = \"never\""]
        {
            assert!(read(wrong).is_err(), "{wrong}");
        }
    }
}
