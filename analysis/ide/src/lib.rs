//! What an editor asks, in editor words: offsets in, plain structs out.
