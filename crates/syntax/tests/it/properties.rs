//! Property tests: printing and parsing a random tree gives the same tree, up to spans and added parentheses; the
//! parser terminates on random and hostile texts. `PROPTEST_CASES` sets the number of cases.

use std::path::Path;

use proptest::prelude::*;
use tempora_source::{Files, Span};
use tempora_syntax::ast::{
    AssignmentOperator, BaseType, BinaryOperator, Binding, Block, Branch, ConditionalBranch, Declaration,
    DeclarationKind, Edge, EdgeLabels, EdgeTarget, Expression, ExpressionKind, FunctionDeclaration, Interval,
    LocationDeclaration, Name, PathQuantifier, ProbabilityQuery, ProcessDeclaration, Quantifier, Query,
    QueryKind, Spelling, Statement, StatementKind, StepDirection, StepPlace, TemporalOperator,
    TypeExpression, UnaryOperator, UntilOperator,
};
use tempora_syntax::codes::structure::{NESTED_TOO_DEEPLY, TOO_MANY_ERRORS};
use tempora_syntax::{
    Dump, DumpNode, HEIGHT_LIMIT, height, parse_declarations, parse_expression, print_declarations,
    print_expression, print_query,
};

use crate::reading::{KINDS, read};

fn nowhere() -> Span {
    let mut files = Files::new();
    let file = files.add("nowhere", "").unwrap();
    Span::empty(file, 0)
}

fn expression(kind: ExpressionKind) -> Expression {
    Expression { kind, span: nowhere() }
}

fn name(text: &str) -> Name {
    Name { text: text.to_owned(), span: nowhere() }
}

fn any_leaf() -> impl Strategy<Value = Expression> {
    prop_oneof![
        (0_i64..=2_147_483_647).prop_map(ExpressionKind::Integer),
        prop::sample::select(vec!["1.5", "0.25", "1e-3"])
            .prop_map(|digits| ExpressionKind::Double(digits.to_owned())),
        any::<bool>().prop_map(ExpressionKind::Boolean),
        "[a-z ]{0,3}".prop_map(ExpressionKind::Text),
        any_name().prop_map(ExpressionKind::Name),
        Just(ExpressionKind::Exit),
        any_name().prop_map(|text| ExpressionKind::NumberOf(name(&text))),
    ]
    .prop_map(expression)
}

fn any_name() -> impl Strategy<Value = String> {
    prop::sample::select(vec!["x", "y_1", "rate", "location", "P", "a$b", "u"]).prop_map(str::to_owned)
}

const BINARY: [BinaryOperator; 23] = [
    BinaryOperator::Imply,
    BinaryOperator::Or,
    BinaryOperator::Xor,
    BinaryOperator::And,
    BinaryOperator::BitOr,
    BinaryOperator::BitXor,
    BinaryOperator::BitAnd,
    BinaryOperator::Equal,
    BinaryOperator::NotEqual,
    BinaryOperator::Less,
    BinaryOperator::LessEqual,
    BinaryOperator::GreaterEqual,
    BinaryOperator::Greater,
    BinaryOperator::Minimum,
    BinaryOperator::Maximum,
    BinaryOperator::ShiftLeft,
    BinaryOperator::ShiftRight,
    BinaryOperator::Add,
    BinaryOperator::Subtract,
    BinaryOperator::Multiply,
    BinaryOperator::Divide,
    BinaryOperator::Remainder,
    BinaryOperator::Power,
];

const ASSIGNMENTS: [AssignmentOperator; 12] = [
    AssignmentOperator::Assign,
    AssignmentOperator::ColonAssign,
    AssignmentOperator::Add,
    AssignmentOperator::Subtract,
    AssignmentOperator::Multiply,
    AssignmentOperator::Divide,
    AssignmentOperator::Remainder,
    AssignmentOperator::BitAnd,
    AssignmentOperator::BitOr,
    AssignmentOperator::BitXor,
    AssignmentOperator::ShiftLeft,
    AssignmentOperator::ShiftRight,
];

