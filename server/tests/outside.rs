//! What lies outside of a repository is neither read nor told, whatever the repository says.

#![cfg(unix)]

use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::Command;

/// What must not show.
const MARK: &str = "MarkOfTheOutside";

/// A folder with `repo` and, beside it, `outside`, whose files have the mark.
struct Folders(PathBuf);

impl Folders {
    fn new(test: &str, files: &[(&str, &str)], links: &[(&str, &str)]) -> Folders {
        let root =
            std::env::temp_dir().join(format!("puppet-analyzer-outside-{}-{test}", std::process::id()));
        let _ = fs::remove_dir_all(&root);
        let marked = format!("key: {MARK}\n");
        let class = format!("class m {{ notify {{ '{MARK}': }} $a = }}");
        let outside =
            [("outside/data.yaml", marked.as_str()), ("outside/m/manifests/init.pp", class.as_str())];
        for (path, text) in files
            .iter()
            .map(|(path, text)| (format!("repo/{path}"), *text))
            .chain(outside.map(|(path, text)| (path.to_owned(), text)))
        {
            let path = root.join(path);
            fs::create_dir_all(path.parent().expect("has a folder")).expect("a temporary folder");
            fs::write(path, text.replace("OUTSIDE", &root.join("outside").to_string_lossy()))
                .expect("a temporary file");
        }
        for (link, target) in links {
            let link = root.join("repo").join(link);
            fs::create_dir_all(link.parent().expect("has a folder")).expect("a temporary folder");
            symlink(root.join(target), link).expect("a link");
        }
        Folders(root)
    }

    fn output(&self, arguments: &[&str]) -> String {
        let mut program = Command::new(env!("CARGO_BIN_EXE_puppet-analyzer"));
        let output =
            program.args(arguments).current_dir(self.0.join("repo")).output().expect("the program runs");
        assert!(output.status.code().is_some(), "{arguments:?} ended by a signal");
        format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr))
    }
}

impl Drop for Folders {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

const SITE: (&str, &str) = (
    "manifests/site.pp",
    "node default { include m  notify { \"value ${lookup('key', undef, undef, 'none')}\": } }",
);
const ENVIRONMENT: (&str, &str) = ("environment.conf", "modulepath = modules\n");

#[test]
fn nothing_outside_is_told() {
    let hiera = |datadir: &str| {
        format!("version: 5\nhierarchy:\n  - {{name: a, datadir: {datadir}, path: data.yaml}}\n")
    };
    let (up, absolute, inside) = (hiera("../outside"), hiera("OUTSIDE"), hiera("data"));
    let reader =
        "class m { notify { file('OUTSIDE/data.yaml'): } notify { template('OUTSIDE/data.yaml'): } }";
    type Pairs<'a> = Vec<(&'a str, &'a str)>;
    let rows: [(&str, Pairs<'_>, Pairs<'_>); 9] = [
        ("data by dots", vec![SITE, ENVIRONMENT, ("hiera.yaml", &up)], vec![]),
        ("data by a full path", vec![SITE, ENVIRONMENT, ("hiera.yaml", &absolute)], vec![]),
        (
            "data by a link",
            vec![SITE, ENVIRONMENT, ("hiera.yaml", &inside)],
            vec![("data/data.yaml", "outside/data.yaml")],
        ),
        (
            "a folder of data by a link",
            vec![SITE, ENVIRONMENT, ("hiera.yaml", &inside)],
            vec![("data", "outside")],
        ),
        ("a module path", vec![SITE, ("environment.conf", "modulepath = modules:OUTSIDE\n")], vec![]),
        (
            "a setting",
            vec![SITE, ENVIRONMENT, ("puppet-analyzer.toml", "module-path = ['OUTSIDE']\n")],
            vec![],
        ),
        (
            "trust in oneself",
            vec![
                SITE,
                ("environment.conf", "modulepath = modules:OUTSIDE\n"),
                ("puppet-analyzer.toml", "trusted-folders = ['OUTSIDE']\n"),
            ],
            vec![],
        ),
        ("a module by a link", vec![SITE, ENVIRONMENT], vec![("modules/m", "outside/m")]),
        ("functions", vec![SITE, ENVIRONMENT, ("modules/m/manifests/init.pp", reader)], vec![]),
    ];
    let commands: [&[&str]; 9] = [
        &["check", "."],
        &["format", "--diff", "."],
        &["check", "--select", "pedantic", "--fix", "--diff", "."],
        &["check", "--compile", "--format", "json", "."],
        &["compile"],
        &["compile", "--os", "debian12", "--format", "json"],
        &["compile", "--all"],
        &["lookup", "key", "--explain"],
        &["eval", "-e", "file('/proc/self/environ')"],
    ];
    for (name, files, links) in rows {
        let folders = Folders::new("told", &files, &links);
        for command in commands {
            let output = folders.output(command);
            assert!(!output.contains(MARK), "{name}: {command:?}\n{output}");
            assert!(
                !output.contains("Unknown class") && !output.contains("PATH="),
                "{name}: {command:?}\n{output}"
            );
        }
    }
}

#[test]
fn what_the_user_names_is_read() {
    let folders = Folders::new("named", &[("manifests/site.pp", "")], &[]);
    let outside = folders.0.join("outside");
    let output =
        folders.output(&["compile", "--modulepath", &outside.to_string_lossy(), "--code", "include m"]);
    assert!(output.contains("m/manifests/init.pp"), "{output}");
    assert!(Path::new(&outside).is_dir());
}
