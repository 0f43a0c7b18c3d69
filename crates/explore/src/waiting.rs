//! In which order nodes are explored.
//!
//! Invariant: every node that is added is given out, once or twice; the same order and seed give the same sequence.

use std::collections::VecDeque;

use crate::store::NodeId;

/// In which order states are explored.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum SearchOrder {
    /// The first found first; if that wastes much work, those that make others superfluous before all others. When
    /// many have been seen, now and then the last found.
    #[default]
    Adaptive,
    /// The first found first: runs are as short as they can be.
    BreadthFirst,
    /// The last found first.
    DepthFirst,
    /// Any, by a seed.
    Random(u64),
}

/// The nodes that wait to be explored.
///
/// The adaptive order follows Herbreteau and Tran, "Improving search order for reachability testing in timed automata"
/// (2015): a node that covers one whose successors have been computed makes those superfluous, and the sooner its own
/// successors are computed, the fewer of the superfluous ones are explored.
///
/// Goals that lie deep are out of reach of a search in breadth, and a search in depth finds many of them at once. So from
/// some number of nodes on, each so many nodes one is taken from a dive: a search in depth over the same table, which
/// does no work twice.
pub(crate) struct Waiting {
    order: SearchOrder,
    queue: VecDeque<NodeId>,
    /// Nodes that cover explored ones.
    urgent: VecDeque<NodeId>,
    /// The successors of nodes that were given out by the dive, and whether the last one was. They are in the queue as
    /// well: if they were not, large zones would wait there for the end of the dive.
    deep: Vec<NodeId>,
    is_diving: bool,
    /// How many nodes were given out, and how many of them were covered afterwards.
    explored: u64,
    wasted: u64,
    random: u64,
}

/// How many nodes are given out before the adaptive order begins to dive, and each how many the dive gets one; fewer
/// where order matters, for there a search in depth meets small zones first, and all that follows from them is wasted.
const DIVE_AFTER: u64 = 2_000;
const DIVE_EVERY: u64 = 8;
const DIVE_EVERY_WHERE_ORDER_MATTERS: u64 = 64;

impl Waiting {
    pub(crate) fn new(order: SearchOrder) -> Waiting {
        let random = match order {
            SearchOrder::Random(seed) => seed,
            _ => 0,
        };
        Waiting {
            order,
            queue: VecDeque::new(),
            urgent: VecDeque::new(),
            deep: Vec::new(),
            is_diving: false,
            explored: 0,
            wasted: 0,
            random,
        }
    }

    /// Adds a node that covers so many which were given out before.
    pub(crate) fn add(&mut self, node: NodeId, covered: u64) {
        self.wasted += covered;
        if covered > 0 && self.order == SearchOrder::Adaptive && self.wastes_much() {
            self.urgent.push_back(node);
        } else {
            self.queue.push_back(node);
        }
        if self.is_diving {
            self.deep.push(node);
        }
    }

    /// Breadth first wastes some work on most models, and nothing is better there; where it wastes most of it, order
    /// matters.
    fn wastes_much(&self) -> bool {
        self.wasted * 2 > self.explored
    }

    /// How many nodes wait, those included that have been covered meanwhile.
    pub(crate) fn len(&self) -> usize {
        self.queue.len() + self.urgent.len()
    }

    pub(crate) fn next(&mut self) -> Option<NodeId> {
        self.explored += 1;
        let every = if self.wasted * 8 > self.explored { DIVE_EVERY_WHERE_ORDER_MATTERS } else { DIVE_EVERY };
        self.is_diving = self.order == SearchOrder::Adaptive
            && self.explored > DIVE_AFTER
            && self.explored.is_multiple_of(every);
        if self.is_diving
            && let Some(node) = self.deep.pop().or_else(|| self.queue.pop_back())
        {
            return Some(node);
        }
        if let Some(node) = self.urgent.pop_front() {
            return Some(node);
        }
        match self.order {
            SearchOrder::Adaptive | SearchOrder::BreadthFirst => self.queue.pop_front(),
            SearchOrder::DepthFirst => self.queue.pop_back(),
            SearchOrder::Random(_) => {
                if self.queue.is_empty() {
                    return None;
                }
                let position = (self.number() % self.queue.len() as u64) as usize;
                self.queue.swap_remove_back(position)
            }
        }
    }

    /// The next number of the generator of Steele, Lea and Flood (2014), "SplitMix64".
    fn number(&mut self) -> u64 {
        self.random = self.random.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.random;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }
}
