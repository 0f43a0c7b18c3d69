//! Writes names, types and terms in Theta's languages.
//!
//! Invariant: the reader of the language reads a written term back as the same term. Constructs that the language
//! cannot express are all reported before any output.

use std::collections::BTreeSet;
use std::fmt::Write;

use tempora_smt::{
    ArrayValue, BitOperator, Float, FloatFormat, FloatOperator, Operator, Sort, Term, TermId, Value,
};
use tempora_source::{Diagnostic, Diagnostics, Origin, Origins};
use tempora_transition::{StateVariableId, StatementKind, SymbolicStatement, SymbolicSystem};

use super::expressions::LONGEST_NUMBER;
use crate::codes::writing::CANNOT_BE_WRITTEN;

/// The keywords and features of a language.
pub(crate) struct Dialect {
    pub(crate) boolean: &'static str,
    pub(crate) integer: &'static str,
    pub(crate) and: &'static str,
    pub(crate) or: &'static str,
    pub(crate) not: &'static str,
    pub(crate) equal: &'static str,
    pub(crate) different: &'static str,
    pub(crate) modulo: &'static str,
    /// Whether names may contain dots.
    pub(crate) dots_in_names: bool,
    /// Whether the language has enumerations, as XSTS does, or else rationals and bit-vectors, as CFA does.
    pub(crate) has_enumerations: bool,
    /// Returns whether a word is reserved.
    pub(crate) is_reserved: fn(&str) -> bool,
}

/// The largest depth of nested expressions and statements that the reader accepts.
const DEEPEST: usize = 180;

/// A set of unique names.
pub(crate) struct Names<'dialect> {
    dialect: &'dialect Dialect,
    has_dots: bool,
    used: BTreeSet<String>,
}

impl<'dialect> Names<'dialect> {
    /// Creates a set in which only these names are taken.
    pub(crate) fn new(dialect: &'dialect Dialect, used: BTreeSet<String>) -> Names<'dialect> {
        Names { dialect, has_dots: dialect.dots_in_names, used }
    }

    /// Creates a set for literals, which have no dots because they follow their type and a dot.
    pub(crate) fn of_literals(dialect: &'dialect Dialect) -> Names<'dialect> {
        Names { dialect, has_dots: false, used: BTreeSet::new() }
    }

    /// Returns a valid and unused name that is similar to the wanted one.
    pub(crate) fn choose(&mut self, wanted: &str) -> String {
        let is_allowed = |character: char| {
            character.is_ascii_alphanumeric()
                || matches!(character, '_' | '$')
                || (self.has_dots && character == '.')
        };
        let mut name: String =
            wanted.chars().map(|character| if is_allowed(character) { character } else { '_' }).collect();
        if !name.starts_with(|first: char| first.is_ascii_alphabetic() || matches!(first, '_' | '$')) {
            name.insert(0, '_');
        }
        let mut chosen = name.clone();
        let mut number = 1;
        while (self.dialect.is_reserved)(&chosen) || !self.used.insert(chosen.clone()) {
            number += 1;
            chosen = format!("{name}_{number}");
        }
        chosen
    }
}

/// A writer for the terms of a system, with its names.
pub(crate) struct TermWriter<'system> {
    pub(crate) system: &'system SymbolicSystem,
    pub(crate) dialect: &'static Dialect,
    /// The names of variables, by symbol.
    pub(crate) symbols: Vec<String>,
    /// The names of enumerations and of their literals.
    pub(crate) enumerations: Vec<(String, Vec<String>)>,
}

/// An expression, with the precedence of its outermost operator and its depth.
struct PrintedTerm {
    text: String,
    level: Level,
    depth: usize,
}

/// The levels of precedence, from the lowest.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Level {
    Or,
    And,
    Not,
    Equality,
    Comparison,
    Sum,
    Product,
    Sign,
    Primary,
}

impl PrintedTerm {
    fn primary(text: String) -> PrintedTerm {
        PrintedTerm { text, level: Level::Primary, depth: 0 }
    }

    /// Adds parentheses, unless its precedence is at least the given level.
    fn at(self, level: Level) -> PrintedTerm {
        if self.level >= level {
            return self;
        }
        PrintedTerm { text: format!("({})", self.text), level: Level::Primary, depth: self.depth + 1 }
    }
}

