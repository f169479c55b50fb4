//! Checks for reads of facts.

pub(crate) mod legacy_facts;
pub(crate) mod top_scope_facts;
