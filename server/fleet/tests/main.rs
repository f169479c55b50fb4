//! Tests of the client for PuppetDB, snapshots, and shards.

mod container;
mod fake_puppetdb;
mod puppetdb;
mod shards;
