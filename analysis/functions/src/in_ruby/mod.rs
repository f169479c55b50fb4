//! Ruby code of modules: functions and templates.

pub(crate) mod functions;
pub(crate) mod host;
mod known_functions;
mod loading_host;
pub(crate) mod templates;
