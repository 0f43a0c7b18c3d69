//! Compilation of statements to register code.
//!
//! Invariant: a local variable keeps its registers until the end of its block, also across loop iterations.

use tempora_model::{LocalInitial, Statement, Type, Value};

use super::routine::{Compiled, LocalSlot, RoutineCompiler, data_size};
use crate::code::{Instruction, Register, SiteDetail};
use crate::failure::FailureKind;
use crate::layout::flatten;

impl RoutineCompiler<'_, '_> {
    pub(crate) fn statements(&mut self, statements: &[Statement]) -> Compiled<()> {
        let mark = self.next;
        for statement in statements {
            self.statement(statement)?;
        }
        self.next = mark;
        Ok(())
    }

    fn statement(&mut self, statement: &Statement) -> Compiled<()> {
        match statement {
            Statement::Declare { local, value_type, initial, origin, .. } => {
                let size = data_size(value_type, *origin)?;
                let register = self.fresh(size, *origin)?;
                match initial {
                    LocalInitial::Constant(value) => self.set_constant(value, value_type, register),
                    LocalInitial::Computed(expression)
                        if matches!(value_type, Type::Array(_) | Type::Record(_)) =>
                    {
                        let mark = self.next;
                        let source = self.block_address(expression)?;
                        let address = self.fresh(1, *origin)?;
                        self.emit(Instruction::FrameAddress { target: address, register });
                        self.emit(Instruction::CopyBlock { target: address, source, size });
                        self.next = mark;
                    }
                    LocalInitial::Computed(expression) if *value_type == Type::Double => {
                        self.double_into(expression, register)?;
                    }
                    LocalInitial::Computed(expression) => {
                        self.value_into(expression, register)?;
                        self.fit(register, value_type, *origin)?;
                    }
                }
                self.bind(*local, LocalSlot::Value(register));
            }
            Statement::Evaluate(expression) => self.effect(expression)?,
            Statement::Block(statements) => self.statements(statements)?,
            Statement::If { condition, then, otherwise } => {
                let mark = self.next;
                let holds = self.value(condition)?;
                self.next = mark;
                let to_otherwise = self.emit(Instruction::JumpIfZero { register: holds, to: 0 });
                self.nested(then)?;
                match otherwise {
                    None => self.patch_jump(to_otherwise),
                    Some(otherwise) => {
                        let to_end = self.emit(Instruction::Jump { to: 0 });
                        self.patch_jump(to_otherwise);
                        self.nested(otherwise)?;
                        self.patch_jump(to_end);
                    }
                }
            }
            Statement::While { condition, body } => {
                let again = self.here();
                let mark = self.next;
                let holds = self.value(condition)?;
                self.next = mark;
                let to_end = self.emit(Instruction::JumpIfZero { register: holds, to: 0 });
                self.nested(body)?;
                let site = self.site(condition.origin, SiteDetail::None);
                self.emit(Instruction::Loop { to: again, site });
                self.patch_jump(to_end);
            }
            Statement::DoWhile { body, condition } => {
                let again = self.here();
                self.nested(body)?;
                let mark = self.next;
                let holds = self.value(condition)?;
                self.next = mark;
                let to_end = self.emit(Instruction::JumpIfZero { register: holds, to: 0 });
                let site = self.site(condition.origin, SiteDetail::None);
                self.emit(Instruction::Loop { to: again, site });
                self.patch_jump(to_end);
            }
            Statement::ForEach { binder, body } => {
                self.for_each(binder, |compiler| compiler.nested(body))?;
            }
            Statement::Return(value, origin) => {
                if let (Some(expression), Some((result, _))) = (value, self.result.clone()) {
                    let mark = self.next;
                    if matches!(result, Type::Array(_) | Type::Record(_)) {
                        let size = data_size(&result, *origin)?;
                        let source = self.block_address(expression)?;
                        let address = self.fresh(1, *origin)?;
                        self.emit(Instruction::FrameAddress { target: address, register: 0 });
                        self.emit(Instruction::CopyBlock { target: address, source, size });
                    } else if result == Type::Double {
                        let number = self.double(expression)?;
                        self.emit(Instruction::Move { target: 0, source: number });
                        self.emit(Instruction::Move { target: 1, source: number + 1 });
                    } else {
                        let value = self.value(expression)?;
                        self.fit(value, &result, *origin)?;
                        self.emit(Instruction::Move { target: 0, source: value });
                    }
                    self.next = mark;
                }
                self.emit(Instruction::Return);
            }
            Statement::Assert(condition) => {
                let mark = self.next;
                let holds = self.value(condition)?;
                self.next = mark;
                let go_on = self.emit(Instruction::JumpIfNotZero { register: holds, to: 0 });
                let site = self.site(condition.origin, SiteDetail::Failure(FailureKind::AssertionFailed));
                self.emit(Instruction::Fail { site });
                self.patch_jump(go_on);
            }
        }
        Ok(())
    }

    /// Compiles a statement with its own scope.
    fn nested(&mut self, statement: &Statement) -> Compiled<()> {
        let mark = self.next;
        self.statement(statement)?;
        self.next = mark;
        Ok(())
    }

    fn set_constant(&mut self, value: &Value, value_type: &Type, register: Register) {
        let mut cells = Vec::new();
        flatten(value, value_type, &mut cells);
        for (offset, value) in cells.into_iter().enumerate() {
            self.emit(Instruction::Constant { target: register + offset as Register, value });
        }
    }
}
