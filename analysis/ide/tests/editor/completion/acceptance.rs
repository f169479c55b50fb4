//! Text after a completion is accepted, and which items are first.

use super::SITE;
use crate::at_cursor;

/// Cases of the text after the first item is accepted; `$1` and similar are tab stops.
const ACCEPTED: &[(&str, &str)] = &[
    // The body, the arguments or the condition is written already.
    ("web::si$0 { 'x': docroot => '/' }", "web::site { 'x': docroot => '/' }"),
    ("fi$0 { '/x': }", "file { '/x': }"),
    ("fi${0}{ '/x': }", "file{ '/x': }"),
    ("@fi$0 { '/x': }", "@file { '/x': }"),
    ("incl$0 web", "include web"),
    ("incl$0 'web'", "include 'web'"),
    ("incl$0('web')", "include('web')"),
    ("[1].ea$0 |$y| { }", "[1].each |$y| { }"),
    ("[1].ea$0|$y| { }", "[1].each|$y| { }"),
    ("$x = filt$0 ([1]) |$y| { }", "$x = filter ([1]) |$y| { }"),
    ("i$0 $x { }", "if $x { }"),
    ("unle$0 $x == 1 { }", "unless $x == 1 { }"),
    ("ca$0 $x { }", "case $x { }"),
    ("if true { }\nelsi$0 $x { }", "if true { }\nelsif $x { }"),
    ("if true { }\nels$0 { }", "if true { }\nelse { }"),
    ("Fil$0 { mode => '0644' }", "File { mode => '0644' }"),
    ("Fil$0 <| |>", "File <| |>"),
    ("class { we$0: }", "class { 'web': }"),
    ("web::site { 'x': on => { ho$0 => 'a' } }", "web::site { 'x': on => { 'host' => 'a' } }"),
    // Nothing belongs to the word.
    ("fi$0\n{ }", "file { '$1':\n  ensure => $2,$0\n}\n{ }"),
    ("if defi$0 { }", "if defined($1) { }"),
    ("if true { incl$0 }", "if true { include $1 }"),
    ("class b(Opti$0 $x) { }", "class b(Optional[$1] $x) { }"),
];

fn accepted(fixture: &str) -> String {
    let fixture = format!("{SITE}//- /main.pp open\n{fixture}");
    at_cursor(&fixture, |analysis, file, offset, text| {
        let found = analysis.completions(file, offset).expect("nothing is cancelled");
        let Some(found) = found else { return "nothing".to_owned() };
        let Some(item) = found.items.first() else { return "nothing".to_owned() };
        let range = found.range;
        let inserted = item.snippet.as_ref().unwrap_or(&item.text);
        format!("{}{inserted}{}", &text[..range.start as usize], &text[range.end as usize..])
    })
}

#[test]
fn accepted_items() {
    let mut failures = Vec::new();
    for (fixture, expected) in ACCEPTED {
        let found = accepted(&fixture.replace("${0}", "$0"));
        if found.trim_end() != *expected {
            failures.push(format!("{fixture}: {found}"));
        }
    }
    assert!(failures.is_empty(), "{failures:#?}");
}

