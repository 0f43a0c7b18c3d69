//! Codes about text inside XML.

use crate::declare_code;

declare_code! {
    /// ## Meaning
    ///
    /// XML predefines five entities: `&lt;`, `&gt;`, `&amp;`, `&apos;` and `&quot;`. The file uses another entity.
    /// Names from HTML such as `&nbsp;` do not exist in XML, and entities declared by the document are not expanded.
    ///
    /// ## Why it matters
    ///
    /// The text is incomplete without the entity. Declared entities are rejected for security: a few lines of them can
    /// expand to gigabytes of text, or include files of the machine that reads them.
    ///
    /// ## Example
    ///
    /// ```xml text
    /// x &le; 5
    /// ```
    ///
    /// ## How to fix it
    ///
    /// Write the character itself, or its number such as `&#8804;`. In a guard the operator is probably `&lt;=`.
    pub static XML_UNKNOWN_ENTITY = "xml-unknown-entity": "an entity that XML does not predefine";
}

declare_code! {
    /// ## Meaning
    ///
    /// A numeric reference, such as `&#60;` or `&#x3C;`, has no valid number, or the number does not denote a character
    /// that XML allows.
    ///
    /// ## Why it matters
    ///
    /// The reference cannot be replaced by a character.
    ///
    /// ## Example
    ///
    /// The hexadecimal digits lack their `x`:
    ///
    /// ```xml text
    /// x &#3C; 5
    /// ```
    ///
    /// ## How to fix it
    ///
    /// Write the number in decimal, or put `x` before hexadecimal digits.
    pub static XML_BAD_CHARACTER_REFERENCE = "xml-bad-character-reference": "a numeric reference that does not denote a character";
}

declare_code! {
    /// ## Meaning
    ///
    /// In XML `&` starts a reference such as `&lt;`. Here it is not part of a reference, as in the operator `&&`.
    ///
    /// ## Why it matters
    ///
    /// Other tools reject the file.
    ///
    /// ## Example
    ///
    /// ```xml text
    /// x &lt; 5 && y &gt; 3
    /// ```
    ///
    /// ## How to fix it
    ///
    /// Write `&amp;&amp;` (many languages also read `and`), or wrap the whole text in `<![CDATA[` and `]]>`.
    pub static XML_BARE_AMPERSAND = "xml-bare-ampersand": "an ampersand that does not start a reference";
}

declare_code! {
    /// ## Meaning
    ///
    /// In XML `<` starts a tag. Here it occurs in a text or an attribute value, which cannot contain tags.
    ///
    /// ## Why it matters
    ///
    /// Other tools reject the file, or silently drop the rest of the text.
    ///
    /// ## Example
    ///
    /// ```xml text
    /// x <= 5
    /// ```
    ///
    /// ## How to fix it
    ///
    /// Write `&lt;`, or wrap the whole text in `<![CDATA[` and `]]>` (not possible in an attribute).
    pub static XML_MARKUP_IN_TEXT = "xml-markup-in-text": "a less-than sign where XML allows only text";
}

declare_code! {
    /// ## Meaning
    ///
    /// A CDATA section, a comment or a processing instruction is opened but not closed before its text ends.
    ///
    /// ## Why it matters
    ///
    /// The intended end is unknown, so the text that follows may or may not be part of the section.
    ///
    /// ## Example
    ///
    /// ```xml text
    /// x > 3 <!-- the lower bound -- and y > 3
    /// ```
    ///
    /// ## How to fix it
    ///
    /// Close a CDATA section with `]]>`, a comment with `-->`, a processing instruction with `?>`.
    pub static XML_UNCLOSED_SECTION = "xml-unclosed-section": "a CDATA section or comment that is never closed";
}
