use super::*;

/// Cache folder of a test, removed on drop.
struct Cache(PathBuf);

impl Cache {
    fn new(name: &str) -> Cache {
        let folder = std::env::temp_dir().join(format!("shown-files-{name}-{}", std::process::id()));
        fs::create_dir_all(&folder).expect("the folder can be made");
        Cache(folder)
    }
}

impl Drop for Cache {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

#[test]
fn file_names_are_valid_everywhere() {
    let cases = [
        ("apache::vhost on Debian 12", "puppet-apache-vhost_on_Debian_12"),
        ("../../etc/passwd", "puppet-_.._etc_passwd"),
        ("a/b\\c:d*e", "puppet-a_b_c_d_e"),
        ("ä\u{202e}\n", "puppet-___"),
        ("", "puppet-"),
    ];
    for (title, expected) in cases {
        assert_eq!(file_name(title), expected, "{title:?}");
    }
    assert!(file_name(&"x".repeat(5000)).len() < 200);
}

#[test]
fn temporary_files_are_removed() {
    let shown = ShownFiles::default();
    let first = shown.write(None, "a", "txt", "one").expect("the file can be written");
    let second = shown.write(None, "b", "dot", "two").expect("the file can be written");
    assert_eq!(fs::read_to_string(&first).expect("a text"), "one");
    assert_eq!(first.parent(), second.parent());
    drop(shown);
    assert!(!first.exists() && !second.exists());
}

#[test]
fn files_in_the_cache_are_replaced_and_limited() {
    let cache = Cache::new("limit");
    let shown = ShownFiles::default();
    let write = |name: &str, text: &str| {
        shown.write(Some(&cache.0), name, "txt", text).expect("the file can be written")
    };
    assert_eq!(write("a", "one"), write("a", "two"));
    assert_eq!(fs::read_to_string(write("a", "three")).expect("a text"), "three");
    for number in 0..MAX_FILES + 20 {
        write(&number.to_string(), "x");
    }
    assert_eq!(fs::read_dir(cache.0.join("shown")).expect("a folder").count(), MAX_FILES);
    drop(shown);
    assert!(cache.0.join("shown").exists());
}

#[cfg(unix)]
#[test]
fn only_the_user_can_read_the_files() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let cache = Cache::new("mode");
    let shown = ShownFiles::default();
    let mode = |path: &Path| fs::metadata(path).expect("metadata").permissions().mode() & 0o777;
    for folder in [None, Some(cache.0.as_path())] {
        let path = shown.write(folder, "a", "txt", "x").expect("the file can be written");
        assert_eq!((mode(&path), mode(path.parent().expect("a folder"))), (0o600, 0o700));
    }
    // A link of the same name is replaced, not followed.
    let target = cache.0.join("target");
    fs::write(&target, "kept").expect("the file can be written");
    symlink(&target, cache.0.join("shown/puppet-b.txt")).expect("the link can be made");
    let path = shown.write(Some(&cache.0), "b", "txt", "new").expect("the file can be written");
    assert_eq!(fs::read_to_string(&target).expect("a text"), "kept");
    assert_eq!(fs::read_to_string(path).expect("a text"), "new");
}
