//! Elaborates expressions: resolves names and computes types.
//!
//! Invariant: every returned expression is well typed; comparisons of clocks are in the normal form of
//! [`ExpressionKind::CompareClocks`], with the positive clock on the left if there is one.

use tempora_source::{Span, nearest_names};

use super::operators::{assignment_operator, binary_operator, built_in_constant};
use super::scope::Symbol;
use super::{Elaborator, Reported, Result};
use crate::FunctionId;
use crate::builtins::{self, NumberKind};
use crate::codes::meaning as codes;
use crate::expression::{
    BinaryOperator, Binder, Comparison, Expression, ExpressionKind, LocalId, Quantifier, UnaryOperator,
};
use crate::network::VariableKind;
use crate::types::{ConditionCategory, Range, Type, Value};
use tempora_syntax::ast;

impl<'model> Elaborator<'model> {
    /// Elaborates an expression of a model or, while `in_query`, of a query.
    pub(super) fn expression(&mut self, written: &ast::Expression) -> Result<Expression> {
        match &written.kind {
            ast::ExpressionKind::Integer(value) => match i32::try_from(*value) {
                Ok(value) => Ok(self.integer(value, written.span)),
                Err(_) => {
                    let message = format!("{value} exceeds the largest integer, {}", i32::MAX);
                    self.error(&codes::CONSTANT_ERROR, written.span, message)
                }
            },
            ast::ExpressionKind::Double(_) => {
                let value = written.double_value().unwrap_or(f64::NAN);
                Ok(self.node(ExpressionKind::Double(value), Type::Double, written.span))
            }
            ast::ExpressionKind::Boolean(value) => {
                Ok(self.node(ExpressionKind::Integer(i32::from(*value)), Type::Boolean, written.span))
            }
            ast::ExpressionKind::Text(_) => {
                self.omit(written.span, "strings");
                Ok(self.node(ExpressionKind::Integer(0), Type::Text, written.span))
            }
            ast::ExpressionKind::Name(name) => self.name(name, written.span),
            ast::ExpressionKind::Deadlock if self.in_query => {
                Ok(self.node(ExpressionKind::Deadlock, Type::Boolean, written.span))
            }
            ast::ExpressionKind::Deadlock => self.error(
                &codes::QUERY_ONLY,
                written.span,
                "`deadlock` is only allowed in queries",
            ),
            ast::ExpressionKind::Parenthesised(inner) => self.expression(inner),
            ast::ExpressionKind::Index { base, index } => self.element(base, index, written.span),
            ast::ExpressionKind::Member { base, member } => self.member(base, member, written.span),
            ast::ExpressionKind::Call { callee, arguments } => self.call(callee, arguments, written.span),
            ast::ExpressionKind::Derivative(_) => self.error_with_hint(
                &codes::TYPE_MISMATCH,
                written.span,
                "a clock rate can only be compared with `==`, in an invariant",
                "write a conjunct such as `x' == 0` in the invariant",
            ),
            ast::ExpressionKind::Unary { operator, operand, .. } => {
                self.unary(*operator, operand, written.span)
            }
            ast::ExpressionKind::Step { place, direction, operand } => {
                let target = self.integral(operand)?;
                self.require_assignable(&target, operand.span)?;
                let amount = if *direction == ast::StepDirection::Up { 1 } else { -1 };
                let value_type = target.value_type.clone();
                let is_postfix = *place == ast::StepPlace::After;
                let kind = ExpressionKind::Step { target: Box::new(target), amount, is_postfix };
                Ok(self.node(kind, value_type, written.span))
            }
            ast::ExpressionKind::Binary { operator, left, right, .. } => {
                self.binary(*operator, left, right, written.span)
            }
            ast::ExpressionKind::Conditional { condition, consequence, alternative } => {
                self.conditional(condition, consequence, alternative, written.span)
            }
            ast::ExpressionKind::Assignment { operator, target, value, .. } => {
                self.assignment(*operator, target, value, written.span)
            }
            ast::ExpressionKind::Quantified { quantifier, binding, body } => {
                self.quantified(*quantifier, binding, body, written.span)
            }
            ast::ExpressionKind::Spawn { .. } | ast::ExpressionKind::Exit | ast::ExpressionKind::NumberOf(_) => {
                self.omit(written.span, "dynamic templates");
                Ok(self.integer(0, written.span))
            }
            ast::ExpressionKind::Temporal { .. }
            | ast::ExpressionKind::Until { .. }
            | ast::ExpressionKind::LeadsTo { .. } => self.error_with_hint(
                &codes::NESTED_FORMULA,
                written.span,
                "a path formula is not allowed here",
                "only `A[] (p imply E<> q)`, `A[] (p imply A<> q)` and combinations with `&&`, `||`, `!` can be nested",
            ),
            ast::ExpressionKind::Error => Err(Reported),
        }
    }

