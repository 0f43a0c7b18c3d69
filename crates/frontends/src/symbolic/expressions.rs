//! Lowers expressions to terms.
//!
//! Invariant: a term has the expected sort, or an error with its place is reported.

use num_bigint::BigInt;
use tempora_smt::{
    BigRational, BitOperator, BitVector, Float, FloatOperator, Integer, Operator, Rounding, Sort, TermId,
    Value, print_sort,
};
use tempora_source::{Diagnostic, Span};

use super::scope::Scope;
use super::trees::{ArithmeticOperator, BitOperation, ExpressionKind, ExpressionTree, Relation};
use crate::codes::symbolic::{NAME, TYPE};

/// The largest number of digits of a number.
pub(super) const LONGEST_NUMBER: usize = 1000;

impl Scope<'_> {
    /// Lowers a Boolean expression.
    pub(crate) fn boolean(&mut self, tree: &ExpressionTree) -> Option<TermId> {
        self.typed(tree, &Sort::Boolean)
    }

    /// Lowers an expression of the given sort.
    pub(crate) fn typed(&mut self, tree: &ExpressionTree, sort: &Sort) -> Option<TermId> {
        let term = self.term(tree, Some(sort))?;
        let found = self.store.sort(term).clone();
        if found == *sort {
            return Some(term);
        }
        if found == Sort::Integer && *sort == Sort::Real {
            return Some(self.store.simplified(&Operator::ToReal, &[term]));
        }
        let message =
            format!("this has type {}, but {} is expected", self.describe(&found), self.describe(sort));
        self.error(Diagnostic::error(&TYPE, message).with_primary(tree.span, ""));
        None
    }

    /// Describes a sort in messages.
    pub(crate) fn describe(&self, sort: &Sort) -> String {
        match sort {
            Sort::Boolean => "boolean".to_owned(),
            Sort::Integer => "integer".to_owned(),
            Sort::Real => "rational".to_owned(),
            Sort::BitVector(width) => format!("bv[{width}]"),
            Sort::Float(format) => format!("fp[{}:{}]", format.exponent_bits(), format.significand_bits()),
            Sort::Array(array) => {
                format!("[{}] -> {}", self.describe(&array.index), self.describe(&array.element))
            }
            Sort::Enumeration(_) => format!("`{}`", print_sort(&self.store, sort)),
        }
    }

    /// Reports a number of more digits than can be read in a short time.
    fn check_digits(&mut self, digits: usize, span: Span) -> Option<()> {
        if digits > LONGEST_NUMBER {
            let message = format!("the number has more than {LONGEST_NUMBER} digits");
            self.error(Diagnostic::error(&TYPE, message).with_primary(span, ""));
            return None;
        }
        Some(())
    }

    /// Lowers an expression; the expected sort resolves short names of literals.
    pub(crate) fn term(&mut self, tree: &ExpressionTree, expected: Option<&Sort>) -> Option<TermId> {
        match &tree.kind {
            ExpressionKind::Boolean(value) => Some(self.store.truth(*value)),
            ExpressionKind::Integer(digits) => {
                self.check_digits(digits.len(), tree.span)?;
                let number: Integer = digits.parse().ok()?;
                Some(self.store.constant(Value::Integer(number)))
            }
            ExpressionKind::Rational(numerator, denominator) => {
                self.check_digits(numerator.len().max(denominator.len()), tree.span)?;
                let (numerator, denominator): (BigInt, BigInt) =
                    (numerator.parse().ok()?, denominator.parse().ok()?);
                if denominator == BigInt::from(0) {
                    let diagnostic = Diagnostic::error(&TYPE, "the denominator of a number cannot be zero");
                    self.error(diagnostic.with_primary(tree.span, ""));
                    return None;
                }
                let value = Value::Real(Box::new(BigRational::new(numerator, denominator)));
                Some(self.store.constant(value))
            }
            ExpressionKind::Name(name) => self.name(name, tree.span, expected),
            ExpressionKind::Prime(inner) => {
                let ExpressionKind::Name(name) = &inner.kind else {
                    let diagnostic = Diagnostic::error(&TYPE, "only a variable has a next value");
                    self.error(diagnostic.with_primary(tree.span, ""));
                    return None;
                };
                let variable = self.need_variable(name, inner.span)?;
                match self.next.get(&variable) {
                    Some(next) => Some(self.store.symbol(self.variables[*next].symbol)),
                    None => {
                        let diagnostic = Diagnostic::error(&TYPE, "next values are not allowed here");
                        self.error(diagnostic.with_primary(tree.span, "").with_hint("remove the `'`"));
                        None
                    }
                }
            }
            ExpressionKind::Bits(width, number) => {
                let bits = BitVector::new(*width, number)?;
                Some(self.store.constant(Value::Bits(bits)))
            }
            ExpressionKind::Float(format, parts) => {
                let float = Float::from_parts(*format, false, &parts[0], &parts[1])?;
                Some(self.store.constant(Value::Float(Box::new(float))))
            }
            ExpressionKind::FloatOperation(operator, parts) => {
                let terms: Vec<Option<TermId>> = parts.iter().map(|part| self.term(part, None)).collect();
                let terms: Vec<TermId> = terms.into_iter().collect::<Option<_>>()?;
                self.float_operation(*operator, &terms, tree.span)
            }
            ExpressionKind::BitOperation(operation, parts) => {
                self.bit_operation(*operation, parts, tree.span)
            }
            ExpressionKind::Not(inner) => {
                let inner = self.boolean(inner)?;
                Some(self.store.not(inner))
            }
            ExpressionKind::Negative(inner) => {
                let term = self.number(inner, expected)?;
                if matches!(self.store.sort(term), Sort::Float(_)) {
                    return Some(self.store.simplified(&Operator::Floats(FloatOperator::Negate), &[term]));
                }
                Some(self.store.negate(term))
            }
            ExpressionKind::And(parts) => {
                let parts = self.booleans(parts)?;
                Some(self.store.and(&parts))
            }
            ExpressionKind::Or(parts) => {
                let parts = self.booleans(parts)?;
                Some(self.store.or(&parts))
            }
            ExpressionKind::Chain(first, rest) => {
                let mut value = self.number(first, expected);
                for (operator, tree) in rest {
                    let next = self.number(tree, expected);
                    value = match (value, next) {
                        (Some(value), Some(next)) => self.arithmetic(*operator, value, next, tree.span),
                        _ => None,
                    };
                }
                value
            }
            ExpressionKind::Relation(relation, left, right) => {
                self.relation(*relation, left, right, tree.span)
            }
            ExpressionKind::IfThenElse(condition, then, otherwise) => {
                let condition = self.boolean(condition);
                let hint = expected.cloned().or_else(|| self.hint(then)).or_else(|| self.hint(otherwise));
                let then_term = self.term(then, hint.as_ref());
                let sort = then_term.map(|term| self.store.sort(term).clone()).or(hint);
                let otherwise = match &sort {
                    Some(sort) => self.typed(otherwise, sort),
                    None => self.term(otherwise, None),
                };
                Some(self.store.if_then_else(condition?, then_term?, otherwise?))
            }
            ExpressionKind::Read(array, index) => {
                let (array, sort) = self.array(array, None)?;
                let index = self.typed(index, &sort.index)?;
                Some(self.store.simplified(&Operator::Select, &[array, index]))
            }
            ExpressionKind::Write(array, index, element) => {
                let (array, sort) = self.array(array, expected)?;
                let (index, element) = (self.typed(index, &sort.index), self.typed(element, &sort.element));
                Some(self.store.simplified(&Operator::Store, &[array, index?, element?]))
            }
            ExpressionKind::ArrayLiteral { index, entries, rest } => {
                let (wanted_index, wanted_element) = match expected {
                    Some(Sort::Array(array)) => (Some(array.index.clone()), Some(array.element.clone())),
                    _ => (None, None),
                };
                let index_sort = match index {
                    Some(tree) => Some(self.sort(tree)?),
                    None => wanted_index.or_else(|| self.hint(&entries.first()?.0)),
                };
                let Some(index_sort) = index_sort else {
                    let diagnostic = Diagnostic::error(&TYPE, "the type of the index is ambiguous");
                    let hint = "state it, as in `[<integer>default <- 0]`";
                    self.error(diagnostic.with_primary(tree.span, "").with_hint(hint));
                    return None;
                };
                let rest_term = match &wanted_element {
                    Some(sort) => self.typed(rest, sort),
                    None => self.term(rest, None),
                };
                let element_sort = rest_term.map(|term| self.store.sort(term).clone()).or(wanted_element)?;
                let mut array = rest_term
                    .map(|rest| self.store.simplified(&Operator::ConstantArray(index_sort.clone()), &[rest]));
                for (index, element) in entries {
                    let (index, element) =
                        (self.typed(index, &index_sort), self.typed(element, &element_sort));
                    array = match (array, index, element) {
                        (Some(array), Some(index), Some(element)) => {
                            Some(self.store.simplified(&Operator::Store, &[array, index, element]))
                        }
                        _ => None,
                    };
                }
                array
            }
        }
    }

    /// Lowers an operator on bit-vectors, whose widths must fit.
    fn bit_operation(
        &mut self,
        operation: BitOperation,
        parts: &[ExpressionTree],
        span: Span,
    ) -> Option<TermId> {
        let terms: Vec<Option<TermId>> = parts.iter().map(|part| self.term(part, None)).collect();
        let mut terms: Vec<TermId> = terms.into_iter().collect::<Option<_>>()?;
        let widths: Vec<Option<u32>> = terms
            .iter()
            .map(|term| match self.store.sort(*term) {
                Sort::BitVector(width) => Some(*width),
                _ => None,
            })
            .collect();
        let operator = match (operation, widths.as_slice()) {
            (BitOperation::Plain(operator), _) => operator,
            (BitOperation::Swapped(operator), _) => {
                terms.reverse();
                operator
            }
            (BitOperation::Extend { width, is_signed }, [Some(own)]) if *own <= width => match is_signed {
                _ if *own == width => return terms.first().copied(),
                true => BitOperator::ExtendSign(width - own),
                false => BitOperator::ExtendZero(width - own),
            },
            (BitOperation::RotateLeft | BitOperation::RotateRight, [Some(left), Some(right)])
                if left == right =>
            {
                return self.rotated(operation == BitOperation::RotateLeft, terms[0], terms[1], *left);
            }
            _ => return self.wrong_words(&terms, span),
        };
        let sorts: Vec<&Sort> = terms.iter().map(|term| self.store.sort(*term)).collect();
        match Operator::Bits(operator).result_sort(&sorts) {
            Some(_) => Some(self.store.simplified(&Operator::Bits(operator), &terms)),
            None => self.wrong_words(&terms, span),
        }
    }

    /// Lowers an operator on floating point numbers, whose formats must fit.
    fn float_operation(&mut self, operator: FloatOperator, terms: &[TermId], span: Span) -> Option<TermId> {
        let operator = Operator::Floats(operator);
        let sorts: Vec<&Sort> = terms.iter().map(|term| self.store.sort(*term)).collect();
        if operator.result_sort(&sorts).is_some() {
            return Some(self.store.simplified(&operator, terms));
        }
        let sorts: Vec<String> = sorts.into_iter().map(|sort| self.describe(sort)).collect();
        let message = format!("the operator is not defined for {}", sorts.join(" and "));
        let diagnostic = Diagnostic::error(&TYPE, message).with_primary(span, "");
        self.error(diagnostic.with_hint("use floating point numbers of the same format"));
        None
    }

    fn wrong_words(&mut self, terms: &[TermId], span: Span) -> Option<TermId> {
        let sorts: Vec<String> = terms.iter().map(|term| self.describe(self.store.sort(*term))).collect();
        let message = format!("the operator is not defined for {}", sorts.join(" and "));
        let diagnostic = Diagnostic::error(&TYPE, message).with_primary(span, "");
        self.error(diagnostic.with_hint("use bit-vectors of the same width"));
        None
    }

    /// Lowers a rotation to two shifts, with the distance modulo the width.
    fn rotated(&mut self, is_left: bool, word: TermId, distance: TermId, width: u32) -> Option<TermId> {
        let bits = |operator: BitOperator| Operator::Bits(operator);
        let turn = BitVector::new(width, &BigInt::from(width))?;
        let turn = self.store.constant(Value::Bits(turn));
        let distance = self.store.simplified(&bits(BitOperator::RemainderUnsigned), &[distance, turn]);
        let rest = self.store.simplified(&bits(BitOperator::Subtract), &[turn, distance]);
        let (there, back) = if is_left {
            (BitOperator::ShiftLeft, BitOperator::ShiftRight)
        } else {
            (BitOperator::ShiftRight, BitOperator::ShiftLeft)
        };
        let there = self.store.simplified(&bits(there), &[word, distance]);
        let back = self.store.simplified(&bits(back), &[word, rest]);
        Some(self.store.simplified(&bits(BitOperator::Or), &[there, back]))
    }

    fn booleans(&mut self, trees: &[ExpressionTree]) -> Option<Vec<TermId>> {
        // All trees are lowered, so that all errors are found.
        let terms: Vec<Option<TermId>> = trees.iter().map(|tree| self.boolean(tree)).collect();
        terms.into_iter().collect()
    }

    fn name(&mut self, name: &str, span: Span, expected: Option<&Sort>) -> Option<TermId> {
        if let Some(variable) = self.variable(name) {
            return Some(self.store.symbol(self.variables[variable].symbol));
        }
        let literal = match expected {
            Some(Sort::Enumeration(id)) => self.short_literal(*id, name),
            _ => None,
        };
        let literal = literal.or_else(|| self.long_literal(name)).or_else(|| {
            // Without an expected type, a short name must belong to exactly one type.
            match (expected, self.enumerations_with(name).as_slice()) {
                (None, [only]) => self.short_literal(*only, name),
                _ => None,
            }
        });
        if let Some((enumeration, literal)) = literal {
            return Some(self.store.constant(Value::Enumerator(enumeration, literal)));
        }
        let several = self.enumerations_with(name);
        if several.is_empty() {
            self.unknown_name(name, span);
        } else {
            let types: Vec<String> =
                several.iter().map(|id| format!("`{}.{name}`", self.store.enumeration(*id).name)).collect();
            let message = format!("the literal `{name}` is ambiguous or of the wrong type");
            let hint = format!("write {}", types.join(" or "));
            self.error(Diagnostic::error(&NAME, message).with_primary(span, "").with_hint(hint));
        }
        None
    }

    /// Infers the sort of an expression without an expected sort, if possible. Reports no errors.
    fn hint(&self, tree: &ExpressionTree) -> Option<Sort> {
        match &tree.kind {
            ExpressionKind::Name(name) => match self.variable(name) {
                Some(variable) => Some(self.store.symbol_sort(self.variables[variable].symbol).clone()),
                None => self.long_literal(name).map(|(enumeration, _)| Sort::Enumeration(enumeration)),
            },
            ExpressionKind::Prime(inner) | ExpressionKind::Negative(inner) => self.hint(inner),
            ExpressionKind::Integer(_) => Some(Sort::Integer),
            ExpressionKind::Bits(width, _) => Some(Sort::BitVector(*width)),
            ExpressionKind::Float(format, _) => Some(Sort::Float(*format)),
            ExpressionKind::Rational(..) => Some(Sort::Real),
            ExpressionKind::Chain(first, rest) => {
                let parts = std::iter::once(first.as_ref()).chain(rest.iter().map(|(_, part)| part));
                let hints: Vec<Sort> = parts.filter_map(|part| self.hint(part)).collect();
                hints.iter().find(|sort| **sort == Sort::Real).or(hints.first()).cloned()
            }
            ExpressionKind::IfThenElse(_, then, otherwise) => {
                self.hint(then).or_else(|| self.hint(otherwise))
            }
            ExpressionKind::Read(array, _) => match self.hint(array)? {
                Sort::Array(array) => Some(array.element.clone()),
                _ => None,
            },
            ExpressionKind::Write(array, ..) => self.hint(array),
            ExpressionKind::ArrayLiteral { .. }
            | ExpressionKind::BitOperation(..)
            | ExpressionKind::FloatOperation(..) => None,
            ExpressionKind::Boolean(_)
            | ExpressionKind::Not(_)
            | ExpressionKind::And(_)
            | ExpressionKind::Or(_)
            | ExpressionKind::Relation(..) => Some(Sort::Boolean),
        }
    }

    fn number(&mut self, tree: &ExpressionTree, expected: Option<&Sort>) -> Option<TermId> {
        let expected = expected.filter(|sort| sort.is_numeric());
        let term = self.term(tree, expected)?;
        let sort = self.store.sort(term).clone();
        if sort == Sort::Integer && expected == Some(&Sort::Real) {
            return Some(self.store.simplified(&Operator::ToReal, &[term]));
        }
        if sort.is_numeric() || matches!(sort, Sort::Float(_)) {
            return Some(term);
        }
        let message = format!("this has type {}, but a number is expected", self.describe(&sort));
        self.error(Diagnostic::error(&TYPE, message).with_primary(tree.span, ""));
        None
    }

    /// Converts both numbers to the same sort.
    fn unified(&mut self, left: TermId, right: TermId) -> (TermId, TermId) {
        match (self.store.sort(left), self.store.sort(right)) {
            (Sort::Integer, Sort::Real) => (self.store.simplified(&Operator::ToReal, &[left]), right),
            (Sort::Real, Sort::Integer) => (left, self.store.simplified(&Operator::ToReal, &[right])),
            _ => (left, right),
        }
    }

    fn arithmetic(
        &mut self,
        operator: ArithmeticOperator,
        left: TermId,
        right: TermId,
        span: Span,
    ) -> Option<TermId> {
        let (left, right) = self.unified(left, right);
        let is_float = |term: TermId| matches!(self.store.sort(term), Sort::Float(_));
        if is_float(left) || is_float(right) {
            let nearest = Rounding::NearestEven;
            let operator = match operator {
                ArithmeticOperator::Add => FloatOperator::Add(nearest),
                ArithmeticOperator::Subtract => FloatOperator::Subtract(nearest),
                ArithmeticOperator::Multiply => FloatOperator::Multiply(nearest),
                ArithmeticOperator::Divide => FloatOperator::Divide(nearest),
                ArithmeticOperator::Remainder => FloatOperator::Remainder,
                ArithmeticOperator::Modulo => {
                    let diagnostic = Diagnostic::error(&TYPE, "`mod` needs integers");
                    self.error(diagnostic.with_primary(span, "").with_hint("use `fprem`"));
                    return None;
                }
            };
            return self.float_operation(operator, &[left, right], span);
        }
        let is_real = *self.store.sort(left) == Sort::Real;
        let operator = match operator {
            ArithmeticOperator::Add => return Some(self.store.add(&[left, right])),
            ArithmeticOperator::Subtract => return Some(self.store.subtract(left, right)),
            ArithmeticOperator::Multiply => return Some(self.store.multiply(&[left, right])),
            ArithmeticOperator::Divide if is_real => Operator::DivideReal,
            ArithmeticOperator::Divide => Operator::DivideEuclidean,
            ArithmeticOperator::Modulo => Operator::ModuloEuclidean,
            ArithmeticOperator::Remainder => Operator::Remainder,
        };
        if is_real && operator != Operator::DivideReal {
            let diagnostic = Diagnostic::error(&TYPE, "a remainder needs integers");
            self.error(diagnostic.with_primary(span, ""));
            return None;
        }
        Some(self.store.simplified(&operator, &[left, right]))
    }

    fn relation(
        &mut self,
        relation: Relation,
        left: &ExpressionTree,
        right: &ExpressionTree,
        span: Span,
    ) -> Option<TermId> {
        match relation {
            Relation::Implies | Relation::IfAndOnlyIf | Relation::ExclusiveOr => {
                let (left, right) = (self.boolean(left), self.boolean(right));
                let (left, right) = (left?, right?);
                Some(match relation {
                    Relation::Implies => self.store.implies(left, right),
                    Relation::IfAndOnlyIf => self.store.equal(left, right),
                    _ => {
                        let equal = self.store.equal(left, right);
                        self.store.not(equal)
                    }
                })
            }
            Relation::Equal | Relation::NotEqual => {
                let hint = self.hint(left).or_else(|| self.hint(right));
                let (left_term, right_term) =
                    (self.term(left, hint.as_ref()), self.term(right, hint.as_ref()));
                let (left, right) = self.unified(left_term?, right_term?);
                if self.store.sort(left) != self.store.sort(right) {
                    let sides = [left, right].map(|side| self.describe(self.store.sort(side)));
                    let message = format!("cannot compare {} with {}", sides[0], sides[1]);
                    self.error(Diagnostic::error(&TYPE, message).with_primary(span, ""));
                    return None;
                }
                // Floating point numbers are compared by IEEE equality, not by identity.
                let equal = match self.store.sort(left) {
                    Sort::Float(_) => {
                        self.store.simplified(&Operator::Floats(FloatOperator::Equal), &[left, right])
                    }
                    _ => self.store.equal(left, right),
                };
                Some(if relation == Relation::Equal { equal } else { self.store.not(equal) })
            }
            Relation::Less | Relation::LessEqual | Relation::Greater | Relation::GreaterEqual => {
                let (left, right) = (self.number(left, None), self.number(right, None));
                let (left, right) = self.unified(left?, right?);
                let is_float = |term: TermId| matches!(self.store.sort(term), Sort::Float(_));
                if is_float(left) || is_float(right) {
                    let (operator, sides) = match relation {
                        Relation::Less => (FloatOperator::Less, [left, right]),
                        Relation::LessEqual => (FloatOperator::LessEqual, [left, right]),
                        Relation::Greater => (FloatOperator::Less, [right, left]),
                        _ => (FloatOperator::LessEqual, [right, left]),
                    };
                    return self.float_operation(operator, &sides, span);
                }
                Some(match relation {
                    Relation::Less => self.store.less(left, right),
                    Relation::LessEqual => self.store.less_equal(left, right),
                    Relation::Greater => self.store.less(right, left),
                    _ => self.store.less_equal(right, left),
                })
            }
        }
    }

    fn array(
        &mut self,
        tree: &ExpressionTree,
        expected: Option<&Sort>,
    ) -> Option<(TermId, std::sync::Arc<tempora_smt::ArraySort>)> {
        let term = self.term(tree, expected)?;
        match self.store.sort(term).clone() {
            Sort::Array(sort) => Some((term, sort)),
            other => {
                let message = format!("this has type {}, which has no elements", self.describe(&other));
                self.error(Diagnostic::error(&TYPE, message).with_primary(tree.span, ""));
                None
            }
        }
    }
}
