//! The options of engines for symbolic systems, spelled as in Theta.
//!
//! Invariant: options that do not go together are refused with the reason, before anything is computed.

use std::path::PathBuf;
use std::sync::Arc;

use tempora_evidence::SystemKind;
use tempora_source::Diagnostic;
use tempora_workbench::{
    AutomaticValues, BlockEncoding, CegarOptions, Direction, Domain, EngineChoice, EngineDescriptor,
    EngineSettings, GraphSearch, InitialPrecision, Newton, PredicateKind, PredicateSplit, Pruning,
    RefinementStrategy, SolverOptions,
};

use super::check::SearchChoice;
use crate::codes::{MISPLACED_OPTION, NO_SOLVER};

/// How symbolic systems are checked.
#[derive(clap::Args)]
#[command(next_help_heading = "Symbolic systems")]
pub(crate) struct AbstractionArguments {
    /// What abstract states say
    #[arg(long, value_name = "DOMAIN", value_enum, ignore_case = true)]
    domain: Option<DomainChoice>,

    /// What a spurious counterexample teaches
    #[arg(long, value_name = "STRATEGY", value_enum, ignore_case = true)]
    refinement: Option<RefinementChoice>,

    /// Into what formulas are split before they become predicates
    #[arg(long, value_name = "HOW", value_enum, ignore_case = true)]
    predsplit: Option<SplitChoice>,

    /// In products, when a variable is looked at by its values
    #[arg(long, value_name = "WHEN", value_enum, ignore_case = true)]
    autoexpl: Option<AutoexplChoice>,

    /// What one step of the abstraction is
    #[arg(long, value_name = "BLOCKS", value_enum, ignore_case = true)]
    encoding: Option<EncodingChoice>,

    /// With values, make more successors than this one; 0 for no limit
    #[arg(long, value_name = "N")]
    maxenum: Option<usize>,

    /// With what precision the search begins
    #[arg(long, value_name = "WHICH", value_enum, ignore_case = true)]
    initprec: Option<PrecisionChoice>,

    /// What is thrown away after a refinement
    #[arg(long, value_name = "WHAT", value_enum, ignore_case = true)]
    prunestrategy: Option<PruneChoice>,

    /// The SMT solver, a program that speaks SMT-LIB
    #[arg(long, value_name = "PATH")]
    solver: Option<PathBuf>,

    /// Write the abstract reachability graph after each iteration: PREFIX-1.json and PREFIX-1.svg, and so on
    #[arg(long, value_name = "PREFIX")]
    pub(super) save_arg: Option<String>,

    /// Append everything that the solver is told to this file
    #[arg(long, value_name = "FILE")]
    dump_smt: Option<PathBuf>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
#[value(rename_all = "SCREAMING_SNAKE_CASE")]
enum DomainChoice {
    /// The values of some variables
    Expl,
    /// Which predicates hold or do not hold for sure
    PredCart,
    /// A disjunction of combinations of predicates
    PredBool,
    /// One combination of predicates in each state
    PredSplit,
    /// Values of control variables, and PRED_CART
    ExplPredCart,
    /// Values of control variables, and PRED_BOOL
    ExplPredBool,
    /// Values of control variables, and PRED_SPLIT
    ExplPredSplit,
    /// The same, found together
    ExplPredCombined,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
#[value(rename_all = "SCREAMING_SNAKE_CASE")]
enum AutoexplChoice {
    /// Never, but for control variables
    Static,
    /// With an atom that the model does not have
    Newatoms,
    /// With an operand that it does not have in the model
    Newoperands,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
#[value(rename_all = "SCREAMING_SNAKE_CASE")]
enum EncodingChoice {
    /// Chains of edges are one step
    Lbe,
    /// Each edge is one step
    Sbe,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
#[value(rename_all = "SCREAMING_SNAKE_CASE")]
enum RefinementChoice {
    /// An interpolant for each state on the way, all at once
    SeqItp,
    /// Interpolants step by step: strongest postconditions
    NwtSp,
    /// The same, about variables that matter later
    NwtSpLv,
    /// Strongest postconditions of the steps that contradict each other
    NwtItSp,
    /// The same, about variables that matter later
    NwtItSpLv,
    /// Interpolants step by step: weakest preconditions
    NwtWp,
    /// The same, about variables that something was said of before
    NwtWpLv,
    /// Weakest preconditions of the steps that contradict each other
    NwtItWp,
    /// The same, about variables that something was said of before
    NwtItWpLv,
    /// The variables of an unsatisfiable core; with domain EXPL only
    UnsatCore,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
#[value(rename_all = "SCREAMING_SNAKE_CASE")]
enum SplitChoice {
    /// Not at all
    Whole,
    /// Into the parts of conjunctions
    Conjuncts,
    /// Into their atoms
    Atoms,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
#[value(rename_all = "SCREAMING_SNAKE_CASE")]
enum PrecisionChoice {
    /// With none
    Empty,
    /// With what the property speaks about
    Prop,
    /// With the control variables; with values only
    Ctrl,
    /// With all variables; with values only
    Allvars,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
#[value(rename_all = "SCREAMING_SNAKE_CASE")]
enum PruneChoice {
    /// Only what is wrong
    Lazy,
    /// Everything
    Full,
}

impl RefinementChoice {
    fn strategy(self) -> RefinementStrategy {
        let newton = |direction, forgets, keeps_live_only| {
            RefinementStrategy::Newton(Newton { direction, forgets, keeps_live_only })
        };
        match self {
            RefinementChoice::SeqItp => RefinementStrategy::SequenceInterpolants,
            RefinementChoice::NwtSp => newton(Direction::Forwards, false, false),
            RefinementChoice::NwtSpLv => newton(Direction::Forwards, false, true),
            RefinementChoice::NwtItSp => newton(Direction::Forwards, true, false),
            RefinementChoice::NwtItSpLv => newton(Direction::Forwards, true, true),
            RefinementChoice::NwtWp => newton(Direction::Backwards, false, false),
            RefinementChoice::NwtWpLv => newton(Direction::Backwards, false, true),
            RefinementChoice::NwtItWp => newton(Direction::Backwards, true, false),
            RefinementChoice::NwtItWpLv => newton(Direction::Backwards, true, true),
            RefinementChoice::UnsatCore => RefinementStrategy::UnsatCore,
        }
    }
}

impl AbstractionArguments {
    /// The options about abstractions that were given.
    fn about_abstractions(&self) -> Vec<&'static str> {
        let given = [
            ("--domain", self.domain.is_some()),
            ("--refinement", self.refinement.is_some()),
            ("--predsplit", self.predsplit.is_some()),
            ("--autoexpl", self.autoexpl.is_some()),
            ("--encoding", self.encoding.is_some()),
            ("--maxenum", self.maxenum.is_some()),
            ("--initprec", self.initprec.is_some()),
            ("--prunestrategy", self.prunestrategy.is_some()),
            ("--save-arg", self.save_arg.is_some()),
        ];
        given.into_iter().filter(|(_, is_given)| *is_given).map(|(name, _)| name).collect()
    }

