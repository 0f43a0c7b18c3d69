//! Execution of code on one discrete state.
//!
//! Invariant: the memory begins with the cells of the layout, followed by the frames of calls. Failing code may have
//! changed cells, so callers that run updates keep the previous state. Steps are counted, so all code terminates.

use tempora_model::{BinaryOperator, Range};
use tempora_source::Origin;

use crate::code::{ClockAtom, ClockConstraint, ClockEffect, Instruction, Routine, SiteDetail};
use crate::doubles;
use crate::failure::{Failure, FailureKind};
use crate::layout::Layout;
use crate::machine::{ClockCondition, CodeId, DataCondition, Machine};

/// A discrete state with the memory for running code on it.
#[derive(Clone, Debug)]
pub struct Execution {
    /// Cells, then frames.
    pub(crate) memory: Vec<i32>,
    stack: usize,
    stored: usize,
    /// The suspended calls: return address and frame.
    calls: Vec<(u32, u32)>,
    steps: u64,
    atoms: Vec<ClockAtom>,
    impossible: bool,
    /// The assignments to clocks since they were last cleared, in order.
    pub effects: Vec<ClockEffect>,
}

/// The step limit of one evaluation: more than sensible functions take, and still less than a second.
const STEP_LIMIT: u64 = 4_000_000;
/// The limit on nested calls.
const NESTING_LIMIT: usize = 1_000;
/// The limit on cells in frames.
const STACK_LIMIT: usize = 4_000_000;

impl Execution {
    /// Creates an execution with the initial values of all variables; locations are not set.
    pub fn new(layout: &Layout) -> Execution {
        let mut memory = layout.initial_cells().to_vec();
        memory.resize(memory.len() + 64, 0);
        Execution {
            stack: layout.all_cells(),
            stored: layout.stored_cells(),
            memory,
            calls: Vec::new(),
            steps: 0,
            atoms: Vec::new(),
            impossible: false,
            effects: Vec::new(),
        }
    }

    /// Returns the cells of the state.
    #[inline]
    pub fn cells(&self) -> &[i32] {
        &self.memory[..self.stored]
    }

    /// Returns the cells of the state, for writing.
    #[inline]
    pub fn cells_mut(&mut self) -> &mut [i32] {
        &mut self.memory[..self.stored]
    }

    /// Resets meta variables to their initial values.
    pub(crate) fn restore_meta(&mut self, layout: &Layout) {
        let initial = layout.initial_cells();
        self.memory[self.stored..initial.len()].copy_from_slice(&initial[self.stored..]);
    }

    /// Returns whether a data condition holds.
    #[inline]
    pub(crate) fn holds(
        &mut self,
        machine: &Machine,
        condition: &DataCondition,
        arguments: &[i32],
    ) -> Result<bool, Failure> {
        for test in &machine.tests[condition.tests.start as usize..condition.tests.end as usize] {
            let value = self.memory[test.cell as usize];
            if (test.least <= value && value <= test.greatest) == test.is_outside {
                return Ok(false);
            }
        }
        match condition.code {
            None => Ok(true),
            Some(code) => Ok(self.run(machine, code, arguments)? != 0),
        }
    }

    /// Returns the truth value of a data predicate's code.
    pub fn truth(&mut self, machine: &Machine, code: CodeId, arguments: &[i32]) -> Result<bool, Failure> {
        Ok(self.run(machine, code, arguments)? != 0)
    }

    /// Returns the integer result of code without clocks.
    pub fn value(&mut self, machine: &Machine, code: CodeId, arguments: &[i32]) -> Result<i32, Failure> {
        self.run(machine, code, arguments)
    }

    /// Returns the comparison that a predicate's code emits.
    pub fn atom(
        &mut self,
        machine: &Machine,
        code: CodeId,
        arguments: &[i32],
    ) -> Result<Option<ClockAtom>, Failure> {
        self.atoms.clear();
        self.run(machine, code, arguments)?;
        Ok(self.atoms.first().copied())
    }

    /// Appends the constraints of a condition that depend on data.
    pub fn computed_constraints(
        &mut self,
        machine: &Machine,
        condition: &ClockCondition,
        arguments: &[i32],
        constraints: &mut Vec<ClockConstraint>,
    ) -> Result<(), Failure> {
        let Some(code) = condition.code else { return Ok(()) };
        self.atoms.clear();
        self.impossible = false;
        self.run(machine, code, arguments)?;
        for atom in &self.atoms {
            let (one, other) = atom.constraints().unzip();
            constraints.extend(one.into_iter().chain(other.flatten()));
        }
        if self.impossible {
            constraints.push(ClockConstraint::IMPOSSIBLE);
        }
        Ok(())
    }

