//! Executes statements on explicit states.
//!
//! Invariant: the outcomes together represent exactly the successor states of the statement; the events of each
//! describe how it is reached.

use std::rc::Rc;

use tempora_evidence::{BudgetWatch, Exhausted};
use tempora_model::Id;
use tempora_smt::{Integer, Operator, Sort, Term, TermId, Value};
use tempora_transition::{StateVariableId, StatementKind, SymbolicStatement, SymbolicSystem};

use super::evaluate::{PartialState, Positions, evaluate};
use super::range::{Range, range_of};

/// Why an execution stopped.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum ExecutionAbort {
    /// The budget is exhausted.
    Exhausted(Exhausted),
    /// It depends on an open variable whose values cannot be enumerated, or on a division by zero.
    Open(String),
}

/// A decision during the execution.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Event {
    /// A choice took this branch.
    Branch(usize),
    /// The variable was opened by a havoc.
    Havoc(StateVariableId),
    /// The open variable has this value.
    Decided(StateVariableId, Value),
}

/// Events, the last one first.
#[derive(Debug)]
pub(crate) struct History {
    event: Event,
    before: Option<Rc<History>>,
}

/// A state reached by the statement.
pub(crate) struct Successor {
    pub(crate) state: PartialState,
    pub(crate) history: Option<Rc<History>>,
}

impl Successor {
    /// Returns the decisions during the execution, in order.
    pub(crate) fn events(&self) -> Vec<Event> {
        let mut events = Vec::new();
        let mut next = self.history.as_ref();
        while let Some(history) = next {
            events.push(history.event.clone());
            next = history.before.as_ref();
        }
        events.reverse();
        events
    }
}

/// The limit on the enumerated values of an open integer.
const MAX_VALUES: i64 = 2000;

/// An executor of the statements of a system.
pub(crate) struct Executor<'system> {
    system: &'system SymbolicSystem,
    positions: Positions,
    /// Whether the value of each variable can matter.
    is_relevant: Vec<bool>,
}

/// The remaining work.
struct Frame<'system> {
    work: Work<'system>,
    next: Option<Rc<Frame<'system>>>,
}

#[derive(Clone)]
enum Work<'system> {
    Statements(&'system [SymbolicStatement]),
    Round { counter: StateVariableId, current: Integer, end: Integer, body: &'system SymbolicStatement },
}

struct Open<'system> {
    state: PartialState,
    /// Open variables whose values were discarded because they are dead: their values must not be read.
    is_dead: Rc<Vec<bool>>,
    frame: Option<Rc<Frame<'system>>>,
    history: Option<Rc<History>>,
}

impl<'system> Open<'system> {
    fn push(&mut self, work: Work<'system>) {
        self.frame = Some(Rc::new(Frame { work, next: self.frame.take() }));
    }

    /// Sets whether the value of a variable was discarded.
    fn mark(&mut self, position: usize, is_dead: bool) {
        if self.is_dead.get(position).is_some_and(|known| *known != is_dead) {
            Rc::make_mut(&mut self.is_dead)[position] = is_dead;
        }
    }

    fn note(&mut self, event: Event) {
        self.history = Some(Rc::new(History { event, before: self.history.take() }));
    }
}

/// The result of assuming a formula.
enum Assumption {
    Holds,
    Fails,
    /// It depends on an open variable, which has one of these values.
    Depends(usize, Vec<Value>),
}

