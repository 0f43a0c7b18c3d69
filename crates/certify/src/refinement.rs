//! Checks certificates of refinement, consistency and determinism.
//!
//! Invariant: a certificate of a refinement is accepted only if
//! - the alphabets fit, in every composition, conjunction and quotient and for the refinement;
//! - the description of each component and conjunction is right (see [`crate::certified_part`]). So the reachable states
//!   of the meaning of an expression, its greatest consistent part at every level, are known: a composition of such
//!   parts needs no pruning, and has no state if one of them has none;
//! - the left side has no implementation; or the relation contains the initial states, and for each of its states and clock
//!   values: a delay of the left side is possible on the right and leads back into the relation; each common output of
//!   the left side is possible on the right, each common input of the right side is possible on the left, and joint
//!   moves lead into the relation.
//!
//! The rules are those of alternating timed simulation with different alphabets, after David, Larsen, Legay, Nyman and
//! Wąsowski, "Timed I/O automata: a complete specification theory for real-time systems" (2010). No clock bounds are
//! used: a successor is covered if all its clock values are in nodes. A right certificate may be refused; a wrong one
//! is never accepted.
//!
//! A quotient on the right, `X <= T \\ S`, is checked as `S || X <= T`. A relation for the latter is one between `X`
//! and the quotient, with reordered states: moves that the part does not make lead to the universal state, and the
//! error is unreachable, since the whole refuses nothing. [`crate::quotient`] checks that pruning removes none of these
//! states from the quotient. Nested quotients are checked one by one.
//!
//! Determinism needs the components alone: operators preserve determinism, since each move comes from one of the
//! operands, or leads to a special state where an operand has no move.
//!
//! Equality of both sides suffices if there is an operator that the checker does not support.

use tempora_evidence::{
    Budget, BudgetWatch, CertifiedLeaves, Evidence, LeafState, SpecificationCertificate, Verdict,
};
use tempora_model::{Network, ProcessId, Query, QueryKind, SpecExpression, SpecificationQuery};
use tempora_replay::{ClockFormula, component_alone};

use crate::answer::CheckedAnswer;
use crate::certified_part::check_part;
use crate::checker::Accepted;
use crate::component::{Leaf, LeafMove, unknown_component};
use crate::disjoint::divide;
use crate::obligations::{certified_parts, follows_from_form};
use crate::quotient::CertifiedQuotient;
use crate::refusal::{Reason, Refusal};
use crate::removed::Removed;
use crate::side_by_side::{Extent, SideBySide, TreeMove};
use crate::transitions::spend;
use crate::tree::{Actions, Tree, unfit};
use crate::zone::Zone;

/// Checks a certificate that a refinement holds, or that a specification is consistent or deterministic.
pub fn verify_specification(
    query: &Query,
    certificate: &SpecificationCertificate,
    budget: &Budget,
) -> Result<Accepted, Refusal> {
    let whole = |reason| Refusal::whole(reason);
    let QueryKind::Specification { components, question } = &query.kind else {
        let why = "only questions about specifications have such certificates".to_owned();
        return Err(whole(Reason::OtherQuestion(why)));
    };
    if let Some(omission) = components.omissions.first() {
        return Err(whole(Reason::Unsupported(omission.construct.clone())));
    }
    let mut watch = budget.watch();
    let parts = certified_parts(question);
    match question {
        SpecificationQuery::Refinement(left, right) => {
            let checked = CheckedParts::new(components, parts, certificate, &mut watch)?;
            checked.refinement(left, right, &certificate.pairs, &mut watch)
        }
        SpecificationQuery::Consistency(system) => {
            let checked = CheckedParts::new(components, parts, certificate, &mut watch)?;
            let networks = networks_of(components, &[system]);
            SideBySide::new(&networks, &[system], &checked.parts, &checked.removed, &[])?;
            checked.are_consistent()?;
            Ok(checked.accepted)
        }
        SpecificationQuery::Determinism(system) => {
            let checked = CheckedParts::new(components, parts, certificate, &mut watch)?;
            checked.actions_fit(system)?;
            Ok(checked.accepted)
        }
        _ => {
            let why = "only refinement, consistency and determinism have such certificates".to_owned();
            Err(whole(Reason::OtherQuestion(why)))
        }
    }
}

/// Certifies an answer whose certificate is accepted.
pub fn certify_specification(
    query: &Query,
    answer: CheckedAnswer,
    certificate: SpecificationCertificate,
    budget: &Budget,
) -> Result<(CheckedAnswer, Accepted), Box<(CheckedAnswer, Refusal)>> {
    if answer.answer().verdict != Verdict::Holds {
        let why = "the certificate contradicts the verdict of the answer".to_owned();
        return Err(Box::new((answer, Refusal::whole(Reason::OtherQuestion(why)))));
    }
    match verify_specification(query, &certificate, budget) {
        Ok(accepted) => Ok((answer.certified(Evidence::SpecificationCertificate(certificate)), accepted)),
        Err(refusal) => Err(Box::new((answer, refusal))),
    }
}

