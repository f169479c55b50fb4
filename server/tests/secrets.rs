//! Checks that no command prints marked secrets, and that text from a repository is never interpreted by
//! terminals or CI systems.

use std::fs;
use std::path::Path;

use crate::folders::{Folder, run};

/// Marker that must not appear in any output. Each location has its own number after it.
const MARK: &str = "sesame";

const HIERA: &str = "\
version: 5
defaults: {datadir: data, data_hash: yaml_data}
hierarchy:
  - {name: common, path: common.yaml}
";

const DATA: &str = "\
m::typed: sesame01
m::optional: sesame02
m::alias: sesame03
m::number: 4711sesame04
m::converted: sesame05
m::by_pattern_a: sesame06
m::nested: {inner: sesame07, list: [sesame08], plain: shown}
m::encrypted: ENC[PKCS7,sesame09]
m::part: 'user ENC[PKCS7,sesame10] end'
m::list: [sesame11, sesame12]
m::long: sesame13
m::either: [sesame14]
m::default: sesame29
lookup_options:
  m::converted: {convert_to: Sensitive}
  '^m::by_pattern_.*': {convert_to: [Sensitive]}
";

const CLASS: &str = "\
class m (
  Sensitive[String] $typed,
  Optional[Sensitive] $optional,
  M::Secret $alias,
  Sensitive[Integer] $number,
  String $converted,
  String $by_pattern_a,
  Struct[{inner => Sensitive[String], list => Array[Sensitive], plain => Sensitive[String]}] $nested,
  String $encrypted,
  String $part,
  Array[Sensitive] $list,
  Sensitive[String[50]] $long,
  Variant[Sensitive[String], Integer] $either,
  Sensitive[String] $default = Sensitive('sesame15'),
) {
  notify { 'm': message => $encrypted }
}
";

