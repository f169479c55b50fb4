//! Tests of the rules of built-in resource types.

mod recorded;