impl<'system> TermWriter<'system> {
    /// Chooses all names of a system; also returns the set of names, for choosing more.
    pub(crate) fn new(
        system: &'system SymbolicSystem,
        dialect: &'static Dialect,
    ) -> (TermWriter<'system>, Names<'static>) {
        let mut types = Names::new(dialect, BTreeSet::new());
        let mut used = BTreeSet::new();
        let mut enumerations = Vec::new();
        for (_, enumeration) in system.store.enumerations() {
            let name = types.choose(&enumeration.name);
            let mut literals = Names::of_literals(dialect);
            let literals: Vec<String> =
                enumeration.literals.iter().map(|literal| literals.choose(literal)).collect();
            // A variable with the name of a literal would hide it.
            used.extend(literals.iter().map(|literal| format!("{name}.{literal}")));
            used.extend(literals.iter().cloned());
            enumerations.push((name, literals));
        }
        let mut names = Names::new(dialect, used);
        let mut symbols = vec![String::new(); system.store.symbol_count()];
        for variable in system.variables.values() {
            symbols[variable.symbol.index()] = names.choose(&variable.name);
        }
        (TermWriter { system, dialect, symbols, enumerations }, names)
    }

    /// Returns the name of a variable.
    pub(crate) fn name(&self, variable: StateVariableId) -> &str {
        &self.symbols[self.system.variables[variable].symbol.index()]
    }

    /// Writes a type.
    pub(crate) fn sort(&self, sort: &Sort) -> String {
        match sort {
            Sort::Boolean => self.dialect.boolean.to_owned(),
            Sort::Integer => self.dialect.integer.to_owned(),
            Sort::Real => "rat".to_owned(),
            Sort::BitVector(width) => format!("bv[{width}]"),
            Sort::Float(format) => format!("fp[{}:{}]", format.exponent_bits(), format.significand_bits()),
            Sort::Enumeration(id) => self.enumerations[id.index()].0.clone(),
            Sort::Array(array) => format!("[{}] -> {}", self.sort(&array.index), self.sort(&array.element)),
        }
    }

    /// Writes an expression.
    pub(crate) fn term(&self, term: TermId) -> String {
        self.piece(term).text
    }

    fn value(&self, value: &Value) -> PrintedTerm {
        let signed = |is_negative: bool, text: String| PrintedTerm {
            text,
            level: if is_negative { Level::Sign } else { Level::Primary },
            depth: usize::from(is_negative),
        };
        match value {
            Value::Boolean(value) => PrintedTerm::primary(value.to_string()),
            Value::Integer(value) => signed(value.is_negative(), value.to_string()),
            Value::Real(value) => {
                let text = format!("{}%{}", value.numer(), value.denom());
                signed(text.starts_with('-'), text)
            }
            Value::Bits(bits) => PrintedTerm::primary(format!("{}'b{}", bits.width(), bits.digits())),
            Value::Float(float) => {
                let (is_negative, text) = float_literal(float);
                signed(is_negative, text)
            }
            Value::Enumerator(id, literal) => {
                let (name, literals) = &self.enumerations[id.index()];
                let literal = literals.get(*literal as usize).map_or("", String::as_str);
                PrintedTerm::primary(format!("{name}.{literal}"))
            }
            Value::Array(array) => self.array(array),
        }
    }

    fn array(&self, array: &ArrayValue) -> PrintedTerm {
        let rest = self.value(array.rest());
        let mut depth = rest.depth;
        // An index determines its type, unless it is an array itself.
        let is_clear = !array.exceptions().is_empty() && !matches!(array.index_sort(), Sort::Array(_));
        let mut text =
            if is_clear { "[".to_owned() } else { format!("[<{}>", self.sort(array.index_sort())) };
        for (index, element) in array.exceptions() {
            let (index, element) = (self.value(index), self.value(element));
            depth = depth.max(index.depth).max(element.depth);
            let _ = write!(text, "{} <- {}, ", index.text, element.text);
        }
        let _ = write!(text, "default <- {}]", rest.text);
        PrintedTerm { text, level: Level::Primary, depth: depth + 1 }
    }

    fn joined(&self, parts: &[TermId], word: &str, level: Level, inside: Level) -> PrintedTerm {
        let pieces: Vec<PrintedTerm> = parts.iter().map(|part| self.piece(*part).at(inside)).collect();
        let depth = pieces.iter().map(|piece| piece.depth).max().unwrap_or(0);
        let texts: Vec<String> = pieces.into_iter().map(|piece| piece.text).collect();
        PrintedTerm { text: texts.join(&format!(" {word} ")), level, depth }
    }

