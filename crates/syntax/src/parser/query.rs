//! Parses queries of all forms, dispatching on the first word.
//!
//! Invariant: keywords of queries are contextual, so a process may be called `control` or `A`.

use tempora_source::{Diagnostic, nearest_names};

use super::super::ast::{
    ControlMethod, ControlQuery, Expression, ExpressionKind, ExtremumKind, Features, GridDimension,
    GridRange, LabelGoal, LearningObjective, LearningQuery, Name, ProbabilityBound, ProbabilityQuery, Query,
    QueryKind, RunBound, RunMeasure, SimulationGoal, SpecExpression, SpecExpressionKind, SpecOperator,
    SpecQuery, TemporalOperator,
};
use super::super::lexer::SPECIFICATION_PROPERTIES;
use super::super::precedence::COMPARISON;
use super::super::token::{Symbol, TokenKind};
use super::super::walk::is_temporal;
use super::expression::error_at;
use super::{Context, Parser};
use crate::codes::queries::{NOT_A_QUERY, PROBABILITY_NOT_A_FRACTION, UNKNOWN_QUERY};

const IN_QUERY: Context = Context { in_query: true, in_runs: false, in_condition: true, in_path_body: false };
const IN_RUNS: Context = Context { in_query: true, in_runs: true, in_condition: true, in_path_body: false };

