//! First values of variables.
//!
//! Invariant: a value that is returned fits its type, part by part.

use tempora_source::Span;

use super::expressions::can_assign;
use super::{Elaborator, Result};
use crate::codes::meaning as codes;
use crate::evaluate::converted;
use crate::syntax::ast::{self, FieldInitialiser, Initialiser, InitialiserKind};
use crate::types::{RecordType, Type, Value};

impl Elaborator<'_> {
    /// The constant value that an initialiser gives to a variable of the type.
    pub(super) fn initial_value(&mut self, written: &Initialiser, value_type: &Type) -> Result<Value> {
        match (&written.kind, value_type) {
            (InitialiserKind::Expression(expression), _) => self.constant_of_type(expression, value_type),
            (InitialiserKind::List(items), Type::Array(array)) => {
                let size = array.index.size() as usize;
                if items.len() > size {
                    let message =
                        format!("the array has {size} elements, but {} values are given", items.len());
                    return self.error(&codes::WRONG_ARGUMENTS, written.span, message);
                }
                if items.len() < size {
                    self.missing_values(written.span, size - items.len());
                }
                let mut values = Vec::with_capacity(size);
                for item in items {
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
                let message = format!("a list of values cannot be given to {found}");
                self.error(&codes::TYPE_MISMATCH, written.span, message)
            }
        }
    }

    /// The value of a constant expression, as a variable of the type holds it.
    pub(super) fn constant_of_type(&mut self, written: &ast::Expression, value_type: &Type) -> Result<Value> {
        let typed = self.expression(written)?;
        // Scalars cannot be told apart by a model, but a constant has to be one of them: the text form numbers them.
        let numbers_scalar = matches!(value_type, Type::Scalar(_)) && typed.value_type.is_integral();
        if !can_assign(value_type, &typed.value_type) && !numbers_scalar {
            return self.mismatch(value_type, &typed.value_type, written.span);
        }
        let value = self.constant(&typed)?;
        if let (Type::Scalar(set), Value::Integer(number)) = (value_type, &value) {
            let size = self.network.scalar_sets[*set].size;
            if u32::try_from(*number).is_ok_and(|number| number < size) {
                return Ok(value);
            }
            let message = format!("there are {size} scalars, numbered from 0");
            return self.error(&codes::CONSTANT_ERROR, written.span, message);
        }
        match converted(value, value_type, typed.origin) {
            Ok(value) => Ok(value),
            Err(failure) => self.report_constant_failure(&failure, typed.origin),
        }
    }

    fn record_value(&mut self, items: &[FieldInitialiser], record: &RecordType, span: Span) -> Result<Value> {
        let mut values: Vec<Option<Value>> = vec![None; record.fields.len()];
        for (position, item) in items.iter().enumerate() {
            let field = match &item.field {
                Some(name) => record.fields.iter().position(|field| field.name == name.text),
                None => Some(position).filter(|&position| position < record.fields.len()),
            };
            let Some(field) = field else {
                return self.error(&codes::UNKNOWN_NAME, item.span, "the record has no such field");
            };
            if values[field].is_some() {
                let message = format!("the field `{}` is given twice", record.fields[field].name);
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
            format!("{values} not given"),
            "they start as zero. Write them out, so that a reader sees it",
        );
    }
}
