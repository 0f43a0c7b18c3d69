//! Parses the command line of UPPAAL's `verifyta`, described by one table.
//!
//! Invariant: every option is honoured, is irrelevant to an exact answer, or is refused by name with a hint. Options
//! outside the table are refused.

use std::fmt::Write;

use tempora_source::{Diagnostic, nearest_names};
use tempora_workbench::RunPreference;
use tempora_workbench::jobs::SearchChoice;

use crate::codes::VERIFYTA_OPTION;

/// The parsed options.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Options {
    pub(super) model: String,
    pub(super) queries: Option<String>,
    /// The run to show; `None` without `-t`.
    pub(super) trace: Option<RunPreference>,
    pub(super) trace_prefix: Option<String>,
    pub(super) order: Order,
    pub(super) seed: u64,
    pub(super) space: u8,
    pub(super) shows_options: bool,
    pub(super) shows_statistics: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Order {
    Breadth,
    Depth,
    RandomDepth,
}

/// The request of a command line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Request {
    Verify(Options),
    Help,
    Version,
}

/// The effect of an option.
enum OptionEffect {
    Help,
    Version,
    Trace,
    TracePrefix,
    Order,
    Seed,
    Space,
    HideOptions,
    Statistics,
    /// Accepted, with the reason why it does not affect answers.
    WithoutEffect(&'static str),
    /// Refused, with the hint.
    Refused(&'static str),
}

struct OptionRow {
    short: Option<char>,
    long: Option<&'static str>,
    takes_argument: bool,
    effect: OptionEffect,
    help: &'static str,
}

const fn row(
    short: Option<char>,
    long: Option<&'static str>,
    takes_argument: bool,
    effect: OptionEffect,
    help: &'static str,
) -> OptionRow {
    OptionRow { short, long, takes_argument, effect, help }
}

const EXACT: &str = "states are always stored exactly";
const STATISTICAL: &str = "statistical queries are not supported";
const STRATEGIES: &str = "strategies are not supported";
const WRITTEN: &str = "-f writes a run as `.xtr`, `tempora check --save-trace` in other formats";

const TABLE: &[OptionRow] = &[
    row(Some('h'), Some("help"), false, OptionEffect::Help, "print this text"),
    row(Some('v'), Some("version"), false, OptionEffect::Version, "print the version"),
    row(
        Some('t'),
        Some("diagnostic"),
        true,
        OptionEffect::Trace,
        "show a run: 0 some, 1 shortest, 2 fastest",
    ),
    row(Some('f'), None, true, OptionEffect::TracePrefix, "with -t, write runs to ARG-1.xtr and so on"),
    row(
        Some('o'),
        Some("search-order"),
        true,
        OptionEffect::Order,
        "0 breadth first, 1 depth first, 2 random depth first",
    ),
    row(Some('r'), Some("seed"), true, OptionEffect::Seed, "seed of the random order"),
    row(Some('q'), None, false, OptionEffect::HideOptions, "do not show the options"),
    row(Some('u'), Some("summary"), false, OptionEffect::Statistics, "show statistics"),
    row(
        Some('s'),
        None,
        false,
        OptionEffect::WithoutEffect("progress is shown on a terminal only"),
        "do not show progress",
    ),
    row(
        Some('S'),
        None,
        true,
        OptionEffect::Space,
        "space optimisation: 0 none, 1 conservative, 2 aggressive; shown, but without effect",
    ),
    row(Some('C'), None, false, OptionEffect::WithoutEffect(EXACT), "store matrices"),
    row(
        Some('A'),
        None,
        false,
        OptionEffect::WithoutEffect("the answer is always exact"),
        "over-approximate",
    ),
    row(
        Some('Z'),
        None,
        false,
        OptionEffect::WithoutEffect("the answer is always exact"),
        "under-approximate",
    ),
    row(
        Some('H'),
        Some("hashtable-size"),
        true,
        OptionEffect::WithoutEffect(EXACT),
        "size of the hash table",
    ),
    row(Some('n'), Some("extrapolation"), true, OptionEffect::WithoutEffect(EXACT), "extrapolation"),
    row(
        Some('T'),
        None,
        false,
        OptionEffect::WithoutEffect("queries share an exploration where possible"),
        "reuse the state space",
    ),
    row(Some('X'), None, true, OptionEffect::Refused(WRITTEN), "runs as XML"),
    row(
        Some('y'),
        None,
        false,
        OptionEffect::Refused("runs are concrete: each delay is a number"),
        "symbolic runs",
    ),
    row(
        Some('Y'),
        None,
        false,
        OptionEffect::Refused("runs are concrete: each delay is a number"),
        "symbolic runs",
    ),
    row(
        Some('d'),
        None,
        false,
        OptionEffect::Refused("use a query such as `A[] not deadlock`"),
        "another check",
    ),
    row(Some('w'), None, true, OptionEffect::Refused(STRATEGIES), "strategies"),
    row(None, Some("print-strategies"), true, OptionEffect::Refused(STRATEGIES), "strategies"),
    row(None, Some("learning-method"), true, OptionEffect::Refused(STRATEGIES), "learning"),
    row(None, Some("good-runs"), true, OptionEffect::Refused(STRATEGIES), "learning"),
    row(None, Some("eval-runs"), true, OptionEffect::Refused(STRATEGIES), "learning"),
    row(None, Some("max-iterations"), true, OptionEffect::Refused(STRATEGIES), "learning"),
    row(Some('a'), Some("alpha"), true, OptionEffect::Refused(STATISTICAL), "statistics"),
    row(Some('B'), Some("beta"), true, OptionEffect::Refused(STATISTICAL), "statistics"),
    row(Some('E'), Some("epsilon"), true, OptionEffect::Refused(STATISTICAL), "statistics"),
    row(Some('D'), None, true, OptionEffect::Refused(STATISTICAL), "statistics"),
    row(
        None,
        Some("query-index"),
        true,
        OptionEffect::Refused("pass a file with only this query"),
        "one query",
    ),
    row(
        None,
        Some("json"),
        false,
        OptionEffect::Refused("`tempora check --output json` writes JSON"),
        "JSON",
    ),
];

/// Parses the command line.
pub(super) fn read(arguments: &[String]) -> Result<Request, Diagnostic> {
    let mut options = Options {
        model: String::new(),
        queries: None,
        trace: None,
        trace_prefix: None,
        order: Order::Breadth,
        seed: 0,
        space: 1,
        shows_options: true,
        shows_statistics: false,
    };
    let mut files = Vec::new();
    let mut rest = arguments.iter();
    while let Some(argument) = rest.next() {
        if let Some(long) = argument.strip_prefix("--").filter(|long| !long.is_empty()) {
            let (name, attached) = match long.split_once('=') {
                Some((name, value)) => (name, Some(value.to_owned())),
                None => (long, None),
            };
            let row = TABLE.iter().find(|row| row.long == Some(name)).ok_or_else(|| unknown(argument))?;
            let value = match (row.takes_argument, attached) {
                (true, Some(value)) => value,
                (true, None) => rest.next().cloned().ok_or_else(|| missing(argument))?,
                (false, None) => String::new(),
                (false, Some(_)) => return Err(fault(format!("`--{name}` takes no argument"))),
            };
            if let Some(request) = apply(&mut options, row, &format!("--{name}"), &value)? {
                return Ok(request);
            }
        } else if let Some(letters) = argument.strip_prefix('-').filter(|letters| !letters.is_empty()) {
            // Short options may be combined, and the last may be followed by its argument: `-sqt0`.
            let mut letters = letters.chars();
            while let Some(letter) = letters.next() {
                let name = format!("-{letter}");
                let row = TABLE.iter().find(|row| row.short == Some(letter)).ok_or_else(|| unknown(&name))?;
                let mut value = String::new();
                if row.takes_argument {
                    value = letters.by_ref().collect();
                    if value.is_empty() {
                        value = rest.next().cloned().ok_or_else(|| missing(&name))?;
                    }
                }
                if let Some(request) = apply(&mut options, row, &name, &value)? {
                    return Ok(request);
                }
            }
        } else {
            files.push(argument.clone());
        }
    }
    let mut files = files.into_iter();
    let Some(model) = files.next() else {
        return Err(
            fault("missing model".to_owned()).with_hint("usage: tempora verifyta [OPTION]... MODEL QUERY")
        );
    };
    options.model = model;
    options.queries = files.next();
    match files.next() {
        Some(more) => Err(fault(format!("unexpected file `{more}`"))
            .with_hint("give a model and at most one file with queries")),
        None => Ok(Request::Verify(options)),
    }
}

fn apply(
    options: &mut Options,
    row: &OptionRow,
    name: &str,
    value: &str,
) -> Result<Option<Request>, Diagnostic> {
    let choice = |most: u8| {
        value.parse::<u8>().ok().filter(|choice| *choice <= most).ok_or_else(|| {
            fault(format!("`{name}` does not accept `{value}`"))
                .with_hint(format!("use a number from 0 to {most}"))
        })
    };
    match &row.effect {
        OptionEffect::Help => return Ok(Some(Request::Help)),
        OptionEffect::Version => return Ok(Some(Request::Version)),
        OptionEffect::Trace => {
            options.trace = Some(match choice(2)? {
                0 => RunPreference::Any,
                1 => RunPreference::FewestTransitions,
                _ => RunPreference::LeastTime,
            });
        }
        OptionEffect::TracePrefix => options.trace_prefix = Some(value.to_owned()),
        OptionEffect::Order => {
            options.order = match choice(2)? {
                0 => Order::Breadth,
                1 => Order::Depth,
                _ => Order::RandomDepth,
            };
        }
        OptionEffect::Seed => {
            options.seed = value
                .parse()
                .map_err(|_| fault(format!("`{value}` is not a seed")).with_hint("use a number"))?;
        }
        OptionEffect::Space => options.space = choice(2)?,
        OptionEffect::HideOptions => options.shows_options = false,
        OptionEffect::Statistics => options.shows_statistics = true,
        OptionEffect::WithoutEffect(_) => {}
        OptionEffect::Refused(hint) => {
            return Err(fault(format!("option `{name}` of verifyta is not supported")).with_hint(*hint));
        }
    }
    Ok(None)
}

fn fault(message: String) -> Diagnostic {
    Diagnostic::error(&VERIFYTA_OPTION, message)
}

fn missing(name: &str) -> Diagnostic {
    fault(format!("`{name}` needs an argument")).with_hint("tempora verifyta --help lists the options")
}

fn unknown(name: &str) -> Diagnostic {
    let known = TABLE.iter().filter_map(|row| row.long);
    let hint = match nearest_names(name.trim_start_matches('-'), known).first() {
        Some(nearest) if name.starts_with("--") => format!("did you mean `--{nearest}`?"),
        _ => "tempora verifyta --help lists the options".to_owned(),
    };
    fault(format!("unknown option `{name}` of verifyta")).with_hint(hint)
}

impl Options {
    pub(super) fn search(&self) -> SearchChoice {
        match self.order {
            Order::Breadth => SearchChoice::Auto,
            Order::Depth => SearchChoice::Dfs,
            Order::RandomDepth => SearchChoice::Random,
        }
    }

    /// Returns the options in the layout of `verifyta`.
    pub(super) fn summary(&self) -> String {
        let trace = match self.trace {
            None => "no",
            Some(RunPreference::Any) => "some",
            Some(RunPreference::FewestTransitions) => "shortest",
            Some(RunPreference::LeastTime) => "fastest",
        };
        let order = match self.order {
            Order::Breadth => "breadth first",
            Order::Depth => "depth first",
            Order::RandomDepth => "random depth first",
        };
        let space = match self.space {
            0 => "no",
            1 => "conservative",
            _ => "aggressive",
        };
        format!(
            "Options for the verification:\n  Generating {trace} trace\n  Search order is {order}\n  \
             Using {space} space optimisation\n  Seed is {}\n  \
             State space representation uses minimal constraint systems\n",
            self.seed
        )
    }
}

/// Returns the text of `--help`; scripts search for its first line and `-h [ --help ]`.
pub(super) fn help() -> String {
    let mut text = String::from(
        "Usage: verifyta [OPTION]... MODEL QUERY\nwhere MODEL is a model file and QUERY is a query file.\n\
         If QUERY is missing, the queries in the model, or in the query file beside it, are answered.\n\
         The exit status is 0 if all queries have a verdict, 3 if one has none, and 2 for errors.\nOptions:\n",
    );
    for row in TABLE {
        let names = match (row.short, row.long) {
            (Some(short), Some(long)) => format!("-{short} [ --{long} ]"),
            (Some(short), None) => format!("-{short}"),
            (None, Some(long)) => format!("--{long}"),
            (None, None) => String::new(),
        };
        let names = if row.takes_argument { format!("{names} arg") } else { names };
        // Writing to a string cannot fail.
        let _ = write!(text, "  {names:<33} {}", row.help);
        let _ = match row.effect {
            OptionEffect::WithoutEffect(why) => writeln!(text, "; without effect: {why}"),
            OptionEffect::Refused(hint) => writeln!(text, "; refused: {hint}"),
            _ => writeln!(text),
        };
    }
    text
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

    use super::*;

    fn read_words(line: &str) -> Result<Request, String> {
        let words: Vec<String> = line.split_whitespace().map(str::to_owned).collect();
        read(&words)
            .map_err(|diagnostic| format!("{}; {}", diagnostic.message, diagnostic.hint.unwrap_or_default()))
    }

    fn options(line: &str) -> Options {
        match read_words(line).unwrap() {
            Request::Verify(options) => options,
            other => panic!("{line}: {other:?}"),
        }
    }

    #[test]
    fn options_of_scripts_are_parsed() {
        let read = options("-squ model.xml queries.q");
        assert_eq!((read.model.as_str(), read.queries.as_deref()), ("model.xml", Some("queries.q")));
        assert!(read.shows_statistics && !read.shows_options && read.trace.is_none());
        assert_eq!(options("-t0 m").trace, Some(RunPreference::Any));
        assert_eq!(options("-t 1 m").trace, Some(RunPreference::FewestTransitions));
        assert_eq!(options("m -sqt2 -f out").trace, Some(RunPreference::LeastTime));
        assert_eq!(options("m --diagnostic 0").trace, Some(RunPreference::Any));
        assert_eq!(options("m --diagnostic=2").trace, Some(RunPreference::LeastTime));
        assert_eq!(options("-o 2 -r 7 -S2 -A -Z -C -H 27 -n 4 -T m").search(), SearchChoice::Random);
        assert_eq!(read_words("-h"), Ok(Request::Help));
        assert_eq!(read_words("--version"), Ok(Request::Version));
    }

    #[test]
    fn unsupported_options_are_refused_by_name() {
        for (line, part) in [
            ("-X out m", "`-X` of verifyta is not supported; -f writes"),
            ("--json m", "`--json` of verifyta is not supported"),
            ("-t3 m", "`-t` does not accept `3`; use a number from 0 to 2"),
            ("-o 4 m", "`-o` does not accept `4`"),
            ("--alpha 0.1 m", "`--alpha` of verifyta is not supported; statistical"),
            ("--diagnistic 0 m", "did you mean `--diagnostic`?"),
            ("-k m", "unknown option `-k`"),
            ("m q more", "unexpected file `more`"),
            ("-t", "`-t` needs an argument"),
            ("-q", "missing model"),
            ("--help=1", "`--help` takes no argument"),
        ] {
            let message = read_words(line).unwrap_err();
            assert!(message.contains(part), "{line}: {message}");
        }
    }

    #[test]
    fn help_lists_every_option_once() {
        let help = help();
        for row in TABLE {
            let name =
                row.short.map_or_else(|| format!("--{}", row.long.unwrap()), |short| format!("  -{short}"));
            assert_eq!(help.matches(&format!("{name} ")).count(), 1, "{name}");
        }
        assert!(
            help.starts_with("Usage: verifyta [OPTION]... MODEL QUERY\n") && help.contains("-h [ --help ]")
        );
    }
}
