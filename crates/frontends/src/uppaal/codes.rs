//! Diagnostic codes for the XML of UPPAAL documents.

use tempora_source::declare_code;

declare_code! {
    /// ## Meaning
    ///
    /// An attribute is not written as `name="value"`, is written twice, or is not a number where a number is expected.
    ///
    /// ## Why it matters
    ///
    /// XML parsers reject such a file, or elements are not drawn where you placed them.
    ///
    /// ## Example
    ///
    /// ```file
    /// <nta><template><name>P</name><location id="id0" id="id0"/><init ref="id0"/></template><system>system P;</system></nta>
    /// ```
    ///
    /// ## How to fix it
    ///
    /// Write each attribute once, with its value in quotes.
    pub static XML_ATTRIBUTE = "xml-attribute": "a malformed attribute";
}

declare_code! {
    /// ## Meaning
    ///
    /// A location or an edge has a label of a kind that it cannot have, two labels of the same kind, or a label of an
    /// unknown kind.
    ///
    /// ## Why it matters
    ///
    /// The label would have no effect, or would hide the other label.
    ///
    /// ## Example
    ///
    /// ```file
    /// <nta><declaration>clock x;</declaration><template><name>P</name><location id="id0">
    /// <label kind="guard">x &lt; 3</label></location><init ref="id0"/></template><system>system P;</system></nta>
    /// ```
    ///
    /// ## How to fix it
    ///
    /// A location has an invariant and a rate; an edge has a select, a guard, a synchronisation, an update and a
    /// weight.
    pub static XML_LABEL = "xml-label": "a misplaced, duplicate or unknown label";
}

declare_code! {
    /// ## Meaning
    ///
    /// A template has no name, or a name contains characters other than letters, digits and `_`, or begins with a
    /// digit.
    ///
    /// ## Why it matters
    ///
    /// Queries and declarations cannot refer to it.
    ///
    /// ## Example
    ///
    /// ```file
    /// <nta><template><name>P</name><location id="id0"><name>too late</name></location><init ref="id0"/></template>
    /// <system>system P;</system></nta>
    /// ```
    ///
    /// ## How to fix it
    ///
    /// Choose a name such as `too_late`.
    pub static XML_NAME = "xml-name": "a missing or invalid name";
}

declare_code! {
    /// ## Meaning
    ///
    /// An edge or the element `init` refers to a location that is not in the template, or two locations have the same
    /// id.
    ///
    /// ## Why it matters
    ///
    /// The target of the edge, or the initial location of the process, is undefined.
    ///
    /// ## Example
    ///
    /// ```file
    /// <nta><template><name>P</name><location id="id0"/><init ref="id1"/></template><system>system P;</system></nta>
    /// ```
    ///
    /// ## How to fix it
    ///
    /// Refer to a location of the same template by its id, and give each location an id of its own.
    pub static XML_REFERENCE = "xml-reference": "an unresolved or ambiguous location id";
}

declare_code! {
    /// ## Meaning
    ///
    /// An element is misplaced, a part of the model is missing, or the file is not an UPPAAL model.
    ///
    /// ## Why it matters
    ///
    /// The model is ambiguous or incomplete.
    ///
    /// ## Example
    ///
    /// ```file
    /// <nta><template><name>P</name><location id="id0"/><init ref="id0"/></template></nta>
    /// ```
    ///
    /// ## How to fix it
    ///
    /// A model is an element `nta` with a `declaration`, elements `template`, and a `system`.
    pub static XML_STRUCTURE = "xml-structure": "elements that do not form a model";
}

declare_code! {
    /// ## Meaning
    ///
    /// An element, a tag, a comment or a value is opened and never closed.
    ///
    /// ## Why it matters
    ///
    /// The file may be truncated, so that a part of the model is missing.
    ///
    /// ## Example
    ///
    /// ```file
    /// <nta><template><name>P</name><location id="id0"/><init ref="id0"/></template><system>system P;</system>
    /// ```
    ///
    /// ## How to fix it
    ///
    /// Close it where it ends.
    pub static XML_UNCLOSED = "xml-unclosed": "an unclosed element, tag, comment or value";
}
