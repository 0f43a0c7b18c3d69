//! The name of one channel: a variable, and the path of elements and fields to the channel inside it.
//!
//! Invariant: the text of a path is an expression of the language, such as `go[1].left`, if its names are valid.

use std::fmt;

/// The name of one channel.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct ChannelPath {
    /// The name of the variable.
    pub variable: String,
    /// The path from the variable to the channel, the outermost step first; empty if the variable is a channel.
    pub steps: Vec<ChannelStep>,
}

/// One step into an array or a record of channels.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum ChannelStep {
    /// The element of an array with this index.
    Element(i32),
    /// The field of a record with this name.
    Field(String),
}

impl fmt::Display for ChannelPath {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.variable)?;
        for step in &self.steps {
            match step {
                ChannelStep::Element(index) => write!(formatter, "[{index}]")?,
                ChannelStep::Field(name) => write!(formatter, ".{name}")?,
            }
        }
        Ok(())
    }
}
