//! In which order nodes are explored.
//!
//! Invariant: every node that is added is given out, once or twice; the same order and seed give the same sequence.

use std::collections::VecDeque;

use crate::graph::store::{Inserted, NodeId};

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
    /// All orders but the adaptive one.
    queue: VecDeque<NodeId>,
    levels: Levels,
    /// Nodes that cover explored ones, with their depths.
    urgent: VecDeque<(NodeId, u32)>,
    /// The successors of nodes that were given out by the dive, and whether the last one was. They are in the levels as
    /// well: if they were not, large zones would wait there for the end of the dive.
    deep: VecDeque<(NodeId, u32)>,
    is_diving: bool,
    /// How deep the successors of the last node are.
    depth: u32,
    /// How many nodes were given out, and how many of them were covered afterwards.
    explored: u64,
    wasted: u64,
    /// How many nodes follow from the dive, and how many of them were explored and covered afterwards.
    found_deep: u64,
    wasted_deep: u64,
    random: u64,
}

/// How many nodes are given out before the adaptive order begins to dive, and each how many the dive gets one; fewer
/// where order matters, for there a search in depth meets small zones first, and all that follows from them is wasted.
const DIVE_AFTER: u64 = 2_000;
const DIVE_EVERY: u64 = 8;
const DIVE_EVERY_WHERE_ORDER_MATTERS: u64 = 64;
/// So many nodes a dive can go back to; behind them it goes on with the deepest.
const MOST_DEEP: usize = 1 << 14;
/// What follows from dives waits if more than one in so many of it was wasted.
const DEEP_WASTE: u64 = 10;

impl Waiting {
    pub(crate) fn new(order: SearchOrder) -> Waiting {
        let random = match order {
            SearchOrder::Random(seed) => seed,
            _ => 0,
        };
        Waiting {
            order,
            queue: VecDeque::new(),
            levels: Levels::default(),
            urgent: VecDeque::new(),
            deep: VecDeque::new(),
            is_diving: false,
            depth: 0,
            explored: 0,
            wasted: 0,
            found_deep: 0,
            wasted_deep: 0,
            random,
        }
    }

    /// Adds a node, which may follow from one of the dive; whether it does, or is of the dive itself.
    pub(crate) fn add(&mut self, inserted: &Inserted, follows_from_dive: bool) -> bool {
        let &Inserted { node, covered, covered_deep } = inserted;
        if self.order != SearchOrder::Adaptive {
            self.queue.push_back(node);
            return false;
        }
        self.wasted += covered;
        self.wasted_deep += covered_deep;
        let is_deep = follows_from_dive || self.is_diving;
        self.found_deep += u64::from(is_deep);
        if covered > 0 && self.wastes_much() {
            self.urgent.push_back((node, self.depth));
        } else if is_deep && !self.dives_waste_much() {
            self.levels.add_now(node);
        } else {
            self.levels.add(node, self.depth);
        }
        if self.is_diving {
            if self.deep.len() == MOST_DEEP {
                self.deep.pop_front();
            }
            self.deep.push_back((node, self.depth));
        }
        is_deep
    }

    /// Adds a node again that was given out and not explored.
    pub(crate) fn put_back(&mut self, node: NodeId) {
        match self.order {
            SearchOrder::Adaptive => self.levels.add(node, self.depth.saturating_sub(1)),
            _ => self.queue.push_back(node),
        }
    }

    /// Whether what follows from the dive is often covered afterwards: then it can wait until the search in breadth is there.
    /// Else it covers others, and is better explored soon.
    fn dives_waste_much(&self) -> bool {
        self.wasted_deep * DEEP_WASTE > self.found_deep
    }

    /// Breadth first wastes some work on most models, and nothing is better there; where it wastes most of it, order
    /// matters.
    fn wastes_much(&self) -> bool {
        self.wasted * 2 > self.explored
    }

    /// How many nodes wait, those included that have been covered meanwhile.
    pub(crate) fn len(&self) -> usize {
        self.queue.len() + self.levels.count + self.urgent.len()
    }

    pub(crate) fn next(&mut self) -> Option<NodeId> {
        self.explored += 1;
        match self.order {
            SearchOrder::Adaptive => {
                let (node, depth) = self.next_adaptively()?;
                self.depth = depth.saturating_add(1);
                Some(node)
            }
            SearchOrder::BreadthFirst => self.queue.pop_front(),
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

    fn next_adaptively(&mut self) -> Option<(NodeId, u32)> {
        let every = if self.wasted * 8 > self.explored { DIVE_EVERY_WHERE_ORDER_MATTERS } else { DIVE_EVERY };
        self.is_diving = self.explored > DIVE_AFTER && self.explored.is_multiple_of(every);
        if self.is_diving
            && let Some(node) = self.deep.pop_back().or_else(|| self.levels.deepest())
        {
            return Some(node);
        }
        self.urgent.pop_front().or_else(|| self.levels.shallowest())
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

/// Nodes by their depth: what the dive found deep down waits until the search in breadth is there. By then it is covered
/// in most cases, and what follows from it need not be explored.
#[derive(Default)]
struct Levels {
    /// The depth of the first level.
    first: u32,
    levels: VecDeque<VecDeque<NodeId>>,
    /// Levels without nodes, to be used again.
    spare: Vec<VecDeque<NodeId>>,
    count: usize,
}

/// What is deeper than so many levels below the first counts as the last of them.
const MOST_LEVELS: usize = 1 << 16;

impl Levels {
    fn add(&mut self, node: NodeId, depth: u32) {
        if self.count == 0 {
            self.first = depth;
        }
        // A node that covers others may be explored late, so that what follows is above the first level.
        let level = (depth.saturating_sub(self.first) as usize).min(MOST_LEVELS - 1);
        while self.levels.len() <= level {
            self.levels.push_back(self.spare.pop().unwrap_or_default());
        }
        self.levels[level].push_back(node);
        self.count += 1;
    }

    /// Adds a node to those that are next after the shallowest.
    fn add_now(&mut self, node: NodeId) {
        self.add(node, self.first.saturating_add(1));
    }

    /// The node that has waited longest among the shallowest ones.
    fn shallowest(&mut self) -> Option<(NodeId, u32)> {
        while let Some(level) = self.levels.front_mut() {
            if let Some(node) = level.pop_front() {
                self.count -= 1;
                return Some((node, self.first));
            }
            self.spare.extend(self.levels.pop_front());
            self.first = self.first.saturating_add(1);
        }
        None
    }

    /// The node that was found last among the deepest ones.
    fn deepest(&mut self) -> Option<(NodeId, u32)> {
        while let Some(level) = self.levels.back_mut() {
            if let Some(node) = level.pop_back() {
                self.count -= 1;
                return Some((node, self.first.saturating_add(self.levels.len() as u32 - 1)));
            }
            self.spare.extend(self.levels.pop_back());
        }
        None
    }
}
