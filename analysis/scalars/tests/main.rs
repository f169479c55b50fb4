//! Ruby's rules against what Ruby says: a file for each subject.

mod numbers;
mod regexp;
mod semver;
mod sprintf;
mod timespan;
mod timestamp;
mod uri;
mod version_compare;
