//! Layered drawing of one connected graph, from top to bottom.
//!
//! The method of Sugiyama, Tagawa and Toda 1981 ("Methods for visual understanding of hierarchical system structures"):
//!
//! 1. Cycles are broken by reversing the back edges of a depth-first search from the initial location, so that a
//!    return to the start points upwards (as Gansner, Koutsofios, North and Vo 1993, "A technique for drawing directed
//!    graphs", section 2.1).
//! 2. Nodes are assigned to layers by longest paths. There is an empty layer between any two layers, so that every edge
//!    has a virtual item of the size of its labels in the middle (section 5.3 there): labels never overlap nodes, and
//!    parallel edges are apart.
//! 3. The order within layers is the result of barycentre sweeps and transpositions with the fewest crossings.
//!    Crossings are counted as in Barth, Jünger and Mutzel 2002 ("Simple and efficient bilayer cross counting").
//! 4. Horizontal positions: each layer in turn is moved as near as possible (least squares) to its neighbours, with
//!    fixed order and least distances; the exact solution is computed by pooling adjacent violators (Ayer, Brunk,
//!    Ewing, Reid and Silverman 1955, "An empirical distribution function for sampling with incomplete information").
//!
//! Invariant: the boxes of items do not overlap. The running time is nearly linear in nodes and edges: edges across
//! many layers share a budget of virtual items, and edges beyond the budget get no bends.

use tempora_interrupt::checkpoint;

use super::obstacles::Obstacles;
use super::straighten::straighten;
use crate::geometry::{Point, Rectangle};

/// The graph to draw. Edges connect indices of boxes, and no edge is a loop.
pub(super) struct LayeredGraph {
    /// The distance between the line of an edge and its labels.
    pub(super) label_distance: f64,
    /// The room of each node, relative to its centre; `left` and `top` are not positive.
    pub(super) boxes: Vec<Rectangle>,
    pub(super) edges: Vec<LayeredEdge>,
    /// Whether each node should be at the top.
    pub(super) is_initial: Vec<bool>,
}

pub(super) struct LayeredEdge {
    pub(super) source: usize,
    pub(super) target: usize,
    /// The size of its stack of labels; zero without labels.
    pub(super) label_size: Point,
}

pub(super) struct LayeredDrawing {
    pub(super) centres: Vec<Point>,
    /// The bends of each edge, from source to target.
    pub(super) bends: Vec<Vec<Point>>,
    /// The upper left corner of the stack of labels of each edge; `None` without labels or beyond the budget.
    pub(super) label_corners: Vec<Option<Point>>,
}

/// The least distance between the boxes of one layer.
const HORIZONTAL_GAP: f64 = 14.0;

/// The least distance between the boxes of two layers.
const VERTICAL_GAP: f64 = 13.0;

/// The additional vertical distance between layers per pixel of horizontal distance of an edge.
const SLOPE: f64 = 0.15;

/// The maximal additional vertical distance between layers.
const MOST_SLACK: f64 = 45.0;

/// The extent of vertical lines above and below a layer; less than half the vertical gap.
const STRAIGHT_BEYOND_LAYER: f64 = 6.0;

/// The least distance of a straightened line from nodes and labels.
const CLEARANCE: f64 = 4.0;

/// The maximal number of virtual items per node and edge. Readable pictures need far fewer.
const VIRTUAL_ITEMS_EACH: usize = 8;

pub(super) fn draw_layered(graph: &LayeredGraph) -> LayeredDrawing {
    let (forward, topological_order) = break_cycles(graph);
    let ranks = assign_ranks(graph, &forward, &topological_order);
    let mut items = Items::new(graph, &forward, &ranks, &topological_order);
    items.reduce_crossings();
    let horizontal = items.horizontal_places();
    let horizontal =
        if items.move_labels_outside(&horizontal) { items.horizontal_places() } else { horizontal };
    let vertical = items.vertical_places(&horizontal);
    items.into_drawing(graph, &forward, &horizontal, &vertical)
}

