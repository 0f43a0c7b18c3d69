//! Codes about bytes that do not decode to text.

use crate::declare_code;

declare_code! {
    /// ## Meaning
    ///
    /// The file declares no other encoding and is therefore read as UTF-8, but it contains a byte that is not valid
    /// UTF-8. Usually the file was saved in an older encoding such as ISO-8859-1, and the byte is an accented letter in
    /// a comment or a name.
    ///
    /// ## Why it matters
    ///
    /// Guessing the encoding could silently change names. A wrong guess would also be written back to the file.
    ///
    /// ## Example
    ///
    /// The byte E8 is `è` in ISO-8859-1:
    ///
    /// ```bytes
    /// // mod\xE8le de la barri\xE8re
    /// clock x;
    /// ```
    ///
    /// ## How to fix it
    ///
    /// Save the file as UTF-8 in your editor. For XML you can instead name the encoding in the first line:
    /// `<?xml version="1.0" encoding="ISO-8859-1"?>`.
    pub static INVALID_UTF8 = "invalid-utf8": "a file with a byte that is not valid UTF-8";
}

declare_code! {
    /// ## Meaning
    ///
    /// The file starts like UTF-16 but has half of a surrogate pair, or an odd number of bytes.
    ///
    /// ## Why it matters
    ///
    /// The file is damaged or truncated, and the missing part cannot be recovered.
    ///
    /// ## Example
    ///
    /// The last byte has no partner:
    ///
    /// ```bytes
    /// \xFF\xFEc\x00l\x00o
    /// ```
    ///
    /// ## How to fix it
    ///
    /// Get a new copy of the file, or open it in an editor, repair the end and save it as UTF-8.
    pub static INVALID_UTF16 = "invalid-utf16": "a UTF-16 file with an incomplete character";
}

declare_code! {
    /// ## Meaning
    ///
    /// The file declares an unsupported encoding and contains characters outside ASCII. The supported encodings are
    /// UTF-8, UTF-16, ISO-8859-1 and Windows-1252.
    ///
    /// ## Why it matters
    ///
    /// Without the encoding the characters cannot be decoded, so names and comments would be wrong.
    ///
    /// ## Example
    ///
    /// ```bytes
    /// <?xml version="1.0" encoding="koi8-r"?><nta><declaration>// \xC4\xC1</declaration></nta>
    /// ```
    ///
    /// ## How to fix it
    ///
    /// Convert the file to UTF-8, for example with `iconv -f KOI8-R -t UTF-8`, and change the encoding in its first
    /// line to `UTF-8`.
    pub static UNSUPPORTED_ENCODING = "unsupported-encoding": "a file that declares an unsupported encoding";
}
