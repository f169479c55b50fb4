//! The user's own settings for all repositories: `settings.toml`, with the keys of `puppet-analyzer.toml`,
//! and `trusted-folders`, one folder per line, to which editors append.

use std::io::Write;
use std::path::{Path, PathBuf};

use super::MAX_FILE_SIZE;
use crate::path_policy::read_regular_text;

/// Returns the path and contents of the user's settings file, if it exists.
pub fn user_file() -> Option<(PathBuf, String)> {
    let file = folder()?.join("settings.toml");
    let text = read_regular_text(&file, MAX_FILE_SIZE).ok()?;
    Some((file, text))
}

/// Returns the folders that the user trusts permanently.
pub fn trusted_folders() -> Vec<String> {
    let text =
        folder().and_then(|folder| read_regular_text(&folder.join("trusted-folders"), MAX_FILE_SIZE).ok());
    let lines = text.as_deref().unwrap_or_default().lines().map(str::trim);
    lines.filter(|line| !line.is_empty() && Path::new(line).is_absolute()).map(str::to_owned).collect()
}

/// Adds a folder to those that the user trusts permanently.
pub fn trust_permanently(trusted: &str) -> std::io::Result<()> {
    let folder = folder().ok_or(std::io::ErrorKind::NotFound)?;
    std::fs::create_dir_all(&folder)?;
    let mut file =
        std::fs::OpenOptions::new().create(true).append(true).open(folder.join("trusted-folders"))?;
    file.write_all(format!("{trusted}\n").as_bytes())
}

/// Returns the folder of the user's settings.
fn folder() -> Option<PathBuf> {
    let absolute = |name: &str| std::env::var_os(name).map(PathBuf::from).filter(|it| it.is_absolute());
    let of_system = if cfg!(windows) { absolute("APPDATA") } else { None };
    let base =
        absolute("XDG_CONFIG_HOME").or(of_system).or_else(|| Some(absolute("HOME")?.join(".config")))?;
    Some(base.join("puppet-analyzer"))
}
