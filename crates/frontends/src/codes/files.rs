//! Codes about the files of a model.

use tempora_source::declare_code;

declare_code! {
    /// ## Meaning
    ///
    /// The file does not exist, is a folder, or is not readable.
    ///
    /// ## Why it matters
    ///
    /// Without the file there is no model to check.
    ///
    /// ## Example
    ///
    /// ```arguments
    /// check no-such-file.net
    /// ```
    ///
    /// ## How to fix it
    ///
    /// Check the path. `-` reads standard input.
    pub static UNREADABLE_FILE = "unreadable-file": "a file that cannot be read";
}
