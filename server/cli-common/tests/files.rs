//! Kinds of files by their paths.

use std::path::Path;

use cli_common::files::{
    bounded_text, checks_encoding, is_checked_file, is_checked_for_upgrade, is_evaluated_file, language,
    largest_accepted,
};
use syntax::Language;

#[test]
fn checked_files_are_those_that_puppet_and_bolt_read() {
    // Path, checked, evaluated, checked for an upgrade, encoding checked.
    let cases = [
        ("manifests/init.pp", [true, true, true, false]),
        ("templates/a.epp", [true, true, true, false]),
        ("templates/a.erb", [true, false, true, true]),
        ("a.erb", [false, false, false, false]),
        ("files/policy.pp", [false, false, false, false]),
        ("metadata.json", [true, false, true, false]),
        ("Puppetfile", [true, false, true, false]),
        ("hiera.yaml", [true, false, true, true]),
        ("data/common.yaml", [true, false, true, true]),
        ("hieradata/nodes/a.eyaml", [true, false, true, true]),
        ("data/facts.d/a.yaml", [true, false, true, false]),
        ("other/common.yaml", [false, false, false, false]),
        ("tasks/run.json", [true, false, true, false]),
        ("tasks/run.sh", [false, false, false, false]),
        ("plans/a.yaml", [true, false, true, false]),
        ("bolt-project.yaml", [true, false, true, false]),
        ("lib/puppet/functions/a.rb", [false, false, true, false]),
        ("spec/a.rb", [false, false, true, false]),
        ("spec/fixtures/modules/m/a.rb", [false, false, false, false]),
        (".fixtures.yml", [false, false, true, false]),
        ("hieradata_aws/common.yaml", [false, false, true, false]),
        ("hiera.vagrant.yaml", [false, false, true, false]),
        ("README.md", [false, false, false, false]),
    ];
    for (path, expected) in cases {
        let file = Path::new(path);
        let found = [
            is_checked_file(file),
            is_evaluated_file(file),
            is_checked_for_upgrade(file),
            checks_encoding(file),
        ];
        assert_eq!(found, expected, "{path}");
    }
}

#[test]
fn the_language_follows_from_the_path() {
    let cases = [
        ("manifests/init.pp", false, Some(Language::Manifest)),
        ("templates/a.epp", true, Some(Language::Epp)),
        // A plan or a manifest, depending on the text.
        ("plans/a.pp", false, None),
        ("manifests/init.pp", true, None),
    ];
    for (path, has_tasks, expected) in cases {
        assert_eq!(language(Path::new(path), has_tasks), expected, "{path}");
    }
}

#[test]
fn texts_above_the_limit_are_refused() {
    let text = |length: usize| bounded_text(Path::new("a.pp"), "x".repeat(length), 4);
    assert!(text(4).is_ok_and(|it| it == "xxxx"));
    assert!(text(5).is_err_and(|it| it.reason == "file is larger than 4 bytes" && !it.is_undecoded));
}

/// All items are tried first, then halves, the first half before the second.
#[test]
fn the_largest_accepted_part_is_found() {
    let mut tried = Vec::new();
    let mut accept = |part: &[u32]| {
        tried.push(part.to_vec());
        (!part.contains(&1)).then(|| part.to_vec())
    };
    assert_eq!(largest_accepted(&[1, 2, 3, 4], &mut accept), Some(vec![2]));
    assert_eq!(tried, [vec![1, 2, 3, 4], vec![1, 2], vec![1], vec![2]]);
    assert_eq!(largest_accepted(&[1], &mut |_: &[u32]| None::<()>), None);
    assert_eq!(largest_accepted(&[], &mut |_: &[u32]| Some(())), None);
}
