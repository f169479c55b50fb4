//! Every message that states its cure has a quick fix, or a reason why it has none.
//!
//! The messages are those of the examples on the pages of the rules, and of the manifests below. A fix is
//! applied and must remove the diagnostic without a new syntax error. `cures.txt` lists all messages with a
//! fix; `WITHOUT_FIX` lists the others.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use check::{Diagnostic, Rule, Tier, rule_table};
use codes::Code;
use expect_test::expect_file;
use fixture::Fixture;
use project::testing::TestWorkspace;
use project::vfs::{ChangeBatch, DiskState};
use project::{File, LintLevel};
use refactoring::{CodeAction, CodeActionKind, code_actions};

/// Messages whose advice cannot be followed by an edit, with the reason. Names and numbers are replaced as in
/// `cures.txt`.
const WITHOUT_FIX: &[(Code, &str, &str)] = &[
    (
        Code::DataInterpolation,
        "unknown interpolation method `_` / help: use `_`, `_`, `_`, `_` or `_`",
        "the intended method is not known",
    ),
    (
        Code::Deprecation,
        "`_` is deprecated / help: add a `_` with `_` to the module",
        "the lookups of the other provider must be converted as well",
    ),
    (
        Code::Deprecation,
        "`_` is deprecated / help: use a parameter type",
        "the type depends on the arguments",
    ),
    (
        Code::FutureReservedWord,
        "`_` is a keyword in plans and will become one everywhere / help: choose another name",
        "the new name is the author's choice; rename changes all uses",
    ),
    (
        Code::HeredocInString,
        "heredoc text begins inside a string, comment or template text / help: end the string, comment or template text on the line of the heredoc",
        "the end of the string is not known",
    ),
    (
        Code::HeredocInString,
        "heredoc text is inside a string, comment or template text, and Puppet parses the code after it twice / help: end the string, comment or template text on the line of the heredoc",
        "the end of the string is not known",
    ),
    (Code::HeredocSyntax, "invalid heredoc tag / help: use `_`, `_` or `_`", "the intended tag is not known"),
    (
        Code::HieraConfiguration,
        "`_` needs a location / help: add `_`, `_`, `_`, `_` or `_`",
        "the intended location is not known",
    ),
    (
        Code::HieraConfiguration,
        "multiple locations in a hierarchy entry / help: keep only one of `_`, `_`, `_`, `_`, `_`, `_`, `_`",
        "the intended location is not known",
    ),
    (
        Code::HieraConfiguration,
        "unknown key `_` in a hierarchy entry / help: use one of `_`, `_`, `_`, `_`, `_`, `_`, `_`, `_`, `_`, `_`, `_`, `_`, `_`, `_`, `_`",
        "no known key is similar",
    ),
    (
        Code::HieraConfiguration,
        "version _ is only supported in the global layer / help: convert the file to version _ by hand: backend `_` needs Hiera _ or a function that replaces it",
        "the function is not known",
    ),
    (
        Code::IllegalAssignment,
        "invalid left-hand side of assignment / help: use a variable or an array of variables",
        "the intended variable is not known",
    ),
    (
        Code::IllegalEpp,
        "invalid EPP template in line _: unclosed delimiter / help: add the closing `_`",
        "the template is the text of a string",
    ),
    (
        Code::IllegalEppParameters,
        "template parameters after text / help: declare the parameters between `_` and `_` in a tag before any text",
        "the parentheses may not be meant as parameters",
    ),
    (
        Code::IllegalExpression,
        "expression cannot be called / help: write a function name or a type before the parentheses",
        "the intended function is not known",
    ),
    (
        Code::IllegalHostnameInterpolation,
        "interpolation in a node name / help: write the name literally, or use a regular expression",
        "the name depends on data",
    ),
    (
        Code::IllegalJson,
        "invalid JSON in line _: invalid value `_` / help: enclose strings in double quotes",
        "the end of the string is not known",
    ),
    (
        Code::IllegalQueryExpression,
        "invalid collector query / help: use `_` and `_`, joined by `_`, `_` and parentheses",
        "queries have no such operator",
    ),
    (
        Code::IllegalUnicodeEscape,
        "invalid Unicode escape / help: write four hexadecimal digits, or one to six in braces",
        "the intended character is not known",
    ),
    (
        Code::IncompleteModuleData,
        "parameter `_` has no default and no module data, while _ other parameters without a default have module data / help: add `_` to the data of the module",
        "the value is not known",
    ),
    (
        Code::MetadataLicense,
        "`_` is not an SPDX license identifier / help: use an identifier such as `_`, or `_`",
        "the license is the author's choice",
    ),
    (Code::MetadataMissingKey, "missing key `_` / help: add `_`", "the text is the author's choice"),
    (
        Code::MetadataObsolete,
        "the requirement `_` is obsolete; the Forge ignores it / help: remove it, and require a version of `_`",
        "the supported versions of Puppet are not known",
    ),
    (
        Code::MetadataOpenRange,
        "no upper limit for the version of `_` / help: exclude the next major version, such as `_`",
        "no version is installed",
    ),
    (
        Code::MissingModule,
        "module `_` not found / help: install the module to check the code that uses it",
        "installing a module is not an edit",
    ),
    (
        Code::NestedHeredoc,
        "nested heredocs are not supported / help: assign the inner heredoc to a variable first",
        "the inner text is part of the outer one",
    ),
    (
        Code::NonLiteralParameterType,
        "type of a class parameter is not literal / help: write its arguments as literals",
        "the value of the expression may differ between nodes",
    ),
    (
        Code::NotRvalue,
        "collector has no value / help: make it a separate statement",
        "the position of the statement is the author's choice",
    ),
    (
        Code::NotSupportedInApply,
        "nested `_` / help: move it out of the enclosing `_` block",
        "the targets of the outer block may be meant",
    ),
    (
        Code::NotSupportedInPlan,
        "catalog expressions in a plan are only allowed in an `_` block / help: move this into an `_` block",
        "the targets of the `apply` block are not known",
    ),
    (
        Code::PuppetfileOption,
        "no source for module `_` / help: use the option `_`, `_`, `_`, or `_`",
        "the source of the module is not known",
    ),
    (
        Code::PuppetfileOtherVersion,
        "module `_` is not installed / help: run `_` to install the modules of the Puppetfile",
        "installing a module is not an edit",
    ),
    (
        Code::PuppetfileOtherVersion,
        "version _._._ of module `_` is installed instead of _._._ / help: run `_` to install the modules of the Puppetfile",
        "installing a module is not an edit",
    ),
    (
        Code::PuppetfileVersion,
        "`_` is not a version of a Forge module / help: use a version such as `_`, or `_`",
        "the intended version is not known",
    ),
    (
        Code::RedactedText,
        "the template contains `_` instead of the value / help: use `_`, which renders the template on the node",
        "the installed stdlib does not have the function",
    ),
    (
        Code::ReservedTypeName,
        "`_` is the name of a built-in type / help: choose another name",
        "the new name is the author's choice; rename changes all uses",
    ),
    (
        Code::SensitiveDefault,
        "default of sensitive parameter `_` is in plain text / help: set the value in encrypted Hiera data",
        "the encryption needs a key",
    ),
    (
        Code::SyntaxError,
        "unclosed delimiter / help: add the closing `_`",
        "a delimiter that is missing since a string has no end is found once the string is closed",
    ),
    (
        Code::SyntaxError,
        "unexpected attributes in braces / help: write a resource type, a type reference such as `_`, or a resource such as `_` before the `_`",
        "the intended resource type is not known",
    ),
    (
        Code::SyntaxError,
        "unexpected block of statements / help: add a keyword such as `_`, `_` or `_`",
        "the intended keyword is not known",
    ),
    (
        Code::UnsupportedExpression,
        "only `_` can be mapped to a type / help: use a plain name on the left side of an alias",
        "the intended name is not known",
    ),
    (
        Code::UntitledExample,
        "`_` without a title / help: add a title after the tag",
        "the title is the author's choice",
    ),
];

