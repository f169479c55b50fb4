//! The program as users run it, command by command.

mod cli;
mod compile;
mod diff;
mod fixes;
mod folders;
mod format;
mod git_programs;
mod honest;
mod last_work;
mod lint;
mod outside;
mod questions;
mod secrets;
