//! Reuse does not affect results: compiles with shared and memoized parts are equal, byte for byte, to
//! compiles without them.
//!
//! The modules here observe a fact in every way that the language has.

use std::fmt::Write;
use std::path::Path;

use compile::reused::compare_reuse;
use project::testing::TestWorkspace;
use project::{FileRole, definitions};

/// Two platforms with different facts, and definitions for the modules below.
const MODULE: &str = r#"
//- environment: roots=/modules module_path=/modules
//- /modules/web/metadata.json
{ "name": "me-web", "version": "1.0.0", "operatingsystem_support": [
  { "operatingsystem": "Debian", "operatingsystemrelease": ["12"] },
  { "operatingsystem": "RedHat", "operatingsystemrelease": ["9"] }
] }
//- /modules/web/hiera.yaml
version: 5
hierarchy:
  - { name: family, path: "%{facts.os.family}.yaml" }
  - { name: base, path: "common.yaml" }
//- /modules/web/data/Debian.yaml
web::size: 1
//- /modules/web/data/RedHat.yaml
web::size: 1.0
//- /modules/web/data/common.yaml
web::name: "%{facts.os.name}"
web::of_params: "%{web::params::family}"
web::late::from: "%{web::base::path}"
//- /modules/web/templates/family.epp
<%= $facts['os']['family'] %>
//- /modules/web/templates/family.erb
<%= scope['web::params::family'] %> <%= scope.lookupvar('osfamily') %>
//- /modules/web/types/number.pp
type Web::Number = Integer
//- /modules/web/functions/family.pp
function web::family() { $facts['os']['family'] }
//- /modules/web/manifests/release.pp
class web::release { $major = $facts['os']['release']['major'] }
//- /modules/web/manifests/base.pp
class web::base { $path = '/opt' file { '/x': mode => '0600' } }
//- /modules/web/manifests/late.pp
class web::late($from = 'none') { }
//- /modules/web/manifests/show.pp
define web::show($value) { notify { "${title}: ${value}": } }
"#;

