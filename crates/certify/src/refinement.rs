//! The check of a refinement: the relation has the start, is closed under moves and time, and no side refuses anything in it.
//!
//! Invariant: a certificate is accepted only if
//! - the actions fit, in every composition, in every conjunction and for the refinement;
//! - each component and each conjunction, whatever its environment does, stays in the states that the certificate has for it; in all of
//!   them moves on one action do not lead apart, and time can go on for ever or an output can come. So nothing has to be
//!   removed from it, and it is what it is taken for;
//! - the relation has the initial states, and for each of its states and clock values: time that passes on the left may pass on the
//!   right and leads back into the relation; each output of the left that the right knows is possible on the right, each input
//!   of the right that the left knows is possible on the left, and whatever both do leads into the relation.
//!
//! The rules are those of alternating timed simulation with different sets of actions, after David, Larsen, Legay, Nyman and
//! Wąsowski, "Timed I/O automata: a complete specification theory for real-time systems" (2010). No bounds of clocks enter: what is
//! reached is covered if all its clock values are among those of nodes. A right certificate may be refused, a wrong one
//! is not accepted.

use std::collections::{BTreeMap, BTreeSet};

use tempora_evidence::{
    Budget, BudgetWatch, CertifiedLeaves, Evidence, LeafState, RefinementCertificate, Verdict, searched_parts,
};
use tempora_model::{Network, ProcessId, Query, QueryKind, SpecExpression, SpecificationQuery};
use tempora_replay::{CheckedAnswer, ClockFormula, component_alone};

use crate::checker::Accepted;
use crate::component::{Action, Leaf, LeafMove, unknown_component};
use crate::formula::{is_within, split};
use crate::nodes::{Key, add_to_key};
use crate::refusal::{Reason, Refusal};
use crate::transitions::spend;
use crate::zone::{From, LARGEST_CONSTANT, MOST_CLOCKS, Zone};

/// More combinations of moves than this are not looked at.
const MOST_COMBINATIONS: usize = 200_000;

/// Checks a certificate that a refinement holds.
pub fn verify_refinement(
    query: &Query,
    certificate: &RefinementCertificate,
    budget: &Budget,
) -> Result<Accepted, Refusal> {
    let QueryKind::Specification { components, question: SpecificationQuery::Refinement(left, right) } =
        &query.kind
    else {
        let why = "only refinements have such certificates".to_owned();
        return Err(Refusal::whole(Reason::OtherQuestion(why)));
    };
    let whole = |reason| Refusal::whole(reason);
    if let Some(omission) = components.omissions.first() {
        return Err(whole(Reason::Unsupported(omission.construct.clone())));
    }
    let mut watch = budget.watch();
    let parts = searched_parts(left, right);
    if parts.len() != certificate.parts.len() {
        let why = format!("it has {} parts in place of {}", certificate.parts.len(), parts.len());
        return Err(whole(Reason::IllFormed(why)));
    }
    let mut accepted = Accepted::default();
    for (part, nodes) in parts.into_iter().zip(&certificate.parts) {
        let networks = networks_of(components, &[part]);
        let check =
            Check::new(&networks, &[part], nodes).map_err(|refusal| in_part(components, part, refusal))?;
        let found = check.part(&mut watch).map_err(|refusal| in_part(components, part, refusal))?;
        accepted.nodes += nodes.len();
        accepted.transitions += found;
    }
    let networks = networks_of(components, &[left, right]);
    let check = Check::new(&networks, &[left, right], &certificate.pairs)?;
    accepted.nodes += certificate.pairs.len();
    accepted.transitions += check.pairs(&mut watch)?;
    Ok(accepted)
}

