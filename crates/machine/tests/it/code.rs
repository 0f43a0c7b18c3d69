//! Register code agrees with the reference evaluator of expressions, on updates that use the whole language.

use tempora_machine::{CombinationKind, CombinationVisitor, Enabled, Execution, InstanceId, compile};
use tempora_model::{
    ClockValue, Evaluator, FailureKind, Id, LocationId, Memory, Network, Place, ProcessId, Type, Value,
    VariableId, VariableKind, elaborate_network,
};
use tempora_source::{Colour, Files, Origins, render_text};
use tempora_syntax::parse_network;

const DECLARATIONS: &str = "
    const int K[3] = { 4, 5, 6 };
    typedef int[0,9] digit;
    typedef struct { digit low; bool flag; int[-5,5] grid[2][2]; } cell;
    int[-100,100] n = 3, m;
    int a[int[2,4]] = { 7, 8, 9 };
    cell c, d;
    bool b;
    clock x, y, z[3];

    int total(int values[int[2,4]]) { int all = 0; for (i : int[2,4]) all += values[i]; return all; }
    void raise(int &value) { value += 90; }
    void fill(digit &part, int amount) { part = amount; }
    void swap(int &left, int &right) { int old = left; left = right; right = old; }
    int power(int base, int times) { int result = 1; while (times > 0) { result *= base; times--; } return result; }
    int[0,3] narrow(int value) { return value; }
    cell made(int value) { cell fresh; fresh.low = value; fresh.grid[1][0] = -value; return fresh; }
    void rest(clock &one, int value) { one = value; }
    int guarded(int value) { assert(value < 5); return value; }
    int twice(int value) { return value + value; }
    int nested(int value) { return twice(twice(value)) + total(a); }
";

/// Updates, one network each.
const UPDATES: &[&str] = &[
    "n = n * 2 + 1, m = n - 4",
    "n += 5, n -= 2, n *= 3, n /= 2, n %= 7",
    "n++, ++n, m = n--, m = m + --n",
    "m = n << 3, n = -n >> 1, m = m & 12 | 3 ^ 5",
    "n = n <? 2, m = n >? 50, b = !b, b = n == 2 imply m > 3",
    "n = 101",
    "n = n / m",
    "n = n % m",
    "n = 1 << -m - 1",
    "n = 2 ** 5, m = 2 ** -1",
    "n = K[n - 3] + K[2]",
    "n = K[n]",
    "a[3] = a[2] + a[4], a[n] = 1, a[n + 1]++",
    "a[5] = 1",
    "a[n + 2] = 1",
    "c.low = 4, c.flag = 7, c.grid[1][n - 3] = -5, c.grid[n - 3][1] = c.low",
    "c.low = 12",
    "d = c, c.low = 3, b = c == d, d = c, n = c == d ? 10 : 20",
    "d = made(7), n = made(3).grid[1][0], m = made(2).low",
    "d = made(11)",
    "n = total(a), m = nested(1)",
    "swap(n, m), swap(a[2], a[4])",
    "raise(n), raise(m)",
    "raise(m), raise(m)",
    "fill(c.low, 9), fill(d.low, 10)",
    "n = power(2, 6)",
    "n = power(2, 40)",
    "n = narrow(2), m = narrow(n + 2)",
    "n = guarded(4), m = guarded(n + 1)",
    "n = sum (i : int[0,2]) K[i] * i, b = forall (i : int[0,2]) K[i] > 4, b = exists (i : int[2,4]) a[i] == 8",
    "n = b || n == 3 ? (m = 8) : 0",
    "b = m != 0 && n / m > 1, b = m == 0 || n / m > 1",
    "(b ? n : m) = 9",
    "x = 0, y = n + 4, z[n - 2] = 7, z[1] = x, y = z[m]",
    "x = -n",
    "x = y + 3, z[0] = 1 + (x + 2), z[n - 2] = z[1] + 4",
    "rest(x, 4), rest(z[2], n), rest(z[n], 1)",
    "n = abs(m - n), m = -(n - 7)",
    "n = 2147483647",
    "n = (2147483647 + n) - 2147483647",
    "n = n == 3, m = b + b + 1",
];

/// The values of variables, and the values assigned to clocks.
struct Values<'network> {
    network: &'network Network,
    values: Vec<Value>,
    clocks: Vec<String>,
}

impl Values<'_> {
    fn clock(&self, place: &Place) -> usize {
        let tempora_model::PlaceRoot::Variable(variable) = place.root else { panic!("a local clock") };
        let before = self.network.variables.values().take(variable.index());
        let first: u64 =
            before.filter(|other| other.value_type.has_clocks()).map(|other| other.value_type.cells()).sum();
        first as usize + place.path.first().copied().unwrap_or(0) + 1
    }
}

