//! Completion in files that contain no Puppet code: `Puppetfile`, `hiera.yaml`, and Hiera data.

pub(crate) mod hiera_config;
pub(crate) mod hiera_values;
mod interpolations;
pub(crate) mod puppetfile;
mod yaml_cursor;
