//! Reads and prints terms as s-expressions.
//!
//! Invariant: [`read_term`] reads the output of [`print_term`] as the same term, if the names of symbols and
//! enumerations are unique. Recursion is bounded by [`DEEPEST`].

use std::collections::HashMap;
use std::fmt::Write;

use num_rational::BigRational;

use crate::float_text::float_text;
use crate::{
    BitOperator, BitVector, FloatFormat, Integer, Operator, Sort, SymbolId, Term, TermId, TermStore, Value,
};

/// The limit on nesting.
const DEEPEST: usize = 600;

/// The length above which a number is not shown in a message.
const LONGEST_SHOWN: usize = 200;

/// An s-expression with its place in the text, in bytes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Expression {
    /// The kind and contents.
    pub kind: ExpressionKind,
    /// The start in the text.
    pub start: usize,
    /// The end in the text.
    pub end: usize,
}

/// The kinds of s-expressions.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ExpressionKind {
    /// A word; bars around it are removed.
    Word(String),
    /// A text in quotation marks, without them.
    Text(String),
    /// A list.
    List(Vec<Expression>),
}

/// The error that a text is invalid.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ReadError {
    /// The fault, as a phrase without full stop.
    pub message: String,
    /// The start of the invalid text, in bytes.
    pub start: usize,
    /// The end of the invalid text.
    pub end: usize,
}

/// The meanings of names.
#[derive(Clone, Debug, Default)]
pub struct SymbolicNames {
    /// Terms by name: symbols and literals.
    pub terms: HashMap<String, TermId>,
    /// Sorts by name: enumerations.
    pub sorts: HashMap<String, Sort>,
}

impl Expression {
    /// Returns the word, if it is one.
    pub fn word(&self) -> Option<&str> {
        match &self.kind {
            ExpressionKind::Word(word) => Some(word),
            _ => None,
        }
    }

    /// Returns the elements, if it is a list.
    pub fn list(&self) -> Option<&[Expression]> {
        match &self.kind {
            ExpressionKind::List(parts) => Some(parts),
            _ => None,
        }
    }

    /// Creates an error at this expression.
    pub fn error(&self, message: impl Into<String>) -> ReadError {
        ReadError { message: message.into(), start: self.start, end: self.end }
    }
}

/// Reads all s-expressions of a text; `;` begins a comment.
pub fn read_expressions(text: &str) -> Result<Vec<Expression>, ReadError> {
    let bytes = text.as_bytes();
    let mut open: Vec<(usize, Vec<Expression>)> = Vec::new();
    let mut top = Vec::new();
    let mut position = 0;
    while position < bytes.len() {
        let start = position;
        let finished = match bytes[position] {
            byte if byte.is_ascii_whitespace() => {
                position += 1;
                continue;
            }
            b';' => {
                while position < bytes.len() && bytes[position] != b'\n' {
                    position += 1;
                }
                continue;
            }
            b'(' => {
                position += 1;
                if open.len() >= DEEPEST {
                    let message = format!("nested more than {DEEPEST} deep");
                    return Err(ReadError { message, start, end: position });
                }
                open.push((start, Vec::new()));
                continue;
            }
            b')' => {
                position += 1;
                let Some((start, parts)) = open.pop() else {
                    let message = "unmatched `)`".to_owned();
                    return Err(ReadError { message, start, end: position });
                };
                Expression { kind: ExpressionKind::List(parts), start, end: position }
            }
            quote @ (b'|' | b'"') => {
                let length = bytes[position + 1..].iter().position(|byte| *byte == quote);
                let Some(length) = length else {
                    let message = "unterminated quotation".to_owned();
                    return Err(ReadError { message, start, end: bytes.len() });
                };
                position += length + 2;
                let inner = text[start + 1..position - 1].to_owned();
                let kind =
                    if quote == b'|' { ExpressionKind::Word(inner) } else { ExpressionKind::Text(inner) };
                Expression { kind, start, end: position }
            }
            _ => {
                let ends = |byte: u8| byte.is_ascii_whitespace() || matches!(byte, b'(' | b')' | b';' | b'"');
                while position < bytes.len() && !ends(bytes[position]) {
                    position += 1;
                }
                let kind = ExpressionKind::Word(text[start..position].to_owned());
                Expression { kind, start, end: position }
            }
        };
        open.last_mut().map_or(&mut top, |(_, parts)| parts).push(finished);
    }
    match open.pop() {
        Some((start, _)) => Err(ReadError { message: "unclosed `(`".to_owned(), start, end: start + 1 }),
        None => Ok(top),
    }
}