/// Returns whether each edge points downwards, and a topological order of the nodes after reversing all other edges.
fn break_cycles(graph: &LayeredGraph) -> (Vec<bool>, Vec<usize>) {
    let count = graph.boxes.len();
    let mut outgoing: Vec<Vec<usize>> = vec![Vec::new(); count];
    let mut has_incoming = vec![false; count];
    for (index, edge) in graph.edges.iter().enumerate() {
        checkpoint();
        outgoing[edge.source].push(index);
        has_incoming[edge.target] = true;
    }
    let mut roots: Vec<usize> = (0..count).collect();
    roots.sort_by_key(|&node| (!graph.is_initial[node], has_incoming[node]));

    #[derive(Clone, Copy, PartialEq)]
    enum State {
        New,
        Open,
        Done,
    }
    let mut state = vec![State::New; count];
    let mut forward = vec![true; graph.edges.len()];
    let mut finished = Vec::with_capacity(count);
    for root in roots {
        checkpoint();
        if state[root] != State::New {
            continue;
        }
        // An explicit stack, because a chain of ten thousand locations would overflow the call stack.
        let mut stack = vec![(root, 0)];
        state[root] = State::Open;
        while let Some((node, next)) = stack.pop() {
            checkpoint();
            let Some(&edge) = outgoing[node].get(next) else {
                state[node] = State::Done;
                finished.push(node);
                continue;
            };
            stack.push((node, next + 1));
            let target = graph.edges[edge].target;
            match state[target] {
                State::New => {
                    state[target] = State::Open;
                    stack.push((target, 0));
                }
                State::Open => forward[edge] = false,
                State::Done => {}
            }
        }
    }
    finished.reverse();
    (forward, finished)
}

/// Assigns layers by longest paths from the top, then lowers nodes with more edges downwards than upwards.
fn assign_ranks(graph: &LayeredGraph, forward: &[bool], topological_order: &[usize]) -> Vec<usize> {
    let count = graph.boxes.len();
    let mut above: Vec<Vec<usize>> = vec![Vec::new(); count];
    let mut below: Vec<Vec<usize>> = vec![Vec::new(); count];
    for (edge, &forward) in graph.edges.iter().zip(forward) {
        checkpoint();
        let (upper, lower) = if forward { (edge.source, edge.target) } else { (edge.target, edge.source) };
        above[lower].push(upper);
        below[upper].push(lower);
    }
    let mut ranks = vec![0_usize; count];
    for &node in topological_order {
        checkpoint();
        ranks[node] = above[node].iter().map(|&upper| ranks[upper] + 1).max().unwrap_or(0);
    }
    for &node in topological_order.iter().rev() {
        checkpoint();
        let sinks = below[node].len() > above[node].len() && !graph.is_initial[node];
        if let Some(lowest) = below[node].iter().map(|&lower| ranks[lower]).min()
            && sinks
        {
            ranks[node] = ranks[node].max(lowest.saturating_sub(1));
        }
    }
    ranks
}

/// The items of all layers, numbered: first the nodes, then the virtual items.
struct Items {
    node_count: usize,
    label_distance: f64,
    /// The room of each item, relative to its point.
    boxes: Vec<Rectangle>,
    layer_of: Vec<usize>,
    /// The neighbours in the layer above, with weights; edges of large weight become straight.
    above: Vec<Vec<(usize, f64)>>,
    below: Vec<Vec<(usize, f64)>>,
    /// The items of each layer, from left to right.
    layers: Vec<Vec<usize>>,
    /// The virtual items of each edge from top to bottom, and the position of the item with the labels.
    chains: Vec<Option<(Vec<usize>, usize)>>,
}

