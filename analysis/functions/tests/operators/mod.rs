//! Operators with operands that are not known: which types they give, and that they never say less than the truth.

mod property;
mod table;
