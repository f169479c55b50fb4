//! Operators with unknown operands: the resulting types, and their soundness.

mod property;
mod table;
