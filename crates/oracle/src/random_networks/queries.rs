//! Queries about a random network, one of each kind.
//!
//! Invariant: there is one query per topic, in the order of [`QueryTopic::ALL`].

use std::fmt::Write;

use super::parts::{Clock, Parts};
use super::random::Random;

/// The kind of a query of a random network.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum QueryTopic {
    /// `E<> p`.
    Possibly,
    /// `A[] p`.
    Always,
    /// `A<> p`.
    Eventually,
    /// `E[] p`.
    PotentiallyAlways,
    /// `p --> q`.
    LeadsTo,
    /// `p -->[<=T] q`.
    Response,
    /// `A[] (p imply E<> q)`.
    AlwaysPossibly,
    /// `A[] (deadlock imply p)`.
    Deadlock,
    /// `buchi: label`.
    Recurrence,
    /// `sup{p}: x`.
    GreatestClock,
    /// `inf{p}: x`.
    LeastClock,
    /// `sup{p}: n`.
    GreatestData,
    /// `mintime: p`.
    EarliestTime,
    /// `maxtime: p`.
    LatestTime,
    /// `A<> (deadlock || p)`.
    EventuallyDeadlock,
    /// `E[] !(deadlock || p)`.
    AlwaysMoving,
    /// `p --> (deadlock || q)`.
    LeadsToDeadlock,
    /// `A[] (p imply E<> (deadlock && q))`.
    AlwaysPossiblyDeadlock,
    /// `sup{deadlock}: x`.
    GreatestDeadlocked,
    /// `bounds{p}: x`.
    AllOfClock,
    /// `bounds{p}: n`.
    AllOfData,
    /// `E<> (p || deadlock)`, or a more complex formula with `deadlock`.
    PossiblyOrDeadlock,
    /// `A[] (p && !deadlock)`, or a more complex formula with `deadlock`.
    AlwaysAndMoving,
    /// `E<> q`, where `deadlock` occurs somewhere in `q`, in any polarity.
    DeadlockInside,
}

impl QueryTopic {
    /// All topics, in the order of the queries of a random network.
    pub const ALL: [QueryTopic; 24] = [
        QueryTopic::Possibly,
        QueryTopic::Always,
        QueryTopic::Eventually,
        QueryTopic::PotentiallyAlways,
        QueryTopic::LeadsTo,
        QueryTopic::Response,
        QueryTopic::AlwaysPossibly,
        QueryTopic::Deadlock,
        QueryTopic::Recurrence,
        QueryTopic::GreatestClock,
        QueryTopic::LeastClock,
        QueryTopic::GreatestData,
        QueryTopic::EarliestTime,
        QueryTopic::LatestTime,
        QueryTopic::EventuallyDeadlock,
        QueryTopic::AlwaysMoving,
        QueryTopic::LeadsToDeadlock,
        QueryTopic::AlwaysPossiblyDeadlock,
        QueryTopic::GreatestDeadlocked,
        QueryTopic::AllOfClock,
        QueryTopic::AllOfData,
        QueryTopic::PossiblyOrDeadlock,
        QueryTopic::AlwaysAndMoving,
        QueryTopic::DeadlockInside,
    ];

    /// Returns whether the answer is a truth value.
    pub fn is_formula(self) -> bool {
        !matches!(
            self,
            QueryTopic::GreatestClock
                | QueryTopic::LeastClock
                | QueryTopic::GreatestData
                | QueryTopic::EarliestTime
                | QueryTopic::LatestTime
                | QueryTopic::GreatestDeadlocked
                | QueryTopic::AllOfClock
                | QueryTopic::AllOfData
        )
    }
}

/// Renders the queries as lines of text.
pub(super) fn draw(random: &mut Random, parts: &Parts) -> String {
    let mut draft = Draft { random, parts };
    let mut text = String::new();
    for topic in QueryTopic::ALL {
        let query = draft.query(topic);
        let _ = writeln!(text, "query {query};");
    }
    text
}

struct Draft<'random> {
    random: &'random mut Random,
    parts: &'random Parts,
}

