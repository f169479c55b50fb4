//! Choice of the files that commands look at, and the parts of reports that all formats share.

mod files;
mod forge;
mod reports;
