//! Codes about text inside XML.
//!
//! Invariant: as for all families, each is a line in [`super::ALL`].

use crate::declare_code;

declare_code! {
    /// ## Meaning
    ///
    /// XML predefines five entities: `&lt;`, `&gt;`, `&amp;`, `&apos;` and `&quot;`. Another one was used. Names from
    /// HTML such as `&nbsp;` do not exist in XML, and entities that a document declares itself are not expanded.
    ///
    /// ## Why it matters
    ///
    /// The text cannot be known without the entity. Declared entities are refused on purpose: a few lines of them can
    /// stand for gigabytes of text, or for files of the machine that reads them.
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
    /// A reference by number, such as `&#60;` or `&#x3C;`, has no number, or the number of no character that XML
    /// allows.
    ///
    /// ## Why it matters
    ///
    /// There is no character to put in its place.
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
    pub static XML_BAD_CHARACTER_REFERENCE = "xml-bad-character-reference": "a numeric reference that names no character";
}

declare_code! {
    /// ## Meaning
    ///
    /// In XML `&` starts a reference such as `&lt;`. Here it stands alone, as in the operator `&&`.
    ///
    /// ## Why it matters
    ///
    /// Other tools will not open the file at all.
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
    /// In XML `<` starts a tag. Here it stands in a text or an attribute value that can have no tags.
    ///
    /// ## Why it matters
    ///
    /// Other tools will not open the file, or will silently drop the rest of the text.
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
    /// Where it was meant to end cannot be known: what follows may be text or not.
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
