//! Codes about bytes that do not decode to text.
//!
//! Invariant: as for all families, each is a line in [`super::ALL`].

use crate::declare_code;

declare_code! {
    /// ## Meaning
    ///
    /// The file is read as UTF-8, because nothing in it says otherwise, but it has a byte that cannot stand there.
    /// Usually the file was saved in an older encoding such as ISO-8859-1, and the byte is an accented letter in a
    /// comment or a name.
    ///
    /// ## Why it matters
    ///
    /// Guessing could silently change names. A wrong guess would also be written back to the file.
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
    pub static INVALID_UTF8 = "invalid-utf8": "a byte of the file is not UTF-8";
}

declare_code! {
    /// ## Meaning
    ///
    /// The file starts like UTF-16 but has half of a surrogate pair, or an odd number of bytes.
    ///
    /// ## Why it matters
    ///
    /// The file is damaged or was cut off: what is missing cannot be known.
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
    /// Get the file again from where it came, or open it in an editor, repair the end and save it as UTF-8.
    pub static INVALID_UTF16 = "invalid-utf16": "half of a UTF-16 character is missing";
}

declare_code! {
    /// ## Meaning
    ///
    /// The file names an encoding that is not known here, and it has characters that are not plain ASCII. UTF-8,
    /// UTF-16, ISO-8859-1 and Windows-1252 are known.
    ///
    /// ## Why it matters
    ///
    /// Without the encoding the characters cannot be told, so names and comments would come out wrong.
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
    pub static UNSUPPORTED_ENCODING = "unsupported-encoding": "the encoding that a file declares is not supported";
}
