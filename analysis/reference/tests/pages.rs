//! Pages of modules, compared with those that puppet-strings writes (`tests/conformance/reference.rb`).

use std::fs;
use std::path::{Path, PathBuf};

use reference::{ModuleFile, ModuleReference};

pub(crate) fn recorded() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/conformance/reference")
}

fn files(root: &Path, folder: &Path, found: &mut Vec<(String, String)>) {
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        let relative = path.strip_prefix(root).expect("a path below").to_string_lossy().replace('\\', "/");
        if path.is_dir() {
            files(root, &path, found);
        } else if ModuleReference::reads(&relative) {
            found.push((relative, fs::read_to_string(&path).expect("a readable file")));
        }
    }
}

pub(crate) fn reference(module: &str) -> ModuleReference {
    let root = recorded().join(module);
    let mut found = Vec::new();
    files(&root, &root, &mut found);
    ModuleReference::read(found.iter().map(|(path, text)| ModuleFile { path, text }))
}

pub(crate) fn of_file(path: &str, text: &str) -> ModuleReference {
    ModuleReference::read([ModuleFile { path, text }])
}

#[test]
fn pages_equal_those_of_puppet_strings() {
    let expected = fs::read_to_string(recorded().join("depot/REFERENCE.md")).expect("a readable file");
    assert_eq!(reference("depot").markdown(), expected);
}

#[test]
fn documents_equal_those_of_puppet_strings() {
    let expected = fs::read_to_string(recorded().join("depot/reference.json")).expect("a readable file");
    let expected: serde_json::Value = serde_json::from_str(&expected).expect("a readable file");
    assert_eq!(reference("depot").json(), expected);
}

#[test]
fn broken_files_are_listed() {
    let cases = [
        ("manifests/a.pp", "class a {", "manifests/a.pp:1: definitions of a file with a syntax error"),
        ("lib/a.rb", "def a", "lib/a.rb:1: definitions of a file with a syntax error"),
        ("tasks/a.json", "[", "tasks/a.json:1: task whose metadata is not a JSON object"),
        (
            "lib/puppet/type/a.rb",
            "\nPuppet::ResourceApi.register_type(SCHEMA)",
            "lib/puppet/type/a.rb:2: resource type whose schema is not a literal",
        ),
        (
            "lib/puppet/datatypes/a.rb",
            "Puppet::DataTypes.create_type('A') { }",
            "lib/puppet/datatypes/a.rb:1: data type that is written in Ruby",
        ),
    ];
    for (path, text, expected) in cases {
        assert_eq!(of_file(path, text).omitted, [expected], "{path}");
    }
}

#[test]
fn other_files_are_ignored() {
    for path in ["site.pp", "files/a.pp", "templates/a.epp", "spec/a.rb", "tasks/b/c.json", "lib/a.txt"] {
        assert!(!ModuleReference::reads(path), "{path}");
    }
}

/// Odd comments and literals never lead to a panic.
#[test]
fn hostile_comments_are_read() {
    let comments = [
        "@",
        "@param",
        "@param [",
        "@param a [B",
        "@option a",
        "@enum",
        "@example",
        "@!x",
        "@return ]x",
        "\u{e9}'\u{e9}' [\u{e9}",
    ];
    for comment in comments {
        let manifest = format!("# {comment}\nclass a($a = 1) {{ }}");
        assert_eq!(of_file("manifests/a.pp", &manifest).classes.len(), 1, "{comment}");
        let ruby = format!(
            "# {comment}\nPuppet::Functions.create_function(:a) do\n  # {comment}\n  dispatch(:a) {{ param 'B', :a }}\nend"
        );
        assert_eq!(of_file("lib/a.rb", &ruby).functions.len(), 1, "{comment}");
    }
}
