//! Proofs by composition: obligations that are asked of an engine, and conclusions that follow from them.
//!
//! Invariant: a conclusion is answered `Holds` only if it follows by [`tempora_games::derive`] from obligations that were all answered
//! so, in one of the ways in which it may follow, and if each step has the preconditions of a refinement: its parts can be composed,
//! the components are deterministic and consistent, and the actions fit. None of that is assumed. The derivation is then checked again
//! by a program that shares nothing with this one, and the conclusion is as sure as the least sure of the obligations that it rests
//! on. All statements are about one network.

use std::collections::BTreeMap;
use std::time::Instant;

use tempora_certify::{CheckedAnswer, RefinementClaim, ReplacementStep, certify_conclusion};
use tempora_evidence::{
    Answer, Budget, Evidence, Progress, Statistics, Strategy, Task, UnknownReason, Verdict,
};
use tempora_frontends::ReadStatement;
use tempora_games::{Claim, DerivationStep, NotDerived, PreconditionCheck, Term, derive};
use tempora_model::{Network, Query, QueryKind, SpecExpression, SpecificationQuery};
use tempora_source::{Diagnostic, Diagnostics, Origins, Span};

use crate::certified::with_certificates;
use crate::check::{CheckOptions, check};
use crate::codes::{DOES_NOT_FOLLOW, UNUSED_OBLIGATION};

const NAME: &str = "proof";

/// A proof whose conclusions follow, if its obligations and side conditions hold.
pub struct Proof {
    /// The obligations and then the conclusions.
    queries: Vec<Query>,
    obligations: usize,
    /// For each conclusion the ways in which it follows; the first has the fewest steps.
    derivations: Vec<Vec<Vec<ProofStep>>>,
}

/// A conclusion is looked at in no more ways than this.
const MOST_WAYS: usize = 8;

/// A part of a composition is replaced.
struct ProofStep {
    derived: DerivationStep,
    /// The compositions before and after it.
    before: SpecExpression,
    after: SpecExpression,
}

impl Proof {
    /// Works out how the conclusions follow; `None` if one does not.
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
                    .with_hint("end it with what follows, as in `conclude S <= T;`"),
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
            match ways(&claims, &claimed) {
                Ok(ways) => {
                    ways.iter().flatten().for_each(|step| is_used[step.claim] = true);
                    let steps = |way: Vec<DerivationStep>| -> Option<Vec<ProofStep>> {
                        way.into_iter().map(|derived| ProofStep::new(derived, &parts)).collect()
                    };
                    derivations.push(ways.into_iter().filter_map(steps).collect());
                }
                Err(why) => {
                    let message = format!("the conclusion does not follow: {why}");
                    let diagnostic = Diagnostic::error(&DOES_NOT_FOLLOW, message)
                        .with_hint("an obligation replaces a part of a composition by what it refines");
                    diagnostics.push(at(diagnostic, &conclusion.query, origins));
                }
            }
        }
        if diagnostics.has_errors() {
            return (None, diagnostics);
        }
        for (obligation, _) in obligations.iter().zip(&is_used).filter(|(_, is_used)| !**is_used) {
            let diagnostic =
                Diagnostic::warning(&UNUSED_OBLIGATION, "no conclusion rests on this obligation")
                    .with_hint("leave it out, or draw the conclusion that it is for");
            diagnostics.push(at(diagnostic, &obligation.query, origins));
        }
        let count = obligations.len();
        let queries = obligations.into_iter().chain(conclusions).map(|statement| statement.query).collect();
        (Some(Proof { queries, obligations: count, derivations }), diagnostics)
    }

    /// The obligations and then the conclusions.
    pub fn queries(&self) -> &[Query] {
        &self.queries
    }

    /// How many of the queries are obligations.
    pub fn obligations(&self) -> usize {
        self.obligations
    }
}

impl ProofStep {
    /// A step with what it is between; `None` if that is made of parts that no statement has.
    fn new(derived: DerivationStep, parts: &BTreeMap<Term, SpecExpression>) -> Option<ProofStep> {
        let (before, after) = (composed(&derived.before, parts)?, composed(&derived.after, parts)?);
        Some(ProofStep { derived, before, after })
    }
}

/// Notes the parts of a composition.
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

/// A composition of known parts.
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

