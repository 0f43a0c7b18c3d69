//! Engine options: declared by engines, given by users as text.
//!
//! Invariant: every value in [`GivenOptions`] is allowed by its option and has the declared spelling.

use tempora_source::Diagnostic;

use crate::codes::MISPLACED_OPTION;

/// An option of one or several engines.
#[derive(Debug)]
pub struct EngineOption {
    /// Its name, without dashes.
    pub name: &'static str,
    /// A placeholder for its value, for help texts.
    pub value_name: &'static str,
    /// One line of help.
    pub help: &'static str,
    /// The values that it accepts.
    pub values: OptionValues,
    /// The subject that it configures.
    pub subject: OptionSubject,
}

/// The values that an option accepts.
#[derive(Clone, Copy, Debug)]
pub enum OptionValues {
    /// One of these; case is ignored.
    OneOf(&'static [OptionValue]),
    /// A non-negative number.
    Number,
    /// A path, or a prefix of paths.
    Path,
}

/// A value of an option, and its help.
pub type OptionValue = (&'static str, &'static str);

/// A message about contradictory options, and a hint.
pub type OptionFault = (String, &'static str);

/// The subject that an option configures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OptionSubject {
    /// The abstraction.
    Abstraction,
    /// The solver.
    Solver,
}

/// The engine options of a request.
#[derive(Clone, Debug, Default)]
pub struct GivenOptions {
    given: Vec<(&'static EngineOption, String)>,
}

impl GivenOptions {
    /// Parses options from names and values; the last value of an option wins. `known` lists all options.
    pub fn read(
        texts: &[(String, String)],
        known: &[&'static EngineOption],
    ) -> Result<GivenOptions, Diagnostic> {
        let mut options = GivenOptions::default();
        for (name, value) in texts {
            let option = known.iter().copied().find(|option| option.name == name).ok_or_else(|| {
                let names: Vec<String> = known.iter().map(|option| format!("--{}", option.name)).collect();
                Diagnostic::error(&MISPLACED_OPTION, format!("unknown engine option `--{name}`"))
                    .with_hint(format!("use one of {}", names.join(", ")))
            })?;
            let value = option.read(value)?;
            options.given.retain(|(other, _)| other.name != option.name);
            options.given.push((option, value));
        }
        Ok(options)
    }

    /// Returns the value of an option, if it is given.
    pub fn value(&self, option: &EngineOption) -> Option<&str> {
        self.given.iter().find(|(given, _)| given.name == option.name).map(|(_, value)| value.as_str())
    }

    /// Returns the value of an option with fixed values, if it is given.
    pub(crate) fn choice(&self, option: &EngineOption) -> Option<&'static str> {
        let value = self.value(option)?;
        let OptionValues::OneOf(values) = option.values else { return None };
        values.iter().map(|(name, _)| *name).find(|name| *name == value)
    }

    /// Returns the given options that configure a subject.
    pub fn about(&self, subject: OptionSubject) -> impl Iterator<Item = &'static EngineOption> {
        self.given.iter().map(|(option, _)| *option).filter(move |option| option.subject == subject)
    }
}

impl EngineOption {
    /// Returns a value in its declared spelling, or an error if the option does not accept it.
    fn read(&self, value: &str) -> Result<String, Diagnostic> {
        let refused = |hint: String| {
            let message = format!("`--{}` does not accept `{value}`", self.name);
            Diagnostic::error(&MISPLACED_OPTION, message).with_hint(hint)
        };
        match self.values {
            OptionValues::Path => Ok(value.to_owned()),
            OptionValues::Number => match value.parse::<usize>() {
                Ok(number) => Ok(number.to_string()),
                Err(_) => Err(refused("use a number".to_owned())),
            },
            OptionValues::OneOf(values) => {
                let known = values.iter().map(|(name, _)| *name);
                known
                    .clone()
                    .find(|name| name.eq_ignore_ascii_case(value))
                    .map(str::to_owned)
                    .ok_or_else(|| refused(format!("use one of {}", known.collect::<Vec<_>>().join(", "))))
            }
        }
    }
}
