//! Puts several mutants into one source, each behind a switch that is thrown at run time.
//!
//! The body of the function around a mutation is written once as it was and once for every mutant of it:
//! `{ if crate::mutant_switch::is_active(17) { mutated } else { original } }`. With no mutant active, the source
//! keeps its meaning. A mutation that no function body contains, or whose function cannot ask at run time,
//! is refused; such a mutant needs a build of its own.

use std::fmt::Write;
use std::ops::Range;

use syn::visit::{self, Visit};

/// The environment variable that holds the number of the active mutant.
pub(super) const VARIABLE: &str = "TEMPORA_MUTANT";

/// The module that every crate with switched mutants gets, at the end of its root.
pub(super) const MODULE: &str = r#"
/// Asks which mutant is active.
pub(crate) mod mutant_switch {
    static ACTIVE: ::std::sync::OnceLock<u64> = ::std::sync::OnceLock::new();

    /// Returns whether the mutant with this number is active.
    #[inline]
    pub(crate) fn is_active(number: u64) -> bool {
        *ACTIVE.get_or_init(|| {
            let text = ::std::env::var("TEMPORA_MUTANT").unwrap_or_default();
            text.parse().unwrap_or(0)
        }) == number
    }
}
"#;

/// One replacement of text in a source.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Mutation {
    /// The number that activates it; zero stands for no mutant.
    pub(super) number: u64,
    /// The bytes of the source that it replaces.
    pub(super) place: Range<usize>,
    /// The text that it puts there.
    pub(super) replacement: String,
}

/// A source with switched mutants.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Switched {
    /// The source with all bodies.
    pub(super) text: String,
    /// The mutants that are in it, and the bytes of `text` that only they use.
    pub(super) bodies: Vec<(u64, Range<usize>)>,
    /// The other mutants, and why they have no switch.
    pub(super) refused: Vec<(u64, &'static str)>,
}

/// Puts as many of the mutations into `source` as can be switched.
pub(super) fn switch(source: &str, mutations: &[Mutation]) -> Switched {
    let mut switched = Switched::default();
    let Ok(file) = syn::parse_file(source) else {
        switched.text = source.to_owned();
        switched.refused = mutations.iter().map(|mutation| (mutation.number, "unreadable source")).collect();
        return switched;
    };
    // A shebang and a byte order mark are no tokens; where there is one, the positions would be wrong.
    let is_shifted = file.shebang.is_some() || source.starts_with('\u{feff}');
    let mut functions = Functions::default();
    functions.visit_file(&file);
    let mut bodies: Vec<Body<'_>> = Vec::new();
    for mutation in mutations {
        match functions.body_around(source, mutation) {
            _ if is_shifted => switched.refused.push((mutation.number, "unreadable source")),
            Err(reason) => switched.refused.push((mutation.number, reason)),
            Ok(inside) => match bodies.iter_mut().find(|body| body.inside == inside) {
                Some(body) => body.mutations.push(mutation),
                None => bodies.push(Body { inside, mutations: vec![mutation] }),
            },
        }
    }
    // An outer body begins before the bodies in it.
    bodies.sort_by_key(|body| body.inside.start);
    write_switched(source, 0..source.len(), &bodies, &mut switched);
    switched
}

/// A body with mutants, without its braces.
struct Body<'a> {
    inside: Range<usize>,
    mutations: Vec<&'a Mutation>,
}