impl Items {
    fn new(graph: &LayeredGraph, forward: &[bool], ranks: &[usize], topological_order: &[usize]) -> Items {
        let layer_of: Vec<usize> = ranks.iter().map(|rank| rank * 2).collect();
        let layer_count = layer_of.iter().max().map_or(0, |last| last + 1);
        let count = graph.boxes.len();
        let mut items = Items {
            node_count: count,
            label_distance: graph.label_distance,
            boxes: graph.boxes.clone(),
            layer_of,
            above: vec![Vec::new(); count],
            below: vec![Vec::new(); count],
            layers: vec![Vec::new(); layer_count],
            chains: vec![None; graph.edges.len()],
        };
        let mut place_in_order = vec![0; count];
        for (place, &node) in topological_order.iter().enumerate() {
            checkpoint();
            place_in_order[node] = place;
        }
        for &node in topological_order {
            checkpoint();
            items.layers[items.layer_of[node]].push(node);
        }

        let ends = |index: usize| {
            let edge = &graph.edges[index];
            if forward[index] { (edge.source, edge.target) } else { (edge.target, edge.source) }
        };
        let mut by_length: Vec<usize> = (0..graph.edges.len()).collect();
        by_length.sort_by_key(|&index| {
            let (upper, lower) = ends(index);
            (items.layer_of[lower] - items.layer_of[upper], place_in_order[upper], index)
        });
        let mut budget = (count + graph.edges.len()) * VIRTUAL_ITEMS_EACH + 1000;
        for index in by_length {
            checkpoint();
            let (upper, lower) = ends(index);
            let (first, last) = (items.layer_of[upper], items.layer_of[lower]);
            let needed = last - first - 1;
            if needed > budget {
                break;
            }
            budget -= needed;
            items.add_chain(index, upper, lower, graph.edges[index].label_size);
        }
        items
    }

    fn add_chain(&mut self, edge: usize, upper: usize, lower: usize, label_size: Point) {
        let (first, last) = (self.layer_of[upper], self.layer_of[lower]);
        // Odd layers hold only virtual items; use an odd layer nearest to the middle.
        let middle = ((first + last) / 2) | 1;
        let mut chain = Vec::with_capacity(last - first - 1);
        let mut previous = upper;
        for layer in first + 1..last {
            checkpoint();
            let item = self.boxes.len();
            let mut room = Rectangle { left: -5.0, top: 0.0, right: 5.0, bottom: 0.0 };
            if layer == middle && label_size.x > 0.0 {
                room.right = self.label_distance + label_size.x;
                room.top = -label_size.y / 2.0;
                room.bottom = label_size.y / 2.0;
            }
            self.boxes.push(room);
            self.layer_of.push(layer);
            self.above.push(Vec::new());
            self.below.push(Vec::new());
            self.layers[layer].push(item);
            self.connect(previous, item, if previous == upper { 1.0 } else { 8.0 });
            chain.push(item);
            previous = item;
        }
        self.connect(previous, lower, 1.0);
        self.chains[edge] = Some((chain, middle - first - 1));
    }

    fn connect(&mut self, upper: usize, lower: usize, weight: f64) {
        self.below[upper].push((lower, weight));
        self.above[lower].push((upper, weight));
    }

    /// Minimises crossings by sweeps from several starts, because each sweep ends in a local optimum.
    fn reduce_crossings(&mut self) {
        let starts = match self.boxes.len() {
            0..300 => 10,
            300..1000 => 3,
            _ => 1,
        };
        let mut best: Option<(usize, Vec<Vec<usize>>)> = None;
        let mut shuffler = Shuffler::default();
        for start in 0..starts {
            checkpoint();
            if best.as_ref().is_some_and(|(crossings, _)| *crossings == 0) {
                break;
            }
            if start > 0 {
                self.layers.iter_mut().for_each(|layer| shuffler.shuffle(layer));
            }
            let crossings = self.sweep();
            if best.as_ref().is_none_or(|(fewest, _)| crossings < *fewest) {
                best = Some((crossings, self.layers.clone()));
            }
        }
        if let Some((_, layers)) = best {
            self.layers = layers;
        }
    }

    /// Sweeps up and down from the current order, keeps the best order, and returns its number of crossings.
    fn sweep(&mut self) -> usize {
        let sweeps = if self.boxes.len() < 1000 { 24 } else { 6 };
        let mut place = vec![0; self.boxes.len()];
        for layer in &self.layers {
            checkpoint();
            remember_places(layer, &mut place);
        }
        let mut best = self.layers.clone();
        let mut fewest = self.count_crossings(&place);
        for sweep in 0..sweeps {
            checkpoint();
            if fewest == 0 {
                break;
            }
            let downwards = sweep % 2 == 0;
            let count = self.layers.len();
            for step in 1..count {
                let layer = if downwards { step } else { count - 1 - step };
                self.sort_by_barycentre(layer, downwards, &mut place);
            }
            if self.boxes.len() < 2000 {
                self.transpose(&mut place);
            }
            let crossings = self.count_crossings(&place);
            if crossings < fewest {
                fewest = crossings;
                best.clone_from(&self.layers);
            }
        }
        self.layers = best;
        fewest
    }