type Inner = BoxedStrategy<Expression>;

fn any_binary(inner: &Inner) -> impl Strategy<Value = ExpressionKind> + use<> {
    (prop::sample::select(BINARY.to_vec()), any::<bool>(), inner.clone(), inner.clone()).prop_map(
        |(operator, is_word, left, right)| {
            let is_word = match operator {
                BinaryOperator::Imply | BinaryOperator::Xor => true,
                BinaryOperator::And | BinaryOperator::Or => is_word,
                _ => false,
            };
            ExpressionKind::Binary {
                operator,
                spelling: if is_word { Spelling::Word } else { Spelling::Symbol },
                operator_span: nowhere(),
                left: Box::new(left),
                right: Box::new(right),
            }
        },
    )
}

fn any_unary(inner: &Inner) -> impl Strategy<Value = ExpressionKind> + use<> {
    let operators = vec![
        (UnaryOperator::Negate, Spelling::Symbol),
        (UnaryOperator::Plus, Spelling::Symbol),
        (UnaryOperator::Not, Spelling::Symbol),
        (UnaryOperator::Not, Spelling::Word),
    ];
    (prop::sample::select(operators), inner.clone()).prop_map(|((operator, spelling), operand)| {
        let operand = Box::new(operand);
        ExpressionKind::Unary { operator, spelling, operator_span: nowhere(), operand }
    })
}

fn any_quantified(inner: &Inner) -> impl Strategy<Value = ExpressionKind> + use<> {
    let quantifiers = vec![Quantifier::Forall, Quantifier::Exists, Quantifier::Sum, Quantifier::Foreach];
    (prop::sample::select(quantifiers), any_type(inner), inner.clone()).prop_map(
        |(quantifier, domain, body)| {
            let binding = Box::new(Binding { name: name("i"), domain, span: nowhere() });
            ExpressionKind::Quantified { quantifier, binding, body: Box::new(body) }
        },
    )
}

fn any_type(inner: &Inner) -> impl Strategy<Value = TypeExpression> + use<> {
    prop_oneof![
        Just(BaseType::Named(name("id_t"))),
        (inner.clone(), inner.clone()).prop_map(|(lower, upper)| BaseType::BoundedInteger {
            lower: Box::new(lower),
            upper: Box::new(upper)
        }),
        inner.clone().prop_map(|size| BaseType::Scalar { size: Box::new(size) }),
    ]
    .prop_map(|base| TypeExpression { prefixes: Vec::new(), base, span: nowhere() })
}

fn any_suffixed(inner: &Inner) -> impl Strategy<Value = ExpressionKind> + use<> {
    let steps = (any::<bool>(), any::<bool>(), inner.clone()).prop_map(|(is_before, is_up, operand)| {
        ExpressionKind::Step {
            place: if is_before { StepPlace::Before } else { StepPlace::After },
            direction: if is_up { StepDirection::Up } else { StepDirection::Down },
            operand: Box::new(operand),
        }
    });
    let callee = prop_oneof![
        any_name().prop_map(ExpressionKind::Name),
        (inner.clone(), any_name()).prop_map(|(base, member)| ExpressionKind::Member {
            base: Box::new(base),
            member: name(&member)
        }),
    ];
    prop_oneof![
        steps,
        (inner.clone(), inner.clone())
            .prop_map(|(base, index)| ExpressionKind::Index { base: Box::new(base), index: Box::new(index) }),
        (inner.clone(), any_name()).prop_map(|(base, member)| ExpressionKind::Member {
            base: Box::new(base),
            member: name(&member)
        }),
        (callee, prop::collection::vec(inner.clone(), 0..3)).prop_map(|(callee, arguments)| {
            ExpressionKind::Call { callee: Box::new(expression(callee)), arguments }
        }),
        inner.clone().prop_map(|inner| ExpressionKind::Derivative(Box::new(inner))),
        prop::collection::vec(inner.clone(), 0..3)
            .prop_map(|arguments| ExpressionKind::Spawn { template: name("T"), arguments }),
    ]
}

