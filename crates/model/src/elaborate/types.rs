//! Elaborates types: evaluates ranges and sizes, and resolves names.
//!
//! Invariant: a returned type has non-empty ranges and arrays of at least one element.

use std::sync::Arc;

use tempora_source::Span;

use super::scope::Symbol;
use super::{CELL_LIMIT, Elaborator, PART_LIMIT, Reported, Result, cell_limit, limit_hint};
use crate::codes::meaning as codes;
use crate::network::ScalarSet;
use crate::types::{ArrayType, ChannelKind, Field, IndexType, Range, RecordType, Type};
use tempora_syntax::ast::{
    self, ArrayDimension, ArrayDimensionKind, BaseType, TypeExpression, TypePrefixKind,
};

/// The prefixes of a type that apply to the variable.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Prefixes {
    pub(super) is_constant: bool,
    pub(super) is_meta: bool,
    pub(super) is_hybrid: bool,
}

impl<'model> Elaborator<'model> {
    /// Elaborates a type and its prefixes.
    pub(super) fn type_with_prefixes(&mut self, written: &TypeExpression) -> Result<(Type, Prefixes)> {
        let mut value_type = self.base_type(written)?;
        let mut prefixes = Prefixes::default();
        for prefix in &written.prefixes {
            match (prefix.kind, &mut value_type) {
                (TypePrefixKind::Const, Type::Clock | Type::Channel(_) | Type::Void) => {
                    return self.error(
                        &codes::TYPE_MISMATCH,
                        prefix.span,
                        "clocks and channels cannot be constant",
                    );
                }
                (TypePrefixKind::Const, _) => prefixes.is_constant = true,
                (TypePrefixKind::Meta, Type::Clock | Type::Channel(_) | Type::Void) => {
                    return self.error(
                        &codes::TYPE_MISMATCH,
                        prefix.span,
                        "only data variables can be `meta`",
                    );
                }
                (TypePrefixKind::Meta, _) => prefixes.is_meta = true,
                (TypePrefixKind::Hybrid, Type::Clock) => prefixes.is_hybrid = true,
                (TypePrefixKind::Urgent, Type::Channel(kind)) => kind.is_urgent = true,
                (TypePrefixKind::Broadcast, Type::Channel(kind)) => kind.is_broadcast = true,
                (TypePrefixKind::Hybrid, _) => {
                    return self.error(&codes::TYPE_MISMATCH, prefix.span, "only clocks can be `hybrid`");
                }
                (TypePrefixKind::Urgent | TypePrefixKind::Broadcast, _) => {
                    return self.error(
                        &codes::TYPE_MISMATCH,
                        prefix.span,
                        "only channels can be `urgent` or `broadcast`",
                    );
                }
            }
        }
        prefixes.is_hybrid |= value_type.is_hybrid();
        Ok((value_type, prefixes))
    }

    fn base_type(&mut self, written: &TypeExpression) -> Result<Type> {
        match &written.base {
            BaseType::Integer => Ok(Type::Integer(Range::DEFAULT)),
            BaseType::BoundedInteger { lower, upper } => {
                let lower_value = self.constant_integer(lower);
                let (least, greatest) = (lower_value?, self.constant_integer(upper)?);
                if least > greatest {
                    let message = format!("the range from {least} to {greatest} is empty");
                    self.warning(&codes::EMPTY_RANGE, written.span, message, "write the lower bound first");
                    self.omit(written.span, "empty ranges");
                }
                Ok(Type::Integer(Range { least, greatest: greatest.max(least) }))
            }
            BaseType::Boolean => Ok(Type::Boolean),
            BaseType::Double => Ok(Type::Double),
            BaseType::Text => Ok(Type::Text),
            BaseType::Clock => Ok(Type::Clock),
            BaseType::Channel => Ok(Type::Channel(ChannelKind::default())),
            BaseType::Void => Ok(Type::Void),
            BaseType::Scalar { size } => {
                let count = self.constant_integer(size)?;
                let Some(size) = u32::try_from(count).ok().filter(|&size| size > 0) else {
                    return self.error(
                        &codes::EMPTY_RANGE,
                        size.span,
                        format!("a scalar set cannot have {count} elements"),
                    );
                };
                Ok(Type::Scalar(self.network_mut().scalar_sets.push(ScalarSet { name: None, size })))
            }
            BaseType::Struct { fields } => self.record_type(fields, written.span),
            BaseType::Named(name) => self.named_type(name),
            BaseType::Error => Err(Reported),
        }
    }

