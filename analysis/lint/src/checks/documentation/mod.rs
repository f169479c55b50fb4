//! What comments say.

pub(crate) mod documentation;
pub(crate) mod parameter_documentation;
