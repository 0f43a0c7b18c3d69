//! The unit of time: constants that need more than 32 bits are divided by their greatest common divisor.
//!
//! Invariant: a unit other than one is chosen only if every value with which a clock is compared, or to which it is
//! set, is a literal and a multiple of the unit. Timed automata whose constants are all divided by a common factor have
//! the same runs with all delays divided by it (Alur and Dill, "A theory of timed automata", 1994, section 4.1), so
//! verdicts are preserved.

use tempora_source::{Diagnostic, Files, Span};

use super::document::Document;
use super::expressions::Variables;
use super::tokens::{Token, TokenKind, tokens_of};
use crate::codes::tck::LARGE_UNIT_OF_TIME;

/// The number of time units of the file in one unit of the model.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Unit(i64);

impl Default for Unit {
    fn default() -> Unit {
        Unit(1)
    }
}

impl Unit {
    /// Converts units of the file to units of the model.
    pub(super) fn count(self, value: i64) -> i64 {
        value / self.0
    }
}

/// Returns a unit in which the constants of a file fit into 32 bits, with a warning; `None` if they fit unscaled or no
/// unit suffices.
pub(super) fn unit_of_time(
    files: &Files,
    document: &Document,
    variables: &Variables,
) -> Option<(Unit, Diagnostic)> {
    let mut divisor = 0;
    let mut first_large: Option<Span> = None;
    for attribute in document.declarations.iter().flat_map(|declaration| &declaration.attributes) {
        // Errors in the text are reported when it is parsed.
        let Ok(tokens) = tokens_of(files, attribute.value) else { continue };
        for atom in clock_atoms(&tokens, variables) {
            if !atom.is_plain {
                return None;
            }
            for position in atom.numbers {
                let TokenKind::Integer(digits) = tokens[position].kind else { continue };
                let value = digits.parse::<i64>().ok()?;
                divisor = common_divisor(divisor, value);
                if value > i64::from(i32::MAX) {
                    first_large.get_or_insert(tokens[position].span);
                }
            }
        }
    }
    let place = first_large?;
    if divisor <= 1 {
        return None;
    }
    let message = format!("times are counted in units of {divisor}, a divisor of every constant");
    let diagnostic = Diagnostic::warning(&LARGE_UNIT_OF_TIME, message)
        .with_primary(place, "this does not fit into 32 bits")
        .with_hint("queries and runs use this unit too");
    Some((Unit(divisor), diagnostic))
}

/// Returns the positions of the numbers with which clocks are compared or to which they are set.
pub(super) fn clock_constants(tokens: &[Token<'_>], variables: &Variables) -> Vec<usize> {
    clock_atoms(tokens, variables).into_iter().flat_map(|atom| atom.numbers).collect()
}

/// A comparison or an assignment with clocks.
struct ClockAtom {
    /// The positions of its numbers, except in indices.
    numbers: Vec<usize>,
    /// Whether it consists only of clocks, numbers, sums and differences.
    is_plain: bool,
}

fn clock_atoms(tokens: &[Token<'_>], variables: &Variables) -> Vec<ClockAtom> {
    let mut atoms = Vec::new();
    let mut atom = ClockAtom { numbers: Vec::new(), is_plain: true };
    let (mut has_clocks, mut brackets, mut parentheses) = (false, 0_u32, 0_u32);
    for (position, token) in tokens.iter().enumerate() {
        match token.kind {
            TokenKind::Sign("[") => brackets += 1,
            TokenKind::Sign("]") => brackets = brackets.saturating_sub(1),
            _ if brackets > 0 && token.kind != TokenKind::End => {}
            TokenKind::Sign("(") => parentheses += 1,
            TokenKind::Sign(")") => parentheses = parentheses.saturating_sub(1),
            TokenKind::Integer(_) => atom.numbers.push(position),
            TokenKind::Name(name) => match variables.table.get(name) {
                Some(variable) if variable.is_clock => has_clocks = true,
                _ => atom.is_plain = false,
            },
            TokenKind::Sign("*" | "/" | "%") => atom.is_plain = false,
            // A choice between numbers.
            TokenKind::Word(_) if parentheses > 0 => atom.is_plain = false,
            TokenKind::Sign("&&" | ";") | TokenKind::Word(_) | TokenKind::End if parentheses == 0 => {
                let ended = std::mem::replace(&mut atom, ClockAtom { numbers: Vec::new(), is_plain: true });
                if std::mem::take(&mut has_clocks) {
                    atoms.push(ended);
                }
            }
            TokenKind::Sign(_) | TokenKind::Word(_) | TokenKind::End => {}
        }
    }
    atoms
}

fn common_divisor(left: i64, right: i64) -> i64 {
    if right == 0 { left } else { common_divisor(right, left % right) }
}