/// Values of `$web::params::it` on Debian and on RedHat, and code that observes it. The two values are equal
/// for Puppet's `==`, or for code that only looks at a part of them.
const PAIRS: &[(&str, &str, &str)] = &[
    // A regular expression of another class whose groups are visible.
    ("/(D)|(R)/", "/(D|R)/", "if 'R' =~ $web::params::it { notify { \"x${1}\": } }"),
    ("/(D|R)/", "/(D|R)/", "if $facts['os']['name'] =~ $web::params::it { notify { \"x${1}\": } }"),
    ("[/(D|R)/]", "[/(D|R)/]", "if $facts['os']['name'] in $web::params::it { notify { \"x${1}\": } }"),
    (
        "[/(D|R)/]",
        "[/(D|R)/]",
        "if !($facts['os']['name'] in $web::params::it) { } else { notify { \"x${1}\": } }",
    ),
    (
        "/(D|R)/",
        "/(D|R)/",
        "case $facts['os']['name'] { $web::params::it: { notify { \"x${1}\": } } default: { } }",
    ),
    ("/(D|R)/", "/(D|R)/", "$x = $facts['os']['name'] ? { $web::params::it => $1 } notify { $x: }"),
    ("['x', /(y)/]", "['y', /(x)/]", "if 'x' in $web::params::it { notify { \"x${1}\": } }"),
    // Order of keys.
    ("{ 'a' => 1, 'b' => 2 }", "{ 'b' => 2, 'a' => 1 }", "notify { join(keys($web::params::it)): }"),
    ("{ 'a' => 1, 'b' => 2 }", "{ 'b' => 2, 'a' => 1 }", "notify { \"x${web::params::it}\": }"),
    (
        "{ 'a' => 1, 'b' => 2 }",
        "{ 'b' => 2, 'a' => 1 }",
        "$web::params::it.each |$k, $v| { notify { \"${k}-x\": } if $k == 'b' { fail('b') } }",
    ),
    ("[{ 'a' => 1, 'b' => 2 }]", "[{ 'b' => 2, 'a' => 1 }]", "notify { String($web::params::it): }"),
    (
        "Sensitive({ 'a' => 1, 'b' => 2 })",
        "Sensitive({ 'b' => 2, 'a' => 1 })",
        "notify { \"x${web::params::it.unwrap}\": }",
    ),
    // Different string representations.
    ("SemVerRange('1.x')", "SemVerRange('>=1.0.0 <2.0.0')", "notify { \"x${web::params::it}\": }"),
    ("[SemVerRange('1.x')]", "[SemVerRange('>=1.0.0 <2.0.0')]", "notify { \"x${web::params::it}\": }"),
    ("SemVer['1.x']", "SemVer['>=1.0.0 <2.0.0']", "notify { \"x${web::params::it}\": }"),
    ("URI('http://example.com')", "URI('http://EXAMPLE.com/')", "notify { \"x${web::params::it}\": }"),
    ("0.0", "-0.0", "notify { \"x${web::params::it}\": }"),
    ("1", "1.0", "notify { \"x${web::params::it}\": }"),
    ("1", "1.0", "if $web::params::it == 1 { notify { String(type($web::params::it)): } }"),
    ("1", "1.0", "if $web::params::it =~ Integer { notify { 'integer': } }"),
    (
        "1",
        "1.0",
        "case $web::params::it { Integer: { notify { 'integer': } } default: { notify { 'float': } } }",
    ),
    ("'a'", "'A'", "if $web::params::it == 'a' { notify { \"x${web::params::it}\": } }"),
    ("'a'", "'A'", "case $web::params::it { 'a': { notify { $web::params::it: } } default: { } }"),
    ("'a'", "'A'", "if $web::params::it in 'a' { fail($web::params::it) }"),
    ("undef", "''", "notify { String(type($web::params::it)): }"),
    ("undef", "''", "if $web::params::it { notify { 'set': } }"),
    ("Integer", "Web::Number", "notify { String($web::params::it): }"),
    ("Integer", "Web::Number", "if $web::params::it == Integer { fail('same') }"),
    ("Integer", "String", "if $web::params::it == Web::Number { fail('same') }"),
    ("Integer", "String", "if 1 =~ $web::params::it { fail('integer') }"),
    ("Variant[Integer, String]", "Variant[String, Integer]", "notify { String($web::params::it): }"),
    ("Timespan(1)", "Timespan('0-00:00:01.0')", "notify { $web::params::it.strftime('%S'): }"),
    ("Timespan(1)", "Timespan(1)", "$h = { $web::params::it => 1 } notify { \"x${h[$web::params::it]}\": }"),
    ("Timestamp('2020-01-01')", "Timestamp('2020-01-01T00:00:00')", "notify { \"x${web::params::it}\": }"),
    ("Binary('YQ==')", "Binary('a', '%s')", "notify { String(type($web::params::it)): }"),
    ("Binary('YQ==')", "'YQ=='", "notify { String(type($web::params::it)): }"),
    ("[3, 2, 1].step(2)", "[3, 2, 1].step(1)", "$web::params::it.each |$x| { notify { \"x${x}\": } }"),
    (
        "[[3, 2, 1].step(2)]",
        "[[3, 2, 1].step(2)]",
        "$web::params::it[0].each |$x| { notify { \"x${x}\": } } $web::params::it[0].each |$x| { fail('again') }",
    ),
    ("Sensitive(1)", "1", "notify { String(type($web::params::it)): }"),
    ("Error('a')", "Error('a', 'b')", "notify { String($web::params::it.kind): }"),
    // References to classes.
    ("'nginx'", "'httpd'", "notify { $web::params::it: }"),
    ("'nginx'", "'httpd'", "notify { Class['web::params']['it']: }"),
    ("'nginx'", "'httpd'", "if Class['web::params']['it'] == 'httpd' { fail('x') }"),
    ("'nginx'", "'httpd'", "[$it] = Class['web::params'] notify { $it: }"),
    ("'nginx'", "'httpd'", "if getvar('web::params::it') == 'httpd' { fail('x') }"),
    ("'nginx'", "'httpd'", "if $web::params::it == 'apache' or $web::params::it == 'httpd' { fail('x') }"),
    ("'nginx'", "'httpd'", "web::show { 'x': value => $web::params::it }"),
    ("'nginx'", "'httpd'", "$x = inline_epp('<%= $web::params::it %>') notify { $x: }"),
    ("'nginx'", "'httpd'", "notify { 'x': message => inline_template('<%= scope[\"web::params::it\"] %>') }"),
    ("true", "false", "unless $web::params::it { fail('x') }"),
    ("['a', 'b']", "['b', 'a']", "if 'a' in $web::params::it { notify { $web::params::it: } }"),
];

