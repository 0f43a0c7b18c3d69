//! The symbolic state during the lowering of an edge: the current value of each cell, as a term over the values before
//! the edge.
//!
//! Invariant: every operation has a condition, the path; assignments and failures take effect only where the path
//! holds. So a single state covers all branches.

use std::collections::BTreeMap;

use tempora_smt::{Operator, TermId, TermStore};
use tempora_source::Origin;

use super::cells::{CellKind, Cells, index_range, kind_of, size_of};
use super::intervals::Intervals;
use super::{LoweredValue, NotLowered};
use tempora_model::{
    Expression, ExpressionKind, LocalId, LocalInitial, Network, Range, Statement, Type, Value,
};
use tempora_model::{VariableId, VariableKind};

pub(super) type Lowered<T> = Result<T, NotLowered>;

/// The builder of terms.
pub(super) struct Lowering<'network, 'stop> {
    pub(super) network: &'network Network,
    pub(super) store: TermStore,
    pub(super) cells: Cells,
    intervals: Intervals,
    /// The current values of the cells, followed by those of local variables.
    pub(super) now: Vec<TermId>,
    kinds: Vec<CellKind>,
    frames: Vec<Frame>,
    /// The conditions under which an evaluation fails.
    pub(super) failures: Vec<TermId>,
    fuel: u32,
    stop: &'stop mut dyn FnMut() -> bool,
}

/// The bound names of a function, an edge or a query.
#[derive(Default)]
pub(super) struct Frame {
    locals: BTreeMap<LocalId, BoundName>,
    /// The condition under which the function has returned, and the result.
    returned: Option<TermId>,
    result: Option<LoweredValue>,
}

#[derive(Clone)]
enum BoundName {
    Constant(i32),
    CellPlace(CellPlace),
}

/// A set of cells; conditions determine which of them is meant.
#[derive(Clone, Debug)]
pub(super) struct CellPlace {
    /// The possible first cells, with their conditions.
    starts: Vec<(TermId, usize)>,
    value_type: Type,
}

/// The limit on statements executed for one edge, and on the possible positions of a place.
const MAX_STATEMENTS: u32 = 20_000;
const MAX_STARTS: usize = 200;
/// The limit on the size of all conditions and values together.
const MAX_TERMS: usize = 2_000_000;
const MAX_LEVELS: usize = 50;

impl<'network, 'stop> Lowering<'network, 'stop> {
    pub(super) fn new(
        network: &'network Network,
        store: TermStore,
        cells: Cells,
        stop: &'stop mut dyn FnMut() -> bool,
    ) -> Lowering<'network, 'stop> {
        let mut intervals = Intervals::default();
        for (kind, variable) in cells.kinds.iter().zip(cells.variables.values()) {
            if let CellKind::Integer(range) = kind {
                intervals.set(variable.symbol, i64::from(range.least), i64::from(range.greatest));
            }
        }
        let (now, kinds) = (cells.terms.clone(), cells.kinds.clone());
        let frames = vec![Frame::default()];
        let failures = Vec::new();
        Lowering { network, store, cells, intervals, now, kinds, frames, failures, fuel: 0, stop }
    }

    /// Resets to the state before the step.
    pub(super) fn reset(&mut self) {
        self.now.clone_from(&self.cells.terms);
        self.kinds.clone_from(&self.cells.kinds);
        self.frames = vec![Frame::default()];
        self.failures.clear();
        self.fuel = MAX_STATEMENTS;
    }

    /// Binds the names of an edge to their values.
    pub(super) fn bind(&mut self, values: &[(LocalId, i32)]) {
        self.frames = vec![Frame::default()];
        for &(local, value) in values {
            self.bind_one(local, value);
        }
    }

    pub(super) fn bind_one(&mut self, local: LocalId, value: i32) {
        if let Some(frame) = self.frames.last_mut() {
            frame.locals.insert(local, BoundName::Constant(value));
        }
    }

    /// Returns the condition under which an evaluation fails.
    pub(super) fn failure(&mut self) -> TermId {
        let failures = std::mem::take(&mut self.failures);
        self.store.or(&failures)
    }

    /// Adds a failure where the condition is false under the path.
    pub(super) fn demand(&mut self, condition: TermId, path: TermId) {
        let fails = self.store.not(condition);
        let fails = self.store.and(&[path, fails]);
        if self.store.as_boolean(fails) != Some(false) {
            self.failures.push(fails);
        }
    }

