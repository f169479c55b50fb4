//! How facts are read.

pub(crate) mod legacy_facts;
pub(crate) mod top_scope_facts;