/// Codes reported once for several statements, each of which has a fix.
const REPORTED_ONCE: &[Code] = &[Code::IdemExpressionNotLast];

/// Manifests and fixtures with messages that no page shows.
const MANIFESTS: &[&str] = &[
    "class a ($x, $x) { }",
    "class a { $x = { 'k' => 1, 'k' => 2 } notice($x) }",
    "class a { $x = { 'k' => 1,\n  'l' => 3,\n  'k' => 2,\n } notice($x) }",
    "define a ($title) { notice($title) }",
    "class a { $b::c = 1 }",
    "class a { case $facts['x'] { default: { } default: { notice('x') } } }",
    "@class { 'x': }",
    "class a ($Big) { }",
    "class a ($x::y) { }",
    "class a ($1) { }",
    "class a (*$x) { }",
    "class a { [1].each |*$a, $b| { } }",
    "class a { $1 = 2 }",
    "class a { notice($Foo::bar, $007) }",
    "class a { $x = [1] $x += [2] }",
    "class a { $x = { 'a' => 1 } $x['b'] = 2 }",
    "class a { x = 1 }",
    "class a ($x = $y = 1) { }",
    "node a inherits b { }",
    "class a { @File { mode => '0644' } }",
    "class a { file { '/x': mode +> '0644' } }",
    "class a { file { '/x': * => $b, mode => '0644', * => $c } }",
    "class a { file { ensure => file } }",
    "class a { notice(attr) }",
    "class a::Big { }",
    "class a-b { }",
    "type a = Integer",
    "type A inherits B { }",
    "class a { $x = 'abc\n}\n",
    "class a { notice(\"a ${b\") }\n",
    "class a { notice(@(END) }\n  x\n  | END\n",
    "class a {\n  notice(@(END))\n  x\n",
    "class a { notice(@(END/q))\n  x\n  | END\n}\n",
    "class a { class { } }",
    "class a { class { ensure => 1 } }",
    "class a { case $x { } }",
    "class a { $x = $y ? { } }",
    "class a { notice(\"x ${} y\") }",
    "class 'a' { }",
    "/* comment",
    "class a { notice('x' }",
    "class a { notice(05m, 1x, 0xZ) }",
    "class a { $x = hiera_hash('k', { }) $y = hiera_array('l') hiera_include('m') }",
    "class a { notice(\"${true}\") }",
    "class a { notify { 'x': tag => 'a b' } }",
    "class a { 1 2 3 notice('x') 4 }",
    "class a (x) { }",
    "class a { notice(${x}) }",
    "a inherits b {\n}",
    "class a {\n  $x {\n    'a': { }\n  }\n}",
    "class a { $x = 'a' => 1\n}",
    "class a {\n  notice('x')\n",
    "class a { notice(['x') }",
    "class a {\n  foo $x, $y\n}",
    "class a {\n  apply('x') {\n    apply('y') { }\n  }\n}",
    "//- /modules/m/plans/init.pp\nplan m {\n  apply('x') {\n    apply('y') { notify { 'x': } }\n  }\n}\n",
    "class a { $x = @(END:ab+json)\n  x\n  | END\n}\n",
    "class a { $x = @(END:x+pp)\n  x\n  | END\n}\n",
    "class a { $x = @(END/tt)\n  x\n  | END\n}\n",
    "class a { $x = @(END)",
    "class a { $x = @(END) /* b\n */\n  x\n  | END\n}\n",
    "class a { unless $x { } elsif $y { } }",
    "class a { if $x = 1 { } }",
    "class a { case $x { 1: { } } ; }",
    "class a { notice('a'); }",
    "class a { file { '/x': ensure => 'b';; } }",
    "{ notice('x') }",
    "class a {\n  web {\n    notice('x')\n  }\n}",
    "class a { 'x' { ensure => 1 } }",
    "class a { $x { ensure => 1 } }",
    "class a { notify { \"x ${a\n\": } }",
    "type Runtime = String",
    "type Foo::bar = String",
    "type Runtime['ruby', 'X'] = String",
    "type Integer['ruby'] = String",
    "class a { class { '::a b': } }",
    "class a { include '::a' class { '::b': } }",
    "class a { ::file { '/x': } }",
    "class a { $x = File <| |> }",
    "class a { $x = [1, File <| |>] }",
    "class a { $x = Class['Foo'] notice($x[title]) }",
    "class a { notice(Resource[title]) notice(Class[title]) }",
    "class a { $x = 1 $x['a'] = 2 }",
    "function a() >> Integer { } class c { $x = a() }",
    "class a { 5.each |$x, $y| { } Array(5).map }",
    "class a { $y = [1] $y << 2 notice($y.first) 5.map |$x| { $x } }",
    "class a { $x = 'x' notice($x[0) }",
    "class a { tag('a b') }",
    "class string { }",
    "define integer { }",
    "class a { $x = Sensitive('x') notice(\"b ${x} c\") file { '/x': content => \"b ${x} c\" } }",
    "class a { $x = Deferred('x') file { '/x': content => \"b ${x} c\" } }",
    "//- /modules/stdlib/functions/deferrable_epp.pp\nfunction stdlib::deferrable_epp($x, $y) { $x }\n//- /modules/m/templates/x.epp\n<% | $x | %>\n<%= $x %>\n//- /main.pp\nclass a { $x = Deferred('x') file { '/x': content => epp('m/x.epp', { 'x' => $x }) } }\n",
    "class a { $x = Deferred('x') file { '/x': content => epp('m/x.epp', { 'x' => $x }) } }",
    "//- /modules/m/metadata.json\n{\"version\": \"1.0.0\"}\n",
    "//- /modules/m/metadata.json\n{\"name\": \"a-m\", \"version\": \"1.0.0\", \"author\": \"a\", \"license\": \"unknown-1\", \"summary\": \"b\", \"data_provider\": \"hiera\", \"dependencies\": [{\"name\": \"b-c\", \"version_requirement\": \"x 1\"}], \"operatingsystem_support\": [{\"operatingsystem\": \"ubuntu\", \"operatingsystemrelease\": [22.04, 7]}], \"requirements\": [{\"name\": \"pe\", \"version_requirement\": \">= 1.0.0 < 2.0.0\"}, {\"name\": \"puppet\", \"version_requirement\": \">= 7.0.0\"}]}\n",
    "//- /modules/m/metadata.json\n{\"name\": \"a-m\", \"version\": \"1\", \"author\": \"a\", \"license\": \"GPL\", \"summary\": \"b\", \"dependencies\": [{\"name\": \"b-c\"}], \"requirements\": [{\"name\": \"pe\", \"version_requirement\": \">= 1.0.0 < 2.0.0\"}]}\n",
    "//- /modules/m/metadata.json\n{\"name\": \"a-m\", \"version\": \"1\", \"author\": \"a\", \"license\": \"GPL\", \"summary\": \"b\", \"requirements\": [{\"name\": \"puppet\", \"version_requirement\": \">= 5.0.0 < 7.0.0\"}]}\n",
    "//- /Puppetfile\nmod 'puppetlabs-stdlib', 'latest'\nmod 'puppetlabs-apt', :lastest\nmod 'a/b', '1.x'\nmod 'web', :git => 'git://x/y', :ref => :main\nmod 'web2', :git => 'https://x/y', :commit => '1.0.0'\nmod 'web3', :ref => 'x'\nforg 'x'\n",
    "//- /data/common.yaml\na: \"%{lookup(x)}\"\nb: \"%{facts['os']['family']}\"\nc: \"%{$x}\"\nd: \"x %{alias('b')}\"\ne: :sym\nf: 2001-01-01\n",
    "//- /hiera.yaml\nversion: 5\nhierarchy:\n  - name: x\n    path: a\n    paths: [b]\n    glob: c\n",
    "//- /hiera.yaml\nhierarchy:\n  - name: x\n    path: a\n",
    "//- /hiera.yaml\nversion: 3\n:backends: yaml\n",
    "//- /hiera.yaml\n:backends: redis\n",
    "//- /hiera.yaml\nversion: 5\nhierarchy:\n  - name: x\n    backend: yaml\n    path: a\n  - name: y\n    lookup_keys: z\n    datadr: x\n  - path: nonames\n  - name: x\n    data_hash: yaml_dat\n    mapped_path: [a, b, c]\n",
    "//- /hiera.yaml\nversion: 4\nhierarchy:\n  - name: x\n    backend: yaml\n",
    "//- /modules/m/tasks/x.json\n{\"descripton\": \"x\", \"parameters\": {\"a\": {\"typ\": \"String\"}}}\n//- /modules/m/tasks/x.sh\na\n//- /modules/m/tasks/x.rb\na\n",
    "//- /modules/m/manifests/install.pp\nclass m::other { }\n",
    "//- /modules/m/manifests/init.pp\nclass m { include m::other }\n//- /modules/m/manifests/x/other.pp\nclass m::other { }\n",
    "//- /modules/m/install.pp\nclass m::install { }\n",
    "//- /modules/m/functions/a.pp\nclass m::a { }\n",
    "//- /modules/m/templates/x.epp\n<% | $x | %>\n<%= $x\n",
    "//- /modules/m/templates/x.epp\n<%- if $x { -%>\n",
    "//- /modules/m/templates/x.epp\nfoo <%# a\n",
    "//- /modules/m/templates/x.erb\n<% if @x\n",
    "//- /modules/m/templates/x.erb\n<% if File.exists?('/x') %><%= @x %><% end %>\n",
    "//- /modules/m/lib/facter/x.rb\nFacter.add(:x) { setcode { File.exists?('/x') } }\n",
    "class a { notice($::osfamily, $::operatingsystemrelease, $facts['osfamily'], $facts[os][famly]) }",
    "class a ($server) { include b }\nclass b { notice(a::servr, $a::servr) }",
    "class a { realize(File['/x']) File['/x'] -> Fil['/y'] }",
    "class a { file { '/x': ensur => file, content => tempate('x') } }",
    "class a { create_resources('fil', {}) ensure_packages(['x']) }",
    "class a { case $facts['os']['family'] { 'RedHat': { $x = 1 } } notice($x) }",
    "@a",
    "class a { $x => 1 }",
    "class a { 'k' => 1 }",
    "class a { if $x { } else if $y { } }",
    "class a { if $x { } elseif $y { } }",
    "class a { notice $x }",
    "class a { $ }",
    "class a ($) { }",
    "class a { $x == 1 ? { 1 => 2 } }",
    "class a { file { '/x': ensure = file } }",
    "class a { file { '/x': ensure: file } }",
    "class a { file { '/x' ensure => file } }",
    "class a { file { '/x':\n  ensure => file\n  mode => '0644',\n } }",
    "class a { $x = { 'a' => 1 'b' => 2 } }",
    "class a { $x = { 'a': 1, 'b': 2 } }",
    "class a { $x = { a = 1 } }",
    "class a { $x = [1 2] }",
    "class a { notice('x'))\n}",
    "class a { }}",
    "def a { }",
    "class a() inherits { }",
    "class a { inherits b }",
    "class a { node x { } }",
    "node a-b_c.d { } node 'a b' { } node a, { }",
    "node 1.2 { } node \"a${b}\" { } node A { }",
    "class a { import 'x' }",
    "class a { $x = \"\\u12\" $y = \"\\q\" $z = '\\d' }",
    "class a { $x = y z }",
    "class a { !notice('x') not $x and $y && $z || 1 }",
    "class a { if $x and { } }",
    "class a { $x = 1 + }",
    "class a { return 5 }",
    "class a { foo() { } bar { } }",
    "class a { Foo <| x = 1 |> Foo <| x > 1 |> foo <| |> }",
    "class a { Foo <<| |> }",
    "function a { } function A() { } function a::b() >> { }",
    "plan a { } plan a::b() { File { '/x': } }",
    "type A = B = C",
    "type a::b = C type = D",
    "class A::b { } define B { } class a:b { } class ::c { } class '1a' { } class 9a { }",
    "class a ($x = 1 $y = 2) { }",
    "class a (String x) { }",
    "class a ($x: String) { }",
    "class a (String $x String $y) { }",
    "class a (Strin $x) { }",
    "class a { $x = 0xZZ $y = 1.e $z = 099 $w = 99999999999999999999 }",
];