fn any_composed(inner: &Inner, with_assignments: bool) -> BoxedStrategy<ExpressionKind> {
    let common = prop_oneof![
        4 => any_binary(inner),
        2 => any_unary(inner),
        1 => any_quantified(inner),
        3 => any_suffixed(inner),
        1 => inner.clone().prop_map(|inner| ExpressionKind::Parenthesised(Box::new(inner))),
        1 => (inner.clone(), inner.clone(), inner.clone()).prop_map(|(condition, consequence, alternative)| {
            ExpressionKind::Conditional {
                condition: Box::new(condition),
                consequence: Box::new(consequence),
                alternative: Box::new(alternative),
            }
        }),
    ];
    if !with_assignments {
        return common.boxed();
    }
    let assignment = (prop::sample::select(ASSIGNMENTS.to_vec()), inner.clone(), inner.clone()).prop_map(
        |(operator, target, value)| ExpressionKind::Assignment {
            operator,
            operator_span: nowhere(),
            target: Box::new(target),
            value: Box::new(value),
        },
    );
    prop_oneof![9 => common, 1 => assignment].boxed()
}

fn any_expression() -> impl Strategy<Value = Expression> {
    any_leaf().prop_recursive(6, 40, 3, |inner| any_composed(&inner.boxed(), true).prop_map(expression))
}

/// Generates expressions without assignments.
fn any_condition() -> impl Strategy<Value = Expression> {
    any_leaf().prop_recursive(6, 40, 3, |inner| any_composed(&inner.boxed(), false).prop_map(expression))
}

fn any_temporal(inner: &Inner, in_runs: bool) -> BoxedStrategy<ExpressionKind> {
    let quantifier = prop::sample::select(vec![PathQuantifier::All, PathQuantifier::Some]);
    let operator = prop::sample::select(vec![TemporalOperator::Always, TemporalOperator::Eventually]);
    if !in_runs {
        let path = (quantifier, operator, inner.clone()).prop_map(|(quantifier, operator, operand)| {
            let operand = Box::new(operand);
            ExpressionKind::Temporal { quantifier: Some(quantifier), operator, interval: None, operand }
        });
        let leads_to = (prop::option::of(inner.clone()), inner.clone(), inner.clone()).prop_map(
            |(deadline, left, right)| ExpressionKind::LeadsTo {
                deadline: deadline.map(Box::new),
                left: Box::new(left),
                right: Box::new(right),
            },
        );
        let until = (any::<bool>(), inner.clone(), inner.clone()).prop_map(|(is_weak, left, right)| {
            ExpressionKind::Until {
                quantifier: Some(PathQuantifier::All),
                operator: if is_weak { UntilOperator::WeakUntil } else { UntilOperator::Until },
                interval: None,
                left: Box::new(left),
                right: Box::new(right),
            }
        });
        return prop_oneof![4 => path, 1 => leads_to, 1 => until].boxed();
    }
    let interval = prop::option::of((inner.clone(), inner.clone()))
        .prop_map(|bounds| bounds.map(|(lower, upper)| Box::new(Interval { lower, upper, span: nowhere() })));
    let path = (operator, interval.clone(), inner.clone()).prop_map(|(operator, interval, operand)| {
        ExpressionKind::Temporal { quantifier: None, operator, interval, operand: Box::new(operand) }
    });
    let next = inner.clone().prop_map(|operand| ExpressionKind::Temporal {
        quantifier: None,
        operator: TemporalOperator::Next,
        interval: None,
        operand: Box::new(operand),
    });
    let operators = vec![UntilOperator::Until, UntilOperator::WeakUntil, UntilOperator::Release];
    let until = (prop::sample::select(operators), interval, inner.clone(), inner.clone()).prop_map(
        |(operator, interval, left, right)| ExpressionKind::Until {
            quantifier: None,
            operator,
            interval,
            left: Box::new(left),
            right: Box::new(right),
        },
    );
    prop_oneof![2 => path, 1 => next, 2 => until].boxed()
}

