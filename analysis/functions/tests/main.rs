//! The functions against what Puppet says of them: a file for each subject.

mod functions;
mod hostile;
mod misspelling;
mod operators;
mod stdlib;
mod unknown_programs;