    fn piece(&self, term: TermId) -> PrintedTerm {
        let store = &self.system.store;
        let (operator, parts) = match store.term(term) {
            Term::Constant(value) => return self.value(value),
            Term::Symbol(symbol) => return PrintedTerm::primary(self.symbols[symbol.index()].clone()),
            Term::Apply(operator, parts) => (operator, parts.as_ref()),
        };
        let dialect = self.dialect;
        match (operator, parts) {
            (Operator::And, []) => PrintedTerm::primary("true".to_owned()),
            (Operator::Or, []) => PrintedTerm::primary("false".to_owned()),
            (Operator::And | Operator::Or | Operator::Add | Operator::Multiply, [one]) => self.piece(*one),
            (Operator::And, _) => self.joined(parts, dialect.and, Level::And, Level::Not),
            (Operator::Or, _) => self.joined(parts, dialect.or, Level::Or, Level::And),
            (Operator::Not, [inner]) => match store.term(*inner) {
                Term::Apply(Operator::Equal, sides) => {
                    self.joined(sides, dialect.different, Level::Equality, Level::Comparison)
                }
                Term::Apply(Operator::LessEqual, sides) => {
                    self.joined(&[sides[1], sides[0]], "<", Level::Comparison, Level::Sum)
                }
                _ => {
                    let inner = self.piece(*inner).at(Level::Equality);
                    let text = format!("{}{}", dialect.not, inner.text);
                    PrintedTerm { text, level: Level::Not, depth: inner.depth + 1 }
                }
            },
            (Operator::IfThenElse, [condition, then, otherwise]) => {
                let parts = [condition, then, otherwise].map(|part| self.piece(*part));
                let depth = parts.iter().map(|part| part.depth).max().unwrap_or(0) + 2;
                let [condition, then, otherwise] = parts.map(|part| part.text);
                let text = format!("(if {condition} then {then} else {otherwise})");
                PrintedTerm { text, level: Level::Primary, depth }
            }
            (Operator::Equal, _) => self.joined(parts, dialect.equal, Level::Equality, Level::Comparison),
            (Operator::LessEqual, _) => self.joined(parts, "<=", Level::Comparison, Level::Sum),
            (Operator::Less, _) => self.joined(parts, "<", Level::Comparison, Level::Sum),
            (Operator::Add, _) => self.sum(parts),
            (Operator::Multiply, _) => self.product(parts),
            (Operator::DivideEuclidean | Operator::DivideReal, _) => {
                self.joined(parts, "/", Level::Product, Level::Sign)
            }
            (Operator::ModuloEuclidean, _) => self.joined(parts, dialect.modulo, Level::Product, Level::Sign),
            (Operator::Remainder, _) => self.joined(parts, "rem", Level::Product, Level::Sign),
            // Truncated divisions have been refused.
            (Operator::DivideTruncated | Operator::RemainderTruncated, _) => {
                self.joined(parts, operator.name(), Level::Product, Level::Sign)
            }
            // The product with the rational 1 converts a number to a rational.
            (Operator::ToReal, [inner]) => {
                let inner = self.piece(*inner).at(Level::Sign);
                PrintedTerm {
                    text: format!("{} * 1%1", inner.text),
                    level: Level::Product,
                    depth: inner.depth,
                }
            }
            (Operator::Select, [array, index]) => {
                let (array, index) = (self.piece(*array).at(Level::Primary), self.piece(*index));
                let text = format!("{}[{}]", array.text, index.text);
                PrintedTerm { text, level: Level::Primary, depth: array.depth.max(index.depth + 1) }
            }
            (Operator::Store, [array, index, element]) => {
                let array = self.piece(*array).at(Level::Primary);
                let (index, element) = (self.piece(*index), self.piece(*element));
                let depth = array.depth.max(index.depth + 1).max(element.depth + 1);
                // The reader limits the number of consecutive brackets.
                let text = format!("({}[{} <- {}])", array.text, index.text, element.text);
                PrintedTerm { text, level: Level::Primary, depth: depth + 1 }
            }
            (Operator::ConstantArray(index), [element]) => {
                let element = self.piece(*element);
                let text = format!("[<{}>default <- {}]", self.sort(index), element.text);
                PrintedTerm { text, level: Level::Primary, depth: element.depth + 1 }
            }
            (Operator::Bits(operator), _) => self.bits(*operator, term, parts),
            (Operator::Floats(operator), _) => self.floats(*operator, parts),
            // In validated terms, the number of arguments fits the operator.
            (operator, _) => PrintedTerm::primary(operator.name().to_owned()),
        }
    }