impl Memory for Values<'_> {
    fn read(&self, variable: VariableId) -> Option<&Value> {
        self.values.get(variable.index())
    }

    fn write(&mut self, variable: VariableId) -> Option<&mut Value> {
        self.values.get_mut(variable.index())
    }

    fn set_clock(&mut self, clock: &Place, value: ClockValue) -> bool {
        let clock = self.clock(clock);
        let text = match value {
            ClockValue::Integer(value) => format!("Reset {{ clock: {clock}, value: {value} }}"),
            ClockValue::Clock(from) => {
                format!("Copy {{ clock: {clock}, from: {}, plus: 0 }}", self.clock(&from))
            }
            ClockValue::Shifted(from, plus) => {
                format!("Copy {{ clock: {clock}, from: {}, plus: {plus} }}", self.clock(&from))
            }
        };
        self.clocks.push(text);
        true
    }

    fn declared_type(&self, variable: VariableId) -> Option<&Type> {
        self.network.variables.get(variable).map(|variable| &variable.value_type)
    }

    fn location(&self, _: ProcessId) -> Option<LocationId> {
        None
    }
}

/// Keeps the first combination.
struct First(Option<Vec<InstanceId>>);

impl CombinationVisitor for First {
    type Stop = ();

    fn together(
        &mut self,
        _: &Enabled,
        _: CombinationKind,
        members: &[InstanceId],
    ) -> std::ops::ControlFlow<()> {
        self.0 = Some(members.to_vec());
        std::ops::ControlFlow::Break(())
    }

    fn broadcast(
        &mut self,
        _: &Enabled,
        _: tempora_machine::ChannelNumber,
        _: InstanceId,
        _: &[InstanceId],
        _: bool,
    ) -> std::ops::ControlFlow<()> {
        std::ops::ControlFlow::Continue(())
    }
}

fn read(update: &str) -> Network {
    let text =
        format!("{DECLARATIONS}\nprocess P {{ init location A; A -> A {{ do {update}; }} }}\nsystem P;");
    let mut files = Files::new();
    let file = files.add("model.net", text.as_str()).unwrap();
    let parsed = parse_network(&files, file);
    let elaborated = elaborate_network(&files, &mut Origins::new(), &parsed.tree);
    let mut diagnostics = parsed.diagnostics;
    diagnostics.extend(elaborated.diagnostics);
    elaborated
        .network
        .unwrap_or_else(|| panic!("{}", render_text(&files, diagnostics.as_slice(), Colour::Never)))
}

/// Runs the update with the evaluator: returns cells and clocks, or the failure.
fn evaluated(network: &Network) -> Result<(Vec<i32>, Vec<String>), String> {
    let values = network.variables.values().map(|variable| variable.initial.clone()).collect();
    let mut memory = Values { network, values, clocks: Vec::new() };
    let edge = network.processes.values().next().unwrap().edges.values().next().unwrap();
    let mut evaluator = Evaluator::new(&network.functions, &mut memory);
    for update in &edge.branches[0].updates {
        if let Err(failure) = evaluator.value(update) {
            return Err(format!("{} at {:?}", name(&failure.kind), failure.origin));
        }
    }
    let mut cells = vec![0];
    for (variable, value) in network.variables.values().zip(&memory.values) {
        if variable.kind == VariableKind::State {
            flatten(value, &mut cells);
        }
    }
    Ok((cells, memory.clocks))
}

fn flatten(value: &Value, cells: &mut Vec<i32>) {
    match value {
        Value::Integer(value) => cells.push(*value),
        Value::Parts(parts) => parts.iter().for_each(|part| flatten(part, cells)),
        Value::Double(_) | Value::None => {}
    }
}

/// Formats a failure kind like the machine's.
fn name(kind: &FailureKind) -> String {
    format!("{kind:?}")
}

/// Runs the update with the machine.
fn executed(network: &Network) -> Result<(Vec<i32>, Vec<String>), String> {
    let machine = compile(network).unwrap();
    let mut execution = Execution::new(machine.layout());
    let mut enabled = Enabled::new(&machine);
    enabled.find(&machine, &mut execution, false, &mut || true).unwrap();
    let cells = execution.cells().to_vec();
    let mut first = First(None);
    let _ = enabled.visit(&machine, &cells, &mut first);
    match execution.apply(&machine, &enabled, &first.0.unwrap(), &[0]) {
        Ok(()) => {
            let clocks = execution.effects.iter().map(|effect| format!("{effect:?}")).collect();
            Ok((execution.cells().to_vec(), clocks))
        }
        Err(failure) => Err(format!("{:?} at {:?}", failure.kind, failure.origin)),
    }
}

#[test]
fn updates_agree_with_evaluator() {
    let mut failures = 0;
    for update in UPDATES {
        let network = read(update);
        let (expected, found) = (evaluated(&network), executed(&network));
        failures += usize::from(expected.is_err());
        assert_eq!(found, expected, "{update}");
    }
    assert!(failures >= 10, "only {failures} updates fail");
}