fn name_of(network: &Network, part: &SpecExpression) -> String {
    let names: Vec<&str> =
        part.components().iter().map(|(process, _)| network.processes[*process].name.as_str()).collect();
    names.join(" && ")
}

fn networks_of(components: &Network, expressions: &[&SpecExpression]) -> Vec<(Network, ProcessId)> {
    let processes = expressions.iter().flat_map(|expression| expression.components());
    processes.map(|(process, _)| (component_alone(components, process), process)).collect()
}

/// The parts of a question, with their checked descriptions.
struct CheckedParts<'question> {
    components: &'question Network,
    parts: Vec<&'question SpecExpression>,
    removed: Vec<Removed>,
    /// For each part, whether it is consistent.
    consistent: Vec<bool>,
    accepted: Accepted,
}

impl<'question> CheckedParts<'question> {
    fn new(
        components: &'question Network,
        parts: Vec<&'question SpecExpression>,
        certificate: &SpecificationCertificate,
        watch: &mut BudgetWatch<'_>,
    ) -> Result<CheckedParts<'question>, Refusal> {
        if parts.len() != certificate.parts.len() {
            let why = format!("it has {} parts instead of {}", certificate.parts.len(), parts.len());
            return Err(Refusal::whole(Reason::IllFormed(why)));
        }
        let (removed, consistent) = (Vec::new(), Vec::new());
        let mut checked =
            CheckedParts { components, parts, removed, consistent, accepted: Accepted::default() };
        // Operands come first, so those of a conjunction are checked before it.
        for (number, claimed) in certificate.parts.iter().enumerate() {
            let part = checked.parts[number];
            let in_part = |refusal| Refusal { part: Some(name_of(components, part)), ..refusal };
            let networks = networks_of(components, &[part]);
            let states =
                SideBySide::new(&networks, &[part], &checked.parts, &checked.removed, &claimed.states)
                    .map_err(in_part)?;
            let found = check_part(&states, claimed, watch).map_err(in_part)?;
            checked.accepted.nodes += claimed.states.len() + claimed.removed.len();
            checked.accepted.transitions += found.transitions;
            checked.removed.push(found.removed);
            checked.consistent.push(found.is_consistent);
        }
        Ok(checked)
    }

    /// Checks that each part is consistent.
    fn are_consistent(&self) -> Result<(), Refusal> {
        let mut parts = self.parts.iter().zip(&self.consistent);
        match parts.find(|(_, is_consistent)| !**is_consistent) {
            Some((part, _)) => Err(Refusal::whole(Reason::NothingImplements(name_of(self.components, part)))),
            None => Ok(()),
        }
    }

    fn refinement(
        mut self,
        left: &SpecExpression,
        right: &SpecExpression,
        pairs: &[CertifiedLeaves],
        watch: &mut BudgetWatch<'_>,
    ) -> Result<Accepted, Refusal> {
        if follows_from_form(left, right) {
            self.actions_fit(left)?;
            return Ok(self.accepted);
        }
        // `X <= T \\ S` if and only if `S || X <= T`.
        let (mut left, mut right, mut divisions) = (left.clone(), right, 0);
        while let SpecExpression::Quotient(whole, part) = right {
            left = SpecExpression::Composition(part.clone(), Box::new(left));
            right = whole;
            divisions += 1;
        }
        let networks = networks_of(self.components, &[&left, right]);
        let states = SideBySide::new(&networks, &[&left, right], &self.parts, &self.removed, pairs)?;
        let relation = Relation::new(&states, divisions).map_err(Refusal::whole)?;
        self.accepted.transitions += relation.check(watch)?;
        self.accepted.nodes += pairs.len();
        Ok(self.accepted)
    }

    /// Checks that the alphabets fit wherever specifications are combined.
    fn actions_fit(&self, expression: &SpecExpression) -> Result<(), Refusal> {
        let networks = networks_of(self.components, &[expression]);
        let mut leaves = Vec::with_capacity(networks.len());
        for (network, process) in &networks {
            if let Some(what) = unknown_component(network, *process) {
                return Err(Refusal::whole(Reason::Unsupported(what)));
            }
            leaves.push(Leaf::new(network, *process, 0));
        }
        Actions::of(expression, &mut leaves.iter()).map(|_| ()).map_err(Refusal::whole)
    }
}

/// A relation between two sides.
struct Relation<'relation> {
    states: &'relation SideBySide<'relation>,
    left: &'relation Tree,
    right: &'relation Tree,
    /// The quotients that the right side contained.
    divided: Vec<CertifiedQuotient<'relation>>,
}