    /// Writes a sum; negative parts are subtracted.
    fn sum(&self, parts: &[TermId]) -> PrintedTerm {
        let mut sum = PrintedTerm { text: String::new(), level: Level::Sum, depth: 0 };
        for part in parts {
            let piece = self.piece(*part).at(Level::Product);
            sum.depth = sum.depth.max(piece.depth);
            // The leading sign of a quotient belongs to the dividend alone.
            let is_signed = match self.system.store.term(*part) {
                Term::Apply(operator, _) => *operator == Operator::Multiply,
                _ => true,
            };
            let _ = match piece.text.strip_prefix('-').filter(|_| is_signed) {
                _ if sum.text.is_empty() => write!(sum.text, "{}", piece.text),
                Some(positive) => write!(sum.text, " - {positive}"),
                None => write!(sum.text, " + {}", piece.text),
            };
        }
        sum
    }

    /// Writes a product; a factor of -1 becomes a negation.
    fn product(&self, parts: &[TermId]) -> PrintedTerm {
        let mut product = self.joined(parts, "*", Level::Product, Level::Sign);
        for minus_one in ["-1 * ", "-1%1 * "] {
            if let Some(rest) = product.text.strip_prefix(minus_one) {
                product =
                    PrintedTerm { text: format!("-{rest}"), level: Level::Product, depth: product.depth + 1 };
                break;
            }
        }
        product
    }

    /// Writes an operator on bit-vectors, always in parentheses.
    fn bits(&self, operator: BitOperator, term: TermId, parts: &[TermId]) -> PrintedTerm {
        let pieces: Vec<PrintedTerm> =
            parts.iter().map(|part| self.piece(*part).at(Level::Primary)).collect();
        let depth = pieces.iter().map(|piece| piece.depth).max().unwrap_or(0) + 2;
        let texts: Vec<String> = pieces.into_iter().map(|piece| piece.text).collect();
        let text = match (operator, texts.as_slice()) {
            (BitOperator::Extract { high, low }, [word]) => format!("({word}[{}:{low}])", high + 1),
            (BitOperator::ExtendZero(_), [word]) => {
                format!("({word} bv_zero_extend {})", self.sort(self.system.store.sort(term)))
            }
            (BitOperator::ExtendSign(_), [word]) => {
                format!("({word} bv_sign_extend {})", self.sort(self.system.store.sort(term)))
            }
            (BitOperator::Concatenate, _) => format!("({})", texts.join(" ++ ")),
            (_, [word]) => format!("({} {word})", operator.name()),
            _ => format!("({})", texts.join(&format!(" {} ", operator.name()))),
        };
        PrintedTerm { text, level: Level::Primary, depth }
    }

    /// Writes an operator on floating point numbers, always in parentheses.
    fn floats(&self, operator: FloatOperator, parts: &[TermId]) -> PrintedTerm {
        let pieces: Vec<PrintedTerm> =
            parts.iter().map(|part| self.piece(*part).at(Level::Primary)).collect();
        let depth = pieces.iter().map(|piece| piece.depth).max().unwrap_or(0) + 2;
        let texts: Vec<String> = pieces.into_iter().map(|piece| piece.text).collect();
        let format =
            |format: FloatFormat| format!("[{}:{}]", format.exponent_bits(), format.significand_bits());
        let word = match operator {
            FloatOperator::Add(_) => "fpadd".to_owned(),
            FloatOperator::Subtract(_) => "fpsub".to_owned(),
            FloatOperator::Multiply(_) => "fpmul".to_owned(),
            FloatOperator::Divide(_) => "fpdiv".to_owned(),
            FloatOperator::Remainder => "fprem".to_owned(),
            FloatOperator::SquareRoot(_) => "fpsqrt".to_owned(),
            FloatOperator::RoundToIntegral(_) => "fproundtoint".to_owned(),
            FloatOperator::Minimum => "fpmin".to_owned(),
            FloatOperator::Maximum => "fpmax".to_owned(),
            FloatOperator::Absolute => "fpabs".to_owned(),
            FloatOperator::Negate => "fpneg".to_owned(),
            FloatOperator::Less => "<".to_owned(),
            FloatOperator::LessEqual => "<=".to_owned(),
            FloatOperator::Equal => self.dialect.equal.to_owned(),
            FloatOperator::IsNaN => "fpisnan".to_owned(),
            // This operator has been refused.
            FloatOperator::IsInfinite => "fpisinfinite".to_owned(),
            FloatOperator::Convert(to, _) => format!("fptofp{}", format(to)),
            FloatOperator::FromSigned(to, _) => format!("fpfrombv{}[s]", format(to)),
            FloatOperator::FromUnsigned(to, _) => format!("fpfrombv{}[u]", format(to)),
            FloatOperator::ToSigned(width, _) => format!("fptobv[{width}'s]"),
            FloatOperator::ToUnsigned(width, _) => format!("fptobv[{width}'u]"),
        };
        let word = match operator.rounding() {
            Some(rounding) => format!("{word}[{}]", rounding.name()),
            None => word,
        };
        let text = match texts.as_slice() {
            [one] => format!("({word} {one})"),
            _ => format!("({})", texts.join(&format!(" {word} "))),
        };
        PrintedTerm { text, level: Level::Primary, depth }
    }