    fn sort_by_barycentre(&mut self, layer: usize, downwards: bool, place: &mut [usize]) {
        let neighbours = if downwards { &self.above } else { &self.below };
        let items = &mut self.layers[layer];
        let mut keyed: Vec<(f64, usize)> = items
            .iter()
            .map(|&item| {
                let near = &neighbours[item];
                if near.is_empty() {
                    return (place[item] as f64, item);
                }
                let sum: f64 = near.iter().map(|&(neighbour, _)| place[neighbour] as f64).sum();
                (sum / near.len() as f64, item)
            })
            .collect();
        keyed.sort_by(|left, right| left.0.total_cmp(&right.0));
        *items = keyed.into_iter().map(|(_, item)| item).collect();
        remember_places(items, place);
    }

    /// Swaps neighbours in a layer as long as this removes crossings.
    fn transpose(&mut self, place: &mut [usize]) {
        for _ in 0..8 {
            checkpoint();
            let mut improved = false;
            for layer in 0..self.layers.len() {
                for index in 1..self.layers[layer].len() {
                    let (left, right) = (self.layers[layer][index - 1], self.layers[layer][index]);
                    let as_is = self.crossings_of_pair(left, right, place);
                    let swapped = self.crossings_of_pair(right, left, place);
                    if swapped < as_is {
                        self.layers[layer].swap(index - 1, index);
                        place.swap(left, right);
                        improved = true;
                    }
                }
            }
            if !improved {
                break;
            }
        }
    }

    fn crossings_of_pair(&self, left: usize, right: usize, place: &[usize]) -> usize {
        [&self.above, &self.below]
            .into_iter()
            .map(|neighbours| {
                neighbours[left]
                    .iter()
                    .map(|&(of_left, _)| {
                        let crosses = |&&(of_right, _): &&(usize, f64)| place[of_right] < place[of_left];
                        neighbours[right].iter().filter(crosses).count()
                    })
                    .sum::<usize>()
            })
            .sum()
    }

    fn count_crossings(&self, place: &[usize]) -> usize {
        self.layers
            .iter()
            .map(|layer| {
                let mut ends = Vec::new();
                for &item in layer {
                    let start = ends.len();
                    ends.extend(self.below[item].iter().map(|&(lower, _)| place[lower]));
                    ends[start..].sort_unstable();
                }
                count_inversions(&ends)
            })
            .sum()
    }

    fn horizontal_places(&self) -> Vec<f64> {
        let mut x = vec![0.0; self.boxes.len()];
        for layer in &self.layers {
            checkpoint();
            let mut edge_of_last = 0.0;
            for &item in layer {
                x[item] = edge_of_last - self.boxes[item].left;
                edge_of_last = x[item] + self.boxes[item].right + HORIZONTAL_GAP;
            }
            let middle = (edge_of_last - HORIZONTAL_GAP) / 2.0;
            for &item in layer {
                x[item] -= middle;
            }
        }
        let sweeps = if self.boxes.len() < 1000 { 120 } else { 10 };
        let count = self.layers.len();
        for sweep in 0..sweeps {
            checkpoint();
            // The first sweeps use neighbours on one side, which straightens chains fast; the last sweeps use both
            // sides.
            let (uses_above, uses_below) =
                if sweep * 3 >= sweeps * 2 { (true, true) } else { (sweep % 2 == 0, sweep % 2 == 1) };
            for step in 0..count {
                let layer = if sweep % 2 == 0 { step } else { count - 1 - step };
                self.move_layer(layer, uses_above, uses_below, &mut x);
            }
        }
        x
    }

