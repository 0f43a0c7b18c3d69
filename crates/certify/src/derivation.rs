//! A checker of derivations: that one composition refines another since other refinements hold.
//!
//! Invariant: a derivation is accepted only if it is a chain of steps from one side of the conclusion to the other. Each step takes
//! the left side of one refinement out of a composition, part by part, and puts the right side in its place; parts are counted,
//! and nothing else changes. By precongruence of composition each step is a refinement, if both of its compositions can be
//! composed and their actions fit; by transitivity so is the conclusion. Parts that no step replaces have to be such that they
//! can be compared at all: deterministic, and made of components that can be implemented. The refinements themselves are
//! checked elsewhere.
//!
//! The rules are those of David, Larsen, Legay, Nyman and Wąsowski, "Timed I/O automata: a complete specification theory for
//! real-time systems" (2010), theorems on composition. They are stated there for equal sets of actions; if `A` has outputs that `B` has
//! not, replacing `A` by `B` beside `C` is right as long as none of these outputs is an input of `C`.

use std::collections::BTreeSet;

use tempora_evidence::{Budget, Verdict};
use tempora_model::{ChannelPosition, Network, SpecExpression, component_actions};
use tempora_replay::operand_fault;

use crate::answer::{Assurance, CheckedAnswer};
use crate::refusal::{Reason, Refusal};

/// That the first specification refines the second.
#[derive(Clone, Copy)]
pub struct RefinementClaim<'query> {
    /// What refines.
    pub left: &'query SpecExpression,
    /// What is refined.
    pub right: &'query SpecExpression,
}

/// How a composition becomes another.
#[derive(Clone, Copy)]
pub struct ReplacementStep<'query> {
    /// The refinement that it rests on.
    pub by: RefinementClaim<'query>,
    /// The compositions before and after the step.
    pub between: RefinementClaim<'query>,
}

type Actions = BTreeSet<Option<ChannelPosition>>;

/// The actions of a specification.
struct Alphabet {
    inputs: Actions,
    outputs: Actions,
}

