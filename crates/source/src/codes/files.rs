//! Codes about files as a whole.
//!
//! Invariant: as for all families, each is a line in [`super::ALL`].

use crate::declare_code;

declare_code! {
    /// ## Meaning
    ///
    /// The file, or a text inside it, has more bytes than can be worked with. Without a lower limit that is 4 GiB; a
    /// server may set a lower one.
    ///
    /// ## Why it matters
    ///
    /// Every place in a file is kept as a 32-bit number. Reading on would make later places wrong, so nothing is read.
    ///
    /// ## Example
    ///
    /// With a limit of 16 bytes:
    ///
    /// ```file with a limit of 16 bytes
    /// clock x, y, z; // more than 16 bytes
    /// ```
    ///
    /// ## How to fix it
    ///
    /// Split the model into several files. Files written by tools often carry recorded data, such as plots or results
    /// of earlier queries: remove it.
    pub static FILE_TOO_LARGE = "file-too-large": "a file has more bytes than the limit";
}