#[test]
fn messages_with_advice_have_fixes() {
    let mut fixes: BTreeMap<(Code, String), BTreeSet<String>> = BTreeMap::new();
    let mut without: BTreeSet<(Code, String)> = BTreeSet::new();
    let mut failures = String::new();
    for fixture in fixtures() {
        let mut workspace = TestWorkspace::new(&fixture);
        for file in files(&workspace, &fixture) {
            for diagnostic in diagnostics(&workspace, file).iter().filter(|it| has_help(it)) {
                let message = (diagnostic.code, generalized(&diagnostic.message));
                let Some(action) = fix(&workspace, file, diagnostic) else {
                    without.insert(message);
                    continue;
                };
                fixes.entry(message).or_default().insert(generalized(&action.title));
                if let Err(problem) = check_fix(&mut workspace, file, diagnostic, &action) {
                    let _ = writeln!(failures, "{}: {}: {problem}\n{fixture}", diagnostic.code, action.title);
                }
            }
        }
    }
    let has_reason = |(code, message): &&(Code, String)| {
        WITHOUT_FIX.iter().any(|(known, of, _)| (known, *of) == (code, message.as_str()))
    };
    for (code, message) in without.iter().filter(|it| !has_reason(it)) {
        let _ = writeln!(failures, "no fix: {code}: {message}");
    }
    for (code, message, _) in WITHOUT_FIX {
        if !without.contains(&(*code, (*message).to_owned())) {
            let _ = writeln!(failures, "no message of `{code}` lacks a fix: {message}");
        }
    }
    assert!(failures.is_empty(), "{failures}");
    expect_file!["cures.txt"].assert_eq(&listed(&fixes));
}

