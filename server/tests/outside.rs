//! Checks that files outside of a repository are neither read nor revealed, whatever the repository contains.

#![cfg(unix)]

use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Marker that must not appear in any output.
const MARK: &str = "OutsideMarker";

/// Temporary folder with `repo` and, next to it, `outside`, whose files contain the marker.
struct Folders(PathBuf);

impl Folders {
    fn new(test: &str, files: &[(&str, &str)], links: &[(&str, &str)]) -> Folders {
        let root =
            std::env::temp_dir().join(format!("puppet-analyzer-outside-{}-{test}", std::process::id()));
        let _ = fs::remove_dir_all(&root);
        let marked = format!("key: {MARK}\n");
        let class = format!("class m {{ notify {{ '{MARK}': }} $a = }}");
        let options = format!("--no-{MARK}-check\n");
        let outside = [
            ("outside/data.yaml", marked.as_str()),
            ("outside/m/manifests/init.pp", class.as_str()),
            ("outside/options", options.as_str()),
        ];
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
fn outside_files_are_not_revealed() {
    let hiera = |datadir: &str| {
        format!("version: 5\nhierarchy:\n  - {{name: a, datadir: {datadir}, path: data.yaml}}\n")
    };
    let (up, absolute, inside) = (hiera("../outside"), hiera("OUTSIDE"), hiera("data"));
    let reader =
        "class m { notify { file('OUTSIDE/data.yaml'): } notify { template('OUTSIDE/data.yaml'): } }";
    type Pairs<'a> = Vec<(&'a str, &'a str)>;
    let rows: [(&str, Pairs<'_>, Pairs<'_>); 10] = [
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
        ("options of puppet-lint", vec![SITE], vec![(".puppet-lint.rc", "outside/options")]),
        ("functions", vec![SITE, ENVIRONMENT, ("modules/m/manifests/init.pp", reader)], vec![]),
    ];
    let commands: [&[&str]; 19] = [
        &["check", "."],
        &["check", "--select", "pedantic", "modules/m", "data"],
        &["lint", "modules/m", "data"],
        &["rewrite", "params", "--diff", "modules/m"],
        &["rewrite", "epp", "--diff", "modules/m"],
        &["format", "--diff", "modules/m"],
        &["lint", "."],
        &["format", "--diff", "."],
        &["check", "--select", "pedantic", "--fix", "--diff", "."],
        &["check", "--compile", "--format", "json", "."],
        &["compile"],
        &["compile", "--os", "debian12", "--format", "json"],
        &["compile", "--all"],
        &["impact", "Notify[x]"],
        &["lookup", "key", "--explain"],
        &["hiera", "explain", "a"],
        &["hiera", "moves"],
        &["unused", "--show-open"],
        &["eval", "-e", "file('/proc/self/environ')"],
    ];
    for (name, files, links) in rows {
        let folders = Folders::new("revealed", &files, &links);
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

/// Checks that files outside are treated as unknown: never as missing, and code that depends on them is
/// inconclusive.
#[test]
fn outside_files_are_unknown() {
    const INIT: &str = "modules/n/manifests/init.pp";
    let site = ("manifests/site.pp", "node default { include n }");
    let hiera = ("hiera.yaml", "version: 5\nhierarchy:\n  - {name: a, path: data.yaml}\n");
    let glob = ("hiera.yaml", "version: 5\nhierarchy:\n  - {name: a, glob: '../../outside/*.yaml'}\n");
    let reads = (INIT, "class n { notify { template('n/x.erb'): } notify { file('n/x'): } }");
    let dots = (INIT, "class n { notify { file('n/../../../../outside/data.yaml'): } }");
    let calls = (INIT, "class n { include n::far::x  n::f(1) }");
    let takes = (INIT, "class n(String $key) { notify { $key: } }");
    let looks = (INIT, "class n { notify { lookup('key'): } }");
    let of_module = ("modules/n/hiera.yaml", hiera.1);
    let not_read = "path is outside of the trusted folders";
    type Pairs<'a> = Vec<(&'a str, &'a str)>;
    let rows: [(&str, Pairs<'_>, Pairs<'_>, &str); 10] = [
        (
            "folders of files",
            vec![reads],
            vec![("modules/n/templates", "outside"), ("modules/n/files", "outside")],
            "modules/n/templates/x.erb` is not read",
        ),
        (
            "files",
            vec![reads],
            vec![
                ("modules/n/templates/x.erb", "outside/data.yaml"),
                ("modules/n/files/x", "outside/data.yaml"),
            ],
            "modules/n/files/x` is not read",
        ),
        ("dots", vec![dots], vec![], "outside/data.yaml` is not read"),
        (
            "folders of code",
            vec![calls],
            vec![("modules/n/manifests/far", "outside"), ("modules/n/lib", "outside")],
            "class `n::far::x` not found",
        ),
        ("a folder of data", vec![takes, hiera], vec![("data", "outside/m")], "data/data.yaml` is not read"),
        (
            "a module's folder of data",
            vec![takes, of_module],
            vec![("modules/n/data", "outside/m")],
            "modules/n/data/data.yaml` is not read",
        ),
        ("a glob", vec![looks, glob], vec![], "outside/*.yaml` is not read"),
        (
            "a configuration",
            vec![looks],
            vec![("hiera.yaml", "outside/data.yaml")],
            "hiera.yaml` is not read",
        ),
        (
            "a module's configuration",
            vec![takes],
            vec![("modules/n/hiera.yaml", "outside/data.yaml")],
            "modules/n/hiera.yaml` is not read",
        ),
        ("all modules", vec![], vec![("modules", "outside")], "class `n` not found"),
    ];
    for (name, mut files, links, expected) in rows {
        files.extend([site, ENVIRONMENT]);
        let folders = Folders::new("missing", &files, &links);
        for command in [&["check", "--compile", "."] as &[&str], &["compile", "--os", "debian12"]] {
            let output = folders.output(command);
            assert!(!output.contains("error["), "{name}: {command:?}\n{output}");
            assert!(output.contains(expected), "{name}: {command:?}\n{output}");
        }
    }
    let expected = "unknown: any value; some data files cannot be read";
    let folders = Folders::new("missing", &[site, ENVIRONMENT], &[("hiera.yaml", "outside/data.yaml")]);
    let output = folders.output(&["lookup", "key", "--os", "debian12"]);
    assert!(output.contains(expected), "{output}");
    let glob = ("hiera.yaml", "version: 5\nhierarchy: [{name: n, datadir: ../outside, glob: '*.yaml'}]\n");
    let output = Folders::new("missing", &[site, ENVIRONMENT, glob], &[]).output(&["lookup", "key"]);
    assert!(output.contains(expected), "{output}");
    let named = [("environment.conf", "manifest = ../outside/m/manifests/init.pp\n")];
    let output = Folders::new("missing", &named, &[]).output(&["check", "."]);
    assert!(output.contains("init.pp` of environment.conf: ") && output.contains(not_read), "{output}");
}

#[test]
fn paths_named_by_the_user_are_read() {
    let folders = Folders::new("named", &[("manifests/site.pp", "")], &[]);
    let outside = folders.0.join("outside");
    let output =
        folders.output(&["compile", "--modulepath", &outside.to_string_lossy(), "--code", "include m"]);
    assert!(output.contains("m/manifests/init.pp"), "{output}");
    assert!(Path::new(&outside).is_dir());
    for (link, target, shown) in [("link", "repo", "../link"), ("repo/modules", "repo/manifests", "modules")]
    {
        symlink(folders.0.join(target), folders.0.join(link)).expect("a link");
        let output = folders.output(&["check", "--require-files", shown]);
        assert!(output.contains("No findings in 1 file\n"), "{shown}: {output}");
    }
}
