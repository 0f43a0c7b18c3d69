//! Proofs by composition: derives a refinement from others.
//!
//! A step replaces operands of a composition by a specification that they refine. Refinement is transitive and a
//! precongruence for composition, so if all used refinements hold and each step meets the preconditions of a
//! refinement, the conclusion holds. Other operators are opaque, and compositions are commutative and associative.
//!
//! The rules are those of David, Larsen, Legay, Nyman and Wąsowski, "Timed I/O automata: a complete specification
//! theory for real-time systems" (2010), which state them for equal alphabets. For different alphabets, replacing `A`
//! by `B` beside `C` is sound as long as no output that only `A` has is an input of `C`: the preconditions of the step
//! ensure that.

use std::collections::{BTreeMap, VecDeque};
use std::fmt;

use tempora_model::{Id, Network, SpecExpression, SpecificationQuery, StatePredicate, VariableId};

/// A specification by component names, modulo the order of compositions.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Term {
    /// A component.
    Component(String),
    /// At least two operands, sorted, none of which is a composition.
    Composition(Vec<Term>),
    /// `S && T`.
    Conjunction(Box<Term>, Box<Term>),
    /// `T \\ S`.
    Quotient(Box<Term>, Box<Term>),
    /// `(S : A[] p)`, with the predicate as text.
    Restricted(Box<Term>, String),
}

/// The claim that one specification refines another.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Claim {
    /// The refining specification.
    pub left: Term,
    /// The refined specification.
    pub right: Term,
}

/// A step that replaces operands of a composition by a specification that they refine.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DerivationStep {
    /// The index of the claim that justifies the step.
    pub claim: usize,
    /// The composition before the step.
    pub before: Term,
    /// The composition after the step.
    pub after: Term,
}

/// The reason why a conclusion does not follow.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum NotDerived {
    /// The last compositions that the claims lead to, those with the fewest operands first.
    StopsAt(Vec<Term>),
    /// The search reached its limit.
    TooManyWays,
}

/// The limit of the search, in operands of all compositions tried.
const MOST_PARTS: usize = 50_000;

impl Claim {
    /// Returns the claim of a refinement question; `None` for any other question.
    pub fn of(network: &Network, question: &SpecificationQuery) -> Option<Claim> {
        match question {
            SpecificationQuery::Refinement(left, right) => {
                Some(Claim { left: Term::of(network, left), right: Term::of(network, right) })
            }
            _ => None,
        }
    }
}

impl Term {
    /// Returns an expression without the order of its compositions and the names of copies.
    pub fn of(network: &Network, expression: &SpecExpression) -> Term {
        let both = |left: &SpecExpression, right: &SpecExpression| {
            (Box::new(Term::of(network, left)), Box::new(Term::of(network, right)))
        };
        match expression {
            SpecExpression::Component { process, .. } => {
                Term::Component(network.processes[*process].name.clone())
            }
            SpecExpression::Composition(left, right) => {
                let mut parts = Term::of(network, left).into_parts();
                parts.extend(Term::of(network, right).into_parts());
                Term::composed(parts)
            }
            SpecExpression::Conjunction(left, right) => {
                let (left, right) = both(left, right);
                Term::Conjunction(left, right)
            }
            SpecExpression::Quotient(left, right) => {
                let (left, right) = both(left, right);
                Term::Quotient(left, right)
            }
            SpecExpression::Restricted(system, predicate) => {
                Term::Restricted(Box::new(Term::of(network, system)), predicate_text(network, predicate))
            }
        }
    }

    fn composed(mut parts: Vec<Term>) -> Term {
        parts.sort();
        match <[Term; 1]>::try_from(parts) {
            Ok([alone]) => alone,
            Err(parts) => Term::Composition(parts),
        }
    }

    fn into_parts(self) -> Vec<Term> {
        match self {
            Term::Composition(parts) => parts,
            other => vec![other],
        }
    }

    fn parts(&self) -> &[Term] {
        match self {
            Term::Composition(parts) => parts,
            other => std::slice::from_ref(other),
        }
    }
}

