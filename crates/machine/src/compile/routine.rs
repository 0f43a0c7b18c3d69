//! Compilation of expressions to register code.
//!
//! Invariant: operands are evaluated in the order of the reference semantics, and fail in the same cases with the same
//! origin. An allocated register stays reserved until the previous mark is restored.

use tempora_interrupt::checkpoint;
use tempora_model::{
    BinaryOperator, Binder, Comparison, Expression, ExpressionKind, FunctionId, Id, LocalId, Network,
    Quantifier, Type, UnaryOperator,
};
use tempora_source::Origin;

use super::addresses::CellAddress;
use super::constants::constant_value;
use crate::code::{Instruction, Register, Routine, Site, SiteDetail};
use crate::doubles::Function;
use crate::failure::{Declined, FailureKind};
use crate::layout::{Layout, PartKind, size_in};
use crate::machine::CodeId;

pub(crate) type Compiled<T> = Result<T, Declined>;

/// The code compiled so far.
pub(crate) struct Builder<'network> {
    pub(crate) network: &'network Network,
    pub(crate) layout: &'network Layout,
    pub(crate) instructions: Vec<Instruction>,
    pub(crate) sites: Vec<Site>,
    pub(crate) routines: Vec<Routine>,
    pub(crate) mathematics: Vec<Function>,
    pub(crate) labels: Vec<String>,
    /// The routine of each function that is called.
    pub(crate) functions: Vec<Option<u32>>,
    /// Functions whose routines are not yet compiled.
    pub(crate) waiting: Vec<FunctionId>,
}

/// Compiles one routine.
pub(crate) struct RoutineCompiler<'builder, 'network> {
    pub(crate) builder: &'builder mut Builder<'network>,
    pub(crate) locals: Vec<Option<LocalSlot>>,
    pub(crate) next: Register,
    pub(crate) most: Register,
    /// The result type of a function, and where it is declared.
    pub(crate) result: Option<(Type, Origin)>,
    /// Whether the routine may emit clock comparisons with `!=`.
    pub(crate) is_query: bool,
}

#[derive(Clone, Debug)]
pub(crate) enum LocalSlot {
    Value(Register),
    Reference(Register),
}

/// The limit on registers of one call.
const MOST_REGISTERS: u32 = 60_000;

impl<'network> Builder<'network> {
    pub(crate) fn new(network: &'network Network, layout: &'network Layout) -> Builder<'network> {
        Builder {
            network,
            layout,
            instructions: Vec::new(),
            sites: Vec::new(),
            routines: Vec::new(),
            mathematics: Vec::new(),
            labels: Vec::new(),
            functions: vec![None; network.functions.len()],
            waiting: Vec::new(),
        }
    }

    /// Compiles code whose parameters are the given bound variables.
    pub(crate) fn routine(
        &mut self,
        binders: &[Binder],
        is_query: bool,
        body: impl FnOnce(&mut RoutineCompiler<'_, 'network>) -> Compiled<()>,
    ) -> Compiled<CodeId> {
        checkpoint();
        let start = self.instructions.len() as u32;
        let mut compiler =
            RoutineCompiler { builder: self, locals: Vec::new(), next: 1, most: 1, result: None, is_query };
        for binder in binders {
            let register = compiler.fresh(1, binder.origin)?;
            compiler.bind(binder.local, LocalSlot::Value(register));
        }
        body(&mut compiler)?;
        compiler.emit(Instruction::Return);
        let frame_size = u32::from(compiler.most);
        let id = self.routines.len() as u32;
        self.routines.push(Routine { start, frame_size });
        self.compile_waiting()?;
        Ok(CodeId(id))
    }

    /// Compiles functions until all called ones have code.
    fn compile_waiting(&mut self) -> Compiled<()> {
        while let Some(function) = self.waiting.pop() {
            let network = self.network;
            let declared = &network.functions[function];
            let start = self.instructions.len() as u32;
            let mut compiler = RoutineCompiler {
                builder: self,
                locals: Vec::new(),
                next: 0,
                most: 0,
                result: Some((declared.result.clone(), declared.origin)),
                is_query: false,
            };
            compiler.fresh(size_in(&declared.result, PartKind::Data).max(1), declared.origin)?;
            for parameter in &declared.parameters {
                let slot = if parameter.is_reference {
                    LocalSlot::Reference(compiler.fresh(1, declared.origin)?)
                } else {
                    let size = data_size(&parameter.value_type, declared.origin)?;
                    LocalSlot::Value(compiler.fresh(size, declared.origin)?)
                };
                compiler.bind(parameter.local, slot);
            }
            compiler.statements(&declared.body)?;
            if declared.result == Type::Void {
                compiler.emit(Instruction::Return);
            } else {
                let site = compiler.site(declared.origin, SiteDetail::Failure(FailureKind::MissingReturn));
                compiler.emit(Instruction::Fail { site });
            }
            let frame_size = u32::from(compiler.most);
            if let Some(routine) = self.functions[function.index()] {
                self.routines[routine as usize] = Routine { start, frame_size };
            }
        }
        Ok(())
    }
}