    /// Moves the labels of edges that bend around an obstacle at their right to the left, where no rounded corner cuts
    /// into them. Returns whether anything changed.
    fn move_labels_outside(&mut self, horizontal: &[f64]) -> bool {
        let mut changed = false;
        for (chain, labelled) in self.chains.iter().flatten() {
            checkpoint();
            let item = chain[*labelled];
            let mut near = self.above[item].iter().chain(&self.below[item]);
            let room = &mut self.boxes[item];
            if room.height() > 0.0 && near.all(|&(other, _)| horizontal[other] > horizontal[item] + 3.0) {
                (room.left, room.right) = (-room.right, -room.left);
                changed = true;
            }
        }
        changed
    }

    fn move_layer(&self, layer: usize, uses_above: bool, uses_below: bool, x: &mut [f64]) {
        let items = &self.layers[layer];
        let mut wanted = Vec::with_capacity(items.len());
        let mut weights = Vec::with_capacity(items.len());
        let mut gaps = Vec::with_capacity(items.len());
        for (index, &item) in items.iter().enumerate() {
            checkpoint();
            let near = self.above[item]
                .iter()
                .filter(|_| uses_above)
                .chain(self.below[item].iter().filter(|_| uses_below));
            let (sum, weight) = near.fold((0.0, 0.0), |(sum, total), &(neighbour, weight)| {
                (sum + x[neighbour] * weight, total + weight)
            });
            if weight > 0.0 {
                wanted.push(sum / weight);
                weights.push(weight);
            } else {
                // An item without neighbours yields to the others.
                wanted.push(x[item]);
                weights.push(0.01);
            }
            if index > 0 {
                gaps.push(self.boxes[items[index - 1]].right - self.boxes[item].left + HORIZONTAL_GAP);
            }
        }
        for (&item, place) in items.iter().zip(nearest_with_gaps(&wanted, &weights, &gaps)) {
            checkpoint();
            x[item] = place;
        }
    }

    /// Computes the vertical positions of layers. The gap grows with the horizontal distance of edges, so that they
    /// do not graze the labels of nodes (as Gansner and others, section 5.2).
    fn vertical_places(&self, horizontal: &[f64]) -> Vec<Band> {
        let mut bands = Vec::with_capacity(self.layers.len());
        let mut edge_of_last = 0.0;
        for layer in &self.layers {
            checkpoint();
            let up = layer.iter().map(|&item| -self.boxes[item].top).fold(0.0, f64::max);
            let down = layer.iter().map(|&item| self.boxes[item].bottom).fold(0.0, f64::max);
            bands.push(Band {
                top: edge_of_last,
                middle: edge_of_last + up,
                bottom: edge_of_last + up + down,
            });
            let farthest = layer
                .iter()
                .flat_map(|&item| self.below[item].iter().map(move |&(lower, _)| (item, lower)))
                .map(|(upper, lower)| (horizontal[upper] - horizontal[lower]).abs())
                .fold(0.0, f64::max);
            let slack = (farthest * SLOPE).min(MOST_SLACK);
            edge_of_last += up + down + VERTICAL_GAP + slack;
        }
        bands
    }

    fn into_drawing(
        self,
        graph: &LayeredGraph,
        forward: &[bool],
        horizontal: &[f64],
        vertical: &[Band],
    ) -> LayeredDrawing {
        let point_of = |item: usize| Point::new(horizontal[item], vertical[self.layer_of[item]].middle);
        let centres: Vec<Point> = (0..graph.boxes.len()).map(point_of).collect();
        let obstacles = self.obstacles(&point_of);
        let mut bends = Vec::with_capacity(graph.edges.len());
        let mut label_corners = Vec::with_capacity(graph.edges.len());
        for (index, chain) in self.chains.iter().enumerate() {
            checkpoint();
            let Some((chain, labelled)) = chain else {
                bends.push(Vec::new());
                label_corners.push(None);
                continue;
            };
            let edge = &graph.edges[index];
            let (upper, lower) =
                if forward[index] { (edge.source, edge.target) } else { (edge.target, edge.source) };
            let mut points = vec![centres[upper]];
            let mut is_fixed = vec![true];
            for (position, &item) in chain.iter().enumerate() {
                let (x, band) = (horizontal[item], vertical[self.layer_of[item]]);
                // The middle bend is fixed: it is beside the labels and separates parallel edges. The first and the
                // last bend are fixed if the node has several edges, to keep their order around the node.
                let is_middle = position == *labelled;
                let is_first = position == 0 && self.below[upper].len() > 1;
                let is_last = position + 1 == chain.len() && self.above[lower].len() > 1;
                if band.bottom - band.top > 8.0 {
                    // The line is vertical through the whole layer and a little more, so that neither a slanting line
                    // nor a rounded corner crosses labels.
                    points.push(Point::new(x, band.top - STRAIGHT_BEYOND_LAYER));
                    points.push(Point::new(x, band.bottom + STRAIGHT_BEYOND_LAYER));
                    is_fixed.extend([is_middle || is_first, is_middle || is_last]);
                } else {
                    points.push(Point::new(x, band.middle));
                    is_fixed.push(is_middle || is_first || is_last);
                }
            }
            points.push(centres[lower]);
            is_fixed.push(true);
            let mut straight = straighten(&points, &is_fixed, &obstacles);
            straight.pop();
            straight.remove(0);
            if !forward[index] {
                straight.reverse();
            }
            bends.push(straight);
            let room = self.boxes[chain[*labelled]];
            label_corners.push(
                (room.height() > 0.0).then(|| self.label_box(point_of(chain[*labelled]), room).corner()),
            );
        }
        LayeredDrawing { centres, bends, label_corners }
    }