/// Renders a predicate with canonical names; components are counted from the left.
fn predicate_text(network: &Network, predicate: &StatePredicate) -> String {
    let clock = |place: &Option<(usize, VariableId)>| match place {
        Some((part, variable)) => format!("{part}.{}", network.variables[*variable].name),
        None => "0".to_owned(),
    };
    match predicate {
        StatePredicate::Truth(truth) => truth.to_string(),
        StatePredicate::At { component, location } => format!("{component} at {}", location.index()),
        StatePredicate::Clocks { left, right, comparison, bound } => {
            format!("({} - {} {comparison:?} {bound})", clock(left), clock(right))
        }
        StatePredicate::Not(inner) => format!("!{}", predicate_text(network, inner)),
        StatePredicate::And(one, other) => {
            format!("({} && {})", predicate_text(network, one), predicate_text(network, other))
        }
        StatePredicate::Or(one, other) => {
            format!("({} || {})", predicate_text(network, one), predicate_text(network, other))
        }
    }
}

impl fmt::Display for Term {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Operands are parenthesised, so the text is unambiguous.
        let operand = |term: &Term| match term {
            Term::Component(name) => name.clone(),
            other => format!("({other})"),
        };
        match self {
            Term::Component(name) => formatter.write_str(name),
            Term::Composition(parts) => {
                let parts: Vec<String> = parts.iter().map(operand).collect();
                formatter.write_str(&parts.join(" || "))
            }
            Term::Conjunction(left, right) => write!(formatter, "{} && {}", operand(left), operand(right)),
            Term::Quotient(left, right) => write!(formatter, "{} \\\\ {}", operand(left), operand(right)),
            Term::Restricted(system, predicate) => write!(formatter, "{} : A[] {predicate}", operand(system)),
        }
    }
}

impl fmt::Display for Claim {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{} <= {}", self.left, self.right)
    }
}

impl fmt::Display for NotDerived {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NotDerived::StopsAt(ends) => {
                let ends: Vec<String> = ends.iter().take(3).map(|end| format!("`{end}`")).collect();
                write!(formatter, "the obligations lead to {} but no further", ends.join(" and to "))
            }
            NotDerived::TooManyWays => formatter.write_str("the search for a derivation reached its limit"),
        }
    }
}

/// Returns a shortest derivation of a conclusion from claims.
pub fn derive(claims: &[Claim], conclusion: &Claim) -> Result<Vec<DerivationStep>, NotDerived> {
    // For each composition, the claim and the composition that led to it.
    let mut found: BTreeMap<Term, Option<(usize, Term)>> = BTreeMap::from([(conclusion.left.clone(), None)]);
    let mut waiting = VecDeque::from([conclusion.left.clone()]);
    let mut ends = Vec::new();
    let mut parts_in_all = conclusion.left.parts().len();
    while let Some(whole) = waiting.pop_front() {
        if whole == conclusion.right {
            return Ok(steps_to(&found, whole));
        }
        let mut is_end = true;
        for (number, claim) in claims.iter().enumerate() {
            let Some(mut parts) = without(whole.parts(), claim.left.parts()) else { continue };
            parts.extend(claim.right.clone().into_parts());
            let next = Term::composed(parts);
            is_end = is_end && next == whole;
            if !found.contains_key(&next) {
                parts_in_all += next.parts().len();
                if parts_in_all > MOST_PARTS {
                    return Err(NotDerived::TooManyWays);
                }
                found.insert(next.clone(), Some((number, whole.clone())));
                waiting.push_back(next);
            }
        }
        if is_end {
            ends.push(whole);
        }
    }
    if ends.is_empty() {
        ends.push(conclusion.left.clone());
    }
    ends.sort_by_key(|end| end.parts().len());
    Err(NotDerived::StopsAt(ends))
}

