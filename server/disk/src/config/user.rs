//! What the user has said for all repositories, in a folder of their own: `settings.toml`, with the keys of
//! `puppet-analyzer.toml`, and `trusted-folders`, a line each, to which an editor adds.

use std::io::Write;
use std::path::{Path, PathBuf};

use super::MAX_FILE_SIZE;
use crate::path_policy::read_regular_text;

/// The user's settings, with the place of the file; `None` where there is none.
pub fn user_file() -> Option<(PathBuf, String)> {
    let file = folder()?.join("settings.toml");
    let text = read_regular_text(&file, MAX_FILE_SIZE).ok()?;
    Some((file, text))
}

/// The folders that the user has let be read once and for all.
pub fn trusted_folders() -> Vec<String> {
    let text =
        folder().and_then(|folder| read_regular_text(&folder.join("trusted-folders"), MAX_FILE_SIZE).ok());
    let lines = text.as_deref().unwrap_or_default().lines().map(str::trim);
    lines.filter(|line| !line.is_empty() && Path::new(line).is_absolute()).map(str::to_owned).collect()
}

/// Notes that a folder may be read from now on, by all that this user starts.
pub fn trust_for_ever(trusted: &str) -> std::io::Result<()> {
    let folder = folder().ok_or(std::io::ErrorKind::NotFound)?;
    std::fs::create_dir_all(&folder)?;
    let mut file =
        std::fs::OpenOptions::new().create(true).append(true).open(folder.join("trusted-folders"))?;
    file.write_all(format!("{trusted}\n").as_bytes())
}

/// Where the settings of programs lie.
fn folder() -> Option<PathBuf> {
    let absolute = |name: &str| std::env::var_os(name).map(PathBuf::from).filter(|it| it.is_absolute());
    let of_system = if cfg!(windows) { absolute("APPDATA") } else { None };
    let base =
        absolute("XDG_CONFIG_HOME").or(of_system).or_else(|| Some(absolute("HOME")?.join(".config")))?;
    Some(base.join("puppet-analyzer"))
}
