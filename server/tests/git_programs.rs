//! Checks that no program named by a repository is run.
//!
//! The tables contain every setting and attribute of Git that can name a program or an address handled by
//! one, according to the documentation of Git 2.47 (`git help --config`, `gitattributes`, `githooks`,
//! `gitmodules`, `git-remote-ext`).
#![cfg(unix)]

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Settings whose value is a program or a command line: section, subsection and name.
const PROGRAMS: &[(&str, &str, &str)] = &[
    ("alias", "", "status"),
    ("alias", "", "rev-parse"),
    ("alias", "", "cat-file"),
    ("browser", "x", "cmd"),
    ("browser", "x", "path"),
    ("core", "", "alternateRefsCommand"),
    ("core", "", "askPass"),
    ("core", "", "editor"),
    ("core", "", "fsmonitor"),
    ("core", "", "gitProxy"),
    ("core", "", "pager"),
    ("core", "", "sshCommand"),
    ("credential", "", "helper"),
    ("credential", "https://example.com", "helper"),
    ("diff", "", "external"),
    ("diff", "x", "command"),
    ("diff", "x", "textconv"),
    ("difftool", "x", "cmd"),
    ("difftool", "x", "path"),
    ("filter", "x", "clean"),
    ("filter", "x", "smudge"),
    ("filter", "x", "process"),
    ("gc", "", "recentObjectsHook"),
    ("gpg", "", "program"),
    ("gpg", "openpgp", "program"),
    ("gpg", "x509", "program"),
    ("gpg", "ssh", "program"),
    ("gpg", "ssh", "defaultKeyCommand"),
    ("guitool", "x", "cmd"),
    ("help", "", "browser"),
    ("imap", "", "tunnel"),
    ("instaweb", "", "browser"),
    ("instaweb", "", "httpd"),
    ("interactive", "", "diffFilter"),
    ("man", "x", "cmd"),
    ("man", "x", "path"),
    ("merge", "x", "driver"),
    ("mergetool", "x", "cmd"),
    ("mergetool", "x", "path"),
    ("pack", "", "packObjectsHook"),
    ("pager", "", "cat-file"),
    ("pager", "", "ls-tree"),
    ("pager", "", "status"),
    ("remote", "origin", "receivepack"),
    ("remote", "origin", "uploadpack"),
    ("remote", "origin", "vcs"),
    ("sendemail", "", "ccCmd"),
    ("sendemail", "", "headerCmd"),
    ("sendemail", "", "smtpServer"),
    ("sendemail", "", "sendmailCmd"),
    ("sendemail", "", "toCmd"),
    ("sequence", "", "editor"),
    ("ssh", "", "variant"),
    ("submodule", "x", "update"),
    ("tar", "x", "command"),
    ("trailer", "x", "cmd"),
    ("trailer", "x", "command"),
    ("uploadpack", "", "packObjectsHook"),
    ("web", "", "browser"),
];

/// Settings that make Git use the ones above.
const OPENERS: &[(&str, &str, &str, &str)] = &[
    ("core", "", "fsmonitorHookVersion", "1"),
    ("core", "", "untrackedCache", "true"),
    ("diff", "", "guitool", "x"),
    ("diff", "", "tool", "x"),
    ("extensions", "", "partialClone", "origin"),
    ("filter", "x", "required", "true"),
    ("man", "", "viewer", "x"),
    ("merge", "", "tool", "x"),
    ("commit", "", "gpgSign", "true"),
    ("log", "", "showSignature", "true"),
    ("merge", "", "verifySignatures", "true"),
    ("protocol", "", "allow", "always"),
    ("protocol", "ext", "allow", "always"),
    ("remote", "origin", "partialclonefilter", "blob:none"),
    ("remote", "origin", "promisor", "true"),
    ("remote", "origin", "fetch", "+refs/heads/*:refs/remotes/origin/*"),
    ("submodule", "", "recurse", "true"),
];

/// Names of hooks.
const HOOKS: &[&str] = &[
    "applypatch-msg",
    "commit-msg",
    "fsmonitor-watchman",
    "p4-changelist",
    "p4-post-changelist",
    "p4-pre-submit",
    "p4-prepare-changelist",
    "post-applypatch",
    "post-checkout",
    "post-commit",
    "post-index-change",
    "post-merge",
    "post-receive",
    "post-rewrite",
    "post-update",
    "pre-applypatch",
    "pre-auto-gc",
    "pre-commit",
    "pre-merge-commit",
    "pre-push",
    "pre-rebase",
    "pre-receive",
    "prepare-commit-msg",
    "proc-receive",
    "push-to-checkout",
    "reference-transaction",
    "sendemail-validate",
    "update",
];

