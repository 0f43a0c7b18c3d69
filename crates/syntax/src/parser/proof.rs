//! Parses proof files: refinements to prove, and conclusions from them.
//!
//! Invariant: every statement is a refinement with both sides, or an error is reported.

use tempora_source::{FileId, Files};

use super::super::ast::{Name, ProofStatement, Query, QueryKind, SpecQuery};
use super::super::token::Symbol;
use super::{Parsed, Parser, parse_whole};

/// Parses a proof: `S <= T;` is a premise to prove and `conclude S <= T;` a conclusion; any number of both.
pub fn parse_proof(files: &Files, file: FileId) -> Parsed<Vec<ProofStatement>> {
    parse_whole(files, file, |parser| {
        let mut statements = Vec::new();
        while !parser.at_end() {
            let before = parser.position;
            statements.push(parser.proof_statement());
            if parser.position == before {
                break;
            }
        }
        statements
    })
}

impl Parser<'_> {
    fn proof_statement(&mut self) -> ProofStatement {
        // A component may be called `conclude`: then an operator follows, not a name.
        let is_word =
            self.at_name("conclude") && (self.is_any_name(1) || self.is_symbol(1, Symbol::OpenParenthesis));
        let is_conclusion = is_word && self.accept_name("conclude");
        let start = self.token().start;
        let property = Name { text: "refinement".to_owned(), span: self.here() };
        let specification = self.spec_expression();
        let refined = self.expect(Symbol::LessEqual).then(|| self.spec_expression());
        let span = self.span_from(start);
        let kind = match refined {
            Some(refined) => QueryKind::Specification(SpecQuery {
                property,
                specification,
                refined: Some(refined),
                start: None,
                goal: None,
                save_as: None,
            }),
            None => QueryKind::Error,
        };
        self.expect_semicolon();
        ProofStatement { is_conclusion, query: Query { kind, under: None, imitate: None, span } }
    }
}
