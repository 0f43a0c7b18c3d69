//! Writes terms and conditions.
//!
//! Invariant: a term is a number in the grammar of the language, and a condition is a list of its atoms; missing
//! operators such as disjunction are written as `(if c then 1 else 0)`. Constant expressions are folded.

use tempora_model::{
    BinaryOperator, Binder, Comparison, Expression, ExpressionKind, Function, FunctionId, IndexType, LocalId,
    Quantifier, Statement, Type, UnaryOperator, Value, VariableId, VariableKind,
};
use tempora_source::Origin;

use super::{LONGEST_EXPANSION, TckWriter, WriteResult};

/// A number as text.
#[derive(Clone, Debug)]
pub(super) struct Term {
    pub(super) text: String,
    binds: Binds,
    /// The number, if it is a constant.
    pub(super) value: Option<i32>,
    /// Whether it consists of literals; then it is written unfolded.
    is_literal: bool,
}

/// The precedence of the outermost operator of a text.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Binds {
    Sum,
    Product,
    Sign,
    Atom,
}

/// The meaning of a name that a select, a quantifier, a loop or a function binds.
#[derive(Clone, Debug)]
pub(super) enum Bound {
    /// A number, or another term.
    Term(Term),
    /// A local variable of the language.
    Local { name: String, is_array: bool },
    /// A variable of the network that was passed by reference.
    Variable(VariableId),
    /// A cell of an array that was passed by reference.
    Cell(String),
}

/// A clock, a variable or a cell as text.
pub(super) struct AssignableText {
    pub(super) text: String,
}

impl Term {
    pub(super) fn constant(value: i32) -> Term {
        let binds = if value < 0 { Binds::Sign } else { Binds::Atom };
        Term { text: value.to_string(), binds, value: Some(value), is_literal: false }
    }

    fn literal(value: i32) -> Term {
        Term { is_literal: true, ..Term::constant(value) }
    }

    fn atom(text: String) -> Term {
        Term { text, binds: Binds::Atom, value: None, is_literal: false }
    }

    /// Returns the text, in parentheses unless it is atomic.
    pub(super) fn as_operand(&self) -> String {
        self.at_least(Binds::Atom)
    }

    fn at_least(&self, binds: Binds) -> String {
        if self.binds < binds { format!("({})", self.text) } else { self.text.clone() }
    }
}

/// The conjuncts of a condition.
pub(super) type Conjuncts = Vec<String>;

/// A cell of a constant: the variable, and the indices, each with whether it is always in range.
type ConstantCell = (VariableId, Vec<(Term, bool)>);

/// A condition that is always false.
pub(super) const NEVER: &str = "0 == 1";

