//! Compositional proofs: engines answer the obligations, and conclusions are derived from them.
//!
//! Invariant: a conclusion holds only if one of its derivations by [`tempora_games::derive`] uses only obligations that
//! hold, and if each step satisfies the preconditions of a refinement, which are checked and not assumed: the operands
//! can be composed, components are deterministic, and the actions match. The independent checker then
//! checks the derivation again. The assurance of a conclusion is the lowest among the obligations that it uses. All
//! statements are about one network.

use std::collections::BTreeMap;
use std::time::Instant;

use tempora_certify::{CheckedAnswer, RefinementClaim, ReplacementStep, certify_conclusion};
use tempora_evidence::{
    Answer, Budget, Caveat, Evidence, Progress, Statistics, Strategy, Task, UnknownReason, Verdict,
};
use tempora_frontends::ReadStatement;
use tempora_games::{Claim, DerivationStep, NotDerived, PreconditionCheck, Term, derive};
use tempora_model::{Network, Query, QueryKind, SpecExpression, SpecificationQuery};
use tempora_source::{Diagnostic, Diagnostics, Origins, Span};

use crate::certificates::with_certificates;
use crate::check::{CheckOptions, check};
use crate::codes::{DOES_NOT_FOLLOW, UNUSED_OBLIGATION};

const NAME: &str = "proof";

/// A proof whose conclusions follow from its obligations and side conditions.
pub struct Proof {
    /// The obligations, followed by the conclusions.
    queries: Vec<Query>,
    obligations: usize,
    /// The derivations of each conclusion; the first has the fewest steps.
    derivations: Vec<Vec<Vec<ProofStep>>>,
}

/// Limit on the derivations of a conclusion.
const MOST_DERIVATIONS: usize = 8;

/// A step of a derivation, which replaces an operand of a composition.
struct ProofStep {
    derived: DerivationStep,
    /// The compositions before and after the step.
    before: SpecExpression,
    after: SpecExpression,
}

impl Proof {
    /// Derives the conclusions; returns `None` if one does not follow.
    pub(crate) fn new(
        statements: Vec<ReadStatement>,
        whole: Span,
        origins: &Origins,
    ) -> (Option<Proof>, Diagnostics) {
        let mut diagnostics = Diagnostics::new();
        let (conclusions, obligations): (Vec<ReadStatement>, Vec<ReadStatement>) =
            statements.into_iter().partition(|statement| statement.is_conclusion);
        if conclusions.is_empty() {
            diagnostics.push(
                Diagnostic::error(&DOES_NOT_FOLLOW, "the proof has no conclusion")
                    .with_primary(whole, "")
                    .with_hint("end it with a conclusion, such as `conclude S <= T;`"),
            );
            return (None, diagnostics);
        }
        let claims: Vec<Claim> = obligations.iter().filter_map(|statement| claim(&statement.query)).collect();
        let mut parts = BTreeMap::new();
        for statement in obligations.iter().chain(&conclusions) {
            if let Some((network, left, right)) = refinement(&statement.query) {
                note_parts(network, left, &mut parts);
                note_parts(network, right, &mut parts);
            }
        }
        let mut is_used = vec![false; obligations.len()];
        let mut derivations = Vec::with_capacity(conclusions.len());
        for conclusion in &conclusions {
            let Some(claimed) = claim(&conclusion.query) else { continue };
            match alternatives(&claims, &claimed) {
                Ok(found) => {
                    found.iter().flatten().for_each(|step| is_used[step.claim] = true);
                    let steps = |derivation: Vec<DerivationStep>| -> Option<Vec<ProofStep>> {
                        derivation.into_iter().map(|derived| ProofStep::new(derived, &parts)).collect()
                    };
                    derivations.push(found.into_iter().filter_map(steps).collect());
                }
                Err(why) => {
                    let message = format!("the conclusion does not follow: {why}");
                    let diagnostic = Diagnostic::error(&DOES_NOT_FOLLOW, message)
                        .with_hint("add obligations that lead from its left side to its right side");
                    diagnostics.push(at(diagnostic, &conclusion.query, origins));
                }
            }
        }
        if diagnostics.has_errors() {
            return (None, diagnostics);
        }
        for (obligation, _) in obligations.iter().zip(&is_used).filter(|(_, is_used)| !**is_used) {
            let diagnostic = Diagnostic::warning(&UNUSED_OBLIGATION, "this obligation is never used")
                .with_hint("remove it, or add the conclusion that needs it");
            diagnostics.push(at(diagnostic, &obligation.query, origins));
        }
        let count = obligations.len();
        let queries = obligations.into_iter().chain(conclusions).map(|statement| statement.query).collect();
        (Some(Proof { queries, obligations: count, derivations }), diagnostics)
    }