    /// The options about solvers that were given.
    fn about_solvers(&self) -> Vec<&'static str> {
        let given = [("--solver", self.solver.is_some()), ("--dump-smt", self.dump_smt.is_some())];
        given.into_iter().filter(|(_, is_given)| *is_given).map(|(name, _)| name).collect()
    }

    /// That options were given which mean nothing to the engines for networks, if there are such.
    fn refused_for_networks(&self, engine: EngineChoice) -> Option<Diagnostic> {
        let is_meant = |option: &&str| match engine {
            EngineChoice::Automatic => false,
            EngineChoice::Chosen(engine) => engine.has_option(option),
        };
        let mut given = [self.about_abstractions(), self.about_solvers()].concat();
        given.retain(|option| !is_meant(option));
        (!given.is_empty()).then(|| {
            let message = format!("{} is for symbolic systems", given.join(", "));
            let hint = "leave it out; for networks the variable TEMPORA_SOLVER names the solver";
            Diagnostic::error(&MISPLACED_OPTION, message).with_hint(hint)
        })
    }

    /// Why options that were given mean nothing to an engine for symbolic systems, if they do not.
    fn refused_by(&self, engine: &EngineDescriptor, search: SearchChoice) -> Option<(String, &'static str)> {
        let name = engine.name;
        if let Some(first) = self.about_abstractions().iter().find(|option| !engine.has_option(option)) {
            let message = format!("{first} says how an abstraction works, and the engine `{name}` has none");
            return Some((message, "use --engine cegar, or leave it out"));
        }
        if matches!(search, SearchChoice::Dfs | SearchChoice::Err) && !engine.has_option("--search") {
            let message = format!("the engine `{name}` looks at short runs first, whatever --search says");
            return Some((message, "use --engine cegar, or leave out --search"));
        }
        let about_solvers = self.about_solvers();
        let first = about_solvers.iter().find(|option| !engine.has_option(option))?;
        Some((format!("{first} is about solvers, and the engine `{name}` asks none"), "leave it out"))
    }

