//! Location of the socket of a server.

use std::fs::{self, DirBuilder};
use std::os::unix::fs::{DirBuilderExt, MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};

/// Maximum length of a socket path that all Unix systems accept.
const MAX_LENGTH: usize = 100;

/// Returns the socket for a root folder and this version of the program, in a folder that only the user can
/// access. `None` if there is no such folder.
pub(super) fn path(root: &Path) -> Option<PathBuf> {
    let root = root.canonicalize().ok()?;
    let program = std::env::current_exe().ok()?;
    let modified = program.metadata().ok()?.modified().ok()?;
    let identity = format!("{}\0{}\0{modified:?}", root.display(), program.display());
    let digest = Sha256::digest(identity.as_bytes());
    let name: String = digest.iter().take(8).map(|it| format!("{it:02x}")).collect();
    let socket = private_folder()?.join(format!("{name}.sock"));
    (socket.as_os_str().len() <= MAX_LENGTH).then_some(socket)
}

/// Returns the folder for sockets, which is created if necessary.
fn private_folder() -> Option<PathBuf> {
    let runtime = std::env::var_os("XDG_RUNTIME_DIR").map(PathBuf::from);
    let runtime = runtime.filter(|it| it.is_absolute() && it.is_dir()).map(|it| it.join("puppet-analyzer"));
    let folder = runtime.or_else(|| Some(disk::last_work::cache_folder()?.join("run")))?;
    let _ = fs::create_dir_all(folder.parent()?);
    let _ = DirBuilder::new().mode(0o700).create(&folder);
    let metadata = fs::symlink_metadata(&folder).ok()?;
    let is_own = metadata.uid() == fs::metadata("/proc/self").map_or(metadata.uid(), |it| it.uid());
    let is_private = metadata.is_dir() && metadata.permissions().mode() & 0o077 == 0;
    (is_own && is_private).then_some(folder)
}