impl Draft<'_> {
    fn query(&mut self, topic: QueryTopic) -> String {
        match topic {
            QueryTopic::Possibly => format!("E<> {}", self.conjunction()),
            QueryTopic::Always => format!("A[] !({})", self.conjunction()),
            QueryTopic::Eventually => format!("A<> {}", self.disjunction()),
            QueryTopic::PotentiallyAlways => format!("E[] !({})", self.disjunction()),
            QueryTopic::LeadsTo => format!("{} --> {}", self.conjunction(), self.disjunction()),
            QueryTopic::Response => {
                let deadline = self.random.below(self.parts.greatest_constant as usize);
                format!("{} -->[<={deadline}] {}", self.location(), self.atom())
            }
            QueryTopic::AlwaysPossibly => format!("A[] ({} imply E<> {})", self.atom(), self.atom()),
            QueryTopic::Deadlock => format!("A[] (deadlock imply {})", self.disjunction()),
            QueryTopic::Recurrence => "buchi: seen".to_owned(),
            QueryTopic::GreatestClock => format!("sup{{{}}}: {}", self.conjunction(), self.clock()),
            QueryTopic::LeastClock => format!("inf{{{}}}: {}", self.conjunction(), self.clock()),
            QueryTopic::GreatestData => format!("sup{{{}}}: n + flag", self.conjunction()),
            QueryTopic::EarliestTime => format!("mintime: {}", self.conjunction()),
            QueryTopic::LatestTime => format!("maxtime: {}", self.conjunction()),
            QueryTopic::EventuallyDeadlock => format!("A<> (deadlock || {})", self.atom()),
            QueryTopic::AlwaysMoving => format!("E[] !(deadlock || {})", self.atom()),
            QueryTopic::LeadsToDeadlock => format!("{} --> (deadlock || {})", self.location(), self.atom()),
            QueryTopic::AlwaysPossiblyDeadlock => {
                format!("A[] ({} imply E<> (deadlock && !({})))", self.location(), self.atom())
            }
            QueryTopic::GreatestDeadlocked => format!("sup{{deadlock}}: {}", self.clock()),
            QueryTopic::AllOfClock => format!("bounds{{{}}}: {}", self.conjunction(), self.clock()),
            QueryTopic::AllOfData => format!("bounds{{{}}}: n + flag", self.conjunction()),
            QueryTopic::PossiblyOrDeadlock => format!("E<> ({} || {})", self.conjunction(), self.deadlock()),
            QueryTopic::AlwaysAndMoving => {
                format!("A[] (!({}) && !{})", self.conjunction(), self.deadlock())
            }
            QueryTopic::DeadlockInside => format!("E<> {}", self.with_deadlock()),
        }
    }

    /// Most networks have some deadlock, so most queries also restrict its state.
    fn deadlock(&mut self) -> String {
        if self.random.chance(35) {
            "deadlock".to_owned()
        } else {
            format!("(deadlock && {})", self.conjunction())
        }
    }

    fn with_deadlock(&mut self) -> String {
        let (first, second) = (self.conjunction(), self.atom());
        match self.random.below(9) {
            0 => format!("({first} && !deadlock)"),
            1 => format!("({first} && (deadlock || {second}))"),
            2 => format!("(({first}) || deadlock && {second})"),
            3 => format!("({first} && (deadlock imply {second}))"),
            4 => format!("({first} && !(deadlock && {second}))"),
            5 => format!("({first} && exists (i : int[0,2]) (n == i && deadlock))"),
            6 => format!("(forall (i : int[0,2]) (n == i || deadlock || {first}))"),
            7 => format!("(flag ? ({first} || deadlock) : (deadlock && {second}))"),
            _ => format!("(({second}) && (deadlock && ({first}) || !deadlock && !({first})))"),
        }
    }

    fn conjunction(&mut self) -> String {
        let location = self.location();
        if self.random.chance(25) { location } else { format!("{location} && {}", self.atom()) }
    }

    fn disjunction(&mut self) -> String {
        let first = self.atom();
        if self.random.chance(40) { format!("({first} || {})", self.atom()) } else { first }
    }

    fn atom(&mut self) -> String {
        match self.random.below(100) {
            0..45 => self.location(),
            45..85 => {
                let comparison = *self.random.pick(&["<", "<=", "==", ">=", ">"]).unwrap_or(&">=");
                let clock = self.clock();
                let bound = self.random.below(self.parts.greatest_constant as usize + 1);
                format!("{clock} {comparison} {bound}")
            }
            _ => {
                let conditions = ["n == 0", "n == 1", "n == 2", "flag", "!flag"];
                (*self.random.pick(&conditions).unwrap_or(&"flag")).to_owned()
            }
        }
    }

    /// Rarely returns the initial location, since queries about it are often trivial.
    fn location(&mut self) -> String {
        let process = self.random.below(self.parts.locations.len());
        let count = self.parts.locations[process];
        let location =
            if self.random.chance(15) { 0 } else { 1 + self.random.below(count.saturating_sub(1)) };
        format!("P{process}.L{}", location.min(count - 1))
    }

    fn clock(&mut self) -> String {
        self.random.pick(&self.parts.clocks).map_or_else(String::new, Clock::qualified)
    }
}