/// Reads a sort.
pub fn read_sort(names: &SymbolicNames, expression: &Expression) -> Result<Sort, ReadError> {
    match &expression.kind {
        ExpressionKind::Word(word) => match word.as_str() {
            "Bool" => Ok(Sort::Boolean),
            "Int" => Ok(Sort::Integer),
            "Real" => Ok(Sort::Real),
            other => names
                .sorts
                .get(other)
                .cloned()
                .ok_or_else(|| expression.error(format!("unknown sort `{other}`"))),
        },
        ExpressionKind::List(parts) => match parts.as_slice() {
            [underscore, name, width] if underscore.word() == Some("_") && name.word() == Some("BitVec") => {
                let number = width.word().and_then(|width| width.parse().ok());
                match number.filter(|width| (1..=crate::WIDEST_BIT_VECTOR).contains(width)) {
                    Some(width) => Ok(Sort::BitVector(width)),
                    None => Err(width.error("expected a width between one bit and some thousands")),
                }
            }
            [underscore, name, exponent, significand]
                if underscore.word() == Some("_") && name.word() == Some("FloatingPoint") =>
            {
                let bits = |part: &Expression| part.word().and_then(|bits| bits.parse().ok());
                let format = bits(exponent).zip(bits(significand));
                let format =
                    format.and_then(|(exponent, significand)| FloatFormat::new(exponent, significand));
                format.map(Sort::Float).ok_or_else(|| {
                    expression.error("expected 2 to 15 exponent bits and 2 to 113 significand bits")
                })
            }
            [array, index, element] if array.word() == Some("Array") => {
                Ok(Sort::array(read_sort(names, index)?, read_sort(names, element)?))
            }
            _ => Err(expression.error("expected Bool, Int, Real, an enumeration or (Array INDEX ELEMENT)")),
        },
        ExpressionKind::Text(_) => Err(expression.error("expected a sort")),
    }
}

/// Reads a term.
pub fn read_term(
    store: &mut TermStore,
    names: &SymbolicNames,
    expression: &Expression,
) -> Result<TermId, ReadError> {
    Reader { store, names, bound: Vec::new() }.read(expression)
}

pub(crate) struct Reader<'read> {
    pub(crate) store: &'read mut TermStore,
    names: &'read SymbolicNames,
    /// The names bound by `let`, the innermost last.
    bound: Vec<(String, TermId)>,
}

