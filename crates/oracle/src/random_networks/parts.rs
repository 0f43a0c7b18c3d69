//! The network itself: declarations, processes, vectors, the system line.
//!
//! Invariant: everything in the text is recorded, so that queries only use existing names.

use std::fmt::Write;

use super::Knobs;
use super::random::Random;

/// The parts of a network, and its text.
pub(super) struct Parts {
    pub(super) text: String,
    pub(super) clocks: Vec<Clock>,
    /// The number of locations of each process; they are called `L0`, `L1` and so on.
    pub(super) locations: Vec<usize>,
    pub(super) greatest_constant: i64,
    /// Whether queries may compare clock differences.
    pub(super) has_differences: bool,
}

/// A clock, of all processes or of one.
pub(super) struct Clock {
    pub(super) name: String,
    pub(super) owner: Option<usize>,
}

impl Clock {
    /// Returns its name in queries.
    pub(super) fn qualified(&self) -> String {
        match self.owner {
            Some(process) => format!("P{process}.{}", self.name),
            None => self.name.clone(),
        }
    }
}

/// A channel; `size` is set for an array.
struct Channel {
    name: &'static str,
    is_urgent: bool,
    is_broadcast: bool,
    size: Option<usize>,
}

/// The state of the generator.
struct Draft<'random> {
    random: &'random mut Random,
    knobs: &'random Knobs,
    clocks: Vec<Clock>,
    channels: Vec<Channel>,
    has_function: bool,
    has_events: bool,
    /// Processes with the events of their edges.
    events: Vec<(usize, usize)>,
    greatest_constant: i64,
    process_count: usize,
    text: String,
}

/// Events are called `e0` and `e1`.
const EVENT_COUNT: usize = 2;

impl Parts {
    pub(super) fn draw(random: &mut Random, knobs: &Knobs) -> Parts {
        let process_count = random.within(&knobs.processes);
        let clock_count = random.within(&knobs.clocks);
        // The number of regions grows quickly with clocks and constants.
        let greatest_constant = (knobs.greatest_constant - i64::from(clock_count > 2)).max(1);
        let mut draft = Draft {
            clocks: Vec::new(),
            channels: Vec::new(),
            has_function: knobs.has_functions && random.chance(30),
            has_events: knobs.has_vectors && process_count > 1 && random.chance(25),
            events: Vec::new(),
            greatest_constant,
            process_count,
            text: String::new(),
            random,
            knobs,
        };
        draft.declarations(clock_count);
        let locations: Vec<usize> = (0..process_count).map(|process| draft.process(process)).collect();
        draft.vectors();
        draft.system_line();
        let (text, clocks) = (draft.text, draft.clocks);
        Parts { text, clocks, locations, greatest_constant, has_differences: knobs.has_differences }
    }
}

