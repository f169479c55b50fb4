use std::collections::BTreeMap;
use std::fs::File;

use ide::DiskState;

use super::*;
use crate::stamp::TIME_RESOLUTION;
use crate::walk::walk_settings;
use crate::{FileClock, NotRead, ScanSettings, StopFlag, TrustedFolders, scan, scan_with_index};

/// A folder of modules that is large enough to be indexed, and a cache.
struct Modules {
    folder: tempfile::TempDir,
    clock: FileClock,
}

/// Result of a scan, and how much of it came from the index.
struct Scanned {
    files: BTreeMap<FilePath, DiskState>,
    not_read: Vec<NotRead>,
    was_walked: bool,
    kept: usize,
    texts: usize,
}

impl Modules {
    fn new() -> Modules {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let mut modules = Modules { folder, clock: FileClock::System };
        for module in 0..10 {
            for class in 0..60 {
                let text = format!("class m{module}::c{class} {{\n{}}}\n", "  # a line\n".repeat(class * 5));
                modules.write(&format!("m{module}/manifests/c{class}.pp"), &text);
            }
            modules.write(&format!("m{module}/data/common.yaml"), "password: secret-of-data\n");
            modules.write(&format!("m{module}/metadata.json"), "{}");
            modules.write(&format!("m{module}/files/motd"), "");
        }
        modules.pass_time_resolution();
        modules
    }

    fn root(&self) -> PathBuf {
        self.folder.path().join("modules")
    }

    fn path(&self, file: &str) -> PathBuf {
        self.root().join(file)
    }

    fn cache(&self) -> PathBuf {
        self.folder.path().join("cache")
    }

    fn write(&self, file: &str, text: &str) {
        let path = self.path(file);
        fs::create_dir_all(path.parent().expect("a folder")).expect("folders can be made");
        fs::write(path, text).expect("files can be written");
    }

    /// Sets the clock so that earlier changes are detectable, and later ones are too recent. Waits until later
    /// ones have different file times, which takes some milliseconds.
    fn pass_time_resolution(&mut self) {
        let probe = self.folder.path().join("probe");
        let time = || {
            fs::write(&probe, "").expect("files can be written");
            fs::metadata(&probe).and_then(|it| it.modified()).expect("a time")
        };
        let last = time();
        let next = std::iter::repeat_with(time).find(|it| *it > last).expect("time passes");
        self.clock = FileClock::At(next + TIME_RESOLUTION);
    }

    fn scan_with(&self, settings: &ScanSettings) -> Scanned {
        let root = file_path(&self.root());
        let mut files = BTreeMap::new();
        let stop = StopFlag::default();
        let index = FolderIndex::of(&self.cache(), &root);
        let was_walked = index.files(&walk_settings(settings)).is_none();
        let (not_read, to_keep) =
            scan_with_index(&root, settings, &self.cache(), &stop, |batch| files.extend(batch));
        let to_keep = to_keep.expect("a scan to its end");
        let mut afresh = BTreeMap::new();
        let not_read_afresh = scan(&root, settings, &stop, |batch| afresh.extend(batch));
        assert_eq!(not_read, not_read_afresh);
        let differs = |(file, state): &(&FilePath, &DiskState)| afresh.get(*file) != Some(*state);
        let different: Vec<_> = files.iter().filter(differs).map(|(file, _)| file).collect();
        assert!(different.is_empty(), "the index and the disk differ: {different:?}");
        assert_eq!(files.len(), afresh.len());
        let (kept, texts) = (to_keep.kept, to_keep.texts.len());
        to_keep.write();
        Scanned { files, not_read, was_walked, kept, texts }
    }

    fn settings(&self) -> ScanSettings {
        let trusted = TrustedFolders::new([&self.root()], []);
        ScanSettings { trusted, clock: self.clock, ..ScanSettings::default() }
    }

    fn scan(&self) -> Scanned {
        self.scan_with(&self.settings())
    }

    /// Returns the files of the cache.
    fn kept_files(&self) -> Vec<PathBuf> {
        let entries = fs::read_dir(self.cache().join("index")).expect("the cache");
        entries.map(|it| it.expect("an entry").path()).collect()
    }
}

fn file_path(path: &Path) -> FilePath {
    FilePath::from_native(path.to_str().expect("UTF-8")).expect("a path")
}

impl Scanned {
    /// Returns the contents of a file.
    fn text(&self, modules: &Modules, file: &str) -> String {
        match &self.files[&file_path(&modules.path(file))] {
            DiskState::Text(text) => text.to_string(),
            DiskState::Packed(packed) => packed.text().to_string(),
            other => panic!("{other:?}"),
        }
    }
}

