//! The check of a refinement, of consistency and of determinism: the parts are what they are taken for, the relation has the start, is closed
//! under moves and time, and no side refuses anything in it.
//!
//! Invariant: a certificate of a refinement is accepted only if
//! - the actions fit, in every composition, conjunction and quotient and for the refinement;
//! - what is known of each component and conjunction is right (see [`crate::alone`]), and each component has an implementation. So the
//!   meaning of an expression, which is its greatest consistent part at every level, is known of all that can be reached: a
//!   composition of such parts needs no pruning;
//! - nothing implements the left side; or the relation has the initial states, and for each of its states and clock values: time
//!   that passes on the left may pass on the right and leads back into the relation; each output of the left that the right knows
//!   is possible on the right, each input of the right that the left knows is possible on the left, and whatever both do
//!   leads into the relation.
//!
//! The rules are those of alternating timed simulation with different sets of actions, after David, Larsen, Legay, Nyman and
//! Wąsowski, "Timed I/O automata: a complete specification theory for real-time systems" (2010). No bounds of clocks enter: what is
//! reached is covered if all its clock values are among those of nodes. A right certificate may be refused, a wrong one
//! is not accepted.
//!
//! A quotient on the right, `X <= T \\ S`, is checked as `S || X <= T`. A relation of that is one of `X` and the rules of the
//! quotient, with the same states in another order: what the part does not do leads to the state that allows everything, and the
//! error is not reached, since the whole refuses nothing. That nothing of it is removed from the quotient is looked at in
//! [`crate::divided`]. Whoever refines a quotient of quotients is checked in the same way, one by one.
//!
//! Determinism needs the components alone: whatever operators make of deterministic specifications is deterministic, since each move
//! of it is one of its parts, or one to a special state where a part has none.
//!
//! Both sides being the same is enough by itself, if there is an operator that the checker has no states for.

use tempora_evidence::{
    Budget, BudgetWatch, CertifiedLeaves, Evidence, LeafState, SpecificationCertificate, Verdict,
};
use tempora_model::{Network, ProcessId, Query, QueryKind, SpecExpression, SpecificationQuery};
use tempora_replay::{ClockFormula, component_alone};

use crate::alone::check_part;
use crate::answer::CheckedAnswer;
use crate::checker::Accepted;
use crate::component::{Leaf, LeafMove, unknown_component};
use crate::disjoint::divide;
use crate::divided::Divided;
use crate::obligations::{certified_parts, follows_from_form};
use crate::refusal::{Reason, Refusal};
use crate::removed::Removed;
use crate::side_by_side::{Extent, SideBySide, TreeMove};
use crate::transitions::spend;
use crate::tree::{Actions, Tree, unfit};
use crate::zone::Zone;

/// Checks a certificate that a refinement holds, that something implements a specification, or that it is deterministic.
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
            // A part that is no component may have no implementation; then so has what is made of it.
            checked.are_consistent(|part| matches!(part, SpecExpression::Component { .. }))?;
            checked.refinement(left, right, &certificate.pairs, &mut watch)
        }
        SpecificationQuery::Consistency(system) => {
            let checked = CheckedParts::new(components, parts, certificate, &mut watch)?;
            let networks = networks_of(components, &[system]);
            SideBySide::new(&networks, &[system], &checked.parts, &checked.removed, &[])?;
            checked.are_consistent(|_| true)?;
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

/// Makes a checked answer of one whose certificate is accepted.
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

/// The parts of a question, and what is known of them.
struct CheckedParts<'question> {
    components: &'question Network,
    parts: Vec<&'question SpecExpression>,
    removed: Vec<Removed>,
    /// For each part, whether something implements it.
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
        // Inner parts come first, so all that a conjunction is made of is known when it is looked at.
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

    /// Something implements each of these parts.
    fn are_consistent(&self, is_meant: impl Fn(&SpecExpression) -> bool) -> Result<(), Refusal> {
        let mut parts = self.parts.iter().zip(&self.consistent);
        match parts.find(|(part, is_consistent)| is_meant(part) && !**is_consistent) {
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
        // `X <= T \\ S` exactly if `S || X <= T`.
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

    /// The actions fit wherever something is put together.
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

/// A relation of two sides.
struct Relation<'relation> {
    states: &'relation SideBySide<'relation>,
    left: &'relation Tree,
    right: &'relation Tree,
    /// The quotients that the right side was, or was made of.
    divided: Vec<Divided<'relation>>,
}

impl<'relation> Relation<'relation> {
    /// The first of two expressions against the second, which so many parts of the first were divided from.
    fn new(
        states: &'relation SideBySide<'relation>,
        divisions: usize,
    ) -> Result<Relation<'relation>, Reason> {
        let [left, right] = states.trees.as_slice() else { return Err(unfit("a relation needs two sides")) };
        let divided = Divided::all(states, (left, right), divisions)?;
        let (first, second) = match divided.last() {
            Some(quotient) => (&quotient.rest.actions, &quotient.actions),
            None => (&left.actions, &right.actions),
        };
        if !first.fit_for_refinement_of(second) || !left.actions.fit_for_refinement_of(&right.actions) {
            return Err(unfit("the actions of the two sides do not allow a refinement"));
        }
        Ok(Relation { states, left, right, divided })
    }

    /// Checks the relation; says how many moves it has.
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
        check.may_be(states, &zone, &allowed)?;
        check.may_be(states, &zone, &check.allowed(right, Extent::Meaning, states)?)?;
        if !check.is_urgent(states, left) && check.is_urgent(states, right) {
            // It may be that no time can pass on the left for another reason; that is not looked into.
            let what = format!("a delay of the left side, in {}", check.describe(states));
            return Err(Reason::Refused(what));
        }
        check.waits(states, &zone, left, &allowed, watch)?;
        let of_leaves = check.leaf_moves(states)?;
        for quotient in &self.divided {
            quotient.goes_on(states, &zone, &of_leaves, watch)?;
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
                    check.lead_into_nodes(states, (&target, &sources), &zones)?;
                }
            }
        }
        Ok(count)
    }

    /// What one side does the other allows.
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

    /// Whether everything is allowed on the right from here on, so that nothing is refused any more.
    fn is_settled(&self, states: &[LeafState]) -> bool {
        self.states.is_universal(states, self.right)
    }
}