    /// Returns the obligations, followed by the conclusions.
    pub fn queries(&self) -> &[Query] {
        &self.queries
    }

    /// Returns the number of obligations.
    pub fn obligations(&self) -> usize {
        self.obligations
    }
}

impl ProofStep {
    /// Returns a step with its compositions; `None` if they have an operand that occurs in no statement.
    fn new(derived: DerivationStep, parts: &BTreeMap<Term, SpecExpression>) -> Option<ProofStep> {
        let (before, after) = (composed(&derived.before, parts)?, composed(&derived.after, parts)?);
        Some(ProofStep { derived, before, after })
    }
}

/// Collects the operands of a composition.
fn note_parts(network: &Network, expression: &SpecExpression, parts: &mut BTreeMap<Term, SpecExpression>) {
    match expression {
        SpecExpression::Composition(left, right) => {
            note_parts(network, left, parts);
            note_parts(network, right, parts);
        }
        other => {
            parts.entry(Term::of(network, other)).or_insert_with(|| other.clone());
        }
    }
}

/// Rebuilds a composition from collected operands.
fn composed(term: &Term, parts: &BTreeMap<Term, SpecExpression>) -> Option<SpecExpression> {
    let known = |part: &Term| parts.get(part).cloned();
    let Term::Composition(operands) = term else { return known(term) };
    let mut operands = operands.iter();
    let mut whole = operands.next().and_then(known)?;
    for part in operands {
        whole = SpecExpression::Composition(Box::new(whole), Box::new(known(part)?));
    }
    Some(whole)
}

fn refinement(query: &Query) -> Option<(&Network, &SpecExpression, &SpecExpression)> {
    match &query.kind {
        QueryKind::Specification { components, question: SpecificationQuery::Refinement(left, right) } => {
            Some((components, left, right))
        }
        _ => None,
    }
}

/// Returns derivations of a conclusion: a shortest one, and for each claim that it uses, one that avoids the claim.
fn alternatives(claims: &[Claim], conclusion: &Claim) -> Result<Vec<Vec<DerivationStep>>, NotDerived> {
    let mut derivations = vec![derive(claims, conclusion)?];
    let used: Vec<usize> = derivations[0].iter().map(|step| step.claim).collect();
    for avoided in used {
        if derivations.len() >= MOST_DERIVATIONS {
            break;
        }
        let kept: Vec<usize> = (0..claims.len()).filter(|&number| number != avoided).collect();
        let others: Vec<Claim> = kept.iter().map(|&number| claims[number].clone()).collect();
        let Ok(mut derivation) = derive(&others, conclusion) else { continue };
        derivation.iter_mut().for_each(|step| step.claim = kept[step.claim]);
        if !derivations.contains(&derivation) {
            derivations.push(derivation);
        }
    }
    Ok(derivations)
}

fn claim(query: &Query) -> Option<Claim> {
    match &query.kind {
        QueryKind::Specification { components, question } => Claim::of(components, question),
        _ => None,
    }
}

fn at(diagnostic: Diagnostic, query: &Query, origins: &Origins) -> Diagnostic {
    match origins.primary_span(query.origin) {
        Some(span) => diagnostic.with_primary(span, ""),
        None => diagnostic,
    }
}

/// Answers the queries of a proof: the obligations by engines, the conclusions by their derivations.
///
/// The queries of the task must be those of the proof. `wants_certificates` certifies the obligations, on which the
/// assurance of the conclusions depends.
pub fn check_proof(
    task: &Task,
    proof: &Proof,
    options: &CheckOptions,
    wants_certificates: bool,
    budget: &Budget,
    progress: &Progress,
) -> Vec<CheckedAnswer> {
    let queries = proof.queries[..proof.obligations].to_vec();
    let obligations = Task { system: task.system.clone(), queries };
    let mut answers = check(&obligations, options, budget, progress);
    if wants_certificates {
        answers = with_certificates(&obligations, answers, &options.settings, budget, progress);
    }
    // Results about a component are shared by all steps.
    let network = proof.queries.iter().find_map(|query| refinement(query).map(|(network, ..)| network));
    let mut preconditions = network.map(|network| PreconditionCheck::new(network, budget));
    for (number, derivations) in proof.derivations.iter().enumerate() {
        let position = proof.obligations + number;
        let query = &proof.queries[position];
        let (mut answer, valid) = conclusion(proof, query, derivations, &answers, preconditions.as_mut());
        if let (Some(_), Some((_, left, _)), Some(preconditions)) =
            (valid, refinement(query), preconditions.as_mut())
        {
            answer.caveats.extend(preconditions.vacuous(left).map(Caveat::Remark));
        }
        let answer = tempora_certify::check_answer(task, position, answer, budget);
        answers.push(match valid {
            Some(derivation) => checked_conclusion(proof, query, derivation, answer, &answers, budget),
            None => answer,
        });
    }
    answers
}

