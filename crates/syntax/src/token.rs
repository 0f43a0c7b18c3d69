//! The tokens that the lexer produces from a text.
//!
//! Invariant: only the reserved words of UPPAAL 4.0 are [`TokenKind::Word`]; later keywords, and all keywords of
//! queries and `.net` files, are names that the parser recognises by context. So an old model with a variable `rate` or
//! `exit` is still read.

/// A token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Token {
    pub(crate) kind: TokenKind,
    /// The byte offset of its first byte.
    pub(crate) start: u32,
    /// The byte offset after its last byte.
    pub(crate) end: u32,
    /// Whether it is the first token of its line; a backslash continues a line.
    pub(crate) starts_line: bool,
}

/// The kind of a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TokenKind {
    Name,
    Word(Word),
    Integer,
    Double,
    Text,
    Symbol(Symbol),
    /// An unreadable character, which the lexer has reported.
    Unknown,
    End,
}

macro_rules! spelled {
    ($(#[$attribute:meta])* $name:ident { $($variant:ident = $text:literal,)+ }) => {
        $(#[$attribute])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub(crate) enum $name { $($variant,)+ }

        impl $name {
            pub(crate) const ALL: &'static [($name, &'static str)] = &[$(($name::$variant, $text),)+];

            pub(crate) const fn text(self) -> &'static str {
                match self { $($name::$variant => $text,)+ }
            }
        }
    };
}

spelled! {
    /// A reserved word.
    Word {
        And = "and",
        Assign = "assign",
        Bool = "bool",
        Broadcast = "broadcast",
        Chan = "chan",
        Clock = "clock",
        Commit = "commit",
        Const = "const",
        Do = "do",
        Else = "else",
        Exists = "exists",
        False = "false",
        For = "for",
        Forall = "forall",
        Guard = "guard",
        If = "if",
        Imply = "imply",
        Init = "init",
        Int = "int",
        Meta = "meta",
        Not = "not",
        Or = "or",
        Process = "process",
        Return = "return",
        Scalar = "scalar",
        Select = "select",
        State = "state",
        Struct = "struct",
        Sum = "sum",
        Sync = "sync",
        System = "system",
        Trans = "trans",
        True = "true",
        Typedef = "typedef",
        Urgent = "urgent",
        Void = "void",
        While = "while",
    }
}

spelled! {
    /// An operator or punctuation mark. Longer symbols come before their prefixes.
    Symbol {
        ShiftLeftAssign = "<<=",
        ShiftRightAssign = ">>=",
        Arrow = "->",
        PlusPlus = "++",
        MinusMinus = "--",
        PlusAssign = "+=",
        MinusAssign = "-=",
        PowerOf = "**",
        TimesAssign = "*=",
        DivideAssign = "/=",
        RemainderAssign = "%=",
        AndAnd = "&&",
        AndAssign = "&=",
        OrOr = "||",
        OrAssign = "|=",
        XorAssign = "^=",
        ShiftLeft = "<<",
        ShiftRight = ">>",
        LessEqual = "<=",
        GreaterEqual = ">=",
        Minimum = "<?",
        Maximum = ">?",
        EqualEqual = "==",
        NotEqual = "!=",
        ColonAssign = ":=",
        Assign = "=",
        Plus = "+",
        Minus = "-",
        Times = "*",
        Divide = "/",
        Remainder = "%",
        Ampersand = "&",
        Bar = "|",
        Caret = "^",
        Less = "<",
        Greater = ">",
        Exclamation = "!",
        Question = "?",
        Colon = ":",
        Semicolon = ";",
        Comma = ",",
        Dot = ".",
        Prime = "'",
        At = "@",
        Hash = "#",
        Backslash = "\\",
        OpenParenthesis = "(",
        CloseParenthesis = ")",
        OpenBracket = "[",
        CloseBracket = "]",
        OpenBrace = "{",
        CloseBrace = "}",
    }
}