    /// Requires that an integer is in a range, unless its bounds imply it.
    pub(super) fn demand_range(&mut self, term: TermId, range: Range, path: TermId) {
        let (least, greatest) = (i64::from(range.least), i64::from(range.greatest));
        if let Some(bounds) = self.intervals.of(&self.store, term)
            && bounds.0 >= least
            && bounds.1 <= greatest
        {
            return;
        }
        let (least, greatest) = (self.store.integer(least), self.store.integer(greatest));
        let (above, below) = (self.store.less_equal(least, term), self.store.less_equal(term, greatest));
        let within = self.store.and(&[above, below]);
        self.demand(within, path);
    }

    /// Adds a failure beyond 32 bits: networks wrap around there, which is not supported.
    pub(super) fn word(&mut self, term: TermId, path: TermId) -> LoweredValue {
        self.demand_range(term, Range::WORD, path);
        LoweredValue::Integer(term)
    }

    /// Returns the value of a part of a place.
    pub(super) fn read(&mut self, place: &CellPlace, offset: usize) -> Lowered<LoweredValue> {
        let Some(&(_, first)) = place.starts.last() else {
            return Err(NotLowered::declined("a place without cells", None));
        };
        let mut term = self.now[first + offset];
        for &(condition, start) in place.starts.iter().rev().skip(1) {
            term = self.store.if_then_else(condition, self.now[start + offset], term);
        }
        Ok(match self.kinds[first + offset] {
            CellKind::Boolean => LoweredValue::Boolean(term),
            CellKind::Integer(_) => LoweredValue::Integer(term),
            CellKind::Clock => LoweredValue::Clock(term),
        })
    }

    /// Assigns a part of a place, under the path; returns the stored value.
    pub(super) fn write(
        &mut self,
        place: &CellPlace,
        offset: usize,
        value: LoweredValue,
        path: TermId,
        origin: Origin,
    ) -> Lowered<LoweredValue> {
        let only = place.starts.len() == 1;
        let mut stored = value;
        for (condition, start) in place.starts.clone() {
            let cell = start + offset;
            let condition = if only { path } else { self.store.and(&[path, condition]) };
            stored = self.fitted(value, self.kinds[cell], condition, origin)?;
            let (LoweredValue::Boolean(term) | LoweredValue::Integer(term) | LoweredValue::Clock(term)) =
                stored;
            self.now[cell] = self.store.if_then_else(condition, term, self.now[cell]);
        }
        Ok(stored)
    }

    /// Converts a value to the kind of a cell; a value out of range is a failure, under the path.
    fn fitted(
        &mut self,
        value: LoweredValue,
        kind: CellKind,
        path: TermId,
        origin: Origin,
    ) -> Lowered<LoweredValue> {
        Ok(match kind {
            CellKind::Boolean => LoweredValue::Boolean(self.as_boolean(value, origin)?),
            CellKind::Integer(range) => {
                let term = self.as_integer(value, origin)?;
                self.demand_range(term, range, path);
                LoweredValue::Integer(term)
            }
            CellKind::Clock => LoweredValue::Clock(self.as_clock(value, path, origin)?),
        })
    }

    fn as_clock(&mut self, value: LoweredValue, path: TermId, origin: Origin) -> Lowered<TermId> {
        let term = match value {
            LoweredValue::Clock(term) => term,
            other => {
                let number = self.as_integer(other, origin)?;
                self.store.simplified(&Operator::ToReal, &[number])
            }
        };
        let zero = self.store.integer(0);
        let zero = self.store.simplified(&Operator::ToReal, &[zero]);
        let is_allowed = self.store.less_equal(zero, term);
        self.demand(is_allowed, path);
        Ok(term)
    }

    pub(super) fn as_boolean(&mut self, value: LoweredValue, origin: Origin) -> Lowered<TermId> {
        match value {
            LoweredValue::Boolean(term) => Ok(term),
            LoweredValue::Integer(term) => {
                let zero = self.store.integer(0);
                let is_zero = self.store.equal(term, zero);
                Ok(self.store.not(is_zero))
            }
            LoweredValue::Clock(_) => Err(NotLowered::new("a clock as a truth value", origin)),
        }
    }

    pub(super) fn as_integer(&mut self, value: LoweredValue, origin: Origin) -> Lowered<TermId> {
        match value {
            LoweredValue::Integer(term) => Ok(term),
            LoweredValue::Boolean(term) => {
                let (one, zero) = (self.store.integer(1), self.store.integer(0));
                Ok(self.store.if_then_else(term, one, zero))
            }
            LoweredValue::Clock(_) => Err(NotLowered::new("a clock as a number", origin)),
        }
    }

