//! Recorded behaviour of real Puppet, and the program that answers for us.

fn main() {}
