//! Compilation of conditions to tests, constraints and code, and of updates to actions.
//!
//! Invariant: the tests and actions that replace code are a prefix of it that cannot fail, so the order of evaluation
//! is that of the reference semantics.

use tempora_model::{
    BinaryOperator, Binder, Comparison, Condition, Expression, ExpressionKind, Network, Quantifier, Range,
    Type, UnaryOperator, VariableKind,
};

use super::Tables;
use super::constants::{constant_value, shifted_clock};
use super::routine::{Compiled, RoutineCompiler};
use crate::code::{ClockAtom, Instruction, Site, SiteDetail};
use crate::failure::Declined;
use crate::layout::{Layout, PartKind, size_in};
use crate::machine::{Action, CellTest, ClockCondition, DataCondition};

impl Tables<'_> {
    pub(super) fn data_condition(
        &mut self,
        condition: &Condition,
        binders: &[Binder],
    ) -> Compiled<DataCondition> {
        let mut conjuncts = Vec::new();
        for conjunct in &condition.data {
            split(conjunct, &mut conjuncts);
        }
        let first_test = self.tests.len() as u32;
        let mut rest = conjuncts.as_slice();
        while let Some((first, others)) = rest.split_first() {
            let Some(test) = cell_test(self.builder.network, self.builder.layout, first) else { break };
            self.tests.push(test);
            rest = others;
        }
        let tests = first_test..self.tests.len() as u32;
        if rest.is_empty() {
            return Ok(DataCondition { tests, code: None });
        }
        let code = self.builder.routine(binders, false, |compiler| {
            let mut exits = Vec::new();
            for conjunct in rest {
                compiler.value_into(conjunct, 0)?;
                exits.push(compiler.emit(Instruction::JumpIfZero { register: 0, to: 0 }));
            }
            for exit in exits {
                compiler.patch_jump(exit);
            }
            Ok(())
        })?;
        Ok(DataCondition { tests, code: Some(code) })
    }

    pub(super) fn clock_condition(
        &mut self,
        condition: &Condition,
        binders: &[Binder],
    ) -> Compiled<ClockCondition> {
        let mut conjuncts = Vec::new();
        for conjunct in &condition.clocks {
            split(conjunct, &mut conjuncts);
        }
        let first = self.constraints.len() as u32;
        let mut computed = Vec::new();
        for conjunct in conjuncts {
            match constant_atom(self.builder.network, self.builder.layout, conjunct) {
                Some(atom) if atom.comparison != Comparison::NotEqual => {
                    let (one, other) = atom.constraints().unzip();
                    self.constraints.extend(one.into_iter().chain(other.flatten()));
                }
                _ => computed.push(conjunct),
            }
        }
        let constant = first..self.constraints.len() as u32;
        if computed.is_empty() {
            return Ok(ClockCondition { constant, code: None });
        }
        let code = self.builder.routine(binders, false, |compiler| {
            computed.iter().try_for_each(|conjunct| compiler.clock_conjunct(conjunct))
        })?;
        Ok(ClockCondition { constant, code: Some(code) })
    }

    /// Compiles clock rates, each encoded as an upper bound of the clock. Rates of hybrid clocks are omitted.
    pub(super) fn rates(&mut self, rates: &[Expression]) -> Compiled<ClockCondition> {
        let constant = self.constraints.len() as u32..self.constraints.len() as u32;
        if rates.is_empty() {
            return Ok(ClockCondition { constant, code: None });
        }
        let code = self.builder.routine(&[], false, |compiler| {
            rates.iter().try_for_each(|rate| compiler.clock_conjunct(rate))
        })?;
        Ok(ClockCondition { constant, code: Some(code) })
    }

    pub(super) fn actions(
        &mut self,
        updates: &[Expression],
        binders: &[Binder],
    ) -> Compiled<std::ops::Range<u32>> {
        let first = self.actions.len() as u32;
        for update in updates {
            let action = match self.simple_action(update) {
                Some(action) => action,
                None => {
                    let code = self.builder.routine(binders, false, |compiler| compiler.effect(update))?;
                    Action::Run(code)
                }
            };
            self.actions.push(action);
        }
        Ok(first..self.actions.len() as u32)
    }

    fn simple_action(&mut self, update: &Expression) -> Option<Action> {
        let (network, layout) = (self.builder.network, self.builder.layout);
        let mut site = |range: Range| {
            self.builder.sites.push(Site { origin: update.origin, detail: SiteDetail::Range(range) });
            self.builder.sites.len() as u32 - 1
        };
        match &update.kind {
            ExpressionKind::Assign { operator: None, target, value } if target.value_type == Type::Clock => {
                let clock = constant_clock(network, layout, target)?;
                if value.value_type == Type::Clock {
                    let (from, plus) = shifted_clock(network, value).ok()?;
                    let from = constant_clock(network, layout, from)?;
                    return Some(Action::CopyClock { clock, from, plus });
                }
                let value = constant_value(network, value).filter(|&value| value >= 0)?;
                Some(Action::ResetClock { clock, value })
            }
            ExpressionKind::Assign { operator, target, value } => {
                let cell = constant_cell(network, layout, target)?;
                let range = integer_range(&target.value_type)?;
                match (operator, constant_value(network, value)) {
                    (None, Some(value)) if target.value_type == Type::Boolean => {
                        Some(Action::SetCell { cell, value: i32::from(value != 0) })
                    }
                    (None, Some(value)) if range.contains(i64::from(value)) => {
                        Some(Action::SetCell { cell, value })
                    }
                    (Some(BinaryOperator::Add), Some(amount)) if target.value_type != Type::Boolean => {
                        Some(Action::AddToCell { cell, amount, site: site(range) })
                    }
                    (Some(BinaryOperator::Subtract), Some(amount))
                        if target.value_type != Type::Boolean && amount != i32::MIN =>
                    {
                        Some(Action::AddToCell { cell, amount: -amount, site: site(range) })
                    }
                    (None, None) if target.value_type == value.value_type => {
                        let from = constant_cell(network, layout, value)?;
                        Some(Action::CopyCell { cell, from, site: site(range) })
                    }
                    _ => None,
                }
            }
            ExpressionKind::Step { target, amount, .. } if target.value_type != Type::Boolean => {
                let cell = constant_cell(network, layout, target)?;
                let range = integer_range(&target.value_type)?;
                Some(Action::AddToCell { cell, amount: *amount, site: site(range) })
            }
            _ => None,
        }
    }
}

