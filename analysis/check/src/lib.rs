//! Diagnostics: one rule, one file.
