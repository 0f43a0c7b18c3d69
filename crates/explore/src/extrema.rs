//! Extreme values.
use tempora_evidence::Answer;
use tempora_model::{Network, QueryKind};
use crate::branching::Means;
use crate::engine::plain_answer;

pub(crate) fn supported(_: &Network, _: &QueryKind) -> Result<(), String> {
    Err("the zone engine does not answer questions about bounds of values yet".to_owned())
}

pub(crate) fn answer(_: &Network, _: &QueryKind, _: Means<'_>) -> Answer {
    plain_answer()
}