    /// Creates the error about a construct that the language cannot express.
    pub(crate) fn obstacle(&self, what: &str, origin: Origin, origins: &Origins, hint: &str) -> Diagnostic {
        let message = format!("{what} cannot be written in this language");
        let problem = Diagnostic::error(&CANNOT_BE_WRITTEN, message).with_hint(hint);
        match origins.primary_span(origin) {
            Some(span) => problem.with_primary(span, ""),
            None => problem,
        }
    }

    /// Returns the errors about all constructs that the language cannot express or that are nested too deeply.
    pub(crate) fn obstacles(&self, origins: &Origins) -> Diagnostics {
        let mut obstacles =
            Obstacles { writer: self, origins, seen: BTreeSet::new(), found: Diagnostics::new() };
        for (id, variable) in self.system.variables.iter() {
            obstacles.sort(self.system.sort_of(id), variable.origin);
        }
        let start = self.system.locations[self.system.initial_location].origin;
        obstacles.term(self.system.initial, start, 0);
        for edge in self.system.edges.values() {
            obstacles.statement(&edge.statement, 3);
        }
        for property in &self.system.properties {
            obstacles.term(property.condition, property.origin, 3);
        }
        if let Some(second) = self.system.properties.get(1) {
            obstacles.report(
                "a second property",
                second.origin,
                "use --property with a file of one property",
            );
        }
        obstacles.found
    }
}

struct Obstacles<'write, 'system> {
    writer: &'write TermWriter<'system>,
    origins: &'write Origins,
    seen: BTreeSet<TermId>,
    found: Diagnostics,
}

impl Obstacles<'_, '_> {
    fn report(&mut self, what: &str, origin: Origin, hint: &str) {
        self.found.push(self.writer.obstacle(what, origin, self.origins, hint));
    }

    fn sort(&mut self, sort: &Sort, origin: Origin) {
        let dialect = self.writer.dialect;
        match sort {
            Sort::Array(array) => {
                self.sort(&array.index, origin);
                self.sort(&array.element, origin);
            }
            Sort::Enumeration(id) if !dialect.has_enumerations => {
                let name = &self.writer.system.store.enumeration(*id).name;
                self.report(
                    &format!("the enumeration `{name}`"),
                    origin,
                    "use `.sym` or XSTS, which have enumerations",
                );
            }
            Sort::Real if dialect.has_enumerations => {
                self.report("a rational number", origin, "use `.sym` or CFA, which have rational numbers");
            }
            Sort::BitVector(_) if dialect.has_enumerations => {
                self.report("a bit-vector", origin, "use `.sym` or CFA, which have bit-vectors");
            }
            Sort::Float(_) if dialect.has_enumerations => {
                self.report(
                    "a floating point number",
                    origin,
                    "use `.sym` or CFA, which have floating point numbers",
                );
            }
            Sort::Boolean
            | Sort::Integer
            | Sort::Real
            | Sort::BitVector(_)
            | Sort::Float(_)
            | Sort::Enumeration(_) => {}
        }
    }

    fn statement(&mut self, statement: &SymbolicStatement, depth: usize) {
        match &statement.kind {
            StatementKind::Assign(_, term) | StatementKind::Assume(term) => {
                self.term(*term, statement.origin, depth);
            }
            StatementKind::Loop { from, to, .. } => {
                self.term(*from, statement.origin, depth);
                self.term(*to, statement.origin, depth);
            }
            StatementKind::Havoc(_) | StatementKind::Sequence(_) | StatementKind::Choice(_) => {}
        }
        for part in statement.parts() {
            self.statement(part, depth + 1);
        }
    }

