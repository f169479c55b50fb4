//! Resources and references to them.

pub(crate) mod anchor_resource;
pub(crate) mod check_unsafe_interpolations;
pub(crate) mod duplicate_params;
pub(crate) mod ensure_first_param;
pub(crate) mod ensure_not_symlink_target;
pub(crate) mod exec_idempotency;
pub(crate) mod file_ensure;
pub(crate) mod file_mode;
pub(crate) mod package_ensure;
pub(crate) mod references;
pub(crate) mod trailing_comma;
pub(crate) mod unquoted_file_mode;
pub(crate) mod unquoted_resource_title;