/// Makes a checked answer of one whose certificate is accepted.
pub fn certify_refinement(
    query: &Query,
    answer: CheckedAnswer,
    certificate: RefinementCertificate,
    budget: &Budget,
) -> Result<(CheckedAnswer, Accepted), Box<(CheckedAnswer, Refusal)>> {
    if answer.answer().verdict != Verdict::Holds {
        let why = "the certificate shows another verdict than the answer has".to_owned();
        return Err(Box::new((answer, Refusal::whole(Reason::OtherQuestion(why)))));
    }
    match verify_refinement(query, &certificate, budget) {
        Ok(accepted) => Ok((answer.certified(Evidence::RefinementCertificate(certificate)), accepted)),
        Err(refusal) => Err(Box::new((answer, refusal))),
    }
}

fn in_part(network: &Network, part: &SpecExpression, refusal: Refusal) -> Refusal {
    let names: Vec<&str> =
        part.components().iter().map(|(process, _)| network.processes[*process].name.as_str()).collect();
    Refusal { part: Some(names.join(" && ")), ..refusal }
}

fn networks_of(components: &Network, expressions: &[&SpecExpression]) -> Vec<(Network, ProcessId)> {
    let processes = expressions.iter().flat_map(|expression| expression.components());
    processes.map(|(process, _)| (component_alone(components, process), process)).collect()
}

/// An expression by the positions of its components.
struct Tree {
    inputs: BTreeSet<Action>,
    outputs: BTreeSet<Action>,
    kind: TreeKind,
}

enum TreeKind {
    Leaf(usize),
    /// A composition or a conjunction: both move together on what both know.
    Both(Box<Tree>, Box<Tree>),
}

impl Tree {
    fn knows(&self, action: Action) -> bool {
        self.inputs.contains(&action) || self.outputs.contains(&action)
    }

    /// The tree whose components are taken from the front; or why the actions do not fit.
    fn new(expression: &SpecExpression, leaves: &[Leaf<'_>], next: &mut usize) -> Result<Tree, Reason> {
        let (left, right, is_composition) = match expression {
            SpecExpression::Component { .. } => {
                let leaf = &leaves[*next];
                *next += 1;
                if !leaf.inputs.is_disjoint(&leaf.outputs) {
                    return Err(unfit("a component has an action both as input and as output"));
                }
                let kind = TreeKind::Leaf(*next - 1);
                return Ok(Tree { inputs: leaf.inputs.clone(), outputs: leaf.outputs.clone(), kind });
            }
            SpecExpression::Composition(left, right) => (left, right, true),
            SpecExpression::Conjunction(left, right) => (left, right, false),
            SpecExpression::Quotient(..) => return Err(Reason::Unsupported("quotients".to_owned())),
            SpecExpression::Restricted(..) => {
                return Err(Reason::Unsupported("specifications with what must always hold".to_owned()));
            }
        };
        let (left, right) = (Tree::new(left, leaves, next)?, Tree::new(right, leaves, next)?);
        let outputs: BTreeSet<Action> = left.outputs.union(&right.outputs).copied().collect();
        let mut inputs: BTreeSet<Action> = left.inputs.union(&right.inputs).copied().collect();
        if is_composition {
            if !left.outputs.is_disjoint(&right.outputs) {
                return Err(unfit("two parts of a composition have an output in common"));
            }
            inputs.retain(|action| !outputs.contains(action));
        } else if !inputs.is_disjoint(&outputs) {
            return Err(unfit("the parts of a conjunction disagree on who decides on an action"));
        }
        Ok(Tree { inputs, outputs, kind: TreeKind::Both(Box::new(left), Box::new(right)) })
    }

    /// What happens on an action that the tree knows, as one move of each component that takes part.
    fn moves<'moves>(
        &self,
        action: Action,
        of_leaves: &'moves [Vec<LeafMove>],
    ) -> Result<Vec<Vec<(usize, &'moves LeafMove)>>, Reason> {
        let (left, right) = match &self.kind {
            TreeKind::Leaf(leaf) => {
                let own = of_leaves[*leaf].iter().filter(|one| one.action == action);
                return Ok(own.map(|one| vec![(*leaf, one)]).collect());
            }
            TreeKind::Both(left, right) => (left, right),
        };
        let (ones, others) = match (left.knows(action), right.knows(action)) {
            (true, true) => (left.moves(action, of_leaves)?, right.moves(action, of_leaves)?),
            (true, false) => return left.moves(action, of_leaves),
            _ => return right.moves(action, of_leaves),
        };
        combined(&ones, &others)
    }