const CODE: &str = "\
class m::code {
  $s = Sensitive('sesame16')
  notice($s)
  notify { 'a': message => $s }
  notify { 'b': message => Sensitive.new(\"sesame17\") }
  notify { 'c': message => \"<${s}>\" }
  file { '/x': content => Sensitive('sesame18'), mode => '0600' }
  $h = { 'k' => [Sensitive('sesame19')] }
  notify { 'd': message => $h['k'] }
  user { 'e': password => Sensitive('sesame20') }
  m::takes { 'f': word => Sensitive('sesame21') }
  $n = Sensitive('sesame22').unwrap
}
";

const WRONG: &str = "\
class m::wrong {
  m::takes { 'a': word => Sensitive(['sesame23']) }
  $s = Sensitive('sesame24')
  $x = $s + 1
  $y = Integer($s)
  m::secret_one(Sensitive('sesame25'), 1)
  fail(\"it is ${s}\")
}
";

const FUNCTION: &str = "function m::secret_one(Sensitive[Integer] $a, String $b) { $a }\n";
const TAKES: &str = "define m::takes(Sensitive[String] $word) { notify { $title: message => $word } }\n";
const ALIAS: &str = "type M::Secret = Sensitive[String]\n";

fn secrets(test: &str) -> Folder {
    Folder::new(
        test,
        &[
            ("environment.conf", "modulepath = modules\n"),
            ("hiera.yaml", HIERA),
            ("data/common.yaml", DATA),
            (
                "manifests/site.pp",
                "node default { include m::code }\nnode 'b' { include m }\nnode 'c' { include m::wrong }\n",
            ),
            ("modules/m/manifests/init.pp", CLASS),
            ("modules/m/manifests/code.pp", CODE),
            ("modules/m/manifests/wrong.pp", WRONG),
            ("modules/m/manifests/takes.pp", TAKES),
            ("modules/m/functions/secret_one.pp", FUNCTION),
            ("modules/m/types/secret.pp", ALIAS),
        ],
    )
}

/// Runs a command and checks that its output does not contain the marker.
fn check_no_marker(folder: &Path, arguments: &[&str]) -> String {
    let (code, out, errors) = run(folder, arguments);
    assert!(code.is_some(), "{arguments:?} ended by a signal");
    for line in format!("{out}{errors}").lines() {
        assert!(!line.contains(MARK), "{arguments:?}: {line}");
    }
    out + &errors
}

#[test]
fn no_command_prints_a_marked_secret() {
    let folder = secrets("secrets");
    for command in [
        &["check", "."] as &[&str],
        &["format", "--check", "."],
        &["check", "--compile", "--hints", "."],
        &["check", "--compile", "--format", "json", "."],
        &["check", "--compile", "--format", "sarif", "."],
        &["check", "--compile", "--format", "github", "."],
        &["check", "--compile", "--format", "concise", "."],
        &["check", "--compile", "--format", "gitlab", "."],
        &["check", "--compile", "--format", "junit", "."],
        &["check", "--compile", "--format", "markdown", "."],
        &["compile"],
        &["compile", "--os", "debian12", "--format", "json"],
        &["compile", "--os", "debian12", "--format", "dot"],
        &["compile", "b"],
        &["compile", "c"],
        &["compile", "--all"],
        &["compile", "--all", "--format", "json"],
        &["impact", "Class[m]"],
        &["impact", "Class[m]", "--format", "json"],
        &["compile", "--class", "m::code"],
        &["compile", "--os", "debian12", "--why", "Class[m]"],
        &["compile", "--os", "debian12", "--only", "Class[m]"],
        &["ci", "--format", "json"],
        &["ci", "--format", "markdown"],
        &["ci"],
        &["eval", "-e", "Sensitive('sesame26') + 1"],
        &["eval", "-e", "[Sensitive('sesame27'), notice(Sensitive('sesame28'))]", "--format", "json"],
        &["rewrite", "params", "--diff", "modules/m"],
        &["rewrite", "epp", "--diff", "modules/m"],
        &["scip"],
        &["symbols", ".", "m"],
        &["hiera", "explain", "a"],
        &["hiera", "explain", "a", "--os", "debian12", "--format", "json"],
        &["hiera", "moves"],
        &["hiera", "moves", "--format", "json"],
        &["hiera", "unused", "--show-open"],
    ] {
        check_no_marker(&folder.0, command);
    }
    let names =
        DATA.lines().filter(|line| line.starts_with("m::")).filter_map(|line| line.split(": ").next());
    for name in names {
        for more in [&["--explain"] as &[&str], &["--explain", "--format", "json"], &[]] {
            let command: Vec<&str> = ["lookup", name].into_iter().chain(more.iter().copied()).collect();
            check_no_marker(&folder.0, &command);
        }
    }
}

#[test]
fn hovers_show_no_marked_secret() {
    let folder = secrets("hovers");
    for (file, text) in [
        ("data/common.yaml", DATA),
        ("modules/m/manifests/init.pp", CLASS),
        ("modules/m/manifests/code.pp", CODE),
    ] {
        for (number, line) in text.lines().enumerate().take(17) {
            let first = line.find('$').map_or(1, |at| at + 2);
            let place = format!("{file}:{}:{first}", number + 1);
            check_no_marker(&folder.0, &["hover", &place]);
            check_no_marker(&folder.0, &["hover", "--format", "json", &place]);
        }
    }
}

#[test]
fn reports_mask_values_with_secret_names() {
    let before = "class m ($db_password = 'sesame01', $pin_code = 'sesame02') {
  m::d { 'x': password => $db_password, api_key => 'sesame03', pin_code => $pin_code, seen => 'visible1' }
  file { '/x': content => \"user=a\\npassword = sesame04\\n\" }
  notify { 'token: sesame05': }
}
define m::d($password, $api_key, $pin_code, $seen) {}
";
    let folder = Folder::new(
        "masked",
        &[
            ("metadata.json", "{\"name\": \"a-m\", \"version\": \"1.0.0\"}"),
            ("puppet-analyzer.toml", "secret-keys = ['pin-code']\n"),
            ("modules/m/manifests/init.pp", before),
            ("environment.conf", "modulepath = modules\n"),
            ("manifests/site.pp", "include m\n"),
        ],
    );
    fs::remove_file(folder.0.join("metadata.json")).expect("exists");
    folder.git(&["init", "-q", "-b", "main"]);
    folder.git(&["add", "."]);
    folder.git(&["commit", "-q", "-m", "one"]);
    let after = before.replace("sesame0", "sesame1").replace("visible1", "visible2");
    folder.write(&[("modules/m/manifests/init.pp", &after)]);
    for format in ["markdown", "json", "octocatalog"] {
        let report = check_no_marker(&folder.0, &["diff", "a", "--os", "debian12", "--format", format]);
        assert!(report.contains("visible2"), "{report}");
    }
    let wrong = "class m {
  m::e { 'x': password => 'sesame01' }
  m::e { 'y': password => 1, keys => 2, more_secret => ['sesame02', 'sesame03'] }
  m::f('sesame04', ['sesame05', 'sesame06'])
}
define m::e(Integer $password, $keys = 1, Array[Integer] $more_secret = []) {}
function m::f(Integer $password, Array[Integer] $tokens) {}
";
    folder.write(&[("modules/m/manifests/init.pp", wrong)]);
    for format in ["sarif", "github", "gitlab", "junit", "concise", "markdown"] {
        let report = check_no_marker(&folder.0, &["check", "--format", format, "."]);
        assert!(report.contains("'password'"), "{report}");
    }
}

/// Values that messages quote without a name next to them: through variables, other files, interpolation and
/// templates.
const UNNAMED_VALUES: &str =
    "class m ($data_password = undef, $api_token = 'sesame01', Integer $pin_secret = 'sesame02', Integer[1, 5] $door_token = 47119811) {
  $db_password = \"sesame03\"
  $a = $db_password + 1
  $b = Integer($db_password)
  $c = $api_token + 1
  $h = { 'password' => 'sesame04', 'all' => { 'auth-key' => ['sesame05'] } }
  $d = $h['password'] + 1
  $e = $h['all']['auth-key'][0] - 1
  $f = \"pre-${db_password}\" + 1
  $g = $m::params::admin_password
  $i = $g * 2
  $passwords = {
    'one' => 'sesame06',
    'two' => \"sesame07 it's\",
  }
  $j = $passwords['two'] + 1
  $k = @(END) + 1
    secret = sesame08
    | END
  $l = $api_token ? { 'sesame09' => 'visible1' }
  $n = $l + 1
  m::d { 'x': thing => $g }
  $o = 'apache' + 1
  $p = hiera('m::data_password')
  $given = 'sesame-16'
  $r_token = $given
  $q = $r_token + 1
  $r = $given + 1
  $api_key = join(['sesame', '17x'], '')
  $s = $api_key
  $t = $s + 1
  fail(\"it is ${db_password}\")
}
";

const JOINED: &str = "class m::joined {
  $db_password = 'sesame15'
  $note = \"a ${db_password}\"
  notify { 'n': message => $note }
}
";

