//! Codes about files as a whole.

use crate::declare_code;

declare_code! {
    /// ## Meaning
    ///
    /// The file, or a text inside it, has more bytes than the limit. The limit is 4 GiB unless a server sets a lower
    /// one.
    ///
    /// ## Why it matters
    ///
    /// Positions in files are stored as 32-bit numbers. Positions beyond the limit would be wrong, so nothing is read.
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
    /// Split the model into several files. Files written by tools often contain recorded data, such as plots or results
    /// of earlier queries: remove it.
    pub static FILE_TOO_LARGE = "file-too-large": "a file with more bytes than the limit";
}
