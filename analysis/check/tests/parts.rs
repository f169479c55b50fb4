//! Open files with several definitions are checked in parts: the findings have to be those of the whole file,
//! and an edit must only execute the queries of its part. These tests count executions and never measure
//! time.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use check::{Tier, diagnostics};
use hir::{NameUse, NameUseKind, VariableBinding};
use project::testing::TestWorkspace;

const PATH: &str = "/modules/web/manifests/init.pp";

/// Definitions of all kinds with findings of all tiers. The comments and whitespace between them are
/// significant.
const TEXT: &str = r#"# Serves pages.
#
# @param root where they lie
# @param gone what is not there
class web(String $root = '/srv', $port = 80, $unused = 1) inherits web::params {
  include web::config # lint:ignore:unknown-class
  include web::confg
  file { $root: ensure => directory, owner => $ownr }
  file { $root: ensure => presnt }
  $x = 1 + 'a'
  class inner {
    notice($nothing, $::osfamily, $web::root, $web::rooot)
  }
} # the class ends

# @param size how much
define web::site(Integer $size, $other) {
  web::site { 'a': size => 'big' }
  $text = @("END")
    ${size} and ${sise}
    | END
  notify { "${text}${facts['os']['famly']}": }
}
/* a comment
   of two lines */ function web::port($n) >> Integer { web::port($n) + undefined_function($n) }

type Web::Mode = Enum['a', 'b']
class web::params {
  $dir = '/etc/web'
  $dirr = $dir
  if $dir == 'x' { fail('x') notice(1) }
  elsewhere::thing { 'y': }
}
node 'one' { include elsewhere }
class web::config($a, $a) {
  File { mode => '0644' }
  case $facts['kernel'] { 'Linux': { } 'Linux': { } }
  validate_array($a)
}
"#;