    /// Returns the place of a variable, a bound name or a part of one; `None` for a constant.
    pub(super) fn place(&mut self, expression: &Expression, path: TermId) -> Lowered<Option<CellPlace>> {
        let origin = expression.origin;
        let always = self.store.truth(true);
        match &expression.kind {
            ExpressionKind::Variable(variable) => {
                if self.network.variables[*variable].kind == VariableKind::Constant {
                    return Ok(None);
                }
                let value_type = self.network.variables[*variable].value_type.clone();
                Ok(Some(CellPlace { starts: vec![(always, self.cells.first(*variable))], value_type }))
            }
            ExpressionKind::Local(local) => {
                match self.frames.last().and_then(|frame| frame.locals.get(local)) {
                    Some(BoundName::CellPlace(place)) => Ok(Some(place.clone())),
                    Some(BoundName::Constant(_)) => Ok(None),
                    None => Err(NotLowered::new("an unbound name", origin)),
                }
            }
            ExpressionKind::Field { record, field } => {
                let Some(CellPlace { mut starts, value_type: Type::Record(record) }) =
                    self.place(record, path)?
                else {
                    return Ok(None);
                };
                let before: usize =
                    record.fields[..*field].iter().map(|field| size_of(&field.field_type)).sum();
                starts.iter_mut().for_each(|(_, start)| *start += before);
                Ok(Some(CellPlace { starts, value_type: record.fields[*field].field_type.clone() }))
            }
            ExpressionKind::Element { array, index } => {
                let Some(CellPlace { starts, value_type: Type::Array(array) }) = self.place(array, path)?
                else {
                    return Ok(None);
                };
                let range = index_range(&array.index);
                let position = self.value(index, path)?;
                let position = self.as_integer(position, index.origin)?;
                self.demand_range(position, range, path);
                let bounds = self.intervals.of(&self.store, position);
                let size = size_of(&array.element);
                let mut parts = Vec::new();
                for (offset, value) in array.index.values().enumerate() {
                    if bounds.is_some_and(|(least, greatest)| {
                        i64::from(value) < least || i64::from(value) > greatest
                    }) {
                        continue;
                    }
                    let value = self.store.integer(i64::from(value));
                    let is_this = self.store.equal(position, value);
                    for &(condition, start) in &starts {
                        let condition = self.store.and(&[condition, is_this]);
                        if self.store.as_boolean(condition) != Some(false) {
                            parts.push((condition, start + offset * size));
                        }
                    }
                }
                if parts.is_empty() {
                    // The failure is the same for every position.
                    parts.extend(starts.first().copied());
                }
                if parts.len() > MAX_STARTS {
                    return Err(NotLowered::new("an array this large with a computed index", origin));
                }
                Ok(Some(CellPlace { starts: parts, value_type: array.element.clone() }))
            }
            _ => Err(NotLowered::new("this form of assignment target", origin)),
        }
    }

    /// Returns the value of a bound name.
    pub(super) fn bound_constant(&self, local: LocalId) -> Option<i32> {
        match self.frames.last()?.locals.get(&local)? {
            BoundName::Constant(value) => Some(*value),
            BoundName::CellPlace(_) => None,
        }
    }

    /// Returns the part of a constant that an expression denotes, if its indices are constant.
    pub(super) fn constant_part(&self, expression: &Expression) -> Option<Value> {
        match &expression.kind {
            ExpressionKind::Variable(variable) => {
                let variable: VariableId = *variable;
                let declared = &self.network.variables[variable];
                (declared.kind == VariableKind::Constant).then(|| declared.initial.clone())
            }
            ExpressionKind::Field { record, field } => match self.constant_part(record)? {
                Value::Parts(parts) => parts.get(*field).cloned(),
                _ => None,
            },
            _ => None,
        }
    }

