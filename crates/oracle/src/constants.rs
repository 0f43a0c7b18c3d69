//! The constants that clocks are compared with, which determine the regions of a network and its queries.
//!
//! Invariant: no guard, invariant or predicate distinguishes two values of a clock that both exceed its maximum, nor
//! two differences beyond the maximum for differences. Larger constants are harmless.

use tempora_model::{
    BinaryOperator, Condition, Expression, ExpressionKind, Formula, Id, LocalInitial, Network, QueryKind,
    Statement, Type, UnaryOperator, Value, VariableId, VariableKind,
};
use tempora_replay::ClockLayout;

use crate::failure::ExplorationFailure;

/// The maximal constant of each clock.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Constants {
    /// The maximum of each clock cell.
    pub(crate) maxima: Vec<i64>,
    /// The maximal constant of clock differences; `None` if they are not compared.
    pub(crate) difference: Option<i64>,
    /// Whether a clock is ever set to the value of another.
    pub(crate) has_copies: bool,
}

impl Constants {
    /// Computes the constants of a network and of queries about it. Computed bounds count at most as much as `cap`.
    pub(crate) fn of<'model>(
        network: &'model Network,
        queries: impl IntoIterator<Item = &'model QueryKind>,
        cap: Option<i64>,
    ) -> Result<Constants, ExplorationFailure> {
        let layout = ClockLayout::new(network);
        let cells = layout.cell_count();
        let mut survey = Survey {
            network,
            cap,
            compared: vec![0; cells],
            assigned: vec![0; cells],
            copies: Vec::new(),
            has_differences: false,
            refused: None,
            layout,
        };
        survey.network();
        for query in queries {
            survey.query(query);
        }
        survey.finish()
    }
}

struct Survey<'model> {
    network: &'model Network,
    layout: ClockLayout,
    cap: Option<i64>,
    compared: Vec<i64>,
    assigned: Vec<i64>,
    /// Target cells and source cells of clock copies.
    copies: Vec<(Vec<usize>, Vec<usize>)>,
    has_differences: bool,
    refused: Option<String>,
}