/// Returns a row for each message, with the titles of its fixes.
fn listed(fixes: &BTreeMap<(Code, String), BTreeSet<String>>) -> String {
    let mut listed = String::new();
    for ((code, message), titles) in fixes {
        let titles: Vec<&str> = titles.iter().map(String::as_str).collect();
        let _ = writeln!(listed, "{code}\t{message}\t{}", titles.join(" | "));
    }
    listed
}

/// Returns a message with `_` instead of each quoted text and number.
fn generalized(message: &str) -> String {
    let mut general = String::new();
    for (at, part) in message.replace('\n', " / ").split('`').enumerate() {
        match at % 2 {
            0 => {
                let is_digit = |it: char| it.is_ascii_digit();
                let words: Vec<&str> = part.split_inclusive(|it: char| !is_digit(it)).collect();
                for word in words {
                    let end = word.trim_start_matches(is_digit);
                    general.push_str(if end.len() < word.len() { "_" } else { "" });
                    general.push_str(end);
                }
            }
            _ => general.push_str("`_`"),
        }
    }
    general
}

fn has_help(diagnostic: &Diagnostic) -> bool {
    !codes::split_message(&diagnostic.message).1.is_empty()
}

fn diagnostics(workspace: &TestWorkspace, file: File) -> Vec<Diagnostic> {
    let tiers = Tier::LIVE.into_iter();
    tiers.flat_map(|tier| check::diagnostics(&workspace.db, file, tier)).collect()
}

