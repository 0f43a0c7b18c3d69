//! Collects the names of a circuit: its inputs and latches, and the outputs in its symbol table.
//!
//! Invariant: the literal on its line defines an input or latch; its uses are the literals of other lines and its name
//! in the symbol table. A malformed line has no names.

use std::collections::BTreeMap;

use tempora_source::{FileId, Files, Span, Symbol, SymbolId, SymbolKind, SymbolRole, Symbols};

/// Collects the names of a circuit, as far as its lines can be read.
pub(super) fn collect(files: &Files, file: FileId) -> Symbols {
    let mut lines = lines_of(files.text(file), file);
    let counts: Vec<usize> = match lines.next() {
        Some(header) => header.iter().skip(1).map(|(word, _)| word.parse().unwrap_or(0)).collect(),
        None => Vec::new(),
    };
    let count = |position: usize| counts.get(position).copied().unwrap_or(0);
    let (inputs, latches) = (count(1), count(2));
    let gates_end =
        [inputs, latches, count(3), count(5), count(4)].into_iter().fold(0, usize::saturating_add);
    let (circuit, table): (Vec<Line<'_>>, Vec<Line<'_>>) = {
        let rest: Vec<Line<'_>> = lines.collect();
        let (circuit, table) = rest.split_at(gates_end.min(rest.len()));
        (circuit.to_vec(), table.to_vec())
    };
    // After a line `c` there are comments.
    let table: Vec<Line<'_>> =
        table.into_iter().take_while(|line| !matches!(line.first(), Some(("c", _)))).collect();
    let names = names_of(&table);
    let mut symbols = Symbols::new();
    let mut known: BTreeMap<u32, SymbolId> = BTreeMap::new();
    for (number, line) in circuit.iter().take(inputs.saturating_add(latches)).enumerate() {
        let Some(&(word, span)) = line.first() else { continue };
        let Ok(literal) = word.parse::<u32>() else { continue };
        let (letter, kind, position) =
            if number < inputs { ('i', "input", number) } else { ('l', "latch", number - inputs) };
        let named = names.get(&(letter, position));
        let name = named.map_or_else(|| format!("{kind}{}", literal / 2), |(name, _)| (*name).to_owned());
        let mut symbol = Symbol::new(name, SymbolKind::Variable, span);
        symbol.value_type = Some(kind.to_owned());
        let id = symbols.define(symbol);
        known.entry(literal / 2).or_insert(id);
        if let Some((_, place)) = named {
            symbols.add_use(id, *place, SymbolRole::Reference);
        }
    }
    for (number, line) in circuit.iter().enumerate() {
        // The first literal of an input or latch defines it; the third of a latch is its initial value.
        let is_latch = (inputs..inputs.saturating_add(latches)).contains(&number);
        let read = if number < inputs {
            1..1
        } else if is_latch {
            1..2
        } else {
            0..3
        };
        for &(word, span) in line.iter().take(read.end).skip(read.start) {
            if let Some(&id) = word.parse::<u32>().ok().and_then(|literal| known.get(&(literal / 2))) {
                symbols.add_use(id, span, SymbolRole::Read);
            }
        }
    }
    for ((letter, _), (name, place)) in &names {
        if let 'o' | 'b' = letter {
            let mut symbol = Symbol::new(*name, SymbolKind::Variable, *place);
            symbol.value_type = Some(if *letter == 'o' { "output" } else { "bad signal" }.to_owned());
            symbols.define(symbol);
        }
    }
    symbols
}

/// The words of a line, with their places.
type Line<'text> = Vec<(&'text str, Span)>;

fn lines_of(text: &str, file: FileId) -> impl Iterator<Item = Line<'_>> {
    let offset =
        move |part: &str| u32::try_from(part.as_ptr().addr() - text.as_ptr().addr()).unwrap_or(u32::MAX);
    text.lines().map(move |line| {
        let words = line.split_whitespace();
        words
            .map(|word| {
                let start = offset(word);
                (
                    word,
                    Span::new(
                        file,
                        start,
                        start.saturating_add(u32::try_from(word.len()).unwrap_or(u32::MAX)),
                    ),
                )
            })
            .collect()
    })
}

/// Returns the names of the symbol table, such as `i0 request`, by kind and position.
fn names_of<'text>(table: &[Line<'text>]) -> BTreeMap<(char, usize), (&'text str, Span)> {
    let mut names = BTreeMap::new();
    for line in table {
        let [(key, _), named, ..] = line.as_slice() else { continue };
        let mut characters = key.chars();
        let (Some(letter), Ok(position)) = (characters.next(), characters.as_str().parse()) else { continue };
        names.entry((letter, position)).or_insert(*named);
    }
    names
}