impl<'relation> Relation<'relation> {
    /// Returns a relation between two expressions; `divisions` is the number of quotients moved from the right to the
    /// left.
    fn new(
        states: &'relation SideBySide<'relation>,
        divisions: usize,
    ) -> Result<Relation<'relation>, Reason> {
        let [left, right] = states.trees.as_slice() else { return Err(unfit("a relation needs two sides")) };
        let divided = CertifiedQuotient::all(states, (left, right), divisions)?;
        let (first, second) = match divided.last() {
            Some(quotient) => (&quotient.rest.actions, &quotient.actions),
            None => (&left.actions, &right.actions),
        };
        if !first.fit_for_refinement_of(second) || !left.actions.fit_for_refinement_of(&right.actions) {
            return Err(unfit("the actions of the two sides do not allow a refinement"));
        }
        Ok(Relation { states, left, right, divided })
    }

    /// Checks the relation, and returns its number of moves.
    fn check(&self, watch: &mut BudgetWatch<'_>) -> Result<u64, Refusal> {
        if !self.states.has_start(self.left, Extent::Meaning).map_err(Refusal::whole)? {
            return Ok(0);
        }
        self.states.start_is_covered()?;
        let mut count = 0;
        for (number, node) in self.states.nodes.iter().enumerate() {
            count += self.pair(node, watch).map_err(|reason| Refusal::at(number, reason))?;
        }
        Ok(count)
    }

    fn pair(&self, node: &CertifiedLeaves, watch: &mut BudgetWatch<'_>) -> Result<u64, Reason> {
        let (check, left, right, states) = (self.states, self.left, self.right, node.leaves.as_slice());
        let Some(zone) = check.zone(node) else { return Ok(0) };
        let allowed = check.allowed(left, Extent::Meaning, states)?;
        check.check_allowed(states, &zone, &allowed)?;
        check.check_allowed(states, &zone, &check.allowed(right, Extent::Meaning, states)?)?;
        if !check.is_urgent(states, left) && check.is_urgent(states, right) {
            // The left side may be unable to delay for another reason; this is not checked.
            let what = format!("a delay of the left side, in {}", check.describe(states));
            return Err(Reason::Refused(what));
        }
        check.check_delays(states, &zone, left, &allowed, watch)?;
        let of_leaves = check.leaf_moves(states)?;
        for quotient in &self.divided {
            quotient.check_progress(states, &zone, &of_leaves, watch)?;
        }
        let mut count = 0;
        let moves = |tree: &Tree, action| match tree.actions.contain(action) {
            true => check.moves(tree, Extent::Meaning, states, action, &of_leaves),
            false => Ok(Vec::new()),
        };
        for action in left.actions.all().union(&right.actions.all()).copied() {
            spend(watch)?;
            let (ones, others) = (moves(left, action)?, moves(right, action)?);
            let mut joint: Vec<(ClockFormula, Vec<(usize, &LeafMove)>)> = Vec::new();
            if left.actions.contain(action) && right.actions.contain(action) {
                let is_output = left.actions.outputs.contains(&action);
                let (done, answered) = if is_output { (&ones, &others) } else { (&others, &ones) };
                self.is_answered(states, &zone, is_output, done, answered)?;
                for one in &ones {
                    joint.extend(others.iter().map(|other| {
                        let both = ClockFormula::And(vec![one.condition.clone(), other.condition.clone()]);
                        (both, [one.leaves.as_slice(), &other.leaves].concat())
                    }));
                }
            } else {
                let alone = ones.into_iter().chain(others);
                joint.extend(alone.map(|one| (one.condition, one.leaves)));
            }
            for (condition, leaves) in &joint {
                spend(watch)?;
                let zones = divide(vec![zone.clone()], condition, true)?;
                if zones.is_empty() {
                    continue;
                }
                count += 1;
                let (target, sources) = check.effect(states, leaves);
                if !self.is_settled(&target) {
                    check.check_targets(states, (&target, &sources), &zones)?;
                }
            }
        }
        Ok(count)
    }

    /// Checks that one side allows the moves of the other.
    fn is_answered(
        &self,
        states: &[LeafState],
        zone: &Zone,
        is_output: bool,
        done: &[TreeMove<'_>],
        answered: &[TreeMove<'_>],
    ) -> Result<(), Reason> {
        for one in done {
            let mut zones = divide(vec![zone.clone()], &one.condition, true)?;
            for answer in answered {
                zones = divide(zones, &answer.condition, false)?;
            }
            if !zones.is_empty() {
                let who = if is_output { "an output" } else { "an input" };
                let what = format!("{who}, in {}", self.states.describe(states));
                return Err(Reason::Refused(what));
            }
        }
        Ok(())
    }

    /// Returns whether the right side allows everything from here on.
    fn is_settled(&self, states: &[LeafState]) -> bool {
        self.states.is_universal(states, self.right)
    }
}