impl RoutineCompiler<'_, '_> {
    /// Emits the constraints of a conjunct of a guard or invariant.
    fn clock_conjunct(&mut self, conjunct: &Expression) -> Compiled<()> {
        let mark = self.next;
        self.clock_conjunct_unmarked(conjunct)?;
        self.next = mark;
        Ok(())
    }

    fn clock_conjunct_unmarked(&mut self, conjunct: &Expression) -> Compiled<()> {
        let origin = conjunct.origin;
        if !matches!(conjunct.value_type, Type::Condition(_)) {
            let holds = self.value(conjunct)?;
            let go_on = self.emit(Instruction::JumpIfNotZero { register: holds, to: 0 });
            self.emit(Instruction::Impossible);
            self.patch_jump(go_on);
            return Ok(());
        }
        match &conjunct.kind {
            ExpressionKind::CompareClocks { .. } => self.clock_comparison(conjunct),
            ExpressionKind::RateIs { clock, .. } if self.builder.network.is_hybrid(clock) => Ok(()),
            ExpressionKind::RateIs { clock, rate } => self.rate(clock, rate),
            ExpressionKind::Binary { operator: BinaryOperator::And, left, right } => {
                self.clock_conjunct(left)?;
                self.clock_conjunct(right)
            }
            ExpressionKind::Binary {
                operator: operator @ (BinaryOperator::Or | BinaryOperator::Imply),
                left,
                right,
            } => {
                let is_clock = |side: &Expression| matches!(side.value_type, Type::Condition(_));
                let (data, clocks) = match (is_clock(left), is_clock(right)) {
                    (false, true) => (left, right),
                    (true, false) if *operator == BinaryOperator::Or => (right, left),
                    _ => return Err(Declined::new("a disjunction of clock conditions", origin)),
                };
                // The side without clocks decides whether the other counts.
                let holds = self.value(data)?;
                let skip = if *operator == BinaryOperator::Or {
                    self.emit(Instruction::JumpIfNotZero { register: holds, to: 0 })
                } else {
                    self.emit(Instruction::JumpIfZero { register: holds, to: 0 })
                };
                self.clock_conjunct(clocks)?;
                self.patch_jump(skip);
                Ok(())
            }
            ExpressionKind::Quantified { quantifier: Quantifier::ForAll, binder, body } => {
                self.for_each(binder, |compiler| compiler.clock_conjunct(body))
            }
            _ => Err(Declined::new("this form of clock condition", origin)),
        }
    }