impl TckWriter<'_> {
    // Terms.

    /// Writes an integer or truth value.
    pub(super) fn term(&mut self, expression: &Expression) -> WriteResult<Term> {
        let origin = expression.origin;
        match &expression.kind {
            ExpressionKind::Integer(value) if expression.value_type == Type::Boolean => {
                Ok(Term::constant(*value))
            }
            ExpressionKind::Integer(value) => Ok(Term::literal(*value)),
            ExpressionKind::Variable(_) | ExpressionKind::Element { .. } | ExpressionKind::Local(_) => {
                self.cell(expression)
            }
            ExpressionKind::Unary { operator: UnaryOperator::Negate, operand } => {
                let operand = self.term(operand)?;
                let value = operand.value.and_then(i32::checked_neg);
                if let (Some(value), false) = (value, operand.is_literal) {
                    return Ok(Term::constant(value));
                }
                let text = format!("-{}", operand.at_least(Binds::Atom));
                Ok(Term { text, binds: Binds::Sign, value, is_literal: operand.is_literal })
            }
            ExpressionKind::Binary { operator, left, right } => match arithmetic(*operator) {
                Some((symbol, binds)) => self.calculation(*operator, symbol, binds, left, right),
                None => match operator {
                    BinaryOperator::Minimum | BinaryOperator::Maximum => {
                        let (left, right) = (self.term(left)?, self.term(right)?);
                        let symbol = if *operator == BinaryOperator::Minimum { "<" } else { ">" };
                        let condition =
                            format!("{} {symbol} {}", left.at_least(Binds::Sum), right.at_least(Binds::Sum));
                        Ok(choice(&condition, &left, &right))
                    }
                    BinaryOperator::Compare(_)
                    | BinaryOperator::And
                    | BinaryOperator::Or
                    | BinaryOperator::Imply
                    | BinaryOperator::Xor => self.truth(expression),
                    _ => self.cannot(
                        origin,
                        "a bitwise operator or a power",
                        "write it with `+`, `-`, `*`, `/` and `%`",
                    ),
                },
            },
            ExpressionKind::Conditional { condition, then, otherwise } => {
                let condition = self.condition(condition)?;
                let (then, otherwise) = (self.term(then)?, self.term(otherwise)?);
                Ok(chosen(&condition, &then, &otherwise))
            }
            ExpressionKind::Call { function, arguments } => self.call(*function, arguments, origin),
            ExpressionKind::Quantified { quantifier: Quantifier::Sum, binder, body } => {
                let mut terms = Vec::new();
                self.for_each_value(binder, |scribe| {
                    terms.push(scribe.term(body)?);
                    Ok(())
                })?;
                let mut sum = Term::constant(0);
                for term in terms {
                    sum = calculated(BinaryOperator::Add, "+", Binds::Sum, &sum, &term);
                }
                Ok(sum)
            }
            ExpressionKind::Unary { operator: UnaryOperator::Not, .. }
            | ExpressionKind::Quantified { .. } => self.truth(expression),
            ExpressionKind::Assign { .. } | ExpressionKind::Step { .. } => {
                self.cannot(origin, "an assignment inside an expression", "make it a separate update")
            }
            ExpressionKind::Double(_) => self.cannot(origin, "a floating point number", "use integers only"),
            ExpressionKind::CallBuiltin { .. } => {
                self.cannot(origin, "a mathematical function", "use integers only")
            }
            ExpressionKind::Field { .. } => {
                self.cannot(origin, "a field of a record", "use one variable for each field")
            }
            ExpressionKind::CompareClocks { .. } => self.cannot(
                origin,
                "a condition on clocks inside a calculation",
                "use it only as a part of a conjunction",
            ),
            ExpressionKind::RateIs { .. } => {
                self.cannot(origin, "the rate of a clock", "clocks run at rate one")
            }
            ExpressionKind::At { .. }
            | ExpressionKind::LocationOf(_)
            | ExpressionKind::HasLabel(_)
            | ExpressionKind::Deadlock => {
                self.cannot(origin, "a predicate of queries", "use it only in queries")
            }
        }
    }

    /// Writes a condition as one or zero.
    fn truth(&mut self, expression: &Expression) -> WriteResult<Term> {
        let condition = self.condition(expression)?;
        Ok(chosen(&condition, &Term::constant(1), &Term::constant(0)))
    }

    fn calculation(
        &mut self,
        operator: BinaryOperator,
        symbol: &str,
        binds: Binds,
        left: &Expression,
        right: &Expression,
    ) -> WriteResult<Term> {
        let (left, right) = (self.term(left)?, self.term(right)?);
        Ok(calculated(operator, symbol, binds, &left, &right))
    }

    // Variables and cells.

    /// Writes the value of a variable or cell.
    fn cell(&mut self, expression: &Expression) -> WriteResult<Term> {
        if let ExpressionKind::Local(local) = &expression.kind
            && let Some(Bound::Term(term)) = self.bound(*local)
        {
            return Ok(term.clone());
        }
        if let Some((variable, indices)) = self.constant_array(expression)? {
            return self.constant_cell(variable, &indices, expression.origin);
        }
        Ok(Term::atom(self.assignable(expression)?.text))
    }

    /// Writes a variable or cell that can be assigned.
    pub(super) fn assignable(&mut self, expression: &Expression) -> WriteResult<AssignableText> {
        let mut indices = Vec::new();
        let mut whole = expression;
        while let ExpressionKind::Element { array, index } = &whole.kind {
            indices.push((&**index, array));
            whole = array;
        }
        indices.reverse();
        let name = match &whole.kind {
            ExpressionKind::Variable(variable) => self.names.variable(*variable).to_owned(),
            ExpressionKind::Local(local) => match self.bound(*local).cloned() {
                Some(Bound::Variable(variable)) => self.names.variable(variable).to_owned(),
                Some(Bound::Local { name, is_array }) if is_array != indices.is_empty() => name,
                Some(Bound::Cell(text)) if indices.is_empty() => return Ok(AssignableText { text }),
                _ => {
                    return self.cannot(whole.origin, "a name bound to a value", "assign to a variable");
                }
            },
            ExpressionKind::Field { .. } => {
                return self.cannot(whole.origin, "a field of a record", "use one variable for each field");
            }
            _ => {
                return self.cannot(
                    whole.origin,
                    "an expression in place of a variable",
                    "name the variable",
                );
            }
        };
        if matches!(expression.value_type, Type::Array(_) | Type::Record(_)) {
            return self.cannot(expression.origin, "a whole array or record", "use its cells one by one");
        }
        if indices.is_empty() {
            return Ok(AssignableText { text: name });
        }
        // Multi-dimensional arrays are flattened row by row.
        let mut flat = Term::constant(0);
        let has_dimensions = indices.len() > 1;
        for (index, array) in indices {
            let Type::Array(array_type) = &array.value_type else {
                return self.cannot(
                    index.origin,
                    "an index into a value that is not an array",
                    "index only arrays",
                );
            };
            let (least, size) = bounds_of(&array_type.index);
            let written = self.term(index)?;
            let is_inside = match (written.value, &index.value_type) {
                (Some(value), _) => (least..least + size).contains(&i64::from(value)),
                (None, Type::Integer(range)) => {
                    least <= i64::from(range.least) && i64::from(range.greatest) < least + size
                }
                (None, _) => true,
            };
            if has_dimensions && !is_inside {
                // The index would reach another row instead of being an error.
                return self.cannot(
                    index.origin,
                    "an index of a multi-dimensional array that may be out of range",
                    "give the index a type with the range of the array",
                );
            }
            let offset = calculated(BinaryOperator::Subtract, "-", Binds::Sum, &written, &small(least));
            let scaled = calculated(BinaryOperator::Multiply, "*", Binds::Product, &flat, &small(size));
            flat = calculated(BinaryOperator::Add, "+", Binds::Sum, &scaled, &offset);
        }
        Ok(AssignableText { text: format!("{name}[{}]", flat.text) })
    }

    /// Returns a constant, or a cell of a constant array with its indices, the outermost first.
    fn constant_array(&mut self, expression: &Expression) -> WriteResult<Option<ConstantCell>> {
        let mut indices = Vec::new();
        let mut whole = expression;
        while let ExpressionKind::Element { array, index } = &whole.kind {
            indices.push((&**index, array));
            whole = array;
        }
        let variable = match &whole.kind {
            ExpressionKind::Variable(variable) => *variable,
            ExpressionKind::Local(local) => match self.bound(*local) {
                Some(Bound::Variable(variable)) => *variable,
                _ => return Ok(None),
            },
            _ => return Ok(None),
        };
        if self.network.variables[variable].kind != VariableKind::Constant {
            return Ok(None);
        }
        let mut terms = Vec::new();
        for (index, array) in indices.into_iter().rev() {
            let Type::Array(array_type) = &array.value_type else { return Ok(None) };
            let (least, size) = bounds_of(&array_type.index);
            let is_inside = match &index.value_type {
                Type::Integer(range) => {
                    least <= i64::from(range.least) && i64::from(range.greatest) < least + size
                }
                _ => true,
            };
            let term = self.term(index)?;
            terms.push((
                calculated(BinaryOperator::Subtract, "-", Binds::Sum, &term, &small(least)),
                is_inside,
            ));
        }
        Ok(Some((variable, terms)))
    }

    fn constant_cell(
        &mut self,
        variable: VariableId,
        indices: &[(Term, bool)],
        origin: Origin,
    ) -> WriteResult<Term> {
        let value = self.network.variables[variable].initial.clone();
        self.constant_part(&value, indices, origin)
    }

    /// Writes a part of a constant; a non-constant index becomes a choice between all parts.
    fn constant_part(
        &mut self,
        value: &Value,
        indices: &[(Term, bool)],
        origin: Origin,
    ) -> WriteResult<Term> {
        match (value, indices) {
            (Value::Integer(value), []) => Ok(Term::constant(*value)),
            (Value::Parts(parts), [(index, is_inside), rest @ ..]) => {
                if let Some(position) = index.value {
                    return match usize::try_from(position).ok().and_then(|position| parts.get(position)) {
                        Some(part) => self.constant_part(part, rest, origin),
                        None => self.cannot(origin, "an index out of range", "use an index within the array"),
                    };
                }
                if !is_inside || parts.len() > LONGEST_EXPANSION {
                    return self.cannot(
                        origin,
                        "a constant array with many cells or with an index that may be out of range",
                        "give the index a type with the range of the array",
                    );
                }
                let mut choice: Option<Term> = None;
                for (position, part) in parts.iter().enumerate().rev() {
                    self.spend(origin)?;
                    let part = self.constant_part(part, rest, origin)?;
                    choice = Some(match choice {
                        None => part,
                        Some(otherwise) => {
                            chosen(&[format!("{} == {position}", index.text)], &part, &otherwise)
                        }
                    });
                }
                choice.map_or_else(|| self.cannot(origin, "an empty array", "give it at least one cell"), Ok)
            }
            _ => self.cannot(origin, "a constant that is not an integer", "use integers only"),
        }
    }

    // Conditions.

    /// Writes a condition as conjuncts; empty if it always holds.
    pub(super) fn condition(&mut self, expression: &Expression) -> WriteResult<Conjuncts> {
        self.spend(expression.origin)?;
        match &expression.kind {
            ExpressionKind::Binary { operator: BinaryOperator::And, left, right } => {
                let mut conjuncts = self.condition(left)?;
                // After a false conjunct, no other is evaluated.
                if conjuncts.last().is_none_or(|last| last != NEVER) {
                    conjuncts.extend(self.condition(right)?);
                }
                Ok(conjuncts)
            }
            ExpressionKind::Binary { operator: BinaryOperator::Compare(comparison), left, right } => {
                let (left, right) = (self.term(left)?, self.term(right)?);
                Ok(compared(*comparison, &left, &right))
            }
            ExpressionKind::Binary { operator: BinaryOperator::Or, left, right }
                if left.value_type.is_integral() =>
            {
                let left = self.condition(left)?;
                match left.as_slice() {
                    [] => Ok(Vec::new()),
                    [first] if first == NEVER => self.condition(right),
                    _ => {
                        self.without_clocks(expression)?;
                        let right = self.truth(right)?;
                        Ok(holding(&chosen(&left, &Term::constant(1), &right)))
                    }
                }
            }
            ExpressionKind::Binary { operator: BinaryOperator::Or, left, right } => {
                // The right operand is the one without clocks.
                match self.condition(right)?.as_slice() {
                    [] if right.value_type.is_integral() => Ok(Vec::new()),
                    [first] if first == NEVER => self.condition(left),
                    _ => self.without_clocks(expression).map(|()| Vec::new()),
                }
            }
            ExpressionKind::Binary { operator: BinaryOperator::Imply, left, right } => {
                let left = self.condition(left)?;
                match left.as_slice() {
                    [] => self.condition(right),
                    [first] if first == NEVER => Ok(Vec::new()),
                    _ => {
                        self.without_clocks(expression)?;
                        let right = self.truth(right)?;
                        Ok(holding(&chosen(&left, &right, &Term::constant(1))))
                    }
                }
            }
            ExpressionKind::Binary { operator: BinaryOperator::Xor, left, right } => {
                self.without_clocks(expression)?;
                let (left, right) = (self.truth(left)?, self.truth(right)?);
                Ok(compared(Comparison::NotEqual, &left, &right))
            }
            ExpressionKind::Unary { operator: UnaryOperator::Not, operand } => {
                self.without_clocks(expression)?;
                let operand = self.condition(operand)?;
                match operand.as_slice() {
                    [] => Ok(vec![NEVER.to_owned()]),
                    [single] if single == NEVER => Ok(Vec::new()),
                    [single] => Ok(vec![negated(single)]),
                    several => Ok(holding(&chosen(several, &Term::constant(0), &Term::constant(1)))),
                }
            }
            ExpressionKind::CompareClocks { left, right, comparison, bound } => self.clock_comparison(
                left.as_deref(),
                right.as_deref(),
                *comparison,
                bound,
                expression.origin,
            ),
            ExpressionKind::Quantified { quantifier: Quantifier::ForAll, binder, body } => {
                let mut conjuncts = Vec::new();
                self.for_each_value(binder, |scribe| {
                    conjuncts.extend(scribe.condition(body)?);
                    Ok(())
                })?;
                Ok(conjuncts)
            }
            ExpressionKind::Quantified { quantifier: Quantifier::Exists, binder, body } => {
                self.without_clocks(expression)?;
                let mut alternatives = Vec::new();
                self.for_each_value(binder, |scribe| {
                    alternatives.push(scribe.condition(body)?);
                    Ok(())
                })?;
                let mut some = Term::constant(0);
                for alternative in alternatives.iter().rev() {
                    some = chosen(alternative, &Term::constant(1), &some);
                }
                Ok(holding(&some))
            }
            ExpressionKind::Call { function, arguments } if expression.value_type == Type::Boolean => {
                let term = self.call(*function, arguments, expression.origin)?;
                Ok(holding(&term))
            }
            _ => {
                let term = self.term(expression)?;
                Ok(holding(&term))
            }
        }
    }

    fn without_clocks(&mut self, expression: &Expression) -> WriteResult<()> {
        if matches!(expression.value_type, Type::Condition(_)) {
            return self.cannot(
                expression.origin,
                "a condition on clocks that is not a conjunction",
                "write one edge for each alternative",
            );
        }
        Ok(())
    }

    fn clock_comparison(
        &mut self,
        left: Option<&Expression>,
        right: Option<&Expression>,
        comparison: Comparison,
        bound: &Expression,
        origin: Origin,
    ) -> WriteResult<Conjuncts> {
        if comparison == Comparison::NotEqual {
            return self.cannot(
                origin,
                "`!=` between a clock and a number",
                "write one edge for `<` and one for `>`",
            );
        }
        let bound = self.term(bound)?;
        let symbol = comparison.symbol();
        Ok(vec![match (left, right) {
            (Some(left), Some(right)) => {
                let (left, right) = (self.assignable(left)?, self.assignable(right)?);
                format!("{} - {} {symbol} {}", left.text, right.text, bound.text)
            }
            (Some(left), None) => format!("{} {symbol} {}", self.assignable(left)?.text, bound.text),
            (None, Some(right)) => {
                let negated =
                    calculated(BinaryOperator::Subtract, "-", Binds::Sum, &Term::constant(0), &bound);
                format!("{} {} {}", self.assignable(right)?.text, comparison.flipped().symbol(), negated.text)
            }
            (None, None) => format!("0 {symbol} {}", bound.text),
        }])
    }

    // Bound names.

    /// Returns the meaning of a bound name.
    pub(super) fn bound(&self, local: LocalId) -> Option<&Bound> {
        self.frames.last().and_then(|frame| frame.get(local.0 as usize)).and_then(Option::as_ref)
    }

    pub(super) fn bind(&mut self, local: LocalId, bound: Bound) {
        if let Some(frame) = self.frames.last_mut() {
            let position = local.0 as usize;
            if frame.len() <= position {
                frame.resize(position + 1, None);
            }
            frame[position] = Some(bound);
        }
    }

    /// Calls a function for each value of a range.
    fn for_each_value(
        &mut self,
        binder: &Binder,
        mut part: impl FnMut(&mut Self) -> WriteResult<()>,
    ) -> WriteResult<()> {
        if binder.domain.size() > LONGEST_EXPANSION as u64 {
            return self.cannot(
                binder.origin,
                &format!("a range of {} values", binder.domain.size()),
                &format!("ranges are expanded for up to {LONGEST_EXPANSION} values"),
            );
        }
        for value in binder.domain.values() {
            self.spend(binder.origin)?;
            self.bind(binder.local, Bound::Term(Term::constant(value)));
            part(self)?;
        }
        Ok(())
    }

    // Calls.

    /// Inlines a call: writes the term that the function returns.
    fn call(&mut self, function: FunctionId, arguments: &[Expression], origin: Origin) -> WriteResult<Term> {
        let function = &self.network.functions[function];
        let frame = self.arguments(function, arguments)?;
        if self.frames.len() > DEEPEST_CALL {
            return self.cannot(origin, "a chain of calls that is too deep", "nest fewer calls");
        }
        self.frames.push(frame);
        let result = self.returned(&function.body, function);
        self.frames.pop();
        result
    }

    /// Builds the frame of a call in which no parameter is assigned.
    fn arguments(
        &mut self,
        function: &Function,
        arguments: &[Expression],
    ) -> WriteResult<Vec<Option<Bound>>> {
        let mut frame = Vec::with_capacity(arguments.len());
        for (parameter, argument) in function.parameters.iter().zip(arguments) {
            frame.push(Some(if parameter.is_reference || matches!(parameter.value_type, Type::Array(_)) {
                self.reference(argument)?
            } else {
                let term = self.term(argument)?;
                Bound::Term(truth_of(term, &parameter.value_type, &argument.value_type))
            }));
        }
        Ok(frame)
    }

    /// Resolves an argument that is passed by reference.
    pub(super) fn reference(&mut self, argument: &Expression) -> WriteResult<Bound> {
        match &argument.kind {
            ExpressionKind::Variable(variable) => Ok(Bound::Variable(*variable)),
            ExpressionKind::Local(local) => match self.bound(*local).cloned() {
                Some(bound) => Ok(bound),
                None => self.cannot(argument.origin, "an unbound name", "use a variable"),
            },
            ExpressionKind::Element { index, .. } => match self.term(index)?.value {
                Some(_) => Ok(Bound::Cell(self.assignable(argument)?.text)),
                None => self.cannot(
                    argument.origin,
                    "a reference to a cell whose index depends on variables",
                    "pass the index instead",
                ),
            },
            _ => self.cannot(argument.origin, "this reference", "pass a variable"),
        }
    }

    /// Writes the result of statements that only select a result.
    fn returned(&mut self, body: &[Statement], function: &Function) -> WriteResult<Term> {
        match body {
            [Statement::Return(Some(value), _), ..] => {
                let term = self.term(value)?;
                Ok(truth_of(term, &function.result, &value.value_type))
            }
            [Statement::Block(inner)] => self.returned(inner, function),
            [Statement::If { condition, then, otherwise }, rest @ ..] => {
                let condition = self.condition(condition)?;
                let then = self.returned(std::slice::from_ref(then), function)?;
                let otherwise = match otherwise {
                    Some(otherwise) => self.returned(std::slice::from_ref(otherwise), function)?,
                    None => self.returned(rest, function)?,
                };
                Ok(chosen(&condition, &then, &otherwise))
            }
            _ => self.cannot(
                function.origin,
                &format!("the function `{}` inside an expression", function.name),
                "only functions that merely select a result are inlined; use an update",
            ),
        }
    }
}

