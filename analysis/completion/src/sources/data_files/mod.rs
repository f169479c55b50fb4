//! Completion in files that contain no Puppet code: `Puppetfile`, `hiera.yaml`, Hiera data, and files of Bolt.

pub(crate) mod bolt_config;
pub(crate) mod hiera_config;
pub(crate) mod hiera_values;
mod interpolations;
pub(crate) mod puppetfile;
mod yaml_cursor;