fn any_formula(in_runs: bool) -> impl Strategy<Value = Expression> {
    let leaf = prop_oneof![5 => any_leaf(), 1 => Just(expression(ExpressionKind::Deadlock))];
    let body = leaf.prop_recursive(5, 30, 3, move |inner| {
        let inner = inner.boxed();
        prop_oneof![2 => any_composed(&inner, false), 1 => any_temporal(&inner, in_runs)].prop_map(expression)
    });
    // The outermost operator must be temporal.
    body.prop_map(move |body| {
        expression(ExpressionKind::Temporal {
            quantifier: (!in_runs).then_some(PathQuantifier::All),
            operator: TemporalOperator::Always,
            interval: None,
            operand: Box::new(body),
        })
    })
}

fn block(statements: Vec<Statement>) -> Block {
    Block { declarations: Vec::new(), statements, span: nowhere() }
}

fn any_statement() -> impl Strategy<Value = Statement> {
    let expression = || any_expression().boxed();
    let leaf = prop_oneof![
        Just(StatementKind::Empty),
        prop::collection::vec(expression(), 1..3).prop_map(StatementKind::Expressions),
        prop::option::of(expression()).prop_map(StatementKind::Return),
        Just(StatementKind::Block(block(Vec::new()))),
    ];
    leaf.prop_map(statement).prop_recursive(4, 16, 3, move |inner| {
        let binding = any_type(&expression())
            .prop_map(|domain| Box::new(Binding { name: name("i"), domain, span: nowhere() }));
        let branch = (expression(), inner.clone()).prop_map(|(condition, body)| ConditionalBranch {
            condition,
            body,
            span: nowhere(),
        });
        let list = || prop::collection::vec(expression(), 0..3);
        let boxed = inner.clone().prop_map(Box::new).boxed();
        prop_oneof![
            prop::collection::vec(inner, 0..3).prop_map(|statements| StatementKind::Block(block(statements))),
            (prop::collection::vec(branch, 1..4), prop::option::of(boxed.clone()))
                .prop_map(|(branches, otherwise)| StatementKind::If { branches, otherwise }),
            (list(), list(), list(), boxed.clone()).prop_map(|(initial, condition, step, body)| {
                StatementKind::For { initial, condition, step, body }
            }),
            (binding, boxed.clone()).prop_map(|(binding, body)| StatementKind::ForEach { binding, body }),
            (expression(), boxed.clone())
                .prop_map(|(condition, body)| StatementKind::While { condition, body }),
            (boxed, expression()).prop_map(|(body, condition)| StatementKind::DoWhile { body, condition }),
        ]
        .prop_map(statement)
    })
}

fn statement(kind: StatementKind) -> Statement {
    Statement { kind, span: nowhere() }
}

fn any_location_name() -> impl Strategy<Value = Name> {
    prop::sample::select(vec!["A", "B", "weight", "rate", "location"]).prop_map(name)
}

fn any_process() -> impl Strategy<Value = ProcessDeclaration> {
    let guard = || prop::option::of(any_condition());
    let updates = || prop::collection::vec(any_expression(), 0..3);
    let names = || prop::collection::vec(any_location_name(), 0..3);
    let location = (any_location_name(), guard(), names()).prop_map(|(name, invariant, labels)| {
        LocationDeclaration { name, invariant, rate: None, labels, span: nowhere() }
    });
    let branch = (prop::option::of(any_expression()), any_location_name(), updates())
        .prop_map(|(weight, target, updates)| Branch { weight, target, updates, span: nowhere() });
    let target = prop_oneof![
        any_location_name().prop_map(EdgeTarget::Single),
        prop::collection::vec(branch, 0..3).prop_map(EdgeTarget::Branches),
    ];
    let labels = (guard(), prop::option::of(any_location_name()), updates())
        .prop_map(|(guard, event, updates)| EdgeLabels { guard, event, updates, ..EdgeLabels::default() });
    let edge = (any_location_name(), any::<bool>(), labels, target).prop_map(
        |(source, is_uncontrollable, labels, target)| Edge {
            source,
            is_uncontrollable,
            labels,
            target,
            span: nowhere(),
        },
    );
    (
        prop::collection::vec(location, 0..4),
        [names().boxed(), names().boxed(), names().boxed(), names().boxed()],
        prop::collection::vec(edge, 0..4),
    )
        .prop_map(|(locations, [branchpoints, initial, urgent, committed], edges)| ProcessDeclaration {
            name: name("P"),
            arguments: Vec::new(),
            parameters: Vec::new(),
            template: locations.first().map(|_| name("T")),
            declarations: Vec::new(),
            locations,
            branchpoints,
            initial,
            urgent,
            committed,
            edges,
            span: nowhere(),
        })
}

