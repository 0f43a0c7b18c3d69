//! Copies that always move together are one.
//!
//! Invariant: in a conjunction all that know an action take it together, and two copies of a deterministic specification know the same
//! ones; so they are always in the same state, with the same values of clocks, and one stands for both. The same is true of copies in
//! a composition, which can only be composed if they have no outputs. Copies in a quotient do not move together: they stay apart.

use tempora_model::SpecExpression;

use crate::stop::Stop;
use crate::theory::{Obstacle, SpecificationId, Theory};

/// Which operator joins parts.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Joined {
    Together,
    SideBySide,
}

impl Theory<'_> {
    /// What a conjunction or a composition with equal parts means; `None` if no part is there twice, or all are to be kept.
    pub(crate) fn meaning_without_copies(
        &mut self,
        expression: &SpecExpression,
    ) -> Result<Option<SpecificationId>, Obstacle> {
        let joined = match expression {
            SpecExpression::Conjunction(..) => Joined::Together,
            SpecExpression::Composition(..) => Joined::SideBySide,
            _ => return Ok(None),
        };
        let mut parts = Vec::new();
        operands(expression, joined, &mut parts);
        let may_repeat = parts
            .iter()
            .enumerate()
            .any(|(position, part)| parts[..position].iter().any(|other| part.is_copy_of(other)));
        if !self.is_reduced || !may_repeat {
            return Ok(None);
        }
        let mut distinct: Vec<SpecificationId> = Vec::with_capacity(parts.len());
        for part in parts {
            let meaning = self.meaning(part)?;
            if !distinct.contains(&meaning) || !self.moves_with_copies(meaning, joined)? {
                distinct.push(meaning);
            }
        }
        let mut rest = distinct.into_iter();
        let Some(mut whole) = rest.next() else { return Ok(None) };
        for part in rest {
            whole = match joined {
                Joined::SideBySide => self.composition(whole, part)?,
                Joined::Together => {
                    let raw = self.conjunction(whole, part)?;
                    self.consistent_part(raw)?
                }
            };
        }
        Ok(Some(whole))
    }

    fn moves_with_copies(&mut self, part: SpecificationId, joined: Joined) -> Result<bool, Stop> {
        let may_be_copied = joined == Joined::Together || self[part].alphabet.outputs.is_empty();
        Ok(may_be_copied && self.nondeterminism(part)?.is_none())
    }
}

/// The parts that an operator joins, from the left.
fn operands<'expression>(
    expression: &'expression SpecExpression,
    joined: Joined,
    found: &mut Vec<&'expression SpecExpression>,
) {
    match (expression, joined) {
        (SpecExpression::Conjunction(left, right), Joined::Together)
        | (SpecExpression::Composition(left, right), Joined::SideBySide) => {
            operands(left, joined, found);
            operands(right, joined, found);
        }
        _ => found.push(expression),
    }
}
