//! Diagnostic codes for Ecdar's projects.

use tempora_source::declare_code;

declare_code! {
    /// ## Meaning
    ///
    /// A file of an Ecdar project is not valid JSON.
    ///
    /// ## Why it matters
    ///
    /// The rest of the file cannot be read.
    ///
    /// ## Example
    ///
    /// ```project
    /// { "name": "Machine", "locations": [ }
    /// ```
    ///
    /// ## How to fix it
    ///
    /// Write values, separated by commas, between `[` and `]`, and `"name": value` pairs, separated by commas, between
    /// `{` and `}`.
    pub static ECDAR_JSON = "ecdar-json": "a file of a project that is not JSON";
}

declare_code! {
    /// ## Meaning
    ///
    /// A component is incomplete or invalid: for example, an edge leads to a location that does not exist, a location
    /// has no id, or the initial location is missing.
    ///
    /// ## Why it matters
    ///
    /// The behaviour of the component is undefined, and Tempora does not guess it.
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
    pub static ECDAR_COMPONENT = "ecdar-component": "an incomplete or invalid component";
}

declare_code! {
    /// ## Meaning
    ///
    /// The system line or an `IO` line of an Ecdar document names a template that does not exist.
    ///
    /// ## Why it matters
    ///
    /// The name is ignored, because queries name the components that they need; it may still be a mistake.
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
    /// Remove the name from the line.
    pub static ECDAR_SYSTEM = "ecdar-system": "a line that names an unknown component";
}

declare_code! {
    /// ## Meaning
    ///
    /// A file in the folder `Systems` of an Ecdar project is not the drawing of an expression: an operator lacks an
    /// operand, or a node is missing.
    ///
    /// ## Why it matters
    ///
    /// Queries can refer to drawings by name, but not to this one.
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
    /// Draw all operands of each operator, or remove the drawing.
    pub static ECDAR_DRAWING = "ecdar-drawing": "a drawing that is not an expression";
}

declare_code! {
    /// ## Meaning
    ///
    /// The model is a folder that is not an Ecdar project.
    ///
    /// ## Why it matters
    ///
    /// The folder has no file that can be read as a component.
    ///
    /// ## Example
    ///
    /// ```text
    /// tempora check src
    /// ```
    ///
    /// ## How to fix it
    ///
    /// Name a file, or the folder that contains the folder `Components`.
    pub static NO_PROJECT = "no-project": "a folder without components";
}