/// Other ways to observe a fact, or that a class was evaluated in another order.
const BODIES: &[&str] = &[
    "notify { $facts['os']['name']: }",
    "notify { \"x${facts}\": }",
    "notify { join(keys($facts['os'])): }",
    "if $facts['os']['name'] =~ /^(Deb|Red)/ { notify { $1: } }",
    "if 'x' == 'x' and $facts['os']['name'] =~ /^(Deb|Red)/ { notify { $1: } }",
    "if $facts['os']['name'] == 'Debian' or $facts['os']['name'] in [/(R)/] { notify { \"x${1}\": } }",
    "if epp('web/family.epp') =~ /Red/ { fail('x') }",
    "include web::params notify { 'x': message => template('web/family.erb') }",
    "notify { lookup('web::name'): }",
    "include web::params notify { lookup('web::of_params'): }",
    "notify { web::family(): }",
    "if defined('$web::params::family') { fail('x') }",
    "include web::params if defined('$web::params::family') and !defined(Class['web::release']) { fail('x') }",
    "include web::params if tagged('params') or tagged('web::params') { fail('x') }",
    "include web::params if $web::params::caller_module_name == 'web' { fail('x') }",
    "include web::params notify { \"x${web::params::title}${web::params::name}\": }",
    "include web::late notify { $web::late::from: }",
    "include web::base include web::late notify { $web::late::from: }",
    "include web::base include web::late if Class['web::late']['from'] == '/opt' { fail('x') }",
    "include web::late if Class['web::late']['nothing'] { fail('x') }",
    "$facts.each |$name, $value| { if $value == 'RedHat' { fail($name) } }",
    "$x = $facts['os'].map |$k, $v| { \"${k}${v}\" } notify { $x: }",
    "$n = $osfamily ? { 'Debian' => 1, default => 1.0 } notify { \"x${n}\": }",
    "include web::release if versioncmp($web::release::major, '10') < 0 { fail($web::release::major) }",
    "case $facts['os']['name'] { 'x': { } /(D|R)/: { notify { $1: } } default: { } }",
    "with($facts['os']['family']) |$f| { notify { $f: } }",
    "Notify { message => $facts['os']['family'] } notify { 'x': }",
    "@notify { $facts['os']['family']: } Notify <| title == 'RedHat' |>",
    "notify { lookup({ 'name' => 'nope', 'default_value' => $facts['os']['family'] }): }",
    "$h = { $facts['os']['family'] => 1 } notify { join(keys($h)): }",
    "notify { $facts['os']['name'] ? { /^(.)/ => $1 }: }",
    "[$a, $b] = [$facts['os']['name'], 1] notify { $a: }",
    "notify { $facts.dig('os', 'family'): }",
    "notify { $facts.get('os.family'): }",
    "notify { getvar('facts.os.family'): }",
    "notify { regsubst($facts['os']['name'], '^(.).*', '\\1'): }",
    "notify { fqdn_rand(100, $facts['os']['name']): }",
    "create_resources(notify, { $facts['os']['family'] => {} })",
    "include \"web::${facts['os']['family'].downcase}\"",
    "if $facts['os']['family'] =~ Enum['Debian'] { fail('x') }",
    "if $facts['os'] =~ Struct[{ family => Pattern[/^D/], default => Any }] { fail('x') }",
    "case [$facts['os']['name'], 1] { ['Debian', 1]: { fail('x') } default: { } }",
    "tag($facts['os']['family']) notify { 'x': }",
    "tag($facts['os']['family']) if tagged('redhat') { fail('x') }",
    "$x = assert_type(Enum['Debian'], $facts['os']['family']) |$e, $a| { $a } notify { $x: }",
    "notify { $facts['os']['family'][0]: }",
    "notify { $facts['os']['family'][0, 3]: }",
    "if $facts['os']['family'].length == 6 { notify { 'six': } }",
    "notify { String(type($facts['os']['family'])): }",
    "notify { sha1($facts['os']['family']): }",
    "unless 'R' in $facts['os']['family'] { fail('x') }",
    "if $facts['os']['family'] > 'E' { fail('x') }",
    "web::show { $facts['os']['family']: value => $title }",
    "notify { join($facts['os']['family'].split('')): }",
    "$x = $facts['os'].reduce('') |$all, $pair| { \"${all}${pair[0]}\" } notify { $x: }",
    "with(*[$facts['os']['family']]) |$f| { notify { $f: } }",
    "$x = $facts['os']['family'].then |$f| { $f } notify { $x: }",
    "@notify { 'Debian': } @notify { 'RedHat': } realize(Notify[$facts['os']['family']])",
    "@notify { 'x': message => 'RedHat' } Notify <| message == $facts['os']['family'] |>",
    "@notify { 'x': } Notify <| |> { message => $facts['os']['family'] }",
    "notify { 'x': * => { message => $facts['os']['family'] } }",
    "notify { 'x': message => Deferred('x', [$facts['os']['family']]) }",
    "notify { 'x': message => Sensitive($facts['os']['family']) }",
    "notice($facts['os']['family'])",
    "if defined(Class[\"web::${facts['os']['family']}\"]) { fail('x') } notify { 'x': }",
    "notify { inline_template('<%= @facts[\"os\"][\"family\"] %><%= @osfamily %>'): }",
    "notify { inline_epp('<%- | $f | -%><%= $f %>', { f => $facts['os']['family'] }): }",
    "notify { String($facts['os'] + { 'x' => 1 }): }",
    "notify { String($facts.filter |$k, $v| { $k == 'os' }): }",
    "notify { \"${$facts['os']['family'] == 'Debian'}\": }",
    "notify { 'x': noop => $facts['os']['family'] == 'Debian' }",
    "notify { ['x', $facts['os']['family']]: }",
    "notify { default: message => $facts['os']['family']; 'x': ; 'y': message => 'z' }",
    "notify { 'x': } -> notify { $facts['os']['family']: }",
    "$x = [1, 2].map |$n| { if $n == 2 and $facts['os']['family'] == 'Debian' { break() } $n } notify { \"${x}\": }",
    "if $facts['os']['family'] == 'Debian' { return() } notify { 'x': }",
];