#[test]
#[cfg(unix)]
fn second_start_only_reads_changes() {
    let modules = Modules::new();
    let first = modules.scan();
    assert_eq!((first.was_walked, first.kept, first.texts), (true, 0, 610));
    assert_eq!(first.not_read.len(), 0);
    let second = modules.scan();
    assert_eq!((second.was_walked, second.kept, second.texts), (false, 610, 610));

    // Changed in place, replaced by another file with the same times and length, added, removed.
    modules.write("m1/manifests/c1.pp", "class m1::c1 { $changed = 1 }\n");
    let old = modules.path("m2/manifests/c2.pp");
    let length = fs::metadata(&old).expect("a file").len();
    let modified = fs::metadata(&old).and_then(|it| it.modified()).expect("a time");
    modules.write("m2/manifests/other", &" ".repeat(length as usize));
    fs::rename(modules.path("m2/manifests/other"), &old).expect("files can be renamed");
    File::options().write(true).open(&old).and_then(|it| it.set_modified(modified)).expect("a time");
    modules.write("m3/manifests/new/d.pp", "class m3::new::d { }\n");
    fs::remove_file(modules.path("m4/manifests/c4.pp")).expect("files can be removed");
    let third = modules.scan();
    assert!(third.was_walked && third.kept >= 607, "{} are kept", third.kept);
    assert_eq!(third.text(&modules, "m1/manifests/c1.pp"), "class m1::c1 { $changed = 1 }\n");
    assert_eq!(third.text(&modules, "m2/manifests/c2.pp").trim(), "");
    assert_eq!(third.text(&modules, "m3/manifests/new/d.pp"), "class m3::new::d { }\n");
    assert!(!third.files.contains_key(&file_path(&modules.path("m4/manifests/c4.pp"))));
}

#[test]
fn recent_changes_are_not_stored() {
    let modules = Modules::new();
    modules.write("m1/manifests/c1.pp", "class m1::c1 { $x = 1 }\n");
    let first = modules.scan();
    assert!(first.texts < 610, "what has changed just now may change again without its being seen");
    // This change has the same file time as the one before.
    modules.write("m1/manifests/c1.pp", "class m1::c1 { $x = 2 }\n");
    let second = modules.scan();
    assert_eq!(second.text(&modules, "m1/manifests/c1.pp"), "class m1::c1 { $x = 2 }\n");
}

#[test]
#[cfg(unix)]
fn changed_settings_ignore_files_and_links() {
    let mut modules = Modules::new();
    modules.scan();
    let excluded = |modules: &Modules| ScanSettings { excluded: vec!["m1".to_owned()], ..modules.settings() };
    assert!(modules.scan_with(&excluded(&modules)).was_walked);
    modules.pass_time_resolution();
    assert!(!modules.scan_with(&excluded(&modules)).was_walked);
    // Changing an ignore file in place does not change its folder.
    modules.write(".ignore", "m2\n");
    modules.pass_time_resolution();
    assert!(modules.scan().was_walked);
    assert!(!modules.scan().was_walked);
    modules.write(".ignore", "m3\n");
    let scanned = modules.scan();
    let has =
        |module: &str| scanned.files.contains_key(&file_path(&modules.path(module).join("manifests/c1.pp")));
    assert_eq!((scanned.was_walked, has("m2"), has("m3")), (true, true, false));
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink(modules.path("m1"), modules.path("link")).expect("links can be made");
        modules.pass_time_resolution();
        modules.scan();
        assert!(modules.scan().was_walked, "where a link leads shows nowhere");
    }
}

#[test]
#[cfg(unix)]
fn damaged_and_foreign_files_are_ignored() {
    let modules = Modules::new();
    modules.scan();
    for file in modules.kept_files() {
        let whole = fs::read(&file).expect("a file of the cache");
        let mut damaged =
            [Vec::new(), whole[..10].to_vec(), whole[..whole.len() - 1].to_vec(), whole.clone()];
        let middle = whole.len() / 2;
        damaged[3][middle] ^= 1;
        for bytes in damaged {
            fs::write(&file, bytes).expect("files can be written");
            let scanned = modules.scan();
            assert!(scanned.was_walked || scanned.kept == 0, "{}", file.display());
        }
        let text = String::from_utf8_lossy(&whole[..60]).into_owned();
        let foreign =
            [text.replacen(env!("CARGO_PKG_VERSION"), "9.9.9", 1).into_bytes(), whole[60..].to_vec()];
        fs::write(&file, foreign.concat()).expect("files can be written");
        let scanned = modules.scan();
        assert!(scanned.was_walked || scanned.kept == 0, "{}", file.display());
    }
    let scanned = modules.scan();
    assert_eq!((scanned.was_walked, scanned.kept), (false, 610));
}

#[test]
fn data_is_not_stored_and_files_are_private() {
    let modules = Modules::new();
    modules.scan();
    for file in modules.kept_files() {
        let bytes = fs::read(&file).expect("a file of the cache");
        assert!(!bytes.windows(14).any(|it| it == b"secret-of-data"));
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            assert_eq!(fs::metadata(&file).expect("a file").permissions().mode() & 0o777, 0o600);
        }
    }
}

#[test]
fn unused_files_are_removed() {
    let modules = Modules::new();
    let index = modules.cache().join("index");
    fs::create_dir_all(&index).expect("folders can be made");
    let day = Duration::from_secs(24 * 3600);
    let names = [("old.texts", 61), ("used.texts", 59), (".unfinished-a", 2), (".unfinished-b", 0)];
    for (name, days) in names {
        let file = File::create(index.join(name)).expect("files can be made");
        file.set_modified(SystemTime::now() - day * days).expect("a time");
    }
    modules.scan();
    let left = names.map(|(name, _)| index.join(name).exists());
    assert_eq!(left, [false, true, false, true]);
}
