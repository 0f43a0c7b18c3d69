//! Compilation of floating point expressions to register code.
//!
//! Invariant: a number is in two consecutive registers; operands are evaluated in the order of the reference semantics.

use tempora_model::{BinaryOperator, Expression, ExpressionKind, Quantifier, Type, UnaryOperator};
use tempora_source::Origin;

use super::addresses::CellAddress;
use super::routine::{Compiled, RoutineCompiler};
use crate::code::{Instruction, Register, SiteDetail};
use crate::doubles::{Function, arithmetic, to_cells};
use crate::failure::Declined;
use crate::layout::PartKind;

impl RoutineCompiler<'_, '_> {
    /// Evaluates a number into new registers.
    pub(super) fn double(&mut self, expression: &Expression) -> Compiled<Register> {
        let target = self.fresh(2, expression.origin)?;
        self.double_into(expression, target)?;
        Ok(target)
    }

    /// Evaluates a number; converts an integer to a floating point number.
    pub(super) fn double_into(&mut self, expression: &Expression, target: Register) -> Compiled<()> {
        let mark = self.next;
        if expression.value_type == Type::Double {
            self.double_into_unmarked(expression, target)?;
        } else {
            let source = self.value(expression)?;
            self.emit(Instruction::ToDouble { target, source });
        }
        self.next = mark;
        Ok(())
    }

    fn double_into_unmarked(&mut self, expression: &Expression, target: Register) -> Compiled<()> {
        let origin = expression.origin;
        match &expression.kind {
            ExpressionKind::Double(value) => self.double_constant(*value, target),
            // An integer literal of floating point type.
            ExpressionKind::Integer(value) => self.double_constant(f64::from(*value), target),
            ExpressionKind::Variable(_)
            | ExpressionKind::Local(_)
            | ExpressionKind::Element { .. }
            | ExpressionKind::Field { .. } => {
                if self.is_unread(expression) {
                    return Err(Declined::new("a floating point variable that only the query reads", origin));
                }
                let place = self.locate(expression, PartKind::Data)?;
                self.load_double(place, target, origin)?;
            }
            ExpressionKind::Unary { operator: UnaryOperator::Negate, operand } => {
                self.double_into(operand, target)?;
                self.emit(Instruction::NegateDouble { target, source: target });
            }
            ExpressionKind::Binary { operator, left, right } => {
                let first = self.double(left)?;
                let second = self.double(right)?;
                self.double_binary(*operator, target, first, second, origin)?;
            }
            ExpressionKind::Conditional { condition, then, otherwise } => {
                let chosen = self.value(condition)?;
                let to_otherwise = self.emit(Instruction::JumpIfZero { register: chosen, to: 0 });
                self.double_into(then, target)?;
                let to_end = self.emit(Instruction::Jump { to: 0 });
                self.patch_jump(to_otherwise);
                self.double_into(otherwise, target)?;
                self.patch_jump(to_end);
            }
            ExpressionKind::Assign { .. } => {
                let place = self.assign(expression)?;
                self.load_double(place, target, origin)?;
            }
            ExpressionKind::Step { target: assigned, amount, is_postfix } => {
                let place = self.locate(assigned, PartKind::Data)?;
                let old = self.fresh(2, origin)?;
                let new = self.fresh(2, origin)?;
                self.load_double(place, old, origin)?;
                self.double_constant(f64::from(*amount), new);
                self.double_binary(BinaryOperator::Add, new, old, new, origin)?;
                self.store_double(place, new, origin)?;
                self.move_double(target, if *is_postfix { old } else { new });
            }
            ExpressionKind::Call { function, arguments } => {
                let frame = self.call(*function, arguments, origin)?;
                self.move_double(target, frame);
            }
            ExpressionKind::CallBuiltin { function, arguments } => {
                let result = self.mathematics(function, arguments, origin)?;
                self.move_double(target, result);
            }
            ExpressionKind::Quantified { quantifier: Quantifier::Sum, binder, body } => {
                let sum = self.fresh(2, origin)?;
                self.double_constant(0.0, sum);
                self.for_each(binder, |compiler| {
                    let term = compiler.double(body)?;
                    compiler.double_binary(BinaryOperator::Add, sum, sum, term, origin)
                })?;
                self.move_double(target, sum);
            }
            _ => return Err(Declined::new("this form of floating point expression", origin)),
        }
        Ok(())
    }

