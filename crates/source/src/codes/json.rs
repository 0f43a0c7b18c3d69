//! Codes about JSON texts and their strings.

use crate::declare_code;

declare_code! {
    /// ## Meaning
    ///
    /// In a JSON string a backslash must be followed by one of `" \ / b f n r t`, or by `u` and four hexadecimal
    /// digits.
    ///
    /// ## Why it matters
    ///
    /// Other tools reject the file.
    ///
    /// ## Example
    ///
    /// ```json string
    /// x \in {1, 2}
    /// ```
    ///
    /// ## How to fix it
    ///
    /// Write `\\` for a backslash.
    pub static JSON_BAD_ESCAPE = "json-bad-escape": "a backslash that does not start a JSON escape";
}

declare_code! {
    /// ## Meaning
    ///
    /// Characters beyond U+FFFF can be written as two escapes, the halves of a surrogate pair. One half is missing.
    ///
    /// ## Why it matters
    ///
    /// Half of a character is not text: it cannot be shown, compared or written back.
    ///
    /// ## Example
    ///
    /// ```json string
    /// \ud83d done
    /// ```
    ///
    /// ## How to fix it
    ///
    /// Write both halves next to each other, such as `\ud83d\ude00`, or the character itself.
    pub static JSON_LONE_SURROGATE = "json-lone-surrogate": "an escape that stands for half of a character";
}

declare_code! {
    /// ## Meaning
    ///
    /// A JSON string contains an unescaped quote or control character, such as the end of a line.
    ///
    /// ## Why it matters
    ///
    /// Other tools reject the file, or end the string too early.
    ///
    /// ## Example
    ///
    /// ```json string
    /// x < 5
    /// && y > 3
    /// ```
    ///
    /// ## How to fix it
    ///
    /// Write `\"` for a quote, `\n` for the end of a line, `\t` for a tab.
    pub static JSON_UNESCAPED_CHARACTER = "json-unescaped-character": "a character that JSON strings must escape";
}

declare_code! {
    /// ## Meaning
    ///
    /// The text is not well-formed JSON.
    ///
    /// ## Why it matters
    ///
    /// No part of the file can be used.
    ///
    /// ## Example
    ///
    /// ```json
    /// { "steps": [1, 2 }
    /// ```
    ///
    /// ## How to fix it
    ///
    /// Look at the place. If a program has written the file, it was probably cut off.
    pub static JSON_SYNTAX = "json-syntax": "a text that is not JSON";
}

declare_code! {
    /// ## Meaning
    ///
    /// An object has two members with the same name.
    ///
    /// ## Why it matters
    ///
    /// Programs differ in which of the two members they use.
    ///
    /// ## Example
    ///
    /// ```json
    /// { "delay": "1", "delay": "2" }
    /// ```
    ///
    /// ## How to fix it
    ///
    /// Remove one of them.
    pub static JSON_DUPLICATE_NAME = "json-duplicate-name": "two members of an object with the same name";
}
