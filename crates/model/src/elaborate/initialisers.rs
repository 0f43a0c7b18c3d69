//! Elaborates the initial values of variables.
//!
//! Invariant: a returned value fits its type, part by part.

use std::collections::BTreeSet;

use tempora_source::Span;

use super::declarations::widened;
use super::expressions::can_assign;
use super::{Elaborator, Result};
use crate::codes::meaning as codes;
use crate::evaluate::{converted, evaluate_constant};
use crate::expression::{Expression, ExpressionKind};
use crate::ids::FunctionId;
use crate::types::{RecordType, Type, Value};
use tempora_syntax::ast::{self, FieldInitialiser, Initialiser, InitialiserKind};

impl Elaborator<'_> {
    /// Evaluates the initialiser of a variable of the type.
    pub(super) fn initial_value(&mut self, written: &Initialiser, value_type: &Type) -> Result<Value> {
        match (&written.kind, value_type) {
            (InitialiserKind::Expression(expression), _) => self.constant_of_type(expression, value_type),
            (InitialiserKind::List(items), Type::Array(array)) => {
                let size = array.index.size() as usize;
                if items.len() > size {
                    self.warning(
                        &codes::MISSING_VALUES,
                        items[size].span,
                        format!("the array has {size} elements, but {} values are given", items.len()),
                        "remove the values from here on; they are not used",
                    );
                }
                if items.len() < size {
                    self.missing_values(written.span, size - items.len());
                }
                let mut values = Vec::with_capacity(size);
                for item in items.iter().take(size) {
                    values.push(self.initial_value(&item.value, &array.element)?);
                }
                values.resize_with(size, || Value::default_of(&array.element));
                Ok(Value::Parts(values))
            }
            (InitialiserKind::List(items), Type::Record(record)) => {
                self.record_value(items, record, written.span)
            }
            (InitialiserKind::List(_), _) => {
                let found = self.type_name(value_type);
                let message = format!("a list of values cannot initialise {found}");
                self.error(&codes::TYPE_MISMATCH, written.span, message)
            }
        }
    }

    /// Checks the initial value of a clock; a value other than zero is not supported.
    pub(super) fn initial_clock(&mut self, written: &Initialiser, value_type: &Type) -> Result<()> {
        if let (InitialiserKind::Expression(expression), Type::Clock) = (&written.kind, value_type) {
            let typed = self.expression(expression)?;
            self.require_value(&Type::Double, &typed, expression.span)?;
            let value = evaluate_constant(&self.network.variables, &self.network.functions, &typed);
            if matches!(value, Ok(Value::Integer(0))) || value == Ok(Value::Double(0.0)) {
                return Ok(());
            }
        }
        self.omit(written.span, "clocks that do not start at zero");
        Ok(())
    }

    /// Evaluates a constant expression and converts it to the type.
    pub(super) fn constant_of_type(&mut self, written: &ast::Expression, value_type: &Type) -> Result<Value> {
        let typed = self.expression(written)?;
        // Scalars have no literals in a model, but a constant needs a value: the text form numbers the scalars.
        let numbers_scalar = matches!(value_type, Type::Scalar(_)) && typed.value_type.is_integral();
        // The value itself has to fit the ranges, not the range of the expression.
        let has_same_shape = widened(value_type) == widened(&typed.value_type);
        if !can_assign(value_type, &typed.value_type) && !numbers_scalar && !has_same_shape {
            return self.mismatch(value_type, &typed.value_type, written.span);
        }
        if *value_type == Type::Text {
            return Ok(Value::None);
        }
        if self.is_random(&typed) {
            self.omit(written.span, "random initial values");
            return Ok(Value::default_of(value_type));
        }
        let value = self.constant(&typed)?;
        if let (Type::Scalar(set), Value::Integer(number)) = (value_type, &value) {
            let size = self.network.scalar_sets[*set].size;
            if u32::try_from(*number).is_ok_and(|number| number < size) {
                return Ok(value);
            }
            let message = format!("the scalar set has {size} elements, numbered from 0");
            return self.error(&codes::CONSTANT_ERROR, written.span, message);
        }
        match converted(value, value_type, typed.origin) {
            Ok(value) => Ok(value),
            Err(failure) => self.report_constant_failure(&failure, typed.origin),
        }
    }

    /// Returns whether the value of the expression is random.
    fn is_random(&self, expression: &Expression) -> bool {
        let mut called = BTreeSet::new();
        let mut waiting = Vec::new();
        let mut is_random_here = |part: &Expression, waiting: &mut Vec<FunctionId>| match &part.kind {
            ExpressionKind::CallBuiltin { function, .. } => function.starts_with("random"),
            ExpressionKind::Call { function, .. } => {
                // Each body is searched once, however many calls lead to it.
                if called.insert(*function) {
                    waiting.push(*function);
                }
                false
            }
            _ => false,
        };
        let mut is_random = expression.any(&mut |part| is_random_here(part, &mut waiting));
        while !is_random && let Some(function) = waiting.pop() {
            let body = &self.network.functions[function].body;
            is_random = body
                .iter()
                .any(|statement| statement.any_expression(&mut |part| is_random_here(part, &mut waiting)));
        }
        is_random
    }

    fn record_value(&mut self, items: &[FieldInitialiser], record: &RecordType, span: Span) -> Result<Value> {
        let mut values: Vec<Option<Value>> = vec![None; record.fields.len()];
        for (position, item) in items.iter().enumerate() {
            let field = match &item.field {
                Some(name) => record.fields.iter().position(|field| field.name == name.text),
                None => Some(position).filter(|&position| position < record.fields.len()),
            };
            let Some(field) = field else {
                return self.error(&codes::UNKNOWN_NAME, item.span, "unknown field of the record");
            };
            if values[field].is_some() {
                let message = format!("the field `{}` is initialised twice", record.fields[field].name);
                return self.error(&codes::DUPLICATE_NAME, item.span, message);
            }
            values[field] = Some(self.initial_value(&item.value, &record.fields[field].field_type)?);
        }
        let missing = values.iter().filter(|value| value.is_none()).count();
        if missing > 0 {
            self.missing_values(span, missing);
        }
        let fields = values.into_iter().zip(&record.fields);
        Ok(Value::Parts(
            fields
                .map(|(value, field)| value.unwrap_or_else(|| Value::default_of(&field.field_type)))
                .collect(),
        ))
    }

    fn missing_values(&mut self, span: Span, count: usize) {
        let values = if count == 1 { "1 value is".to_owned() } else { format!("{count} values are") };
        self.warning(
            &codes::MISSING_VALUES,
            span,
            format!("{values} missing"),
            "write all values; missing ones start as zero",
        );
    }
}
