//! Codes about what a model means: names, types, values, processes.
//!
//! Invariant: as for all families, each is a line in [`super::ALL`].

use tempora_source::declare_code;

declare_code! {
    /// ## Meaning
    ///
    /// A clock, or the difference of two clocks, can be compared with a number. Sums, products and multiples of
    /// clocks cannot; sums, products and differences of them are read, and not answered.
    ///
    /// ## Why it matters
    ///
    /// With them the verification of timed automata is undecidable.
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
    /// Use a further clock that is reset at the right moment, or compare `x - y`.
    pub static CLOCK_ARITHMETIC = "clock-arithmetic": "a calculation with clocks that zones cannot express";
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
    pub static CLOCK_CONDITION = "clock-condition": "a condition on clocks that cannot stand here";
}

declare_code! {
    /// ## Meaning
    ///
    /// A constant expression divides by zero, leaves the range of integers or of its variable, or takes too long.
    ///
    /// ## Why it matters
    ///
    /// There is no value to start with.
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
    pub static CONSTANT_ERROR = "constant-error": "the evaluation of a constant fails";
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
    /// Rename one of them. In an inner scope, such as a process or a function, a name may be declared again: it
    /// hides the outer one.
    pub static DUPLICATE_NAME = "duplicate-name": "a name that is declared twice in one place";
}

declare_code! {
    /// ## Meaning
    ///
    /// The lower bound of a range is above the upper one, or a size is not positive.
    ///
    /// ## Why it matters
    ///
    /// A variable of such a type could have no value.
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
    /// The construct is known, but not at this place, such as a system line inside a process.
    ///
    /// ## Why it matters
    ///
    /// It would be ignored silently.
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
    /// Move it to where the message says.
    pub static MISPLACED = "misplaced": "something that cannot stand here";
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
    /// Write `return` at the end, or in the other branch.
    pub static MISSING_RETURN = "missing-return": "a function that may end without a result";
}

declare_code! {
    /// ## Meaning
    ///
    /// A constant, a variable or an argument has a value that its own type excludes.
    ///
    /// ## Why it matters
    ///
    /// Every assignment of such a value in a run would be an error, so it is probably a slip.
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
    /// Make the range larger, or choose another value.
    pub static OUTSIDE_OF_RANGE = "outside-of-range": "a value that its own type excludes";
}

declare_code! {
    /// ## Meaning
    ///
    /// A list has fewer or more values than its variable, or a variable without a first value cannot start as zero.
    ///
    /// ## Why it matters
    ///
    /// The rest starts as zero, or at the lower end of the range, which is easily overlooked.
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
    pub static MISSING_VALUES = "missing-values": "a variable that does not start as it looks";
}

declare_code! {
    /// ## Meaning
    ///
    /// Path formulas such as `A[]` and `E<>` can be combined by `&&`, `||` and `!`, but only a few nestings can be
    /// checked.
    ///
    /// ## Why it matters
    ///
    /// A nesting that is not understood must not be answered.
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
    /// `A[] (p imply E<> q)` and `A[] (p imply A<> q)`, which is `p --> q`, are allowed. Otherwise ask two
    /// questions, or add a variable to the model.
    pub static NESTED_FORMULA = "nested-formula": "a formula about runs inside another one";
}

declare_code! {
    /// ## Meaning
    ///
    /// Only variables, elements of arrays and fields of records can be assigned to, and only if they are not
    /// constant.
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
    pub static NOT_ASSIGNABLE = "not-assignable": "an assignment to something that cannot change";
}

declare_code! {
    /// ## Meaning
    ///
    /// Types are named by `typedef`. This name belongs to a variable, a function or a process.
    ///
    /// ## Why it matters
    ///
    /// The declaration cannot be understood.
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
    pub static NOT_A_TYPE = "not-a-type": "a name of something else stands where a type is needed";
}

declare_code! {
    /// ## Meaning
    ///
    /// Sizes, ranges, first values and arguments of processes are computed when the model is read, so they can only
    /// use numbers, constants, parameters and functions of them.
    ///
    /// ## Why it matters
    ///
    /// The state space would have no fixed shape.
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
    pub static NOT_CONSTANT = "not-constant": "a constant is needed here";
}

declare_code! {
    /// ## Meaning
    ///
    /// A clock is compared with a variable that is declared as `int` without a range, which is from -32768 to 32767.
    ///
    /// ## Why it matters
    ///
    /// As far as anybody can tell before the model runs, the values of the clock make a difference up to 32767, so far more
    /// states may have to be kept apart than the model really has.
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
    pub static DEFAULT_RANGE = "default-range": "a clock that is compared with an integer without a range";
}

declare_code! {
    /// ## Meaning
    ///
    /// Operators stand beside each other that do not bind as most readers expect: `imply` beside `or` or another `imply`,
    /// `not` before a comparison, or a comparison beside `&`, `|` or `^`.
    ///
    /// ## Why it matters
    ///
    /// The condition means something else than it seems to, and no verdict will show it.
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
    /// Write parentheses around what belongs together.
    pub static SUSPICIOUS_PRECEDENCE = "suspicious-precedence": "operators that bind otherwise than they look";
}