#[test]
fn reports_mask_values_of_secrets_elsewhere() {
    let folder = Folder::new(
        "written-out",
        &[
            ("environment.conf", "modulepath = modules\n"),
            ("hiera.yaml", HIERA),
            ("data/common.yaml", "m::data_password: sesame10\nm::tokens: {a: [sesame11]}\nm::d: sesame12\n"),
            (
                "manifests/site.pp",
                "node 'a' { include m }\nnode 'b' { include m::two }\nnode 'c' { include m::joined }\n",
            ),
            ("modules/m/manifests/joined.pp", JOINED),
            ("modules/m/manifests/init.pp", UNNAMED_VALUES),
            ("modules/m/manifests/params.pp", "class m::params { $admin_password = 'sesame13' }\n"),
            ("modules/m/manifests/d.pp", "define m::d(Integer $thing, $old_password = 'apache') { }\n"),
            (
                "modules/m/manifests/two.pp",
                "class m::two { $tokens = lookup('m::tokens')\n  $b = $tokens['a'][0] + 1 }\n",
            ),
            (
                "modules/m/templates/a.epp",
                "<%- | $x | -%>\n<% $my_token = 'sesame14' %><%= $my_token + 1 %>\n",
            ),
        ],
    );
    let (_, shown, _) = run(&folder.0, &["check", "--compile", "."]);
    assert!(shown.matches(MARK).count() > 10, "{shown}");
    for format in ["sarif", "github", "gitlab", "junit", "concise", "markdown"] {
        let report = check_no_marker(&folder.0, &["check", "--compile", "--format", format, "."]);
        for seen in ["visible1", "apache", "is not a number"] {
            assert!(report.contains(seen), "{format}: no {seen} in {report}");
        }
        assert!(!report.contains("47119811"), "{report}");
    }
    folder.git(&["init", "-q", "-b", "main"]);
    folder.git(&["add", "."]);
    folder.git(&["commit", "-q", "-m", "one"]);
    let changed = JOINED.replace("sesame15", "sesame16");
    folder.write(&[("modules/m/manifests/joined.pp", &changed)]);
    for format in ["markdown", "json", "octocatalog"] {
        let report = check_no_marker(&folder.0, &["diff", "a", "c", "--os", "debian12", "--format", format]);
        assert!(report.contains("a [masked]"), "{report}");
    }
}

/// Hostile names for a repository: control sequences for terminals and bidirectional text.
const CONTROL_CHARACTERS: &str = "\u{1b}]0;x\u{7}\u{1b}[31m\u{9b}1m\u{202e}\u{2066}\u{200f}";

