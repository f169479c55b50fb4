use std::fs;

use super::*;

/// Creates a control repository with an ignored module, an excluded one, and one that leads outside.
fn repository() -> PathBuf {
    let folder = std::env::temp_dir().join(format!(
        "puppet-analyzer-scan-{}-{:?}",
        std::process::id(),
        std::thread::current().id()
    ));
    let _ = fs::remove_dir_all(&folder);
    for file in [
        "repo/environment.conf",
        "repo/hiera.yaml",
        "repo/data/common.yaml",
        "repo/manifests/site.pp",
        "repo/modules/apt/manifests/init.pp",
        "repo/modules/apt/metadata.json",
        "repo/modules/apt/lib/puppet/functions/apt/f.rb",
        "repo/modules/apt/spec/classes/apt_spec.rb",
        "repo/modules/ntp/manifests/init.pp",
        "repo/modules/ntp/types/port.pp",
        "repo/modules/gone/manifests/init.pp",
        "repo/modules/other/manifests/init.pp",
        "repo/site-modules/role/manifests/web.pp",
        "repo/old/ntp/manifests/init.pp",
        "repo/old/mail/manifests/init.pp",
        "outside/leads/manifests/init.pp",
    ] {
        let file = folder.join(file);
        fs::create_dir_all(file.parent().expect("a folder")).expect("folders can be made");
        fs::write(file, "").expect("files can be written");
    }
    fs::write(folder.join("repo/.ignore"), "old\nmodules\n").expect("files can be written");
    #[cfg(unix)]
    std::os::unix::fs::symlink(folder.join("outside/leads"), folder.join("repo/modules/leads"))
        .expect("links can be made");
    folder.join("repo")
}

#[test]
fn modules_named_in_an_open_file_are_read_first() {
    let root = repository();
    let path = |native: &Path| FilePath::from_native(native.to_str().expect("UTF-8")).expect("a path");
    let settings = ScanSettings {
        excluded: vec!["modules/gone".to_owned()],
        trusted: TrustedFolders::new([&root], []),
        ..Default::default()
    };
    let mut all = Vec::new();
    scan(&path(&root), &settings, &StopFlag::default(), |files| all.extend(files));
    let all: HashSet<_> = all.into_iter().map(|(file, _)| file).collect();
    let text = "class apt { include ntp, gone, leads; include role::web, missing, mail }";
    for (open, expected) in [
        (
            "modules/apt/manifests/init.pp",
            "environment.conf hiera.yaml modules/apt/lib/puppet/functions/apt/f.rb modules/apt/manifests/init.pp \
             modules/apt/metadata.json modules/ntp/manifests/init.pp modules/ntp/types/port.pp \
             site-modules/role/manifests/web.pp",
        ),
        (
            "manifests/site.pp",
            "data/common.yaml environment.conf hiera.yaml manifests/site.pp \
             modules/apt/lib/puppet/functions/apt/f.rb modules/apt/manifests/init.pp modules/apt/metadata.json \
             modules/ntp/manifests/init.pp modules/ntp/types/port.pp site-modules/role/manifests/web.pp",
        ),
        // Ignored files are not read for an open file either.
        ("old/ntp/manifests/init.pp", ""),
    ] {
        let first = read_first(&path(&root), &settings, &path(&root.join(open)), text);
        let mut found = Vec::new();
        for (file, state) in &first {
            assert!(all.contains(file), "{open}: a scan does not read {}", file.as_str());
            assert!(!matches!(state, DiskState::Missing | DiskState::Unreadable(_)), "{}", file.as_str());
            found.push(file.strip_prefix(&path(&root)).expect("below the root").to_owned());
        }
        found.sort();
        if open.starts_with("old") {
            let is_old = |it: &String| it.starts_with("old");
            assert!(!found.iter().any(is_old), "{found:?}");
        } else {
            assert_eq!(found.join(" "), expected, "{open}");
        }
    }
}

