//! Random networks as text.
