//! The options of engines on the command line.
//!
//! They are generated from the registry of engines, so a new option of an engine needs no change here.

use clap::builder::{PossibleValue, PossibleValuesParser};
use clap::{Arg, ArgMatches, Command, value_parser};
use tempora_workbench::{EngineOption, OptionValues, engine_options};

/// The engine options given by the user, as names and values.
pub(crate) struct EngineArguments {
    pub(super) given: Vec<(String, String)>,
}

impl clap::Args for EngineArguments {
    fn augment_args(command: Command) -> Command {
        engine_options().into_iter().fold(command, |command, option| command.arg(argument(option)))
    }

    fn augment_args_for_update(command: Command) -> Command {
        EngineArguments::augment_args(command)
    }
}

impl clap::FromArgMatches for EngineArguments {
    fn from_arg_matches(matches: &ArgMatches) -> Result<EngineArguments, clap::Error> {
        let value = |option: &EngineOption| match option.values {
            OptionValues::Number => matches.get_one::<usize>(option.name).map(ToString::to_string),
            OptionValues::OneOf(_) | OptionValues::Path => matches.get_one::<String>(option.name).cloned(),
        };
        let given =
            engine_options().into_iter().filter_map(|option| Some((option.name.to_owned(), value(option)?)));
        Ok(EngineArguments { given: given.collect() })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = EngineArguments::from_arg_matches(matches)?;
        Ok(())
    }
}

fn argument(option: &'static EngineOption) -> Arg {
    let argument = Arg::new(option.name)
        .long(option.name)
        .value_name(option.value_name)
        .help(option.help)
        .help_heading("Symbolic systems");
    match option.values {
        OptionValues::Number => argument.value_parser(value_parser!(usize)),
        OptionValues::Path => argument.value_parser(value_parser!(String)),
        OptionValues::OneOf(values) => {
            let values = values.iter().map(|(name, help)| PossibleValue::new(*name).help(*help));
            argument.ignore_case(true).value_parser(PossibleValuesParser::new(values))
        }
    }
}
