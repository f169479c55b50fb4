//! Ruby code of modules: functions and templates.

pub(crate) mod functions;
pub(crate) mod host;
pub(crate) mod templates;