/// Checks that a conclusion follows by steps, if the refinements that they rest on hold.
///
/// All expressions are about components of one network.
pub fn verify_derivation(
    components: &Network,
    conclusion: RefinementClaim<'_>,
    steps: &[ReplacementStep<'_>],
    budget: &Budget,
) -> Result<(), Refusal> {
    let mut whole = parts(conclusion.left);
    alphabet_of_all(components, &whole)?;
    let mut untouched: Vec<bool> = vec![true; whole.len()];
    for (number, step) in steps.iter().enumerate() {
        let refused = |why: &str| refusal(format!("step {}: {why}", number + 1));
        if !is_same(&parts(step.between.left), &whole) {
            return Err(refused("it does not start where the previous step ends"));
        }
        let before = alphabet_of_all(components, &whole)?;
        let (replaced, replacing) = (parts(step.by.left), parts(step.by.right));
        for part in &replaced {
            let Some(position) = whole.iter().position(|known| known.is_copy_of(part)) else {
                return Err(refused("the replaced part is not in the composition"));
            };
            whole.remove(position);
            untouched.remove(position);
        }
        let (old, new) = (alphabet_of_all(components, &replaced)?, alphabet_of_all(components, &replacing)?);
        for part in &whole {
            let beside = alphabet(components, part)?;
            if old.outputs.difference(&new.outputs).any(|action| beside.inputs.contains(action)) {
                return Err(refused("an output that the replacement lacks is an input of another part"));
            }
        }
        untouched.extend(replacing.iter().map(|_| false));
        whole.extend(replacing);
        if !is_same(&parts(step.between.right), &whole) {
            return Err(refused("it does not end with the composition after the replacement"));
        }
        let after = alphabet_of_all(components, &whole)?;
        if let Some(why) = misfit(&before, &after) {
            return Err(refused(why));
        }
    }
    if !is_same(&parts(conclusion.right), &whole) {
        return Err(refusal("the steps do not end in the right side".to_owned()));
    }
    for (part, _) in whole.iter().zip(&untouched).filter(|(_, is_untouched)| **is_untouched) {
        match operand_fault(components, part, budget) {
            Ok(None) => {}
            Ok(Some(fault)) => return Err(refusal(format!("a part that no step replaces: {fault}"))),
            Err(why) => {
                let what = format!("the comparison of a part that no step replaces: {why}");
                return Err(Refusal::whole(Reason::Unsupported(what)));
            }
        }
    }
    Ok(())
}

/// Raises the answer to a conclusion whose derivation is accepted: it is as sure as the least sure of the answers that its steps rest
/// on. A wrong derivation is a bug of its maker, and withdraws the verdict.
///
/// A derivation without steps rests on no other answer. It is accepted only if both sides have the same parts and the checker itself
/// has found each of them deterministic and consistent, so the conclusion is certified by reflexivity.
pub fn certify_conclusion(
    components: &Network,
    conclusion: RefinementClaim<'_>,
    steps: &[(ReplacementStep<'_>, &CheckedAnswer)],
    answer: CheckedAnswer,
    budget: &Budget,
) -> CheckedAnswer {
    if answer.answer().verdict != Verdict::Holds {
        return answer;
    }
    let chain: Vec<ReplacementStep<'_>> = steps.iter().map(|(step, _)| *step).collect();
    let rests_on_what_holds = steps.iter().all(|(_, rests_on)| rests_on.answer().verdict == Verdict::Holds);
    let found = match rests_on_what_holds {
        true => verify_derivation(components, conclusion, &chain, budget),
        false => Err(refusal("a premise does not hold".to_owned())),
    };
    match found {
        Ok(()) => {
            let answer = match steps {
                [] => answer.certified_without_premises(),
                _ => answer.derived(steps.iter().map(|(_, rests_on)| *rests_on)),
            };
            match answer.assurance() {
                Assurance::Certified => answer.with_remark(
                    "certified: the derivation was checked, and all its premises are certified".to_owned(),
                ),
                _ => answer,
            }
        }
        Err(Refusal { reason: Reason::IllFormed(why), .. }) => {
            answer.refuted(format!("the derivation is wrong: {why}"))
        }
        Err(refusal) => answer.with_remark(format!("the derivation was not checked: {refusal}")),
    }
}

fn refusal(why: String) -> Refusal {
    Refusal::whole(Reason::IllFormed(why))
}

/// The parts of a composition.
fn parts(expression: &SpecExpression) -> Vec<&SpecExpression> {
    match expression {
        SpecExpression::Composition(left, right) => {
            let mut found = parts(left);
            found.extend(parts(right));
            found
        }
        other => vec![other],
    }
}

/// Whether two compositions have the same parts, as often as each other.
fn is_same(one: &[&SpecExpression], other: &[&SpecExpression]) -> bool {
    let mut rest = other.to_vec();
    let are_found = one.iter().all(|part| {
        let position = rest.iter().position(|known| known.is_copy_of(part));
        position.map(|position| rest.swap_remove(position)).is_some()
    });
    are_found && rest.is_empty()
}

/// What a composition of parts knows; refused if they cannot be composed.
fn alphabet_of_all(components: &Network, parts: &[&SpecExpression]) -> Result<Alphabet, Refusal> {
    let mut all = Alphabet { inputs: Actions::new(), outputs: Actions::new() };
    for part in parts {
        let next = alphabet(components, part)?;
        if !all.outputs.is_disjoint(&next.outputs) {
            return Err(refusal("two operands of a composition share an output".to_owned()));
        }
        all.inputs.extend(next.inputs);
        all.outputs.extend(next.outputs);
    }
    all.inputs = &all.inputs - &all.outputs;
    Ok(all)
}

/// What a specification knows.
fn alphabet(components: &Network, expression: &SpecExpression) -> Result<Alphabet, Refusal> {
    match expression {
        SpecExpression::Component { process, .. } => {
            let actions = component_actions(components, &components.processes[*process]);
            let unnamed = actions.has_unnamed.then_some(None);
            Ok(Alphabet {
                inputs: actions.inputs.into_iter().map(Some).collect(),
                outputs: actions.outputs.into_iter().map(Some).chain(unnamed).collect(),
            })
        }
        SpecExpression::Composition(..) => alphabet_of_all(components, &parts(expression)),
        SpecExpression::Conjunction(left, right) => {
            let (one, other) = (alphabet(components, left)?, alphabet(components, right)?);
            if !one.inputs.is_disjoint(&other.outputs) || !one.outputs.is_disjoint(&other.inputs) {
                return Err(refusal("the operands of a conjunction disagree on the direction of an action".to_owned()));
            }
            Ok(Alphabet { inputs: &one.inputs | &other.inputs, outputs: &one.outputs | &other.outputs })
        }
        SpecExpression::Quotient(whole, part) => {
            let (whole, part) = (alphabet(components, whole)?, alphabet(components, part)?);
            if !part.outputs.is_disjoint(&whole.inputs) {
                return Err(refusal(
                    "an output of the right operand of a quotient is an input of the left operand".to_owned(),
                ));
            }
            let decided = &whole.outputs - &part.outputs;
            Ok(Alphabet {
                inputs: &whole.inputs | &part.outputs,
                outputs: &decided | &(&part.inputs - &whole.inputs),
            })
        }
        SpecExpression::Restricted(system, _) => alphabet(components, system),
    }
}

/// In what actions do not fit for a refinement.
fn misfit(left: &Alphabet, right: &Alphabet) -> Option<&'static str> {
    if !left.inputs.is_subset(&right.inputs) {
        return Some("the composition after the step lacks inputs");
    }
    if !right.outputs.is_subset(&left.outputs) {
        return Some("the composition before the step lacks outputs");
    }
    if !left.inputs.is_disjoint(&right.outputs) || !left.outputs.is_disjoint(&right.inputs) {
        return Some("an output becomes an input, or an input an output");
    }
    None
}