/// The largest depth of inlined calls.
pub(super) const DEEPEST_CALL: usize = 100;

/// Converts a value to the type: a truth value becomes zero or one.
pub(super) fn truth_of(term: Term, wanted: &Type, found: &Type) -> Term {
    match (wanted, found, term.value) {
        (Type::Boolean, Type::Boolean, _) => term,
        (Type::Boolean, _, Some(value)) => Term::constant(i32::from(value != 0)),
        (Type::Boolean, _, None) => chosen(&[term.text], &Term::constant(1), &Term::constant(0)),
        _ => term,
    }
}

/// Builds a constant for a size or offset of an array, which has at most 32 bits.
fn small(value: i64) -> Term {
    Term::constant(i32::try_from(value).unwrap_or(i32::MAX))
}

fn bounds_of(index: &IndexType) -> (i64, i64) {
    match index {
        IndexType::Range(range) => {
            (i64::from(range.least), i64::from(range.greatest) - i64::from(range.least) + 1)
        }
        IndexType::Scalars { size, .. } => (0, i64::from(*size)),
    }
}

fn arithmetic(operator: BinaryOperator) -> Option<(&'static str, Binds)> {
    match operator {
        BinaryOperator::Add => Some(("+", Binds::Sum)),
        BinaryOperator::Subtract => Some(("-", Binds::Sum)),
        BinaryOperator::Multiply => Some(("*", Binds::Product)),
        BinaryOperator::Divide => Some(("/", Binds::Product)),
        BinaryOperator::Remainder => Some(("%", Binds::Product)),
        _ => None,
    }
}

