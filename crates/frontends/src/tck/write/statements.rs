//! Writes updates as statements.
//!
//! Invariant: calls are inlined, and the local variables of an edge have unique names, so that no name hides another.

use tempora_model::{
    BinaryOperator, Expression, ExpressionKind, FunctionId, LocalInitial, Statement, Type, Value,
};
use tempora_source::Origin;

use super::expressions::{Bound, DEEPEST_CALL, Term, truth_of};
use super::{LONGEST_EXPANSION, TckWriter, WriteResult};

impl TckWriter<'_> {
    /// Writes an expression that is evaluated for its effects.
    pub(super) fn update(&mut self, update: &Expression, statements: &mut Vec<String>) -> WriteResult<()> {
        self.spend(update.origin)?;
        match &update.kind {
            ExpressionKind::Assign { operator, target, value } => {
                self.assignment(*operator, target, value, statements)
            }
            ExpressionKind::Step { target, amount, .. } => {
                let place = self.assignable(target)?.text;
                let (sign, amount) = if *amount < 0 { ('-', -amount) } else { ('+', *amount) };
                statements.push(format!("{place} = {place} {sign} {amount}"));
                Ok(())
            }
            ExpressionKind::Call { function, arguments } => {
                self.call_for_effects(*function, arguments, update.origin, statements).map(|_| ())
            }
            ExpressionKind::Conditional { condition, then, otherwise } => {
                let condition = self.condition(condition)?;
                let (mut first, mut second) = (Vec::new(), Vec::new());
                self.update(then, &mut first)?;
                self.update(otherwise, &mut second)?;
                statements.push(choice(&condition, &first, &second));
                Ok(())
            }
            // An expression without effects needs no statement.
            ExpressionKind::Integer(_) | ExpressionKind::Variable(_) | ExpressionKind::Local(_) => Ok(()),
            _ => self.cannot(
                update.origin,
                "an update that is neither an assignment nor a call",
                "separate assignments and calls by commas",
            ),
        }
    }

    fn assignment(
        &mut self,
        operator: Option<BinaryOperator>,
        target: &Expression,
        value: &Expression,
        statements: &mut Vec<String>,
    ) -> WriteResult<()> {
        let new = match &value.kind {
            _ if target.value_type == Type::Clock && value.value_type == Type::Clock => {
                let sum = self.clock_sum(value)?;
                let place = self.assignable(target)?.text;
                statements.push(format!("{place} = {sum}"));
                return Ok(());
            }
            // A function with effects is inlined first.
            ExpressionKind::Call { function, arguments } if !self.only_returns(*function) => {
                match self.call_for_effects(*function, arguments, value.origin, statements)? {
                    Some(result) => result,
                    None => {
                        return self.cannot(value.origin, "a call without a result", "return a value");
                    }
                }
            }
            _ => self.term(value)?,
        };
        let place = self.assignable(target)?.text;
        let new = truth_of(new, &target.value_type, &value.value_type);
        let symbol = match operator {
            None => {
                statements.push(format!("{place} = {}", new.text));
                return Ok(());
            }
            Some(BinaryOperator::Add) => '+',
            Some(BinaryOperator::Subtract) => '-',
            Some(BinaryOperator::Multiply) => '*',
            Some(BinaryOperator::Divide) => '/',
            Some(BinaryOperator::Remainder) => '%',
            Some(_) => {
                return self.cannot(
                    target.origin,
                    "an assignment with a bitwise operator",
                    "write it with `+`, `-`, `*`, `/` and `%`",
                );
            }
        };
        statements.push(format!("{place} = {place} {symbol} {}", new.as_operand()));
        Ok(())
    }

    /// Writes a clock, or an integer and a clock, in this order.
    fn clock_sum(&mut self, value: &Expression) -> WriteResult<String> {
        let ExpressionKind::Binary { operator, left, right } = &value.kind else {
            return Ok(self.assignable(value)?.text);
        };
        let (clock, number) = if left.value_type == Type::Clock { (left, right) } else { (right, left) };
        if matches!(clock.kind, ExpressionKind::Binary { .. }) {
            return self.cannot(value.origin, "a long sum with a clock", "add the numbers first");
        }
        let (clock, number) = (self.assignable(clock)?.text, self.term(number)?);
        Ok(match (operator, number.value) {
            (BinaryOperator::Subtract, Some(value)) => format!("{} + {clock}", -i64::from(value)),
            (BinaryOperator::Subtract, None) => format!("-({}) + {clock}", number.text),
            _ => format!("{} + {clock}", number.text),
        })
    }

    fn only_returns(&self, function: FunctionId) -> bool {
        fn returns(body: &[Statement]) -> bool {
            match body {
                [Statement::Return(Some(_), _), ..] => true,
                [Statement::Block(inner)] => returns(inner),
                [Statement::If { then, otherwise, .. }, rest @ ..] => {
                    returns(std::slice::from_ref(then))
                        && match otherwise {
                            Some(otherwise) => returns(std::slice::from_ref(otherwise)),
                            None => returns(rest),
                        }
                }
                _ => false,
            }
        }
        returns(&self.network.functions[function].body)
    }

    /// Inlines the body of a function; returns its result.
    fn call_for_effects(
        &mut self,
        function: FunctionId,
        arguments: &[Expression],
        origin: Origin,
        statements: &mut Vec<String>,
    ) -> WriteResult<Option<Term>> {
        let function = &self.network.functions[function];
        if self.frames.len() > DEEPEST_CALL {
            return self.cannot(origin, "a chain of calls that is too deep", "nest fewer calls");
        }
        let mut frame = Vec::with_capacity(arguments.len());
        for (parameter, argument) in function.parameters.iter().zip(arguments) {
            if parameter.is_reference {
                frame.push(Some(self.reference(argument)?));
                continue;
            }
            let term = self.term(argument)?;
            let value = truth_of(term, &parameter.value_type, &argument.value_type).text;
            let name = self.names.new_local(&parameter.name, &mut self.locals);
            statements.push(format!("local {name} = {value}"));
            frame.push(Some(Bound::Local { name, is_array: false }));
        }
        self.frames.push(frame);
        let result = self.body(&function.body, statements);
        self.frames.pop();
        result
    }

    /// Writes statements of which only the last may return.
    fn body(&mut self, body: &[Statement], statements: &mut Vec<String>) -> WriteResult<Option<Term>> {
        let Some((last, others)) = body.split_last() else { return Ok(None) };
        for statement in others {
            self.statement(statement, statements)?;
        }
        match last {
            Statement::Return(Some(value), _) => Ok(Some(self.term(value)?)),
            Statement::Return(None, _) => Ok(None),
            Statement::Block(inner) => self.body(inner, statements),
            _ => self.statement(last, statements).map(|()| None),
        }
    }

    fn statement(&mut self, statement: &Statement, statements: &mut Vec<String>) -> WriteResult<()> {
        match statement {
            Statement::Evaluate(expression) => self.update(expression, statements),
            Statement::Block(inner) => inner.iter().try_for_each(|inner| self.statement(inner, statements)),
            Statement::Declare { name, local, value_type, initial, origin } => {
                let (name, is_array) = match value_type {
                    Type::Array(array) if !matches!(array.element, Type::Array(_) | Type::Record(_)) => {
                        let name = self.names.new_local(name, &mut self.locals);
                        statements.push(format!("local {name}[{}]", array.index.size()));
                        (name, true)
                    }
                    Type::Integer(_) | Type::Boolean | Type::Scalar(_) => {
                        let value = match initial {
                            LocalInitial::Constant(Value::Integer(value)) => Term::constant(*value),
                            LocalInitial::Computed(value) => {
                                let term = self.term(value)?;
                                truth_of(term, value_type, &value.value_type)
                            }
                            LocalInitial::Constant(_) => Term::constant(0),
                        };
                        let name = self.names.new_local(name, &mut self.locals);
                        statements.push(format!("local {name} = {}", value.text));
                        (name, false)
                    }
                    _ => {
                        return self.cannot(
                            *origin,
                            "a local variable that is neither an integer nor an array of integers",
                            "use one variable for each part",
                        );
                    }
                };
                if is_array && let LocalInitial::Constant(Value::Parts(parts)) = initial {
                    for (position, part) in parts.iter().enumerate().take(LONGEST_EXPANSION) {
                        if let Value::Integer(value) = part
                            && *value != 0
                        {
                            statements.push(format!("{name}[{position}] = {value}"));
                        }
                    }
                }
                self.bind(*local, Bound::Local { name, is_array });
                Ok(())
            }
            Statement::If { condition, then, otherwise } => {
                let condition = self.condition(condition)?;
                let (mut first, mut second) = (Vec::new(), Vec::new());
                self.statement(then, &mut first)?;
                if let Some(otherwise) = otherwise {
                    self.statement(otherwise, &mut second)?;
                }
                statements.push(choice(&condition, &first, &second));
                Ok(())
            }
            Statement::While { condition, body } => {
                let condition = conjunction(&self.condition(condition)?);
                let mut inner = Vec::new();
                self.statement(body, &mut inner)?;
                statements.push(format!("while {condition} do {} end", sequence(&inner)));
                Ok(())
            }
            Statement::DoWhile { body, condition } => {
                self.statement(body, statements)?;
                let condition = conjunction(&self.condition(condition)?);
                let mut inner = Vec::new();
                self.statement(body, &mut inner)?;
                statements.push(format!("while {condition} do {} end", sequence(&inner)));
                Ok(())
            }
            Statement::ForEach { binder, body } => {
                let values = binder.domain.values();
                let name = self.names.new_local(&binder.name, &mut self.locals);
                self.bind(binder.local, Bound::Local { name: name.clone(), is_array: false });
                let mut inner = Vec::new();
                self.statement(body, &mut inner)?;
                inner.push(format!("{name} = {name} + 1"));
                statements.push(format!("local {name} = {}", values.start()));
                statements.push(format!("while {name} <= {} do {} end", values.end(), sequence(&inner)));
                Ok(())
            }
            Statement::Return(_, origin) => self.cannot(
                *origin,
                "a `return` that is not the last statement of its function",
                "return only at the end",
            ),
            Statement::Assert(condition) => {
                self.cannot(condition.origin, "an assertion", "use an edge to an error location instead")
            }
        }
    }
}

fn conjunction(condition: &[String]) -> String {
    if condition.is_empty() { "1".to_owned() } else { condition.join(" && ") }
}

fn choice(condition: &[String], then: &[String], otherwise: &[String]) -> String {
    let condition = conjunction(condition);
    if otherwise.is_empty() {
        return format!("if {condition} then {} end", sequence(then));
    }
    format!("if {condition} then {} else {} end", sequence(then), sequence(otherwise))
}

/// Joins statements with `;`; an empty sequence becomes `nop`.
pub(super) fn sequence(statements: &[String]) -> String {
    if statements.is_empty() { "nop".to_owned() } else { statements.join("; ") }
}
