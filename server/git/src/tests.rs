//! Comparison with Git itself for repositories of many kinds.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::config::GitConfig;
use crate::{ObjectContents, Repository};

static FOLDERS: AtomicUsize = AtomicUsize::new(0);

/// A temporary folder that is removed on drop.
struct Folder(PathBuf);

impl Folder {
    fn new() -> Folder {
        let number = FOLDERS.fetch_add(1, Ordering::Relaxed);
        let name = format!("puppet-analyzer-git-{}-{number}", std::process::id());
        let folder = std::env::temp_dir().join(name);
        fs::create_dir_all(&folder).expect("a temporary folder");
        Folder(folder.canonicalize().expect("a temporary folder"))
    }

    fn write(&self, path: &str, text: &str) {
        let path = self.0.join(path);
        fs::create_dir_all(path.parent().expect("has a folder")).expect("a temporary folder");
        fs::write(path, text).expect("a temporary file");
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn try_git(folder: &Path, arguments: &[&str]) -> Option<String> {
    let mut git = Command::new("git");
    git.args([
        "-c",
        "user.name=Test",
        "-c",
        "user.email=test@example.com",
        "-c",
        "protocol.file.allow=always",
    ]);
    let output =
        git.args(["-c", "gc.auto=0"]).args(arguments).current_dir(folder).output().expect("git runs");
    output.status.success().then(|| String::from_utf8(output.stdout).expect("UTF-8").trim_end().to_owned())
}

fn git(folder: &Path, arguments: &[&str]) -> String {
    try_git(folder, arguments).unwrap_or_else(|| panic!("git {arguments:?} fails"))
}

/// Creates commits of growing files, so that packs contain deltas; a merged branch, tags and a link.
fn history(folder: &Folder) {
    let text =
        |length: usize| (0..length).map(|line| format!("notify {{ 'line {line}': }}\n")).collect::<String>();
    for step in 0..12 {
        folder.write("manifests/init.pp", &text(400 + step));
        folder.write(&format!("data/node{step}.yaml"), &format!("key: {step}\n"));
        git(&folder.0, &["add", "."]);
        git(&folder.0, &["commit", "--quiet", "--message", "step"]);
        if step == 5 {
            git(&folder.0, &["tag", "light"]);
            git(&folder.0, &["tag", "--annotate", "--message", "heavy", "v1.0"]);
            git(&folder.0, &["checkout", "--quiet", "-b", "topic/one"]);
        }
    }
    git(&folder.0, &["checkout", "--quiet", "-"]);
    git(&folder.0, &["checkout", "--quiet", "-b", "side", "light~2"]);
    folder.write("files/empty", "");
    git(&folder.0, &["add", "."]);
    git(&folder.0, &["commit", "--quiet", "--message", "side"]);
    git(&folder.0, &["merge", "--quiet", "--no-edit", "topic/one"]);
}

#[test]
fn last_changes_match_git() {
    let folder = Folder::new();
    git(&folder.0, &["init", "--quiet"]);
    history(&folder);
    let repository = Repository::at(&folder.0).expect("readable");
    let all = git(&folder.0, &["ls-files"]);
    let paths = all.lines().map(str::to_owned).collect();
    let found = repository.last_changes(&paths).expect("readable");
    let expected = paths.iter().map(|path| {
        let time = git(&folder.0, &["log", "-1", "--format=%ct", "--", path]);
        (path.clone(), time.parse().expect("a number"))
    });
    assert_eq!(found, expected.collect());
    assert!(repository.changed_files().expect("readable").is_empty());
    folder.write("manifests/init.pp", "notice('changed')");
    folder.write("untracked", "");
    assert_eq!(repository.changed_files().expect("readable"), ["manifests/init.pp"]);
}

/// Among commits of the same second, a common ancestor may be found before the merge base.
#[test]
fn merge_bases_of_commits_with_the_same_time_match_git() {
    for round in 0..8 {
        let folder = Folder::new();
        git(&folder.0, &["init", "--quiet"]);
        let commit = |message: &str| {
            let arguments =
                ["commit", "--quiet", "--allow-empty", "--date=2026-01-01T00:00:00Z", "--message"];
            let mut git = Command::new("git");
            git.env("GIT_COMMITTER_DATE", "2026-01-01T00:00:00Z");
            git.args(["-c", "user.name=Test", "-c", "user.email=test@example.com"]).args(arguments);
            let status = git.arg(format!("{message} {round}")).current_dir(&folder.0).status();
            assert!(status.expect("git runs").success());
        };
        commit("first");
        git(&folder.0, &["checkout", "--quiet", "-b", "topic"]);
        ["a", "b", "c", "d"].into_iter().for_each(commit);
        git(&folder.0, &["checkout", "--quiet", "-b", "side", "HEAD~4"]);
        ["e", "f"].into_iter().for_each(commit);
        git(&folder.0, &["merge", "--quiet", "--no-edit", "topic"]);
        let repository = Repository::at(&folder.0).expect("a repository");
        for (first, second) in
            [("side", "topic"), ("topic", "side"), ("side^1", "topic"), ("topic~2", "side")]
        {
            let commit = |name: &str| repository.commit(name).expect("exists");
            let found = repository.merge_base(commit(first), commit(second)).expect("readable");
            let expected = git(&folder.0, &["merge-base", first, second]);
            assert_eq!(found.map(|it| it.to_string()), Some(expected), "{first} {second}");
        }
    }
}

const REVISIONS: [&str; 22] = [
    "HEAD",
    "@",
    "HEAD~3",
    "HEAD^",
    "HEAD^2",
    "HEAD^2~1",
    "HEAD~1^0",
    "HEAD^{commit}~1",
    "side",
    "heads/side",
    "refs/heads/topic/one",
    "topic/one~4",
    "light",
    "v1.0",
    "v1.0^{}",
    "v1.0~2^1",
    "tags/v1.0",
    "HEAD@{1}",
    "side@{1}",
    "nothing",
    "HEAD~99",
    "HEAD^3",
];

/// Compares everything that Git reports about a repository with what this crate reads.
fn check(top: &Path) {
    let repository = Repository::around(top).expect("readable").expect("there is one");
    for revision in REVISIONS {
        let wanted = try_git(top, &["rev-parse", "--verify", "--quiet", &format!("{revision}^{{commit}}")]);
        let found = repository.commit(revision).ok().map(|it| it.to_string());
        assert_eq!(found, wanted, "{revision} in {}", top.display());
        let Some(wanted) = wanted else { continue };
        for length in [7, 12, 40] {
            let digits = &wanted[..length];
            let found = repository.commit(digits).expect("exists").to_string();
            assert_eq!(found, wanted, "{revision} by {digits}");
        }
        let tree = repository.tree(repository.commit(revision).expect("exists")).expect("a tree");
        let mut lines: Vec<String> = Vec::new();
        for (path, entry) in &tree.entries {
            let ObjectContents::Bytes(bytes) = repository.read(entry.object, u64::MAX).expect("exists")
            else {
                panic!("{path} is small")
            };
            lines.push(format!("blob {} {:>7}\t{path}", entry.object, bytes.len()));
            let too_large = repository.read(entry.object, 3).expect("exists");
            assert_eq!(too_large == ObjectContents::TooLarge(bytes.len() as u64), bytes.len() > 3, "{path}");
        }
        let listed = git(top, &["-c", "core.quotePath=off", "ls-tree", "-r", "-l", "--full-tree", revision]);
        let mut listed: Vec<&str> =
            listed.lines().filter_map(|line| line.split_once(' ')).map(|it| it.1).collect();
        listed.sort_unstable();
        lines.sort_unstable();
        assert_eq!(lines, listed, "{revision}");
    }
    for (first, second) in [
        ("HEAD", "topic/one"),
        ("side", "light~1"),
        ("topic/one", "HEAD^1"),
        ("light", "v1.0"),
        ("HEAD~1", "HEAD^2~2"),
    ] {
        let (Ok(one), Ok(two)) = (repository.commit(first), repository.commit(second)) else { continue };
        let found = repository.merge_base(one, two).expect("readable").map(|it| it.to_string());
        assert_eq!(found, try_git(top, &["merge-base", first, second]), "{first} {second}");
    }
    let whole = repository.tree(repository.commit("HEAD").expect("exists")).expect("a tree");
    let manifest = whole.entries["manifests/init.pp"].object;
    let ObjectContents::Bytes(bytes) = repository.read(manifest, u64::MAX).expect("exists") else {
        panic!("small")
    };
    assert_eq!(
        String::from_utf8(bytes).expect("UTF-8").trim_end(),
        git(top, &["show", "HEAD:manifests/init.pp"])
    );
    check_index(top, &repository);
}

fn check_index(top: &Path, repository: &Repository) {
    let index = repository.index().expect("readable");
    let listed = git(top, &["ls-files", "--stage"]);
    let listed: Vec<(&str, &str)> = listed
        .lines()
        .filter_map(|line| line.split_once('\t'))
        .map(|(about, path)| (about.split(' ').nth(1).unwrap_or_default(), path))
        .collect();
    let found: Vec<(String, &str)> =
        index.entries.iter().map(|(path, entry)| (entry.object.to_string(), path.as_str())).collect();
    let found: Vec<(&str, &str)> = found.iter().map(|(object, path)| (object.as_str(), *path)).collect();
    assert_eq!(found, listed);
    let path = top.join("manifests/init.pp");
    // A file written long before the index is certain to be unmodified. Git compares whole seconds, so each
    // time must be in another second, no matter how long the test takes.
    let age = 1_000 * (1 + FOLDERS.fetch_add(1, Ordering::Relaxed) as u64);
    let before = std::time::SystemTime::now() - std::time::Duration::from_secs(age);
    let file = fs::File::options().append(true).open(&path).expect("exists");
    file.set_modified(before).expect("a time");
    git(top, &["update-index", "--refresh"]);
    let is_untouched =
        || repository.index().expect("readable").entries["manifests/init.pp"].is_as_checked_out;
    assert!(is_untouched());
    let text = fs::read_to_string(&path).expect("exists");
    fs::write(&path, text.replace('0', "1")).expect("writable");
    assert!(!is_untouched());
    fs::write(&path, text).expect("writable");
}

#[test]
fn matches_git() {
    for (format, shape) in [("sha1", ""), ("sha1", "packed"), ("sha256", ""), ("sha256", "packed")] {
        let folder = Folder::new();
        git(&folder.0, &["init", "--quiet", &format!("--object-format={format}")]);
        history(&folder);
        if shape == "packed" {
            git(&folder.0, &["gc", "--quiet", "--aggressive"]);
            git(&folder.0, &["pack-refs", "--all"]);
        }
        check(&folder.0);
        for version in ["2", "3", "4"] {
            git(&folder.0, &["update-index", "--index-version", version]);
            check_index(&folder.0, &Repository::at(&folder.0).expect("readable"));
        }
        let other = Folder::new();
        let tree = other.0.join("worktree");
        git(&folder.0, &["worktree", "add", "--quiet", "--detach", &tree.to_string_lossy(), "side"]);
        git(&folder.0, &["config", "extensions.worktreeConfig", "true"]);
        git(&folder.0, &["config", "--local", "core.repositoryFormatVersion", "1"]);
        check(&tree);
        let clone = other.0.join("clone");
        git(&other.0, &["clone", "--quiet", "--shared", &folder.0.to_string_lossy(), "clone"]);
        check(&clone);
        git(&folder.0, &["repack", "-q", "-a", "-d", "--max-pack-size=1m"]);
        check(&clone);
        for option in ["--delta-base-offset", "--no-delta-base-offset"] {
            let is_offset = (option == "--delta-base-offset").to_string();
            git(
                &folder.0,
                &["-c", &format!("repack.useDeltaBaseOffset={is_offset}"), "repack", "-q", "-a", "-d", "-F"],
            );
            check(&folder.0);
        }
    }
}

#[test]
fn bare_repositories_are_not_recognized() {
    let folder = Folder::new();
    git(&folder.0, &["init", "--quiet"]);
    history(&folder);
    git(&folder.0, &["init", "--quiet", "--bare", "modules/bare"]);
    fs::create_dir_all(folder.0.join("modules/empty/.git")).expect("a folder");
    for below in ["modules/bare", "modules/bare/objects", "modules/empty", "manifests"] {
        let found = Repository::around(&folder.0.join(below)).expect("readable").expect("there is one");
        assert_eq!(found.top(), folder.0, "{below}");
    }
    let outside = Folder::new();
    git(&outside.0, &["init", "--quiet", "--bare", "bare"]);
    assert!(Repository::around(&outside.0.join("bare")).expect("nothing to read").is_none());
}

#[test]
fn unsupported_formats_are_rejected() {
    for (setting, value, message) in [
        ("core.repositoryformatversion", "2", "format version 2"),
        ("extensions.future", "true", "extension `future`"),
        ("extensions.refstorage", "reftable", "storage `reftable`"),
        ("extensions.objectformat", "sha3", "object format `sha3`"),
    ] {
        let folder = Folder::new();
        git(&folder.0, &["init", "--quiet"]);
        history(&folder);
        folder.write(".git/config", "[core]\n\trepositoryformatversion = 1\n");
        git(&folder.0, &["config", "--file", ".git/config", setting, value]);
        let error = Repository::around(&folder.0).err().expect("unsupported");
        assert!(format!("{error:#}").contains(message), "{error:#}");
    }
}

#[test]
fn missing_objects_of_incomplete_clones() {
    let folder = Folder::new();
    git(&folder.0, &["init", "--quiet"]);
    history(&folder);
    git(&folder.0, &["config", "uploadpack.allowFilter", "true"]);
    let address = format!("file://{}", folder.0.display());
    let other = Folder::new();
    git(&other.0, &["clone", "--quiet", "--depth", "2", &address, "shallow"]);
    let shallow = Repository::at(&other.0.join("shallow")).expect("readable");
    assert!(shallow.is_shallow() && !shallow.is_partial());
    let error = shallow.commit("HEAD~5").expect_err("missing");
    assert!(format!("{error:#}").contains("the clone is shallow"), "{error:#}");
    git(&other.0, &["clone", "--quiet", "--filter=blob:none", &address, "partial"]);
    let partial = Repository::at(&other.0.join("partial")).expect("readable");
    assert!(partial.is_partial());
    let tree = partial.tree(partial.commit("light").expect("exists")).expect("exists");
    let error = partial.read(tree.entries["manifests/init.pp"].object, u64::MAX).expect_err("missing");
    assert!(format!("{error:#}").contains("the clone is partial"), "{error:#}");
}

#[test]
fn corrupt_objects_are_errors() {
    let folder = Folder::new();
    git(&folder.0, &["init", "--quiet"]);
    history(&folder);
    git(&folder.0, &["gc", "--quiet", "--aggressive"]);
    let packs = fs::read_dir(folder.0.join(".git/objects/pack")).expect("a folder");
    let files: Vec<PathBuf> = packs.map(|it| it.expect("a file").path()).collect();
    let mut files: Vec<PathBuf> =
        files.into_iter().filter(|it| it.extension().is_some_and(|it| it == "idx" || it == "pack")).collect();
    files.push(folder.0.join(".git/index"));
    let mut random = 12345_u32;
    for file in files {
        let whole = fs::read(&file).expect("exists");
        fs::remove_file(&file).expect("removable");
        for _ in 0..400 {
            random = random.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            let mut damaged = whole.clone();
            let at = (random >> 8) as usize % damaged.len();
            match random & 3 {
                0 => damaged.truncate(at),
                1 => damaged[at] = 0xff,
                _ => damaged[at] ^= 1 << (random >> 4 & 7),
            }
            fs::write(&file, &damaged).expect("writable");
            // Only termination without a panic matters, not the result.
            let Ok(repository) = Repository::at(&folder.0) else { continue };
            let _ = repository.index();
            let tree = repository.commit("HEAD~4").and_then(|commit| repository.tree(commit));
            for entry in tree.iter().flat_map(|it| it.entries.values()) {
                let _ = repository.read(entry.object, 1 << 20);
            }
        }
        fs::write(&file, &whole).expect("writable");
    }
}

#[test]
fn configuration() {
    let text = "[core]\n\tautocrlf = input ; comment\n  bare\n[branch \"a.\\\"B\"] merge = refs/heads/x\n[Remote \"o\"]\n\turl = \"a ; b\"  \\\n c # d\n fetch=\n[old.Sub]key=1\n";
    let config = GitConfig::parse(text);
    for (key, value) in [
        ("core.autocrlf", Some("input")),
        ("core.bare", Some("true")),
        ("branch.a.\"B.merge", Some("refs/heads/x")),
        ("remote.o.url", Some("a ; b   c")),
        ("remote.o.fetch", Some("")),
        ("old.sub.key", Some("1")),
        ("core.nothing", None),
    ] {
        assert_eq!(config.get(key), value, "{key}");
    }
}
