//! Catalogs from files, and the differences between them as octocatalog-diff reports them.

mod catalog_files;
mod octocatalog;