/// Returns the first fix of a diagnostic, other than hiding it.
fn fix(workspace: &TestWorkspace, file: File, diagnostic: &Diagnostic) -> Option<CodeAction> {
    let is_fix = |it: &CodeAction| {
        it.kind == CodeActionKind::QuickFix
            && it.diagnostic == Some((diagnostic.code, diagnostic.range))
            && !it.is_for_workspace
            && !it.title.starts_with("Ignore")
    };
    code_actions(&workspace.db, file, diagnostic.range).into_iter().find(is_fix)
}

/// Applies a fix, checks the file again, and restores it.
fn check_fix(
    workspace: &mut TestWorkspace,
    file: File,
    diagnostic: &Diagnostic,
    action: &CodeAction,
) -> Result<(), String> {
    let of_code = |workspace: &TestWorkspace| {
        let all = diagnostics(workspace, file);
        let errors = all.iter().filter(|it| it.code == Code::SyntaxError).count();
        (all.iter().filter(|it| it.code == diagnostic.code).count(), errors)
    };
    let before = of_code(workspace);
    let mut restored = ChangeBatch::default();
    let mut batch = ChangeBatch::default();
    for (file, edits) in &action.change.edits {
        let path = file.0.path(&workspace.db).clone();
        let Some(original) = project::text(&workspace.db, file.0) else { return Err("no text".to_owned()) };
        let mut text = original.to_string();
        for edit in edits.iter().rev() {
            text.replace_range(edit.range.as_range(), &edit.text);
        }
        restored.disk.push((path.clone(), DiskState::Text(original)));
        batch.disk.push((path, DiskState::Text(text.as_str().into())));
    }
    for (path, text) in &action.change.creates {
        restored.disk.push((path.clone(), DiskState::Missing));
        batch.disk.push((path.clone(), DiskState::Text(text.as_str().into())));
    }
    for (file, path) in &action.change.moves {
        let old = file.0.path(&workspace.db).clone();
        let Some(text) = project::text(&workspace.db, file.0) else { return Err("no text".to_owned()) };
        restored
            .disk
            .extend([(old.clone(), DiskState::Text(text.clone())), (path.clone(), DiskState::Missing)]);
        batch.disk.extend([(old, DiskState::Missing), (path.clone(), DiskState::Text(text))]);
    }
    if batch.disk.is_empty() {
        return Ok(());
    }
    let edited: Vec<String> = batch
        .disk
        .iter()
        .map(|(path, state)| match state {
            DiskState::Text(text) => format!("--- {path}\n{text}"),
            _ => String::new(),
        })
        .collect();
    workspace.apply(batch);
    let after = of_code(workspace);
    workspace.apply(restored);
    if after.0 >= before.0 && !REPORTED_ONCE.contains(&diagnostic.code) {
        return Err(format!("the diagnostic stays\n{}", edited.concat()));
    }
    if after.1 > before.1 {
        return Err(format!("syntax error\n{}", edited.concat()));
    }
    Ok(())
}

