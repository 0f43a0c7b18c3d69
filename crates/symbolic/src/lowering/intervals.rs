//! Bounds of integer terms.
//!
//! Invariant: for all values of the cells within their ranges, the value of the term is within the bounds.

use std::collections::HashMap;

use tempora_smt::{Operator, SymbolId, Term, TermId, TermStore};

/// The bounds computed so far.
#[derive(Default)]
pub(super) struct Intervals {
    symbols: HashMap<SymbolId, (i64, i64)>,
    known: HashMap<TermId, Option<(i64, i64)>>,
}

impl Intervals {
    /// Sets the bounds of a symbol.
    pub(super) fn set(&mut self, symbol: SymbolId, least: i64, greatest: i64) {
        self.symbols.insert(symbol, (least, greatest));
    }

    /// Returns the least and the greatest possible value of a term; `None` if unknown.
    pub(super) fn of(&mut self, store: &TermStore, term: TermId) -> Option<(i64, i64)> {
        for part in store.parts(&[term], |part| self.known.contains_key(&part)) {
            let bounds = self.combine(store, part);
            self.known.insert(part, bounds);
        }
        self.known.get(&term).copied().flatten()
    }

    fn combine(&self, store: &TermStore, term: TermId) -> Option<(i64, i64)> {
        let of = |term: &TermId| self.known.get(term).copied().flatten();
        match store.term(term) {
            Term::Constant(tempora_smt::Value::Integer(value)) => {
                let value = value.to_i64()?;
                Some((value, value))
            }
            Term::Constant(_) => None,
            Term::Symbol(symbol) => self.symbols.get(symbol).copied(),
            Term::Apply(operator, arguments) => match (operator, &**arguments) {
                (Operator::Add, _) => arguments.iter().try_fold((0i64, 0i64), |sum, argument| {
                    let (least, greatest) = of(argument)?;
                    Some((sum.0.checked_add(least)?, sum.1.checked_add(greatest)?))
                }),
                (Operator::Multiply, _) => arguments.iter().try_fold((1i64, 1i64), |product, argument| {
                    let other = of(argument)?;
                    let corners = [
                        product.0.checked_mul(other.0)?,
                        product.0.checked_mul(other.1)?,
                        product.1.checked_mul(other.0)?,
                        product.1.checked_mul(other.1)?,
                    ];
                    Some((*corners.iter().min()?, *corners.iter().max()?))
                }),
                (Operator::IfThenElse, [_, then, otherwise]) => {
                    let (then, otherwise) = (of(then)?, of(otherwise)?);
                    Some((then.0.min(otherwise.0), then.1.max(otherwise.1)))
                }
                (Operator::DivideTruncated, [dividend, _]) => {
                    let (least, greatest) = of(dividend)?;
                    let most = least.checked_abs()?.max(greatest.checked_abs()?);
                    Some((-most, most))
                }
                (Operator::RemainderTruncated, [dividend, divisor]) => {
                    let ((least, greatest), divisor) = (of(dividend)?, of(divisor)?);
                    let most = divisor.0.checked_abs()?.max(divisor.1.checked_abs()?).checked_sub(1)?.max(0);
                    Some((if least < 0 { -most } else { 0 }, if greatest > 0 { most } else { 0 }))
                }
                _ => None,
            },
        }
    }
}
