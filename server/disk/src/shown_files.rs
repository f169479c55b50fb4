//! Files for editors that cannot show virtual documents: in the user's own cache folder, or in a temporary folder that is
//! removed at the end.

use std::fs::{self, DirBuilder, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::SystemTime;

/// Maximum number of files that are kept in the cache folder.
const MAX_FILES: usize = 100;

/// Maximum length of a file name without its extension, in bytes.
const MAX_NAME_LENGTH: usize = 120;

/// Files that were written for the editor.
#[derive(Debug, Default)]
pub struct ShownFiles {
    /// Temporary folder, created on first use.
    temporary: Mutex<Option<PathBuf>>,
}

impl ShownFiles {
    /// Writes a file, which only the user can read, and returns its path. It replaces an older file of the same name. Without a
    /// cache folder, the file is in a temporary folder.
    ///
    /// # Errors
    /// Fails if the folder is not writable.
    pub fn write(
        &self,
        cache: Option<&Path>,
        name: &str,
        extension: &str,
        text: &str,
    ) -> io::Result<PathBuf> {
        let folder = match cache {
            Some(cache) => cache_subfolder(cache)?,
            None => self.temporary_folder()?,
        };
        let name = file_name(name);
        let new = folder.join(format!(".new-{}", std::process::id()));
        match fs::remove_file(&new) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            _ => {}
        }
        let mut options = OpenOptions::new();
        options.write(true).create_new(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        options.open(&new)?.write_all(text.as_bytes())?;
        let path = folder.join(format!("{name}.{extension}"));
        fs::rename(&new, &path)?;
        Ok(path)
    }

    fn temporary_folder(&self) -> io::Result<PathBuf> {
        let mut temporary = self.temporary.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(folder) = &*temporary {
            return Ok(folder.clone());
        }
        // `create` fails if something of that name exists, even a link.
        for number in 0..1000 {
            let folder =
                std::env::temp_dir().join(format!("puppet-analyzer-{}-{number}", std::process::id()));
            match private_folder().create(&folder) {
                Ok(()) => return Ok(temporary.insert(folder).clone()),
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err(error),
            }
        }
        Err(io::ErrorKind::AlreadyExists.into())
    }
}

impl Drop for ShownFiles {
    fn drop(&mut self) {
        let temporary = self.temporary.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(folder) = temporary {
            // If this fails, the system removes the folder at some point.
            let _ = fs::remove_dir_all(folder);
        }
    }
}

fn private_folder() -> DirBuilder {
    let mut builder = DirBuilder::new();
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder
}

/// Returns the folder for shown files in the cache folder, after removing the oldest files.
fn cache_subfolder(cache: &Path) -> io::Result<PathBuf> {
    let folder = cache.join("shown");
    private_folder().recursive(true).create(&folder)?;
    let entries = fs::read_dir(&folder)?.flatten();
    let modified = |entry: &fs::DirEntry| entry.metadata().and_then(|it| it.modified());
    let mut files: Vec<(SystemTime, PathBuf)> =
        entries.filter_map(|it| Some((modified(&it).ok()?, it.path()))).collect();
    files.sort();
    for (_, old) in files.iter().take((files.len() + 1).saturating_sub(MAX_FILES)) {
        // If this fails, there are more files than intended.
        let _ = fs::remove_file(old);
    }
    Ok(folder)
}

/// Converts a title to a file name that is valid everywhere.
fn file_name(title: &str) -> String {
    let name = title.replace("::", "-");
    let keeps = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
    let mut name: String = name.chars().map(|c| if keeps(c) { c } else { '_' }).collect();
    name.truncate(MAX_NAME_LENGTH);
    // Neither hidden nor a reserved name of Windows.
    format!("puppet-{}", name.trim_start_matches('.'))
}

#[cfg(test)]
#[path = "shown_files_tests.rs"]
mod tests;