declare_code! {
    /// ## Meaning
    ///
    /// An edge that synchronises on an urgent channel has a condition on clocks.
    ///
    /// ## Why it matters
    ///
    /// No time passes while the synchronisation is possible, so time stops at the moment when the condition becomes true.
    /// UPPAAL warns of such edges, and its older versions refuse them.
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
    /// Put the condition into the invariant and the guard of an edge before this one, if the model is also for UPPAAL.
    pub static URGENT_WITH_CLOCKS = "urgent-with-clocks": "a condition on clocks at an urgent synchronisation";
}

declare_code! {
    /// ## Meaning
    ///
    /// The model is read and its types are checked, but it has a construct to which no engine here gives a meaning, such as
    /// functions of native libraries, dynamic templates, or the value of a clock in arithmetic.
    ///
    /// ## Why it matters
    ///
    /// The model can be looked at, drawn and written. Every verdict about it is unknown, because an answer for the rest of
    /// the model would not be an answer for the model.
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
    /// Write the part without the construct, if you want verdicts.
    pub static NOT_ANSWERED = "not-answered": "a construct that no engine understands";
}

declare_code! {
    /// ## Meaning
    ///
    /// The language has this construct, but no engine here gives it a meaning.
    ///
    /// ## Why it matters
    ///
    /// It is refused rather than ignored, because the answer for the rest would not be the answer for the model.
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
    /// The hint of the message says what to write instead.
    pub static NOT_SUPPORTED = "not-supported": "a construct that is understood but not supported";
}

declare_code! {
    /// ## Meaning
    ///
    /// The expression is evaluated for its effects, but it has none.
    ///
    /// ## Why it matters
    ///
    /// Mostly `==` was written in place of `=`.
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
    /// It is not said where the process starts.
    ///
    /// ## Why it matters
    ///
    /// Without a start there are no runs, and every safety property would hold.
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
    /// There is nothing to check.
    ///
    /// ## Example
    ///
    /// ```net
    /// int n;
    /// ```
    ///
    /// ## How to fix it
    ///
    /// Write a process and name it in the system line.
    pub static NO_PROCESS = "no-process": "a model without a process";
}

declare_code! {
    /// ## Meaning
    ///
    /// `deadlock`, and the locations and variables of processes, can be used in queries only.
    ///
    /// ## Why it matters
    ///
    /// A process that looks into others, or at the whole future, would not be a timed automaton any more.
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
    pub static QUERY_ONLY = "query-only": "something that only queries can ask for";
}

declare_code! {
    /// ## Meaning
    ///
    /// A function calls itself, or a process is instantiated in terms of itself.
    ///
    /// ## Why it matters
    ///
    /// It might never end.
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
    pub static RECURSION = "recursion": "a function or process that is made of itself";
}

declare_code! {
    /// ## Meaning
    ///
    /// Guards, invariants, synchronisations and queries are evaluated whenever the tool likes, so they must not
    /// change variables.
    ///
    /// ## Why it matters
    ///
    /// The result would depend on how often they are evaluated.
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
    /// Compare by `==`; call functions that change variables in updates.
    pub static SIDE_EFFECT = "side-effect": "a condition that changes something";
}

declare_code! {
    /// ## Meaning
    ///
    /// The sizes that are written add up to a model that cannot be held in memory.
    ///
    /// ## Why it matters
    ///
    /// Usually a constant or the range of a parameter is not what was meant, for example `int` in place of
    /// `int[0,3]`.
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
    /// Use smaller sizes.
    pub static TOO_LARGE = "too-large": "more variables or processes than any machine can hold";
}

declare_code! {
    /// ## Meaning
    ///
    /// The expression has a type that cannot stand here, such as a clock where an integer is needed.
    ///
    /// ## Why it matters
    ///
    /// Clocks are real numbers that change by themselves; data only changes by updates. Mixing them up would change
    /// the meaning of the model silently.
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
    /// Use a value of the type that the message names. The value of a clock cannot be stored; compare it in a guard
    /// instead.
    pub static TYPE_MISMATCH = "type-mismatch": "a value of another type is needed";
}

declare_code! {
    /// ## Meaning
    ///
    /// A name is used that no declaration around it, or before it, introduces.
    ///
    /// ## Why it matters
    ///
    /// Nothing can be said about the model before it is clear what the name stands for.
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
    /// Correct the spelling, or declare the name before its first use. Names of a process cannot be seen from other
    /// processes.
    pub static UNKNOWN_NAME = "unknown-name": "a name that is not declared here";
}

declare_code! {
    /// ## Meaning
    ///
    /// The number of arguments differs from the number of parameters, or a list has more values than its variable.
    ///
    /// ## Why it matters
    ///
    /// It is not clear which parameter gets which value.
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
    /// A network that was built by a program, not read from its text form, contradicts itself: an edge leads to a
    /// location that does not exist, a value does not fit its type, and so on.
    ///
    /// ## Why it matters
    ///
    /// No engine could say anything true about it.
    ///
    /// ## Example
    ///
    /// ```text
    /// an edge from location 0 to location 7 in a process with two locations
    /// ```
    ///
    /// ## How to fix it
    ///
    /// This is a defect of a reader of models. Please report it, with the model.
    pub static ILL_FORMED_NETWORK = "ill-formed-network": "a network that contradicts itself";
}
