//! Symbol tables: scopes and the names that they declare.
//!
//! Invariant: the innermost declaration of a name counts; a name is declared at most once in each scope.

use std::collections::BTreeMap;
use std::sync::Arc;

use tempora_source::Span;

use crate::expression::{Expression, LocalId};
use crate::types::{Type, Value};
use crate::{FunctionId, VariableId};

/// The position of a declaration in the list of the model's global declarations.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct DeclarationPosition(pub(super) usize);

/// The names of one scope, each with the place of its declaration.
type Scope = BTreeMap<String, (Symbol, Span)>;

/// The meaning of a name.
#[derive(Clone, Debug)]
pub(super) enum Symbol {
    /// A variable, constant, clock or channel of the network.
    Variable(VariableId),
    /// A name bound by a select, a quantifier, a loop or a function.
    Local { local: LocalId, value_type: Type, is_constant: bool },
    /// A name with a fixed value, while a quantifier over processes is expanded.
    Value(Value, Type),
    /// A reference parameter of a template, with its argument.
    Reference(Expression),
    /// A type.
    Type(Type),
    /// A function.
    Function(FunctionId),
    /// A function of a native library: its result, and its parameters, each with a flag for references.
    External { result: Type, parameters: Vec<(Type, bool)> },
    /// A template or a process without parameters.
    Template(DeclarationPosition),
    /// A partial instantiation of a template.
    Instantiation(DeclarationPosition),
    /// A name whose declaration has an error: its uses are not reported.
    Faulty,
}

/// The nested scopes, the innermost last.
#[derive(Clone, Debug)]
pub(super) struct Scopes {
    /// The global scope, which later queries share.
    global: Arc<Scope>,
    /// The scopes inside it.
    inner: Vec<Scope>,
}

impl Scopes {
    pub(super) fn new() -> Scopes {
        Scopes { global: Arc::default(), inner: Vec::new() }
    }

    pub(super) fn enter(&mut self) {
        self.inner.push(Scope::new());
    }

    pub(super) fn leave(&mut self) {
        self.inner.pop();
    }

    /// Removes all scopes but the global one and returns them for [`Scopes::restore`].
    pub(super) fn leave_to_global(&mut self) -> Vec<Scope> {
        std::mem::take(&mut self.inner)
    }

    pub(super) fn restore(&mut self, inner: Vec<Scope>) {
        self.inner = inner;
    }

    /// Declares a name in the innermost scope, or returns the place of its earlier declaration there.
    pub(super) fn declare(&mut self, name: &str, span: Span, symbol: Symbol) -> Option<Span> {
        let scope = match self.inner.last_mut() {
            Some(scope) => scope,
            None => Arc::make_mut(&mut self.global),
        };
        match scope.get(name) {
            Some((_, first)) => Some(*first),
            None => {
                scope.insert(name.to_owned(), (symbol, span));
                None
            }
        }
    }

    pub(super) fn look_up(&self, name: &str) -> Option<&Symbol> {
        let mut scopes = self.inner.iter().rev().chain([&*self.global]);
        scopes.find_map(|scope| scope.get(name)).map(|(symbol, _)| symbol)
    }

    /// Returns whether the innermost local with this number is constant.
    pub(super) fn is_constant_local(&self, wanted: LocalId) -> bool {
        let scopes = self.inner.iter().rev().chain([&*self.global]);
        let symbols = scopes.flat_map(|scope| scope.values().map(|(symbol, _)| symbol));
        let mut locals = symbols.filter_map(|symbol| match symbol {
            Symbol::Local { local, is_constant, .. } if *local == wanted => Some(*is_constant),
            _ => None,
        });
        locals.next().unwrap_or(false)
    }

    /// Returns all visible names, for suggestions.
    pub(super) fn names(&self) -> impl Iterator<Item = &str> {
        [&*self.global].into_iter().chain(&self.inner).flat_map(|scope| scope.keys().map(String::as_str))
    }
}