fn check_declaration(kind: DeclarationKind) -> Result<(), TestCaseError> {
    let tree = vec![Declaration { kind, span: nowhere() }];
    let printed = print_declarations(&tree);
    let mut files = Files::new();
    let file = files.add("printed", &*printed).unwrap();
    let parsed = parse_declarations(&files, file);
    prop_assert!(parsed.diagnostics.is_empty(), "{printed}\n{:?}", parsed.diagnostics);
    prop_assert_eq!(bare(&parsed.tree.dump_node()), bare(&tree.dump_node()), "{}", printed);
    Ok(())
}

/// Removes parentheses, which a printer may add.
fn bare(node: &DumpNode) -> DumpNode {
    match node {
        DumpNode::Atom(_) => node.clone(),
        DumpNode::List(items) => match &items[..] {
            [DumpNode::Atom(head), inner] if head == "paren" => bare(inner),
            // Braces around an `if` determine to which one an `else` belongs.
            [DumpNode::Atom(head), inner @ DumpNode::List(parts)]
                if head == "block" && parts.first() == Some(&DumpNode::Atom("if".to_owned())) =>
            {
                bare(inner)
            }
            [DumpNode::Atom(head), inner @ DumpNode::List(parts)]
                if head == "block"
                    && matches!(parts.first(), Some(DumpNode::Atom(word)) if word == "for" || word == "while") =>
            {
                bare(inner)
            }
            _ => DumpNode::List(items.iter().map(bare).collect()),
        },
    }
}

fn check_expression(tree: &Expression) -> Result<(), TestCaseError> {
    let printed = print_expression(tree);
    let mut files = Files::new();
    let file = files.add("printed", &*printed).unwrap();
    let parsed = parse_expression(&files, file);
    prop_assert!(parsed.diagnostics.is_empty(), "{printed}\n{:?}", parsed.diagnostics);
    prop_assert_eq!(bare(&parsed.tree.dump_node()), bare(&tree.dump_node()), "{}", printed);
    // Printing adds no more parentheses the second time.
    prop_assert_eq!(print_expression(&parsed.tree), printed);
    Ok(())
}

fn check_query(kind: QueryKind) -> Result<(), TestCaseError> {
    let tree = Query { kind, under: None, imitate: None, span: nowhere() };
    let printed = print_query(&tree);
    let reading = read("query", &printed).unwrap();
    let has_errors =
        reading.diagnostics.iter().any(|found| found.severity == tempora_source::Severity::Error);
    prop_assert!(!has_errors, "{printed}\n{:?}", reading.diagnostics);
    let mut files = Files::new();
    let file = files.add("printed", &*printed).unwrap();
    let again = tempora_syntax::parse_query(&files, file).tree;
    prop_assert_eq!(bare(&again.dump_node()), bare(&tree.dump_node()), "{}", printed);
    prop_assert_eq!(print_query(&again), printed);
    Ok(())
}

