//! A language server and command-line checker for the Puppet language.

fn main() {}
