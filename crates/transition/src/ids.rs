//! Typed ids of the parts of a symbolic system.

use tempora_source::declare_ids;

declare_ids! {
    /// A variable of a symbolic system.
    StateVariableId;
    /// A control location of a symbolic system.
    ControlLocationId;
    /// An edge of a symbolic system.
    ControlEdgeId;
}