    /// Elaborates an expression of type integer or Boolean.
    pub(super) fn integral(&mut self, written: &ast::Expression) -> Result<Expression> {
        let expression = self.expression(written)?;
        if expression.value_type.is_integral() {
            return Ok(expression);
        }
        let found = self.type_name(&expression.value_type);
        self.error(&codes::TYPE_MISMATCH, written.span, format!("expected an integer, found {found}"))
    }

    /// Elaborates a condition: an integer, a truth value, or a clock condition.
    pub(super) fn condition(&mut self, written: &ast::Expression) -> Result<Expression> {
        let expression = self.expression(written)?;
        match expression.value_type {
            Type::Integer(_) | Type::Boolean | Type::Condition(_) => Ok(expression),
            _ => {
                let found = self.type_name(&expression.value_type);
                let message = format!("expected a condition, found {found}");
                self.error(&codes::TYPE_MISMATCH, written.span, message)
            }
        }
    }

    pub(super) fn node(&mut self, kind: ExpressionKind, value_type: Type, span: Span) -> Expression {
        let origin = self.written(span);
        Expression { kind, value_type, origin }
    }

    pub(super) fn integer(&mut self, value: i32, span: Span) -> Expression {
        let range = Range { least: value, greatest: value };
        self.node(ExpressionKind::Integer(value), Type::Integer(range), span)
    }

    fn name(&mut self, name: &str, span: Span) -> Result<Expression> {
        let symbol = self.scopes.look_up(name).cloned();
        match symbol {
            Some(Symbol::Variable(variable)) => {
                let value_type = self.network.variables[variable].value_type.clone();
                Ok(self.node(ExpressionKind::Variable(variable), value_type, span))
            }
            Some(Symbol::Local { local, value_type, .. }) => {
                Ok(self.node(ExpressionKind::Local(local), value_type, span))
            }
            Some(Symbol::Value(Value::Integer(value), value_type)) => {
                Ok(self.node(ExpressionKind::Integer(value), value_type, span))
            }
            Some(Symbol::Reference(expression)) => Ok(expression),
            Some(Symbol::Faulty) => Err(Reported),
            Some(Symbol::Value(..)) => {
                self.error(&codes::TYPE_MISMATCH, span, format!("`{name}` is not a number"))
            }
            Some(Symbol::Type(_)) => {
                self.error(&codes::TYPE_MISMATCH, span, format!("`{name}` is a type, not a value"))
            }
            Some(Symbol::Function(_) | Symbol::External { .. }) => self.error_with_hint(
                &codes::TYPE_MISMATCH,
                span,
                format!("`{name}` is a function"),
                format!("write `{name}()` to call it"),
            ),
            Some(Symbol::Template(_) | Symbol::Instantiation(_)) => {
                self.error(&codes::TYPE_MISMATCH, span, format!("`{name}` is a process, not a value"))
            }
            None => match built_in_constant(name) {
                Some((value, value_type)) => {
                    let kind = match value {
                        Value::Double(value) => ExpressionKind::Double(value),
                        value => ExpressionKind::Integer(value.as_integer().unwrap_or(0)),
                    };
                    Ok(self.node(kind, value_type, span))
                }
                None => self.unknown_name(span, name),
            },
        }
    }

    pub(super) fn unknown_name<T>(&mut self, span: Span, name: &str) -> Result<T> {
        if self.current_function.as_deref() == Some(name) {
            return self.error_with_hint(
                &codes::RECURSION,
                span,
                format!("`{name}` calls itself"),
                "use a loop; a function can only call functions that are declared before it",
            );
        }
        if name == "deadlock" {
            return self.error_with_hint(
                &codes::QUERY_ONLY,
                span,
                "only queries can test for a deadlock",
                "write the query `E<> deadlock` or `A[] not deadlock`",
            );
        }
        let nearest = nearest_names(name, self.scopes.names());
        let hint = match nearest.first() {
            Some(nearest) => format!("did you mean `{nearest}`?"),
            None => "declare it before its first use".to_owned(),
        };
        self.error_with_hint(&codes::UNKNOWN_NAME, span, format!("`{name}` is not declared"), hint)
    }

