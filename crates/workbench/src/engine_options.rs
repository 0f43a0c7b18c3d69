//! Options of engines, as users type them: declared by the engines, given as texts.
//!
//! Invariant: a value in [`GivenOptions`] is one that its option allows, in the spelling of its declaration.

use tempora_source::Diagnostic;

use crate::codes::MISPLACED_OPTION;

/// An option of one or several engines.
#[derive(Debug)]
pub struct EngineOption {
    /// Its name, without dashes.
    pub name: &'static str,
    /// A placeholder for its value, for help texts.
    pub value_name: &'static str,
    /// What it decides, in one line.
    pub help: &'static str,
    /// The values that it takes.
    pub values: OptionValues,
    /// What it configures.
    pub subject: OptionSubject,
}

/// The values that an option takes.
#[derive(Clone, Copy, Debug)]
pub enum OptionValues {
    /// One of these; capital letters do not matter.
    OneOf(&'static [OptionValue]),
    /// A number that is not negative.
    Number,
    /// The path of a file, or the beginning of one.
    Path,
}

/// A value that an option takes, and its meaning in a phrase.
pub type OptionValue = (&'static str, &'static str);

/// A message about options that do not go together, and a hint.
pub type OptionFault = (String, &'static str);

/// What an option configures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OptionSubject {
    /// The abstraction.
    Abstraction,
    /// The solver.
    Solver,
}

/// The options of engines that a request gives.
#[derive(Clone, Debug, Default)]
pub struct GivenOptions {
    given: Vec<(&'static EngineOption, String)>,
}

impl GivenOptions {
    /// Reads options from their names and values; the last value counts. `known` are all options that there are.
    pub fn read(
        texts: &[(String, String)],
        known: &[&'static EngineOption],
    ) -> Result<GivenOptions, Diagnostic> {
        let mut options = GivenOptions::default();
        for (name, value) in texts {
            let option = known.iter().copied().find(|option| option.name == name).ok_or_else(|| {
                let names: Vec<String> = known.iter().map(|option| format!("--{}", option.name)).collect();
                Diagnostic::error(&MISPLACED_OPTION, format!("no engine has an option `--{name}`"))
                    .with_hint(format!("the options of engines are {}", names.join(", ")))
            })?;
            let value = option.read(value)?;
            options.given.retain(|(other, _)| other.name != option.name);
            options.given.push((option, value));
        }
        Ok(options)
    }

    /// The value of an option, if it is given.
    pub fn value(&self, option: &EngineOption) -> Option<&str> {
        self.given.iter().find(|(given, _)| given.name == option.name).map(|(_, value)| value.as_str())
    }

    /// The position of the value of an option among those that it takes, if it is given.
    pub(crate) fn choice(&self, option: &EngineOption) -> Option<&'static str> {
        let value = self.value(option)?;
        let OptionValues::OneOf(values) = option.values else { return None };
        values.iter().map(|(name, _)| *name).find(|name| *name == value)
    }

    /// The options that are given about a subject.
    pub fn about(&self, subject: OptionSubject) -> impl Iterator<Item = &'static EngineOption> {
        self.given.iter().map(|(option, _)| *option).filter(move |option| option.subject == subject)
    }
}

impl EngineOption {
    /// A value of the option in the spelling of its declaration, or why it is none.
    fn read(&self, value: &str) -> Result<String, Diagnostic> {
        let refused = |hint: String| {
            let message = format!("`--{}` does not take `{value}`", self.name);
            Diagnostic::error(&MISPLACED_OPTION, message).with_hint(hint)
        };
        match self.values {
            OptionValues::Path => Ok(value.to_owned()),
            OptionValues::Number => match value.parse::<usize>() {
                Ok(number) => Ok(number.to_string()),
                Err(_) => Err(refused("it takes a number".to_owned())),
            },
            OptionValues::OneOf(values) => {
                let known = values.iter().map(|(name, _)| *name);
                known
                    .clone()
                    .find(|name| name.eq_ignore_ascii_case(value))
                    .map(str::to_owned)
                    .ok_or_else(|| refused(format!("it takes {}", known.collect::<Vec<_>>().join(", "))))
            }
        }
    }
}