    /// Runs code with arguments, and returns its result.
    pub(crate) fn run(&mut self, machine: &Machine, code: CodeId, arguments: &[i32]) -> Result<i32, Failure> {
        let routine = machine.routines[code.0 as usize];
        self.steps = 0;
        self.calls.clear();
        let base = self.stack;
        self.reserve(base, routine);
        self.memory[base] = 0;
        self.memory[base + 1..base + 1 + arguments.len()].copy_from_slice(arguments);
        self.interpret(machine, routine.start, base)?;
        Ok(self.memory[base])
    }

    fn reserve(&mut self, base: usize, routine: Routine) {
        let needed = base + routine.frame_size as usize;
        if self.memory.len() < needed {
            self.memory.resize(needed, 0);
        }
    }

    fn count(&mut self, origin: Origin) -> Result<(), Failure> {
        self.steps += 1;
        if self.steps > STEP_LIMIT {
            return Err(Failure { kind: FailureKind::StepLimit, origin });
        }
        Ok(())
    }

    fn interpret(&mut self, machine: &Machine, start: u32, mut base: usize) -> Result<(), Failure> {
        let mut at = start as usize;
        loop {
            let instruction = machine.instructions[at];
            at += 1;
            match instruction {
                Instruction::Constant { target, value } => self.set(base, target, value),
                Instruction::Move { target, source } => {
                    let value = self.get(base, source);
                    self.set(base, target, value);
                }
                Instruction::Load { target, cell } => {
                    let value = self.memory[cell as usize];
                    self.set(base, target, value);
                }
                Instruction::Store { cell, source } => {
                    self.memory[cell as usize] = self.get(base, source);
                }
                Instruction::LoadIndirect { target, address } => {
                    let value = self.memory[self.get(base, address) as usize];
                    self.set(base, target, value);
                }
                Instruction::StoreIndirect { address, source } => {
                    let address = self.get(base, address) as usize;
                    self.memory[address] = self.get(base, source);
                }
                Instruction::CheckCells { address, size, site } => {
                    let first = self.get(base, address) as usize;
                    for address in first..first + size as usize {
                        let Some((least, greatest)) = machine.layout.range_at(address) else { break };
                        let value = self.memory[address];
                        if value < least || value > greatest {
                            let range = Range { least, greatest };
                            let kind = FailureKind::OutOfRange { value, range };
                            return Err(Failure { kind, origin: machine.sites[site as usize].origin });
                        }
                    }
                }
                Instruction::FrameAddress { target, register } => {
                    self.set(base, target, (base + usize::from(register)) as i32);
                }
                Instruction::Index { target, base: whole, index, site } => {
                    let site = machine.sites[site as usize];
                    let index = self.get(base, index);
                    if let SiteDetail::Index { range, size } = site.detail {
                        if !range.contains(i64::from(index)) {
                            let kind = FailureKind::IndexOutOfRange { index, range };
                            return Err(Failure { kind, origin: site.origin });
                        }
                        // In range, and the whole array fits into memory.
                        let offset = (i64::from(index) - i64::from(range.least)) * i64::from(size);
                        let address = i64::from(self.get(base, whole)) + offset;
                        self.set(base, target, address as i32);
                    }
                }
                Instruction::CheckRange { register, site } => {
                    let value = self.get(base, register);
                    check_range(machine, value, site)?;
                }
                Instruction::Truth { target, source } => {
                    let value = self.get(base, source);
                    self.set(base, target, i32::from(value != 0));
                }
                Instruction::Not { target, source } => {
                    let value = self.get(base, source);
                    self.set(base, target, i32::from(value == 0));
                }
                Instruction::Negate { target, source } => {
                    let value = self.get(base, source).wrapping_neg();
                    self.set(base, target, value);
                }
                Instruction::Absolute { target, source, site } => {
                    let value = self.get(base, source).checked_abs();
                    self.set_checked(machine, base, target, value, site)?;
                }
                Instruction::Binary { operator, target, left, right, site } => {
                    match binary(operator, self.get(base, left), self.get(base, right)) {
                        Ok(value) => self.set(base, target, value),
                        Err(kind) => {
                            return Err(Failure { kind, origin: machine.sites[site as usize].origin });
                        }
                    }
                }
                Instruction::ToDouble { target, source } => {
                    let number = f64::from(self.get(base, source));
                    self.set_double(base, target, number);
                }
                Instruction::NegateDouble { target, source } => {
                    let number = -self.get_double(base, source);
                    self.set_double(base, target, number);
                }
                Instruction::BinaryDouble { operator, target, left, right } => {
                    let (left, right) = (self.get_double(base, left), self.get_double(base, right));
                    // The compiler has checked that the operator is defined on numbers.
                    let number = doubles::arithmetic(operator, left, right).unwrap_or(f64::NAN);
                    self.set_double(base, target, number);
                }
                Instruction::CompareDoubles { comparison, target, left, right } => {
                    let (left, right) = (self.get_double(base, left), self.get_double(base, right));
                    self.set(base, target, i32::from(doubles::compare(comparison, left, right)));
                }
                Instruction::TruthOfDouble { target, source } => {
                    let number = self.get_double(base, source);
                    self.set(base, target, i32::from(number != 0.0));
                }
                Instruction::CallMathematics { function, target, arguments, site } => {
                    let function = machine.mathematics[usize::from(function)];
                    let first = base + usize::from(arguments);
                    let cells = &self.memory[first..first + function.argument_cells() as usize];
                    match function.call(cells) {
                        Ok([low, high]) => {
                            self.set(base, target, low);
                            self.set(base, target + 1, high);
                        }
                        Err(kind) => {
                            return Err(Failure { kind, origin: machine.sites[site as usize].origin });
                        }
                    }
                }
                Instruction::CopyBlock { target, source, size } => {
                    let (target, source) = (self.get(base, target) as usize, self.get(base, source) as usize);
                    self.memory.copy_within(source..source + size as usize, target);
                }
                Instruction::EqualBlocks { target, left, right, size } => {
                    let (left, right) = (self.get(base, left) as usize, self.get(base, right) as usize);
                    let size = size as usize;
                    let are_equal = self.memory[left..left + size] == self.memory[right..right + size];
                    self.set(base, target, i32::from(are_equal));
                }
                Instruction::Jump { to } => at = to as usize,
                Instruction::Loop { to, site } => {
                    self.count(machine.sites[site as usize].origin)?;
                    at = to as usize;
                }
                Instruction::JumpIfZero { register, to } => {
                    if self.get(base, register) == 0 {
                        at = to as usize;
                    }
                }
                Instruction::JumpIfNotZero { register, to } => {
                    if self.get(base, register) != 0 {
                        at = to as usize;
                    }
                }
                Instruction::Call { function, frame, site } => {
                    let origin = machine.sites[site as usize].origin;
                    self.count(origin)?;
                    let routine = machine.routines[function as usize];
                    let callee = base + usize::from(frame);
                    let top = callee + routine.frame_size as usize;
                    if self.calls.len() >= NESTING_LIMIT || top - self.stack > STACK_LIMIT {
                        return Err(Failure { kind: FailureKind::NestingLimit, origin });
                    }
                    self.reserve(callee, routine);
                    self.calls.push((at as u32, base as u32));
                    base = callee;
                    at = routine.start as usize;
                }
                Instruction::Return => match self.calls.pop() {
                    None => return Ok(()),
                    Some((next, caller)) => {
                        at = next as usize;
                        base = caller as usize;
                    }
                },
                Instruction::HasLabel { target, label } => {
                    let labels = &machine.labels[label as usize];
                    let holds = machine
                        .first_location
                        .iter()
                        .zip(&self.memory)
                        .any(|(&first, &location)| labels[first as usize + location as usize]);
                    self.set(base, target, i32::from(holds));
                }
                Instruction::Compare { left, right, comparison, bound } => {
                    let atom = ClockAtom {
                        left: self.get(base, left) as u16,
                        right: self.get(base, right) as u16,
                        comparison,
                        bound: self.get(base, bound),
                    };
                    self.atoms.push(atom);
                }
                Instruction::Impossible => self.impossible = true,
                Instruction::ResetClock { clock, value, site } => {
                    let value = self.get(base, value);
                    if value < 0 {
                        let origin = machine.sites[site as usize].origin;
                        return Err(Failure { kind: FailureKind::NegativeClock, origin });
                    }
                    let clock = self.get(base, clock) as u16;
                    self.effects.push(ClockEffect::Reset { clock, value });
                }
                Instruction::CopyClock { clock, from, plus } => {
                    let (clock, from) = (self.get(base, clock) as u16, self.get(base, from) as u16);
                    self.effects.push(ClockEffect::Copy { clock, from, plus });
                }
                Instruction::Fail { site } => {
                    let site = machine.sites[site as usize];
                    let kind = match site.detail {
                        SiteDetail::Failure(kind) => kind,
                        _ => FailureKind::MissingReturn,
                    };
                    return Err(Failure { kind, origin: site.origin });
                }
            }
        }
    }