    fn leaves(&self, found: &mut Vec<usize>) {
        match &self.kind {
            TreeKind::Leaf(leaf) => found.push(*leaf),
            TreeKind::Both(left, right) => {
                left.leaves(found);
                right.leaves(found);
            }
        }
    }
}

/// The moves of several components together.
type Moves<'moves> = Vec<(usize, &'moves LeafMove)>;

fn combined<'moves>(ones: &[Moves<'moves>], others: &[Moves<'moves>]) -> Result<Vec<Moves<'moves>>, Reason> {
    if ones.len().saturating_mul(others.len()) > MOST_COMBINATIONS {
        return Err(Reason::TooLarge("too many moves can happen together".to_owned()));
    }
    let mut all = Vec::with_capacity(ones.len() * others.len());
    for one in ones {
        all.extend(others.iter().map(|other| [one.as_slice(), other].concat()));
    }
    Ok(all)
}

fn unfit(why: &str) -> Reason {
    Reason::OtherQuestion(why.to_owned())
}

/// For which clocks all of these moves are possible.
fn condition(moves: &[(usize, &LeafMove)]) -> ClockFormula {
    ClockFormula::all(moves.iter().map(|(_, one)| one.condition.clone()).collect())
}

/// For which clocks one of these moves is not possible, for all of them.
fn refused(all: &[Moves<'_>]) -> ClockFormula {
    ClockFormula::all(all.iter().map(|moves| condition(moves).negated()).collect())
}

/// Some expressions side by side, and the states that a certificate has for them.
struct Check<'check> {
    leaves: Vec<Leaf<'check>>,
    trees: Vec<Tree>,
    nodes: &'check [CertifiedLeaves],
    by_discrete_state: BTreeMap<Key, Vec<usize>>,
    clock_count: usize,
}

impl<'check> Check<'check> {
    fn new(
        networks: &'check [(Network, ProcessId)],
        expressions: &[&SpecExpression],
        nodes: &'check [CertifiedLeaves],
    ) -> Result<Check<'check>, Refusal> {
        let (mut leaves, mut clock_count) = (Vec::with_capacity(networks.len()), 0);
        for (network, process) in networks {
            if let Some(what) = unknown_component(network, *process) {
                return Err(Refusal::whole(Reason::Unsupported(what)));
            }
            let leaf = Leaf::new(network, *process, clock_count);
            clock_count += leaf.clock_count();
            leaves.push(leaf);
        }
        if clock_count > MOST_CLOCKS {
            return Err(Refusal::whole(Reason::Unsupported(format!("more than {MOST_CLOCKS} clocks"))));
        }
        let mut next = 0;
        let trees = expressions.iter().map(|expression| Tree::new(expression, &leaves, &mut next));
        let trees = trees.collect::<Result<_, Reason>>().map_err(Refusal::whole)?;
        let mut check = Check { leaves, trees, nodes, by_discrete_state: BTreeMap::new(), clock_count };
        for (number, node) in nodes.iter().enumerate() {
            if let Some(why) = check.fault(node) {
                return Err(Refusal::at(number, Reason::IllFormed(why)));
            }
            check.by_discrete_state.entry(key(&node.leaves)).or_default().push(number);
        }
        Ok(check)
    }

    /// Why a node is none of these components, if it is none.
    fn fault(&self, node: &CertifiedLeaves) -> Option<String> {
        let CertifiedLeaves { leaves, bounds } = node;
        if leaves.len() != self.leaves.len() {
            return Some(format!("it has {} states for {} components", leaves.len(), self.leaves.len()));
        }
        let is_clock = |clock: Option<u32>| clock.is_none_or(|clock| (clock as usize) < self.clock_count);
        let wrong = bounds.iter().find(|bound| {
            !is_clock(bound.left)
                || !is_clock(bound.right)
                || bound.constant.unsigned_abs() > LARGEST_CONSTANT as u64
        });
        if let Some(bound) = wrong {
            return Some(format!("it has the bound {}, which is too large or on no clock", bound.constant));
        }
        self.leaves.iter().zip(leaves).find_map(|(leaf, state)| leaf.fault(state))
    }

    /// Checks the states of one component or conjunction alone; says how many moves it has.
    fn part(&self, watch: &mut BudgetWatch<'_>) -> Result<u64, Refusal> {
        self.start()?;
        let mut count = 0;
        for (number, node) in self.nodes.iter().enumerate() {
            count += self.part_node(node, watch).map_err(|reason| Refusal::at(number, reason))?;
        }
        Ok(count)
    }

    fn part_node(&self, node: &CertifiedLeaves, watch: &mut BudgetWatch<'_>) -> Result<u64, Reason> {
        let Some(zone) = Zone::of_bounds(self.clock_count, &node.bounds) else { return Ok(0) };
        let [tree] = self.trees.as_slice() else { return Ok(0) };
        self.may_be(node, &zone, tree)?;
        self.waits(node, &zone, tree, watch)?;
        let of_leaves = self.leaf_moves(node)?;
        let mut count = 0;
        let mut going_on = Vec::new();
        for &action in tree.inputs.union(&tree.outputs) {
            let all = tree.moves(action, &of_leaves)?;
            for (position, moves) in all.iter().enumerate() {
                spend(watch)?;
                let zones = split(vec![zone.clone()], &condition(moves), true)?;
                for other in &all[position + 1..] {
                    let lead_apart = moves.iter().zip(other).any(|((_, one), (_, other))| {
                        one.target != other.target || one.sources != other.sources
                    });
                    if lead_apart && !split(zones.clone(), &condition(other), true)?.is_empty() {
                        return Err(Reason::NotDeterministic(self.describe(&node.leaves)));
                    }
                }
                if tree.outputs.contains(&action) {
                    going_on.extend(zones.iter().cloned());
                }
                count += u64::from(!zones.is_empty());
                self.lead_into_nodes(node, moves, &zones)?;
            }
        }
        self.goes_on(node, zone, tree, going_on)?;
        Ok(count)
    }

    /// From all clock values, time can go on for ever or an output can come.
    fn goes_on(
        &self,
        node: &CertifiedLeaves,
        zone: Zone,
        tree: &Tree,
        outputs: Vec<Zone>,
    ) -> Result<(), Reason> {
        let is_urgent = self.is_urgent(node, tree);
        let invariant = self.invariant(node, tree)?;
        if !is_urgent && split(vec![zone.clone().up()], &invariant, false)?.is_empty() {
            return Ok(());
        }
        let mut stuck = vec![zone];
        for output in outputs {
            let before = if is_urgent { output } else { output.down() };
            stuck = split(stuck, &before.formula(), false)?;
        }
        if stuck.is_empty() { Ok(()) } else { Err(Reason::Stuck(self.describe(&node.leaves))) }
    }

    /// Checks the relation of two sides; says how many moves it has.
    fn pairs(&self, watch: &mut BudgetWatch<'_>) -> Result<u64, Refusal> {
        if let [left, right] = self.trees.as_slice() {
            let fits = left.inputs.is_subset(&right.inputs)
                && right.outputs.is_subset(&left.outputs)
                && left.inputs.is_disjoint(&right.outputs)
                && left.outputs.is_disjoint(&right.inputs);
            if !fits {
                return Err(Refusal::whole(unfit("the actions of both sides do not fit for a refinement")));
            }
        }
        self.start()?;
        let mut count = 0;
        for (number, node) in self.nodes.iter().enumerate() {
            count += self.pair(node, watch).map_err(|reason| Refusal::at(number, reason))?;
        }
        Ok(count)
    }

    fn pair(&self, node: &CertifiedLeaves, watch: &mut BudgetWatch<'_>) -> Result<u64, Reason> {
        let Some(zone) = Zone::of_bounds(self.clock_count, &node.bounds) else { return Ok(0) };
        let [left, right] = self.trees.as_slice() else { return Ok(0) };
        self.may_be(node, &zone, left)?;
        self.may_be(node, &zone, right)?;
        let is_stopped = self.is_urgent(node, left);
        if !is_stopped && self.is_urgent(node, right) {
            // It may be that no time can pass on the left for another reason; that is not looked into.
            return Err(Reason::Refused(format!(
                "time that may pass on the left, in {}",
                self.describe(&node.leaves)
            )));
        }
        self.waits(node, &zone, left, watch)?;
        let of_leaves = self.leaf_moves(node)?;
        let mut count = 0;
        let all: BTreeSet<Action> = [&left.inputs, &left.outputs, &right.inputs, &right.outputs]
            .into_iter()
            .flatten()
            .copied()
            .collect();
        for action in all {
            spend(watch)?;
            let joint = match (left.knows(action), right.knows(action)) {
                (true, true) => {
                    let (ones, others) = (left.moves(action, &of_leaves)?, right.moves(action, &of_leaves)?);
                    let (done, answered) =
                        if left.outputs.contains(&action) { (&ones, &others) } else { (&others, &ones) };
                    for moves in done {
                        let zones = split(vec![zone.clone()], &condition(moves), true)?;
                        if !split(zones, &refused(answered), true)?.is_empty() {
                            let who = if left.outputs.contains(&action) { "an output" } else { "an input" };
                            return Err(Reason::Refused(format!(
                                "{who}, in {}",
                                self.describe(&node.leaves)
                            )));
                        }
                    }
                    combined(&ones, &others)?
                }
                (true, false) => left.moves(action, &of_leaves)?,
                _ => right.moves(action, &of_leaves)?,
            };
            for moves in &joint {
                spend(watch)?;
                let zones = split(vec![zone.clone()], &condition(moves), true)?;
                count += u64::from(!zones.is_empty());
                self.lead_into_nodes(node, moves, &zones)?;
            }
        }
        Ok(count)
    }

    /// The state at the start is in a node.
    fn start(&self) -> Result<(), Refusal> {
        let initial: Vec<LeafState> = self.leaves.iter().map(Leaf::initial).collect();
        if self.covers(&initial, &Zone::zero(self.clock_count)).map_err(Refusal::whole)? {
            return Ok(());
        }
        Err(Refusal::whole(Reason::StartIsNotCovered(self.describe(&initial))))
    }

    /// All clock values of a node are allowed in an expression.
    fn may_be(&self, node: &CertifiedLeaves, zone: &Zone, tree: &Tree) -> Result<(), Reason> {
        let mut leaves = Vec::new();
        tree.leaves(&mut leaves);
        let is_inconsistent =
            leaves.iter().any(|&leaf| self.leaves[leaf].has_label(&node.leaves[leaf], "inconsistent"));
        if is_inconsistent || !split(vec![zone.clone()], &self.invariant(node, tree)?, false)?.is_empty() {
            return Err(Reason::Refused(format!("clock values of {}", self.describe(&node.leaves))));
        }
        Ok(())
    }

    /// Time that passes in an expression leads into a node of the same discrete state.
    fn waits(
        &self,
        node: &CertifiedLeaves,
        zone: &Zone,
        tree: &Tree,
        watch: &mut BudgetWatch<'_>,
    ) -> Result<(), Reason> {
        spend(watch)?;
        if self.is_urgent(node, tree) {
            return Ok(());
        }
        for later in split(vec![zone.clone().up()], &self.invariant(node, tree)?, true)? {
            if !self.covers(&node.leaves, &later)? {
                return Err(Reason::SuccessorIsNotCovered(format!(
                    "time in {}",
                    self.describe(&node.leaves)
                )));
            }
        }
        Ok(())
    }

    fn lead_into_nodes(
        &self,
        node: &CertifiedLeaves,
        moves: &Moves<'_>,
        zones: &[Zone],
    ) -> Result<(), Reason> {
        if zones.is_empty() {
            return Ok(());
        }
        let mut target = node.leaves.clone();
        let mut sources: Vec<From> = (1..=self.clock_count).map(|clock| From { clock, plus: 0 }).collect();
        for (leaf, one) in moves {
            target[*leaf] = one.target.clone();
            if let Some(own) = &one.sources {
                self.leaves[*leaf].place(own, &mut sources);
            }
        }
        if self.is_settled(&target) {
            return Ok(());
        }
        let mut is_covered = true;
        for zone in zones {
            is_covered = is_covered && self.covers(&target, &zone.set(&sources))?;
        }
        if is_covered {
            return Ok(());
        }
        let step = format!("a move from {} to {}", self.describe(&node.leaves), self.describe(&target));
        Err(Reason::SuccessorIsNotCovered(step))
    }

    /// Whether everything is allowed on the right from here on, so that nothing is refused any more.
    fn is_settled(&self, states: &[LeafState]) -> bool {
        let [_, right] = self.trees.as_slice() else { return false };
        let mut leaves = Vec::new();
        right.leaves(&mut leaves);
        leaves.iter().all(|&leaf| self.leaves[leaf].has_label(&states[leaf], "universal"))
    }

    /// Whether all these values of a discrete state are in nodes, be it some in one and some in another.
    fn covers(&self, states: &[LeafState], zone: &Zone) -> Result<bool, Reason> {
        let Some(candidates) = self.by_discrete_state.get(&key(states)) else { return Ok(false) };
        if candidates.iter().any(|&node| is_within(zone, &self.nodes[node].bounds)) {
            return Ok(true);
        }
        let mut rest = vec![zone.clone()];
        for &node in candidates {
            if let Some(zone) = Zone::of_bounds(self.clock_count, &self.nodes[node].bounds) {
                rest = split(rest, &zone.formula(), false)?;
            }
        }
        Ok(rest.is_empty())
    }

    fn is_urgent(&self, node: &CertifiedLeaves, tree: &Tree) -> bool {
        let mut leaves = Vec::new();
        tree.leaves(&mut leaves);
        leaves.iter().any(|&leaf| self.leaves[leaf].is_urgent(&node.leaves[leaf]))
    }

    fn invariant(&self, node: &CertifiedLeaves, tree: &Tree) -> Result<ClockFormula, Reason> {
        let mut leaves = Vec::new();
        tree.leaves(&mut leaves);
        let invariants = leaves.iter().map(|&leaf| self.leaves[leaf].invariant(&node.leaves[leaf]));
        Ok(ClockFormula::all(invariants.collect::<Result<_, Reason>>()?))
    }

    fn leaf_moves(&self, node: &CertifiedLeaves) -> Result<Vec<Vec<LeafMove>>, Reason> {
        self.leaves.iter().zip(&node.leaves).map(|(leaf, state)| leaf.moves(state)).collect()
    }

    fn describe(&self, states: &[LeafState]) -> String {
        let names: Vec<String> =
            self.leaves.iter().zip(states).map(|(leaf, state)| leaf.describe(state)).collect();
        names.join(", ")
    }
}

fn key(states: &[LeafState]) -> Key {
    let mut key = Key::new();
    for state in states {
        key.push(i64::from(state.location.0));
        state.values.iter().for_each(|value| add_to_key(value, &mut key));
    }
    key
}