    /// Sets how abstractions and solvers work, or says why the options do not go together.
    pub(super) fn apply(
        &self,
        settings: &mut EngineSettings,
        engine: EngineChoice,
        kind: SystemKind,
        search: SearchChoice,
        seed: u64,
    ) -> Result<(), Box<Diagnostic>> {
        let refused = |message: String, hint: &str| {
            Err(Box::new(Diagnostic::error(&MISPLACED_OPTION, message).with_hint(hint)))
        };
        let asks_solver = match (kind, engine) {
            (SystemKind::Symbolic, EngineChoice::Automatic) => self.solver.is_some(),
            (SystemKind::Symbolic, EngineChoice::Chosen(engine)) => {
                if let Some((message, hint)) = self.refused_by(engine, search) {
                    return refused(message, hint);
                }
                engine.needs_solver
            }
            (SystemKind::Network, _) => {
                if let Some(diagnostic) = self.refused_for_networks(engine) {
                    return Err(Box::new(diagnostic));
                }
                match engine {
                    EngineChoice::Chosen(engine) if engine.needs_solver => self.solver.is_some(),
                    _ => return Ok(()),
                }
            }
        };
        if self.domain == Some(DomainChoice::Expl) && self.predsplit.is_some() {
            let message = "--predsplit splits predicates, and the domain EXPL has none".to_owned();
            return refused(message, "use a domain with predicates, or leave it out");
        }
        settings.cegar = CegarOptions {
            domain: match self.domain {
                Some(DomainChoice::Expl) => Domain::Explicit,
                None | Some(DomainChoice::PredCart) => Domain::Predicates(PredicateKind::Cartesian),
                Some(DomainChoice::PredBool) => Domain::Predicates(PredicateKind::Boolean),
                Some(DomainChoice::PredSplit) => Domain::Predicates(PredicateKind::Split),
                Some(DomainChoice::ExplPredCart) => Domain::Product(PredicateKind::Cartesian),
                Some(DomainChoice::ExplPredBool) => Domain::Product(PredicateKind::Boolean),
                Some(DomainChoice::ExplPredSplit) => Domain::Product(PredicateKind::Split),
                Some(DomainChoice::ExplPredCombined) => Domain::CombinedProduct,
            },
            refinement: self.refinement.map_or(RefinementStrategy::default(), RefinementChoice::strategy),
            search: match search {
                SearchChoice::Auto | SearchChoice::Bfs => GraphSearch::BreadthFirst,
                SearchChoice::Dfs => GraphSearch::DepthFirst,
                SearchChoice::Err => GraphSearch::NearestToError,
                // Engines for networks that do not know orders have never looked at them.
                SearchChoice::Random if kind == SystemKind::Network && !has_order(engine) => {
                    GraphSearch::BreadthFirst
                }
                SearchChoice::Random => {
                    return refused(
                        "symbolic systems are not searched at random".to_owned(),
                        "use --search auto, bfs, dfs or err",
                    );
                }
            },
            pruning: match self.prunestrategy {
                None | Some(PruneChoice::Lazy) => Pruning::Lazy,
                Some(PruneChoice::Full) => Pruning::Full,
            },
            initial_precision: match self.initprec {
                Some(PrecisionChoice::Empty) => InitialPrecision::Empty,
                None | Some(PrecisionChoice::Prop) => InitialPrecision::Property,
                Some(PrecisionChoice::Ctrl) => InitialPrecision::Control,
                Some(PrecisionChoice::Allvars) => InitialPrecision::AllVariables,
            },
            split: match self.predsplit {
                Some(SplitChoice::Whole) => PredicateSplit::Whole,
                Some(SplitChoice::Conjuncts) => PredicateSplit::Conjuncts,
                None | Some(SplitChoice::Atoms) => PredicateSplit::Atoms,
            },
            most_successors: self.maxenum.unwrap_or(0),
            automatic_values: match self.autoexpl {
                Some(AutoexplChoice::Static) => AutomaticValues::Static,
                Some(AutoexplChoice::Newatoms) => AutomaticValues::NewAtoms,
                None | Some(AutoexplChoice::Newoperands) => AutomaticValues::NewOperands,
            },
            encoding: match self.encoding {
                None | Some(EncodingChoice::Lbe) => BlockEncoding::Large,
                Some(EncodingChoice::Sbe) => BlockEncoding::Single,
            },
            most_checks: None,
            verifies_interpolants: false,
        };
        if self.autoexpl.is_some()
            && matches!(settings.cegar.domain, Domain::Explicit | Domain::Predicates(_))
        {
            return refused(
                "--autoexpl moves variables from predicates to values, and the domain has only one of them"
                    .to_owned(),
                "use one of the domains EXPL_PRED",
            );
        }
        if let Some(why) = settings.cegar.contradiction() {
            return refused(why.to_owned(), "choose another combination");
        }
        settings.solver = SolverOptions {
            program: self.solver.clone(),
            // The solver takes smaller seeds; which one does not matter as long as it is the same each time.
            seed: u32::try_from(seed % (1 << 30)).unwrap_or(0),
            dump: self.dump_smt.clone(),
            meter: Arc::default(),
        };
        if asks_solver && let Err(missing) = settings.solver.find() {
            let diagnostic = Diagnostic::error(&NO_SOLVER, missing.message).with_hint(missing.hint);
            return Err(Box::new(diagnostic));
        }
        Ok(())
    }
}

fn has_order(engine: EngineChoice) -> bool {
    matches!(engine, EngineChoice::Chosen(engine) if engine.has_option("--search"))
}
