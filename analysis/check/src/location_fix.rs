//! The right name for a definition whose name does not fit the path of its file.

use codes::Code;
use project::{Db, File};
use validation::ExpectedNamespace;

use crate::Diagnostic;
use crate::diagnostic::FixData;

const CODE: Code = Code::IllegalDefinitionLocation;

/// Tells the first misnamed definition what Puppet would look for in the file, unless something has that name already.
pub(crate) fn add_right_name(db: &dyn Db, file: File, found: &mut [Diagnostic]) {
    let Some(misnamed) = found.iter_mut().find(|it| it.code == CODE) else { return };
    let ExpectedNamespace::Module { namespace } = project::file_location(db, file) else { return };
    if project::defined_names(db, file).iter().all(|it| it.name != *namespace) {
        misnamed.data = Some(FixData::ReplaceWith { range: misnamed.range, text: namespace.as_str().into() });
    }
}