    fn term(&mut self, root: TermId, origin: Origin, depth: usize) {
        let store = &self.writer.system.store;
        for part in store.parts(&[root], |term| self.seen.contains(&term)) {
            self.seen.insert(part);
            match store.term(part) {
                Term::Apply(operator @ (Operator::DivideTruncated | Operator::RemainderTruncated), _) => {
                    let what = format!("the truncated division `{}`", operator.name());
                    self.report(&what, origin, "use `.sym`, which has truncated division");
                }
                Term::Apply(Operator::Floats(FloatOperator::IsInfinite), _) => {
                    self.report("`fp.isInfinite`", origin, "use `.sym`, which has it");
                }
                Term::Apply(Operator::Equal, sides) if matches!(store.sort(sides[0]), Sort::Float(_)) => {
                    let what = "an equality of floating point numbers that includes NaN";
                    self.report(what, origin, "use `.sym`, which has it");
                }
                Term::Constant(Value::Integer(value)) if value.to_string().len() > LONGEST_NUMBER => {
                    let what = format!("a number with more than {LONGEST_NUMBER} digits");
                    self.report(&what, origin, "use smaller numbers");
                }
                // The sort of a variable is reported once, where it is declared.
                Term::Symbol(_) => {}
                _ => {
                    let sort = store.sort(part).clone();
                    self.sort(&sort, origin);
                }
            }
        }
        if self.writer.piece(root).depth + depth > DEEPEST {
            let what = format!("an expression that is nested more than {DEEPEST} levels deep");
            self.report(&what, origin, "introduce variables for parts of it");
        }
    }
}

/// Returns a floating point literal in bits, and whether it has a sign.
fn float_literal(float: &Float) -> (bool, String) {
    let (is_negative, exponent, significand) = float.parts();
    let (exponent_bits, stored_bits) =
        (float.format().exponent_bits() as usize, float.format().significand_bits() as usize - 1);
    let (exponent, significand) = (exponent.to_str_radix(2), significand.to_str_radix(2));
    let sign = if is_negative { "-" } else { "" };
    let text = format!(
        "{sign}{exponent_bits}'b{exponent:0>exponent_bits$}.{stored_bits}'b{significand:0>stored_bits$}"
    );
    (is_negative, text)
}

/// The first use of a variable in a statement, for variables without a value between steps.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum FirstUse {
    /// The variable does not occur.
    None,
    /// One statement, before all others, assigns the variable.
    Assigned,
    /// The statement may depend on the previous value.
    Read,
}

/// Determines whether a statement assigns a variable before it reads it.
pub(crate) fn first_use(
    system: &SymbolicSystem,
    statement: &SymbolicStatement,
    variable: StateVariableId,
) -> FirstUse {
    let reads = |term: TermId| system.store.symbols_of(&[term]).contains(&system.variables[variable].symbol);
    let read_if = |is_read: bool| if is_read { FirstUse::Read } else { FirstUse::None };
    match &statement.kind {
        StatementKind::Assign(target, value) => match reads(*value) {
            false if *target == variable => FirstUse::Assigned,
            is_read => read_if(is_read || *target == variable),
        },
        StatementKind::Assume(condition) => read_if(reads(*condition)),
        StatementKind::Havoc(target) if *target == variable => FirstUse::Assigned,
        StatementKind::Havoc(_) => FirstUse::None,
        StatementKind::Sequence(parts) => {
            let mut uses = parts
                .iter()
                .map(|part| (part, first_use(system, part, variable)))
                .filter(|(_, found)| *found != FirstUse::None);
            match (uses.next(), uses.next()) {
                (None, _) => FirstUse::None,
                (Some((_, found)), None) => found,
                (Some((part, FirstUse::Assigned)), Some(_)) if part.parts().is_empty() => FirstUse::Assigned,
                _ => FirstUse::Read,
            }
        }
        StatementKind::Choice(parts) => {
            let mut uses = parts
                .iter()
                .map(|part| first_use(system, part, variable))
                .filter(|found| *found != FirstUse::None);
            match (uses.next(), uses.next()) {
                (None, _) => FirstUse::None,
                (Some(found), None) => found,
                _ => FirstUse::Read,
            }
        }
        StatementKind::Loop { counter, from, to, body } => {
            if reads(*from) || reads(*to) || *counter == variable {
                return FirstUse::Read;
            }
            first_use(system, body, variable)
        }
    }
}
