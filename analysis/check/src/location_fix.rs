//! Fix for definitions whose name does not match the path of their file.

use codes::Code;
use project::{Db, File};
use validation::ExpectedNamespace;

use crate::Diagnostic;
use crate::diagnostic::FixData;

const CODE: Code = Code::IllegalDefinitionLocation;

/// Adds the expected name to the first misnamed definition, unless another definition has that name.
pub(crate) fn add_right_name(db: &dyn Db, file: File, found: &mut [Diagnostic]) {
    let Some(misnamed) = found.iter_mut().find(|it| it.code == CODE) else { return };
    let ExpectedNamespace::Module { namespace } = project::file_location(db, file) else { return };
    if project::defined_names(db, file).iter().all(|it| it.name != *namespace) {
        misnamed.data = Some(FixData::ReplaceWith { range: misnamed.range, text: namespace.as_str().into() });
    }
}
