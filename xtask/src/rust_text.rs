//! Rust sources reduced to their code, for rules that look for words.
//!
//! The result has the same lines as the source, so that positions stay true. It is a lexer of comments and literals
//! only; a source that the compiler rejects gives some text, never a panic.

/// Returns the source with comments and the insides of string and character literals replaced by spaces.
pub fn code_only(source: &str) -> String {
    lex(source).code
}

/// A comment or a string literal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Passage {
    /// Whether it is a comment.
    pub is_comment: bool,
    /// The line of its first character, counted from one.
    pub line: usize,
    /// Its text as written, with slashes or quotation marks.
    pub text: String,
}

/// Returns the comments and string literals of a source in their order; a line comment ends with its line.
pub fn passages(source: &str) -> Vec<Passage> {
    let lexed = lex(source);
    let mut line = 1;
    let mut position = 0;
    let passages = lexed.passages.into_iter().map(|(is_comment, start, end)| {
        line += lexed.source[position..start].iter().filter(|&&character| character == '\n').count();
        position = start;
        Passage { is_comment, line, text: lexed.source[start..end].iter().collect() }
    });
    passages.collect()
}

fn lex(source: &str) -> Blanker {
    let (source, passages) = (source.chars().collect(), Vec::new());
    let mut blanker = Blanker { source, position: 0, code: String::new(), passages };
    while let Some(next) = blanker.peek(0) {
        let start = blanker.position;
        match next {
            '/' if blanker.peek(1) == Some('/') => {
                blanker.blank_while(|character| character != '\n');
                blanker.passages.push((true, start, blanker.position));
            }
            '/' if blanker.peek(1) == Some('*') => {
                blanker.blank_block_comment();
                blanker.passages.push((true, start, blanker.position));
            }
            '"' => {
                blanker.blank_string();
                blanker.passages.push((false, start, blanker.position));
            }
            '\'' => blanker.blank_character_or_keep_lifetime(),
            _ if next == '_' || next.is_alphanumeric() => {
                if blanker.keep_word_or_blank_raw_string() {
                    blanker.passages.push((false, start, blanker.position));
                }
            }
            _ => blanker.keep(),
        }
    }
    blanker
}

/// Returns the byte positions of all places where `word` occurs and is not a part of a longer identifier.
pub fn word_positions<'a>(text: &'a str, word: &'a str) -> impl Iterator<Item = usize> + 'a {
    let continues = |character: char| character == '_' || character.is_alphanumeric();
    text.match_indices(word).filter_map(move |(start, _)| {
        let before = text[..start].chars().next_back().is_some_and(continues);
        let after = text[start + word.len()..].chars().next().is_some_and(continues);
        (!before && !after).then_some(start)
    })
}

struct Blanker {
    source: Vec<char>,
    position: usize,
    code: String,
    /// Whether it is a comment, where it starts and where it ends.
    passages: Vec<(bool, usize, usize)>,
}

impl Blanker {
    fn peek(&self, ahead: usize) -> Option<char> {
        self.source.get(self.position + ahead).copied()
    }

    fn keep(&mut self) {
        self.code.extend(self.peek(0));
        self.position += 1;
    }

    fn blank(&mut self) {
        self.code.extend(self.peek(0).map(|character| if character == '\n' { '\n' } else { ' ' }));
        self.position += 1;
    }

    fn blank_while(&mut self, holds: impl Fn(char) -> bool) {
        while self.peek(0).is_some_and(&holds) {
            self.blank();
        }
    }

    fn blank_block_comment(&mut self) {
        let mut depth = 0_usize;
        loop {
            match (self.peek(0), self.peek(1)) {
                (Some('/'), Some('*')) => depth += 1,
                (Some('*'), Some('/')) => depth -= 1,
                (None, _) => return,
                _ => {
                    self.blank();
                    continue;
                }
            }
            self.blank();
            self.blank();
            if depth == 0 {
                return;
            }
        }
    }

    fn blank_string(&mut self) {
        self.keep();
        loop {
            match self.peek(0) {
                Some('"') => return self.keep(),
                Some('\\') => {
                    self.blank();
                    self.blank();
                }
                Some(_) => self.blank(),
                None => return,
            }
        }
    }

