//! Codes about Ecdar's projects.
//!
//! Invariant: see the parent.

use tempora_source::declare_code;

declare_code! {
    /// ## Meaning
    ///
    /// A file of an Ecdar project is not JSON.
    ///
    /// ## Why it matters
    ///
    /// What stands behind the fault cannot be read.
    ///
    /// ## Example
    ///
    /// ```project
    /// { "name": "Machine", "locations": [ }
    /// ```
    ///
    /// ## How to fix it
    ///
    /// Write values, separated by commas, between `[` and `]`; names and values between `{` and `}`.
    pub static ECDAR_JSON = "ecdar-json": "a file of a project is not JSON";
}

declare_code! {
    /// ## Meaning
    ///
    /// A component lacks something, or has something that is not known: an edge leads to a location that does not exist, a
    /// location has no id, there is no initial location.
    ///
    /// ## Why it matters
    ///
    /// It is not clear what the component does, and nothing is guessed.
    ///
    /// ## Example
    ///
    /// ```project
    /// { "name": "Machine", "declarations": "", "locations": [ { "id": "L0", "type": "INITIAL" } ],
    ///   "edges": [ { "sourceLocation": "L0", "targetLocation": "L1", "status": "INPUT", "sync": "coin" } ] }
    /// ```
    ///
    /// ## How to fix it
    ///
    /// Open the project in Ecdar and save it again, or correct the file as the message says.
    pub static ECDAR_COMPONENT = "ecdar-component": "a component that is not complete";
}

declare_code! {
    /// ## Meaning
    ///
    /// The system line or an `IO` line of an Ecdar document names a template that does not exist.
    ///
    /// ## Why it matters
    ///
    /// Components are named by questions, so the line is not needed; it may still be a slip.
    ///
    /// ## Example
    ///
    /// ```file
    /// <nta><declaration>broadcast chan i;</declaration>
    /// <template><name>A</name><location id="id0"/><init ref="id0"/></template>
    /// <system>system A, B;
    /// IO A { i? }</system></nta>
    /// ```
    ///
    /// ## How to fix it
    ///
    /// Take the name out of the line.
    pub static ECDAR_SYSTEM = "ecdar-system": "a line names a component that does not exist";
}

declare_code! {
    /// ## Meaning
    ///
    /// A file of the folder `Systems` of an Ecdar project does not draw an expression: an operator lacks a part, or a part
    /// is missing.
    ///
    /// ## Why it matters
    ///
    /// Questions can name drawings; this one they cannot.
    ///
    /// ## Example
    ///
    /// ```system
    /// { "name": "Both", "componentInstances": [ { "id": 1, "componentName": "A" } ],
    ///   "operators": [ { "id": 2, "type": "composition" } ],
    ///   "edges": [ { "child": 2, "parent": 0 }, { "child": 1, "parent": 2 } ] }
    /// ```
    ///
    /// ## How to fix it
    ///
    /// Draw both parts of each operator, or remove the drawing.
    pub static ECDAR_DRAWING = "ecdar-drawing": "a drawing that is no expression";
}

declare_code! {
    /// ## Meaning
    ///
    /// The model is a folder, and the folder is no Ecdar project.
    ///
    /// ## Why it matters
    ///
    /// There is nothing in it that could be read as a component.
    ///
    /// ## Example
    ///
    /// ```text
    /// tempora check src
    /// ```
    ///
    /// ## How to fix it
    ///
    /// Name a file, or the folder that has the folder `Components` in it.
    pub static NO_PROJECT = "no-project": "a folder without components";
}