/// Checks that a test file is read on first use, with its contents at that time, and that a link that
/// replaced it is not followed.
#[test]
fn test_files_are_read_lazily() {
    let root = repository();
    let test = root.join("modules/apt/spec/classes/apt_spec.rb");
    let path = FilePath::from_native(test.to_str().expect("UTF-8")).expect("a path");
    let trusted = TrustedFolders::new([&root], []);
    let state = crate::read_file(&path, &test, &trusted);
    assert!(matches!(state, DiskState::Packed(_)), "{state:?}");
    let write = |text: &str| fs::write(&test, text).expect("files can be written");
    write("describe 'apt'");
    assert_eq!(state.text().as_deref(), Some("describe 'apt'"));
    // The same state keeps the text that was read last.
    let read = || crate::read_file(&path, &test, &trusted);
    let before = read();
    assert_eq!(before, read());
    write("describe 'ntp'");
    fs::File::options()
        .write(true)
        .open(&test)
        .and_then(|file| file.set_modified(std::time::SystemTime::UNIX_EPOCH))
        .expect("times can be set");
    assert_ne!(before, read(), "another text of the same length");
    assert_eq!(read().text().as_deref(), Some("describe 'ntp'"));
    write("");
    assert_eq!(before.text().as_deref(), Some(""));
    let before = read();
    fs::remove_file(&test).expect("files can be removed");
    assert_eq!(before.text().as_deref(), Some(""));
    #[cfg(unix)]
    {
        write("");
        let before = read();
        fs::remove_file(&test).expect("files can be removed");
        std::os::unix::fs::symlink(root.join("hiera.yaml"), &test).expect("links can be made");
        fs::write(root.join("hiera.yaml"), "secret").expect("files can be written");
        assert_eq!(before.text().as_deref(), Some(""));
        assert_eq!(read().text().as_deref(), Some("secret"));
    }
}

/// Returns once the clock for file times has ticked, so that later changes have later times.
fn next_tick(probe: &Path) {
    let written = || {
        fs::write(probe, "").expect("files can be written");
        fs::metadata(probe).and_then(|it| it.modified()).expect("files have times")
    };
    let start = written();
    while written() == start {}
}

/// Checks that repeated scans find every change, and that only changes cause another walk.
#[cfg(unix)]
#[test]
fn repeated_scans_find_all_changes() {
    use std::os::unix::fs::symlink;

    let root = repository();
    fs::remove_file(root.join("modules/leads")).expect("files can be removed");
    symlink(root.join("data/common.yaml"), root.join("data/linked.yaml")).expect("links can be made");
    let settings = ScanSettings {
        excluded: vec!["modules/gone".to_owned()],
        trusted: TrustedFolders::new([&root], []),
        clock: FileClock::At(std::time::SystemTime::now() + std::time::Duration::from_secs(3600)),
        ..Default::default()
    };
    let path = FilePath::from_native(root.to_str().expect("UTF-8")).expect("a path");
    let kept = ScannedFolder::new(path.clone(), settings.clone());
    let is_known =
        || kept.known.lock().is_ok_and(|it| it.as_ref().is_some_and(|it| it.files(&kept.settings).is_some()));
    let stamps = |folder: &ScannedFolder| {
        let mut stamps = folder.stamps();
        stamps.sort_by(|a, b| a.0.cmp(&b.0));
        stamps
    };
    let at = |path: &str| root.join(path);
    let write = |path: &str, text: &str| fs::write(at(path), text).expect("files can be written");
    let remove = |path: &str| fs::remove_file(at(path)).expect("files can be removed");
    type Change<'c> = &'c dyn Fn();
    // Changes, and whether they affect the list of files.
    let changes: [(&str, bool, Change<'_>); 16] = [
        ("nothing", false, &|| {}),
        ("contents", false, &|| write("manifests/site.pp", "include ntp")),
        ("new file", true, &|| write("manifests/new.pp", "")),
        ("removed file", true, &|| remove("manifests/new.pp")),
        ("new folder", true, &|| fs::create_dir_all(at("manifests/a")).expect("folders can be made")),
        ("file in a new folder", true, &|| write("manifests/a/new.pp", "")),
        ("ignore file", true, &|| write(".ignore", "old\nmodules\nsite-modules\n")),
        ("ignore file in a folder", true, &|| write("data/.ignore", "common.yaml\n")),
        ("contents of a linked file", false, &|| write("data/common.yaml", "a: 1")),
        ("target of a link", true, &|| {
            remove("data/linked.yaml");
            symlink(at("hiera.yaml"), at("data/linked.yaml")).expect("links can be made");
        }),
        ("linked folder", true, &|| symlink(at("data"), at("manifests/linked")).expect("links can be made")),
        ("file in a linked folder", true, &|| write("data/more.yaml", "")),
        ("link to nowhere", true, &|| symlink(at("x.pp"), at("manifests/x.pp")).expect("links can be made")),
        ("target of a link to nowhere", true, &|| write("x.pp", "")),
        ("link to a file outside", true, &|| {
            let outside = root.with_file_name("outside").join("leads/manifests/init.pp");
            symlink(outside, at("manifests/outside.pp")).expect("links can be made");
        }),
        ("target of a linked folder", true, &|| {
            fs::rename(at("data"), at("moved")).expect("folders can be moved");
            symlink(at("moved"), at("data")).expect("links can be made");
        }),
    ];
    for (name, affects_files, change) in changes {
        stamps(&kept);
        assert!(is_known(), "before: {name}");
        next_tick(&root.with_file_name("clock"));
        change();
        assert_eq!(!is_known(), affects_files, "{name}");
        assert_eq!(stamps(&kept), stamps(&ScannedFolder::new(path.clone(), settings.clone())), "{name}");
    }
}
