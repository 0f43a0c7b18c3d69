//! Closed sets of words in documents and texts, one enum each.
//!
//! Invariant: a variant has one word. It is the variant's name in JSON, and the text that people read.

use std::fmt;

use serde::Serialize;
use tempora_certify::Assurance;
use tempora_evidence::{TransitionKind, Verdict};
use tempora_source::Severity;
use tempora_transition::{EdgeKind, VariableRole};

/// Declares an enum whose variants are words.
macro_rules! words {
    ($(
        $(#[$about:meta])*
        pub enum $name:ident {
            $($(#[$about_variant:meta])* $variant:ident = $word:literal,)+
        }
    )+) => {$(
        $(#[$about])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize)]
        #[cfg_attr(test, derive(schemars::JsonSchema))]
        pub enum $name {
            $($(#[$about_variant])* #[serde(rename = $word)] $variant,)+
        }

        impl $name {
            /// All variants, in the order of their declaration.
            pub const ALL: &'static [$name] = &[$($name::$variant),+];

            /// Returns the word.
            pub const fn word(self) -> &'static str {
                match self {
                    $($name::$variant => $word,)+
                }
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                formatter.pad(self.word())
            }
        }
    )+};
}

words! {
    /// The verdict of an answer.
    pub enum VerdictWord {
        /// The query holds, or the values that it asks for are known.
        Satisfied = "satisfied",
        /// The query does not hold.
        Violated = "violated",
        /// There is no verdict.
        Unknown = "unknown",
        /// A value was estimated.
        Estimated = "estimated",
    }

    /// How far an answer was checked independently of its engine.
    pub enum AssuranceWord {
        /// The reference interpreter executed a run that shows the verdict.
        Replayed = "replayed",
        /// The independent checker accepted a certificate.
        Certified = "certified",
        /// Nothing was checked.
        Unchecked = "unchecked",
    }

    /// What a run shows at its end.
    pub enum EndingWord {
        /// The last state satisfies the predicate that was searched for.
        Goal = "goal",
        /// No transition is possible any more.
        Deadlock = "deadlock",
        /// Time may pass for ever.
        DelayForever = "delay forever",
        /// The steps from the start of the cycle can be repeated.
        Lasso = "lasso",
        /// Another side cannot follow the last step.
        RefusedMove = "refused move",
        /// An invariant does not hold after the last step.
        InvariantViolation = "invariant violation",
        /// The model fails with an error.
        Error = "error",
    }

    /// How the edges of a transition of a network synchronise.
    pub enum TransitionWord {
        /// One edge alone.
        Internal = "internal",
        /// A sender and a receiver.
        Binary = "binary",
        /// A sender and all receivers that can.
        Broadcast = "broadcast",
        /// The edges of a synchronisation vector.
        Vector = "vector",
    }

    /// The kind of an edge of a symbolic system.
    pub enum ControlEdgeWord {
        /// Part of the initialisation.
        Initialisation = "init",
        /// Of the environment.
        Environment = "env",
        /// Of the system itself.
        Step = "step",
        /// Of time: only clocks change.
        Delay = "delay",
        /// Nothing changes.
        Stutter = "stutter",
    }

    /// How certain a finding is.
    pub enum CertaintyWord {
        /// It follows from the text, or from all reachable states.
        Definite = "definite",
        /// It was not seen in the states that were explored.
        NotSeen = "not seen",
        /// A run shows it.
        Confirmed = "confirmed",
    }

    /// The severity of a diagnostic.
    pub enum SeverityWord {
        /// The input cannot be used as it is.
        Error = "error",
        /// The input is probably not what its author meant.
        Warning = "warning",
        /// A remark.
        Info = "info",
    }

    /// A comparison of a difference of clocks with a constant.
    pub enum ComparisonWord {
        /// Less than the constant.
        Less = "<",
        /// At most the constant.
        AtMost = "<=",
    }

    /// The kind of a participant of a run.
    pub enum ParticipantWord {
        /// A process of a network.
        Process = "process",
        /// A symbolic system as a whole.
        System = "system",
        /// A part of a model in a language of its own, such as a region of a statechart.
        Region = "region",
    }

    /// The kind of a variable.
    pub enum VariableWord {
        /// A constant.
        Constant = "constant",
        /// A clock.
        Clock = "clock",
        /// A clock that only statistics read.
        HybridClock = "hybrid clock",
        /// A variable that keeps no value between transitions.
        Meta = "meta",
        /// Part of the state.
        Data = "data",
        /// Part of the state: the position of the system in its control flow.
        Control = "control",
        /// Part of the state that others see.
        Output = "output",
        /// Part of the state that describes the last step.
        Flag = "flag",
        /// Part of the state that only properties depend on.
        Ghost = "ghost",
        /// Chosen anew in each step.
        Input = "input",
        /// Used inside of a step only.
        Local = "local",
    }

    /// The kind of a channel.
    pub enum ChannelWord {
        /// One sender and one receiver.
        Binary = "binary",
        /// One sender and all receivers that can.
        Broadcast = "broadcast",
        /// A binary channel on which time does not wait.
        Urgent = "urgent",
        /// A broadcast channel on which time does not wait.
        UrgentBroadcast = "urgent broadcast",
    }
}

impl From<&Verdict> for VerdictWord {
    fn from(verdict: &Verdict) -> VerdictWord {
        match verdict {
            Verdict::Holds | Verdict::Value(_) => VerdictWord::Satisfied,
            Verdict::Fails => VerdictWord::Violated,
            Verdict::Estimated(_) => VerdictWord::Estimated,
            Verdict::Unknown(_) => VerdictWord::Unknown,
        }
    }
}

impl From<Assurance> for AssuranceWord {
    fn from(assurance: Assurance) -> AssuranceWord {
        match assurance {
            Assurance::Replayed => AssuranceWord::Replayed,
            Assurance::Certified => AssuranceWord::Certified,
            Assurance::Unchecked => AssuranceWord::Unchecked,
        }
    }
}

impl From<TransitionKind> for TransitionWord {
    fn from(kind: TransitionKind) -> TransitionWord {
        match kind {
            TransitionKind::Internal => TransitionWord::Internal,
            TransitionKind::Binary => TransitionWord::Binary,
            TransitionKind::Broadcast => TransitionWord::Broadcast,
            TransitionKind::Vector(_) => TransitionWord::Vector,
        }
    }
}

impl From<EdgeKind> for ControlEdgeWord {
    fn from(kind: EdgeKind) -> ControlEdgeWord {
        match kind {
            EdgeKind::Initialisation => ControlEdgeWord::Initialisation,
            EdgeKind::Environment => ControlEdgeWord::Environment,
            EdgeKind::Step => ControlEdgeWord::Step,
            EdgeKind::Delay => ControlEdgeWord::Delay,
            EdgeKind::Stutter => ControlEdgeWord::Stutter,
        }
    }
}

impl From<Severity> for SeverityWord {
    fn from(severity: Severity) -> SeverityWord {
        match severity {
            Severity::Error => SeverityWord::Error,
            Severity::Warning => SeverityWord::Warning,
            Severity::Info => SeverityWord::Info,
        }
    }
}

impl From<VariableRole> for VariableWord {
    fn from(role: VariableRole) -> VariableWord {
        match role {
            VariableRole::State => VariableWord::Data,
            VariableRole::Control => VariableWord::Control,
            VariableRole::Output => VariableWord::Output,
            VariableRole::Clock => VariableWord::Clock,
            VariableRole::Flag => VariableWord::Flag,
            VariableRole::Ghost => VariableWord::Ghost,
            VariableRole::Input => VariableWord::Input,
            VariableRole::Local => VariableWord::Local,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Text forms of symbolic systems have their own names; those in documents are the same.
    #[test]
    fn words_are_the_names_of_text_forms() {
        for role in VariableRole::ALL {
            assert_eq!(VariableWord::from(role).word(), role.name());
        }
        let kinds = [
            EdgeKind::Initialisation,
            EdgeKind::Environment,
            EdgeKind::Step,
            EdgeKind::Delay,
            EdgeKind::Stutter,
        ];
        for kind in kinds {
            assert_eq!(ControlEdgeWord::from(kind).word(), kind.name());
        }
    }

    #[test]
    fn word_is_padded_and_serialised() {
        assert_eq!(format!("{:<7}|", ControlEdgeWord::Step), "step   |");
        assert_eq!(serde_json::to_string(&EndingWord::DelayForever).unwrap(), "\"delay forever\"");
    }
}
