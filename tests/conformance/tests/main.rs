//! Everything that is recorded of Puppet, against what we say: a file for each kind of recording.

mod cases;
mod environments;
mod eval;
mod generated;
mod messages;
mod programs;
mod recorded_ruby;
mod style;
mod warnings;
