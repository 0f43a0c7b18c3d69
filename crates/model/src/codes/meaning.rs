//! Codes of semantic errors: names, types, values, processes.

use tempora_source::declare_code;

declare_code! {
    /// ## Meaning
    ///
    /// A clock, or the difference of two clocks, can be compared with a number. Sums, products and multiples of
    /// clocks cannot; some of them are read, but no engine supports them.
    ///
    /// ## Why it matters
    ///
    /// They make the verification of timed automata undecidable.
    ///
    /// ## Example
    ///
    /// ```net
    /// clock x, y;
    /// process P {
    ///     init location A;
    ///     A -> A { guard (x & 1) == 0; }
    /// }
    /// ```
    ///
    /// ## How to fix it
    ///
    /// Add a clock that is reset at the right moment, or compare `x - y`.
    pub static CLOCK_ARITHMETIC = "clock-arithmetic": "clock arithmetic that zones cannot express";
}

declare_code! {
    /// ## Meaning
    ///
    /// Invariants are conjunctions of bounds; guards may also have equalities. Negation, `!=` and `||` between
    /// clocks are for queries only.
    ///
    /// ## Why it matters
    ///
    /// The set of clock values at which an edge may be taken must be convex.
    ///
    /// ## Example
    ///
    /// ```net
    /// clock x, y;
    /// process P {
    ///     init location A;
    ///     A -> A { guard x < 5 || y < 3; }
    /// }
    /// ```
    ///
    /// ## How to fix it
    ///
    /// Write one edge for each alternative.
    pub static CLOCK_CONDITION = "clock-condition": "a clock condition that is not allowed here";
}

declare_code! {
    /// ## Meaning
    ///
    /// A constant expression divides by zero, leaves the range of integers or of its variable, or takes too long.
    ///
    /// ## Why it matters
    ///
    /// The declarations that use the constant have no value.
    ///
    /// ## Example
    ///
    /// ```net
    /// const int N = 0;
    /// const int M = 10 / N;
    /// process P {
    ///     init location A;
    /// }
    /// ```
    ///
    /// ## How to fix it
    ///
    /// Correct the expression, or give the variable a larger range.
    pub static CONSTANT_ERROR = "constant-error": "a constant that cannot be evaluated";
}

declare_code! {
    /// ## Meaning
    ///
    /// Two declarations in the same scope give the same name to different things.
    ///
    /// ## Why it matters
    ///
    /// Each use of the name would be ambiguous.
    ///
    /// ## Example
    ///
    /// ```net
    /// int n;
    /// bool n;
    /// process P {
    ///     init location A;
    /// }
    /// ```
    ///
    /// ## How to fix it
    ///
    /// Rename one of them. An inner scope, such as a process or a function, may declare the name again; it then
    /// hides the outer one.
    pub static DUPLICATE_NAME = "duplicate-name": "a name declared twice in one scope";
}

declare_code! {
    /// ## Meaning
    ///
    /// The lower bound of a range is above the upper one, or a size is not positive.
    ///
    /// ## Why it matters
    ///
    /// No value has such a type.
    ///
    /// ## Example
    ///
    /// ```net
    /// int a[0];
    /// process P {
    ///     init location A;
    /// }
    /// ```
    ///
    /// ## How to fix it
    ///
    /// Write the smaller bound first; sizes are at least 1.
    pub static EMPTY_RANGE = "empty-range": "a range, array or set without elements";
}

declare_code! {
    /// ## Meaning
    ///
    /// The construct exists, but is not allowed here, such as a system line inside a process.
    ///
    /// ## Why it matters
    ///
    /// It would have no effect.
    ///
    /// ## Example
    ///
    /// ```net
    /// chan c;
    /// process P {
    ///     init location A;
    ///     A -> A { sync c!; event e; }
    /// }
    /// ```
    ///
    /// ## How to fix it
    ///
    /// Move it to the place that the message names.
    pub static MISPLACED = "misplaced": "a construct that is not allowed here";
}

declare_code! {
    /// ## Meaning
    ///
    /// A function with a result must end in `return` on every path.
    ///
    /// ## Why it matters
    ///
    /// The value of a call would be undefined.
    ///
    /// ## Example
    ///
    /// ```net
    /// int f(int n) {
    ///     if (n > 0) return 1;
    /// }
    /// process P {
    ///     init location A;
    /// }
    /// ```
    ///
    /// ## How to fix it
    ///
    /// Add a `return` at the end, or in the other branch.
    pub static MISSING_RETURN = "missing-return": "a function that may end without a result";
}