/// Returns the operands of a composition without some of them; `None` if it lacks one.
fn without(parts: &[Term], removed: &[Term]) -> Option<Vec<Term>> {
    let (mut rest, mut removed) = (Vec::with_capacity(parts.len()), removed.iter().peekable());
    for part in parts {
        // Both lists are sorted.
        if removed.next_if_eq(&part).is_none() {
            rest.push(part);
        }
    }
    removed.peek().is_none().then(|| rest.into_iter().cloned().collect())
}

fn steps_to(found: &BTreeMap<Term, Option<(usize, Term)>>, mut whole: Term) -> Vec<DerivationStep> {
    let mut steps = Vec::new();
    while let Some(Some((claim, before))) = found.get(&whole) {
        steps.push(DerivationStep { claim: *claim, before: before.clone(), after: whole });
        whole = before.clone();
    }
    steps.reverse();
    steps
}

#[cfg(test)]
mod tests {
    use super::*;

    fn term(text: &str) -> Term {
        Term::composed(text.split(" || ").map(|name| Term::Component(name.to_owned())).collect())
    }

    fn claim(text: &str) -> Claim {
        let (left, right) = text.split_once(" <= ").unwrap_or((text, ""));
        Claim { left: term(left), right: term(right) }
    }

    fn derived(claims: &[&str], conclusion: &str) -> Result<Vec<String>, NotDerived> {
        let claims: Vec<Claim> = claims.iter().map(|text| claim(text)).collect();
        let steps = derive(&claims, &claim(conclusion))?;
        Ok(steps.iter().map(|step| format!("{}: {}", step.claim, step.after)).collect())
    }

    #[test]
    fn derives_replacements_one_by_one() {
        let ring = ["N2 <= S2", "S2 || N1 <= S1", "S1 || N0 <= S"];
        assert_eq!(
            derived(&ring, "N0 || N1 || N2 <= S"),
            Ok(vec!["0: N0 || N1 || S2".to_owned(), "1: N0 || S1".to_owned(), "2: S".to_owned()])
        );
    }

    #[test]
    fn compares_operands_as_multisets() {
        assert_eq!(derived(&[], "A || B <= B || A"), Ok(Vec::new()));
        assert_eq!(derived(&["A || B <= C"], "B || A <= C"), Ok(vec!["0: C".to_owned()]));
        assert_eq!(derived(&[], "A || A <= A"), Err(NotDerived::StopsAt(vec![term("A || A")])));
        // A replaced operand is removed.
        assert!(derived(&["A <= B", "A || B <= C"], "A <= C").is_err());
    }

    #[test]
    fn rejects_conclusions_that_do_not_follow() {
        // Refinement is not symmetric, and implies nothing about a single operand.
        assert_eq!(derived(&["A <= B"], "B <= A"), Err(NotDerived::StopsAt(vec![term("B")])));
        assert_eq!(derived(&["A || B <= C"], "A <= C"), Err(NotDerived::StopsAt(vec![term("A")])));
        assert_eq!(derived(&["A <= B"], "A <= B || C"), Err(NotDerived::StopsAt(vec![term("B")])));
        // A step of the chain is missing.
        let ring = ["N2 <= S2", "S1 || N0 <= S"];
        assert_eq!(
            derived(&ring, "N0 || N1 || N2 <= S"),
            Err(NotDerived::StopsAt(vec![term("N0 || N1 || S2")]))
        );
    }

    #[test]
    fn search_ends_for_cyclic_and_growing_claims() {
        assert!(derived(&["A <= B", "B <= A"], "A <= C").is_err());
        assert_eq!(derived(&["A <= A || A"], "A <= C"), Err(NotDerived::TooManyWays));
    }

    #[test]
    fn other_operators_are_opaque() {
        let both = Term::Conjunction(Box::new(term("A")), Box::new(term("B")));
        let conclusion = Claim { left: both.clone(), right: term("C") };
        assert!(derive(&[claim("A <= C")], &conclusion).is_err());
        let known = Claim { left: both.clone(), right: term("C") };
        assert_eq!(derive(&[known], &conclusion).map(|steps| steps.len()), Ok(1));
        assert_eq!(both.to_string(), "A && B");
    }
}