    /// Returns the obstacles for lines: nodes with their labels, and labels of edges.
    fn obstacles(&self, point_of: &dyn Fn(usize) -> Point) -> Obstacles {
        let solids: Vec<Rectangle> = self
            .boxes
            .iter()
            .enumerate()
            .filter(|(_, room)| room.height() > 0.0)
            .map(|(item, room)| {
                let is_node = item < self.node_count;
                if is_node { room.moved(point_of(item)) } else { self.label_box(point_of(item), *room) }
            })
            .collect();
        let bounds = solids.iter().copied().reduce(Rectangle::union).unwrap_or_default();
        let mut obstacles = Obstacles::new(bounds);
        for solid in solids {
            checkpoint();
            obstacles.add_solid(solid.grown(CLEARANCE));
        }
        obstacles
    }

    /// Returns the box of the labels in the room of a virtual item, next to the line of its edge.
    fn label_box(&self, point: Point, room: Rectangle) -> Rectangle {
        let is_at_left = room.left < -room.right;
        let mut labels = room;
        if is_at_left {
            labels.right = -self.label_distance;
        } else {
            labels.left = self.label_distance;
        }
        labels.moved(point)
    }
}

/// The vertical extent of a layer.
#[derive(Clone, Copy)]
struct Band {
    top: f64,
    middle: f64,
    bottom: f64,
}

fn remember_places(layer: &[usize], place: &mut [usize]) {
    for (index, &item) in layer.iter().enumerate() {
        place[item] = index;
    }
}

/// A deterministic source of pseudo-random permutations (Marsaglia 2003, "Xorshift RNGs").
struct Shuffler(u64);

impl Default for Shuffler {
    fn default() -> Shuffler {
        Shuffler(0x2545_f491_4f6c_dd1d)
    }
}

impl Shuffler {
    fn shuffle(&mut self, items: &mut [usize]) {
        for last in (1..items.len()).rev() {
            self.0 ^= self.0 << 13;
            self.0 ^= self.0 >> 7;
            self.0 ^= self.0 << 17;
            items.swap(last, (self.0 % (last as u64 + 1)) as usize);
        }
    }
}

/// Counts inversions with a binary indexed tree (Fenwick 1994).
fn count_inversions(values: &[usize]) -> usize {
    let size = values.iter().max().map_or(0, |greatest| greatest + 1);
    let mut tree = vec![0_usize; size + 1];
    let mut inversions = 0;
    for (seen, &value) in values.iter().enumerate() {
        let mut not_greater = 0;
        let mut index = value + 1;
        while index > 0 {
            not_greater += tree[index];
            index &= index - 1;
        }
        inversions += seen - not_greater;
        let mut index = value + 1;
        while index <= size {
            tree[index] += 1;
            index += index & index.wrapping_neg();
        }
    }
    inversions
}

