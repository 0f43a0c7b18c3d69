//! Formatting of zones and federations in the notation of timed models.
//!
//! Invariant: the text contains a minimal set of constraints.

use std::fmt::Write;

use crate::bound::Bound;
use crate::clock::Clock;
use crate::constraint::Constraint;
use crate::federation::Federation;
use crate::zone::Zone;

impl Zone {
    /// Formats the constraints, joined by `&&`, with the given clock names; `true` or `false` for the extreme zones.
    pub fn text(&self, name: impl Fn(Clock) -> String) -> String {
        if self.is_empty() {
            return "false".to_owned();
        }
        let constraints = self.minimal_constraints();
        let mut text = String::new();
        for &constraint in &constraints {
            let opposite = Constraint { left: constraint.right, right: constraint.left, ..constraint };
            let opposite_bound = self.bound(opposite.left, opposite.right);
            let is_equality =
                constraint.bound.is_weak() && constraint.bound.plus(opposite_bound) == Ok(Bound::LE_ZERO);
            let names_both =
                constraints.iter().any(|other| (other.left, other.right) == (opposite.left, opposite.right))
                    || opposite.left == Clock::REFERENCE && opposite_bound == Bound::LE_ZERO;
            if is_equality && names_both {
                // Printed once, by the constraint that bounds the later clock from above.
                if constraint.left > constraint.right {
                    join(&mut text, &equality(constraint, &name));
                }
            } else {
                join(&mut text, &constraint.text(&name));
            }
        }
        if text.is_empty() { "true".to_owned() } else { text }
    }
}

impl Federation {
    /// Formats the zones, joined by `||`.
    pub fn text(&self, name: impl Fn(Clock) -> String) -> String {
        match self.zones() {
            [] => "false".to_owned(),
            [zone] => zone.text(name),
            zones => {
                let texts: Vec<String> = zones.iter().map(|zone| format!("({})", zone.text(&name))).collect();
                texts.join(" || ")
            }
        }
    }
}

impl Constraint {
    /// Formats the constraint with the given clock names, such as `x >= 3` or `x - y < 2`.
    pub fn text(&self, name: impl Fn(Clock) -> String) -> String {
        let Some(constant) = self.bound.constant() else { return "true".to_owned() };
        let (at_most, at_least) = if self.bound.is_weak() { ("<=", ">=") } else { ("<", ">") };
        match (self.left, self.right) {
            (Clock::REFERENCE, Clock::REFERENCE) => (Bound::LE_ZERO <= self.bound).to_string(),
            (left, Clock::REFERENCE) => format!("{} {at_most} {constant}", name(left)),
            (Clock::REFERENCE, right) => format!("{} {at_least} {}", name(right), -constant),
            // A difference reads better with a positive constant.
            (left, right) if constant < 0 => {
                format!("{} - {} {at_least} {}", name(right), name(left), -constant)
            }
            (left, right) if constant == 0 => format!("{} {at_most} {}", name(left), name(right)),
            (left, right) => format!("{} - {} {at_most} {constant}", name(left), name(right)),
        }
    }
}

/// Formats `x == 3` or `y - x == 2`, for a weak constraint whose opposite holds as well.
fn equality(constraint: Constraint, name: impl Fn(Clock) -> String) -> String {
    let constant = constraint.bound.constant().unwrap_or(0);
    match (constraint.left, constraint.right) {
        (left, Clock::REFERENCE) => format!("{} == {constant}", name(left)),
        (left, right) if constant == 0 => format!("{} == {}", name(left), name(right)),
        (left, right) if constant < 0 => format!("{} - {} == {}", name(right), name(left), -constant),
        (left, right) => format!("{} - {} == {constant}", name(left), name(right)),
    }
}

fn join(text: &mut String, part: &str) {
    let separator = if text.is_empty() { "" } else { " && " };
    // Writing to a string does not fail.
    let _ = write!(text, "{separator}{part}");
}