proptest! {
    #[test]
    fn expressions_survive_printing(tree in any_expression()) {
        check_expression(&tree)?;
    }

    #[test]
    fn path_formulas_survive_printing(formula in any_formula(false)) {
        check_query(QueryKind::Formula(formula))?;
    }

    #[test]
    fn run_formulas_survive_printing(formula in any_formula(true)) {
        check_query(QueryKind::Probability(ProbabilityQuery { bound: None, formula, under: None, comparison: None }))?;
    }

    #[test]
    fn statements_survive_printing(statement in any_statement()) {
        let return_type = TypeExpression { prefixes: Vec::new(), base: BaseType::Void, span: nowhere() };
        let body = block(vec![statement]);
        let function =
            FunctionDeclaration { return_type, name: name("f"), parameters: Vec::new(), body, span: nowhere() };
        check_declaration(DeclarationKind::Function(function))?;
    }

    #[test]
    fn processes_survive_printing(process in any_process()) {
        check_declaration(DeclarationKind::Process(Box::new(process)))?;
    }

    #[test]
    fn random_text_is_read_without_panic(text in "\\PC{0,200}") {
        for kind in KINDS {
            read(kind, &text).unwrap();
        }
    }

    #[test]
    fn random_tokens_are_read_without_panic(words in prop::collection::vec(any_word(), 0..60)) {
        let text = words.join(" ");
        for kind in KINDS {
            let reading = read(kind, &text).unwrap();
            let has_error = reading.dump.contains("(error)") || reading.dump.contains("missing");
            prop_assert!(!has_error || !reading.diagnostics.is_empty(), "{kind}: {text}\n{}", reading.dump);
        }
    }
}

fn any_word() -> impl Strategy<Value = &'static str> {
    prop::sample::select(vec![
        "a",
        "x",
        "P",
        "A",
        "E",
        "U",
        "3",
        "1.5",
        "\"t\"",
        "(",
        ")",
        "[",
        "]",
        "{",
        "}",
        ";",
        ",",
        ".",
        ":",
        "?",
        "!",
        "=",
        "==",
        ":=",
        "<",
        "<=",
        "<>",
        "[]",
        "A[]",
        "E<>",
        "-->",
        "->",
        "-u->",
        "++",
        "--",
        "-",
        "+",
        "&&",
        "and",
        "or",
        "not",
        "imply",
        "forall",
        "exists",
        "sum",
        "(i : int[0,3])",
        "int",
        "int[0,3]",
        "clock",
        "chan",
        "const",
        "struct",
        "typedef",
        "void",
        "scalar[3]",
        "process",
        "state",
        "location",
        "init",
        "urgent",
        "committed",
        "commit",
        "trans",
        "branchpoint",
        "select",
        "guard",
        "sync",
        "do",
        "assign",
        "event",
        "weight",
        "system",
        "vector",
        "@",
        "query",
        "for",
        "while",
        "if",
        "else",
        "return",
        "assert",
        "break",
        "import",
        "gantt",
        "progress",
        "Pr",
        "simulate",
        "strategy",
        "control:",
        "under",
        "sup:",
        "refinement:",
        "\\",
        "||",
        "#",
        "'",
        "'",
        "\n",
        "// c\n",
        "/* c */",
        "&lt;",
        "≤",
        "$",
    ])
}

/// Returns the texts of all cases in `tests/cases/syntax`.
fn samples() -> Vec<(String, String)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/cases/syntax");
    let mut samples = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let document = std::fs::read_to_string(entry.unwrap().path()).unwrap();
        for block in document.split("\n```").filter_map(|block| block.split_once('\n')) {
            let kind = block.0.trim_end_matches(" lines");
            if KINDS.contains(&kind) {
                samples.push((kind.to_owned(), block.1.to_owned()));
            }
        }
    }
    samples
}

#[test]
fn truncated_samples_are_read_without_panic() {
    let samples = samples();
    assert!(samples.len() >= 30, "only {} samples", samples.len());
    for (kind, text) in samples {
        for (end, _) in text.char_indices() {
            read(&kind, &text[..end]).unwrap();
        }
    }
}