impl RoutineCompiler<'_, '_> {
    pub(crate) fn emit(&mut self, instruction: Instruction) -> usize {
        checkpoint();
        self.builder.instructions.push(instruction);
        self.builder.instructions.len() - 1
    }

    pub(crate) fn here(&self) -> u32 {
        self.builder.instructions.len() as u32
    }

    /// Sets the target of a previously emitted jump to the current position.
    pub(crate) fn patch_jump(&mut self, jump: usize) {
        let here = self.here();
        match &mut self.builder.instructions[jump] {
            Instruction::Jump { to }
            | Instruction::JumpIfZero { to, .. }
            | Instruction::JumpIfNotZero { to, .. } => *to = here,
            _ => {}
        }
    }

    pub(crate) fn site(&mut self, origin: Origin, detail: SiteDetail) -> u32 {
        self.builder.sites.push(Site { origin, detail });
        self.builder.sites.len() as u32 - 1
    }

    pub(crate) fn fresh(&mut self, size: u32, origin: Origin) -> Compiled<Register> {
        let register = self.next;
        let next = u32::from(self.next).saturating_add(size);
        if next > MOST_REGISTERS {
            return Err(Declined::new("a function with so much local data", origin));
        }
        self.next = next as Register;
        self.most = self.most.max(self.next);
        Ok(register)
    }

    pub(crate) fn bind(&mut self, local: LocalId, slot: LocalSlot) {
        let position = local.0 as usize;
        if self.locals.len() <= position {
            self.locals.resize(position + 1, None);
        }
        self.locals[position] = Some(slot);
    }

    pub(super) fn local(&self, local: LocalId, origin: Origin) -> Compiled<LocalSlot> {
        match self.locals.get(local.0 as usize) {
            Some(Some(slot)) => Ok(slot.clone()),
            _ => Err(Declined::new("a name that is not bound here", origin)),
        }
    }

    /// Compiles an expression for its effects only.
    pub(crate) fn effect(&mut self, expression: &Expression) -> Compiled<()> {
        let mark = self.next;
        match &expression.kind {
            ExpressionKind::Assign { target, value, .. } if self.is_unread(target) => {
                if !is_harmless(value) {
                    let number = self.fresh(2, expression.origin)?;
                    self.double_into(value, number)?;
                }
            }
            ExpressionKind::Step { target, .. } if self.is_unread(target) => {}
            ExpressionKind::Assign { .. } => {
                self.assign(expression)?;
            }
            ExpressionKind::Call { function, arguments } => {
                self.call(*function, arguments, expression.origin)?;
            }
            ExpressionKind::Conditional { condition, then, otherwise } => {
                let chosen = self.value(condition)?;
                let to_otherwise = self.emit(Instruction::JumpIfZero { register: chosen, to: 0 });
                self.effect(then)?;
                let to_end = self.emit(Instruction::Jump { to: 0 });
                self.patch_jump(to_otherwise);
                self.effect(otherwise)?;
                self.patch_jump(to_end);
            }
            ExpressionKind::Quantified { binder, body, .. } if !is_integer(&expression.value_type) => {
                self.for_each(binder, |compiler| compiler.effect(body))?;
            }
            _ => {
                self.value(expression)?;
            }
        }
        self.next = mark;
        Ok(())
    }