    fn record_type(&mut self, written: &[ast::StructField], span: Span) -> Result<Type> {
        let mut fields: Vec<Field> = Vec::new();
        let (mut has_clocks, mut has_ordinary_clocks) = (false, false);
        for field in written {
            let (field_type, prefixes) = self.type_with_prefixes(&field.field_type)?;
            has_clocks |= field_type.has_clocks();
            has_ordinary_clocks |= field_type.has_clocks() && !prefixes.is_hybrid;
            for declarator in &field.declarators {
                let field_type = self.with_dimensions(field_type.clone(), &declarator.dimensions)?;
                if fields.iter().any(|other| other.name == declarator.name.text) {
                    let message = format!("`{}` is declared twice", declarator.name.text);
                    return self.error(&codes::DUPLICATE_NAME, declarator.name.span, message);
                }
                fields.push(Field { name: declarator.name.text.clone(), field_type });
            }
        }
        let is_hybrid = has_clocks && !has_ordinary_clocks;
        self.within_limits(Type::Record(Arc::new(RecordType { fields, is_hybrid })), "a record", span)
    }

    /// Returns the type unless it is too large. Every type of several parts goes through here, so that no traversal of
    /// a type takes long.
    fn within_limits(&mut self, value_type: Type, what: &str, span: Span) -> Result<Type> {
        if value_type.parts_up_to(PART_LIMIT + 1) > PART_LIMIT {
            let message = format!("{what} of more than {PART_LIMIT} parts is too large");
            let hint = "nest fewer records, or use arrays";
            return self.error_with_hint(&codes::TOO_LARGE, span, message, hint);
        }
        let (cells, limit) = (value_type.cells(), cell_limit());
        if cells > limit {
            let message = format!("{what} of {cells} values is too large");
            let hint = limit_hint(limit, "values", CELL_LIMIT);
            return self.error_with_hint(&codes::TOO_LARGE, span, message, hint);
        }
        Ok(value_type)
    }

    fn named_type(&mut self, name: &ast::Name) -> Result<Type> {
        match self.scopes.look_up(&name.text) {
            Some(Symbol::Type(value_type)) => Ok(value_type.clone()),
            Some(Symbol::Faulty) => Err(Reported),
            Some(_) => self.error(&codes::NOT_A_TYPE, name.span, format!("`{}` is not a type", name.text)),
            None => match built_in_type(&name.text) {
                Some(value_type) => Ok(value_type),
                None => self.unknown_name(name.span, &name.text),
            },
        }
    }

    /// Returns the type of a variable with these dimensions and elements of the given type.
    pub(super) fn with_dimensions(&mut self, element: Type, dimensions: &[ArrayDimension]) -> Result<Type> {
        let mut value_type = element;
        for dimension in dimensions.iter().rev() {
            let index = self.dimension(dimension)?;
            let array = Type::Array(Arc::new(ArrayType { element: value_type, index }));
            value_type = self.within_limits(array, "an array", dimension.span)?;
        }
        Ok(value_type)
    }

    fn dimension(&mut self, dimension: &ArrayDimension) -> Result<IndexType> {
        let size = match &dimension.kind {
            ArrayDimensionKind::Index(index) => return self.index_type(index),
            ArrayDimensionKind::Size(size) => size,
        };
        // A name between the brackets may denote a type.
        if let ast::ExpressionKind::Name(name) = &size.kind {
            let named = match self.scopes.look_up(name) {
                Some(Symbol::Type(value_type)) => Some(value_type.clone()),
                Some(_) => None,
                None => built_in_type(name),
            };
            if let Some(value_type) = named {
                return self.index_of_type(&value_type, size.span);
            }
        }
        let count = self.constant_integer(size)?;
        if count < 1 {
            return self.error(
                &codes::EMPTY_RANGE,
                size.span,
                format!("an array cannot have {count} elements"),
            );
        }
        Ok(IndexType::Range(Range { least: 0, greatest: count - 1 }))
    }

    /// Elaborates the type over which a bound name or an index ranges.
    pub(super) fn index_type(&mut self, written: &TypeExpression) -> Result<IndexType> {
        let (value_type, _) = self.type_with_prefixes(written)?;
        self.index_of_type(&value_type, written.span)
    }

    pub(super) fn index_of_type(&mut self, value_type: &Type, span: Span) -> Result<IndexType> {
        match value_type {
            Type::Integer(range) => Ok(IndexType::Range(*range)),
            Type::Boolean => Ok(IndexType::Range(Range { least: 0, greatest: 1 })),
            Type::Scalar(set) => {
                Ok(IndexType::Scalars { set: *set, size: self.network.scalar_sets[*set].size })
            }
            _ => self.error(&codes::TYPE_MISMATCH, span, "expected a range of integers or a scalar set"),
        }
    }
}

/// Returns the built-in type with this name.
fn built_in_type(name: &str) -> Option<Type> {
    let (least, greatest) = match name {
        "int8_t" => (i32::from(i8::MIN), i32::from(i8::MAX)),
        "uint8_t" => (0, i32::from(u8::MAX)),
        "int16_t" => (i32::from(i16::MIN), i32::from(i16::MAX)),
        "uint16_t" => (0, i32::from(u16::MAX)),
        "int32_t" => (i32::MIN, i32::MAX),
        _ => return None,
    };
    Some(Type::Integer(Range { least, greatest }))
}
