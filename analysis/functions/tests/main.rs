//! Functions compared with Puppet's results, with one file per subject.

mod cases;
mod functions;
mod hostile;
mod misspelling;
mod operators;
mod stdlib;
mod unknown_programs;