/// Attributes applied to every file.
const ATTRIBUTES: &str = "* filter=x diff=x merge=x ident working-tree-encoding=UTF-8 text=auto\n";

/// Temporary folder with a repository and programs that leave a marker file when run.
struct Trap {
    folder: PathBuf,
    /// Object of the original manifest.
    manifest: String,
}

impl Trap {
    fn new(name: &str) -> Trap {
        let folder = std::env::temp_dir().join(format!("puppet-analyzer-trap-{}-{name}", std::process::id()));
        for below in ["programs", "marks", "repo/manifests", "repo/modules"] {
            fs::create_dir_all(folder.join(below)).expect("a temporary folder");
        }
        Trap { folder, manifest: String::new() }
    }

    fn repo(&self) -> PathBuf {
        self.folder.join("repo")
    }

    /// Creates a program that leaves a marker with its name.
    fn program(&self, name: &str) -> String {
        let mark = self.folder.join("marks").join(name);
        self.script(&self.folder.join("programs").join(name), &mark)
    }

    fn script(&self, path: &Path, mark: &Path) -> String {
        fs::create_dir_all(path.parent().expect("has a folder")).expect("a folder");
        fs::write(path, format!("#!/bin/sh\necho ran > '{}'\n", mark.display())).expect("a program");
        fs::set_permissions(path, fs::Permissions::from_mode(0o755)).expect("a program");
        path.to_string_lossy().into_owned()
    }

    fn marks(&self) -> Vec<String> {
        let marks = fs::read_dir(self.folder.join("marks")).expect("a folder");
        marks.map(|it| it.expect("a file").file_name().to_string_lossy().into_owned()).collect()
    }

    /// Runs Git and returns its output if it succeeds.
    fn git(&self, arguments: &[&str]) -> Option<String> {
        let mut git = Command::new("git");
        git.args(["-c", "user.name=Test", "-c", "user.email=test@example.com"]).args(arguments);
        let output = git.current_dir(self.repo()).output().expect("git runs");
        let printed = String::from_utf8_lossy(&output.stdout).trim_end().to_owned();
        output.status.success().then_some(printed)
    }

    fn write(&self, path: &str, text: &str) {
        let path = self.repo().join(path);
        fs::create_dir_all(path.parent().expect("has a folder")).expect("a folder");
        fs::write(path, text).expect("a file");
    }

    /// Adds every setting and hook to a repository.
    fn arm(&self, git: &Path, place: &str) {
        let config = git.join("config");
        let mut text = fs::read_to_string(&config).unwrap_or_default();
        let mut set = |section: &str, subsection: &str, name: &str, value: &str| {
            let header = if subsection.is_empty() { String::new() } else { format!(" \"{subsection}\"") };
            text.push_str(&format!("[{section}{header}]\n\t{name} = {value}\n"));
        };
        for (section, subsection, name) in PROGRAMS {
            let label = format!("{place}-{section}-{}-{name}", subsection.replace(['/', ':'], ""));
            let program = self.program(&label);
            let is_shell =
                *section == "alias" || *name == "update" || (*section, *name) == ("credential", "helper");
            set(section, subsection, name, &if is_shell { format!("!{program}") } else { program });
        }
        for (section, subsection, name, value) in OPENERS {
            set(section, subsection, name, value);
        }
        let transport = self.program(&format!("{place}-transport"));
        set("remote", "origin", "url", &format!("ext::{transport}"));
        set("url", &format!("ext::{transport}"), "insteadOf", "https:");
        let hooks = self.folder.join("programs").join(format!("{place}-hooks"));
        set("core", "", "hooksPath", &hooks.to_string_lossy());
        for hook in HOOKS {
            let mark = self.folder.join("marks").join(format!("{place}-{hook}"));
            self.script(&hooks.join(hook), &mark);
            self.script(&git.join("hooks").join(hook), &mark);
        }
        fs::write(git.join("extra-config"), &text).expect("a configuration");
        // A file that includes itself would make Git fail immediately.
        for (section, header) in [("include", ""), ("includeIf", " \"gitdir:**\"")] {
            text.push_str(&format!("[{section}{header}]\n\tpath = extra-config\n"));
        }
        fs::write(&config, &text).expect("a configuration");
        fs::create_dir_all(git.join("info")).expect("a folder");
        fs::write(git.join("info/attributes"), ATTRIBUTES).expect("attributes");
    }
}