    /// Compiles an expression into a new register.
    pub(crate) fn value(&mut self, expression: &Expression) -> Compiled<Register> {
        let target = self.fresh(1, expression.origin)?;
        self.value_into(expression, target)?;
        Ok(target)
    }

    /// Compiles an integer or truth value.
    pub(crate) fn value_into(&mut self, expression: &Expression, target: Register) -> Compiled<()> {
        let mark = self.next;
        self.value_into_unmarked(expression, target)?;
        self.next = mark;
        Ok(())
    }

    fn value_into_unmarked(&mut self, expression: &Expression, target: Register) -> Compiled<()> {
        let origin = expression.origin;
        if let Some(value) = constant_value(self.builder.network, expression) {
            self.emit(Instruction::Constant { target, value });
            return Ok(());
        }
        if expression.value_type == Type::Double {
            // Where an integer is expected, the types allow a floating point number only as a truth value.
            let number = self.fresh(2, origin)?;
            self.double_into(expression, number)?;
            self.emit(Instruction::TruthOfDouble { target, source: number });
            return Ok(());
        }
        match &expression.kind {
            ExpressionKind::Integer(value) => {
                self.emit(Instruction::Constant { target, value: *value });
            }
            ExpressionKind::Double(_) => {
                return Err(Declined::new("a floating point number as an integer", origin));
            }
            ExpressionKind::Variable(_)
            | ExpressionKind::Local(_)
            | ExpressionKind::Element { .. }
            | ExpressionKind::Field { .. } => {
                expect_integer(&expression.value_type, origin)?;
                let place = self.locate(expression, PartKind::Data)?;
                self.load(place, target);
            }
            ExpressionKind::Unary { operator, operand } => {
                self.value_into(operand, target)?;
                match operator {
                    UnaryOperator::Negate => {
                        self.emit(Instruction::Negate { target, source: target });
                    }
                    UnaryOperator::Not => {
                        self.emit(Instruction::Not { target, source: target });
                    }
                }
            }
            ExpressionKind::Binary { operator, left, right } => {
                self.binary(*operator, left, right, origin, target)?;
            }
            ExpressionKind::Conditional { condition, then, otherwise } => {
                self.value_into(condition, target)?;
                let to_otherwise = self.emit(Instruction::JumpIfZero { register: target, to: 0 });
                self.value_into(then, target)?;
                let to_end = self.emit(Instruction::Jump { to: 0 });
                self.patch_jump(to_otherwise);
                self.value_into(otherwise, target)?;
                self.patch_jump(to_end);
            }
            ExpressionKind::Assign { target: assigned, .. } => {
                let place = self.assign(expression)?;
                if assigned.value_type != Type::Clock
                    && size_in(&assigned.value_type, PartKind::Data) == 1
                    && !matches!(assigned.value_type, Type::Array(_) | Type::Record(_))
                {
                    self.load(place, target);
                }
            }
            ExpressionKind::Step { target: assigned, amount, is_postfix } => {
                expect_integer(&assigned.value_type, origin)?;
                let place = self.locate(assigned, PartKind::Data)?;
                let old = self.fresh(1, origin)?;
                let new = self.fresh(1, origin)?;
                self.load(place, old);
                self.emit(Instruction::Constant { target: new, value: *amount });
                let site = self.site(origin, SiteDetail::None);
                self.emit(Instruction::Binary {
                    operator: BinaryOperator::Add,
                    target: new,
                    left: old,
                    right: new,
                    site,
                });
                self.fit_and_store(place, new, &assigned.value_type, origin)?;
                self.emit(Instruction::Move { target, source: if *is_postfix { old } else { new } });
            }
            ExpressionKind::Call { function, arguments } => {
                let frame = self.call(*function, arguments, origin)?;
                if expression.value_type != Type::Void {
                    self.emit(Instruction::Move { target, source: frame });
                }
            }
            ExpressionKind::CallBuiltin { function, arguments } => match (*function, &arguments[..]) {
                ("abs", [argument]) => {
                    self.value_into(argument, target)?;
                    let site = self.site(origin, SiteDetail::None);
                    self.emit(Instruction::Absolute { target, source: target, site });
                }
                _ => {
                    let result = self.mathematics(function, arguments, origin)?;
                    self.emit(Instruction::Move { target, source: result });
                }
            },
            ExpressionKind::Quantified { quantifier, binder, body } => {
                self.quantified(*quantifier, binder, body, origin, target)?;
            }
            ExpressionKind::At { process, location } => {
                let cell = self.builder.layout.location_cell(*process) as u32;
                let wanted = self.fresh(1, origin)?;
                self.emit(Instruction::Load { target, cell });
                self.emit(Instruction::Constant { target: wanted, value: location.0 as i32 });
                let site = self.site(origin, SiteDetail::None);
                self.emit(Instruction::Binary {
                    operator: BinaryOperator::Compare(Comparison::Equal),
                    target,
                    left: target,
                    right: wanted,
                    site,
                });
            }
            ExpressionKind::LocationOf(process) => {
                let cell = self.builder.layout.location_cell(*process) as u32;
                self.emit(Instruction::Load { target, cell });
            }
            ExpressionKind::HasLabel(label) => {
                let labels = &mut self.builder.labels;
                let position = labels.iter().position(|own| own == label).unwrap_or_else(|| {
                    labels.push(label.clone());
                    labels.len() - 1
                });
                self.emit(Instruction::HasLabel { target, label: position as u32 });
            }
            ExpressionKind::CompareClocks { .. } => {
                return Err(Declined::new("a clock comparison inside a computation", origin));
            }
            ExpressionKind::RateIs { .. } => return Err(Declined::new("a clock rate", origin)),
            ExpressionKind::Deadlock => return Err(Declined::new("`deadlock`", origin)),
        }
        Ok(())
    }

