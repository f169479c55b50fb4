//! Comparison of our results with everything recorded from Puppet, one file per kind of recording.

mod cases;
mod environments;
mod generated;
mod messages;
mod programs;
mod recorded_ruby;
mod style;
mod versions;
mod warnings;