/// Returns the fixtures: the bad examples of all pages, and the manifests.
fn fixtures() -> Vec<String> {
    let examples = rule_table().iter().flat_map(|rule| {
        let fixtures = examples(rule).into_iter().map(|it| workspace(rule, &it));
        fixtures.collect::<Vec<_>>()
    });
    let fixture = |it: &&str| {
        if it.starts_with("//-") { (*it).to_owned() } else { format!("//- /main.pp\n{it}\n") }
    };
    let manifests = MANIFESTS.iter().map(fixture);
    examples.chain(manifests).collect()
}

fn files(workspace: &TestWorkspace, fixture: &str) -> Vec<File> {
    let checked = [".pp", ".epp", ".erb", ".yaml", ".json", "/Puppetfile"];
    let files = Fixture::parse(fixture).files.into_iter();
    files
        .filter(|it| checked.iter().any(|end| it.path.ends_with(end)))
        .map(|it| workspace.file(&it.path))
        .collect()
}

/// Returns the bad examples on the page of a rule as fixtures; see `analysis/check/tests/rules.rs`.
fn examples(rule: &Rule) -> Vec<String> {
    let Some((_, text)) = rule.documentation.split_once("## Example\n") else { return Vec::new() };
    let text = text.split("\n## ").next().unwrap_or_default();
    let header = text.lines().find_map(|it| it.strip_prefix("<!-- ")?.strip_suffix(" -->"));
    let header = header.map(|it| format!("//- {it}\n")).unwrap_or_default();
    let mut found: Vec<String> = Vec::new();
    let mut parts = text.split("```");
    let mut before = parts.next().unwrap_or_default();
    while let (Some(fence), Some(after)) = (parts.next(), parts.next()) {
        let body = fence.split_once('\n').map_or("", |(_, text)| text);
        let path =
            before.trim_end().rsplit('\n').next().and_then(|it| it.strip_prefix('`')?.strip_suffix("`:"));
        match path {
            None => found.push(format!("{header}{body}")),
            Some(path) => {
                let file = format!("//- /{path}\n");
                let continues = before.lines().filter(|it| !it.trim().is_empty()).count() == 1;
                match found.last_mut().filter(|it| continues && it.contains("//- /") && !it.contains(&file)) {
                    Some(example) => example.push_str(&format!("{file}{body}")),
                    None => found.push(format!("{header}{file}{body}")),
                }
            }
        }
        before = after;
    }
    found
}

/// Returns an example as a workspace in which the rule is on.
fn workspace(rule: &Rule, example: &str) -> String {
    if example.starts_with("//- environment:") {
        return example.to_owned();
    }
    let level = match rule.level() {
        LintLevel::Off => format!(" lint={}:warning", rule.code),
        _ => String::new(),
    };
    let files =
        if example.starts_with("//-") { example.to_owned() } else { format!("//- /main.pp\n{example}") };
    format!("//- environment: roots=/ module_path=/modules{level}\n{files}")
}
