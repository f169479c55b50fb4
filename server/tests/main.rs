//! End-to-end tests of the binary, one module per command or topic.

mod ci;
mod cli;
mod compile;
#[cfg(unix)]
mod daemon;
mod diff;
mod exit_codes;
#[path = "../fleet/tests/fake_puppetdb.rs"]
mod fake_puppetdb;
mod fixes;
mod fleet;
mod fleet_exports;
mod folders;
mod format;
mod git_programs;
mod hiera;
mod init;
mod last_work;
mod lint;
mod octocatalog;
mod outside;
mod queries;
mod rewrite;
mod secrets;
mod sides;
mod unchecked;
mod unused;
mod upgrade;
mod verdicts;
mod watch;
