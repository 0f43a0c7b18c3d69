//! Merges copies of a specification that always move together.
//!
//! Invariant: the operands of a conjunction that share an action take it together, and two copies of a deterministic
//! specification share all actions; so they are always in the same state with the same clock values, and one represents
//! both. The same holds in a composition, where copies are allowed only if they have no outputs. Copies in a quotient
//! do not move together and are kept.

use tempora_model::SpecExpression;

use crate::search_abort::SearchAbort;
use crate::theory::{Obstacle, SpecificationId, Theory};

/// The operator that joins operands.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Joined {
    Together,
    SideBySide,
}

impl Theory<'_> {
    /// Returns the meaning of a conjunction or composition without repeated operands; `None` if no operand is repeated,
    /// or if all must be kept.
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

    fn moves_with_copies(&mut self, part: SpecificationId, joined: Joined) -> Result<bool, SearchAbort> {
        let may_be_copied = joined == Joined::Together || self[part].alphabet.outputs.is_empty();
        Ok(may_be_copied && self.nondeterminism(part)?.is_none())
    }
}

/// Returns the operands of an operator, from the left.
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

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

    use tempora_evidence::Budget;
    use tempora_frontends::{language_named, read_model, read_query};
    use tempora_model::{QueryKind, SpecificationQuery};
    use tempora_source::{Files, Origins};

    use crate::component::InputCompletion;
    use crate::theory::Theory;

    const MODEL: &str = "broadcast chan i, o;
process A { clock x; init location L; L -> L { sync i?; do x = 0; } L -> L { guard x >= 1; sync o!; } }
process B { clock y; init location L; L -> L { sync i?; do y = 0; } }
system A, B;
";

    /// Returns the number of components that remain of an expression.
    fn components_left(expression: &str) -> u32 {
        let (mut files, mut origins) = (Files::new(), Origins::new());
        let file = files.add("model.net", MODEL).unwrap();
        let read = read_model(language_named("net").unwrap(), &mut files, &mut origins, file, None);
        let file = files.add("query", format!("consistency: {expression}")).unwrap();
        let (query, found) = read_query(&files, &mut origins, read.elaborated().unwrap(), file);
        assert!(!found.has_errors(), "{expression}: {:?}", found.as_slice());
        let QueryKind::Specification { components, question: SpecificationQuery::Consistency(system) } =
            query.unwrap().kind
        else {
            panic!("{expression} is not a specification");
        };
        let budget = Budget::unlimited();
        let mut theory = Theory::new(&components, InputCompletion::default(), &budget);
        theory.is_reduced = true;
        let id = theory.meaning(&system).unwrap();
        theory[id].leaves
    }

    /// Neither verdicts nor state counts reveal whether copies are merged; only the size of the states does.
    #[test]
    fn merges_copies_that_move_together() {
        assert_eq!(components_left("A && B && A && B"), 2);
        assert_eq!(components_left("A || B || B"), 2);
        assert_eq!(components_left("(A && B) || B"), 3);
        assert_eq!(components_left("A \\\\ A"), 2);
    }
}