impl Draft<'_> {
    fn line(&mut self, depth: usize, line: &str) {
        let _ = writeln!(self.text, "{:indent$}{line}", "", indent = depth * 4);
    }

    fn declarations(&mut self, clock_count: usize) {
        for number in 0..clock_count {
            let is_local = self.random.chance(30);
            let owner = is_local.then(|| self.random.below(self.process_count));
            self.clocks.push(Clock { name: format!("x{number}"), owner });
        }
        let shared: Vec<String> = self
            .clocks
            .iter()
            .filter(|clock| clock.owner.is_none())
            .map(|clock| clock.name.clone())
            .collect();
        if !shared.is_empty() {
            self.line(0, &format!("clock {};", shared.join(", ")));
        }
        self.line(0, "int[0,2] n;");
        self.line(0, "bool flag;");
        if self.knobs.has_templates {
            self.line(0, "bool cells[2];");
            self.line(0, "int[0,2] count(bool wanted) {");
            self.line(1, "int[0,2] result = 0;");
            self.line(1, "for (i : int[0,1]) if (cells[i] == wanted) result++;");
            self.line(1, "return result;");
            self.line(0, "}");
        }
        let kinds: [(&str, &str, bool, bool); 4] = [
            ("meet", "", false, false),
            ("hurry", "urgent ", true, false),
            ("tell", "broadcast ", false, true),
            ("alarm", "urgent broadcast ", true, true),
        ];
        for (name, prefix, is_urgent, is_broadcast) in kinds {
            if self.random.chance(if is_urgent { 35 } else { 60 }) {
                let size = self.random.chance(25).then_some(2);
                self.channels.push(Channel { name, is_urgent, is_broadcast, size });
                let dimension = size.map_or(String::new(), |size| format!("[{size}]"));
                self.line(0, &format!("{prefix}chan {name}{dimension};"));
            }
        }
        if self.knobs.has_priorities && !self.channels.is_empty() && self.random.chance(15) {
            let mut levels: Vec<String> =
                self.channels.iter().map(|channel| channel.name.to_owned()).collect();
            levels.insert(self.random.below(levels.len() + 1), "default".to_owned());
            self.line(0, &format!("chan priority {};", levels.join(" < ")));
        }
        if self.has_function {
            self.line(0, "int[0,2] next(int[0,2] value) {");
            self.line(1, "if (value == 2) return 0;");
            self.line(1, "return value + 1;");
            self.line(0, "}");
        }
    }

    /// Writes a process and returns the number of its locations.
    fn process(&mut self, process: usize) -> usize {
        let location_count = self.random.within(&self.knobs.locations).max(1);
        self.text.push('\n');
        if self.knobs.has_templates {
            self.line(0, &format!("process T{process}(const int[0,1] low, const int[0,2] high) {{"));
        } else {
            self.line(0, &format!("process P{process} {{"));
        }
        let own: Vec<String> = self
            .clocks
            .iter()
            .filter(|clock| clock.owner == Some(process))
            .map(|clock| clock.name.clone())
            .collect();
        if !own.is_empty() {
            self.line(1, &format!("clock {};", own.join(", ")));
        }
        let labelled = self.random.below(location_count);
        for location in 0..location_count {
            self.location(process, location, location == labelled);
        }
        // One edge into each location, so that most of them are reachable.
        for target in 1..location_count {
            let source = self.random.below(target);
            self.edge(process, source, target);
        }
        for _ in 0..self.random.within(&self.knobs.extra_edges) {
            let (source, target) = (self.random.below(location_count), self.random.below(location_count));
            self.edge(process, source, target);
        }
        self.line(0, "}");
        if self.knobs.has_templates {
            let (low, high) = (self.random.below(2), self.random.below(3));
            self.line(0, &format!("Q{process}(const int[0,2] high) = T{process}({low}, high);"));
            self.line(0, &format!("P{process} = Q{process}({high});"));
        }
        location_count
    }

    fn location(&mut self, process: usize, location: usize, is_labelled: bool) {
        let initial = if location == 0 { "init " } else { "" };
        let kind = match self.random.below(100) {
            0..8 if location > 0 => "urgent ",
            8..13 if location > 0 => "committed ",
            _ => "",
        };
        let mut items = String::new();
        let mut invariant = Vec::new();
        if kind.is_empty() && self.random.chance(30) {
            let clock = self.clock(process);
            let (comparison, least) =
                if self.random.chance(30) { ("<", 1) } else { ("<=", i64::from(location == 0)) };
            if let Some(clock) = clock {
                let bound = self.bound(least);
                invariant.push(format!("{clock} {comparison} {bound}"));
            }
        }
        if self.knobs.has_data_invariants && self.random.chance(25) {
            // All of them hold initially.
            invariant.extend(self.random.pick(&["n == 0", "n < 2", "!flag"]).map(|&part| part.to_owned()));
        }
        if !invariant.is_empty() {
            let _ = write!(items, " invariant {};", invariant.join(" && "));
        }
        if is_labelled {
            items.push_str(" labels seen;");
        }
        let block = if items.is_empty() { ";".to_owned() } else { format!(" {{{items} }}") };
        self.line(1, &format!("{initial}{kind}location L{location}{block}"));
    }

    fn edge(&mut self, process: usize, source: usize, target: usize) {
        let mut items: Vec<String> = Vec::new();
        let has_select = self.random.chance(15);
        if has_select {
            items.push("select i : int[0,1]".to_owned());
        }
        let mut may_watch_clocks = true;
        let mut synchronisation = None;
        if self.random.chance(45) && !self.channels.is_empty() {
            let number = self.random.below(self.channels.len());
            let is_sender = self.random.chance(50);
            let channel = &self.channels[number];
            let index = match channel.size {
                None => String::new(),
                Some(_) if has_select => "[i]".to_owned(),
                Some(size) => format!("[{}]", self.random.below(size)),
            };
            let role = if is_sender { "!" } else { "?" };
            may_watch_clocks = (!channel.is_urgent || self.knobs.has_urgent_guards)
                && (!channel.is_broadcast || is_sender || self.knobs.has_receiver_guards);
            synchronisation = Some(format!("sync {}{index}{role}", channel.name));
        } else if self.has_events && self.random.chance(50) {
            let event = self.random.below(EVENT_COUNT);
            self.events.push((process, event));
            synchronisation = Some(format!("event e{event}"));
        }
        let guard = self.guard(process, may_watch_clocks, has_select);
        if !guard.is_empty() {
            items.push(format!("guard {}", guard.join(" && ")));
        }
        items.extend(synchronisation);
        let updates = self.updates(process, has_select);
        if !updates.is_empty() {
            items.push(format!("do {}", updates.join(", ")));
        }
        let is_branching = self.knobs.has_templates && self.random.chance(20);
        let updates = if is_branching { items.pop_if(|item| item.starts_with("do ")) } else { None };
        let block = items.iter().fold(String::new(), |block, item| block + item + "; ");
        if is_branching {
            let updates = updates.map_or(String::new(), |updates| format!(" {{ {updates}; }}"));
            let other = if self.random.chance(50) { "L0" } else { "L1 { do flag = !flag; }" };
            let end = if other.ends_with('}') { "" } else { ";" };
            let first = if updates.is_empty() { ";" } else { &updates };
            self.line(
                1,
                &format!("L{source} {{ {block}}} -> {{ weight 1: L{target}{first} weight 2: {other}{end} }}"),
            );
        } else {
            self.line(1, &format!("L{source} -> L{target} {{ {block}}}"));
        }
    }

    fn guard(&mut self, process: usize, may_watch_clocks: bool, has_select: bool) -> Vec<String> {
        let mut guard = Vec::new();
        if self.random.chance(15) {
            let conditions = ["n == 0", "n < 2", "n >= 1", "flag", "!flag"];
            guard.extend(self.random.pick(&conditions).map(|condition| (*condition).to_owned()));
        }
        if has_select && self.random.chance(50) {
            guard.push("i != n".to_owned());
        }
        if self.knobs.has_templates && self.random.chance(20) {
            let conditions = ["n >= low", "n <= high", "cells[0]", "!cells[low]", "count(flag) > 0"];
            guard.extend(self.random.pick(&conditions).map(|condition| (*condition).to_owned()));
        }
        if !may_watch_clocks {
            return guard;
        }
        for _ in 0..2 {
            if self.random.chance(35)
                && let Some(clock) = self.clock(process)
            {
                let comparisons = [("<", 1), ("<=", 0), ("==", 0), (">=", 1), (">=", 1), (">", 0)];
                if let Some(&(comparison, least)) = self.random.pick(&comparisons) {
                    let bound = self.bound(least);
                    guard.push(format!("{clock} {comparison} {bound}"));
                }
            }
        }
        if self.knobs.has_differences
            && self.random.chance(25)
            && let (Some(left), Some(right)) = (self.clock(process), self.clock(process))
            && left != right
        {
            let comparison = *self.random.pick(&["<", "<=", "==", ">=", ">"]).unwrap_or(&"<=");
            let bound = self.bound(0);
            guard.push(format!("{left} - {right} {comparison} {bound}"));
        }
        guard
    }

    fn updates(&mut self, process: usize, has_select: bool) -> Vec<String> {
        let mut updates = Vec::new();
        for clock in self.clocks_of(process) {
            if self.random.chance(35) {
                let other = self.clock(process).filter(|other| *other != clock);
                updates.push(match (self.random.below(100), other) {
                    (0..8, Some(other)) if self.knobs.has_copies => format!("{clock} = {other}"),
                    (8..22, _) => format!("{clock} = {}", self.bound(1)),
                    _ => format!("{clock} = 0"),
                });
            }
        }
        if self.random.chance(30) {
            updates.push(match self.random.below(5) {
                0 if self.has_function => "n = next(n)".to_owned(),
                0 | 1 => "n = (n + 1) % 3".to_owned(),
                2 => "flag = !flag".to_owned(),
                3 => "flag = n == 1".to_owned(),
                _ => "n = 0".to_owned(),
            });
        }
        if has_select && self.random.chance(50) {
            updates.push("n = i".to_owned());
        }
        if self.knobs.has_templates && self.random.chance(25) {
            let choices = ["cells[low] = !cells[low]", "cells[1] = flag", "n = count(true)", "n = high"];
            updates.extend(self.random.pick(&choices).map(|update| (*update).to_owned()));
        }
        if self.knobs.has_runtime_errors && self.random.chance(15) {
            updates.push("n++".to_owned());
        }
        updates
    }

    fn vectors(&mut self) {
        self.text.push('\n');
        let used: Vec<(usize, usize)> = self.events.clone();
        for _ in 0..2 {
            let mut participants: Vec<(usize, String)> = Vec::new();
            for process in 0..self.process_count {
                let own: Vec<(usize, usize)> =
                    used.iter().copied().filter(|use_| use_.0 == process).collect();
                if let Some(&(_, event)) = self.random.pick(&own)
                    && self.random.chance(75)
                {
                    let weak = if self.random.chance(40) { "?" } else { "" };
                    participants.push((process, format!("P{process}@e{event}{weak}")));
                }
            }
            if participants.len() > 1 {
                let names: Vec<String> = participants.into_iter().map(|(_, name)| name).collect();
                self.line(0, &format!("vector {};", names.join(", ")));
            }
        }
    }

    fn system_line(&mut self) {
        let has_levels = self.knobs.has_priorities && self.random.chance(12);
        let separator = if has_levels { " < " } else { ", " };
        let names: Vec<String> = (0..self.process_count).map(|process| format!("P{process}")).collect();
        self.line(0, &format!("system {};", names.join(separator)));
    }

    fn clocks_of(&self, process: usize) -> Vec<String> {
        let can_see = |clock: &&Clock| clock.owner.is_none_or(|owner| owner == process);
        self.clocks.iter().filter(can_see).map(|clock| clock.name.clone()).collect()
    }

    fn clock(&mut self, process: usize) -> Option<String> {
        let clocks = self.clocks_of(process);
        self.random.pick(&clocks).cloned()
    }

    /// Returns a clock bound or reset value: a number, or an expression over data.
    fn bound(&mut self, least: i64) -> String {
        let computed: &[&str] =
            if least == 0 { &["n", "n + 1", "flag + 1", "2 - n"] } else { &["n + 1", "flag + 1", "3 - n"] };
        if self.knobs.has_templates && self.random.chance(15) {
            return if least == 0 { "high" } else { "low + 1" }.to_owned();
        }
        if self.knobs.has_computed_bounds && self.random.chance(20) {
            return (*self.random.pick(computed).unwrap_or(&"1")).to_owned();
        }
        self.constant(least).to_string()
    }

    fn constant(&mut self, least: i64) -> i64 {
        let count = (self.greatest_constant - least + 1).max(1) as usize;
        least + self.random.below(count) as i64
    }
}
