//! Enumerations of the fixed words in documents and texts.
//!
//! Invariant: each variant has one word, which is used both in JSON and in text.

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
        /// The query holds, or its values are known.
        Satisfied = "satisfied",
        /// The query does not hold.
        Violated = "violated",
        /// There is no verdict.
        Unknown = "unknown",
        /// A value was estimated.
        Estimated = "estimated",
    }

    /// How an answer was checked independently of its engine.
    pub enum AssuranceWord {
        /// The reference interpreter replayed a run that confirms the verdict.
        Replayed = "replayed",
        /// The independent checker accepted a certificate of the verdict.
        Certified = "certified",
        /// The verdict was not independently checked.
        Unchecked = "unchecked",
    }

    /// The reason why a run ends.
    pub enum EndingWord {
        /// The final state satisfies the goal predicate.
        Goal = "goal",
        /// The final state is a deadlock.
        Deadlock = "deadlock",
        /// Time can pass for ever in the final state.
        DelayForever = "delay forever",
        /// The steps from the start of the cycle can be repeated for ever.
        Lasso = "lasso",
        /// The other side of a refinement cannot match the last step.
        RefusedMove = "refused move",
        /// An invariant is violated after the last step.
        InvariantViolation = "invariant violation",
        /// The model fails with an error.
        Error = "error",
    }

    /// The kind of synchronisation of a transition of a network.
    pub enum TransitionWord {
        /// A single edge.
        Internal = "internal",
        /// A sender and a receiver.
        Binary = "binary",
        /// A sender and all enabled receivers.
        Broadcast = "broadcast",
        /// The edges of a synchronisation vector.
        Vector = "vector",
    }

    /// The kind of an edge of a symbolic system.
    pub enum ControlEdgeWord {
        /// An edge of the initialisation.
        Initialisation = "init",
        /// An edge of the environment.
        Environment = "env",
        /// An edge of the system itself.
        Step = "step",
        /// A delay: only clocks change.
        Delay = "delay",
        /// A stuttering step: nothing changes.
        Stutter = "stutter",
    }

    /// The certainty of a finding.
    pub enum CertaintyWord {
        /// It follows from the text or from all reachable states.
        Definite = "definite",
        /// It holds in the explored states, which are not all.
        NotSeen = "not seen",
        /// A run confirms it.
        Confirmed = "confirmed",
    }

    /// The severity of a diagnostic.
    pub enum SeverityWord {
        /// The input is invalid.
        Error = "error",
        /// The input contains a likely mistake.
        Warning = "warning",
        /// Further information.
        Info = "info",
    }

    /// The comparison operator of a clock bound.
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
        /// A part of a lowered model, such as a region of a statechart.
        Region = "region",
    }

    /// The kind of a variable.
    pub enum VariableWord {
        /// A constant.
        Constant = "constant",
        /// A clock.
        Clock = "clock",
        /// A hybrid clock, which only statistical queries read.
        HybridClock = "hybrid clock",
        /// A variable that keeps no value between transitions.
        Meta = "meta",
        /// A variable of the state.
        Data = "data",
        /// A state variable for the position in the control flow.
        Control = "control",
        /// A state variable that is visible to the environment.
        Output = "output",
        /// A state variable that describes the last step.
        Flag = "flag",
        /// A state variable that only properties read.
        Ghost = "ghost",
        /// A variable with an arbitrary value in each step.
        Input = "input",
        /// A variable that is used only within a step.
        Local = "local",
    }

    /// The kind of a channel.
    pub enum ChannelWord {
        /// One sender and one receiver.
        Binary = "binary",
        /// One sender and all enabled receivers.
        Broadcast = "broadcast",
        /// An urgent binary channel.
        Urgent = "urgent",
        /// An urgent broadcast channel.
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

    /// The language of symbolic systems declares its own names, which must equal those in documents.
    #[test]
    fn words_match_names_of_symbolic_language() {
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