/// Computes the positions nearest to the wanted positions, by weighted least squares, with a least gap between
/// neighbours.
fn nearest_with_gaps(wanted: &[f64], weights: &[f64], gaps: &[f64]) -> Vec<f64> {
    // After subtracting the gaps, positions must only be monotone, which is isotonic regression.
    let mut offsets = Vec::with_capacity(wanted.len());
    let mut offset = 0.0;
    for index in 0..wanted.len() {
        if index > 0 {
            offset += gaps[index - 1];
        }
        offsets.push(offset);
    }
    struct Block {
        sum: f64,
        weight: f64,
        count: usize,
    }
    let mean = |block: &Block| block.sum / block.weight;
    let mut blocks: Vec<Block> = Vec::new();
    for (index, (&place, &weight)) in wanted.iter().zip(weights).enumerate() {
        let mut block = Block { sum: (place - offsets[index]) * weight, weight, count: 1 };
        while let Some(previous) = blocks.pop_if(|previous| mean(previous) > mean(&block)) {
            block.sum += previous.sum;
            block.weight += previous.weight;
            block.count += previous.count;
        }
        blocks.push(block);
    }
    let places = blocks.iter().flat_map(|block| std::iter::repeat_n(mean(block), block.count));
    places.zip(&offsets).map(|(place, offset)| place + offset).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn graph(count: usize, edges: &[(usize, usize)]) -> LayeredGraph {
        let room = Rectangle { left: -10.0, top: -10.0, right: 10.0, bottom: 10.0 };
        LayeredGraph {
            label_distance: 6.0,
            boxes: vec![room; count],
            edges: edges
                .iter()
                .map(|&(source, target)| LayeredEdge { source, target, label_size: Point::new(40.0, 15.0) })
                .collect(),
            is_initial: (0..count).map(|node| node == 0).collect(),
        }
    }

    #[test]
    fn cycle_has_initial_node_at_top() {
        let drawing = draw_layered(&graph(3, &[(2, 0), (0, 1), (1, 2)]));
        let y: Vec<f64> = drawing.centres.iter().map(|centre| centre.y).collect();
        assert!(y[0] < y[1] && y[1] < y[2], "{y:?}");
        // The edge back is longer and has bends, from source to target.
        let back = &drawing.bends[0];
        assert!(back.first().unwrap().y > back.last().unwrap().y);
    }

    #[test]
    fn parallel_edges_are_apart() {
        let drawing = draw_layered(&graph(2, &[(0, 1), (0, 1), (1, 0)]));
        let mut x: Vec<f64> = drawing.bends.iter().map(|bends| bends[0].x).collect();
        x.sort_by(f64::total_cmp);
        assert!(x[1] - x[0] > HORIZONTAL_GAP && x[2] - x[1] > HORIZONTAL_GAP, "{x:?}");
    }

    #[test]
    fn avoidable_crossings_are_removed() {
        let graph = graph(6, &[(0, 1), (0, 2), (1, 5), (2, 4), (0, 3), (3, 5)]);
        let (forward, order) = break_cycles(&graph);
        let ranks = assign_ranks(&graph, &forward, &order);
        let mut items = Items::new(&graph, &forward, &ranks, &order);
        items.reduce_crossings();
        let mut place = vec![0; items.boxes.len()];
        for layer in &items.layers {
            remember_places(layer, &mut place);
        }
        assert_eq!(items.count_crossings(&place), 0);
    }

    #[test]
    fn inversions_agree_with_naive_count() {
        let values = [3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5];
        let slow = (0..values.len())
            .flat_map(|left| (left + 1..values.len()).map(move |right| (left, right)))
            .filter(|&(left, right)| values[left] > values[right])
            .count();
        assert_eq!(count_inversions(&values), slow);
        assert_eq!(count_inversions(&[]), 0);
    }

    #[test]
    fn nearest_positions_keep_gaps() {
        assert_eq!(nearest_with_gaps(&[0.0, 0.0], &[1.0, 1.0], &[10.0]), [-5.0, 5.0]);
        assert_eq!(nearest_with_gaps(&[0.0, 50.0], &[1.0, 1.0], &[10.0]), [0.0, 50.0]);
        assert_eq!(nearest_with_gaps(&[], &[], &[]), Vec::<f64>::new());
    }
}