impl Reader<'_> {
    pub(crate) fn read(&mut self, expression: &Expression) -> Result<TermId, ReadError> {
        match &expression.kind {
            ExpressionKind::Word(word) => self.read_word(word, expression),
            ExpressionKind::Text(_) => Err(expression.error("expected a term, found a text")),
            ExpressionKind::List(parts) => self.read_list(parts, expression),
        }
    }

    fn read_word(&mut self, word: &str, expression: &Expression) -> Result<TermId, ReadError> {
        if let Some((_, term)) = self.bound.iter().rev().find(|(name, _)| name == word) {
            return Ok(*term);
        }
        if let Some(term) = self.names.terms.get(word) {
            return Ok(*term);
        }
        match word {
            "true" => return Ok(self.store.truth(true)),
            "false" => return Ok(self.store.truth(false)),
            _ => {}
        }
        let radix = if word.starts_with("#b") { 2 } else { 16 };
        if let Some(digits) = word.strip_prefix("#b").or_else(|| word.strip_prefix("#x"))
            && let Some(number) = num_bigint::BigInt::parse_bytes(digits.as_bytes(), radix)
        {
            let bits = if radix == 2 { digits.len() } else { digits.len().saturating_mul(4) };
            let bits = u32::try_from(bits).ok().and_then(|width| BitVector::new(width, &number));
            return match bits {
                Some(bits) => Ok(self.store.constant(Value::Bits(bits))),
                None => Err(expression.error("too many bits")),
            };
        }
        if word.bytes().all(|byte| byte.is_ascii_digit())
            && let Ok(number) = word.parse::<Integer>()
        {
            return Ok(self.store.constant(Value::Integer(number)));
        }
        if let Some((whole, fraction)) = word.split_once('.')
            && !fraction.is_empty()
            && format!("{whole}{fraction}").bytes().all(|byte| byte.is_ascii_digit())
            && let Ok(digits) = format!("{whole}{fraction}").parse::<Integer>()
        {
            let scale = num_bigint::BigInt::from(10).pow(u32::try_from(fraction.len()).unwrap_or(u32::MAX));
            let number = BigRational::new(digits.to_big(), scale);
            return Ok(self.store.constant(Value::Real(Box::new(number))));
        }
        if word.len() > LONGEST_SHOWN && word.starts_with(|character: char| character.is_ascii_digit()) {
            return Err(expression.error("this number has too many digits"));
        }
        Err(expression.error(format!("unknown name `{word}`")))
    }

    fn read_list(&mut self, parts: &[Expression], expression: &Expression) -> Result<TermId, ReadError> {
        let Some((head, rest)) = parts.split_first() else {
            return Err(expression.error("an empty list is not a term"));
        };
        if let ExpressionKind::List(inner) = &head.kind {
            return match (inner.as_slice(), rest) {
                ([keyword, constant, sort], [element])
                    if keyword.word() == Some("as") && constant.word() == Some("const") =>
                {
                    let Sort::Array(array) = read_sort(self.names, sort)? else {
                        return Err(sort.error("expected an array sort"));
                    };
                    let element = self.read(element)?;
                    self.apply(&Operator::ConstantArray(array.index.clone()), &[element], expression)
                }
                // Solvers qualify the literals of an enumeration.
                ([underscore, name, literal], [value])
                    if underscore.word() == Some("_") && name.word() == Some("is") =>
                {
                    let (literal, value) = (self.read(literal)?, self.read(value)?);
                    self.apply(&Operator::Equal, &[value, literal], expression)
                }
                ([underscore, name, numbers @ ..], _) if underscore.word() == Some("_") => {
                    let numbers: Option<Vec<u32>> =
                        numbers.iter().map(|number| number.word()?.parse().ok()).collect();
                    let name = name.word().unwrap_or_default();
                    if name.starts_with("fp.") || name.starts_with("to_fp") {
                        return self.read_float(name, &numbers.unwrap_or_default(), rest, expression);
                    }
                    let Some(operator) = numbers.and_then(|numbers| BitOperator::indexed(name, &numbers))
                    else {
                        return Err(head.error(format!("unknown operator `{name}` with these indices")));
                    };
                    let arguments: Vec<TermId> =
                        rest.iter().map(|part| self.read(part)).collect::<Result<_, _>>()?;
                    self.apply(&Operator::Bits(operator), &arguments, expression)
                }
                _ => Err(head.error("expected an operator")),
            };
        }
        let Some(name) = head.word() else { return Err(head.error("expected an operator")) };
        if let ("_", [number, width]) = (name, rest) {
            let digits = number.word().and_then(|word| word.strip_prefix("bv"));
            let number = digits.and_then(|digits| num_bigint::BigInt::parse_bytes(digits.as_bytes(), 10));
            let width: Option<u32> = width.word().and_then(|width| width.parse().ok());
            let bits = number.zip(width).and_then(|(number, width)| BitVector::new(width, &number));
            return match bits {
                Some(bits) => Ok(self.store.constant(Value::Bits(bits))),
                None => Err(expression.error("expected (_ bvNUMBER WIDTH)")),
            };
        }
        if let ("_", [kind, exponent, significand]) = (name, rest) {
            return self.special_float(kind, exponent, significand, expression);
        }
        if let ("fp", [sign, exponent, significand]) = (name, rest) {
            return self.float_of_parts([sign, exponent, significand], expression);
        }
        if name.starts_with("fp.") {
            return self.read_float(name, &[], rest, expression);
        }
        if name == "let" {
            let [bindings, body] = rest else {
                return Err(expression.error("expected (let (BINDINGS) BODY)"));
            };
            let Some(bindings) = bindings.list() else { return Err(bindings.error("expected bindings")) };
            let mut new = Vec::with_capacity(bindings.len());
            for binding in bindings {
                let Some([name, value]) = binding.list() else {
                    return Err(binding.error("expected (NAME TERM)"));
                };
                let Some(name) = name.word() else { return Err(name.error("expected a name")) };
                new.push((name.to_owned(), self.read(value)?));
            }
            let outer = self.bound.len();
            self.bound.extend(new);
            let body = self.read(body);
            self.bound.truncate(outer);
            return body;
        }
        let arguments: Vec<TermId> = rest.iter().map(|part| self.read(part)).collect::<Result<_, _>>()?;
        self.read_operator(name, &arguments, expression)
    }

    fn read_operator(
        &mut self,
        name: &str,
        arguments: &[TermId],
        expression: &Expression,
    ) -> Result<TermId, ReadError> {
        match (name, arguments) {
            ("-", [one]) if self.store.sort(*one).is_numeric() => Ok(self.store.negate(*one)),
            ("-", [first, rest @ ..]) if !rest.is_empty() => {
                let mut sum = vec![*first];
                for argument in rest {
                    if !self.store.sort(*argument).is_numeric() {
                        return Err(expression.error("`-` needs numbers"));
                    }
                    sum.push(self.store.negate(*argument));
                }
                self.apply(&Operator::Add, &sum, expression)
            }
            (">=", [left, right]) => self.apply(&Operator::LessEqual, &[*right, *left], expression),
            (">", [left, right]) => self.apply(&Operator::Less, &[*right, *left], expression),
            ("=>", [premise, conclusion])
                if *self.store.sort(*premise) == Sort::Boolean
                    && *self.store.sort(*conclusion) == Sort::Boolean =>
            {
                Ok(self.store.implies(*premise, *conclusion))
            }
            ("distinct", [left, right]) => {
                let equal = self.apply(&Operator::Equal, &[*left, *right], expression)?;
                Ok(self.store.not(equal))
            }
            // Solvers write rationals as quotients of integer literals.
            ("/", [left, right]) => {
                let (left, right) = (self.real(*left), self.real(*right));
                self.apply(&Operator::DivideReal, &[left, right], expression)
            }
            _ => match Operator::named(name) {
                Some(operator) => self.apply(&operator, arguments, expression),
                None => Err(expression.error(format!("unknown operator `{name}`"))),
            },
        }
    }

    fn real(&mut self, term: TermId) -> TermId {
        match self.store.sort(term) {
            Sort::Integer => self.store.simplified(&Operator::ToReal, &[term]),
            _ => term,
        }
    }

    pub(crate) fn apply(
        &mut self,
        operator: &Operator,
        arguments: &[TermId],
        expression: &Expression,
    ) -> Result<TermId, ReadError> {
        let sorts: Vec<&Sort> = arguments.iter().map(|argument| self.store.sort(*argument)).collect();
        match operator.result_sort(&sorts) {
            Some(_) => Ok(self.store.simplified(operator, arguments)),
            None => {
                let sorts: Vec<String> = sorts.iter().map(|sort| print_sort(self.store, sort)).collect();
                let message = format!("`{}` cannot be applied to ({})", operator.name(), sorts.join(", "));
                Err(expression.error(message))
            }
        }
    }
}