fn workspace(text: &str, open: bool) -> TestWorkspace {
    let open = if open { " open" } else { "" };
    let rest = "//- /modules/web/metadata.json
{ \"name\": \"x-web\", \"version\": \"1.0.0\", \"dependencies\": [] }
//- /modules/elsewhere/manifests/init.pp
class elsewhere { }
//- /modules/elsewhere/metadata.json
{ \"name\": \"x-elsewhere\", \"version\": \"1.0.0\", \"dependencies\": [] }
//- /modules/other/manifests/site.pp
define other::site { $web::dirr }
";
    let header = "//- environment: roots=/modules module_path=/modules\n";
    TestWorkspace::new(&format!("{header}{rest}//- {PATH}{open}\n{text}"))
}

/// Returns everything known about the file, without the numbers of variables.
fn known(workspace: &TestWorkspace) -> String {
    let (db, file) = (&workspace.db, workspace.file(PATH));
    let mut known = String::new();
    for tier in Tier::LIVE {
        for it in diagnostics(db, file, tier) {
            let _ = writeln!(known, "{tier:?} {it:?}");
        }
    }
    let _ = writeln!(known, "{:#?}", project::item_summary(db, file));
    let _ = writeln!(known, "{:?}", project::definition_ranges(db, file));
    for it in project::name_uses(db, file).iter().map(without_number) {
        let _ = writeln!(known, "{it:?}");
    }
    let tree = project::parse(db, file).syntax();
    for definition in project::definitions(db, file) {
        let (body, map) = (project::body(db, definition), project::body_source_map(db, definition));
        let _ = writeln!(known, "{:?} {:?}", definition.key(db), project::documentation(db, definition));
        for (id, expr) in body.exprs.iter() {
            let node = map.node(id).and_then(|it| it.to_node(&tree));
            let back = node.as_ref().and_then(|it| map.expr(it));
            let _ = writeln!(known, "{expr:?} {:?} {back:?}", node.map(|it| it.text_range()));
        }
    }
    known
}

fn without_number(it: &NameUse) -> NameUse {
    let kind = match &it.kind {
        NameUseKind::Variable(VariableBinding::Local { of_lambda, .. }) => {
            NameUseKind::Variable(VariableBinding::Local { variable: 0, of_lambda: *of_lambda })
        }
        kind => kind.clone(),
    };
    NameUse { kind, ..it.clone() }
}

fn has_parts(workspace: &TestWorkspace) -> bool {
    !project::file_parts(&workspace.db, workspace.file(PATH)).is_empty()
}

#[track_caller]
fn check_same(text: &str) -> bool {
    let (whole, parts) = (workspace(text, false), workspace(text, true));
    let (expected, found) = (known(&whole), known(&parts));
    if let Some((expected, found)) = expected.lines().zip(found.lines()).find(|(a, b)| a != b) {
        panic!("as a whole: {expected}\nin parts:   {found}\n{text}");
    }
    assert_eq!(expected.len(), found.len(), "{text}");
    assert!(!has_parts(&whole));
    has_parts(&parts)
}

#[test]
fn parts_have_the_findings_of_the_whole() {
    assert!(check_same(TEXT));
    // Files that are not divided, because it is impossible or not worthwhile.
    for (from, to) in [
        ("define web::site", "class web"),
        ("define web::site", "define web"),
        ("} # the class ends", "} # @param x"),
        ("} # the class ends", "} class c { $t = @(E) }\n  text\n  | E\n"),
    ] {
        check_same(&TEXT.replace(from, to));
    }
    assert!(!check_same(&TEXT.replace("define web::site", "class web")));
    // Statements between definitions belong to the main program.
    assert!(check_same(&TEXT.replace("type Web::Mode", "include web\n$y = $z + 'a'\ntype Web::Mode")));
}

#[test]
fn parts_have_the_findings_of_the_whole_after_random_edits() {
    const TYPED: &[&str] =
        &["{", "}", "'", "\"", "(", ")", "$", "x", "\n", "#", "${", "=>", "@(E)\n", "class y { }\n", ":"];
    let mut state: u64 = 7;
    let mut next = |below: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (state >> 33) as usize % below
    };
    let mut in_parts = 0;
    for _ in 0..200 {
        let mut text = TEXT.to_owned();
        let at = next(text.len());
        match next(3) {
            0 => text.replace_range(at..=at, ""),
            1 => text.insert_str(at, TYPED[next(TYPED.len())]),
            _ => text.replace_range(at..=at, TYPED[next(TYPED.len())]),
        }
        in_parts += usize::from(check_same(&text));
    }
    assert!(in_parts > 100, "only {in_parts} of them could be taken apart");
}

/// Returns the number of executions per query after an edit of a file with `count` classes.
fn executed(count: usize, breaks: Option<(&str, &str)>, edit: (&str, &str)) -> BTreeMap<String, usize> {
    let mut text = large(count);
    let mut replaced = |(from, to): (&str, &str)| {
        assert_eq!(text.matches(from).count(), 1, "{from}");
        text = text.replace(from, to);
        text.clone()
    };
    let before = breaks.map_or_else(|| large(count), &mut replaced);
    let after = replaced(edit);
    let mut workspace = workspace(&before, true);
    let ask = |workspace: &TestWorkspace| {
        for tier in Tier::LIVE {
            diagnostics(&workspace.db, workspace.file(PATH), tier);
        }
    };
    ask(&workspace);
    assert!(has_parts(&workspace));
    workspace.take_executed();
    workspace.edit(&format!("//- {PATH} open\n{after}"));
    ask(&workspace);
    assert!(has_parts(&workspace));
    workspace.take_executed()
}

/// Returns a file of `count` independent classes of 25 lines each.
fn large(count: usize) -> String {
    let mut text = String::new();
    for index in 0..count {
        let _ = writeln!(text, "# Number {index}.\nclass web::n{index}(String $size{index} = 'a') {{");
        let _ =
            writeln!(text, "  $name{index} = \"${{size{index}}}\"\n  notice($name{index}, $unknown{index})");
        for line in 0..10 {
            let _ = writeln!(
                text,
                "  # what line {line} is for\n  file {{ '/srv/{index}/{line}': ensure => file }}"
            );
        }
        text.push_str("}\n");
    }
    // Other code may read it, so the variables read by all of it are computed.
    text.push_str("class web::unread {\n  $unread = 1\n}\n");
    text
}

#[test]
fn an_edit_in_a_large_file_only_affects_its_definition() {
    assert!(large(400).lines().count() >= 10_000);
    let letters = [
        ("# Number 2.", "# Numbers 2."),
        ("'/srv/2/5'", "'/srv/2/55'"),
        ("notice($name2,", "notice($namee2,"),
    ];
    // Without a syntax error, and with one in another class.
    for breaks in [None, Some(("class web::n4(", "class web::n4({"))] {
        for edit in letters {
            let (few, many) = (executed(10, breaks, edit), executed(400, breaks, edit));
            assert_eq!(few, many, "{edit:?}");
            let most = many.values().max().copied().unwrap_or_default();
            assert!(most <= 2, "{edit:?}: {many:#?}");
        }
    }
}
