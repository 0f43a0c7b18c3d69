//! The written form of UPPAAL-like languages: tokens, trees with spans, the parser.