    fn element(&mut self, base: &ast::Expression, index: &ast::Expression, span: Span) -> Result<Expression> {
        let array = self.expression(base);
        let index_expression = self.expression(index);
        let (array, index_expression) = (array?, index_expression?);
        let Type::Array(array_type) = array.value_type.clone() else {
            let found = self.type_name(&array.value_type);
            return self.error(&codes::TYPE_MISMATCH, base.span, format!("expected an array, found {found}"));
        };
        let wanted = array_type.index.element_type();
        if !can_assign(&wanted, &index_expression.value_type) {
            let (wanted, found) = (self.type_name(&wanted), self.type_name(&index_expression.value_type));
            let message = format!("the index is {found}, but the array is indexed by {wanted}");
            return self.error(&codes::TYPE_MISMATCH, index.span, message);
        }
        let kind = ExpressionKind::Element { array: Box::new(array), index: Box::new(index_expression) };
        Ok(self.node(kind, array_type.element.clone(), span))
    }

    fn member(&mut self, base: &ast::Expression, member: &ast::Name, span: Span) -> Result<Expression> {
        if self.in_query
            && let Some(named) = self.dotted_member(base, member, span)
        {
            return Ok(named);
        }
        if let Some(process) = self.process_of(base)? {
            return self.process_member(process, member, span);
        }
        let record = self.expression(base)?;
        let Type::Record(record_type) = record.value_type.clone() else {
            let found = self.type_name(&record.value_type);
            return self.error(&codes::TYPE_MISMATCH, base.span, format!("expected a record, found {found}"));
        };
        match record_type.fields.iter().position(|field| field.name == member.text) {
            Some(field) => {
                let value_type = record_type.fields[field].field_type.clone();
                let kind = ExpressionKind::Field { record: Box::new(record), field };
                Ok(self.node(kind, value_type, span))
            }
            None => {
                let names: Vec<&str> = record_type.fields.iter().map(|field| field.name.as_str()).collect();
                let hint = format!("its fields are {}", names.join(", "));
                let message = format!("the record has no field `{}`", member.text);
                self.error_with_hint(&codes::UNKNOWN_NAME, member.span, message, hint)
            }
        }
    }

    fn call(
        &mut self,
        callee: &ast::Expression,
        arguments: &[ast::Expression],
        span: Span,
    ) -> Result<Expression> {
        if let ast::ExpressionKind::Member { base, member } = &callee.without_parentheses().kind
            && let Some(process) = self.process_of(base)?
        {
            let function = self
                .network
                .functions
                .iter()
                .find(|(_, function)| function.owner == Some(process) && function.name == member.text)
                .map(|(id, _)| id);
            return match function {
                Some(function) => self.call_function(function, arguments, span),
                None => {
                    let message = format!("the process has no function `{}`", member.text);
                    self.error(&codes::UNKNOWN_NAME, member.span, message)
                }
            };
        }
        let ast::ExpressionKind::Name(name) = &callee.without_parentheses().kind else {
            return self.error(&codes::TYPE_MISMATCH, callee.span, "only functions can be called");
        };
        match self.scopes.look_up(name).cloned() {
            Some(Symbol::Function(function)) => self.call_function(function, arguments, span),
            Some(Symbol::External { result, parameters }) => {
                self.call_external(result, &parameters, arguments, span)
            }
            Some(Symbol::Faulty) => Err(Reported),
            Some(Symbol::Template(_) | Symbol::Instantiation(_)) => self.error_with_hint(
                &codes::TYPE_MISMATCH,
                span,
                format!("`{name}` is a process, not a function"),
                "add `.` and a location or variable",
            ),
            Some(_) => self.error(&codes::TYPE_MISMATCH, callee.span, format!("`{name}` is not a function")),
            None => match builtins::function_named(name) {
                Some(builtin) => self.call_builtin(builtin, arguments, span),
                None => self.unknown_name(callee.span, name),
            },
        }
    }

    fn call_function(
        &mut self,
        function: FunctionId,
        written: &[ast::Expression],
        span: Span,
    ) -> Result<Expression> {
        let parameters = self.network.functions[function].parameters.clone();
        let name = self.network.functions[function].name.clone();
        let result = self.network.functions[function].result.clone();
        if parameters.len() != written.len() {
            let message = format!(
                "`{name}` takes {}, but {} given",
                count_of(parameters.len(), "argument"),
                if written.len() == 1 { "1 is".to_owned() } else { format!("{} are", written.len()) }
            );
            return self.error(&codes::WRONG_ARGUMENTS, span, message);
        }
        let mut arguments = Vec::with_capacity(written.len());
        for (parameter, written) in parameters.iter().zip(written) {
            let argument = self.expression(written)?;
            if parameter.is_reference {
                let changes = self.function_effects(function).changed_parameters.contains(&parameter.local.0);
                if changes {
                    self.require_assignable(&argument, written.span)?;
                }
                if !can_refer(&parameter.value_type, &argument.value_type) {
                    return self.mismatch(&parameter.value_type, &argument.value_type, written.span);
                }
            } else {
                self.require_value(&parameter.value_type, &argument, written.span)?;
            }
            arguments.push(argument);
        }
        Ok(self.node(ExpressionKind::Call { function, arguments }, result, span))
    }

