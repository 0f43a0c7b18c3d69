//! Inputs that are small or quick to write, and expensive to read, compile, explore, draw or convert.
//!
//! Invariant: each row ends by itself within a timeout of one second and a memory limit of 200 megabytes, or shortly
//! after. The benchmark `hostile` measures the same rows.

/// A command on a generated input, and how it must end.
pub(crate) struct Row {
    /// The name of the input file.
    pub(crate) file: &'static str,
    /// The input.
    pub(crate) text: fn() -> String,
    /// The arguments; `%` stands for the input, `%.x` for a file beside it.
    pub(crate) command: &'static str,
    pub(crate) expected: Expected,
}

/// The end of a command.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Expected {
    /// Status 2, with this text among the errors.
    Refused(&'static str),
    /// A result without a verdict, with this text.
    Unknown(&'static str),
    /// A limit is reached: a message says which.
    Limited,
    /// A limit is reached, and what was found before is shown.
    Partial,
    /// A result, or a limit on a slow machine.
    Ended,
}

use Expected::{Ended, Limited, Partial, Refused, Unknown};

const fn row(file: &'static str, text: fn() -> String, command: &'static str, expected: Expected) -> Row {
    Row { file, text, command, expected }
}

/// All rows.
pub(crate) const ROWS: &[Row] = &[
    row(
        "structs.net",
        || network(&format!("{}S29 v;", doubled_structs(30)), TWO),
        "check %",
        Refused("more than 65536 parts"),
    ),
    row(
        "structs.net",
        || network(&format!("{}S29 v;", doubled_structs(30)), TWO),
        "lint %",
        Refused("more than 65536 parts"),
    ),
    row(
        "structs-unused.net",
        || network(&doubled_structs(30), TWO),
        "inspect %",
        Refused("more than 65536 parts"),
    ),
    row(
        "structs-unused.net",
        || network(&doubled_structs(30), TWO),
        "draw % -o %.svg",
        Refused("more than 65536 parts"),
    ),
    row(
        "structs-unused.net",
        || network(&doubled_structs(30), TWO),
        "convert % %.xml",
        Refused("more than 65536 parts"),
    ),
    row(
        "empty-structs.net",
        || network(&doubled_structs(30).replace("int a; int b;", ""), TWO),
        "check %",
        Refused("too large"),
    ),
    row(
        "structs-16.net",
        || network(&format!("{}{}", doubled_structs(14), many(400, |i| format!("S13 v{i};"))), TWO),
        "check %",
        Refused("too large in total"),
    ),
    row("structs-small.net", || network(&format!("{}S13 v;", doubled_structs(14)), TWO), "lint %", Ended),
    row(
        "array.net",
        || network("int a[4000000];", TWO),
        "check %",
        Refused("an array of 4000000 values is too large"),
    ),
    row(
        "array-of-arrays.net",
        || network("int a[100000][100000][100000];", TWO),
        "inspect %",
        Refused("is too large"),
    ),
    row(
        "arrays.net",
        || network(&many(10, |i| format!("int a{i}[1000000];")), TWO),
        "lint %",
        Refused("too large in total"),
    ),
    row(
        "array-of-scalars.net",
        || network("typedef scalar[2000000000] S; int a[S];", TWO),
        "check %",
        Refused("is too large"),
    ),
    row(
        "local-array.net",
        || network("int f() { int a[2000000000]; return a[0]; } int x;", "A -> A { do x = f(); }"),
        "check %",
        Refused("is too large"),
    ),
    row(
        "array-written.net",
        || network("int[0,1] a[1500000];", "A -> A { select i : int[0,1499999]; do a[i] = 1; }"),
        "check %",
        Limited,
    ),
    row(
        "array-written.net",
        || network("int[0,1] a[1500000];", "A -> A { select i : int[0,1499999]; do a[i] = 1; }"),
        "lint %",
        Limited,
    ),
    row(
        "clocks.net",
        || network("clock x[20000];", "A -> A { guard x[3] > 1; do x[2] = 0; }"),
        "check %",
        Ended,
    ),
    row(
        "clocks-few.net",
        || network("clock x[5000];", "A -> A { guard x[3] > 1; do x[2] = 0; }"),
        "check %",
        Ended,
    ),
    row("select-channels.net", select_channels, "check %", Ended),
    row("select-channels.net", select_channels, "lint %", Ended),
    row(
        "selects.net",
        || {
            network(
                "int x;",
                "A -> A { select i : int[0,999], j : int[0,999], k : int[0,999]; do x = (i + j + k) % 2; }",
            )
        },
        "check %",
        Limited,
    ),
    row(
        "selects.net",
        || {
            network(
                "int x;",
                "A -> A { select i : int[0,999], j : int[0,999], k : int[0,999]; do x = (i + j + k) % 2; }",
            )
        },
        "lint %",
        Limited,
    ),
    row(
        "selects-guarded.net",
        || {
            network(
                "int x;",
                "A -> A { select i : int[0,999], j : int[0,999], k : int[0,999], l : int[0,999]; guard i + j + k + l == 5000; do x = 1 - x; }",
            )
        },
        "check %",
        Limited,
    ),
    row("broadcast.net", broadcast, "check %", Limited),
    row("broadcast.net", broadcast, "lint %", Limited),
    row("locations.net", || locations(300_000), "check %", Limited),
    row("locations.net", || locations(300_000), "lint %", Limited),
    row("locations.net", || locations(300_000), "inspect %", Limited),
    row("locations.net", || locations(300_000), "draw % -o %.svg", Limited),
    row("locations.net", || locations(300_000), "convert % %.xml", Limited),
    row("locations-few.net", || locations(30_000), "lint %", Ended),
    row("locations-few.net", || locations(30_000), "draw % -o %.svg", Ended),
    row("locations-few.net", || locations(30_000), "convert % %.xml", Ended),
    row("edges.net", || network("", &"A -> A;\n".repeat(200_000)), "check %", Limited),
    row("else-if.net", || else_if(5000), "convert % %.net", Ended),
    row(
        "else-if-long.net",
        || else_if(20_000),
        "convert % %.net",
        Refused("a chain of 20000 conditions is too long"),
    ),
    row(
        "endless.net",
        || {
            network(
                "int f() { int i = 0; while (true) { i = (i + 1) % 7; } return i; } int x;",
                "A -> A { do x = f(); }",
            )
        },
        "check %",
        Ended,
    ),
    row("constants.net", constants, "inspect %", Limited),
    row("constants.net", constants, "convert % %.xml", Limited),
    row(
        "calls.net",
        || network(&format!("{}int x;", doubling_functions(40)), "A -> A { do x = f39(x); }"),
        "check %",
        Ended,
    ),
    row(
        "calls-constant.net",
        || network(&format!("{}const int c = f39(1); int a[c];", doubling_functions(40)), TWO),
        "check %",
        Refused("more than 4000000 steps"),
    ),
    row(
        "processes.net",
        || {
            "process P(const int[0,9999] id) { init location A; location B; A -> B; }\nsystem P;\nquery A[] true;".to_owned()
        },
        "check %",
        Limited,
    ),
    row(
        "processes-more.net",
        || {
            "process P(const int[0,99] i, const int[0,999] j) { init location A; }\nsystem P;\nquery A[] true;".to_owned()
        },
        "lint %",
        Refused("more than 10000 processes"),
    ),
    row("processes-bmc.net", processes, "check % --engine bmc", Ended),
    row(
        "quantifiers.net",
        || {
            network(
                "int a[10000];",
                "A -> B { guard forall (i : int[0,9999]) forall (j : int[0,9999]) forall (k : int[0,9999]) a[i] + a[j] + a[k] == 0; }",
            )
        },
        "check %",
        Ended,
    ),
    row("variables.net", || network(&many(100_000, |i| format!("int v{i};")), TWO), "check %", Ended),
    row("variables.net", || network(&many(100_000, |i| format!("int v{i};")), TWO), "lint %", Ended),
    row(
        "counter.net",
        || network("int[0,2000000000] x;", "A -> A { do x = x + 1; } A -> B { guard x == 1999999999; }"),
        "check %",
        Limited,
    ),
    row("counters.net", || network("int[0,9] x[12];", COUNT_UP), "check %", Limited),
    row("counters.net", || network("int[0,9] x[12];", COUNT_UP), "check % --engine simple", Limited),
    row("counters.net", || network("int[0,9] x[12];", COUNT_UP), "check % -q P.A-->P.B", Ended),
    row(
        "slow-clock.net",
        || {
            network(
                "clock x; clock y; int[0,9] z[9];",
                "A -> A { select i : int[0,8]; guard x > 3; do x = 0, z[i] = (z[i] + 1) % 10; } A -> B { guard y > 1000000; }",
            )
        },
        "check % -q sup:y",
        Limited,
    ),
    row(
        "slow-clock.net",
        || {
            network(
                "clock x; clock y; int[0,9] z[9];",
                "A -> A { select i : int[0,8]; guard x > 3; do x = 0, z[i] = (z[i] + 1) % 10; } A -> B { guard y > 1000000; }",
            )
        },
        "lint %",
        Partial,
    ),
    row(
        "parentheses.net",
        || {
            network(
                "int x;",
                &format!("A -> B {{ guard {}x{} > 0; }}", "(".repeat(100_000), ")".repeat(100_000)),
            )
        },
        "inspect %",
        Refused("nested too deeply"),
    ),
    row("braces.net", || "{".repeat(500_000), "check %", Refused("expected a declaration")),
    row("comments.net", || "/*".repeat(500_000), "draw % -o %.svg", Refused("comment")),
    row(
        "sum.net",
        || network("int x;", &format!("A -> B {{ guard {}x > 0; }}", "x + ".repeat(200_000))),
        "lint %",
        Refused("nested too deeply"),
    ),
    row(
        "queries.net",
        || {
            format!(
                "{}{}",
                network("int[0,9] x[9];", "A -> A { select i : int[0,8]; do x[i] = (x[i] + 1) % 10; }"),
                many(500, |i| format!("query E<> x[0] == {};", i + 10))
            )
        },
        "check %",
        Limited,
    ),
    row("errors.net", || "int x\n".repeat(100_000), "lint %", Refused("`;` is missing")),
    row("names.net", || network(&many(20_000, |i| format!("int x{i} = y{i};")), TWO), "inspect %", Ended),
    row("graph.net", graph, "draw % -o %.svg", Ended),
    row(
        "squares.sym",
        || symbolic("Int", "2", "(* x x)"),
        "check % --engine explicit",
        Unknown("too many digits"),
    ),
    row("sums.sym", || symbolic("Int", "2", "(+ x x)"), "check % --engine explicit", Ended),
    row(
        "real-squares.sym",
        || symbolic("Real", "2.5", "(* x x)"),
        "check % --engine explicit",
        Unknown("too many digits"),
    ),
    row("digits.sym", || symbolic("Int", &"9".repeat(2_000_000), "(* x x)"), "check %", Refused("digits")),
    row(
        "fraction.sym",
        || symbolic("Real", &format!("0.{}", "9".repeat(1_000_000)), "(* x x)"),
        "inspect %",
        Refused("digits"),
    ),
    row(
        "nested.sym",
        || {
            format!(
                "(var x Int)\n(location L)\n(initial L {}true{})",
                "(not ".repeat(100_000),
                ")".repeat(100_000)
            )
        },
        "check %",
        Refused("nested more than"),
    ),
    row(
        "variables.sym",
        || format!("{}{}", many(100_000, |i| format!("(var v{i} Int)")), symbolic("Int", "2", "x")),
        "check % --engine explicit",
        Ended,
    ),
    row(
        "edges.sym",
        || {
            format!(
                "{}{}",
                symbolic("Int", "2", "x"),
                many(50_000, |i| format!("(edge L L step (set x (+ x {i})))"))
            )
        },
        "check % --engine explicit",
        Ended,
    ),
    row("latches.aag", || latches(100_000), "check %", Limited),
    row("latches.aag", || latches(100_000), "inspect %", Limited),
    row("latches-few.aag", || latches(20_000), "check % --engine explicit", Ended),
    row("gates.aag", || gates(60_000), "check % --engine explicit", Ended),
    row(
        "header.aag",
        || "aag 4000000000 4000000000 0 1 0\n".to_owned(),
        "check %",
        Refused("an input is missing"),
    ),
    row(
        "open-elements.xml",
        || format!("<nta>{}", "<template>".repeat(200_000)),
        "check %",
        Refused("never closed"),
    ),
    row("one-line.xml", one_line_document, "lint %", Ended),
    row("one-line.xml", one_line_document, "convert % %.xta", Ended),
    row("locations.tck", tchecker_locations, "inspect %", Limited),
    row(
        "array.tck",
        || "system:s\nevent:e\nint:2000000000:0:1:0:x\nprocess:P\nlocation:P:l0{initial:}\n".to_owned(),
        "inspect %",
        Refused("is too large"),
    ),
    row("vector.tck", tchecker_vector, "lint %", Limited),
    row("spaces.net", || " ".repeat(150_000_000), "check %", Limited),
    row(
        "choices.xsts",
        || {
            format!(
                "var x : integer = 0\ntrans {{ {} }}\ninit {{}}\nenv {{}}\nprop {{ x != 0 - 1 }}\n",
                "choice { x := x + 1; } or { x := x + 2; } ".repeat(40)
            )
        },
        "check % --engine explicit",
        Ended,
    ),
];

const TWO: &str = "A -> B;";
const COUNT_UP: &str =
    "A -> A { select i : int[0,11]; guard x[i] < 9; do x[i] = x[i] + 1; } A -> B { guard x[7] == 10; }";

/// Returns the lines for the numbers up to a count.
fn many(count: usize, line: impl Fn(usize) -> String) -> String {
    (0..count).map(|number| line(number) + "\n").collect()
}

/// Returns a network of one process with two locations.
fn network(declarations: &str, edges: &str) -> String {
    format!(
        "{declarations}\nprocess P {{ init location A; location B; {edges} }}\nsystem P;\nquery A[] not P.B;\n"
    )
}

/// Returns record types, each with two fields of the type before.
fn doubled_structs(count: usize) -> String {
    many(count, |number| match number {
        0 => "typedef struct { int a; int b; } S0;".to_owned(),
        _ => format!("typedef struct {{ S{0} a; S{0} b; }} S{number};", number - 1),
    })
}

/// Returns functions, each with two calls of the function before.
fn doubling_functions(count: usize) -> String {
    many(count, |number| match number {
        0 => "int f0(int a) { return a; }".to_owned(),
        _ => format!("int f{number}(int a) {{ return f{0}(a) - f{0}(a); }}", number - 1),
    })
}

fn select_channels() -> String {
    let process = |name: &str, sign: &str| {
        format!(
            "process {name} {{ init location A; location B; A -> B {{ select i : int[0,99999]; sync c[i]{sign}; }} }}\n"
        )
    };
    format!("chan c[100000];\n{}{}system P, Q;\nquery A[] not P.B;\n", process("P", "!"), process("Q", "?"))
}

fn broadcast() -> String {
    let receivers = many(40, |i| {
        format!(
            "process Q{i} {{ init location A; location B; A -> A {{ sync c?; }} A -> B {{ sync c?; }} B -> A {{ sync c?; }} }}"
        )
    });
    let names: Vec<String> = (0..40).map(|number| format!("Q{number}")).collect();
    format!(
        "broadcast chan c;\nprocess P {{ init location A; location B; A -> A {{ sync c!; }} }}\n{receivers}system P, {};\nquery A[] not P.B;\n",
        names.join(", ")
    )
}

fn locations(count: usize) -> String {
    format!(
        "process P {{\ninit location L0;\n{}{}}}\nsystem P;\nquery A[] not P.L5;\n",
        many(count - 1, |number| format!("location L{};", number + 1)),
        many(count - 1, |number| format!("L{number} -> L{};", number + 1)),
    )
}

fn else_if(count: usize) -> String {
    let chain: Vec<String> = (0..count).map(|number| format!("if (a == {number}) r = {number};")).collect();
    let function = format!("int f(int a) {{ int r = 0; {} return r; }} int x;", chain.join(" else "));
    network(&function, "A -> A { do x = f(x); }")
}

fn constants() -> String {
    let sum = "int f() { int i; int s = 0; for (i = 0; i < 300000; i++) { s = (s + i) % 7; } return s; }\n";
    network(&format!("{sum}{}", many(300, |number| format!("const int c{number} = f();"))), TWO)
}

fn processes() -> String {
    let names: Vec<String> = (0..3000).map(|number| format!("P{number}")).collect();
    let processes =
        many(3000, |number| format!("process P{number} {{ init location A; location B; A -> B; B -> A; }}"));
    format!("{processes}system {};\nquery A[] true;\n", names.join(", "))
}

/// Returns a process whose edges cross each other.
fn graph() -> String {
    let edges: String = (0..1500)
        .flat_map(|from| (1..6).map(move |step| format!("L{from} -> L{};\n", (from * step + step) % 1500)))
        .collect();
    format!(
        "process P {{ init location L0;\n{}{edges}}}\nsystem P;\n",
        many(1499, |number| format!("location L{};", number + 1))
    )
}

fn symbolic(sort: &str, start: &str, next: &str) -> String {
    let never = if sort == "Real" { "3.0" } else { "3" };
    format!(
        "(var x {sort})\n(location L)\n(initial L (= x {start}))\n(edge L L step (set x {next}))\n(property \"p\" (at L) (not (= x {never})))\n"
    )
}

fn latches(count: usize) -> String {
    let lines = many(count, |number| format!("{} {}", 2 * (number + 1), 2 * ((number + 1) % count + 1)));
    format!("aag {count} 0 {count} 0 0 1\n{lines}2\n")
}

fn gates(count: usize) -> String {
    let lines =
        many(count, |number| format!("{} {} {}", 2 * (number + 2), 2 * (number + 1), 2 * (number + 1)));
    format!("aag {} 1 0 1 {count}\n2\n{}\n{lines}", count + 1, 2 * (count + 1))
}

/// Returns a document of 20,000 locations on one line.
fn one_line_document() -> String {
    let locations: String = (0..20_000)
        .map(|number| format!("<location id=\"id{number}\"><name>L{number}</name></location>"))
        .collect();
    let edges: String = (0..20_000)
        .map(|number| {
            let target = (number * 7 + 1) % 20_000;
            format!("<transition><source ref=\"id{number}\"/><target ref=\"id{target}\"/></transition>")
        })
        .collect();
    format!(
        "<nta><template><name>P</name>{locations}<init ref=\"id0\"/>{edges}</template><system>system P;</system></nta>"
    )
}

fn tchecker_locations() -> String {
    format!(
        "system:s\nevent:e\nprocess:P\nlocation:P:l0{{initial:}}\n{}{}",
        many(99_999, |number| format!("location:P:l{}", number + 1)),
        many(99_999, |number| format!("edge:P:l{number}:l{}:e", number + 1)),
    )
}

/// Returns a vector of eight processes with sixty edges each.
fn tchecker_vector() -> String {
    let processes = many(8, |number| {
        format!(
            "process:P{number}\nlocation:P{number}:l0{{initial:}}\n{}",
            format!("edge:P{number}:l0:l0:e\n").repeat(60)
        )
    });
    let participants: Vec<String> = (0..8).map(|number| format!("P{number}@e")).collect();
    format!("system:s\nevent:e\n{processes}sync:{}\n", participants.join(":"))
}
