//! Tests of the crate, one program.

mod signs;