declare_code! {
    /// ## Meaning
    ///
    /// A constant, a variable or an argument has a value outside the range of its own type.
    ///
    /// ## Why it matters
    ///
    /// Assigning such a value during a run would be an error, so it is probably a mistake.
    ///
    /// ## Example
    ///
    /// ```net
    /// const int[0,3] limit = 4;
    /// process P {
    ///     init location A;
    /// }
    /// ```
    ///
    /// ## How to fix it
    ///
    /// Widen the range, or choose another value.
    pub static OUTSIDE_OF_RANGE = "outside-of-range": "a value outside the range of its own type";
}

declare_code! {
    /// ## Meaning
    ///
    /// An initialiser has fewer or more values than its variable, or a variable has no initialiser and its range
    /// excludes zero.
    ///
    /// ## Why it matters
    ///
    /// The missing values start as zero, or at the lower bound of the range, which is easily overlooked.
    ///
    /// ## Example
    ///
    /// ```net
    /// int a[3] = { 1, 2 };
    /// process P {
    ///     init location A;
    /// }
    /// ```
    ///
    /// ## How to fix it
    ///
    /// Write all values.
    pub static MISSING_VALUES = "missing-values": "an initial value that the declaration does not show";
}

declare_code! {
    /// ## Meaning
    ///
    /// Path formulas such as `A[]` and `E<>` can be combined by `&&`, `||` and `!`, but only a few nestings are
    /// supported.
    ///
    /// ## Why it matters
    ///
    /// No engine decides the other nestings.
    ///
    /// ## Example
    ///
    /// ```net
    /// process P {
    ///     init location A;
    /// }
    /// query E<> (P.A && E[] P.A);
    /// ```
    ///
    /// ## How to fix it
    ///
    /// Use `A[] (p imply E<> q)` or `A[] (p imply A<> q)`, which is `p --> q`. Otherwise write two queries, or add a
    /// variable to the model.
    pub static NESTED_FORMULA = "nested-formula": "a path formula inside another one";
}

declare_code! {
    /// ## Meaning
    ///
    /// Only variables, array elements and record fields that are not constant can be assigned to.
    ///
    /// ## Why it matters
    ///
    /// The update would have no meaning.
    ///
    /// ## Example
    ///
    /// ```net
    /// const int N = 3;
    /// process P {
    ///     init location A;
    ///     A -> A { do N = 4; }
    /// }
    /// ```
    ///
    /// ## How to fix it
    ///
    /// Assign to a variable, or remove `const`.
    pub static NOT_ASSIGNABLE = "not-assignable": "an assignment to something that is not a variable";
}

declare_code! {
    /// ## Meaning
    ///
    /// `typedef` gives a type a name. This name belongs to a variable, a function or a process.
    ///
    /// ## Why it matters
    ///
    /// The declaration has no type.
    ///
    /// ## Example
    ///
    /// ```net
    /// int n;
    /// n m;
    /// process P {
    ///     init location A;
    /// }
    /// ```
    ///
    /// ## How to fix it
    ///
    /// Use the name of a type, or write the type out, such as `int[0,5]`.
    pub static NOT_A_TYPE = "not-a-type": "a name that is not a type where a type is needed";
}

declare_code! {
    /// ## Meaning
    ///
    /// Sizes, ranges, initial values and arguments of processes are computed when the model is read, so they can only
    /// use numbers, constants, parameters and functions of them.
    ///
    /// ## Why it matters
    ///
    /// Otherwise the number of variables and processes could change during a run.
    ///
    /// ## Example
    ///
    /// ```net
    /// int n = 3;
    /// int a[n];
    /// process P {
    ///     init location A;
    /// }
    /// ```
    ///
    /// ## How to fix it
    ///
    /// Declare the variable as `const`, or use its largest value.
    pub static NOT_CONSTANT = "not-constant": "an expression that must be constant";
}

declare_code! {
    /// ## Meaning
    ///
    /// A clock is compared with a variable that is declared as `int` without a range, which means -32768 to 32767.
    ///
    /// ## Why it matters
    ///
    /// The extrapolation bound of the clock becomes 32767, so an engine may explore far more states than the model
    /// needs.
    ///
    /// ## Example
    ///
    /// ```net
    /// int limit = 5;
    /// clock x;
    /// process P {
    ///     init location A { invariant x <= limit; }
    /// }
    /// ```
    ///
    /// ## How to fix it
    ///
    /// Declare the variable with the range that it needs, or as a constant.
    pub static DEFAULT_RANGE = "default-range": "a clock compared with an integer without a range";
}