impl Drop for Trap {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.folder);
    }
}

/// Creates a repository with two commits, the last of which contains a bare repository.
fn trap(name: &str) -> Trap {
    let mut trap = Trap::new(name);
    assert!(trap.git(&["init", "--quiet"]).is_some());
    trap.write("manifests/site.pp", "node default { include evil }\n");
    trap.write("environment.conf", "modulepath = modules\n");
    trap.write("modules/evil/manifests/init.pp", "class evil { notify { 'one': } }\n");
    for arguments in [&["add", "."][..], &["commit", "--quiet", "--message", "first"]] {
        assert!(trap.git(arguments).is_some());
    }
    trap.write("modules/evil/manifests/init.pp", "class evil { notify { 'two': } }\n");
    trap.write(".gitattributes", ATTRIBUTES);
    trap.write(".gitmodules", "[submodule \"x\"]\n\tpath = modules/x\n\turl = ext::sh\n\tupdate = !sh\n");
    let bare = trap.repo().join("modules/evil");
    for folder in ["objects/info", "objects/pack", "refs/heads"] {
        fs::create_dir_all(bare.join(folder)).expect("a folder");
        fs::write(bare.join(folder).join(".keep"), "").expect("a file");
    }
    trap.write("modules/evil/HEAD", "ref: refs/heads/main\n");
    trap.write(
        "modules/evil/config",
        "[core]\n\trepositoryformatversion = 0\n\tbare = false\n\tworktree = .\n",
    );
    trap.arm(&bare, "bare");
    for arguments in [&["add", "--force", "."][..], &["commit", "--quiet", "--message", "second"]] {
        assert!(trap.git(arguments).is_some());
    }
    trap.manifest = trap.git(&["rev-parse", "HEAD~1:modules/evil/manifests/init.pp"]).expect("exists");
    trap.arm(&trap.repo().join(".git"), "own");
    trap
}

#[test]
fn no_program_named_by_a_repository_is_run() {
    let trap = trap("all");
    let run = |folder: &str, arguments: &[&str]| {
        let mut program = Command::new(env!("CARGO_BIN_EXE_puppet-analyzer"));
        let output = program.args(arguments).current_dir(trap.repo().join(folder)).output();
        let output = output.expect("the program runs");
        let printed = [output.stdout, output.stderr].concat();
        (output.status.code(), String::from_utf8_lossy(&printed).into_owned())
    };
    let all = |expected: Option<i32>| {
        for arguments in
            [&["diff", "--base", "HEAD~1", "--os", "debian12"][..], &["diff", "--os", "debian12"]]
        {
            let (code, printed) = run("", arguments);
            // The filtered contents of the manifest are unknown.
            let wanted = expected.filter(|_| arguments.len() > 3).unwrap_or(0);
            assert_eq!(code, Some(wanted), "{arguments:?}: {printed}");
            run("modules/evil", arguments);
            run("", &[arguments, &["--environment", "modules/evil"]].concat());
        }
        for arguments in [
            &["check", "."][..],
            &["check", "--compile", "."],
            &["check", "--since", "HEAD~1", "--select", "pedantic", "--fix", "."],
            &["format", "--check", "."],
            &["compile", "--all"],
            &["impact", "manifests/site.pp"],
            &["impact", "Notify[x]"],
            &["lookup", "evil::x"],
            &["rewrite", "params", "--diff", "."],
            &["rewrite", "epp", "--diff", "."],
            &["hiera", "explain", "a"],
            &["hiera", "moves"],
            &["unused"],
            &["stats", "."],
        ] {
            run("", arguments);
            run("modules/evil", arguments);
        }
    };
    all(Some(3));
    // An object that a partial clone would fetch.
    let object = trap.repo().join(".git/objects").join(&trap.manifest[..2]).join(&trap.manifest[2..]);
    fs::remove_file(&object).expect("exists");
    let before = trap.marks();
    all(Some(2));
    let (_, printed) = run("", &["diff", "--base", "HEAD~1"]);
    assert!(printed.contains("the clone is partial"), "{printed}");
    assert_eq!((before, trap.marks()), (Vec::new(), Vec::new()));
    // The traps work: Git itself triggers some of them.
    trap.git(&["status"]);
    trap.git(&["diff"]);
    trap.git(&["cat-file", "-p", &trap.manifest]);
    let marks = trap.marks();
    assert!(marks.iter().any(|it| it.contains("fsmonitor")), "{marks:?}");
    assert!(marks.len() > 1, "{marks:?}");
}
