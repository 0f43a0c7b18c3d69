//! The codes of what may be wrong with an UPPAAL document, besides its texts.
//!
//! Invariant: every code declared below is in [`ALL`](crate::codes::ALL).

use tempora_source::declare_code;

declare_code! {
    /// ## Meaning
    ///
    /// An attribute is not written as `name="value"`, is written twice, or is no number where one is needed.
    ///
    /// ## Why it matters
    ///
    /// No XML reader accepts such a file, or things are drawn at other places than you put them.
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
    pub static XML_ATTRIBUTE = "xml-attribute": "an attribute that cannot be read";
}

declare_code! {
    /// ## Meaning
    ///
    /// An element or an edge has a label of a kind that it cannot have, or two of the same kind, or a label is of an
    /// unknown kind.
    ///
    /// ## Why it matters
    ///
    /// What the label says would have no effect, or hide what the other says.
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
    /// A location has an invariant and a rate; an edge has a select, a guard, a synchronisation, an update and a weight.
    pub static XML_LABEL = "xml-label": "a label where it cannot be";
}

declare_code! {
    /// ## Meaning
    ///
    /// A template has no name, or a name has other characters than letters, digits and `_`, or begins with a digit.
    ///
    /// ## Why it matters
    ///
    /// Nothing could refer to it.
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
    pub static XML_NAME = "xml-name": "a name that is none";
}

declare_code! {
    /// ## Meaning
    ///
    /// An edge or the element `init` refers to a location that is not in the template, or two locations have the same
    /// id.
    ///
    /// ## Why it matters
    ///
    /// It is not known where the edge leads, or where the process starts.
    ///
    /// ## Example
    ///
    /// ```file
    /// <nta><template><name>P</name><location id="id0"/><init ref="id1"/></template><system>system P;</system></nta>
    /// ```
    ///
    /// ## How to fix it
    ///
    /// Write the id of a location of the same template.
    pub static XML_REFERENCE = "xml-reference": "an id without its location";
}

declare_code! {
    /// ## Meaning
    ///
    /// An element stands where it cannot, a part of the model is missing, or the file is no UPPAAL model.
    ///
    /// ## Why it matters
    ///
    /// The model could be read in different ways, or not at all.
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
    pub static XML_STRUCTURE = "xml-structure": "elements that make no model";
}

declare_code! {
    /// ## Meaning
    ///
    /// An element, a tag, a comment or a value is opened and never closed.
    ///
    /// ## Why it matters
    ///
    /// The end of the file may be missing, and with it a part of the model.
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
    pub static XML_UNCLOSED = "xml-unclosed": "something that is never closed";
}