impl<'system> Executor<'system> {
    pub(crate) fn new(system: &'system SymbolicSystem, is_relevant: Vec<bool>) -> Executor<'system> {
        let mut positions = vec![None; system.store.symbol_count()];
        for (id, variable) in system.variables.iter() {
            positions[variable.symbol.index()] = Some(id.index());
        }
        Executor { system, positions: Positions(positions), is_relevant }
    }

    /// Returns all outcomes of a statement. The values of dead variables have been discarded.
    pub(crate) fn execute(
        &self,
        state: PartialState,
        is_dead: &Rc<Vec<bool>>,
        statement: &'system SymbolicStatement,
        watch: &mut BudgetWatch<'_>,
        stored: u64,
    ) -> Result<Vec<Successor>, ExecutionAbort> {
        let first = Frame { work: Work::Statements(std::slice::from_ref(statement)), next: None };
        let is_dead = is_dead.clone();
        let mut waiting = vec![Open { state, is_dead, frame: Some(Rc::new(first)), history: None }];
        let mut outcomes = Vec::new();
        while let Some(open) = waiting.pop() {
            watch.check(stored).map_err(ExecutionAbort::Exhausted)?;
            self.advance(open, &mut waiting, &mut outcomes, watch, stored)?;
        }
        Ok(outcomes)
    }

    /// Returns the cases in which a formula holds in a state.
    pub(crate) fn cases(
        &self,
        state: PartialState,
        formula: TermId,
        watch: &mut BudgetWatch<'_>,
    ) -> Result<Vec<Successor>, ExecutionAbort> {
        let is_dead = Rc::new(Vec::new());
        let mut waiting = vec![Open { state, is_dead, frame: None, history: None }];
        let mut outcomes = Vec::new();
        while let Some(mut open) = waiting.pop() {
            watch.check(0).map_err(ExecutionAbort::Exhausted)?;
            match self.assume(&mut open, formula)? {
                Assumption::Holds => outcomes.push(Successor { state: open.state, history: open.history }),
                Assumption::Fails => {}
                Assumption::Depends(position, values) => self.split(&open, position, values, &mut waiting),
            }
        }
        Ok(outcomes)
    }

    /// Executes until there are several successors, or none.
    fn advance(
        &self,
        mut open: Open<'system>,
        waiting: &mut Vec<Open<'system>>,
        outcomes: &mut Vec<Successor>,
        watch: &mut BudgetWatch<'_>,
        stored: u64,
    ) -> Result<(), ExecutionAbort> {
        loop {
            let Some(frame) = open.frame.take() else {
                outcomes.push(Successor { state: open.state, history: open.history });
                return Ok(());
            };
            open.frame = frame.next.clone();
            let statement = match &frame.work {
                Work::Statements([]) => continue,
                Work::Statements([first, rest @ ..]) => {
                    if !rest.is_empty() {
                        open.push(Work::Statements(rest));
                    }
                    first
                }
                Work::Round { counter, current, end, body } => {
                    if current >= end {
                        continue;
                    }
                    watch.check(stored).map_err(ExecutionAbort::Exhausted)?;
                    let next = current.add(&Integer::from(1));
                    open.push(Work::Round { counter: *counter, current: next, end: end.clone(), body });
                    open.state[counter.index()] = Some(Value::Integer(current.clone()));
                    body
                }
            };
            match &statement.kind {
                StatementKind::Sequence(parts) => open.push(Work::Statements(parts)),
                StatementKind::Havoc(variable) => {
                    open.state[variable.index()] = None;
                    open.mark(variable.index(), false);
                    open.note(Event::Havoc(*variable));
                }
                StatementKind::Assign(variable, value) => {
                    if !self.is_relevant[variable.index()] {
                        open.state[variable.index()] = None;
                        continue;
                    }
                    match self.value(&open.state, *value)? {
                        Some(value) => {
                            open.state[variable.index()] = Some(value);
                            open.mark(variable.index(), false);
                        }
                        // A value computed from a dead value is dead too.
                        None if self.reads_dead(&open, *value) => {
                            open.state[variable.index()] = None;
                            open.mark(variable.index(), true);
                        }
                        None => {
                            let (position, values) = self.dependence(&open, *value)?;
                            open.push(Work::Statements(std::slice::from_ref(statement)));
                            self.split(&open, position, values, waiting);
                            return Ok(());
                        }
                    }
                }
                StatementKind::Assume(formula) => match self.assume(&mut open, *formula)? {
                    Assumption::Holds => {}
                    Assumption::Fails => return Ok(()),
                    Assumption::Depends(position, values) => {
                        open.push(Work::Statements(std::slice::from_ref(statement)));
                        self.split(&open, position, values, waiting);
                        return Ok(());
                    }
                },
                StatementKind::Choice(branches) => {
                    let mut possible = Vec::new();
                    for (number, branch) in branches.iter().enumerate() {
                        if !self.is_blocked(&open.state, branch)? {
                            possible.push((number, branch));
                        }
                    }
                    // The stack is popped from the back, so the others are pushed in reverse order.
                    let Some(((number, branch), others)) = possible.split_first() else { return Ok(()) };
                    for (number, branch) in others.iter().rev() {
                        let mut other = Open {
                            state: open.state.clone(),
                            is_dead: open.is_dead.clone(),
                            frame: open.frame.clone(),
                            history: open.history.clone(),
                        };
                        other.note(Event::Branch(*number));
                        other.push(Work::Statements(std::slice::from_ref(*branch)));
                        waiting.push(other);
                    }
                    open.note(Event::Branch(*number));
                    open.push(Work::Statements(std::slice::from_ref(*branch)));
                }
                StatementKind::Loop { counter, from, to, body } => {
                    let bounds = (self.value(&open.state, *from)?, self.value(&open.state, *to)?);
                    match bounds {
                        (Some(Value::Integer(current)), Some(Value::Integer(end))) => {
                            open.push(Work::Round { counter: *counter, current, end, body });
                        }
                        (from_value, _) => {
                            let unknown = if from_value.is_none() { *from } else { *to };
                            let (position, values) = self.dependence(&open, unknown)?;
                            open.push(Work::Statements(std::slice::from_ref(statement)));
                            self.split(&open, position, values, waiting);
                            return Ok(());
                        }
                    }
                }
            }
        }
    }

    fn value(&self, state: &[Option<Value>], term: TermId) -> Result<Option<Value>, ExecutionAbort> {
        evaluate(&self.system.store, &self.positions, state, term)
            .map_err(|error| ExecutionAbort::Open(error.to_string()))
    }

    /// Returns whether a term depends on a variable whose value was discarded.
    fn reads_dead(&self, open: &Open<'system>, term: TermId) -> bool {
        self.system.store.symbols_of(&[term]).into_iter().any(|symbol| {
            let position = self.positions.of(symbol);
            position.is_some_and(|position| {
                open.state.get(position) == Some(&None) && open.is_dead.get(position) == Some(&true)
            })
        })
    }

    /// Returns whether a branch begins with a false assumption.
    fn is_blocked(
        &self,
        state: &[Option<Value>],
        branch: &SymbolicStatement,
    ) -> Result<bool, ExecutionAbort> {
        let mut first = branch;
        loop {
            match &first.kind {
                StatementKind::Sequence(parts) => match parts.first() {
                    Some(part) => first = part,
                    None => return Ok(false),
                },
                StatementKind::Assume(formula) => {
                    return Ok(self.value(state, *formula)? == Some(Value::Boolean(false)));
                }
                _ => return Ok(false),
            }
        }
    }

    fn split(
        &self,
        open: &Open<'system>,
        position: usize,
        values: Vec<Value>,
        waiting: &mut Vec<Open<'system>>,
    ) {
        for value in values.into_iter().rev() {
            let mut state = open.state.clone();
            state[position] = Some(value.clone());
            let mut case = Open {
                state,
                is_dead: open.is_dead.clone(),
                frame: open.frame.clone(),
                history: open.history.clone(),
            };
            case.note(Event::Decided(StateVariableId::from_index(position), value));
            waiting.push(case);
        }
    }

    /// Assumes a formula; open variables get the values it forces.
    fn assume(&self, open: &mut Open<'system>, formula: TermId) -> Result<Assumption, ExecutionAbort> {
        loop {
            match self.value(&open.state, formula)? {
                Some(Value::Boolean(true)) => return Ok(Assumption::Holds),
                Some(_) => return Ok(Assumption::Fails),
                None => {}
            }
            let mut has_forced = false;
            for conjunct in self.system.store.conjuncts(formula) {
                if let Some((position, value)) = self.forced(&open.state, conjunct)? {
                    open.state[position] = Some(value.clone());
                    open.note(Event::Decided(StateVariableId::from_index(position), value));
                    has_forced = true;
                }
            }
            if !has_forced {
                break;
            }
        }
        let (position, values) = self.dependence_in(open, formula, Some(formula))?;
        Ok(Assumption::Depends(position, values))
    }

    /// Returns an open variable for which only one value satisfies a formula.
    fn forced(
        &self,
        state: &[Option<Value>],
        formula: TermId,
    ) -> Result<Option<(usize, Value)>, ExecutionAbort> {
        let store = &self.system.store;
        let open_variable = |term: TermId| match store.term(term) {
            Term::Symbol(symbol) => {
                self.positions.of(*symbol).filter(|position| state.get(*position) == Some(&None))
            }
            _ => None,
        };
        if let Some(position) = open_variable(formula) {
            return Ok(Some((position, Value::Boolean(true))));
        }
        match store.term(formula) {
            Term::Apply(Operator::Not, inner) => {
                Ok(open_variable(inner[0]).map(|position| (position, Value::Boolean(false))))
            }
            Term::Apply(Operator::Equal, sides) => {
                for (variable, other) in [(sides[0], sides[1]), (sides[1], sides[0])] {
                    if let Some(position) = open_variable(variable)
                        && let Some(value) = self.value(state, other)?
                    {
                        return Ok(Some((position, value)));
                    }
                }
                Ok(None)
            }
            _ => Ok(None),
        }
    }

    fn dependence(&self, open: &Open<'system>, term: TermId) -> Result<(usize, Vec<Value>), ExecutionAbort> {
        self.dependence_in(open, term, None)
    }

    /// Returns an open variable on which a term depends, with its possible values.
    fn dependence_in(
        &self,
        open: &Open<'system>,
        term: TermId,
        assumed: Option<TermId>,
    ) -> Result<(usize, Vec<Value>), ExecutionAbort> {
        let store = &self.system.store;
        let mut best: Option<(usize, Vec<Value>)> = None;
        let mut endless = None;
        for symbol in store.symbols_of(&[term]) {
            let Some(position) = self.positions.of(symbol) else { continue };
            if open.state.get(position) != Some(&None) {
                continue;
            }
            let sort = store.symbol_sort(symbol);
            let values = match sort {
                Sort::Integer => self.range(open, position, assumed).values(MAX_VALUES),
                _ => Value::all_of(store, sort, usize::try_from(MAX_VALUES).unwrap_or(usize::MAX)),
            };
            match values {
                Some(values) => {
                    if best.as_ref().is_none_or(|(_, known)| values.len() < known.len()) {
                        best = Some((position, values));
                    }
                }
                None => endless = Some(symbol),
            }
        }
        best.ok_or_else(|| {
            let name = endless.map_or("a variable", |symbol| store.symbol_name(symbol));
            ExecutionAbort::Open(format!("`{name}` may have values that cannot be enumerated"))
        })
    }

    /// Returns the range of an open integer that the current and the following assumptions imply.
    fn range(&self, open: &Open<'system>, position: usize, assumed: Option<TermId>) -> Range {
        let store = &self.system.store;
        let mut state = open.state.clone();
        let of = |state: &[Option<Value>], formula: TermId| {
            range_of(store, &self.positions, state, position, formula, true)
        };
        let mut range = assumed.map_or_else(Range::default, |formula| of(&state, formula));
        let mut frame = open.frame.as_ref();
        // The following statements may restrict the variable further, until they change it.
        while let Some(Frame { work: Work::Statements(statements), next }) = frame.map(Rc::as_ref) {
            for statement in *statements {
                match &statement.kind {
                    StatementKind::Assume(formula) => range = range.intersection(of(&state, *formula)),
                    StatementKind::Assign(variable, _) | StatementKind::Havoc(variable)
                        if variable.index() != position =>
                    {
                        state[variable.index()] = None;
                    }
                    _ => return range,
                }
            }
            frame = next.as_ref();
        }
        range
    }
}
