//! What is found in whole projects: a file for each subject.

mod compile_increments;
mod compiles;
mod data_rules;
mod differential;
mod evaluation_increments;
mod location_fix;
mod metadata_rules;
mod names;
mod parts;
mod ruby_functions;
mod rules;
mod scale;
mod shared_compiles;
mod suppressions;
mod syntax_rules;
mod taken_over;
