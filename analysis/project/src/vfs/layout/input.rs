//! Input of the detection of layouts.

use crate::vfs::FilePath;
use rustc_hash::FxHashMap;

/// Folders of a module whose manifests Puppet loads by name.
pub const AUTOLOAD_FOLDERS: [&str; 4] = ["manifests", "functions", "types", "plans"];

/// Names of folders that contain modules by convention.
pub const MODULE_FOLDERS: [&str; 4] = ["site-modules", "site", "modules", "dist"];

/// Input of the detection.
pub(crate) struct LayoutInput<'a> {
    /// Existing files that are [`super::is_interesting`], by path.
    pub(crate) paths: &'a [&'a FilePath],
    /// Texts of the files that determine the layout.
    pub(crate) texts: &'a FxHashMap<FilePath, &'a str>,
    pub(crate) roots: &'a [FilePath],
    /// Additional folders of modules from the settings.
    pub(crate) module_path: &'a [String],
    /// True if `module_path` replaces the module paths of the environments.
    pub(crate) module_path_is_whole: bool,
    /// Value of `$basemodulepath` from the settings.
    pub(crate) base_module_path: &'a [String],
}