    fn call_external(
        &mut self,
        result: Type,
        parameters: &[(Type, bool)],
        written: &[ast::Expression],
        span: Span,
    ) -> Result<Expression> {
        if parameters.len() != written.len() {
            let message = format!("the function takes {}", count_of(parameters.len(), "argument"));
            return self.error(&codes::WRONG_ARGUMENTS, span, message);
        }
        for ((parameter, is_reference), written) in parameters.iter().zip(written) {
            let argument = self.expression(written)?;
            if !is_reference && *parameter != Type::Text {
                self.require_value(parameter, &argument, written.span)?;
            }
        }
        self.omit(span, "functions of native libraries");
        Ok(match Value::default_of(&result) {
            Value::Double(value) => self.node(ExpressionKind::Double(value), result, span),
            _ => self.node(ExpressionKind::Integer(0), result, span),
        })
    }

    fn call_builtin(
        &mut self,
        builtin: &'static builtins::BuiltinFunction,
        written: &[ast::Expression],
        span: Span,
    ) -> Result<Expression> {
        if builtin.parameters.len() != written.len() {
            let message =
                format!("`{}` takes {}", builtin.name, count_of(builtin.parameters.len(), "argument"));
            return self.error(&codes::WRONG_ARGUMENTS, span, message);
        }
        let mut arguments = Vec::with_capacity(written.len());
        for (parameter, written) in builtin.parameters.iter().zip(written) {
            let argument = self.expression(written)?;
            self.require_value(&number_type(*parameter), &argument, written.span)?;
            arguments.push(argument);
        }
        let kind = ExpressionKind::CallBuiltin { function: builtin.name, arguments };
        Ok(self.node(kind, number_type(builtin.result), span))
    }

    fn unary(
        &mut self,
        operator: ast::UnaryOperator,
        operand: &ast::Expression,
        span: Span,
    ) -> Result<Expression> {
        if operator == ast::UnaryOperator::Negate
            && let ast::ExpressionKind::Integer(value) = operand.kind
        {
            // The smallest integer is the negation of a number outside the integer range.
            if let Ok(value) = i32::try_from(-value) {
                return Ok(self.integer(value, span));
            }
        }
        let value = self.expression(operand)?;
        match (operator, &value.value_type) {
            (
                ast::UnaryOperator::Plus,
                Type::Integer(_) | Type::Boolean | Type::Double | Type::Clock | Type::ClockDifference,
            ) => Ok(value),
            (ast::UnaryOperator::Negate, Type::Integer(_) | Type::Boolean) => {
                let kind =
                    ExpressionKind::Unary { operator: UnaryOperator::Negate, operand: Box::new(value) };
                Ok(self.node(kind, Type::Integer(Range::WORD), span))
            }
            (ast::UnaryOperator::Negate, Type::Double | Type::Clock | Type::ClockDifference) => {
                self.require_value(&Type::Double, &value, operand.span)?;
                let kind =
                    ExpressionKind::Unary { operator: UnaryOperator::Negate, operand: Box::new(value) };
                Ok(self.node(kind, Type::Double, span))
            }
            (ast::UnaryOperator::Not, Type::Integer(_) | Type::Boolean) => {
                let kind = ExpressionKind::Unary { operator: UnaryOperator::Not, operand: Box::new(value) };
                Ok(self.node(kind, Type::Boolean, span))
            }
            (ast::UnaryOperator::Not, Type::Condition(_)) => {
                let kind = ExpressionKind::Unary { operator: UnaryOperator::Not, operand: Box::new(value) };
                Ok(self.node(kind, Type::Condition(ConditionCategory::Constraint), span))
            }
            _ => {
                let found = self.type_name(&value.value_type);
                self.error(&codes::TYPE_MISMATCH, span, format!("the operator needs a number, found {found}"))
            }
        }
    }

