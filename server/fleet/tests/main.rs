//! Tests of the client for PuppetDB, snapshots, and shards.

mod archive;
mod container;
mod fake_puppetdb;
mod node_names;
mod puppetdb;
mod query;
mod shards;