/// A choice of names for a text.
pub(crate) trait Naming {
    fn symbol(&self, store: &TermStore, symbol: SymbolId) -> String;
    fn literal(&self, store: &TermStore, enumeration: crate::EnumerationId, literal: u32) -> String;
    fn enumeration(&self, store: &TermStore, enumeration: crate::EnumerationId) -> String;
    /// Returns the name given to a term, if any.
    fn named(&self, term: TermId) -> Option<String>;
}

/// The names given by users.
struct WrittenNames;

impl Naming for WrittenNames {
    fn symbol(&self, store: &TermStore, symbol: SymbolId) -> String {
        quoted(store.symbol_name(symbol))
    }

    fn literal(&self, store: &TermStore, enumeration: crate::EnumerationId, literal: u32) -> String {
        let name = &store.enumeration(enumeration).name;
        quoted(&format!("{name}.{}", store.literal_name(enumeration, literal)))
    }

    fn enumeration(&self, store: &TermStore, enumeration: crate::EnumerationId) -> String {
        quoted(&store.enumeration(enumeration).name)
    }

    fn named(&self, _: TermId) -> Option<String> {
        None
    }
}

/// Quotes a name as a word.
fn quoted(name: &str) -> String {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"_.$'!~%&*+-/<>=?@^".contains(&byte);
    if !name.is_empty() && name.bytes().all(is_plain) && !name.as_bytes()[0].is_ascii_digit() {
        name.to_owned()
    } else {
        format!("|{name}|")
    }
}