    fn binary(
        &mut self,
        operator: ast::BinaryOperator,
        left: &ast::Expression,
        right: &ast::Expression,
        span: Span,
    ) -> Result<Expression> {
        if operator == ast::BinaryOperator::Equal
            && let Some(rate) = self.rate(left, right, span)?
        {
            return Ok(rate);
        }
        self.warn_about_precedence(operator, left, right, span);
        let (left_value, right_value) = (self.expression(left), self.expression(right));
        let (left_value, right_value) = (left_value?, right_value?);
        match binary_operator(operator) {
            BinaryOperator::Compare(comparison) => self.comparison(comparison, left_value, right_value, span),
            operator @ (BinaryOperator::And
            | BinaryOperator::Or
            | BinaryOperator::Imply
            | BinaryOperator::Xor) => self.connective(operator, left_value, right_value, span),
            operator => self.arithmetic(operator, left_value, right_value, span),
        }
    }

    /// Warns about operators without parentheses whose precedence often surprises readers.
    fn warn_about_precedence(
        &mut self,
        operator: ast::BinaryOperator,
        left: &ast::Expression,
        right: &ast::Expression,
        span: Span,
    ) {
        use ast::BinaryOperator::{BitAnd, BitOr, BitXor, Imply, Or};
        let operator_of = |side: &ast::Expression| match &side.kind {
            ast::ExpressionKind::Binary { operator, .. } => Some(*operator),
            _ => None,
        };
        let is_comparison =
            |operator: ast::BinaryOperator| matches!(binary_operator(operator), BinaryOperator::Compare(_));
        let text = |side: &ast::Expression| self.files.text_at(side.span).to_owned();
        let (message, hint) = match (operator, operator_of(left), operator_of(right)) {
            (Imply, Some(Imply), _) => (
                "`a imply b imply c` means `(a imply b) imply c`",
                format!("write `({}) imply …` or `… imply (… imply …)`", text(left)),
            ),
            (Or, Some(Imply), _) => (
                "`imply` and `or` have the same precedence: `a imply b or c` means `(a imply b) or c`",
                format!(
                    "add parentheses: `({})` before `or`, or around everything after `imply`",
                    text(left)
                ),
            ),
            (BitAnd | BitOr | BitXor, Some(inner), _) | (BitAnd | BitOr | BitXor, _, Some(inner))
                if is_comparison(inner) =>
            {
                ("comparisons bind tighter than bitwise operators", "add parentheses".to_owned())
            }
            (comparison, _, _)
                if is_comparison(comparison)
                    && matches!(
                        &left.kind,
                        ast::ExpressionKind::Unary { operator: ast::UnaryOperator::Not, .. }
                    ) =>
            {
                let whole = text(left);
                let hint = format!("write `({whole})`, or `not (…)` around the comparison");
                ("`not` binds tighter than comparisons: `not x == 1` means `(not x) == 1`", hint)
            }
            _ => return,
        };
        self.warning(&codes::SUSPICIOUS_PRECEDENCE, span, message, hint);
    }

    fn connective(
        &mut self,
        operator: BinaryOperator,
        left: Expression,
        right: Expression,
        span: Span,
    ) -> Result<Expression> {
        use ConditionCategory::Constraint;
        let value_type = match (&left.value_type, &right.value_type) {
            (Type::Integer(_) | Type::Boolean, Type::Integer(_) | Type::Boolean) => Type::Boolean,
            (Type::Condition(left), Type::Condition(right)) => Type::Condition(match operator {
                BinaryOperator::And => (*left).max(*right),
                _ => Constraint,
            }),
            (Type::Integer(_) | Type::Boolean, Type::Condition(category)) => {
                Type::Condition(match operator {
                    BinaryOperator::Xor => Constraint,
                    _ => *category,
                })
            }
            (Type::Condition(category), Type::Integer(_) | Type::Boolean) => {
                Type::Condition(match operator {
                    BinaryOperator::And | BinaryOperator::Or => *category,
                    _ => Constraint,
                })
            }
            (found, _) if !matches!(found, Type::Integer(_) | Type::Boolean | Type::Condition(_)) => {
                let found = self.type_name(found);
                let message = format!("the operator needs conditions, found {found} on the left");
                return self.error(&codes::TYPE_MISMATCH, span, message);
            }
            (_, found) => {
                let found = self.type_name(found);
                let message = format!("the operator needs conditions, found {found} on the right");
                return self.error(&codes::TYPE_MISMATCH, span, message);
            }
        };
        let kind = ExpressionKind::Binary { operator, left: Box::new(left), right: Box::new(right) };
        Ok(self.node(kind, value_type, span))
    }