    /// Lowers a call with its side effects, and returns the result.
    pub(super) fn call(&mut self, expression: &Expression, path: TermId) -> Lowered<Option<LoweredValue>> {
        let ExpressionKind::Call { function, arguments } = &expression.kind else { return Ok(None) };
        let origin = expression.origin;
        if self.frames.len() > MAX_LEVELS {
            return Err(NotLowered::new("calls nested this deeply", origin));
        }
        let declared = &self.network.functions[*function];
        let mut frame = Frame::default();
        for (parameter, argument) in declared.parameters.iter().zip(arguments) {
            let bound = if parameter.is_reference {
                match self.place(argument, path)? {
                    Some(place) => BoundName::CellPlace(place),
                    None => return Err(NotLowered::new("a reference to a constant", argument.origin)),
                }
            } else {
                let place = self.fresh(&parameter.value_type, origin)?;
                self.assign(&place, argument, path)?;
                BoundName::CellPlace(place)
            };
            frame.locals.insert(parameter.local, bound);
        }
        self.frames.push(frame);
        for statement in &declared.body {
            self.statement(statement, path)?;
        }
        let frame = self.frames.pop().unwrap_or_default();
        if declared.result == Type::Void {
            return Ok(None);
        }
        let returned = frame.returned.unwrap_or_else(|| self.store.truth(false));
        self.demand(returned, path);
        match (frame.result, kind_of(&declared.result, self.network)) {
            (Some(result), Some(kind)) => self.fitted(result, kind, path, origin).map(Some),
            (result, _) => Ok(result),
        }
    }

    /// Creates cells for a value of a type.
    fn fresh(&mut self, value_type: &Type, origin: Origin) -> Lowered<CellPlace> {
        let start = self.now.len();
        self.add_fresh(value_type, origin)?;
        Ok(CellPlace { starts: vec![(self.store.truth(true), start)], value_type: value_type.clone() })
    }

    fn add_fresh(&mut self, value_type: &Type, origin: Origin) -> Lowered<()> {
        match value_type {
            Type::Array(array) => {
                array.index.values().try_for_each(|_| self.add_fresh(&array.element, origin))
            }
            Type::Record(record) => {
                record.fields.iter().try_for_each(|field| self.add_fresh(&field.field_type, origin))
            }
            _ => {
                let kind = kind_of(value_type, self.network)
                    .ok_or_else(|| NotLowered::new("a local variable of this type", origin))?;
                let zero = match kind {
                    CellKind::Boolean => self.store.truth(false),
                    CellKind::Integer(_) => self.store.integer(0),
                    // A local clock would have to grow during the function, in which no time passes.
                    CellKind::Clock => return Err(NotLowered::new("local clocks", origin)),
                };
                self.now.push(zero);
                self.kinds.push(kind);
                self.spend(origin)
            }
        }
    }

    /// Assigns the value of an expression, for scalars, arrays and records.
    pub(super) fn assign(&mut self, place: &CellPlace, value: &Expression, path: TermId) -> Lowered<()> {
        if !matches!(place.value_type, Type::Array(_) | Type::Record(_)) {
            let worked = self.value(value, path)?;
            return self.write(place, 0, worked, path, value.origin).map(drop);
        }
        let parts: Vec<LoweredValue> = match self.constant_part(value) {
            Some(constant) => {
                let mut numbers = Vec::new();
                flatten(&constant, &mut numbers);
                numbers.into_iter().map(|number| LoweredValue::Integer(self.store.integer(number))).collect()
            }
            None => {
                let Some(from) = self.place(value, path)? else {
                    return Err(NotLowered::new("this form of array or record value", value.origin));
                };
                (0..size_of(&place.value_type))
                    .map(|offset| self.read(&from, offset))
                    .collect::<Lowered<_>>()?
            }
        };
        for (offset, part) in parts.into_iter().enumerate() {
            self.write(place, offset, part, path, value.origin)?;
        }
        Ok(())
    }

    fn spend(&mut self, origin: Origin) -> Lowered<()> {
        self.fuel = self.fuel.saturating_sub(1);
        if self.fuel == 0 {
            return Err(NotLowered::new("this many steps of functions in one transition", origin));
        }
        self.check_size(origin)
    }

    /// Declines a network that becomes too large, and stops on request.
    pub(super) fn check_size(&mut self, origin: Origin) -> Lowered<()> {
        if (self.stop)() {
            return Err(NotLowered::Stopped);
        }
        if self.store.len() > MAX_TERMS {
            return Err(NotLowered::new("conditions and updates this large", origin));
        }
        Ok(())
    }

    /// Returns the path, unless the function has returned.
    fn continuing_path(&mut self, path: TermId) -> TermId {
        match self.frames.last().and_then(|frame| frame.returned) {
            None => path,
            Some(returned) => {
                let goes_on = self.store.not(returned);
                self.store.and(&[path, goes_on])
            }
        }
    }