/// Prints a sort.
pub fn print_sort(store: &TermStore, sort: &Sort) -> String {
    sort_text(store, sort, &WrittenNames)
}

/// Prints a term, with the names given by users.
pub fn print_term(store: &TermStore, term: TermId) -> String {
    term_text(store, term, &WrittenNames, false)
}

pub(crate) fn sort_text(store: &TermStore, sort: &Sort, naming: &dyn Naming) -> String {
    match sort {
        Sort::Boolean => "Bool".to_owned(),
        Sort::Integer => "Int".to_owned(),
        Sort::Real => "Real".to_owned(),
        Sort::BitVector(width) => format!("(_ BitVec {width})"),
        Sort::Float(format) => {
            format!("(_ FloatingPoint {} {})", format.exponent_bits(), format.significand_bits())
        }
        Sort::Enumeration(id) => naming.enumeration(store, *id),
        Sort::Array(array) => {
            let index = sort_text(store, &array.index, naming);
            format!("(Array {index} {})", sort_text(store, &array.element, naming))
        }
    }
}

pub(crate) fn value_text(store: &TermStore, value: &Value, naming: &dyn Naming) -> String {
    match value {
        Value::Boolean(value) => value.to_string(),
        Value::Integer(value) if value.is_negative() => format!("(- {})", value.negate()),
        Value::Integer(value) => value.to_string(),
        Value::Real(value) => {
            let (numerator, denominator) =
                (Integer::from(value.numer().clone()), Integer::from(value.denom().clone()));
            let magnitude = if numerator.is_negative() { numerator.negate() } else { numerator.clone() };
            let text = if denominator == Integer::from(1) {
                format!("{magnitude}.0")
            } else {
                format!("(/ {magnitude}.0 {denominator}.0)")
            };
            if numerator.is_negative() { format!("(- {text})") } else { text }
        }
        Value::Bits(bits) => format!("#b{}", bits.digits()),
        Value::Float(float) => float_text(float),
        Value::Enumerator(id, literal) => naming.literal(store, *id, *literal),
        Value::Array(array) => {
            let sort = sort_text(store, &value.sort(), naming);
            let mut text = format!("((as const {sort}) {})", value_text(store, array.rest(), naming));
            for (index, element) in array.exceptions() {
                let index = value_text(store, index, naming);
                text = format!("(store {text} {index} {})", value_text(store, element, naming));
            }
            text
        }
    }
}