declare_code! {
    /// ## Meaning
    ///
    /// The operators of this expression do not bind as most readers expect: `imply` beside `or` or another `imply`,
    /// `not` before a comparison, or a comparison beside `&`, `|` or `^`.
    ///
    /// ## Why it matters
    ///
    /// The condition may differ from the intended one, and no verdict reveals it.
    ///
    /// ## Example
    ///
    /// ```net
    /// bool a; bool b; bool c;
    /// process P {
    ///     init location A;
    ///     A -> A { guard a imply b imply c; }
    /// }
    /// ```
    ///
    /// ## How to fix it
    ///
    /// Add parentheses.
    pub static SUSPICIOUS_PRECEDENCE = "suspicious-precedence": "operators with unexpected precedence";
}

declare_code! {
    /// ## Meaning
    ///
    /// An edge that synchronises on an urgent channel has a condition on clocks.
    ///
    /// ## Why it matters
    ///
    /// No time passes while the synchronisation is possible, so time stops as soon as the condition becomes true.
    /// UPPAAL warns about such edges, and its older versions refuse them.
    ///
    /// ## Example
    ///
    /// ```net
    /// urgent chan c;
    /// clock x;
    /// process P {
    ///     init location A;
    ///     A -> A { guard x > 3; sync c!; }
    /// }
    /// ```
    ///
    /// ## How to fix it
    ///
    /// If UPPAAL must read the model too, move the condition to an invariant and to the guard of an earlier edge.
    pub static URGENT_WITH_CLOCKS = "urgent-with-clocks": "a clock condition on an urgent synchronisation";
}

declare_code! {
    /// ## Meaning
    ///
    /// The model is read and type-checked, but it has a construct that no engine supports, such as functions of native
    /// libraries, dynamic templates, or the value of a clock in arithmetic.
    ///
    /// ## Why it matters
    ///
    /// The model can be inspected, drawn and written. Every verdict about it is unknown, because a verdict about the
    /// rest need not hold for the whole model.
    ///
    /// ## Example
    ///
    /// ```net
    /// chan c;
    /// process P {
    ///     init location A;
    ///     A -> A { sync c; }
    /// }
    /// ```
    ///
    /// ## How to fix it
    ///
    /// Rewrite the model without the construct to get verdicts.
    pub static NOT_ANSWERED = "not-answered": "a construct that no engine supports";
}

declare_code! {
    /// ## Meaning
    ///
    /// The language has this construct, but Tempora does not support it.
    ///
    /// ## Why it matters
    ///
    /// It is refused rather than ignored, because a verdict about the rest need not hold for the whole model.
    ///
    /// ## Example
    ///
    /// ```net
    /// void f() {
    ///     int i;
    ///     for (i = 0; i < 3, i < 2; i++) { }
    /// }
    /// process P {
    ///     init location A;
    /// }
    /// ```
    ///
    /// ## How to fix it
    ///
    /// Follow the hint of the message.
    pub static NOT_SUPPORTED = "not-supported": "a construct that is not supported";
}

declare_code! {
    /// ## Meaning
    ///
    /// The expression is evaluated for its effects, but it has none.
    ///
    /// ## Why it matters
    ///
    /// Usually `=` was meant instead of `==`.
    ///
    /// ## Example
    ///
    /// ```net
    /// int n;
    /// process P {
    ///     init location A;
    ///     A -> A { do n == 1; }
    /// }
    /// ```
    ///
    /// ## How to fix it
    ///
    /// Write `=` to assign, or remove the update.
    pub static NO_EFFECT = "no-effect": "an update that changes nothing";
}

declare_code! {
    /// ## Meaning
    ///
    /// No location of the process is marked as initial.
    ///
    /// ## Why it matters
    ///
    /// Without an initial location there are no runs, and every safety property would hold.
    ///
    /// ## Example
    ///
    /// ```net
    /// process P {
    ///     location A;
    /// }
    /// ```
    ///
    /// ## How to fix it
    ///
    /// Write `init` before the location in which the process starts.
    pub static NO_INITIAL = "no-initial": "a process without an initial location";
}

declare_code! {
    /// ## Meaning
    ///
    /// The system line is missing or empty, and there is no process without parameters.
    ///
    /// ## Why it matters
    ///
    /// The model has no behaviour to check.
    ///
    /// ## Example
    ///
    /// ```net
    /// int n;
    /// ```
    ///
    /// ## How to fix it
    ///
    /// Declare a process and name it in the system line.
    pub static NO_PROCESS = "no-process": "a model without a process";
}

declare_code! {
    /// ## Meaning
    ///
    /// `deadlock`, and the locations and variables of processes, can be used in queries only.
    ///
    /// ## Why it matters
    ///
    /// A process that reads the state of another process, or asks about the future, is not a timed automaton.
    ///
    /// ## Example
    ///
    /// ```net
    /// process Q {
    ///     init location B;
    /// }
    /// process P {
    ///     init location A;
    ///     A -> A { guard Q.B; }
    /// }
    /// ```
    ///
    /// ## How to fix it
    ///
    /// Use a global variable that the other process sets.
    pub static QUERY_ONLY = "query-only": "a construct that only queries may use";
}