    pub(super) fn arithmetic(
        &mut self,
        operator: BinaryOperator,
        left: Expression,
        right: Expression,
        span: Span,
    ) -> Result<Expression> {
        let is_clock = |value_type: &Type| matches!(value_type, Type::Clock | Type::ClockDifference);
        let value_type = match (&left.value_type, &right.value_type, operator) {
            (left, right, _) if left.is_integral() && right.is_integral() => Type::Integer(Range::WORD),
            (left, right, operator)
                if is_numeric(operator)
                    && can_assign(&Type::Double, left)
                    && can_assign(&Type::Double, right) =>
            {
                Type::Double
            }
            (clock, offset, BinaryOperator::Add | BinaryOperator::Subtract)
                if is_clock(clock) && can_assign(&Type::Double, offset) =>
            {
                clock.clone()
            }
            (offset, clock, BinaryOperator::Add) if is_clock(clock) && can_assign(&Type::Double, offset) => {
                clock.clone()
            }
            (Type::Clock, Type::Clock, BinaryOperator::Subtract) => Type::ClockDifference,
            (left, right, operator)
                if (is_clock(left) || is_clock(right))
                    && [left, right].iter().all(|side| is_clock(side) || can_assign(&Type::Double, side))
                    && is_numeric(operator) =>
            {
                self.omit(span, "the value of a clock in arithmetic");
                Type::Double
            }
            (left, right, _) if is_clock(left) || is_clock(right) => {
                return self.error_with_hint(
                    &codes::CLOCK_ARITHMETIC,
                    span,
                    "a clock can only be shifted by a number or subtracted from another clock",
                    "compare a clock, or the difference of two clocks, with a number",
                );
            }
            (left, right, _) => {
                let (left, right) = (self.type_name(left), self.type_name(right));
                let message = format!("the operator needs numbers, found {left} and {right}");
                return self.error(&codes::TYPE_MISMATCH, span, message);
            }
        };
        let kind = ExpressionKind::Binary { operator, left: Box::new(left), right: Box::new(right) };
        Ok(self.node(kind, value_type, span))
    }

    pub(super) fn comparison(
        &mut self,
        comparison: Comparison,
        left: Expression,
        right: Expression,
        span: Span,
    ) -> Result<Expression> {
        let is_clock = |value_type: &Type| matches!(value_type, Type::Clock | Type::ClockDifference);
        if is_clock(&left.value_type) || is_clock(&right.value_type) {
            return self.compare_clocks(comparison, left, right, span);
        }
        let is_equality = matches!(comparison, Comparison::Equal | Comparison::NotEqual);
        let are_numbers =
            can_assign(&Type::Double, &left.value_type) && can_assign(&Type::Double, &right.value_type);
        let are_equal_types = left.value_type == right.value_type
            && !matches!(left.value_type, Type::Void | Type::Text | Type::Condition(_))
            && !left.value_type.has_clocks()
            && !left.value_type.has_channels();
        if !(are_numbers || is_equality && are_equal_types) {
            let (left, right) = (self.type_name(&left.value_type), self.type_name(&right.value_type));
            let message = format!("{left} and {right} cannot be compared with `{}`", comparison.symbol());
            return self.error(&codes::TYPE_MISMATCH, span, message);
        }
        let kind = ExpressionKind::Binary {
            operator: BinaryOperator::Compare(comparison),
            left: Box::new(left),
            right: Box::new(right),
        };
        Ok(self.node(kind, Type::Boolean, span))
    }

    fn conditional(
        &mut self,
        condition: &ast::Expression,
        consequence: &ast::Expression,
        alternative: &ast::Expression,
        span: Span,
    ) -> Result<Expression> {
        let test = self.condition(condition)?;
        if matches!(test.value_type, Type::Condition(_)) {
            self.omit(condition.span, "a conditional expression on clocks");
        }
        let condition = test;
        let (then, otherwise) = (self.expression(consequence)?, self.expression(alternative)?);
        let value_type = match (&then.value_type, &otherwise.value_type) {
            (left, right) if left == right => left.clone(),
            (left, right) if left.is_integral() && right.is_integral() => Type::Integer(Range::WORD),
            (left, right) if can_assign(&Type::Double, left) && can_assign(&Type::Double, right) => {
                Type::Double
            }
            (Type::Condition(_) | Type::Boolean, Type::Condition(_) | Type::Boolean) => {
                Type::Condition(ConditionCategory::Constraint)
            }
            (left, right) => {
                let (left, right) = (self.type_name(left), self.type_name(right));
                let message = format!("the branches have different types: {left} and {right}");
                return self.error(&codes::TYPE_MISMATCH, span, message);
            }
        };
        let kind = ExpressionKind::Conditional {
            condition: Box::new(condition),
            then: Box::new(then),
            otherwise: Box::new(otherwise),
        };
        Ok(self.node(kind, value_type, span))
    }