    fn binary(
        &mut self,
        operator: BinaryOperator,
        left: &Expression,
        right: &Expression,
        origin: Origin,
        target: Register,
    ) -> Compiled<()> {
        match operator {
            BinaryOperator::And | BinaryOperator::Or | BinaryOperator::Imply => {
                self.value_into(left, target)?;
                if operator == BinaryOperator::Imply {
                    self.emit(Instruction::Not { target, source: target });
                } else {
                    self.emit(Instruction::Truth { target, source: target });
                }
                let skip = if operator == BinaryOperator::And {
                    self.emit(Instruction::JumpIfZero { register: target, to: 0 })
                } else {
                    self.emit(Instruction::JumpIfNotZero { register: target, to: 0 })
                };
                self.value_into(right, target)?;
                self.emit(Instruction::Truth { target, source: target });
                self.patch_jump(skip);
            }
            BinaryOperator::Compare(comparison)
                if matches!(left.value_type, Type::Array(_) | Type::Record(_)) =>
            {
                if left.value_type.any_part(&|part| *part == Type::Double) {
                    return Err(Declined::new(
                        "a comparison of arrays or records with floating point numbers",
                        origin,
                    ));
                }
                let size = data_size(&left.value_type, origin)?;
                let left = self.block_address(left)?;
                let right = self.block_address(right)?;
                self.emit(Instruction::EqualBlocks { target, left, right, size });
                if comparison == Comparison::NotEqual {
                    self.emit(Instruction::Not { target, source: target });
                }
            }
            BinaryOperator::Compare(comparison)
                if left.value_type == Type::Double || right.value_type == Type::Double =>
            {
                let first = self.double(left)?;
                let second = self.double(right)?;
                self.emit(Instruction::CompareDoubles { comparison, target, left: first, right: second });
            }
            BinaryOperator::Xor => {
                let first = self.value(left)?;
                let second = self.value(right)?;
                let site = self.site(origin, SiteDetail::None);
                self.emit(Instruction::Binary { operator, target, left: first, right: second, site });
            }
            _ => {
                for operand in [left, right] {
                    expect_integer(&operand.value_type, operand.origin)?;
                }
                let first = self.value(left)?;
                let second = self.value(right)?;
                let site = self.site(origin, SiteDetail::None);
                self.emit(Instruction::Binary { operator, target, left: first, right: second, site });
            }
        }
        Ok(())
    }

