//! Compilation of assignments to register code.
//!
//! Invariant: the value is evaluated before the target, as in the reference semantics.

use tempora_model::{BinaryOperator, Expression, ExpressionKind, Type};
use tempora_source::Origin;

use super::addresses::CellAddress;
use super::constants::shifted_clock;
use super::routine::{Compiled, RoutineCompiler, data_size, expect_integer};
use crate::code::{Instruction, Register, SiteDetail};
use crate::failure::Declined;
use crate::layout::PartKind;

impl RoutineCompiler<'_, '_> {
    /// Compiles an assignment and returns its target.
    pub(super) fn assign(&mut self, expression: &Expression) -> Compiled<CellAddress> {
        let ExpressionKind::Assign { operator, target, value } = &expression.kind else {
            return Err(Declined::new("this form of assignment", expression.origin));
        };
        let origin = expression.origin;
        if target.value_type == Type::Clock {
            return self.assign_clock(*operator, target, value, origin);
        }
        if matches!(target.value_type, Type::Array(_) | Type::Record(_)) {
            let size = data_size(&target.value_type, origin)?;
            let source = self.block_address(value)?;
            // Via a copy, in case the value is a part of the target.
            let copy = self.fresh(size, origin)?;
            let copy_address = self.fresh(1, origin)?;
            self.emit(Instruction::FrameAddress { target: copy_address, register: copy });
            self.emit(Instruction::CopyBlock { target: copy_address, source, size });
            let place = self.locate(target, PartKind::Data)?;
            let address = self.address(place, origin)?;
            self.emit(Instruction::CopyBlock { target: address, source: copy_address, size });
            if let CellAddress::Reference(address) = place {
                let site = self.site(origin, SiteDetail::None);
                self.emit(Instruction::CheckCells { address, size, site });
            }
            return Ok(place);
        }
        if target.value_type == Type::Double {
            return self.assign_double(*operator, target, value, origin);
        }
        expect_integer(&value.value_type, value.origin)?;
        let new = self.value(value)?;
        let place = self.locate(target, PartKind::Data)?;
        if let Some(operator) = operator {
            let old = self.fresh(1, origin)?;
            self.load(place, old);
            let site = self.site(origin, SiteDetail::None);
            self.emit(Instruction::Binary { operator: *operator, target: new, left: old, right: new, site });
        }
        self.fit_and_store(place, new, &target.value_type, origin)?;
        Ok(place)
    }

    fn assign_clock(
        &mut self,
        operator: Option<BinaryOperator>,
        target: &Expression,
        value: &Expression,
        origin: Origin,
    ) -> Compiled<CellAddress> {
        if operator.is_some() {
            return Err(Declined::new("a clock assignment that reads the old value", origin));
        }
        if self.builder.network.is_hybrid(target) {
            return self.assign_hybrid_clock(target, value);
        }
        if value.value_type == Type::Clock {
            let (value, plus) = shifted_clock(self.builder.network, value)?;
            let from = self.locate(value, PartKind::Clock)?;
            let from = self.clock_number(from, value)?;
            let place = self.locate(target, PartKind::Clock)?;
            let clock = self.clock_number(place, target)?;
            self.emit(Instruction::CopyClock { clock, from, plus });
            return Ok(place);
        }
        expect_integer(&value.value_type, value.origin)?;
        let new = self.value(value)?;
        let place = self.locate(target, PartKind::Clock)?;
        let clock = self.clock_number(place, target)?;
        let site = self.site(origin, SiteDetail::None);
        self.emit(Instruction::ResetClock { clock, value: new, site });
        Ok(place)
    }

    /// Only statistics read hybrid clocks, so nothing is stored; evaluating the value may still fail.
    fn assign_hybrid_clock(&mut self, target: &Expression, value: &Expression) -> Compiled<CellAddress> {
        let depends_on_clocks = value.any(&mut |part| part.value_type == Type::Clock);
        if !depends_on_clocks {
            self.double(value)?;
        } else if value.any(&mut |part| matches!(part.kind, ExpressionKind::Call { .. })) {
            return Err(Declined::new("a function of a hybrid clock", value.origin));
        }
        self.locate(target, PartKind::Clock)
    }

    /// Loads the number of a clock, from 1, into a register.
    pub(crate) fn clock_number(&mut self, place: CellAddress, clock: &Expression) -> Compiled<Register> {
        if self.builder.network.is_hybrid(clock) {
            return Err(Declined::new("a condition on a hybrid clock", clock.origin));
        }
        let number = self.address(place, clock.origin)?;
        let one = self.fresh(1, clock.origin)?;
        self.emit(Instruction::Constant { target: one, value: 1 });
        let site = self.site(clock.origin, SiteDetail::None);
        let target = self.fresh(1, clock.origin)?;
        self.emit(Instruction::Binary {
            operator: BinaryOperator::Add,
            target,
            left: number,
            right: one,
            site,
        });
        Ok(target)
    }
}