    fn assignment(
        &mut self,
        operator: ast::AssignmentOperator,
        target: &ast::Expression,
        value: &ast::Expression,
        span: Span,
    ) -> Result<Expression> {
        let place = self.expression(target);
        // The value of a hybrid clock does not affect verdicts.
        let is_outer = self.in_statistics;
        self.in_statistics |= place.as_ref().is_ok_and(|place| self.network.is_hybrid(place));
        let new = self.expression(value);
        self.in_statistics = is_outer;
        let (place, new) = (place?, new?);
        self.require_assignable(&place, target.span)?;
        let operator = assignment_operator(operator);
        let is_allowed = match (operator, &place.value_type) {
            (None, Type::Clock) => {
                new.value_type == Type::Clock || can_assign(&Type::Double, &new.value_type)
            }
            (Some(_), Type::Clock) => {
                return self.error_with_hint(
                    &codes::CLOCK_ARITHMETIC,
                    span,
                    "a clock cannot be increased or decreased",
                    "set the clock to an integer, as in `x = 0`",
                );
            }
            (None, Type::Double) => self.require_value(&Type::Double, &new, value.span).is_ok(),
            (None, wanted) => can_assign(wanted, &new.value_type),
            (Some(_), Type::Double) => can_assign(&Type::Double, &new.value_type),
            (Some(_), wanted) => wanted.is_integral() && new.value_type.is_integral(),
        };
        if !is_allowed {
            return self.mismatch(&place.value_type, &new.value_type, value.span);
        }
        let value_type = place.value_type.clone();
        let kind = ExpressionKind::Assign { operator, target: Box::new(place), value: Box::new(new) };
        Ok(self.node(kind, value_type, span))
    }

    fn quantified(
        &mut self,
        quantifier: ast::Quantifier,
        binding: &ast::Binding,
        body: &ast::Expression,
        span: Span,
    ) -> Result<Expression> {
        let quantifier = match quantifier {
            ast::Quantifier::Forall | ast::Quantifier::Foreach => Quantifier::ForAll,
            ast::Quantifier::Exists => Quantifier::Exists,
            ast::Quantifier::Sum => Quantifier::Sum,
        };
        if let ast::BaseType::Named(name) = &binding.domain.base
            && let Some(Symbol::Template(_)) = self.scopes.look_up(&name.text)
        {
            self.omit(span, "dynamic templates");
            return Ok(self.node(ExpressionKind::Integer(1), Type::Boolean, span));
        }
        if self.in_query && self.mentions_process_family(body) {
            return self.expanded_quantifier(quantifier, binding, body, span);
        }
        self.scoped(|elaborator| {
            let binder = elaborator.binder(binding)?;
            let body_value = elaborator.condition(body)?;
            let value_type = match (&body_value.value_type, quantifier) {
                (Type::Condition(category), Quantifier::ForAll) => Type::Condition(*category),
                (Type::Condition(_), Quantifier::Exists) => Type::Condition(ConditionCategory::Constraint),
                (Type::Condition(_), Quantifier::Sum) => {
                    return elaborator.mismatch(
                        &Type::Integer(Range::WORD),
                        &body_value.value_type,
                        body.span,
                    );
                }
                (_, Quantifier::Sum) => Type::Integer(Range::WORD),
                _ => Type::Boolean,
            };
            let kind = ExpressionKind::Quantified { quantifier, binder, body: Box::new(body_value) };
            Ok(elaborator.node(kind, value_type, span))
        })
    }

    /// Binds a name in the innermost scope.
    pub(super) fn binder(&mut self, binding: &ast::Binding) -> Result<Binder> {
        let domain = self.index_type(&binding.domain)?;
        let local = self.fresh_local();
        let value_type = domain.element_type();
        self.declare(&binding.name, Symbol::Local { local, value_type, is_constant: true })?;
        let origin = self.written(binding.span);
        Ok(Binder { name: binding.name.text.clone(), local, domain, origin })
    }

    pub(super) fn fresh_local(&mut self) -> LocalId {
        let local = LocalId(self.bound_names);
        self.bound_names += 1;
        local
    }

    pub(super) fn mismatch<T>(&mut self, wanted: &Type, found: &Type, span: Span) -> Result<T> {
        let (wanted, found) = (self.type_name(wanted), self.type_name(found));
        self.error(&codes::TYPE_MISMATCH, span, format!("expected {wanted}, found {found}"))
    }