    fn blank_character_or_keep_lifetime(&mut self) {
        let is_literal = self.peek(1) == Some('\\') || self.peek(2) == Some('\'');
        self.keep();
        if is_literal {
            // The first character, or the backslash and the escaped character, may itself be a quotation mark.
            if self.peek(0) == Some('\\') {
                self.blank();
            }
            self.blank();
            self.blank_while(|character| character != '\'' && character != '\n');
            self.keep();
        }
    }

    /// Returns whether the word begins a raw string.
    fn keep_word_or_blank_raw_string(&mut self) -> bool {
        let start = self.position;
        while self.peek(0).is_some_and(|character| character == '_' || character.is_alphanumeric()) {
            self.keep();
        }
        let word: String = self.source[start..self.position].iter().collect();
        let hashes = (0..).take_while(|&ahead| self.peek(ahead) == Some('#')).count();
        let is_raw = matches!(word.as_str(), "r" | "br" | "cr") && self.peek(hashes) == Some('"');
        if is_raw {
            self.blank_raw_string(hashes);
        }
        is_raw
    }

    fn blank_raw_string(&mut self, hashes: usize) {
        for _ in 0..=hashes {
            self.blank();
        }
        while let Some(character) = self.peek(0) {
            let closes = character == '"' && (1..=hashes).all(|ahead| self.peek(ahead) == Some('#'));
            self.blank();
            if closes {
                for _ in 0..hashes {
                    self.blank();
                }
                return;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(source: &str) -> Vec<String> {
        let code = code_only(source);
        code.split(|character: char| !character.is_alphanumeric())
            .filter(|word| !word.is_empty())
            .map(str::to_owned)
            .collect()
    }

    #[test]
    fn comments_are_blanked() {
        assert_eq!(words("one // two\nthree /* four /* five */ six */ seven"), ["one", "three", "seven"]);
    }

    #[test]
    fn literals_are_blanked() {
        assert_eq!(words(r#"one "two \" three" four b"five" six"#), ["one", "four", "b", "six"]);
        assert_eq!(words(r###"one r#"two " three"# four"###), ["one", "r", "four"]);
        assert_eq!(words(r"one 'x' two '\'' three '\u{41}' four"), ["one", "two", "three", "four"]);
        assert_eq!(words("one '\"' two '\"' three"), ["one", "two", "three"]);
    }

    #[test]
    fn lifetimes_do_not_begin_a_literal() {
        assert_eq!(
            words("fn one<'a>(two: &'a str, three: &'a str)"),
            ["fn", "one", "a", "two", "a", "str", "three", "a", "str"]
        );
    }

    #[test]
    fn lines_stay_where_they_were() {
        let source = "a\n\"b\nc\" /* d\ne */\nf";
        assert_eq!(code_only(source).lines().count(), source.lines().count());
        assert_eq!(code_only(source).lines().last(), Some("f"));
    }

    #[test]
    fn unfinished_sources_do_not_panic() {
        for source in ["\"", "'", "'\\", "/*", "r#\"", "r#", "\"\\", "b'", "/"] {
            assert!(code_only(source).chars().count() <= source.chars().count(), "{source}");
        }
    }

    #[test]
    fn passages_are_comments_and_literals_with_lines() {
        let source =
            "//! One.\nfn a() {\n    /* two\n */ b(\"three \\\" four\", '\"', r#\"five\"#); // six\n}\n";
        let found: Vec<(bool, usize, String)> = passages(source)
            .into_iter()
            .map(|passage| (passage.is_comment, passage.line, passage.text))
            .collect();
        assert_eq!(
            found,
            [
                (true, 1, "//! One.".to_owned()),
                (true, 3, "/* two\n */".to_owned()),
                (false, 4, "\"three \\\" four\"".to_owned()),
                (false, 4, "r#\"five\"#".to_owned()),
                (true, 4, "// six".to_owned()),
            ]
        );
    }

    #[test]
    fn words_are_whole() {
        assert_eq!(word_positions("a ab a_ (a)", "a").collect::<Vec<_>>(), [0, 9]);
    }
}