    fn statement(&mut self, statement: &Statement, path: TermId) -> Lowered<()> {
        let path = self.continuing_path(path);
        if self.store.as_boolean(path) == Some(false) {
            return Ok(());
        }
        match statement {
            Statement::Declare { local, value_type, initial, origin, .. } => {
                let place = self.fresh(value_type, *origin)?;
                match initial {
                    LocalInitial::Constant(value) => {
                        let mut numbers = Vec::new();
                        flatten(value, &mut numbers);
                        for (offset, number) in numbers.into_iter().enumerate() {
                            let worked = LoweredValue::Integer(self.store.integer(number));
                            self.write(&place, offset, worked, path, *origin)?;
                        }
                    }
                    LocalInitial::Computed(value) => self.assign(&place, value, path)?,
                }
                if let Some(frame) = self.frames.last_mut() {
                    frame.locals.insert(*local, BoundName::CellPlace(place));
                }
            }
            Statement::Evaluate(expression) => self.effect(expression, path)?,
            Statement::Block(statements) => {
                for statement in statements {
                    self.statement(statement, path)?;
                }
            }
            Statement::If { condition, then, otherwise } => {
                let holds = self.condition(condition, path)?;
                let inside = self.store.and(&[path, holds]);
                self.statement(then, inside)?;
                if let Some(otherwise) = otherwise {
                    let fails = self.store.not(holds);
                    let outside = self.store.and(&[path, fails]);
                    self.statement(otherwise, outside)?;
                }
            }
            Statement::While { condition, body } => self.repeat(condition, body, path, false)?,
            Statement::DoWhile { body, condition } => self.repeat(condition, body, path, true)?,
            Statement::ForEach { binder, body } => {
                for value in binder.domain.values() {
                    self.spend(binder.origin)?;
                    self.bind_one(binder.local, value);
                    self.statement(body, path)?;
                }
            }
            Statement::Return(value, origin) => {
                let worked = value.as_ref().map(|value| self.value(value, path)).transpose()?;
                let path = self.continuing_path(path);
                let earlier = self.frames.last().and_then(|frame| frame.result);
                let result = match (worked, earlier) {
                    (Some(now), Some(earlier)) => Some(self.either(path, now, earlier, *origin)?),
                    (now, earlier) => now.or(earlier),
                };
                let before = self.frames.last().and_then(|frame| frame.returned);
                let returned = match before {
                    Some(before) => self.store.or(&[before, path]),
                    None => path,
                };
                if let Some(frame) = self.frames.last_mut() {
                    frame.result = result;
                    frame.returned = Some(returned);
                }
            }
            Statement::Assert(condition) => {
                let holds = self.condition(condition, path)?;
                self.demand(holds, path);
            }
        }
        Ok(())
    }

    fn repeat(
        &mut self,
        condition: &Expression,
        body: &Statement,
        path: TermId,
        runs_once: bool,
    ) -> Lowered<()> {
        let mut path = path;
        if runs_once {
            self.statement(body, path)?;
        }
        loop {
            self.spend(condition.origin)?;
            path = self.continuing_path(path);
            let holds = self.condition(condition, path)?;
            path = self.store.and(&[path, holds]);
            if self.store.as_boolean(path) == Some(false) {
                return Ok(());
            }
            self.statement(body, path)?;
        }
    }

    /// Returns a conditional of two values of the same kind.
    pub(super) fn either(
        &mut self,
        condition: TermId,
        then: LoweredValue,
        otherwise: LoweredValue,
        origin: Origin,
    ) -> Lowered<LoweredValue> {
        Ok(match (then, otherwise) {
            (LoweredValue::Boolean(then), LoweredValue::Boolean(otherwise)) => {
                LoweredValue::Boolean(self.store.if_then_else(condition, then, otherwise))
            }
            (LoweredValue::Clock(then), LoweredValue::Clock(otherwise)) => {
                LoweredValue::Clock(self.store.if_then_else(condition, then, otherwise))
            }
            (then, otherwise) => {
                let (then, otherwise) = (self.as_integer(then, origin)?, self.as_integer(otherwise, origin)?);
                LoweredValue::Integer(self.store.if_then_else(condition, then, otherwise))
            }
        })
    }
}

/// Collects the numbers of a constant, in the order of its cells.
pub(super) fn flatten(value: &Value, numbers: &mut Vec<i64>) {
    match value {
        Value::Parts(parts) => parts.iter().for_each(|part| flatten(part, numbers)),
        other => numbers.push(i64::from(other.as_integer().unwrap_or(0))),
    }
}
