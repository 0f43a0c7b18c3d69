//! Locations of parts of variables, and code that reads and writes them.
//!
//! Invariant: the place is evaluated before the written value is checked; the written value belongs to its type, or to
//! that of the variable behind a reference.

use tempora_model::{BinaryOperator, Expression, ExpressionKind, Range, Type};
use tempora_source::Origin;

use super::constants::constant_value;
use super::routine::{Compiled, LocalSlot, RoutineCompiler, expect_integer};
use crate::code::{Instruction, Register, SiteDetail};
use crate::failure::Declined;
use crate::layout::{PartKind, size_in};

/// The place of a part of a variable; for clocks and channels, cells are their numbers.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Place {
    Cell(u32),
    Frame(Register),
    Address(Register),
    /// An address passed as a parameter; the range of the variable behind it is unknown here.
    Reference(Register),
}

impl RoutineCompiler<'_, '_> {
    /// Compiles the place of a variable, a bound variable or a part of one.
    pub(crate) fn place(&mut self, expression: &Expression, kind: PartKind) -> Compiled<Place> {
        let origin = expression.origin;
        match &expression.kind {
            ExpressionKind::Variable(variable) => {
                if self.builder.network.variables.get(*variable).is_none() {
                    return Err(Declined::new("an unknown variable", origin));
                }
                Ok(Place::Cell(self.builder.layout.first(*variable, kind)))
            }
            ExpressionKind::Local(local) => Ok(match self.local(*local, origin)? {
                LocalSlot::Value(register) => Place::Frame(register),
                LocalSlot::Reference(register) => Place::Reference(register),
            }),
            ExpressionKind::Element { array, index } => {
                let whole = match &array.kind {
                    ExpressionKind::Call { function, arguments } => {
                        Place::Frame(self.call(*function, arguments, array.origin)?)
                    }
                    _ => self.place(array, kind)?,
                };
                self.element(whole, array, index, kind)
            }
            ExpressionKind::Field { record, field } => {
                let whole = match &record.kind {
                    ExpressionKind::Call { function, arguments } => {
                        Place::Frame(self.call(*function, arguments, record.origin)?)
                    }
                    _ => self.place(record, kind)?,
                };
                let Type::Record(record_type) = &record.value_type else {
                    return Err(Declined::new("field access on an expression that is not a record", origin));
                };
                let offset = record_type
                    .fields
                    .iter()
                    .take(*field)
                    .map(|field| size_in(&field.field_type, kind))
                    .sum::<u32>();
                self.moved(whole, offset, origin)
            }
            ExpressionKind::Conditional { condition, then, otherwise } => {
                let result = self.fresh(1, origin)?;
                let chosen = self.value(condition)?;
                let to_otherwise = self.emit(Instruction::JumpIfZero { register: chosen, to: 0 });
                let place = self.place(then, kind)?;
                let mut is_reference = matches!(place, Place::Reference(_));
                let address = self.address(place, origin)?;
                self.emit(Instruction::Move { target: result, source: address });
                let to_end = self.emit(Instruction::Jump { to: 0 });
                self.land(to_otherwise);
                let place = self.place(otherwise, kind)?;
                is_reference |= matches!(place, Place::Reference(_));
                let address = self.address(place, origin)?;
                self.emit(Instruction::Move { target: result, source: address });
                self.land(to_end);
                Ok(if is_reference { Place::Reference(result) } else { Place::Address(result) })
            }
            ExpressionKind::Assign { .. } => self.assign(expression),
            ExpressionKind::Step { target, is_postfix: false, .. } => {
                self.value(expression)?;
                self.place(target, kind)
            }
            _ => Err(Declined::new("an expression used as a variable", origin)),
        }
    }

    fn element(
        &mut self,
        whole: Place,
        array: &Expression,
        index: &Expression,
        kind: PartKind,
    ) -> Compiled<Place> {
        let Type::Array(array_type) = &array.value_type else {
            return Err(Declined::new("indexing of an expression that is not an array", array.origin));
        };
        let size = size_in(&array_type.element, kind);
        if let Some(value) = constant_value(self.builder.network, index)
            && let Some(position) = array_type.index.position(value)
        {
            return self.moved(whole, size.saturating_mul(position as u32), index.origin);
        }
        expect_integer(&index.value_type, index.origin)?;
        let values = array_type.index.values();
        let range = Range { least: *values.start(), greatest: *values.end() };
        let is_reference = matches!(whole, Place::Reference(_));
        let base = self.address(whole, array.origin)?;
        let index_value = self.value(index)?;
        let target = self.fresh(1, index.origin)?;
        let site = self.site(index.origin, SiteDetail::Index { range, size });
        self.emit(Instruction::Index { target, base, index: index_value, site });
        Ok(if is_reference { Place::Reference(target) } else { Place::Address(target) })
    }