/// Checks the derivation of a conclusion and returns the checked answer.
fn checked_conclusion(
    proof: &Proof,
    query: &Query,
    derivation: &[ProofStep],
    answer: CheckedAnswer,
    answers: &[CheckedAnswer],
    budget: &Budget,
) -> CheckedAnswer {
    let Some((components, left, right)) = refinement(query) else { return answer };
    let mut steps = Vec::with_capacity(derivation.len());
    for step in derivation {
        let claim = proof.queries.get(step.derived.claim).and_then(refinement);
        let (Some((_, one, other)), Some(rests_on)) = (claim, answers.get(step.derived.claim)) else {
            return answer;
        };
        let by = RefinementClaim { left: one, right: other };
        let between = RefinementClaim { left: &step.before, right: &step.after };
        steps.push((ReplacementStep { by, between }, rests_on));
    }
    certify_conclusion(components, RefinementClaim { left, right }, &steps, answer, budget)
}

/// Returns the answer of a conclusion, and its derivation if it holds.
fn conclusion<'proof>(
    proof: &Proof,
    query: &Query,
    derivations: &'proof [Vec<ProofStep>],
    answers: &[CheckedAnswer],
    mut preconditions: Option<&mut PreconditionCheck<'_>>,
) -> (Answer, Option<&'proof [ProofStep]>) {
    let started = Instant::now();
    // If no derivation is valid, report the obstacle of the shortest.
    let (mut verdict, mut steps) = (None, [].as_slice());
    for derivation in derivations {
        let found = match obstacle(proof, query, derivation, answers, preconditions.as_deref_mut()) {
            None => Verdict::Holds,
            Some(why) => Verdict::Unknown(why),
        };
        if verdict.is_none() || found == Verdict::Holds {
            steps = derivation.as_slice();
            verdict = Some(found);
        }
        if verdict == Some(Verdict::Holds) {
            break;
        }
    }
    let nothing = || Verdict::Unknown(UnknownReason::NotDerived("it has no derivation".to_owned()));
    let verdict = verdict.unwrap_or_else(nothing);
    let mut rules = Vec::new();
    for step in steps {
        let DerivationStep { claim, after, .. } = &step.derived;
        rules.push(format!("by obligation {}, it refines `{after}`", claim + 1));
    }
    if steps.is_empty() {
        rules.push("both sides are identical, and refinement is reflexive".to_owned());
    }
    let holds = verdict == Verdict::Holds;
    let evidence = if holds { vec![Evidence::Strategy(Strategy { rules })] } else { Vec::new() };
    let statistics = Statistics { elapsed: started.elapsed(), ..Statistics::default() };
    let answer = Answer { verdict, evidence, caveats: Vec::new(), statistics, engine: NAME.to_owned() };
    (answer, holds.then_some(steps))
}

/// Returns why a derivation does not prove a conclusion; `None` if it does.
fn obstacle(
    proof: &Proof,
    conclusion: &Query,
    steps: &[ProofStep],
    answers: &[CheckedAnswer],
    preconditions: Option<&mut PreconditionCheck<'_>>,
) -> Option<UnknownReason> {
    for step in steps {
        let number = step.derived.claim;
        let obligation = &proof.queries[number].text;
        match answers.get(number).map(|answer| &answer.answer().verdict) {
            Some(Verdict::Holds) => {}
            Some(Verdict::Unknown(reason)) => {
                let why = format!(
                    "obligation {}, `{obligation}`, is not decided: {}",
                    number + 1,
                    reason.describe()
                );
                return Some(UnknownReason::NotDerived(why));
            }
            _ => {
                let why = format!("obligation {}, `{obligation}`, does not hold", number + 1);
                return Some(UnknownReason::NotDerived(why));
            }
        }
    }
    let (Some((_, left, right)), Some(preconditions)) = (refinement(conclusion), preconditions) else {
        return Some(UnknownReason::NotDerived("the conclusion is not a refinement".to_owned()));
    };
    let asked = steps
        .iter()
        .map(|step| (&step.before, &step.after, format!("the step to `{}`", step.derived.after)))
        .chain([(left, right, "the conclusion".to_owned())]);
    for (left, right, what) in asked {
        match preconditions.failed(left, right) {
            Ok(failed) if failed.is_empty() => {}
            Ok(failed) => {
                let why =
                    format!("{what} does not satisfy the preconditions of refinement: {}", failed.join("; "));
                return Some(UnknownReason::NotDerived(why));
            }
            Err(reason) => return Some(reason),
        }
    }
    None
}