declare_code! {
    /// ## Meaning
    ///
    /// A function calls itself, or a process is instantiated in terms of itself.
    ///
    /// ## Why it matters
    ///
    /// The call or the instantiation might never end.
    ///
    /// ## Example
    ///
    /// ```net
    /// int f(int n) {
    ///     return f(n - 1);
    /// }
    /// process P {
    ///     init location A;
    /// }
    /// ```
    ///
    /// ## How to fix it
    ///
    /// Use a loop.
    pub static RECURSION = "recursion": "a function or process defined in terms of itself";
}

declare_code! {
    /// ## Meaning
    ///
    /// Guards, invariants, synchronisations and queries must not change variables.
    ///
    /// ## Why it matters
    ///
    /// The result would depend on how often the engine evaluates them.
    ///
    /// ## Example
    ///
    /// ```net
    /// int n;
    /// int next() {
    ///     n = n + 1;
    ///     return n;
    /// }
    /// process P {
    ///     init location A;
    ///     A -> A { guard next() > 3; }
    /// }
    /// ```
    ///
    /// ## How to fix it
    ///
    /// Use `==` to compare. Move calls of functions that change variables to updates.
    pub static SIDE_EFFECT = "side-effect": "a condition that changes a variable";
}

declare_code! {
    /// ## Meaning
    ///
    /// The sizes of arrays and of other types make a model that does not fit into memory, or types with very many
    /// parts. `--memory` lowers the limit.
    ///
    /// ## Why it matters
    ///
    /// Usually a constant or the range of a parameter is wrong, for example `int` instead of `int[0,3]`.
    ///
    /// ## Example
    ///
    /// ```net
    /// int a[1000][1000][1000];
    /// process P {
    ///     init location A;
    /// }
    /// ```
    ///
    /// ## How to fix it
    ///
    /// Use smaller sizes, or raise `--memory` if the hint names it.
    pub static TOO_LARGE = "too-large": "a model with too many variables or processes";
}

declare_code! {
    /// ## Meaning
    ///
    /// The expression has the wrong type for its place, such as a clock where an integer is needed.
    ///
    /// ## Why it matters
    ///
    /// Clocks are real numbers that grow as time passes; other variables only change by updates. Converting one into
    /// the other would silently change the meaning of the model.
    ///
    /// ## Example
    ///
    /// ```net
    /// clock x;
    /// int n;
    /// process P {
    ///     init location A;
    ///     A -> A { do n = x; }
    /// }
    /// ```
    ///
    /// ## How to fix it
    ///
    /// Use a value of the type that the message names. The value of a clock cannot be stored; compare the clock in a
    /// guard instead.
    pub static TYPE_MISMATCH = "type-mismatch": "a value of the wrong type";
}

declare_code! {
    /// ## Meaning
    ///
    /// No declaration before this place, in this scope or an outer one, introduces the name.
    ///
    /// ## Why it matters
    ///
    /// A model with an undeclared name has no meaning.
    ///
    /// ## Example
    ///
    /// ```net
    /// int count;
    /// process P {
    ///     init location A;
    ///     A -> A { do cuont = 1; }
    /// }
    /// ```
    ///
    /// ## How to fix it
    ///
    /// Correct the spelling, or declare the name before its first use. Names that a process declares are not visible
    /// in other processes.
    pub static UNKNOWN_NAME = "unknown-name": "a name that is not declared here";
}

declare_code! {
    /// ## Meaning
    ///
    /// The number of arguments differs from the number of parameters, or a list has more values than its variable.
    ///
    /// ## Why it matters
    ///
    /// The values cannot be assigned to the parameters.
    ///
    /// ## Example
    ///
    /// ```net
    /// int f(int a, int b) {
    ///     return a + b;
    /// }
    /// const int N = f(1);
    /// process P {
    ///     init location A;
    /// }
    /// ```
    ///
    /// ## How to fix it
    ///
    /// Give one argument for each parameter.
    pub static WRONG_ARGUMENTS = "wrong-arguments": "too few or too many arguments or values";
}

declare_code! {
    /// ## Meaning
    ///
    /// A network that a program built contradicts itself: an edge leads to a location that does not exist, a value
    /// does not fit its type, and so on.
    ///
    /// ## Why it matters
    ///
    /// Any verdict about it would be meaningless.
    ///
    /// ## Example
    ///
    /// ```text
    /// an edge from location 0 to location 7 in a process with two locations
    /// ```
    ///
    /// ## How to fix it
    ///
    /// This is a bug in a reader of Tempora. Please report it with the model.
    pub static ILL_FORMED_NETWORK = "ill-formed-network": "a network that contradicts itself";
}