fn calculated(operator: BinaryOperator, symbol: &str, binds: Binds, left: &Term, right: &Term) -> Term {
    let folded = match (left.value, right.value) {
        (Some(left), Some(right)) => match operator {
            BinaryOperator::Add => left.checked_add(right),
            BinaryOperator::Subtract => left.checked_sub(right),
            BinaryOperator::Multiply => left.checked_mul(right),
            BinaryOperator::Divide => left.checked_div(right),
            _ => left.checked_rem(right),
        },
        _ => None,
    };
    let is_literal = left.is_literal && right.is_literal;
    if let (Some(value), false) = (folded, is_literal) {
        return Term::constant(value);
    }
    let known = |term: &Term| term.value.filter(|_| !term.is_literal);
    match (operator, known(left), known(right)) {
        (BinaryOperator::Add, Some(0), _) | (BinaryOperator::Multiply, Some(1), _) => return right.clone(),
        (BinaryOperator::Add | BinaryOperator::Subtract, _, Some(0))
        | (BinaryOperator::Multiply, _, Some(1)) => {
            return left.clone();
        }
        _ => {}
    }
    let tighter = if binds == Binds::Sum { Binds::Product } else { Binds::Sign };
    // A sign after an operator is easily misread.
    let right =
        if right.binds == Binds::Sign { format!("({})", right.text) } else { right.at_least(tighter) };
    let text = format!("{} {symbol} {right}", left.at_least(binds));
    Term { text, binds, value: folded, is_literal }
}

