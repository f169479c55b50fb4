//! Installed Puppet or OpenVox: its Ruby files are read for the documentation of built-in functions and
//! types.

use std::path::{Path, PathBuf};

use ide::{FilePath, InstalledFolder};

/// Value of the setting that disables it.
const NONE: &str = "none";

/// Installation folders of packages, each with the folder of the resource type modules that ship with it.
const INSTALL_FOLDERS: [(&str, &str); 4] = [
    ("/opt/puppetlabs/puppet", "/opt/puppetlabs/puppet/vendor_modules"),
    (
        "C:\\Program Files\\Puppet Labs\\Puppet\\puppet",
        "C:\\Program Files\\Puppet Labs\\Puppet\\puppet\\vendor_modules",
    ),
    ("/usr/lib/ruby/vendor_ruby", "/usr/share/puppet/vendor_modules"),
    ("/usr/share/ruby/vendor_ruby", "/usr/share/puppet/vendor_modules"),
];

/// Folders of Ruby files below the folder of a package, of a checkout or gem, and of the system's Ruby.
const RUBY_FOLDERS: [&str; 3] = ["lib/ruby/vendor_ruby", "lib", ""];

/// Folders that are read below a folder of Ruby files.
const FOLDERS: [&str; 4] = ["puppet/functions", "puppet/parser/functions", "puppet/type", "puppet/provider"];

/// Single files that are read.
const FILES: [&str; 1] = ["puppet/type.rb"];

/// Maximum nesting depth; deeper folders do not define anything by name.
const MAX_DEPTH: usize = 6;

/// Maximum size of a file in bytes, above that of any file of Puppet.
const MAX_FILE_SIZE: u64 = 1 << 20;

/// Reads the installed Puppet: that of the setting, or the first one found in the usual locations. Empty if
/// there is none, or the setting disables it.
pub fn read(setting: Option<&str>) -> Vec<InstalledFolder> {
    let _span = tracing::info_span!("installed Puppet").entered();
    let found = match setting {
        Some(NONE) => None,
        Some(folder) => Some((ruby_folder(Path::new(folder)), Path::new(folder).join("vendor_modules"))),
        None => {
            let mut usual =
                INSTALL_FOLDERS.iter().map(|(it, modules)| (ruby_folder(Path::new(it)), (*modules).into()));
            usual.find(|(ruby, _)| ruby.is_some())
        }
    };
    let Some((Some(ruby), modules)) = found else { return Vec::new() };
    let modules = std::fs::read_dir(modules).into_iter().flatten().flatten();
    let mut modules: Vec<PathBuf> =
        modules.map(|it| it.path().join("lib")).filter(|it| it.is_dir()).collect();
    modules.sort();
    std::iter::once(ruby).chain(modules).filter_map(|folder| read_folder(&folder)).collect()
}

/// Returns the folder of Puppet's Ruby files in an installation folder.
fn ruby_folder(folder: &Path) -> Option<PathBuf> {
    let mut candidates = RUBY_FOLDERS.iter().map(|it| folder.join(it));
    candidates.find(|it| it.join(FOLDERS[0]).is_dir())
}

/// Reads a folder of Ruby files; `None` if its path is not UTF-8.
fn read_folder(folder: &Path) -> Option<InstalledFolder> {
    let mut paths: Vec<PathBuf> = FILES.iter().map(|it| folder.join(it)).collect();
    FOLDERS.iter().for_each(|it| ruby_files(&folder.join(it), MAX_DEPTH, &mut paths));
    let read = |path: PathBuf| {
        let is_short = std::fs::metadata(&path).is_ok_and(|it| it.len() <= MAX_FILE_SIZE);
        let text = is_short.then(|| std::fs::read_to_string(&path).ok()).flatten()?;
        let below = path.strip_prefix(folder).ok()?.to_str()?.replace('\\', "/");
        Some((format!("lib/{below}").into(), FilePath::from_native(path.to_str()?)?, text.into()))
    };
    let root = FilePath::from_native(folder.to_str()?)?;
    Some(InstalledFolder { root, files: paths.into_iter().filter_map(read).collect() })
}

fn ruby_files(folder: &Path, depth: usize, found: &mut Vec<PathBuf>) {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let mut entries: Vec<_> = entries.map(|it| (it.path(), it.file_type())).collect();
    entries.sort_by(|(a, _), (b, _)| a.cmp(b));
    for (path, kind) in entries {
        match kind {
            Ok(kind) if kind.is_dir() && depth > 0 => ruby_files(&path, depth - 1, found),
            Ok(kind) if kind.is_file() && path.extension().is_some_and(|it| it == "rb") => found.push(path),
            _ => {}
        }
    }
}

#[cfg(test)]
#[path = "installed_tests.rs"]
mod tests;
