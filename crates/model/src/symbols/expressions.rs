//! Collects the uses of names in expressions: reads, writes, calls and references.

use tempora_source::{SymbolId, SymbolKind, SymbolRole};
use tempora_syntax::ast::{Direction, Expression, ExpressionKind, Name};
use tempora_syntax::children;

use super::{Collector, RecordPosition, Usage};

impl Collector<'_> {
    pub(super) fn expressions<'list>(
        &mut self,
        list: impl IntoIterator<Item = &'list Expression>,
        usage: Usage,
    ) {
        list.into_iter().for_each(|expression| self.expression(expression, usage));
    }

    pub(super) fn expression(&mut self, expression: &Expression, usage: Usage) {
        match &expression.kind {
            ExpressionKind::Name(name) => {
                self.use_name(name, expression.span, role_of(usage));
            }
            ExpressionKind::Parenthesised(inner) => self.expression(inner, usage),
            ExpressionKind::Conditional { condition, consequence, alternative } => {
                self.expression(condition, Usage::Value);
                self.expression(consequence, usage);
                self.expression(alternative, usage);
            }
            ExpressionKind::Assignment { target, value, .. } => {
                self.target(target, usage);
                self.expression(value, Usage::Value);
            }
            ExpressionKind::Step { operand, .. } => self.target(operand, usage),
            ExpressionKind::Index { base, index } => {
                self.expression(base, usage);
                self.expression(index, Usage::Value);
            }
            ExpressionKind::Member { base, member } => {
                self.expression(base, usage);
                self.member(base, member, role_of(usage));
            }
            // A rate both reads the clock and changes its behaviour.
            ExpressionKind::Derivative(inner) => self.expression(inner, Usage::Reference),
            ExpressionKind::Call { callee, arguments } => {
                let called = match &callee.without_parentheses().kind {
                    ExpressionKind::Name(name) => {
                        self.use_name(name, callee.without_parentheses().span, SymbolRole::Call)
                    }
                    ExpressionKind::Member { base, member } => {
                        self.expression(base, Usage::Value);
                        self.member(base, member, SymbolRole::Call);
                        None
                    }
                    _ => {
                        self.expression(callee, Usage::Value);
                        None
                    }
                };
                self.arguments(called, arguments);
            }
            ExpressionKind::Quantified { binding, body, .. } => self.scoped(expression.span, |collector| {
                collector.bindings(std::slice::from_ref(&**binding), SymbolKind::Bound);
                collector.expression(body, Usage::Value);
            }),
            ExpressionKind::Spawn { template, arguments } => {
                let called = self.use_name(&template.text, template.span, SymbolRole::Instance);
                self.arguments(called, arguments);
            }
            ExpressionKind::NumberOf(name) => {
                self.use_name(&name.text, name.span, SymbolRole::Instance);
            }
            _ => {
                for child in children(expression) {
                    self.expression(child, Usage::Value);
                }
            }
        }
    }

    /// Collects the target of an assignment, which is also read if the value of the assignment is used.
    fn target(&mut self, target: &Expression, usage: Usage) {
        let role = if usage == Usage::Effect { SymbolRole::Write } else { SymbolRole::ReadWrite };
        let target = target.without_parentheses();
        match &target.kind {
            ExpressionKind::Name(name) => {
                self.use_name(name, target.span, role);
            }
            ExpressionKind::Index { base, index } => {
                self.target(base, usage);
                self.expression(index, Usage::Value);
            }
            ExpressionKind::Member { base, member } => {
                self.target(base, usage);
                self.member(base, member, role);
            }
            ExpressionKind::Conditional { condition, consequence, alternative } => {
                self.expression(condition, Usage::Value);
                self.target(consequence, usage);
                self.target(alternative, usage);
            }
            _ => self.expression(target, Usage::Reference),
        }
    }

    /// Collects a channel on which an edge synchronises.
    pub(super) fn channel(&mut self, channel: &Expression, direction: Direction) {
        let channel = channel.without_parentheses();
        let role = match direction {
            Direction::Send => SymbolRole::Send,
            Direction::Receive => SymbolRole::Receive,
            Direction::Both => SymbolRole::Synchronise,
        };
        match &channel.kind {
            ExpressionKind::Name(name) => {
                self.use_name(name, channel.span, role);
            }
            ExpressionKind::Index { base, index } => {
                self.channel(base, direction);
                self.expression(index, Usage::Value);
            }
            ExpressionKind::Member { base, member } => {
                self.channel(base, direction);
                self.member(base, member, role);
            }
            ExpressionKind::Conditional { condition, consequence, alternative } => {
                self.expression(condition, Usage::Value);
                self.channel(consequence, direction);
                self.channel(alternative, direction);
            }
            _ => self.expression(channel, Usage::Reference),
        }
    }

    /// Collects the use of a record field or of a name in a process.
    fn member(&mut self, base: &Expression, member: &Name, role: SymbolRole) {
        let in_process = self.process_of(base).and_then(|template| self.members.get(&template));
        let found = match in_process {
            Some(members) => members.get(&member.text).copied(),
            None => {
                let fields = self.record_of(base).and_then(|record| self.records.get(record));
                fields.and_then(|fields| fields.get(&member.text)).copied()
            }
        };
        if let Some(id) = found {
            self.use_symbol(id, member.span, role);
        }
    }

    /// Returns the template of the process that `P` or `P(1)` denotes.
    fn process_of(&self, written: &Expression) -> Option<SymbolId> {
        let name = match &written.without_parentheses().kind {
            ExpressionKind::Name(name) => name,
            ExpressionKind::Call { callee, .. } => match &callee.without_parentheses().kind {
                ExpressionKind::Name(name) => name,
                _ => return None,
            },
            _ => return None,
        };
        let id = self.find(name)?;
        match self.symbols[id].kind {
            SymbolKind::Template => Some(id),
            SymbolKind::Process => self.templates.get(&id).copied(),
            _ => None,
        }
    }

    /// Returns the record type of an expression, or of its elements if it is an array.
    fn record_of(&self, written: &Expression) -> Option<RecordPosition> {
        let shape_of = |id: SymbolId| self.shapes.get(&id).and_then(|shape| shape.record);
        match &written.without_parentheses().kind {
            ExpressionKind::Name(name) => shape_of(self.find(name)?),
            ExpressionKind::Index { base, .. } => self.record_of(base),
            ExpressionKind::Member { base, member } => {
                let fields = match self.process_of(base) {
                    Some(template) => self.members.get(&template)?,
                    None => self.records.get(self.record_of(base)?)?,
                };
                shape_of(*fields.get(&member.text)?)
            }
            ExpressionKind::Call { callee, .. } => self.record_of(callee),
            ExpressionKind::Conditional { consequence, .. } => self.record_of(consequence),
            ExpressionKind::Assignment { target, .. } => self.record_of(target),
            _ => None,
        }
    }
}

fn role_of(usage: Usage) -> SymbolRole {
    match usage {
        Usage::Value | Usage::Effect => SymbolRole::Read,
        Usage::Reference => SymbolRole::Reference,
    }
}