/// Iterators, alone and within other values. Iterating consumes the elements, but only within the same
/// compile, and two classes that use the same iterator must not affect each other.
const TWICE: &[(&str, &str)] = &[
    ("[3, 2, 1].step(2)", "$web::params::it.each |$x| { notify { \"x${x}\": } }"),
    ("[[3, 2, 1].step(2)]", "$web::params::it[0].each |$x| { notify { \"x${x}\": } }"),
    ("[[[3, 2, 1].reverse_each]]", "$web::params::it[0][0].each |$x| { notify { \"x${x}\": } }"),
    ("{ 'x' => [3, 2, 1].step(2) }", "$web::params::it['x'].each |$x| { notify { \"x${x}\": } }"),
    (
        "{ [3, 2, 1].step(2) => 1 }",
        "$web::params::it.each |$k, $v| { $k.each |$x| { notify { \"x${x}\": } } }",
    ),
    ("Sensitive([3, 2, 1].step(2))", "$web::params::it.unwrap.each |$x| { notify { \"x${x}\": } }"),
    ("[Sensitive([[3, 2, 1].step(2)])]", "$web::params::it[0].unwrap[0].each |$x| { notify { \"x${x}\": } }"),
    ("Integer[1, 5].step(2).reverse_each", "notify { String($web::params::it.map |$x| { $x }): }"),
    ("[Integer[1, 5].step(2)]", "notify { String($web::params::it[0].reduce |$a, $b| { $a + $b }): }"),
    ("[tree_each([1, [2, 3]])]", "notify { String($web::params::it[0].map |$x| { $x }): }"),
];

