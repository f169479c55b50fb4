use std::fs;
use std::path::PathBuf;

use super::*;

/// Creates a folder with `repo/`, `outside/` and `named/` in it.
fn folders(name: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("puppet-analyzer-door-{name}-{}", std::process::id()));
    let _ = fs::remove_dir_all(&folder);
    for (file, text) in [
        ("repo/data/a.yaml", "a"),
        ("outside/secret.yaml", "secret"),
        ("named/m/manifests/init.pp", "m"),
        ("big", "123456789"),
    ] {
        let file = folder.join(file);
        fs::create_dir_all(file.parent().expect("a folder")).expect("folders can be made");
        fs::write(file, text).expect("files can be written");
    }
    folder
}

fn trusted(folder: &Path) -> TrustedFolders {
    TrustedFolders::new([folder.join("repo")], [folder.join("named")])
}

#[test]
fn only_paths_inside_are_admitted() {
    let folder = folders("inside");
    let trusted = trusted(&folder);
    let rows = [
        ("repo/data/a.yaml", "admitted"),
        ("repo", "admitted"),
        ("repo/nothing", "file not found"),
        ("repo/../outside/secret.yaml", "path is outside of the trusted folders"),
        ("outside/secret.yaml", "path is outside of the trusted folders"),
        ("outside/nothing", "path is outside of the trusted folders"),
        ("repository", "path is outside of the trusted folders"),
        ("named/m/manifests/init.pp", "admitted"),
    ];
    for (path, expected) in rows {
        let found = trusted
            .admit(&folder.join(path))
            .map_or_else(|failure| failure.to_string(), |_| "admitted".to_owned());
        assert_eq!(found, expected, "{path}");
    }
}

#[cfg(unix)]
#[test]
fn only_links_in_named_folders_may_lead_outside() {
    use std::os::unix::fs::symlink;
    let folder = folders("links");
    let links = [
        ("repo/to-inside", "repo/data", true),
        ("repo/to-file", "outside/secret.yaml", false),
        ("repo/to-outside", "outside", false),
        ("repo/to-root", "/", false),
        ("repo/to-named", "named/m", true),
        ("named/to-outside", "outside", true),
    ];
    for (link, target, _) in links {
        symlink(folder.join(target), folder.join(link)).expect("links can be made");
    }
    let trusted = trusted(&folder);
    for (link, _, is_admitted) in links {
        assert_eq!(trusted.admit(&folder.join(link)).is_ok(), is_admitted, "{link}");
    }
    assert!(trusted.read(&folder.join("repo/to-outside/secret.yaml"), 100).is_err());
    // Missing and existing files are indistinguishable.
    for (link, target) in [("gone", "../outside/gone"), ("gone-twice", "gone"), ("gone-inside", "data/gone")]
    {
        symlink(target, folder.join("repo").join(link)).expect("links can be made");
    }
    for (path, expected) in [
        ("repo/to-outside/gone.yaml", "path is outside of the trusted folders"),
        ("repo/to-outside/gone/gone.yaml", "path is outside of the trusted folders"),
        ("repo/gone", "path is outside of the trusted folders"),
        ("repo/gone-twice", "path is outside of the trusted folders"),
        ("repo/gone-inside", "file not found"),
        ("repo/to-inside/gone.yaml", "file not found"),
    ] {
        let found = trusted.admit(&folder.join(path)).expect_err("nothing is there").to_string();
        assert_eq!(found, expected, "{path}");
    }
}

#[cfg(unix)]
#[test]
fn links_to_modules_in_a_plain_folder() {
    use std::os::unix::fs::symlink;
    for (name, marker, is_admitted) in
        [("plain", None, true), ("repository", Some("environment.conf"), false)]
    {
        let folder = folders(name);
        symlink(folder.join("named/m"), folder.join("repo/m")).expect("links can be made");
        symlink(folder.join("outside"), folder.join("repo/no_module")).expect("links can be made");
        if let Some(marker) = marker {
            fs::write(folder.join("repo").join(marker), "").expect("files can be written");
        }
        let trusted = TrustedFolders::new([folder.join("repo")], []);
        assert_eq!(trusted.admit(&folder.join("repo/m/manifests/init.pp")).is_ok(), is_admitted, "{name}");
        assert!(trusted.admit(&folder.join("repo/no_module/secret.yaml")).is_err(), "{name}");
    }
}

#[cfg(unix)]
#[test]
fn only_regular_files_within_the_limit_are_read() {
    let folder = folders("regular");
    let pipe = folder.join("repo/pipe");
    rustix::fs::mknodat(
        rustix::fs::CWD,
        &pipe,
        rustix::fs::FileType::Fifo,
        rustix::fs::Mode::from_bits_truncate(0o600),
        0,
    )
    .expect("pipes can be made");
    let rows = [
        (pipe, "not a regular file (named pipe)"),
        (PathBuf::from("/dev/zero"), "not a regular file (device)"),
        (folder.join("repo"), "not a regular file (folder)"),
        (folder.join("big"), "file is too large"),
        // Kernel files report a size of 0.
        (PathBuf::from("/proc/self/maps"), "file is too large"),
    ];
    for (path, expected) in rows {
        let found = read_regular(&path, 8).map_or_else(|failure| failure.to_string(), |_| "read".to_owned());
        assert_eq!(found, expected, "{}", path.display());
    }
    assert_eq!(read_regular(&folder.join("big"), 9).ok().as_deref(), Some(b"123456789".as_slice()));
    assert!(matches!(read_named(Path::new("/dev/zero"), 1000), Err(ReadFailure::TooLarge)));
}

#[cfg(unix)]
#[test]
fn dangling_links_are_unreadable() {
    use ide::{DiskState, FilePath};
    let folder = folders("nowhere");
    let link = folder.join("repo/data/private.yaml");
    std::os::unix::fs::symlink(folder.join("nowhere.yaml"), &link).expect("links can be made");
    let trusted = trusted(&folder);
    let settings = crate::ScanSettings { trusted: trusted.clone(), ..Default::default() };
    let path = |native: &Path| FilePath::from_native(native.to_str().expect("UTF-8")).expect("a path");
    let mut found = Vec::new();
    crate::scan(&path(&folder.join("repo")), &settings, &Default::default(), |files| found.extend(files));
    let state = found.iter().find(|(file, _)| *file == path(&link)).map(|(_, state)| state);
    assert!(matches!(state, Some(DiskState::Unreadable(_))), "{state:?}");
    assert!(matches!(crate::read_text(&link, &trusted), DiskState::Unreadable(_)));
}