    fn rate(&mut self, clock: &Expression, rate: &Expression) -> Compiled<()> {
        if rate.value_type == Type::Double {
            return Err(Declined::new("a clock rate that is not an integer", rate.origin));
        }
        let place = self.locate(clock, PartKind::Clock)?;
        let left = self.clock_number(place, clock)?;
        let right = self.fresh(1, clock.origin)?;
        self.emit(Instruction::Constant { target: right, value: 0 });
        let bound = self.value(rate)?;
        self.emit(Instruction::Compare { left, right, comparison: Comparison::LessOrEqual, bound });
        Ok(())
    }

    /// Emits one comparison.
    pub(super) fn clock_comparison(&mut self, expression: &Expression) -> Compiled<()> {
        let ExpressionKind::CompareClocks { left, right, comparison, bound } = &expression.kind else {
            return Err(Declined::new("this form of clock condition", expression.origin));
        };
        if *comparison == Comparison::NotEqual && !self.is_query {
            return Err(Declined::new("a clock guard with `!=`", expression.origin));
        }
        if bound.value_type == Type::Double {
            return Err(Declined::new("a clock bound that is not an integer", bound.origin));
        }
        let mut clocks = [0; 2];
        for (register, clock) in clocks.iter_mut().zip([left, right]) {
            *register = match clock {
                Some(clock) => {
                    let place = self.locate(clock, PartKind::Clock)?;
                    self.clock_number(place, clock)?
                }
                None => {
                    let target = self.fresh(1, expression.origin)?;
                    self.emit(Instruction::Constant { target, value: 0 });
                    target
                }
            };
        }
        let bound = self.value(bound)?;
        let [left, right] = clocks;
        self.emit(Instruction::Compare { left, right, comparison: *comparison, bound });
        Ok(())
    }
}

/// Returns whether a rate is always 1, or belongs to a hybrid clock.
pub(super) fn is_always_one(network: &Network, rate: &Expression) -> bool {
    match &rate.kind {
        ExpressionKind::RateIs { clock, rate } => {
            network.is_hybrid(clock)
                || constant_value(network, rate) == Some(1)
                || matches!(rate.kind, ExpressionKind::Double(value) if value == 1.0)
        }
        ExpressionKind::Quantified { body, .. } => is_always_one(network, body),
        _ => false,
    }
}

fn split<'condition>(conjunct: &'condition Expression, conjuncts: &mut Vec<&'condition Expression>) {
    match &conjunct.kind {
        ExpressionKind::Binary { operator: BinaryOperator::And, left, right } => {
            split(left, conjuncts);
            split(right, conjuncts);
        }
        _ => conjuncts.push(conjunct),
    }
}

