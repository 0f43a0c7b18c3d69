//! Who declares which name, and who uses it how.
//!
//! Invariant: a name in a query is used, whatever declares it. How the other uses are found is said in `name_walker`.

use std::collections::BTreeSet;

use tempora_model::Query;
use tempora_source::{Files, Span};
use tempora_syntax::ast::{DeclarationKind, Network};

use crate::name_walker::NameWalker;

/// All declarations of a model.
#[derive(Default)]
pub(crate) struct Names {
    pub(crate) declared: Vec<Declared>,
}

/// A declaration, with how it is used.
pub(crate) struct Declared {
    pub(crate) name: String,
    pub(crate) span: Span,
    pub(crate) sort: Sort,
    /// The template that it is declared in.
    pub(crate) template: Option<String>,
    /// Whether its value is read, or it is tested, called or named in any other way.
    pub(crate) is_read: bool,
    pub(crate) is_written: bool,
    pub(crate) is_sent: bool,
    pub(crate) is_received: bool,
    pub(crate) is_in_query: bool,
    /// The declaration that it hides.
    pub(crate) hides: Option<usize>,
}

/// What is declared.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Sort {
    Variable,
    Constant,
    Clock,
    Channel { is_broadcast: bool },
    Type(Class),
    Function,
    TemplateParameter,
    FunctionParameter,
    Local,
    Select,
    Bound,
    Template,
    Process,
}

/// What values of a type are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Class {
    Data,
    Clock,
    Channel { is_broadcast: bool },
}

impl Declared {
    /// Whether nothing uses it in any way.
    pub(crate) fn is_unused(&self) -> bool {
        !(self.is_read || self.is_written || self.is_sent || self.is_received || self.is_in_query)
    }

    /// Its name, with that of its template.
    pub(crate) fn qualified(&self) -> String {
        match &self.template {
            Some(template) => format!("{template}.{}", self.name),
            None => self.name.clone(),
        }
    }
}

impl Names {
    pub(crate) fn of(files: &Files, tree: &Network, queries: &[Query]) -> Names {
        let mut walker = NameWalker::new();
        let mut texts: Vec<&str> = queries.iter().map(|query| query.text.as_str()).collect();
        for declaration in &tree.declarations {
            if let DeclarationKind::Queries(items) = &declaration.kind {
                texts.extend(items.iter().map(|item| files.text_at(item.span)));
            } else {
                walker.declaration(declaration);
            }
        }
        let mut names = Names { declared: walker.declared };
        let asked: BTreeSet<&str> = texts.into_iter().flat_map(words).collect();
        for declared in &mut names.declared {
            let can_be_asked =
                !matches!(declared.sort, Sort::Local | Sort::Bound | Sort::Select | Sort::FunctionParameter);
            declared.is_in_query = can_be_asked && asked.contains(declared.name.as_str());
        }
        names
    }

    /// The declarations of some sorts.
    pub(crate) fn of_sort(&self, is_meant: impl Fn(Sort) -> bool) -> impl Iterator<Item = &Declared> {
        self.declared.iter().filter(move |declared| is_meant(declared.sort))
    }
}

/// The words of a text that could be names.
fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|character: char| !character.is_alphanumeric() && character != '_')
        .filter(|word| !word.is_empty())
}