/// Writes a part of the source with all `bodies` in it switched.
fn write_switched(source: &str, part: Range<usize>, mut bodies: &[Body<'_>], switched: &mut Switched) {
    let mut position = part.start;
    while let [body, rest @ ..] = bodies {
        switched.text.push_str(&source[position..body.inside.start]);
        for mutation in &body.mutations {
            let _ = write!(switched.text, " if crate::mutant_switch::is_active({}) {{", mutation.number);
            let start = switched.text.len();
            switched.text.push_str(&mutated(source, &body.inside, mutation));
            switched.bodies.push((mutation.number, start..switched.text.len()));
            switched.text.push_str("} else");
        }
        switched.text.push_str(" {");
        let nested = rest.iter().take_while(|other| other.inside.start < body.inside.end).count();
        write_switched(source, body.inside.clone(), &rest[..nested], switched);
        switched.text.push_str("} ");
        position = body.inside.end;
        bodies = &rest[nested..];
    }
    switched.text.push_str(&source[position..part.end]);
}

fn mutated(source: &str, inside: &Range<usize>, mutation: &Mutation) -> String {
    let before = &source[inside.start..mutation.place.start];
    [before, &mutation.replacement, &source[mutation.place.end..inside.end]].concat()
}

/// The bodies of all functions of a source, the outer ones first.
#[derive(Default)]
struct Functions {
    found: Vec<Function>,
}

struct Function {
    /// The bytes between the braces.
    inside: Range<usize>,
    /// Why its body cannot be switched.
    obstacle: Option<&'static str>,
}

impl Functions {
    /// Returns the innermost body that contains a mutation and can be switched.
    fn body_around(&self, source: &str, mutation: &Mutation) -> Result<Range<usize>, &'static str> {
        let mut reason = "outside of function bodies";
        for function in self.found.iter().rev() {
            let inside = &function.inside;
            if mutation.place.start < inside.start || inside.end < mutation.place.end {
                continue;
            }
            match function.obstacle {
                Some(obstacle) => reason = obstacle,
                // The braces must match in each body by itself.
                None if is_block(&mutated(source, inside, mutation)) => return Ok(inside.clone()),
                None => reason = "not a body by itself",
            }
        }
        Err(reason)
    }

    fn add(&mut self, signature: &syn::Signature, block: &syn::Block) {
        let mut opaque_types = OpaqueTypes::default();
        opaque_types.visit_return_type(&signature.output);
        let mut implementations = Implementations::default();
        implementations.visit_block(block);
        let obstacle = if signature.constness.is_some() {
            Some("const fn")
        } else if opaque_types.found {
            Some("returns an opaque type")
        } else if implementations.found {
            Some("contains an impl")
        } else {
            None
        };
        let open = block.brace_token.span.open().byte_range();
        let close = block.brace_token.span.close().byte_range();
        self.found.push(Function { inside: open.end..close.start, obstacle });
    }
}

impl<'ast> Visit<'ast> for Functions {
    fn visit_item_fn(&mut self, function: &'ast syn::ItemFn) {
        self.add(&function.sig, &function.block);
        visit::visit_item_fn(self, function);
    }

    fn visit_impl_item_fn(&mut self, function: &'ast syn::ImplItemFn) {
        self.add(&function.sig, &function.block);
        visit::visit_impl_item_fn(self, function);
    }

    fn visit_trait_item_fn(&mut self, function: &'ast syn::TraitItemFn) {
        if let Some(block) = &function.default {
            self.add(&function.sig, block);
        }
        visit::visit_trait_item_fn(self, function);
    }
}

/// Looks for `impl Trait`: the two bodies could return different types.
#[derive(Default)]
struct OpaqueTypes {
    found: bool,
}

impl<'ast> Visit<'ast> for OpaqueTypes {
    fn visit_type_impl_trait(&mut self, _: &'ast syn::TypeImplTrait) {
        self.found = true;
    }
}

/// Looks for `impl` items: an implementation cannot be there twice, wherever it is.
#[derive(Default)]
struct Implementations {
    found: bool,
}

impl<'ast> Visit<'ast> for Implementations {
    fn visit_item_impl(&mut self, _: &'ast syn::ItemImpl) {
        self.found = true;
    }
}