impl Parser<'_> {
    pub(super) fn query(&mut self) -> Query {
        let fallback = |span| Query { kind: QueryKind::Error, under: None, imitate: None, span };
        self.nested_in_brackets(IN_QUERY, fallback, Self::query_inside)
    }

    fn query_inside(&mut self) -> Query {
        let start = self.token().start;
        let kind = self.query_kind();
        let (mut under, mut imitate) = (None, None);
        loop {
            if under.is_none() && self.accept_name("under") {
                under = Some(self.name("the name of a strategy"));
            } else if imitate.is_none() && self.accept_name("imitate") {
                imitate = Some(self.name("the name of a strategy"));
            } else {
                break;
            }
        }
        Query { kind, under, imitate, span: self.span_from(start) }
    }

    fn query_kind(&mut self) -> QueryKind {
        if self.at_end() {
            return QueryKind::Empty;
        }
        if self.at(Symbol::OpenBrace) {
            let observations = Some(self.braced_expressions());
            return self.control(false, observations);
        }
        if !self.is_any_name(0) {
            return self.formula();
        }
        let next = self.ahead(1).kind;
        let before_colon = next == TokenKind::Symbol(Symbol::Colon);
        let before_brace = next == TokenKind::Symbol(Symbol::OpenBrace);
        let before_bracket = next == TokenKind::Symbol(Symbol::OpenBracket);
        let before_parenthesis = next == TokenKind::Symbol(Symbol::OpenParenthesis);
        match self.text_of(self.token()) {
            "sup" if before_colon || before_brace => self.extremum(ExtremumKind::Supremum),
            "inf" if before_colon || before_brace => self.extremum(ExtremumKind::Infimum),
            "bounds" if before_colon || before_brace => self.extremum(ExtremumKind::Bounds),
            "control" | "acontrol" if before_colon => self.control(false, None),
            "control_t" if next == TokenKind::Symbol(Symbol::Times) => self.control(false, None),
            "E" if self.temporal_operator(1) == Some(TemporalOperator::Eventually) && self.is_control(3) => {
                self.position += 3;
                self.control(true, None)
            }
            "E" if before_bracket && self.temporal_operator(1).is_none() => self.expectation(),
            "Pr" if before_bracket || before_parenthesis => QueryKind::Probability(self.probability(false)),
            "simulate" => self.simulation(),
            "strategy" if self.is_any_name(1) => self.strategy(),
            "minE" | "maxE" if before_parenthesis => self.learning(),
            "minPr" | "maxPr" if before_bracket => self.learning(),
            "loadStrategy" => self.load_strategy(),
            "saveStrategy" if before_parenthesis => self.save_strategy(),
            "sat" if before_colon => {
                self.position += 2;
                QueryKind::Scenario(self.name("the name of a scenario"))
            }
            "mintime" if before_colon => self.reach_time(ExtremumKind::Infimum),
            "maxtime" if before_colon => self.reach_time(ExtremumKind::Supremum),
            "reach" if before_colon => self.label_query(LabelGoal::Reach),
            "buchi" if before_colon => self.label_query(LabelGoal::Buchi),
            _ if self.at_specification_property() => self.specification(),
            _ => self.formula(),
        }
    }

    fn is_control(&self, distance: usize) -> bool {
        let behind = distance + 1;
        (self.is_name(distance, "control") && self.is_symbol(behind, Symbol::Colon))
            || (self.is_name(distance, "control_t") && self.is_symbol(behind, Symbol::Times))
    }

    /// Parses an expression in the given context.
    fn in_context(&mut self, context: Context) -> Expression {
        self.nested(context, error_at, Self::expression)
    }

    fn formula(&mut self) -> QueryKind {
        let position = self.position;
        let formula = self.in_context(IN_QUERY);
        if self.position == position {
            // The error is already reported.
            return QueryKind::Error;
        }
        if !is_temporal(&formula) && self.fault_position.is_none() {
            self.remark(
                Diagnostic::error(&NOT_A_QUERY, "a state property is not a query")
                    .with_primary(formula.span, "this describes a single state")
                    .with_hint("write `E<>` before it for some reachable state or `A[]` for all of them"),
            );
        }
        QueryKind::Formula(formula)
    }

    fn extremum(&mut self, extremum: ExtremumKind) -> QueryKind {
        self.advance();
        let predicate = if self.accept(Symbol::OpenBrace) {
            let predicate = self.in_context(IN_QUERY);
            self.expect(Symbol::CloseBrace);
            Some(predicate)
        } else {
            None
        };
        self.expect(Symbol::Colon);
        QueryKind::Extremum { extremum, predicate, expressions: self.expressions() }
    }

    fn reach_time(&mut self, extremum: ExtremumKind) -> QueryKind {
        self.position += 2;
        QueryKind::ReachTime { extremum, goal: self.in_context(IN_QUERY) }
    }

    fn label_query(&mut self, goal: LabelGoal) -> QueryKind {
        self.position += 2;
        let mut labels = vec![self.label()];
        while self.accept(Symbol::Comma) {
            labels.push(self.label());
        }
        QueryKind::Labels { goal, labels }
    }

    /// `a`, or `a.b` for labels that contain dots.
    fn label(&mut self) -> Name {
        let mut label = self.name("a label");
        while self.at(Symbol::Dot) && self.is_any_name(1) {
            self.advance();
            let part = self.name("a label");
            label.text = format!("{}.{}", label.text, part.text);
            label.span = label.span.cover(part.span);
        }
        label
    }

    /// `{a, b}`, possibly empty.
    fn braced_expressions(&mut self) -> Vec<Expression> {
        self.expect(Symbol::OpenBrace);
        let expressions = if self.at(Symbol::CloseBrace) { Vec::new() } else { self.expressions() };
        self.expect(Symbol::CloseBrace);
        expressions
    }

    // Games and strategies.

    fn control(&mut self, is_cooperative: bool, observations: Option<Vec<Expression>>) -> QueryKind {
        let mut method = ControlMethod::Plain;
        let mut is_approximate = false;
        match self.text_of(self.token()) {
            "control" => {
                self.advance();
            }
            "acontrol" => {
                self.advance();
                is_approximate = true;
            }
            "control_t" => {
                self.advance();
                self.expect(Symbol::Times);
                method = self.time_optimal();
            }
            _ => self.report_expected("`control`"),
        }
        self.expect(Symbol::Colon);
        let goal = self.in_context(IN_QUERY);
        if is_approximate {
            method = ControlMethod::Approximate { grid: self.grid() };
        }
        QueryKind::Control(ControlQuery { is_cooperative, observations, method, goal })
    }

    fn time_optimal(&mut self) -> ControlMethod {
        let (mut limit, mut lower) = (None, None);
        if self.accept(Symbol::OpenParenthesis) {
            limit = Some(self.in_context(IN_QUERY));
            if self.accept(Symbol::Comma) {
                lower = Some(self.in_context(IN_QUERY));
            }
            self.expect(Symbol::CloseParenthesis);
        }
        ControlMethod::TimeOptimal { limit, lower }
    }

    fn grid(&mut self) -> Vec<GridDimension> {
        let mut grid = Vec::new();
        if self.expect(Symbol::OpenBrace) {
            if !self.at(Symbol::CloseBrace) {
                grid.push(self.grid_dimension());
                while self.accept(Symbol::Comma) {
                    grid.push(self.grid_dimension());
                }
            }
            self.expect(Symbol::CloseBrace);
        }
        grid
    }

    fn grid_dimension(&mut self) -> GridDimension {
        let start = self.token().start;
        let name = self.name("a variable");
        let mut expression = Expression { kind: ExpressionKind::Name(name.text), span: name.span };
        if self.at(Symbol::OpenParenthesis) {
            let arguments = self.arguments();
            let kind = ExpressionKind::Call { callee: Box::new(expression), arguments };
            expression = Expression { kind, span: self.span_from(start) };
        }
        if self.accept(Symbol::Dot) {
            let member = self.name("a name after the dot");
            let kind = ExpressionKind::Member { base: Box::new(expression), member };
            expression = Expression { kind, span: self.span_from(start) };
        }
        let range = self.accept(Symbol::OpenBracket).then(|| {
            let lower = self.in_context(IN_QUERY);
            self.expect(Symbol::Comma);
            let upper = self.in_context(IN_QUERY);
            self.expect(Symbol::CloseBracket);
            self.expect(Symbol::Colon);
            GridRange { lower, upper, pieces: self.in_context(IN_QUERY) }
        });
        GridDimension { expression, range, span: self.span_from(start) }
    }

    fn strategy(&mut self) -> QueryKind {
        self.advance();
        let name = self.name("the name of a strategy");
        self.expect(Symbol::Assign);
        QueryKind::Strategy { name, definition: Box::new(self.query()) }
    }

    fn load_strategy(&mut self) -> QueryKind {
        self.advance();
        let is_bracketed = self.accept(Symbol::OpenBracket);
        let features = self.at(Symbol::OpenBrace).then(|| self.features());
        if is_bracketed {
            self.expect(Symbol::CloseBracket);
        }
        self.expect(Symbol::OpenParenthesis);
        let path = self.string();
        self.expect(Symbol::CloseParenthesis);
        QueryKind::LoadStrategy { features, path }
    }

    fn save_strategy(&mut self) -> QueryKind {
        self.position += 2;
        let path = self.string();
        self.expect(Symbol::Comma);
        let strategy = self.name("the name of a strategy");
        self.expect(Symbol::CloseParenthesis);
        QueryKind::SaveStrategy { path, strategy }
    }

    fn features(&mut self) -> Features {
        let start = self.token().start;
        let discrete = self.braced_expressions();
        self.expect(Symbol::Arrow);
        let continuous = self.braced_expressions();
        Features { discrete, continuous, span: self.span_from(start) }
    }

    fn learning(&mut self) -> QueryKind {
        let word = self.advance();
        let word = self.text_of(word);
        let objective = match word {
            "minPr" => LearningObjective::MinimalProbability,
            "maxPr" => LearningObjective::MaximalProbability,
            _ => {
                self.expect(Symbol::OpenParenthesis);
                let expression = self.in_context(IN_QUERY);
                self.expect(Symbol::CloseParenthesis);
                if word == "minE" {
                    LearningObjective::MinimalExpectation(expression)
                } else {
                    LearningObjective::MaximalExpectation(expression)
                }
            }
        };
        let bound = self.run_bound();
        let features = self.at(Symbol::OpenBrace).then(|| self.features());
        self.expect(Symbol::Colon);
        let goal = self.in_context(IN_RUNS);
        QueryKind::Learning(LearningQuery { objective, bound, features, goal })
    }

    // Random runs.

    /// `[<=10; 100]`, `[#<=10]`, `[x<=10]`
    fn run_bound(&mut self) -> RunBound {
        let start = self.token().start;
        self.expect(Symbol::OpenBracket);
        let measure = if self.at(Symbol::LessEqual) {
            RunMeasure::Time
        } else if self.accept(Symbol::Hash) {
            RunMeasure::Steps
        } else {
            RunMeasure::Clock(self.expression_above(COMPARISON + 1))
        };
        self.expect(Symbol::LessEqual);
        let limit = self.in_context(IN_QUERY);
        let runs = self.accept(Symbol::Semicolon).then(|| self.in_context(IN_QUERY));
        self.expect(Symbol::CloseBracket);
        RunBound { measure, limit, runs, span: self.span_from(start) }
    }

    /// Parses `Pr[…](…)`; the right side of a comparison has its own strategy.
    fn probability(&mut self, is_right: bool) -> ProbabilityQuery {
        self.advance();
        let bound = self.at(Symbol::OpenBracket).then(|| self.run_bound());
        self.expect(Symbol::OpenParenthesis);
        let formula = self.in_context(IN_RUNS);
        self.expect(Symbol::CloseParenthesis);
        let is_compared = self.is_symbol(2, Symbol::GreaterEqual) || self.is_symbol(2, Symbol::LessEqual);
        let under = if self.at_name("under") && (is_compared || is_right) {
            self.advance();
            Some(self.name("the name of a strategy"))
        } else {
            None
        };
        let is_at_least = self.at(Symbol::GreaterEqual);
        let comparison = if is_at_least || self.at(Symbol::LessEqual) {
            self.advance();
            Some(self.probability_bound(is_at_least))
        } else {
            None
        };
        ProbabilityQuery { bound, formula, under, comparison }
    }

    fn probability_bound(&mut self, is_at_least: bool) -> ProbabilityBound {
        if self.at_name("Pr") {
            let fallback = |span| ProbabilityQuery {
                bound: None,
                formula: error_at(span),
                under: None,
                comparison: None,
            };
            let other =
                Box::new(self.nested_in_brackets(IN_QUERY, fallback, |parser| parser.probability(true)));
            return if is_at_least {
                ProbabilityBound::AtLeastThatOf(other)
            } else {
                ProbabilityBound::AtMostThatOf(other)
            };
        }
        let bound = self.in_context(IN_QUERY);
        if let ExpressionKind::Integer(value) = bound.kind {
            self.remark(
                Diagnostic::error(&PROBABILITY_NOT_A_FRACTION, "a probability needs a decimal point")
                    .with_primary(bound.span, "")
                    .with_hint(format!("write `{value}.0`")),
            );
        }
        if is_at_least { ProbabilityBound::AtLeast(bound) } else { ProbabilityBound::AtMost(bound) }
    }

    fn expectation(&mut self) -> QueryKind {
        self.advance();
        let bound = self.run_bound();
        self.expect(Symbol::OpenParenthesis);
        let extremum = if self.accept_name("max") {
            ExtremumKind::Supremum
        } else {
            if !self.accept_name("min") {
                self.report_expected("`max` or `min`");
            }
            ExtremumKind::Infimum
        };
        self.expect(Symbol::Colon);
        let expression = self.in_context(IN_QUERY);
        self.expect(Symbol::CloseParenthesis);
        QueryKind::Expectation { bound, extremum, expression }
    }

    fn simulation(&mut self) -> QueryKind {
        self.advance();
        let old_runs = if self.at(Symbol::OpenBracket) { None } else { Some(self.old_number_of_runs()) };
        let bound = self.run_bound();
        self.expect(Symbol::OpenBrace);
        let expressions = self.expressions();
        self.expect(Symbol::CloseBrace);
        let goal = self.accept(Symbol::Colon).then(|| {
            let first = self.in_context(IN_QUERY);
            if self.accept(Symbol::Colon) {
                SimulationGoal { runs: Some(first), goal: self.in_context(IN_QUERY) }
            } else {
                SimulationGoal { runs: None, goal: first }
            }
        });
        QueryKind::Simulation { old_runs, bound, expressions, goal }
    }

    /// Parses one token or an expression in parentheses; a bracket after it belongs to the bound.
    fn old_number_of_runs(&mut self) -> Expression {
        let token = self.token();
        match token.kind {
            TokenKind::Name => {
                let name = self.name("a number of runs");
                Expression { kind: ExpressionKind::Name(name.text), span: name.span }
            }
            TokenKind::Integer => {
                self.advance();
                let value = self.text_of(token).parse().unwrap_or(i64::from(i32::MAX));
                Expression { kind: ExpressionKind::Integer(value), span: self.span_of(token) }
            }
            TokenKind::Symbol(Symbol::OpenParenthesis) => {
                self.advance();
                let inner = self.in_context(IN_QUERY);
                self.expect(Symbol::CloseParenthesis);
                let kind = ExpressionKind::Parenthesised(Box::new(inner));
                Expression { kind, span: self.span_from(token.start) }
            }
            _ => {
                self.report_expected("`[`");
                error_at(self.here())
            }
        }
    }

    // Specifications.

    /// The number of tokens of a hyphenated name before a colon, such as `get-component`; spaces are not allowed in it.
    fn hyphenated_length(&self) -> usize {
        let mut length = 1;
        while self.is_symbol(length, Symbol::Minus)
            && self.is_any_name(length + 1)
            && self.ahead(length - 1).end == self.ahead(length).start
            && self.ahead(length).end == self.ahead(length + 1).start
        {
            length += 2;
        }
        length
    }

    fn at_specification_property(&self) -> bool {
        self.is_symbol(self.hyphenated_length(), Symbol::Colon)
    }

    fn hyphenated_name(&mut self) -> Name {
        let start = self.token().start;
        self.position += self.hyphenated_length();
        let span = self.span_from(start);
        let text = self.text.get(span.start as usize..span.end as usize).unwrap_or("").to_owned();
        Name { text, span }
    }

    fn specification(&mut self) -> QueryKind {
        let property = self.hyphenated_name();
        if !SPECIFICATION_PROPERTIES.contains(&property.text.as_str()) {
            let mut diagnostic =
                Diagnostic::error(&UNKNOWN_QUERY, format!("unknown query `{}:`", property.text))
                    .with_primary(property.span, "");
            let words = SPECIFICATION_PROPERTIES.iter().copied();
            let others = ["bounds", "buchi", "control", "inf", "maxtime", "mintime", "reach", "sat", "sup"];
            if let Some(nearest) = nearest_names(&property.text, words.chain(others)).first() {
                diagnostic = diagnostic.with_hint(format!("did you mean `{nearest}:`?"));
            }
            self.remark(diagnostic);
        }
        self.expect(Symbol::Colon);
        let specification = self.spec_expression();
        let relation = if property.text == "satisfaction" { Symbol::OrAssign } else { Symbol::LessEqual };
        let refined = self.accept(relation).then(|| self.spec_expression());
        let start = self.accept(Symbol::At).then(|| self.spec_start());
        let goal = self.accept(Symbol::Arrow).then(|| self.in_context(IN_QUERY));
        let save_as = if self.at_name("save") && self.hyphenated_length() == 3 && self.is_name(2, "as") {
            self.position += 3;
            Some(self.name("a name"))
        } else {
            None
        };
        QueryKind::Specification(SpecQuery { property, specification, refined, start, goal, save_as })
    }

    /// `init`, which is a keyword of models, or a predicate.
    fn spec_start(&mut self) -> Expression {
        let token = self.token();
        if self.text_of(token) != "init" {
            return self.in_context(IN_QUERY);
        }
        self.advance();
        Expression { kind: ExpressionKind::Name("init".to_owned()), span: self.span_of(token) }
    }

    pub(super) fn spec_expression(&mut self) -> SpecExpression {
        self.nested_in_brackets(self.context, spec_error_at, |parser| parser.spec_combination(0))
    }

    /// `>>` binds loosest, then `||`, then `&&`, then the quotient; all associate to the left.
    fn spec_combination(&mut self, level: u8) -> SpecExpression {
        let deepest_outside = std::mem::replace(&mut self.deepest, self.depth);
        let mut left = self.spec_operand();
        loop {
            let token = self.token();
            let (operator, operator_level) = match token.kind {
                TokenKind::Symbol(Symbol::ShiftRight) => (SpecOperator::Weakening, 0),
                TokenKind::Symbol(Symbol::OrOr) => (SpecOperator::Composition, 1),
                TokenKind::Symbol(Symbol::AndAnd) => (SpecOperator::Conjunction, 2),
                TokenKind::Symbol(Symbol::Backslash) => (SpecOperator::Quotient, 3),
                TokenKind::Symbol(Symbol::Divide) if self.is_symbol(1, Symbol::Divide) => {
                    (SpecOperator::DoubleSlash, 3)
                }
                _ => break,
            };
            if operator_level < level {
                break;
            }
            let deepest_of_left = self.deepest;
            self.advance();
            if operator == SpecOperator::DoubleSlash {
                self.advance();
            }
            let is_double = operator == SpecOperator::Quotient && self.accept(Symbol::Backslash);
            let operator = if is_double { SpecOperator::DoubleQuotient } else { operator };
            let operator_span = self.span_from(token.start);
            self.deepest = self.depth;
            let right = self
                .nested(self.context, spec_error_at, |parser| parser.spec_combination(operator_level + 1));
            self.deepen_left(deepest_of_left);
            let span = self.span_from(left.span.start);
            let (left_box, right) = (Box::new(left), Box::new(right));
            let kind = SpecExpressionKind::Combined { operator, operator_span, left: left_box, right };
            left = SpecExpression { kind, span };
        }
        self.deepest = self.deepest.max(deepest_outside);
        left
    }

    /// `[a]`, which distinguishes copies of a component: any text without brackets.
    fn spec_instance(&mut self) -> Name {
        self.expect(Symbol::OpenBracket);
        let start = self.token().start;
        while !self.at_end() && !self.at(Symbol::CloseBracket) && !self.at(Symbol::OpenBracket) {
            self.advance();
        }
        let span = self.span_from(start);
        let text = self.text.get(span.start as usize..span.end as usize).unwrap_or("").trim().to_owned();
        self.expect(Symbol::CloseBracket);
        Name { text, span }
    }

    fn spec_operand(&mut self) -> SpecExpression {
        let start = self.token().start;
        if !self.accept(Symbol::OpenParenthesis) {
            if !self.is_any_name(0) {
                self.report_expected("the name of a specification");
                return spec_error_at(self.here());
            }
            let process = self.process_reference();
            let instance = self.at(Symbol::OpenBracket).then(|| self.spec_instance());
            let kind = SpecExpressionKind::Component { process, instance };
            return SpecExpression { kind, span: self.span_from(start) };
        }
        let mut inner = self.spec_expression();
        if self.accept(Symbol::Colon) {
            let formula = Box::new(self.nested(IN_QUERY, error_at, |parser| parser.in_context(IN_QUERY)));
            let inner_start = inner.span.start;
            let kind = SpecExpressionKind::Constrained { specification: Box::new(inner), formula };
            inner = SpecExpression { kind, span: self.span_from(inner_start) };
        }
        self.expect(Symbol::CloseParenthesis);
        let kind = SpecExpressionKind::Parenthesised(Box::new(inner));
        SpecExpression { kind, span: self.span_from(start) }
    }
}

fn spec_error_at(span: super::Span) -> SpecExpression {
    SpecExpression { kind: SpecExpressionKind::Error, span }
}
