//! Tests of the rules of built-in resource types.

mod plain_types;
mod recorded;