fn is_block(inside: &str) -> bool {
    syn::parse_str::<syn::Block>(&format!("{{{inside}}}")).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Numbers the replacements from one; each text to find must occur once.
    fn switched(source: &str, replacements: &[(&str, &str)]) -> Switched {
        let mutations: Vec<Mutation> = (1..)
            .zip(replacements)
            .map(|(number, (find, replacement))| {
                assert_eq!(source.matches(find).count(), 1, "{find}");
                let start = source.find(find).unwrap();
                Mutation { number, place: start..start + find.len(), replacement: (*replacement).to_owned() }
            })
            .collect();
        let switched = switch(source, &mutations);
        assert!(syn::parse_file(&switched.text).is_ok(), "{}", switched.text);
        switched
    }

    fn refusal(source: &str, find: &str, replacement: &str) -> &'static str {
        let switched = switched(source, &[(find, replacement)]);
        assert_eq!(switched.text, source);
        assert_eq!(switched.bodies, []);
        switched.refused[0].1
    }

    #[test]
    fn body_is_there_once_per_mutant_and_once_unchanged() {
        let switched = switched("fn f(a: u32) -> u32 { a + 1 }\n", &[("+", "-"), ("1", "2")]);
        assert_eq!(
            switched.text,
            "fn f(a: u32) -> u32 { if crate::mutant_switch::is_active(1) { a - 1 } else if \
             crate::mutant_switch::is_active(2) { a + 2 } else { a + 1 } }\n"
        );
        assert_eq!(switched.refused, []);
        let bodies = switched.bodies.iter().map(|(_, bytes)| &switched.text[bytes.clone()]);
        assert_eq!(bodies.collect::<Vec<_>>(), [" a - 1 ", " a + 2 "]);
    }

    #[test]
    fn innermost_function_is_switched() {
        let source = "fn f() -> u8 { fn g() -> u8 { let h = |a| a + 1; h(2) } g() * 3 }";
        let inner = switched(source, &[("1", "4")]);
        assert_eq!(
            inner.text,
            "fn f() -> u8 { fn g() -> u8 { if crate::mutant_switch::is_active(1) { let h = |a| a + 4; h(2) } \
             else { let h = |a| a + 1; h(2) } } g() * 3 }"
        );
        // The outer mutant has the inner function as it was.
        let both = switched(source, &[("1", "4"), ("3", "5")]);
        assert_eq!(both.text.matches("is_active(1)").count(), 1);
        let (_, outer) = both.bodies.iter().find(|(number, _)| *number == 2).unwrap();
        assert_eq!(&both.text[outer.clone()], " fn g() -> u8 { let h = |a| a + 1; h(2) } g() * 5 ");
    }

    #[test]
    fn nested_signature_is_switched_with_the_outer_function() {
        let switched = switched("fn f() { fn g(a: u8) {} g(1) }", &[("a: u8", "a: u16")]);
        assert!(switched.text.starts_with("fn f() { if crate"), "{}", switched.text);
    }

    #[test]
    fn methods_and_default_methods_are_switched() {
        let source = "impl A { fn f(&self) { one(); } } trait B { fn g(&self) { two(); } }";
        let switched = switched(source, &[("one", "three"), ("two", "three")]);
        assert_eq!(switched.bodies.len(), 2);
    }

    #[test]
    fn braces_in_literals_and_comments_do_not_count() {
        let source = "fn f<'a>(b: &'a str) -> bool { /* } é */ b == r#\"}\"# || b == \"{\" // }\n || b.contains('}') }";
        let switched = switched(source, &[("b.contains", "!b.contains")]);
        assert!(switched.text.ends_with("|| b.contains('}') } }"), "{}", switched.text);
        assert_eq!(switched.bodies.len(), 1);
    }

    #[test]
    fn mutations_in_macro_calls_are_switched() {
        assert_eq!(switched("fn f() { assert!(a < b); }", &[("<", ">")]).bodies.len(), 1);
    }

    #[test]
    fn refuses_mutations_outside_of_bodies() {
        let outside = "outside of function bodies";
        assert_eq!(refusal("const A: u32 = 1;", "1", "2"), outside);
        assert_eq!(refusal("macro_rules! m { () => { fn f() { 1 } } }", "1", "2"), outside);
        assert_eq!(refusal("fn f(a: u8) { g(a) }", "u8", "u16"), outside);
        assert_eq!(refusal("fn f(a: u8) { g(a) }", "u8) { g", "u16) { h"), outside);
        assert_eq!(refusal("fn f() { 1; } fn g() { 2; }", "1; } fn g() { 2", "3; } fn g() { 4"), outside);
        assert_eq!(refusal("#[derive(Debug)] enum A { B = 1 }", "1", "2"), outside);
    }

    #[test]
    fn refuses_functions_that_cannot_have_two_bodies() {
        assert_eq!(refusal("const fn f() -> u32 { 1 }", "1", "2"), "const fn");
        let opaque = "fn f() -> Option<impl Fn() -> u32> { Some(|| 1) }";
        assert_eq!(refusal(opaque, "1", "2"), "returns an opaque type");
        assert_eq!(refusal("fn f() { struct A; impl A {} g(1); }", "1", "2"), "contains an impl");
    }

    #[test]
    fn refuses_replacements_that_are_no_body_by_themselves() {
        let reason = "not a body by itself";
        assert_eq!(refusal("fn f() { g(1) }", "g(1)", "} fn h() { g(2)"), reason);
        assert_eq!(refusal("fn f() { g(1) }", "g(1)", "g(1"), reason);
        assert_eq!(refusal("fn f() { #![expect(dead_code)] g(1) }", "1", "2"), reason);
    }

    #[test]
    fn refuses_sources_that_cannot_be_read() {
        let mutation = Mutation { number: 1, place: 0..2, replacement: String::new() };
        assert_eq!(switch("fn f( {", &[mutation]).refused, [(1, "unreadable source")]);
    }

    #[test]
    fn module_reads_the_variable() {
        assert!(MODULE.contains(&format!("\"{VARIABLE}\"")));
        assert!(syn::parse_file(MODULE).is_ok());
    }
}