/// Cases of the labels that must be first, in this order.
const LEADING: &[(&str, &[&str])] = &[
    // Values: desired states first.
    ("service { 'x': ensure => $0 }", &["running", "stopped"]),
    ("service { 'x': ensure => '$0' }", &["running", "stopped"]),
    ("service { ['x', 'stopped']: ensure => $0 }", &["running"]),
    ("file { '/x': ensure => $0 }", &["file", "directory", "link", "present"]),
    ("package { 'x': ensure => $0 }", &["installed", "present", "latest"]),
    ("user { 'x': ensure => $0 }", &["present"]),
    ("class { 'web': ensure => $0 }", &["present", "absent"]),
    // Attributes by frequency.
    ("exec { 'x': $0 }", &["command"]),
    // Variables of the scope before functions.
    ("$mine = 1\nfile { '/x': owner => $0 }", &["$mine"]),
    ("$mine = 1\nnotice($0)", &["$mine"]),
    ("$mine = 1\n$b = mi$0", &["$mine", "min"]),
    ("$mine = 1\n$b = $0", &["$mine"]),
    ("//- /m/web/templates/x.epp open\n<%- | String $mine | -%>\n<%= $0 %>", &["$mine"]),
    // Types by frequency.
    ("class b($0) { }", &["String", "Boolean", "Optional", "Integer", "Array", "Enum", "Hash"]),
    ("class b(Optional[$0] $x) { }", &["String", "Boolean"]),
    // Titles in queries.
    ("package { 'vim': }\nPackage <| title == '$0' |>", &["vim"]),
    // Paths of facts.
    ("$x = fact('$0')", &["agent_specified_environment"]),
    ("$x = fact('os.fa$0')", &["family"]),
    ("$x = $facts.get('os.fa$0')", &["family"]),
    ("$x = $facts.dig('os', 'fa$0')", &["family"]),
    ("$x = $facts.dig('o$0')", &["os"]),
    ("$x = getvar('facts.os.fa$0')", &["family"]),
    ("$x = getvar('fa$0')", &["facts"]),
    // Hashes of attributes.
    ("web::site { 'x': * => { $0 } }", &["docroot"]),
    ("file { '/x': * => { 'ow$0' => 'root' } }", &["owner"]),
    ("file { '/x': * => { 'ensure' => $0 } }", &["file", "directory"]),
    ("create_resources('web::site', { 'x' => { '$0' => '/' } })", &["docroot"]),
    ("create_resources('class', { 'web' => { '$0' => 1 } })", &["port"]),
    ("create_resources('web::site', $x, { '$0' => 1 })", &["docroot"]),
    ("ensure_resource('file', '/x', { 'ow$0' })", &["owner"]),
    ("ensure_packages(['a'], { 'ens$0' })", &["ensure"]),
    ("ensure_packages(['a'], { 'ensure' => '$0' })", &["installed"]),
    ("define d(Struct[{ a => Integer, b => String }] $opts) { notice($opts.dig('$0')) }", &["a", "b"]),
];

/// Cases of labels that must not be offered.
const ABSENT: &[(&str, &[&str])] = &[
    // A definition does not refer to itself.
    ("class own { include $0 }", &["own"]),
    ("class own { notify { 'x': require => $0 } }", &["Class['own']"]),
    ("class own { notify { 'x': require => Class['$0'] } }", &["own"]),
    ("define own() { ow$0 }", &["own"]),
    ("type Own = $0", &["Own"]),
    ("package { 'vim': }\nPackage['vim'] -> $0", &["Package['vim']"]),
    ("package { 'vim': }\nPackage['vim']\n-> File['/x']\n~> $0", &["Package['vim']"]),
    // A short bareword only matches beginnings, so that Enter is a line break.
    ("$x = foo$0", &["floor"]),
    ("$a = fun$0", &["is_function_available"]),
    ("include x$0", &["web::x", "web::site"]),
    ("include s$0", &["web::params"]),
];

fn labels(fixture: &str) -> Vec<String> {
    let head = if fixture.starts_with("//-") { "" } else { "//- /main.pp open\n" };
    let fixture = format!("{SITE}{head}{fixture}\n");
    at_cursor(&fixture, |analysis, file, offset, _| {
        let found = analysis.completions(file, offset).expect("nothing is cancelled");
        found.iter().flat_map(|it| &it.items).map(|it| it.label.clone()).collect()
    })
}

#[test]
fn leading_items() {
    let mut failures = Vec::new();
    for (fixture, expected) in LEADING {
        let mut found = labels(fixture);
        found.truncate(expected.len());
        if found != *expected {
            failures.push(format!("{fixture}: {found:?}"));
        }
    }
    assert!(failures.is_empty(), "{failures:#?}");
}

#[test]
fn absent_items() {
    let mut failures = Vec::new();
    for (fixture, unwanted) in ABSENT {
        let found = labels(fixture);
        if found.iter().any(|it| unwanted.contains(&it.as_str())) {
            failures.push(format!("{fixture}: {found:?}"));
        }
    }
    assert!(failures.is_empty(), "{failures:#?}");
}

#[test]
fn relations_are_frequent_attributes() {
    let found = labels("file { '/x': $0 }");
    let position = |name: &str| found.iter().position(|it| it == name).unwrap_or(usize::MAX);
    assert!(position("require") < 12 && position("notify") < 12, "{found:?}");
    let found = labels("package { 'x': $0 }");
    let position = |name: &str| found.iter().position(|it| it == name).unwrap_or(usize::MAX);
    assert!(position("name") < position("flavor") && position("provider") < position("mark"), "{found:?}");
}