    #[inline]
    fn get(&self, base: usize, register: u16) -> i32 {
        self.memory[base + usize::from(register)]
    }

    #[inline]
    fn set(&mut self, base: usize, register: u16, value: i32) {
        self.memory[base + usize::from(register)] = value;
    }

    #[inline]
    fn get_double(&self, base: usize, register: u16) -> f64 {
        doubles::from_cells(self.get(base, register), self.get(base, register + 1))
    }

    #[inline]
    fn set_double(&mut self, base: usize, register: u16, number: f64) {
        let [low, high] = doubles::to_cells(number);
        self.set(base, register, low);
        self.set(base, register + 1, high);
    }

    fn set_checked(
        &mut self,
        machine: &Machine,
        base: usize,
        register: u16,
        value: Option<i32>,
        site: u32,
    ) -> Result<(), Failure> {
        match value {
            Some(value) => {
                self.set(base, register, value);
                Ok(())
            }
            None => Err(Failure { kind: FailureKind::Overflow, origin: machine.sites[site as usize].origin }),
        }
    }
}

/// Fails if a value is not in the range of the site.
pub(crate) fn check_range(machine: &Machine, value: i32, site: u32) -> Result<(), Failure> {
    let site = machine.sites[site as usize];
    match site.detail {
        SiteDetail::Range(range) if !contains(range, value) => {
            Err(Failure { kind: FailureKind::OutOfRange { value, range }, origin: site.origin })
        }
        _ => Ok(()),
    }
}