    fn quantified(
        &mut self,
        quantifier: Quantifier,
        binder: &Binder,
        body: &Expression,
        origin: Origin,
        target: Register,
    ) -> Compiled<()> {
        let result = self.fresh(1, origin)?;
        self.emit(Instruction::Constant {
            target: result,
            value: i32::from(quantifier == Quantifier::ForAll),
        });
        let body_value = self.fresh(1, origin)?;
        let mut to_end = None;
        self.for_each(binder, |compiler| {
            compiler.value_into(body, body_value)?;
            match quantifier {
                Quantifier::Sum => {
                    let site = compiler.site(origin, SiteDetail::None);
                    compiler.emit(Instruction::Binary {
                        operator: BinaryOperator::Add,
                        target: result,
                        left: result,
                        right: body_value,
                        site,
                    });
                }
                Quantifier::ForAll | Quantifier::Exists => {
                    let is_all = quantifier == Quantifier::ForAll;
                    let go_on = if is_all {
                        compiler.emit(Instruction::JumpIfNotZero { register: body_value, to: 0 })
                    } else {
                        compiler.emit(Instruction::JumpIfZero { register: body_value, to: 0 })
                    };
                    compiler.emit(Instruction::Constant { target: result, value: i32::from(!is_all) });
                    to_end = Some(compiler.emit(Instruction::Jump { to: 0 }));
                    compiler.patch_jump(go_on);
                }
            }
            Ok(())
        })?;
        if let Some(jump) = to_end {
            self.patch_jump(jump);
        }
        self.emit(Instruction::Move { target, source: result });
        Ok(())
    }

    /// Compiles a loop over the values of a binder.
    pub(crate) fn for_each(
        &mut self,
        binder: &Binder,
        body: impl FnOnce(&mut Self) -> Compiled<()>,
    ) -> Compiled<()> {
        let mark = self.next;
        let values = binder.domain.values();
        if values.is_empty() {
            return Ok(());
        }
        let counter = self.fresh(1, binder.origin)?;
        let bound = self.fresh(1, binder.origin)?;
        // The body may change the bound variable, but not the number of iterations.
        let variable = self.fresh(1, binder.origin)?;
        self.emit(Instruction::Constant { target: counter, value: *values.start() });
        let again = self.here();
        self.emit(Instruction::Move { target: variable, source: counter });
        self.bind(binder.local, LocalSlot::Value(variable));
        body(self)?;
        self.emit(Instruction::Constant { target: bound, value: *values.end() });
        let site = self.site(binder.origin, SiteDetail::None);
        self.emit(Instruction::Binary {
            operator: BinaryOperator::Compare(Comparison::Less),
            target: bound,
            left: counter,
            right: bound,
            site,
        });
        let to_end = self.emit(Instruction::JumpIfZero { register: bound, to: 0 });
        self.emit(Instruction::Constant { target: bound, value: 1 });
        self.emit(Instruction::Binary {
            operator: BinaryOperator::Add,
            target: counter,
            left: counter,
            right: bound,
            site,
        });
        self.emit(Instruction::Loop { to: again, site });
        self.patch_jump(to_end);
        self.next = mark;
        Ok(())
    }

    /// Loads the address of a value of several cells.
    pub(crate) fn block_address(&mut self, expression: &Expression) -> Compiled<Register> {
        let place = match &expression.kind {
            ExpressionKind::Call { function, arguments } => {
                CellAddress::Frame(self.call(*function, arguments, expression.origin)?)
            }
            _ => self.locate(expression, PartKind::Data)?,
        };
        self.address(place, expression.origin)
    }