/// The ways in which a conclusion follows: the shortest, and for each claim that it rests on one that does without.
fn ways(claims: &[Claim], conclusion: &Claim) -> Result<Vec<Vec<DerivationStep>>, NotDerived> {
    let mut ways = vec![derive(claims, conclusion)?];
    let rests_on: Vec<usize> = ways[0].iter().map(|step| step.claim).collect();
    for avoided in rests_on {
        if ways.len() >= MOST_WAYS {
            break;
        }
        let kept: Vec<usize> = (0..claims.len()).filter(|&number| number != avoided).collect();
        let others: Vec<Claim> = kept.iter().map(|&number| claims[number].clone()).collect();
        let Ok(mut way) = derive(&others, conclusion) else { continue };
        way.iter_mut().for_each(|step| step.claim = kept[step.claim]);
        if !ways.contains(&way) {
            ways.push(way);
        }
    }
    Ok(ways)
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
/// The queries of the task are those of the proof. If certificates are wanted, the obligations are certified, and the conclusions
/// rest on that.
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
    // What is known of a component is known of it in all steps.
    let network = proof.queries.iter().find_map(|query| refinement(query).map(|(network, ..)| network));
    let mut preconditions = network.map(|network| PreconditionCheck::new(network, budget));
    for (number, ways) in proof.derivations.iter().enumerate() {
        let position = proof.obligations + number;
        let query = &proof.queries[position];
        let (answer, way) = conclusion(proof, query, ways, &answers, preconditions.as_mut());
        let answer = tempora_certify::check_answer(task, position, answer, budget);
        answers.push(match way {
            Some(way) => checked_conclusion(proof, query, way, answer, &answers, budget),
            None => answer,
        });
    }
    answers
}

/// The conclusion after its derivation was checked.
fn checked_conclusion(
    proof: &Proof,
    query: &Query,
    way: &[ProofStep],
    answer: CheckedAnswer,
    answers: &[CheckedAnswer],
    budget: &Budget,
) -> CheckedAnswer {
    let Some((components, left, right)) = refinement(query) else { return answer };
    let mut steps = Vec::with_capacity(way.len());
    for step in way {
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

/// The answer, and the way in which it follows if it does.
fn conclusion<'proof>(
    proof: &Proof,
    query: &Query,
    ways: &'proof [Vec<ProofStep>],
    answers: &[CheckedAnswer],
    mut preconditions: Option<&mut PreconditionCheck<'_>>,
) -> (Answer, Option<&'proof [ProofStep]>) {
    let started = Instant::now();
    // If none leads there, what is wrong with the shortest is said.
    let (mut verdict, mut steps) = (None, [].as_slice());
    for way in ways {
        let found = match obstacle(proof, query, way, answers, preconditions.as_deref_mut()) {
            None => Verdict::Holds,
            Some(why) => Verdict::Unknown(why),
        };
        if verdict.is_none() || found == Verdict::Holds {
            steps = way.as_slice();
            verdict = Some(found);
        }
        if verdict == Some(Verdict::Holds) {
            break;
        }
    }
    let nothing = || Verdict::Unknown(UnknownReason::NotDerived("there is no derivation".to_owned()));
    let verdict = verdict.unwrap_or_else(nothing);
    let mut rules = Vec::new();
    for step in steps {
        let DerivationStep { claim, after, .. } = &step.derived;
        rules.push(format!("by obligation {} it refines `{after}`", claim + 1));
    }
    if steps.is_empty() {
        rules.push("both sides are the same, and a specification refines itself".to_owned());
    }
    let holds = verdict == Verdict::Holds;
    let evidence = if holds { vec![Evidence::Strategy(Strategy { rules })] } else { Vec::new() };
    let statistics = Statistics { elapsed: started.elapsed(), ..Statistics::default() };
    let answer = Answer { verdict, evidence, caveats: Vec::new(), statistics, engine: NAME.to_owned() };
    (answer, holds.then_some(steps))
}

/// Why a conclusion is not shown.
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
        return Some(UnknownReason::NotDerived("the conclusion is no refinement".to_owned()));
    };
    let asked = steps
        .iter()
        .map(|step| (&step.before, &step.after, format!("the step to `{}`", step.derived.after)))
        .chain([(left, right, "the conclusion".to_owned())]);
    for (left, right, what) in asked {
        match preconditions.failed(left, right) {
            Ok(failed) if failed.is_empty() => {}
            Ok(failed) => {
                let why = format!("{what} has not what a refinement needs: {}", failed.join("; "));
                return Some(UnknownReason::NotDerived(why));
            }
            Err(reason) => return Some(reason),
        }
    }
    None
}