fn contains(range: Range, value: i32) -> bool {
    range.least <= value && value <= range.greatest
}

fn binary(operator: BinaryOperator, left: i32, right: i32) -> Result<i32, FailureKind> {
    let fitting = |result: Option<i32>| result.ok_or(FailureKind::Overflow);
    match operator {
        BinaryOperator::Add => Ok(left.wrapping_add(right)),
        BinaryOperator::Subtract => Ok(left.wrapping_sub(right)),
        BinaryOperator::Multiply => Ok(left.wrapping_mul(right)),
        BinaryOperator::Divide | BinaryOperator::Remainder if right == 0 => Err(FailureKind::DivisionByZero),
        BinaryOperator::Divide => fitting(left.checked_div(right)),
        BinaryOperator::Remainder => fitting(left.checked_rem(right)),
        BinaryOperator::Power => match u32::try_from(right) {
            Ok(exponent) => fitting(left.checked_pow(exponent)),
            Err(_) => Err(FailureKind::NegativeExponent),
        },
        BinaryOperator::BitAnd => Ok(left & right),
        BinaryOperator::BitOr => Ok(left | right),
        BinaryOperator::BitXor => Ok(left ^ right),
        BinaryOperator::ShiftLeft | BinaryOperator::ShiftRight if right < 0 => {
            Err(FailureKind::NegativeShift)
        }
        BinaryOperator::ShiftLeft if left == 0 => Ok(0),
        BinaryOperator::ShiftLeft if right >= 32 => Err(FailureKind::Overflow),
        BinaryOperator::ShiftLeft => Ok(left << right),
        BinaryOperator::ShiftRight => Ok(left >> right.min(31)),
        BinaryOperator::Minimum => Ok(left.min(right)),
        BinaryOperator::Maximum => Ok(left.max(right)),
        BinaryOperator::And => Ok(i32::from(left != 0 && right != 0)),
        BinaryOperator::Or => Ok(i32::from(left != 0 || right != 0)),
        BinaryOperator::Imply => Ok(i32::from(left == 0 || right != 0)),
        BinaryOperator::Xor => Ok(i32::from((left != 0) != (right != 0))),
        BinaryOperator::Compare(comparison) => Ok(i32::from(comparison.holds(left.cmp(&right)))),
    }
}