#[cfg(unix)]
#[test]
fn control_characters_are_escaped() {
    let file = "modules/m/manifests/a\n::error::x\u{1b}[1m\u{202e}.pp".to_owned();
    let class = format!(
        "class m {{\n  $unused = 1\n  notify {{ \"a\\n::error::y{CONTROL_CHARACTERS}\": message => \"b\\n##[error]z{CONTROL_CHARACTERS}\" }}\n  notice(\"c\\n::error::n{CONTROL_CHARACTERS}\")\n}}\n"
    );
    let fails = format!("class m::fails {{ fail(\"f\\n::error::w{CONTROL_CHARACTERS}\") }}\n");
    let broken =
        format!("class m::x {{ # {CONTROL_CHARACTERS}\r::error::r\n  $a = = '{CONTROL_CHARACTERS}'\n}}\n");
    let folder = Folder::new(
        "steers",
        &[
            ("environment.conf", "modulepath = modules\n"),
            (
                "manifests/site.pp",
                &format!(
                    "node /a`{CONTROL_CHARACTERS}![x](http://y)<b>@team/ {{ include m }}\nnode default {{ include m::fails }}\n"
                ),
            ),
            ("modules/m/manifests/init.pp", &class),
            ("modules/m/manifests/fails.pp", &fails),
            (&file, &broken),
            (
                "hiera.yaml",
                "version: 5\nhierarchy:\n  - {name: \"l\\n::error::l\\e[1m\", path: \"p\\n::error::p\\e[1m.yaml\"}\n",
            ),
        ],
    );
    for command in [
        &["check", "."] as &[&str],
        &["check", "--compile", "."],
        &["check", "--compile", "--format", "json", "."],
        &["check", "--compile", "--format", "sarif", "."],
        &["check", "--compile", "--format", "github", "."],
        &["check", "--compile", "--format", "concise", "."],
        &["check", "--compile", "--format", "gitlab", "."],
        &["check", "--compile", "--format", "junit", "."],
        &["check", "--compile", "--format", "markdown", "."],
        &["compile", "a"],
        &["compile", "--class", "m::fails"],
        &["compile", "--class", "m", "--format", "json"],
        &["compile", "--class", "m", "--format", "dot"],
        &["compile", "--all", "--os", "debian12"],
        &["compile", "--all", "--os", "debian12", "--format", "json"],
        &["lookup", "k", "--explain"],
        &["lookup", "k", "--explain", "--format", "json"],
        &["unused", "--show-open"],
        &["unused", "--format", "json"],
        &["hiera", "explain", "a"],
        &["hiera", "explain", "a", "--format", "json"],
        &["hiera", "moves"],
        &["symbols", ".", ""],
        &["parse", &file],
        &["parse", "--format", "tree", &file],
        &["definition", "manifests/site.pp:1:40"],
        &["--color", "always", "check", "--compile", "."],
        &["--color", "always", "compile", "--class", "m"],
        &["--color", "always", "lookup", "k", "--explain"],
    ] {
        let (code, out, errors) = run(&folder.0, command);
        assert!(code.is_some(), "{command:?} ended by a signal");
        contains_no_commands(command, &out);
        contains_no_commands(command, &errors);
    }
}

/// Checks names and strings that are commands without containing any escaped character.
#[cfg(unix)]
#[test]
fn workflow_commands_are_escaped() {
    const SETS: &str = "##vso[task.setvariable variable=PATH]x";
    let class = format!(
        "class m {{\n  notify {{ '::error::t': }}\n  notify {{ '{SETS}': }}\n  notice('::error::n')\n  $a = \"\n::error::w\n{SETS}\"\n}}\n"
    );
    let broken = format!("{SETS}.pp");
    let folder = Folder::new(
        "commands",
        &[
            ("::error::x.pp", "class a { $b = 1 }\n"),
            (&broken, "class a {\n"),
            ("manifests/site.pp", "node '::error::n' { include m }\n"),
            ("modules/m/manifests/init.pp", &class),
            ("data/common.yaml", &format!("k: '{SETS}'\n")),
            ("hiera.yaml", "version: 5\nhierarchy:\n  - {name: '::error::l', path: common.yaml}\n"),
        ],
    );
    for command in [
        &["check", "."] as &[&str],
        &["check", "--compile", "--format", "concise", "."],
        &["check", "--compile", "--format", "json", "."],
        &["check", "--compile", "--format", "gitlab", "."],
        &["check", "--statistics", "."],
        &["format", "--diff", "."],
        &["lint", "."],
        &["lint", "--json", "."],
        &["lint", "--log-format", "%{path}", "."],
        &["compile", "--all", "--os", "debian12"],
        &["compile", "--class", "m", "--os", "debian12"],
        &["compile", "--class", "m", "--os", "debian12", "--format", "json"],
        &["lookup", "k", "--explain", "--os", "debian12"],
        &["hiera", "explain", "a", "--os", "debian12"],
        &["symbols", ".", ""],
        &["parse", &broken],
        &["eval", "-e", "\"a\n::error::x\""],
    ] {
        let (code, out, errors) = run(&folder.0, command);
        assert!(code.is_some(), "{command:?} ended by a signal");
        contains_no_commands(command, &out);
        contains_no_commands(command, &errors);
        assert!(!out.contains("##vso[") && !errors.contains("##vso["), "{command:?}: {out}{errors}");
    }
}