/// Classes that seem to only set variables, declared after the code that reads them.
const PARAMS: &[(&str, &str)] = &[
    (
        "$reference = File['/x'] $it = $reference['mode']",
        "include web::base include web::params notify { $web::params::it: }",
    ),
    (
        "$it = [File['/x']].map |$f| { $f['mode'] }",
        "include web::base include web::params notify { $web::params::it: }",
    ),
    ("[$path] = Class['web::base']", "include web::base include web::params notify { $web::params::path: }"),
    ("$it = \"${caller_module_name}\"", "include web::params notify { \"x${web::params::it}\": }"),
    (
        "$it = { 'x' => [[1, 2].step(1), [1, 2].reverse_each] }",
        "include web::params $web::params::it['x'][0].each |$x| { } $web::params::it['x'][0].each |$x| { fail('x') }",
    ),
    ("$x = 'abc' =~ /b(c)/ $it = $1", "include web::params notify { \"x${web::params::it}${1}\": }"),
    // As a key, a timestamp is only found by identity, not by equality.
    (
        "$a = Timespan(1) $it = $family ? { 'Debian' => $a, default => Timespan(1) }",
        "include web::params $h = { $web::params::a => 1 } notify { \"x${h[$web::params::it]}\": }",
    ),
    // The meaning of an alias is not part of a variable's value.
    (
        "$other = Integer $it = $family ? { 'Debian' => String, default => Web::Number }",
        "include web::params if $web::params::it == $web::params::other { fail('same') }",
    ),
    (
        "$it = [[3, 2, 1].step(2)]",
        "include web::params $web::params::it[0].each |$x| { notify { \"x${x}\": } }",
    ),
    (
        "$it = Class['web::base']['path']",
        "include web::base include web::params notify { \"x${web::params::it}\": }",
    ),
];

fn module(init: &str, params: &str) -> String {
    let params =
        format!("class web::params inherits web::release {{ $family = $facts['os']['family']\n{params}\n}}");
    format!(
        "{MODULE}//- /modules/web/manifests/params.pp\n{params}\n//- /modules/web/manifests/init.pp\n{init}\n"
    )
}

/// Compiles the classes of a workspace with and without reuse. Returns the number of compiles, and the
/// differences.
fn differences(workspace: &TestWorkspace) -> (usize, String) {
    let db = &workspace.db;
    let (mut count, mut found) = (0, String::new());
    for file in workspace.files() {
        let FileRole::Module { .. } = file.role(db) else { continue };
        let Some(environment) = file.environments(db).first().copied() else { continue };
        let classes = definitions(db, file).into_iter();
        for class in classes.filter(|it| it.key(db).kind == hir::DefinitionKind::Class) {
            for both in compare_reuse(db, environment, class) {
                count += 1;
                if both.reused != both.fresh {
                    let name = &class.key(db).name;
                    let lines = both.reused.lines().zip(both.fresh.lines());
                    let first = lines.into_iter().find(|(a, b)| a != b).unwrap_or_default();
                    let _ = writeln!(found, "{name}:\n  {}\n  {}", first.0, first.1);
                }
            }
        }
    }
    (count, found)
}

