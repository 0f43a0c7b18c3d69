//! Files, embedded texts, spans, origins and diagnostics.
