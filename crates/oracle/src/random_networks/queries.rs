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
    /// `E<> p` with an arbitrary Boolean combination `p`.
    AnyPossibly,
    /// `A[] p` with an arbitrary Boolean combination `p`.
    AnyAlways,
    /// `A<> p` with an arbitrary Boolean combination `p`.
    AnyEventually,
    /// `E[] p` with an arbitrary Boolean combination `p`.
    AnyPotentiallyAlways,
    /// `p --> q` with arbitrary Boolean combinations.
    AnyLeadsTo,
    /// `A[] (p imply E<> q)` with arbitrary Boolean combinations.
    AnyAlwaysPossibly,
    /// `sup{p}: …` of several expressions, with an arbitrary Boolean combination `p`.
    SeveralGreatest,
    /// `inf{p}: …` of several expressions, with an arbitrary Boolean combination `p`.
    SeveralLeast,
    /// `bounds{p}: …` of several expressions, with an arbitrary Boolean combination `p`.
    SeveralBounds,
}

impl QueryTopic {
    /// All topics, in the order of the queries of a random network.
    pub const ALL: [QueryTopic; 33] = [
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
        QueryTopic::AnyPossibly,
        QueryTopic::AnyAlways,
        QueryTopic::AnyEventually,
        QueryTopic::AnyPotentiallyAlways,
        QueryTopic::AnyLeadsTo,
        QueryTopic::AnyAlwaysPossibly,
        QueryTopic::SeveralGreatest,
        QueryTopic::SeveralLeast,
        QueryTopic::SeveralBounds,
    ];

    /// The topics with arbitrary Boolean combinations whose answers are truth values.
    pub const ANY_FORMULA: [QueryTopic; 6] = [
        QueryTopic::AnyPossibly,
        QueryTopic::AnyAlways,
        QueryTopic::AnyEventually,
        QueryTopic::AnyPotentiallyAlways,
        QueryTopic::AnyLeadsTo,
        QueryTopic::AnyAlwaysPossibly,
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
                | QueryTopic::SeveralGreatest
                | QueryTopic::SeveralLeast
                | QueryTopic::SeveralBounds
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
            // A conjunct and a disjunct make both verdicts frequent.
            QueryTopic::AnyPossibly => format!("E<> ({} && {})", self.location(), self.combination(3)),
            QueryTopic::AnyAlways => format!("A[] (!{} || {})", self.location(), self.combination(3)),
            QueryTopic::AnyEventually => format!("A<> {}", self.combination(3)),
            QueryTopic::AnyPotentiallyAlways => format!("E[] {}", self.combination(3)),
            QueryTopic::AnyLeadsTo => {
                format!("({} && {}) --> {}", self.location(), self.combination(1), self.combination(3))
            }
            QueryTopic::AnyAlwaysPossibly => {
                format!("A[] ({} imply E<> {})", self.combination(2), self.combination(2))
            }
            QueryTopic::SeveralGreatest => self.values("sup"),
            QueryTopic::SeveralLeast => self.values("inf"),
            QueryTopic::SeveralBounds => self.values("bounds"),
        }
    }

    /// Returns a query about two or three expressions, of which at least one is a clock.
    fn values(&mut self, operator: &str) -> String {
        let mut expressions = vec![self.clock()];
        for _ in 0..=self.random.below(2) {
            let other = if self.random.chance(50) { self.clock() } else { "n + flag".to_owned() };
            expressions.insert(self.random.below(expressions.len() + 1), other);
        }
        let predicate = if self.random.chance(30) { self.location() } else { self.combination(2) };
        format!("{operator}{{{predicate}}}: {}", expressions.join(", "))
    }

    /// Returns a Boolean combination of locations, clocks, clock differences, data and `deadlock`.
    fn combination(&mut self, depth: usize) -> String {
        if depth == 0 || self.random.chance(20) {
            return match self.random.below(100) {
                0..15 => "deadlock".to_owned(),
                15..25 => self.difference(),
                25..28 => (*self.random.pick(&["true", "false"]).unwrap_or(&"true")).to_owned(),
                _ => self.atom(),
            };
        }
        let (left, right) = (self.combination(depth - 1), self.combination(depth - 1));
        match self.random.below(100) {
            0..25 => format!("({left} && {right})"),
            25..50 => format!("({left} || {right})"),
            50..65 => format!("!({left})"),
            65..80 => format!("({left} imply {right})"),
            80..87 => format!("(flag ? {left} : {right})"),
            87..94 => format!("(forall (i : int[0,2]) (n != i || {left}))"),
            _ => format!("(exists (i : int[0,2]) (n == i && {left}))"),
        }
    }

    /// Returns a comparison of two clocks, or an atom if there is only one.
    fn difference(&mut self) -> String {
        let (left, right) = (self.clock(), self.clock());
        if left == right || !self.parts.has_differences {
            return self.atom();
        }
        let comparison = *self.random.pick(&["<", "<=", "==", ">=", ">"]).unwrap_or(&"<=");
        let bound = self.random.below(self.parts.greatest_constant as usize + 1);
        format!("{left} - {right} {comparison} {bound}")
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