#[test]
fn modules_that_observe_platforms() {
    let mut all = String::new();
    let mut check = |title: &str, text: &str| {
        let (count, found) = differences(&TestWorkspace::new(text));
        assert!(count > 2, "{title}: nothing was compiled");
        if !found.is_empty() {
            let _ = writeln!(all, "{title}\n{found}");
        }
    };
    for (debian, redhat, body) in PAIRS {
        let params = format!("if $family == 'Debian' {{ $it = {debian} }} else {{ $it = {redhat} }}");
        for init in [
            format!("class web {{ include web::params\n {body} }}"),
            format!("class web inherits web::params {{ {body} }}"),
            format!("class web inherits web::params {{ {} }}", body.replace("$web::params::it", "$it")),
        ] {
            check(&format!("{debian}, {redhat}: {init}"), &module(&init, &params));
        }
        // As a parameter of a class whose variables are known.
        let init = format!("class web {{ include web::params\n {body} }}");
        let given = format!("$it = $facts['os']['family'] ? {{ 'Debian' => {debian}, default => {redhat} }}");
        let text = module(&init, "")
            .replace("class web::params inherits", &format!("class web::params({given}) inherits"));
        check(&format!("as a parameter: {given}: {init}"), &text);
    }
    for body in BODIES {
        check(body, &module(&format!("class web {{ {body} }}"), ""));
    }
    for (value, body) in TWICE {
        let classes = format!(
            "class web {{ include web::params\n {body} }}\nclass web::again {{ include web::params\n {body} }}\n\
             class web::both {{ include web, web::again }}"
        );
        check(&format!("{value}, twice: {body}"), &module(&classes, &format!("$it = {value}")));
    }
    for (params, body) in PARAMS {
        check(&format!("{params}: {body}"), &module(&format!("class web {{ {body} }}"), params));
    }
    assert!(all.is_empty(), "{all}");
}

/// Adds the manifests, data and templates in a folder to a fixture.
fn add_folder(fixture: &mut String, folder: &Path, at: &str) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    let mut paths: Vec<_> = entries.flatten().map(|it| it.path()).collect();
    paths.sort();
    for path in paths {
        let name = path.file_name().and_then(|it| it.to_str()).unwrap_or_default();
        let at = format!("{at}/{name}");
        if path.is_dir() {
            if name != "spec" {
                add_folder(fixture, &path, &at);
            }
        } else if let Ok(text) = std::fs::read_to_string(&path)
            && text.len() < 200_000
            && !text.lines().any(|line| line.starts_with("//- "))
        {
            let _ = write!(fixture, "//- {at}\n{text}\n");
        }
    }
}

#[test]
fn examples_have_the_same_results() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut fixture =
        "//- environment: roots=/repo module_path=/repo/modules,/repo/site-modules\n".to_owned();
    add_folder(&mut fixture, &root.join("examples/control-repo"), "/repo");
    let (count, found) = differences(&TestWorkspace::new(&fixture));
    assert!(count > 10 && found.is_empty(), "{count} compiles\n{found}");
}

/// Runs on a sample of the corpus, if it was fetched, or on all of it with `REUSED_ALL`.
#[test]
fn the_corpus_has_the_same_results() {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/corpus/modules");
    let is_whole = std::env::var_os("REUSED_ALL").is_some();
    let mut fixture = "//- environment: roots=/modules module_path=/modules\n".to_owned();
    let Ok(entries) = std::fs::read_dir(&corpus) else { return };
    let mut modules: Vec<_> = entries.flatten().map(|it| it.path()).filter(|it| it.is_dir()).collect();
    modules.sort();
    for path in modules {
        let name = path.file_name().and_then(|it| it.to_str()).unwrap_or_default().to_owned();
        if is_whole || ["ntp", "memcached", "xinetd", "rsync", "stdlib", "concat"].contains(&name.as_str()) {
            add_folder(&mut fixture, &path, &format!("/modules/{name}"));
        }
    }
    let (count, found) = differences(&TestWorkspace::new(&fixture));
    eprintln!("{count} compiles of the corpus");
    assert!(found.is_empty(), "{count} compiles\n{found}");
}
