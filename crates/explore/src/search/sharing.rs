//! Shares a budget among several searches, so that an expensive one does not starve the others.
//!
//! Each search is first tried with few states, which decides the cheap ones. The others then run one after the other,
//! each with an equal share of the remaining time; those that exceed it use up the time that the others leave.

use tempora_evidence::{Budget, UnknownReason};

/// The limit on stored states in the first attempt.
const FIRST_TRY_STATES: u64 = 5_000;

/// Runs the searches with the numbers below `count`. `run` returns why a search ended without a result, if the budget
/// ended it; a later attempt replaces the result of an earlier one.
pub(crate) fn share_budget(
    count: usize,
    budget: &Budget,
    mut run: impl FnMut(usize, &Budget) -> Option<UnknownReason>,
) {
    if count < 2 {
        (0..count).for_each(|search| drop(run(search, budget)));
        return;
    }
    let mut pending: Vec<usize> = (0..count).collect();
    if budget.max_states().is_none_or(|limit| limit > FIRST_TRY_STATES) {
        pending
            .retain(|&search| is_limited(run(search, &budget.part(FIRST_TRY_STATES, count as u32)).as_ref()));
    }
    let mut late = Vec::new();
    for (position, &search) in pending.iter().enumerate() {
        let left = pending.len() - position;
        let is_last = left == 1 && late.is_empty();
        if is_last {
            run(search, budget);
        } else if run(search, &budget.part(u64::MAX, left as u32)) == Some(UnknownReason::Timeout) {
            late.push(search);
        }
    }
    for search in late {
        run(search, budget);
    }
}

/// Returns whether more states, time or memory could decide a search.
fn is_limited(reason: Option<&UnknownReason>) -> bool {
    matches!(reason, Some(UnknownReason::Timeout | UnknownReason::Memory | UnknownReason::StateLimit))
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    /// Runs searches that need these numbers of states; returns the attempts.
    fn attempts(states: &[u64], budget: &Budget) -> Vec<usize> {
        let mut attempts = Vec::new();
        share_budget(states.len(), budget, |search, budget| {
            attempts.push(search);
            let is_enough = budget.max_states().is_none_or(|limit| states[search] <= limit);
            (!is_enough).then_some(UnknownReason::StateLimit)
        });
        attempts
    }

    #[test]
    fn runs_cheap_searches_once_and_first() {
        let unlimited = Budget::unlimited();
        assert_eq!(attempts(&[10], &unlimited), [0]);
        assert_eq!(attempts(&[10, 20], &unlimited), [0, 1]);
        assert_eq!(attempts(&[1_000_000, 20, 30], &unlimited), [0, 1, 2, 0]);
    }

    #[test]
    fn small_state_limit_needs_no_first_attempt() {
        assert_eq!(attempts(&[100, 20], &Budget::unlimited().with_max_states(50)), [0, 1]);
    }

    #[test]
    fn late_searches_use_the_remaining_time() {
        let budget = Budget::unlimited().with_timeout(Duration::from_secs(3600));
        let mut attempts = Vec::new();
        share_budget(2, &budget, |search, part| {
            attempts.push((search, part.remaining().map(|left| left.as_secs() / 60)));
            let is_slow = search == 0 && attempts.len() < 4;
            is_slow.then_some(UnknownReason::Timeout)
        });
        // The slow search is postponed twice and has all the time in the end.
        assert_eq!(attempts.iter().map(|attempt| attempt.0).collect::<Vec<_>>(), [0, 1, 0]);
        assert!(attempts[0].1 <= Some(30) && attempts[2].1 >= Some(58), "{attempts:?}");
    }
}