    pub(super) fn moved(&mut self, place: Place, offset: u32, origin: Origin) -> Compiled<Place> {
        Ok(match place {
            Place::Cell(cell) => Place::Cell(cell.saturating_add(offset)),
            Place::Frame(register) => Place::Frame(register.saturating_add(offset as Register)),
            Place::Address(_) | Place::Reference(_) if offset == 0 => place,
            Place::Address(address) | Place::Reference(address) => {
                let target = self.fresh(1, origin)?;
                self.emit(Instruction::Constant { target, value: offset as i32 });
                let site = self.site(origin, SiteDetail::None);
                self.emit(Instruction::Binary {
                    operator: BinaryOperator::Add,
                    target,
                    left: address,
                    right: target,
                    site,
                });
                if matches!(place, Place::Reference(_)) {
                    Place::Reference(target)
                } else {
                    Place::Address(target)
                }
            }
        })
    }

    /// Loads the address of a place, or the number of a clock or channel from 0, into a register.
    pub(crate) fn address(&mut self, place: Place, origin: Origin) -> Compiled<Register> {
        match place {
            Place::Address(register) | Place::Reference(register) => Ok(register),
            Place::Cell(cell) => {
                let target = self.fresh(1, origin)?;
                self.emit(Instruction::Constant { target, value: cell as i32 });
                Ok(target)
            }
            Place::Frame(register) => {
                let target = self.fresh(1, origin)?;
                self.emit(Instruction::FrameAddress { target, register });
                Ok(target)
            }
        }
    }

    pub(super) fn load(&mut self, place: Place, target: Register) {
        self.emit(match place {
            Place::Cell(cell) => Instruction::Load { target, cell },
            Place::Frame(source) => Instruction::Move { target, source },
            Place::Address(address) | Place::Reference(address) => {
                Instruction::LoadIndirect { target, address }
            }
        });
    }

    pub(super) fn store(&mut self, place: Place, source: Register) {
        self.emit(match place {
            Place::Cell(cell) => Instruction::Store { cell, source },
            Place::Frame(target) => Instruction::Move { target, source },
            Place::Address(address) | Place::Reference(address) => {
                Instruction::StoreIndirect { address, source }
            }
        });
    }

    /// Stores a value after a range check for its type; through a reference, for the variable behind it.
    pub(super) fn fit_and_store(
        &mut self,
        place: Place,
        source: Register,
        value_type: &Type,
        origin: Origin,
    ) -> Compiled<()> {
        if let Place::Reference(address) = place {
            if *value_type == Type::Boolean {
                self.emit(Instruction::Truth { target: source, source });
            }
            self.store(place, source);
            let site = self.site(origin, SiteDetail::None);
            self.emit(Instruction::CheckCells { address, size: 1, site });
            return Ok(());
        }
        self.fit(source, value_type, origin)?;
        self.store(place, source);
        Ok(())
    }

    /// Emits a range check of a value for a type.
    pub(crate) fn fit(&mut self, register: Register, value_type: &Type, origin: Origin) -> Compiled<()> {
        match value_type {
            Type::Integer(range) if *range != Range::WORD => {
                let site = self.site(origin, SiteDetail::Range(*range));
                self.emit(Instruction::CheckRange { register, site });
            }
            Type::Boolean => {
                self.emit(Instruction::Truth { target: register, source: register });
            }
            Type::Scalar(set) => {
                let size = self.builder.network.scalar_sets.get(*set).map_or(0, |set| set.size);
                let greatest = i32::try_from(size).unwrap_or(i32::MAX) - 1;
                let site = self.site(origin, SiteDetail::Range(Range { least: 0, greatest }));
                self.emit(Instruction::CheckRange { register, site });
            }
            _ => {}
        }
        Ok(())
    }
}