fn cell_test(network: &Network, layout: &Layout, conjunct: &Expression) -> Option<CellTest> {
    match &conjunct.kind {
        ExpressionKind::Binary { operator: BinaryOperator::Compare(comparison), left, right } => {
            let (cell, comparison, value) = match constant_value(network, right) {
                Some(value) => (constant_cell(network, layout, left)?, *comparison, value),
                None => (
                    constant_cell(network, layout, right)?,
                    comparison.flipped(),
                    constant_value(network, left)?,
                ),
            };
            let (least, greatest, is_outside) = match comparison {
                Comparison::Less => (i32::MIN, value.checked_sub(1)?, false),
                Comparison::LessOrEqual => (i32::MIN, value, false),
                Comparison::Equal => (value, value, false),
                Comparison::NotEqual => (value, value, true),
                Comparison::GreaterOrEqual => (value, i32::MAX, false),
                Comparison::Greater => (value.checked_add(1)?, i32::MAX, false),
            };
            Some(CellTest { cell, least, greatest, is_outside })
        }
        ExpressionKind::Unary { operator: UnaryOperator::Not, operand } => {
            let cell = constant_cell(network, layout, operand)?;
            Some(CellTest { cell, least: 0, greatest: 0, is_outside: false })
        }
        _ => {
            let cell = constant_cell(network, layout, conjunct)?;
            Some(CellTest { cell, least: 0, greatest: 0, is_outside: true })
        }
    }
}

/// Returns the cell of an integer variable, or of a part of one that is the same in all states.
fn constant_cell(network: &Network, layout: &Layout, expression: &Expression) -> Option<u32> {
    if !matches!(expression.value_type, Type::Integer(_) | Type::Boolean | Type::Scalar(_)) {
        return None;
    }
    constant_number(network, layout, expression, PartKind::Data)
}

/// Returns the number of a clock, from 1.
fn constant_clock(network: &Network, layout: &Layout, expression: &Expression) -> Option<u16> {
    let number = constant_number(network, layout, expression, PartKind::Clock)?;
    u16::try_from(number.checked_add(1)?).ok()
}

pub(super) fn constant_number(
    network: &Network,
    layout: &Layout,
    expression: &Expression,
    kind: PartKind,
) -> Option<u32> {
    match &expression.kind {
        ExpressionKind::Variable(variable) => {
            let declared = network.variables.get(*variable)?;
            (declared.kind != VariableKind::Hybrid).then(|| layout.first(*variable, kind))
        }
        ExpressionKind::Element { array, index } => {
            let Type::Array(array_type) = &array.value_type else { return None };
            let whole = constant_number(network, layout, array, kind)?;
            let position = array_type.index.position(constant_value(network, index)?)?;
            Some(whole + size_in(&array_type.element, kind) * position as u32)
        }
        ExpressionKind::Field { record, field } => {
            let Type::Record(record_type) = &record.value_type else { return None };
            let whole = constant_number(network, layout, record, kind)?;
            let before = record_type.fields.iter().take(*field);
            Some(whole + before.map(|field| size_in(&field.field_type, kind)).sum::<u32>())
        }
        _ => None,
    }
}

fn constant_atom(network: &Network, layout: &Layout, conjunct: &Expression) -> Option<ClockAtom> {
    let ExpressionKind::CompareClocks { left, right, comparison, bound } = &conjunct.kind else {
        return None;
    };
    let clock = |clock: &Option<Box<Expression>>| match clock {
        None => Some(0),
        Some(clock) => constant_clock(network, layout, clock),
    };
    if bound.value_type == Type::Double {
        return None;
    }
    let bound = constant_value(network, bound)?;
    Some(ClockAtom { left: clock(left)?, right: clock(right)?, comparison: *comparison, bound })
}

fn integer_range(value_type: &Type) -> Option<Range> {
    match value_type {
        Type::Integer(range) => Some(*range),
        Type::Boolean => Some(Range { least: 0, greatest: 1 }),
        _ => None,
    }
}
