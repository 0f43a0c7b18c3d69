//! What can always be reached again.
use tempora_model::{Expression, Network};
use tempora_evidence::UnknownReason;
use crate::branching::{Means, Outcome};

pub(crate) fn supported(_: &Network, _: Option<&Expression>, _: &Expression) -> Result<(), String> {
    Err("the zone engine does not answer questions about what can always be reached again yet".to_owned())
}

pub(crate) fn answer(_: &Network, _: Option<&Expression>, _: &Expression, _: Means<'_>) -> Outcome {
    Outcome::unknown(UnknownReason::Unsupported("todo".to_owned()))
}
