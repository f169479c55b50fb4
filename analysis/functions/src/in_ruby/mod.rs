//! What is written in Ruby: functions of modules and templates.

pub(crate) mod functions;
pub(crate) mod host;
pub(crate) mod templates;