impl Survey<'_> {
    fn finish(self) -> Result<Constants, ExplorationFailure> {
        if let Some(what) = self.refused {
            return Err(ExplorationFailure::Unsupported(what));
        }
        let mut maxima: Vec<i64> = self
            .compared
            .iter()
            .zip(&self.assigned)
            .map(|(&compared, &assigned)| compared.max(assigned))
            .collect();
        // A source must distinguish all values that its target distinguishes.
        loop {
            let before = maxima.clone();
            for (targets, sources) in &self.copies {
                let needed = targets.iter().map(|&target| maxima[target]).max().unwrap_or(0);
                sources.iter().for_each(|&source| maxima[source] = maxima[source].max(needed));
            }
            if maxima == before {
                break;
            }
        }
        let mut difference = None;
        if self.has_differences {
            let compared = self.compared.iter().copied().max().unwrap_or(0);
            let assigned = self.assigned.iter().copied().max().unwrap_or(0);
            // After `x = c` the difference `x - y` is `c - y`. It must be known up to `compared` even if only `y >
            // maximum` is known of `y`; so the maximum is at least `compared + c`.
            maxima.fill(compared + assigned);
            difference = Some(compared);
        }
        Ok(Constants { maxima, difference, has_copies: !self.copies.is_empty() })
    }

    fn network(&mut self) {
        let network = self.network;
        for expression in network.before_update.iter().chain(&network.after_update) {
            self.expression(expression);
        }
        for function in network.functions.values() {
            function.body.iter().for_each(|statement| self.statement(statement));
        }
        for process in network.processes.values() {
            for location in process.locations.values() {
                self.condition(&location.invariant);
                if !location.clock_rates.is_empty() {
                    self.refused = Some("regions with clock rates".to_owned());
                }
            }
            for edge in process.edges.values() {
                self.condition(&edge.guard);
                if let Some(synchronisation) = &edge.synchronisation {
                    self.expression(&synchronisation.channel);
                }
                for update in edge.branches.iter().flat_map(|branch| &branch.updates) {
                    self.expression(update);
                }
            }
        }
    }

    fn query(&mut self, query: &QueryKind) {
        match query {
            QueryKind::Formula(formula) => self.formula(formula),
            QueryKind::Bounds { predicate, expressions, .. } => {
                predicate.iter().chain(expressions).for_each(|expression| self.expression(expression));
            }
            QueryKind::Time { predicate, .. } => self.expression(predicate),
            QueryKind::Specification { .. } | QueryKind::Property(_) | QueryKind::Declined(_) => {}
        }
    }

    fn formula(&mut self, formula: &Formula) {
        match formula {
            Formula::Possibly(predicate)
            | Formula::Always(predicate)
            | Formula::PotentiallyAlways(predicate)
            | Formula::Eventually(predicate) => self.expression(predicate),
            Formula::LeadsTo { premise, conclusion, within: _ } => {
                self.expression(premise);
                self.expression(conclusion);
            }
            Formula::AlwaysPossibly { premise, goal } => {
                premise.iter().for_each(|premise| self.expression(premise));
                self.expression(goal);
            }
            Formula::InfinitelyOften(predicates) => {
                predicates.iter().for_each(|predicate| self.expression(predicate));
            }
            Formula::Not(inner) => self.formula(inner),
            Formula::And(parts) | Formula::Or(parts) => parts.iter().for_each(|part| self.formula(part)),
        }
    }

    fn condition(&mut self, condition: &Condition) {
        condition.data.iter().chain(&condition.clocks).for_each(|part| self.expression(part));
    }

    fn expression(&mut self, expression: &Expression) {
        match &expression.kind {
            ExpressionKind::CompareClocks { left, right, bound, .. } => {
                let magnitude = self.magnitude(bound);
                self.has_differences |= left.is_some() && right.is_some();
                for clock in [left, right].into_iter().flatten() {
                    for cell in self.cells(clock) {
                        self.compared[cell] = self.compared[cell].max(magnitude);
                    }
                    self.expression(clock);
                }
                self.expression(bound);
            }
            ExpressionKind::Assign { target, value, .. } => {
                if target.value_type == Type::Clock && value.value_type != Type::Clock {
                    let magnitude = self.magnitude(value);
                    for cell in self.cells(target) {
                        self.assigned[cell] = self.assigned[cell].max(magnitude);
                    }
                } else if target.value_type.has_clocks()
                    && matches!(value.kind, ExpressionKind::Binary { .. })
                {
                    self.refused = Some("clocks that are set to a clock plus a constant".to_owned());
                } else if target.value_type.has_clocks() {
                    let copy = (self.cells(target), self.cells(value));
                    self.copies.push(copy);
                }
                self.expression(target);
                self.expression(value);
            }
            ExpressionKind::Integer(_)
            | ExpressionKind::Double(_)
            | ExpressionKind::Variable(_)
            | ExpressionKind::Local(_)
            | ExpressionKind::At { .. }
            | ExpressionKind::LocationOf(_)
            | ExpressionKind::HasLabel(_)
            | ExpressionKind::Deadlock => {}
            ExpressionKind::Element { array: first, index: second }
            | ExpressionKind::Binary { left: first, right: second, .. }
            | ExpressionKind::RateIs { clock: first, rate: second } => {
                self.expression(first);
                self.expression(second);
            }
            ExpressionKind::Field { record: inner, .. }
            | ExpressionKind::Unary { operand: inner, .. }
            | ExpressionKind::Step { target: inner, .. }
            | ExpressionKind::Quantified { body: inner, .. } => self.expression(inner),
            ExpressionKind::Conditional { condition, then, otherwise } => {
                self.expression(condition);
                self.expression(then);
                self.expression(otherwise);
            }
            ExpressionKind::Call { arguments, .. } | ExpressionKind::CallBuiltin { arguments, .. } => {
                arguments.iter().for_each(|argument| self.expression(argument));
            }
        }
    }

    fn statement(&mut self, statement: &Statement) {
        match statement {
            Statement::Declare { initial: LocalInitial::Computed(expression), .. }
            | Statement::Evaluate(expression)
            | Statement::Return(Some(expression), _)
            | Statement::Assert(expression) => self.expression(expression),
            Statement::Declare { initial: LocalInitial::Constant(_), .. } | Statement::Return(None, _) => {}
            Statement::Block(statements) => statements.iter().for_each(|inner| self.statement(inner)),
            Statement::If { condition, then, otherwise } => {
                self.expression(condition);
                self.statement(then);
                if let Some(otherwise) = otherwise {
                    self.statement(otherwise);
                }
            }
            Statement::While { condition, body } | Statement::DoWhile { body, condition } => {
                self.expression(condition);
                self.statement(body);
            }
            Statement::ForEach { body, .. } => self.statement(body),
        }
    }

    /// Returns all cells that an expression may denote: those of the variable at its root, or all cells without one.
    fn cells(&self, expression: &Expression) -> Vec<usize> {
        let all = 0..self.layout.cell_count();
        match root(expression) {
            Some(variable) => all.filter(|&cell| self.layout.owner(cell) == variable).collect(),
            None => all.collect(),
        }
    }

    /// Returns an upper bound of the absolute value of a bound.
    fn magnitude(&mut self, bound: &Expression) -> i64 {
        if let ExpressionKind::Double(value) = bound.kind {
            if value.fract() != 0.0 || value.abs() > 1e9 {
                self.refused = Some("clock bounds that are not integers".to_owned());
                return 0;
            }
            return value.abs() as i64;
        }
        if bound.value_type == Type::Double {
            self.refused = Some("clock bounds computed in floating point".to_owned());
        }
        let (least, greatest) = self.interval(bound);
        let magnitude = least.abs().max(greatest.abs());
        match (&bound.kind, self.cap) {
            (ExpressionKind::Integer(_), _) | (_, None) => magnitude,
            (_, Some(cap)) => magnitude.min(cap),
        }
    }

    /// Returns an interval that includes all values of an integer expression.
    fn interval(&self, expression: &Expression) -> (i64, i64) {
        let of_type = match &expression.value_type {
            Type::Integer(range) => (i64::from(range.least), i64::from(range.greatest)),
            Type::Boolean | Type::Condition(_) => (0, 1),
            _ => (i64::from(i32::MIN), i64::from(i32::MAX)),
        };
        let word = (i64::from(i32::MIN), i64::from(i32::MAX));
        let interval = match &expression.kind {
            ExpressionKind::Integer(value) => (i64::from(*value), i64::from(*value)),
            ExpressionKind::Variable(variable) => {
                let variable = &self.network.variables[*variable];
                match variable.initial {
                    Value::Integer(value) if variable.kind == VariableKind::Constant => {
                        (i64::from(value), i64::from(value))
                    }
                    _ => of_type,
                }
            }
            ExpressionKind::Unary { operator: UnaryOperator::Negate, operand } => {
                let (least, greatest) = self.interval(operand);
                (-greatest, -least)
            }
            ExpressionKind::Binary { operator, left, right } => {
                let (a, b) = self.interval(left);
                let (c, d) = self.interval(right);
                match operator {
                    BinaryOperator::Add => (a.saturating_add(c), b.saturating_add(d)),
                    BinaryOperator::Subtract => (a.saturating_sub(d), b.saturating_sub(c)),
                    BinaryOperator::Multiply => {
                        let products =
                            [(a, c), (a, d), (b, c), (b, d)].map(|(one, two)| one.saturating_mul(two));
                        let least = products.iter().copied().min().unwrap_or(0);
                        (least, products.iter().copied().max().unwrap_or(0))
                    }
                    BinaryOperator::Minimum => (a.min(c), b.min(d)),
                    BinaryOperator::Maximum => (a.max(c), b.max(d)),
                    _ => of_type,
                }
            }
            ExpressionKind::Conditional { then, otherwise, .. } => {
                let (a, b) = self.interval(then);
                let (c, d) = self.interval(otherwise);
                (a.min(c), b.max(d))
            }
            _ => of_type,
        };
        // Integer overflow wraps around.
        if word.0 <= interval.0 && interval.1 <= word.1 { interval } else { word }
    }
}

