//! Hiera 5: its configuration, its data files with positions, and lookup. Pure: files and scopes come from the caller.
