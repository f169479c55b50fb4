//! Fleets of nodes: where their facts come from, and what a change does to their catalogs. Compiles nothing: the
//! caller provides the result of each node.
//!
//! * `container` is the file format of snapshots and results: compressed JSON lines with a version and a
//!   checksum. **A file that is truncated or was edited is never used.**
//! * `archive` reads the facts in archives of PuppetDB.
//! * `nodes` reads the facts of nodes from a snapshot, an archive, or a folder, one node at a time.
//! * `node_name` finds the name of a node without parsing its facts, so that the nodes of other shards are skipped.
//! * `query` parses queries of PuppetDB.
//! * `shard` distributes nodes by a stable hash of their names.
//! * `results` are the results of one shard; `report` merges those of all shards. A run without shards goes the
//!   same way, so that both have the same report.
//! * `page` renders a report as one HTML page.
//! * `puppetdb` fetches facts from PuppetDB. Addresses and credentials come from the user, never from a
//!   repository.

pub mod archive;
pub mod container;
pub mod node_name;
pub mod nodes;
pub mod page;
pub mod puppetdb;
pub mod query;
pub mod report;
pub mod results;
pub mod shard;