/// Returns the variable that an expression denotes or is part of.
pub(crate) fn root(expression: &Expression) -> Option<VariableId> {
    match &expression.kind {
        ExpressionKind::Variable(variable) => Some(*variable),
        ExpressionKind::Element { array: inner, .. } | ExpressionKind::Field { record: inner, .. } => {
            root(inner)
        }
        _ => None,
    }
}

/// Returns the cell that an expression denotes, if it is constant.
pub(crate) fn fixed_cell(network: &Network, expression: &Expression) -> Option<usize> {
    let mut path = Vec::new();
    let mut part = expression;
    loop {
        match &part.kind {
            ExpressionKind::Variable(variable) => {
                path.reverse();
                return ClockLayout::new(network).cell(network, *variable, &path);
            }
            ExpressionKind::Element { array, index } => {
                let ExpressionKind::Integer(index) = index.kind else { return None };
                let Type::Array(array_type) = &array.value_type else { return None };
                path.push(array_type.index.position(index)?);
                part = array;
            }
            ExpressionKind::Field { record, field } => {
                path.push(*field);
                part = record;
            }
            _ => return None,
        }
    }
}

/// Returns the number of a variable appended to a network, and of its clock cell.
pub(crate) fn next_cell(network: &Network) -> (VariableId, usize) {
    (VariableId::from_index(network.variables.len()), ClockLayout::new(network).cell_count())
}