    /// Compiles an assignment of a number and returns its target.
    pub(super) fn assign_double(
        &mut self,
        operator: Option<BinaryOperator>,
        target: &Expression,
        value: &Expression,
        origin: Origin,
    ) -> Compiled<CellAddress> {
        let new = self.double(value)?;
        let place = self.locate(target, PartKind::Data)?;
        if let Some(operator) = operator {
            let old = self.fresh(2, origin)?;
            self.load_double(place, old, origin)?;
            self.double_binary(operator, new, old, new, origin)?;
        }
        if !self.is_unread(target) {
            self.store_double(place, new, origin)?;
        }
        Ok(place)
    }

    /// Compiles a call of a mathematical function; the result is in new registers, an integer in the first of them.
    pub(super) fn mathematics(
        &mut self,
        name: &str,
        arguments: &[Expression],
        origin: Origin,
    ) -> Compiled<Register> {
        let Some(function) = Function::named(name) else {
            return Err(Declined::new(format!("the floating point function `{name}`"), origin));
        };
        let result = self.fresh(2, origin)?;
        let first = self.fresh(function.argument_cells(), origin)?;
        let mut register = first;
        for (position, argument) in arguments.iter().enumerate() {
            if position == 1 && matches!(function, Function::WithInteger(_)) {
                self.value_into(argument, register)?;
                register += 1;
            } else {
                self.double_into(argument, register)?;
                register += 2;
            }
        }
        if u32::from(register - first) != function.argument_cells() {
            return Err(Declined::new("a call with a wrong number of arguments", origin));
        }
        let number = self.builder.mathematics.len() as u16;
        if usize::from(number) != self.builder.mathematics.len() {
            return Err(Declined::new("too many calls of mathematical functions", origin));
        }
        self.builder.mathematics.push(function);
        let site = self.site(origin, SiteDetail::None);
        self.emit(Instruction::CallMathematics { function: number, target: result, arguments: first, site });
        Ok(result)
    }

    /// Returns whether an expression is an unread variable.
    pub(super) fn is_unread(&self, expression: &Expression) -> bool {
        match expression.kind {
            ExpressionKind::Variable(variable) => {
                expression.value_type == Type::Double && self.builder.layout.is_unread(variable)
            }
            _ => false,
        }
    }

    fn double_binary(
        &mut self,
        operator: BinaryOperator,
        target: Register,
        left: Register,
        right: Register,
        origin: Origin,
    ) -> Compiled<()> {
        if arithmetic(operator, 1.0, 1.0).is_none() {
            return Err(Declined::new("this operator on floating point numbers", origin));
        }
        self.emit(Instruction::BinaryDouble { operator, target, left, right });
        Ok(())
    }

    fn double_constant(&mut self, value: f64, target: Register) {
        let [low, high] = to_cells(value);
        self.emit(Instruction::Constant { target, value: low });
        self.emit(Instruction::Constant { target: target + 1, value: high });
    }

    fn load_double(&mut self, place: CellAddress, target: Register, origin: Origin) -> Compiled<()> {
        let second = self.moved(place, 1, origin)?;
        self.load(place, target);
        self.load(second, target + 1);
        Ok(())
    }

    fn store_double(&mut self, place: CellAddress, source: Register, origin: Origin) -> Compiled<()> {
        let second = self.moved(place, 1, origin)?;
        self.store(place, source);
        self.store(second, source + 1);
        Ok(())
    }

    fn move_double(&mut self, target: Register, source: Register) {
        self.emit(Instruction::Move { target, source });
        self.emit(Instruction::Move { target: target + 1, source: source + 1 });
    }
}