#[test]
fn hostile_texts_are_refused_quickly() {
    const MANY: usize = 1_000_000;
    let cases = [
        ("expression", "(".repeat(MANY)),
        ("expression", "1+".repeat(MANY) + "1"),
        ("expression", "!".repeat(MANY) + "a"),
        ("expression", "- ".repeat(MANY) + "1"),
        ("expression", "a?".repeat(MANY)),
        ("expression", "a?b:".repeat(MANY) + "c"),
        ("expression", "a=".repeat(MANY) + "c"),
        ("expression", "a".to_owned() + &"[0]".repeat(MANY)),
        ("expression", "a".to_owned() + &".b".repeat(MANY)),
        ("expression", "a".to_owned() + &"'".repeat(MANY)),
        ("expression", "a[".repeat(MANY)),
        ("expression", "f(".repeat(MANY)),
        ("expression", "forall(i:int[".repeat(MANY)),
        ("declarations", "struct{".repeat(MANY)),
        ("declarations", "int a={".to_owned() + &"{".repeat(MANY)),
        ("declarations", "void f()".to_owned() + &"{".repeat(MANY)),
        ("declarations", "void f(){".to_owned() + &"if(a)".repeat(MANY)),
        ("declarations", "void f(){".to_owned() + &"while(a)".repeat(MANY)),
        ("query", "A[] ".repeat(MANY) + "p"),
        ("query", "A[] p && ".repeat(MANY) + "E<> p"),
        ("query", "A[] (".repeat(MANY)),
        ("query", "refinement: ".to_owned() + &"(".repeat(MANY)),
        ("query", "refinement: A".to_owned() + &"||A".repeat(MANY)),
        ("query", "strategy S=".repeat(MANY)),
        ("query", "Pr(<>a)>=".repeat(MANY)),
    ];
    for (kind, text) in cases {
        let reading = read(kind, &text).unwrap();
        let found = reading.diagnostics.iter().any(|diagnostic| diagnostic.code == &NESTED_TOO_DEEPLY);
        let start: String = text.chars().take(20).collect();
        assert!(found, "{start}: {:?}", reading.diagnostics.first());
    }
}

#[test]
fn long_flat_texts_give_low_trees() {
    const MANY: usize = 100_000;
    let cases = [
        ("declarations", "void f(){".to_owned() + &"if(a);else ".repeat(MANY) + ";}"),
        ("declarations", "int a;".repeat(MANY)),
        ("declarations", format!("int a[{MANY}]={{{}1}};", "1,".repeat(MANY))),
        ("update", "a=1,".repeat(MANY) + "b=2"),
        ("queries", "A[] p\n".repeat(MANY)),
    ];
    for (kind, text) in cases {
        let reading = read(kind, &text).unwrap();
        assert!(reading.diagnostics.is_empty(), "{:?}", reading.diagnostics.first());
    }
}

#[test]
fn text_with_many_errors_is_abandoned() {
    for text in
        ["int 5;".repeat(100_000), ")".repeat(100_000), "} ".repeat(100_000), "process {".repeat(100_000)]
    {
        let reading = read("net", &text).unwrap();
        let found = reading
            .diagnostics
            .iter()
            .any(|diagnostic| diagnostic.code == &TOO_MANY_ERRORS || diagnostic.code == &NESTED_TOO_DEEPLY);
        assert!(found || reading.diagnostics.len() <= 3, "{:?}", reading.diagnostics.len());
    }
}

#[test]
fn limit_applies_to_tree_height() {
    let height_of = |text: &str| {
        let mut files = Files::new();
        let file = files.add("text", text).unwrap();
        let parsed = parse_expression(&files, file);
        (height(&parsed.tree), parsed.diagnostics.is_empty())
    };
    let terms = |count: usize| "1+".repeat(count - 1) + "1";
    let levels = |count: usize| "(".repeat(count - 1) + "1" + &")".repeat(count - 1);
    assert_eq!(height_of(&terms(900)), (900, true));
    assert_eq!(height_of(&levels(250)), (250, true));
    for text in [terms(5000), levels(5000), "(1+".repeat(600), format!("({})*2", terms(998))] {
        let found = height_of(&text).0;
        assert!(found <= HEIGHT_LIMIT, "{found}: {}", &text[..20]);
    }
    assert!(!height_of(&terms(1100)).1);
    assert!(!height_of(&levels(300)).1);
}
