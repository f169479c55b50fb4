//! Tests of the client for PuppetDB, snapshots, and shards.

mod container;
mod puppetdb;
mod shards;
