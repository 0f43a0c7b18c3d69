//! The typed ids of the parts of a network.

use tempora_source::declare_ids;

declare_ids! {
    /// A variable, constant, clock or channel of a network, or an array or record of such.
    VariableId;
    /// A function of a network.
    FunctionId;
    /// A set of scalars.
    ScalarSetId;
    /// A process: an instance of a template.
    ProcessId;
    /// A location of one process.
    LocationId;
    /// An edge of one process.
    EdgeId;
    /// A named event of synchronisation vectors.
    EventId;
    /// A clock of a computed component.
    ComputedClockId;
    /// A property of a symbolic system.
    PropertyId;
}