/// Prints a term. For a solver, operators that SMT-LIB lacks are expanded to their definitions.
pub(crate) fn term_text(store: &TermStore, term: TermId, naming: &dyn Naming, for_solver: bool) -> String {
    enum Part {
        Term(TermId),
        Text(&'static str),
    }
    let mut text = String::new();
    let mut open = vec![Part::Term(term)];
    let mut is_root = true;
    while let Some(part) = open.pop() {
        let id = match part {
            Part::Text(piece) => {
                text.push_str(piece);
                continue;
            }
            Part::Term(id) => id,
        };
        if !std::mem::take(&mut is_root)
            && let Some(name) = naming.named(id)
        {
            text.push_str(&name);
            continue;
        }
        let (operator, arguments) = match store.term(id) {
            Term::Constant(value) => {
                text.push_str(&value_text(store, value, naming));
                continue;
            }
            Term::Symbol(symbol) => {
                text.push_str(&naming.symbol(store, *symbol));
                continue;
            }
            Term::Apply(operator, arguments) => (operator, arguments),
        };
        let pieces: Vec<Part> = match (operator, arguments.as_ref()) {
            (Operator::And, []) => vec![Part::Text("true")],
            (Operator::Or, []) => vec![Part::Text("false")],
            (Operator::And | Operator::Or | Operator::Add | Operator::Multiply, [one]) => {
                vec![Part::Term(*one)]
            }
            (Operator::DivideTruncated, [left, right]) if for_solver => vec![
                Part::Text("(ite (>= "),
                Part::Term(*left),
                Part::Text(" 0) (div "),
                Part::Term(*left),
                Part::Text(" "),
                Part::Term(*right),
                Part::Text(") (- (div (- "),
                Part::Term(*left),
                Part::Text(") "),
                Part::Term(*right),
                Part::Text(")))"),
            ],
            (Operator::RemainderTruncated, [left, right]) if for_solver => vec![
                Part::Text("(ite (>= "),
                Part::Term(*left),
                Part::Text(" 0) (mod "),
                Part::Term(*left),
                Part::Text(" "),
                Part::Term(*right),
                Part::Text(") (- (mod (- "),
                Part::Term(*left),
                Part::Text(") "),
                Part::Term(*right),
                Part::Text(")))"),
            ],
            (Operator::Remainder, [left, right]) if for_solver => vec![
                Part::Text("(ite (>= "),
                Part::Term(*right),
                Part::Text(" 0) (mod "),
                Part::Term(*left),
                Part::Text(" "),
                Part::Term(*right),
                Part::Text(") (- (mod "),
                Part::Term(*left),
                Part::Text(" "),
                Part::Term(*right),
                Part::Text(")))"),
            ],
            (Operator::ConstantArray(_), [element]) => {
                let _ = write!(text, "((as const {})", sort_text(store, store.sort(id), naming));
                vec![Part::Text(" "), Part::Term(*element), Part::Text(")")]
            }
            (operator, arguments) => {
                text.push('(');
                match operator {
                    Operator::Bits(operator) => text.push_str(&operator.text()),
                    Operator::Floats(operator) => text.push_str(&operator.text()),
                    _ => text.push_str(operator.name()),
                }
                let mut pieces: Vec<Part> = Vec::with_capacity(2 * arguments.len() + 1);
                for argument in arguments {
                    pieces.push(Part::Text(" "));
                    pieces.push(Part::Term(*argument));
                }
                pieces.push(Part::Text(")"));
                pieces
            }
        };
        open.extend(pieces.into_iter().rev());
    }
    text
}