/// Builds `(if c then a else b)`.
fn choice(condition: &str, then: &Term, otherwise: &Term) -> Term {
    Term::atom(format!("(if {condition} then {} else {})", then.text, otherwise.text))
}

/// Builds a choice by a conjunction that may be constant.
fn chosen(condition: &[String], then: &Term, otherwise: &Term) -> Term {
    if condition.is_empty() {
        return then.clone();
    }
    if condition.first().is_some_and(|first| first == NEVER) {
        return otherwise.clone();
    }
    if let (Some(then), Some(otherwise)) = (then.value, otherwise.value)
        && then == otherwise
    {
        return Term::constant(then);
    }
    choice(&condition.join(" && "), then, otherwise)
}

/// Returns the condition that a number is not zero.
fn holding(term: &Term) -> Conjuncts {
    match term.value.filter(|_| !term.is_literal) {
        Some(0) => vec![NEVER.to_owned()],
        Some(_) => Vec::new(),
        None => vec![term.text.clone()],
    }
}

/// Negates a conjunct.
fn negated(conjunct: &str) -> String {
    let is_name = conjunct.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    if is_name { format!("!{conjunct}") } else { format!("!({conjunct})") }
}

fn compared(comparison: Comparison, left: &Term, right: &Term) -> Conjuncts {
    if let (Some(left), Some(right), false) = (left.value, right.value, left.is_literal && right.is_literal) {
        return if comparison.holds(left.cmp(&right)) { Vec::new() } else { vec![NEVER.to_owned()] };
    }
    vec![format!("{} {} {}", left.text, comparison.symbol(), right.text)]
}
