//! Modules that a `Puppetfile` installs.

use hir::Name;
use plugins::puppetfile::{Puppetfile, PuppetfileModule};

use crate::{Db, File, short_module_name};

/// Returns the contents of a `Puppetfile`; empty for a file without text.
#[salsa::tracked(returns(ref))]
pub fn puppetfile_of(db: &dyn Db, file: File) -> Puppetfile {
    plugins::puppetfile::read(file.contents(db).text().as_deref().unwrap_or_default())
}

/// Returns the name of the folder in which a `Puppetfile` installs the module.
pub fn installed_name(module: &PuppetfileModule) -> Name {
    short_module_name(&module.name)
}
