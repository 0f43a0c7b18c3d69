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
pub(crate) enum CellAddress {
    Cell(u32),
    Frame(Register),
    Address(Register),
    /// An address passed as a parameter; the range of the variable behind it is unknown here.
    Reference(Register),
}

impl RoutineCompiler<'_, '_> {
    /// Compiles the place of a variable, a bound variable or a part of one.
    pub(crate) fn locate(&mut self, expression: &Expression, kind: PartKind) -> Compiled<CellAddress> {
        let origin = expression.origin;
        match &expression.kind {
            ExpressionKind::Variable(variable) => {
                if self.builder.network.variables.get(*variable).is_none() {
                    return Err(Declined::new("an unknown variable", origin));
                }
                Ok(CellAddress::Cell(self.builder.layout.first(*variable, kind)))
            }
            ExpressionKind::Local(local) => Ok(match self.local(*local, origin)? {
                LocalSlot::Value(register) => CellAddress::Frame(register),
                LocalSlot::Reference(register) => CellAddress::Reference(register),
            }),
            ExpressionKind::Element { array, index } => {
                let whole = match &array.kind {
                    ExpressionKind::Call { function, arguments } => {
                        CellAddress::Frame(self.call(*function, arguments, array.origin)?)
                    }
                    _ => self.locate(array, kind)?,
                };
                self.element(whole, array, index, kind)
            }
            ExpressionKind::Field { record, field } => {
                let whole = match &record.kind {
                    ExpressionKind::Call { function, arguments } => {
                        CellAddress::Frame(self.call(*function, arguments, record.origin)?)
                    }
                    _ => self.locate(record, kind)?,
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
                let place = self.locate(then, kind)?;
                let mut is_reference = matches!(place, CellAddress::Reference(_));
                let address = self.address(place, origin)?;
                self.emit(Instruction::Move { target: result, source: address });
                let to_end = self.emit(Instruction::Jump { to: 0 });
                self.patch_jump(to_otherwise);
                let place = self.locate(otherwise, kind)?;
                is_reference |= matches!(place, CellAddress::Reference(_));
                let address = self.address(place, origin)?;
                self.emit(Instruction::Move { target: result, source: address });
                self.patch_jump(to_end);
                Ok(if is_reference { CellAddress::Reference(result) } else { CellAddress::Address(result) })
            }
            ExpressionKind::Assign { .. } => self.assign(expression),
            ExpressionKind::Step { target, is_postfix: false, .. } => {
                self.value(expression)?;
                self.locate(target, kind)
            }
            _ => Err(Declined::new("an expression used as a variable", origin)),
        }
    }

    fn element(
        &mut self,
        whole: CellAddress,
        array: &Expression,
        index: &Expression,
        kind: PartKind,
    ) -> Compiled<CellAddress> {
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
        let is_reference = matches!(whole, CellAddress::Reference(_));
        let base = self.address(whole, array.origin)?;
        let index_value = self.value(index)?;
        let target = self.fresh(1, index.origin)?;
        let site = self.site(index.origin, SiteDetail::Index { range, size });
        self.emit(Instruction::Index { target, base, index: index_value, site });
        Ok(if is_reference { CellAddress::Reference(target) } else { CellAddress::Address(target) })
    }

    pub(super) fn moved(&mut self, place: CellAddress, offset: u32, origin: Origin) -> Compiled<CellAddress> {
        Ok(match place {
            CellAddress::Cell(cell) => CellAddress::Cell(cell.saturating_add(offset)),
            CellAddress::Frame(register) => CellAddress::Frame(register.saturating_add(offset as Register)),
            CellAddress::Address(_) | CellAddress::Reference(_) if offset == 0 => place,
            CellAddress::Address(address) | CellAddress::Reference(address) => {
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
                if matches!(place, CellAddress::Reference(_)) {
                    CellAddress::Reference(target)
                } else {
                    CellAddress::Address(target)
                }
            }
        })
    }

    /// Loads the address of a place, or the number of a clock or channel from 0, into a register.
    pub(crate) fn address(&mut self, place: CellAddress, origin: Origin) -> Compiled<Register> {
        match place {
            CellAddress::Address(register) | CellAddress::Reference(register) => Ok(register),
            CellAddress::Cell(cell) => {
                let target = self.fresh(1, origin)?;
                self.emit(Instruction::Constant { target, value: cell as i32 });
                Ok(target)
            }
            CellAddress::Frame(register) => {
                let target = self.fresh(1, origin)?;
                self.emit(Instruction::FrameAddress { target, register });
                Ok(target)
            }
        }
    }

    pub(super) fn load(&mut self, place: CellAddress, target: Register) {
        self.emit(match place {
            CellAddress::Cell(cell) => Instruction::Load { target, cell },
            CellAddress::Frame(source) => Instruction::Move { target, source },
            CellAddress::Address(address) | CellAddress::Reference(address) => {
                Instruction::LoadIndirect { target, address }
            }
        });
    }

    pub(super) fn store(&mut self, place: CellAddress, source: Register) {
        self.emit(match place {
            CellAddress::Cell(cell) => Instruction::Store { cell, source },
            CellAddress::Frame(target) => Instruction::Move { target, source },
            CellAddress::Address(address) | CellAddress::Reference(address) => {
                Instruction::StoreIndirect { address, source }
            }
        });
    }

    /// Stores a value after a range check for its type; through a reference, for the variable behind it.
    pub(super) fn fit_and_store(
        &mut self,
        place: CellAddress,
        source: Register,
        value_type: &Type,
        origin: Origin,
    ) -> Compiled<()> {
        if let CellAddress::Reference(address) = place {
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