/// Checks that terminals and GitHub would not interpret anything in the output.
fn contains_no_commands(command: &[&str], output: &str) {
    let is_github = command.contains(&"github");
    for line in output.lines() {
        let words = line.trim_start();
        let is_ours = is_github
            && ["::error file=", "::warning file=", "::notice file=", "::notice title=not looked at::"]
                .iter()
                .any(|it| words.starts_with(it));
        assert!(is_ours || !words.starts_with("::"), "{command:?}: {line:?}");
        assert!(!words.starts_with("##"), "{command:?}: {line:?}");
    }
    let plain = if command.contains(&"always") { without_colors(output) } else { output.to_owned() };
    let is_raw =
        |c: char| c.is_control() && !matches!(c, '\n' | '\t') || "\u{202e}\u{2066}\u{200f}".contains(c);
    assert!(!plain.contains(is_raw), "{command:?}: {plain:?}");
}

/// Removes the program's own colors; none of them come from the repository.
fn without_colors(output: &str) -> String {
    let mut plain = String::new();
    for (index, part) in output.split("\u{1b}[").enumerate() {
        let end = part.find('m').filter(|end| part[..*end].chars().all(|c| c.is_ascii_digit() || c == ';'));
        match end.filter(|_| index > 0) {
            Some(end) => plain.push_str(&part[end + 1..]),
            None => plain.push_str(part),
        }
    }
    plain
}

#[test]
fn markdown_is_escaped() {
    let node = "a`![x](http://y)<img src=z>@team";
    let code = |title: &str| format!("node default {{ notify {{ {title}: }} }}\n");
    let folder = Folder::new("markdown", &[("manifests/site.pp", &code("'a'"))]);
    folder.git(&["init", "-q", "-b", "main"]);
    folder.git(&["add", "."]);
    folder.git(&["commit", "-q", "-m", "one"]);
    folder.write(&[("manifests/site.pp", &code("\"```\\n\\n<b>@team\""))]);
    let (_, report, errors) = run(&folder.0, &["diff", node, "--os", "debian12", "--format", "markdown"]);
    assert!(report.contains(&format!("**``{node}``**")), "{report}{errors}");
    assert!(!report.lines().any(|line| line.starts_with("<b>")), "{report}");
    assert!(report.contains("\n````diff\n"), "{report}");
}

/// Checks that no format shows a value that is plain before and sensitive afterward, or the reverse.
#[test]
fn values_that_become_sensitive_are_not_shown() {
    let plain = "node default { notify { 'n': message => 'qJ7plain' } }\n";
    let sensitive = "node default { notify { 'n': message => Sensitive('qJ7plain') } }\n";
    for (number, (before, after)) in [(plain, sensitive), (sensitive, plain)].into_iter().enumerate() {
        let folder = Folder::new(&format!("becomes-sensitive{number}"), &[("manifests/site.pp", before)]);
        folder.git(&["init", "-q", "-b", "main"]);
        folder.git(&["add", "."]);
        folder.git(&["commit", "-q", "-m", "one"]);
        folder.write(&[("manifests/site.pp", after)]);
        for format in ["text", "json", "markdown", "html"] {
            let (code, report, errors) =
                run(&folder.0, &["diff", "default", "--os", "debian12", "--format", format]);
            assert_eq!(code, Some(1), "{format}: {report}{errors}");
            assert!(
                !report.contains("qJ7plain") && !errors.contains("qJ7plain"),
                "{format}: {report}{errors}"
            );
        }
    }
}
