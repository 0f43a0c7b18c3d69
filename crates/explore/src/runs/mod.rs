//! From paths of the zone graph to concrete runs with rational delays.

pub(crate) mod fastest;
pub(crate) mod follow;
pub(crate) mod lasso;
pub(crate) mod linear;
pub(crate) mod paths;
pub(crate) mod trace;
