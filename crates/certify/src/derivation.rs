//! Checks derivations: one composition refines another because other refinements hold.
//!
//! Invariant: a derivation is accepted only if it is a chain of steps from one side of the conclusion to the other.
//! Each step removes the operands of the left side of a refinement from a composition, as a multiset, and adds those of
//! the right side; nothing else changes. Refinement is a precongruence, so each step is a refinement if both of its
//! compositions are defined and their alphabets fit; by transitivity so is the conclusion. Operands that no step
//! replaces must be deterministic. A composition with an operand without implementations has
//! none, and refines everything. The refinements themselves are checked elsewhere.
//!
//! The rules are those of David, Larsen, Legay, Nyman and Wąsowski, "Timed I/O automata: a complete specification
//! theory for real-time systems" (2010), theorems on composition, which state them for equal alphabets. If `A` has
//! outputs that `B` lacks, replacing `A` by `B` beside `C` is sound as long as none of these outputs is an input of
//! `C`.

use std::collections::BTreeSet;

use tempora_evidence::{Budget, Verdict};
use tempora_model::{ChannelPosition, Network, SpecExpression, component_actions};
use tempora_replay::operand_fault;

use crate::answer::{Assurance, CheckedAnswer};
use crate::refusal::{Reason, Refusal};

/// The claim that one specification refines another.
#[derive(Clone, Copy)]
pub struct RefinementClaim<'query> {
    /// The refining specification.
    pub left: &'query SpecExpression,
    /// The refined specification.
    pub right: &'query SpecExpression,
}

/// A step that replaces operands of a composition.
#[derive(Clone, Copy)]
pub struct ReplacementStep<'query> {
    /// The refinement that justifies the step.
    pub by: RefinementClaim<'query>,
    /// The compositions before and after the step.
    pub between: RefinementClaim<'query>,
}

type Actions = BTreeSet<Option<ChannelPosition>>;

/// The inputs and outputs of a specification.
struct Alphabet {
    inputs: Actions,
    outputs: Actions,
}

/// Checks that a conclusion follows by the given steps, if their refinements hold.
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
        if let Some(why) = alphabet_mismatch(&before, &after) {
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

/// Raises the assurance of a conclusion with an accepted derivation to the lowest among the answers of its steps. A
/// wrong derivation is a bug of the engine and withdraws the verdict.
///
/// A derivation without steps has no premises. It is accepted only if both sides have the same operands and the checker
/// itself has found each of them deterministic, so the conclusion is certified by reflexivity.
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

/// Returns the operands of a composition.
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

/// Returns whether two compositions have equal multisets of operands.
fn is_same(one: &[&SpecExpression], other: &[&SpecExpression]) -> bool {
    let mut rest = other.to_vec();
    let are_found = one.iter().all(|part| {
        let position = rest.iter().position(|known| known.is_copy_of(part));
        position.map(|position| rest.swap_remove(position)).is_some()
    });
    are_found && rest.is_empty()
}

/// Returns the alphabet of a composition; refused if the operands cannot be composed.
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

/// Returns the alphabet of a specification.
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
                return Err(refusal(
                    "the operands of a conjunction disagree on the direction of an action".to_owned(),
                ));
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

/// Returns why the alphabets do not allow a refinement.
fn alphabet_mismatch(left: &Alphabet, right: &Alphabet) -> Option<&'static str> {
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