    pub(super) fn call(
        &mut self,
        function: FunctionId,
        arguments: &[Expression],
        origin: Origin,
    ) -> Compiled<Register> {
        let network = self.builder.network;
        let Some(declared) = network.functions.get(function) else {
            return Err(Declined::new("a call of an unknown function", origin));
        };
        let routine = match self.builder.functions[function.index()] {
            Some(routine) => routine,
            None => {
                let routine = self.builder.routines.len() as u32;
                self.builder.routines.push(Routine { start: 0, frame_size: 0 });
                self.builder.functions[function.index()] = Some(routine);
                self.builder.waiting.push(function);
                routine
            }
        };
        // The result and the parameters, in the order in which the function expects them.
        let mut size = size_in(&declared.result, PartKind::Data).max(1);
        let mut offsets = Vec::with_capacity(declared.parameters.len());
        for parameter in &declared.parameters {
            offsets.push(size);
            let own = if parameter.is_reference { 1 } else { data_size(&parameter.value_type, origin)? };
            size = size.saturating_add(own);
        }
        let frame = self.fresh(size, origin)?;
        for ((parameter, argument), offset) in declared.parameters.iter().zip(arguments).zip(offsets) {
            let mark = self.next;
            let target = frame + offset as Register;
            if parameter.is_reference {
                let kind = reference_kind(&parameter.value_type, argument.origin)?;
                let place = self.locate(argument, kind)?;
                let address = self.address(place, argument.origin)?;
                self.emit(Instruction::Move { target, source: address });
            } else if matches!(parameter.value_type, Type::Array(_) | Type::Record(_)) {
                let source = self.block_address(argument)?;
                let address = self.fresh(1, argument.origin)?;
                self.emit(Instruction::FrameAddress { target: address, register: target });
                let size = data_size(&parameter.value_type, argument.origin)?;
                self.emit(Instruction::CopyBlock { target: address, source, size });
            } else if parameter.value_type == Type::Double {
                self.double_into(argument, target)?;
            } else {
                expect_integer(&argument.value_type, argument.origin)?;
                self.value_into(argument, target)?;
                self.fit(target, &parameter.value_type, argument.origin)?;
            }
            self.next = mark;
        }
        let site = self.site(origin, SiteDetail::None);
        // The callee's frame may be larger than the reserved registers; it lies above all registers in use.
        let parameters_end = self.next;
        debug_assert!(parameters_end >= frame);
        self.emit(Instruction::Call { function: routine, frame, site });
        Ok(frame)
    }
}

/// Returns whether evaluating a floating point expression has no effect and cannot fail. Such a value may be dropped,
/// because every possible reader is declined.
fn is_harmless(expression: &Expression) -> bool {
    match &expression.kind {
        ExpressionKind::Integer(_)
        | ExpressionKind::Double(_)
        | ExpressionKind::Variable(_)
        | ExpressionKind::Local(_) => true,
        ExpressionKind::Field { record, .. } => is_harmless(record),
        ExpressionKind::Binary { left, right, .. } => {
            expression.value_type == Type::Double && is_harmless(left) && is_harmless(right)
        }
        ExpressionKind::Unary { operand, .. } => {
            expression.value_type == Type::Double && is_harmless(operand)
        }
        ExpressionKind::CallBuiltin { arguments, .. } => {
            expression.value_type == Type::Double && arguments.iter().all(is_harmless)
        }
        _ => false,
    }
}

fn is_integer(value_type: &Type) -> bool {
    matches!(value_type, Type::Integer(_) | Type::Boolean | Type::Scalar(_))
}

pub(super) fn expect_integer(value_type: &Type, origin: Origin) -> Compiled<()> {
    match value_type {
        _ if is_integer(value_type) => Ok(()),
        _ => Err(Declined::new("a value of this type inside a computation", origin)),
    }
}

/// Returns the number of cells of a value without clocks and channels.
pub(crate) fn data_size(value_type: &Type, origin: Origin) -> Compiled<u32> {
    if value_type.has_clocks() || value_type.has_channels() {
        return Err(Declined::new("clocks or channels passed or assigned by value", origin));
    }
    Ok(size_in(value_type, PartKind::Data))
}

fn reference_kind(value_type: &Type, origin: Origin) -> Compiled<PartKind> {
    match (value_type.has_clocks(), value_type.has_channels(), size_in(value_type, PartKind::Data)) {
        (false, false, _) => Ok(PartKind::Data),
        (true, false, 0) => Ok(PartKind::Clock),
        (false, true, 0) => Ok(PartKind::Channel),
        _ => Err(Declined::new("a reference to a record of clocks and data", origin)),
    }
}
