//! Tests of `--daemon`.

use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;
use std::process::{Command, Output};

use crate::folders::Folder;

const SITE: (&str, &str) = ("manifests/site.pp", "include m\ninclude m::b\n");

/// Creates a project, and a runtime folder whose removal ends the server.
fn folders(test: &str, mode: u32) -> (Folder, Folder) {
    let files = [
        ("environment.conf", ""),
        SITE,
        ("modules/m/manifests/init.pp", "class m { }\n"),
        ("modules/m/manifests/b.pp", "class m::b { include m }\n"),
    ];
    let runtime = Folder::new("r", &[]);
    fs::create_dir(runtime.0.join("puppet-analyzer")).expect("a temporary folder");
    fs::set_permissions(runtime.0.join("puppet-analyzer"), Permissions::from_mode(mode)).expect("own folder");
    (Folder::new(test, &files), runtime)
}

fn run(folder: &Folder, runtime: &Folder, arguments: &[&str]) -> (Option<i32>, String, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_puppet-analyzer"));
    command.args(arguments).current_dir(&folder.0).env("XDG_RUNTIME_DIR", &runtime.0);
    let Output { status, stdout, stderr } = command.output().expect("the program starts");
    let text = |bytes| String::from_utf8(bytes).expect("UTF-8");
    (status.code(), text(stdout), text(stderr))
}

fn sockets(runtime: &Folder) -> Vec<PathBuf> {
    let entries = fs::read_dir(runtime.0.join("puppet-analyzer")).expect("exists");
    entries.map(|it| it.expect("readable").path()).collect()
}

#[test]
fn answers_are_those_of_the_command() {
    let (folder, runtime) = folders("daemon", 0o700);
    let questions = [
        &["references", "modules/m/manifests/init.pp:1:7"][..],
        &["references", "--format", "json", "manifests/site.pp:1:9"],
        &["definition", "manifests/site.pp:2:12"],
        &["hover", "manifests/site.pp:2:12"],
        &["symbols", "m"],
        &["symbols", "nothing"],
        &["hover", "manifests/site.pp:99:1"],
        &["hover", "missing.pp:1:1"],
    ];
    let check = || {
        for question in questions {
            let expected = run(&folder, &runtime, question);
            let asked = [question, &["--daemon"]].concat();
            assert_eq!(run(&folder, &runtime, &asked), expected, "{question:?}");
        }
    };
    check();
    assert_eq!(sockets(&runtime).len(), 1);
    // Changes are read before each answer.
    folder.write(&[("manifests/site.pp", "\n\ninclude m::b\ninclude m\n")]);
    check();
    folder.write(&[("modules/n/manifests/init.pp", "class n { include m }\n"), SITE]);
    check();
    fs::remove_dir_all(folder.0.join("modules/n")).expect("exists");
    folder.write(&[("environment.conf", "modulepath = nothing\n")]);
    check();
}

#[test]
fn folders_of_others_are_not_used() {
    let (folder, runtime) = folders("daemon-private", 0o755);
    let (code, out, _) = run(&folder, &runtime, &["symbols", "--daemon", "m"]);
    assert!(code == Some(0) && out.contains("class m"), "{out}");
    assert!(sockets(&runtime).is_empty());
}
