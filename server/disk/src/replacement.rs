//! Atomic replacement of a file.

use std::io::{self, Write};
use std::path::Path;

/// Replaces the contents of a file atomically. Permissions are kept, and links are followed.
pub fn write(path: &Path, text: &str) -> io::Result<()> {
    let target = path.canonicalize()?;
    let permissions = std::fs::metadata(&target)?.permissions();
    if permissions.readonly() {
        return Err(io::ErrorKind::PermissionDenied.into());
    }
    let name = target.file_name().unwrap_or_default().to_string_lossy();
    let partial = target.with_file_name(format!(".{name}.{}.new", std::process::id()));
    crate::partial::replace(&partial, &target, |path| write_new(path, text, permissions))
}

fn write_new(path: &Path, text: &str, permissions: std::fs::Permissions) -> io::Result<()> {
    let mut file = std::fs::File::options().write(true).create_new(true).open(path)?;
    file.set_permissions(permissions)?;
    file.write_all(text.as_bytes())?;
    file.sync_all()
}