    /// Reports an error unless the expression can be assigned to a variable of the type. A clock can be converted to a
    /// floating point number, but the network cannot represent that.
    pub(super) fn require_value(&mut self, wanted: &Type, found: &Expression, span: Span) -> Result<()> {
        if can_assign(wanted, &found.value_type) {
            return Ok(());
        }
        if *wanted == Type::Double && matches!(found.value_type, Type::Clock | Type::ClockDifference) {
            self.omit(span, "the value of a clock as a number");
            return Ok(());
        }
        self.mismatch(wanted, &found.value_type, span)
    }

    /// Reports an error unless the expression can be assigned to.
    pub(super) fn require_assignable(&mut self, target: &Expression, span: Span) -> Result<()> {
        match &target.kind {
            ExpressionKind::Variable(variable) => {
                let variable = &self.network.variables[*variable];
                if variable.kind == VariableKind::Constant {
                    let message = format!("`{}` is constant", variable.name);
                    return self.error(&codes::NOT_ASSIGNABLE, span, message);
                }
                Ok(())
            }
            ExpressionKind::Local(local) => {
                if self.scopes.is_constant_local(*local) {
                    let message = "a bound or constant name cannot be assigned to";
                    return self.error(&codes::NOT_ASSIGNABLE, span, message);
                }
                Ok(())
            }
            ExpressionKind::Element { array: whole, .. } | ExpressionKind::Field { record: whole, .. } => {
                self.require_assignable(whole, span)
            }
            ExpressionKind::Conditional { then, otherwise, .. } => {
                self.require_assignable(then, span)?;
                self.require_assignable(otherwise, span)
            }
            ExpressionKind::Assign { target, .. }
            | ExpressionKind::Step { target, is_postfix: false, .. } => self.require_assignable(target, span),
            _ => self.error_with_hint(
                &codes::NOT_ASSIGNABLE,
                span,
                "this expression cannot be assigned to",
                "assign to a variable, an array element or a record field",
            ),
        }
    }

    /// Returns the name of a type in messages.
    pub(super) fn type_name(&self, value_type: &Type) -> String {
        match value_type {
            Type::Integer(_) => "an integer".to_owned(),
            Type::Boolean => "a truth value".to_owned(),
            Type::Double => "a floating point number".to_owned(),
            Type::Text => "a string".to_owned(),
            Type::Clock => "a clock".to_owned(),
            Type::ClockDifference => "a difference of clocks".to_owned(),
            Type::Channel(_) => "a channel".to_owned(),
            Type::Scalar(_) => "a scalar".to_owned(),
            Type::Array(array) => format!("an array of {} elements", array.index.size()),
            Type::Record(_) => "a record".to_owned(),
            Type::Void => "no value".to_owned(),
            Type::Condition(_) => "a clock condition".to_owned(),
        }
    }
}

/// Returns whether a value of the second type may be assigned to a variable of the first.
pub(super) fn can_assign(target: &Type, value: &Type) -> bool {
    match (target, value) {
        (Type::Integer(_) | Type::Boolean | Type::Double, Type::Integer(_) | Type::Boolean)
        | (Type::Double, Type::Double) => true,
        (Type::Clock | Type::Channel(_) | Type::Void | Type::Condition(_) | Type::ClockDifference, _) => {
            false
        }
        (target, value) => target == value && !target.has_channels(),
    }
}

/// Returns whether a reference parameter of the first type may refer to a variable of the second.
pub(super) fn can_refer(parameter: &Type, argument: &Type) -> bool {
    match (parameter, argument) {
        // The declaration of a channel decides whether it is urgent or broadcast, not the parameter.
        (Type::Integer(_) | Type::Boolean, Type::Integer(_) | Type::Boolean)
        | (Type::Channel(_), Type::Channel(_)) => true,
        (Type::Array(parameter), Type::Array(argument)) => {
            parameter.index.size() == argument.index.size()
                && can_refer(&parameter.element, &argument.element)
        }
        (parameter, argument) => parameter == argument,
    }
}

/// Returns whether the operator is defined for floating point numbers.
fn is_numeric(operator: BinaryOperator) -> bool {
    matches!(
        operator,
        BinaryOperator::Add
            | BinaryOperator::Subtract
            | BinaryOperator::Multiply
            | BinaryOperator::Divide
            | BinaryOperator::Remainder
            | BinaryOperator::Power
            | BinaryOperator::Minimum
            | BinaryOperator::Maximum
    )
}

fn number_type(kind: NumberKind) -> Type {
    match kind {
        NumberKind::Integer => Type::Integer(Range::WORD),
        NumberKind::Double => Type::Double,
    }
}

fn count_of(count: usize, what: &str) -> String {
    if count == 1 { format!("1 {what}") } else { format!("{count} {what}s") }
}
