//! Checks that all commands agree on which catalogs compile, fail or are inconclusive, so that nothing
//! unchecked is reported as correct.

use crate::folders::{Folder, run};

const METADATA: &str = r#"{ "name": "x-small", "version": "1.0.0", "author": "x", "license": "MIT", "summary": "s", "source": "x", "dependencies": [], "operatingsystem_support": [{ "operatingsystem": "Debian", "operatingsystemrelease": ["12"] }] }"#;

/// A class, with the expected results of compiling it alone and in a node that includes it.
struct Scenario {
    name: &'static str,
    /// Body of the class.
    body: &'static str,
    /// Additional files of its module.
    files: &'static [(&'static str, &'static str)],
    /// Results of `compile` and `compile --all` for the class alone, and for a node that includes it.
    signs: (char, char),
    /// Results of `check --compile`, which reports fewer possibly intended failures; `'.'` for any.
    checked: (char, char),
    /// Expected part of the output.
    expected_output: &'static str,
}

const fn scenario(
    name: &'static str,
    body: &'static str,
    signs: (char, char),
    checked: (char, char),
    expected_output: &'static str,
) -> Scenario {
    Scenario { name, body, files: &[], signs, checked, expected_output }
}

const ADDS: &str = "Puppet::Functions.create_function(:'small::f') do\n  def f\n    Dir.glob('/etc/*').each { |it| call_function('create_resources', 'notify', { it => {} }) }\n  end\nend\n";

const ADDS_NOTHING: &str = "Puppet::Functions.create_function(:'small::f') do\n  def f\n    call_function('create_resources', 'notify', {})\n  end\nend\n";

const REFUSES: &str = "Puppet::Parser::Functions.newfunction(:small_check) do |given|\n  raise Puppet::ParseError, given[0] unless system('/bin/check', given[0])\nend\n";

const ACCEPTS: &str = "Puppet::Parser::Functions.newfunction(:small_check) do |given|\n  raise Puppet::ParseError, given[0] unless given[0] == 'x'\nend\n";

const GIVES: &str = "Puppet::Functions.create_function(:'small::f') do\n  dispatch :f do\n    return_type 'Integer'\n  end\n  def f\n    1\n  end\nend\n";

const MORE: &str = "class small::more(Integer $p) {\n  notify { \"x${p}\": }\n}\n";

const HIERA: &str = "version: 5\nhierarchy:\n  - name: Node\n    path: nodes/%{trusted.certname}.yaml\n  - name: Common\n    path: common.yaml\n";

/// Hierarchy that depends on an unknown certificate extension and an unknown fact.
const HIERA_OF_ROLES: &str = "version: 5\nhierarchy:\n  - name: Role\n    path: role/%{trusted.extensions.pp_role}.yaml\n  - name: Fact\n    path: role/%{facts.role}.yaml\n  - name: Common\n    path: common.yaml\n";

const FINE: (char, char) = ('✓', '✓');
const OPEN: (char, char) = ('?', '?');
const FAILS: (char, char) = ('✗', '✗');

const SCENARIOS: &[Scenario] = &[
    scenario("fine", "notify { 'x': }", FINE, FINE, ""),
    scenario("class-elsewhere", "include far::x", OPEN, OPEN, "class `far::x` not found"),
    scenario("class-missing", "include small::nosuch", FAILS, FAILS, "small::nosuch"),
    scenario("function-elsewhere", "far::f()", OPEN, OPEN, "function `far::f` not found"),
    scenario("type-elsewhere", "far::d { 'x': }", OPEN, OPEN, "type `far::d` not found"),
    scenario(
        "alias-elsewhere",
        "if 'x' =~ Far::T { notify { 'x': } }",
        OPEN,
        OPEN,
        "type `far::t` not found",
    ),
    scenario(
        "defined-of-class",
        "if defined(far::x) { notify { 'x': } }",
        OPEN,
        OPEN,
        "class `far::x` not found",
    ),
    scenario("deliberate", "fail('why')", FAILS, ('.', '?'), "why"),
    scenario("two-reasons", "include far::x\n  include small::nosuch", FAILS, FAILS, "small::nosuch"),
    scenario("declared-twice", "notify { 'x': }\n  notify { 'x': }", FAILS, FAILS, "x"),
    scenario("wrong-type", "$x = Integer('a')\n  notify { \"${x}\": }", FAILS, FAILS, "a"),
    scenario(
        "circle",
        "notify { 'x': require => Notify['y'] }\n  notify { 'y': require => Notify['x'] }",
        FAILS,
        FAILS,
        "x",
    ),
    scenario(
        "loop",
        "$x = Integer[1, 99999999].reduce |$a, $b| { $a + $b }\n  notify { \"${x}\": }",
        OPEN,
        OPEN,
        "",
    ),
    scenario("unknown-value", "$x = far::f()\n  Integer($x)", OPEN, OPEN, "function `far::f` not found"),
    Scenario {
        files: &[("manifests/more.pp", "class small::more {\n  include far::x\n}\n")],
        ..scenario("class-of-class", "include small::more", OPEN, OPEN, "class `far::x` not found")
    },
    Scenario {
        files: &[("manifests/more.pp", "class small::more {\n  notify { 'x' }\n}\n")],
        ..scenario("broken-file", "include small::more", FAILS, FAILS, "")
    },
    Scenario {
        files: &[("lib/puppet/functions/small/f.rb", ADDS)],
        ..scenario("ruby-adds", "small::f()", OPEN, OPEN, "Ruby function `small::f` is not executed")
    },
    Scenario {
        files: &[("lib/puppet/functions/small/f.rb", ADDS_NOTHING)],
        ..scenario("ruby-adds-nothing", "small::f()", FINE, FINE, "")
    },
    Scenario {
        files: &[("lib/puppet/parser/functions/small_check.rb", REFUSES)],
        ..scenario(
            "ruby-refuses",
            "small_check('x')",
            OPEN,
            OPEN,
            "Ruby function `small_check` is not executed and may fail",
        )
    },
    Scenario {
        files: &[("lib/puppet/parser/functions/small_check.rb", ACCEPTS)],
        ..scenario("ruby-accepts", "small_check('x')", FINE, FINE, "")
    },
    Scenario {
        files: &[("lib/puppet/functions/small/f.rb", GIVES)],
        ..scenario("ruby-gives", "notify { \"x${small::f()}\": }", FINE, FINE, "")
    },
    Scenario {
        files: &[("manifests/more.pp", MORE)],
        ..scenario("data-elsewhere", "include small::more", ('✓', '?'), ('✓', '.'), "")
    },
    Scenario {
        files: &[
            ("manifests/more.pp", MORE),
            ("hiera.yaml", HIERA),
            ("data/common.yaml", "small::more::p: text\n"),
        ],
        ..scenario("data-of-nodes", "include small::more", ('✓', '✗'), ('.', '✗'), "")
    },
    Scenario {
        files: &[
            ("manifests/more.pp", MORE),
            ("hiera.yaml", HIERA),
            ("data/common.yaml", "small::more::p: 1\n"),
        ],
        ..scenario("data", "include small::more", FINE, FINE, "")
    },
    Scenario {
        files: &[("manifests/more.pp", MORE), ("hiera.yaml", "version: 5\nhierarchy: 1\n")],
        ..scenario("broken-configuration", "include small::more", FAILS, ('.', '.'), "")
    },
    scenario("class-not-known", "include \"small::${facts['nosuchfact']}\"", ('✓', '?'), ('.', '?'), ""),
    scenario(
        "related-not-known",
        "notify { 'x': }\n  Notify[\"x${facts['nosuchfact']}\"] -> Notify['x']",
        ('✓', '?'),
        ('.', '?'),
        "",
    ),
    scenario(
        "overridden-not-known",
        "notify { 'x': }\n  Notify[\"x${facts['nosuchfact']}\"] { message => 'y' }",
        ('✓', '?'),
        ('.', '?'),
        "",
    ),
    scenario(
        "realized-not-known",
        "realize(Notify[\"x${facts['nosuchfact']}\"])",
        ('✓', '?'),
        ('.', '?'),
        "",
    ),
    Scenario {
        files: &[
            ("manifests/more.pp", MORE),
            ("hiera.yaml", HIERA_OF_ROLES),
            ("data/common.yaml", "small::more::p: text\n"),
            ("data/role/db.yaml", "small::more::p: 1\n"),
        ],
        ..scenario("data-of-roles", "include small::more", OPEN, ('.', '.'), "data for `small::more::p`")
    },
    Scenario {
        files: &[
            ("manifests/more.pp", MORE),
            ("hiera.yaml", HIERA_OF_ROLES),
            ("data/common.yaml", "small::more::p: text\n"),
            ("data/role/db.yaml", "small::more::other: 1\n"),
        ],
        ..scenario("data-of-no-role", "include small::more", ('✓', '✗'), ('.', '✗'), "")
    },
    scenario("includes-itself", "include small", FINE, FINE, ""),
    scenario("unknown-attribute", "notify { 'x': nosuch => 1 }", FAILS, FAILS, "nosuch"),
    scenario("unknown-type", "nosuch { 'x': }", FAILS, FAILS, "nosuch"),
    scenario("unknown-function", "small::nosuch()", FAILS, FAILS, "small::nosuch"),
    scenario("defined-of-own-class", "if defined(small::nosuch) { notify { 'x': } }", FINE, FINE, ""),
    scenario("missing-reference", "notify { 'x': require => Notify['y'] }", ('✓', '✗'), ('✓', '✗'), ""),
    scenario("warning", "warning('w')\n  notify { 'x': }", FINE, FINE, ""),
    scenario("unknown-define", "small::d { 'x': }", FAILS, FAILS, "small::d"),
    scenario("lookup-elsewhere", "notify { lookup('nosuch'): }", ('✓', '?'), ('.', '.'), ""),
    Scenario {
        files: &[("templates/t.erb", "<%= far.away %>\n")],
        ..scenario("template-fails", "notify { template('small/t.erb'): }", FAILS, FAILS, "far")
    },
    Scenario {
        files: &[("manifests/more.pp", "class small::more {\n  fail('no')\n}\n")],
        ..scenario("deliberate-of-class", "include small::more", FAILS, ('.', '?'), "no")
    },
    scenario("missing-file", "notify { file('small/none'): }", FAILS, FAILS, "small/none"),
    scenario("missing-template", "notify { template('small/none.erb'): }", FAILS, FAILS, "small/none.erb"),
    scenario("missing-epp", "notify { epp('small/none.epp'): }", FAILS, FAILS, "small/none.epp"),
    Scenario {
        files: &[("files/here", "x")],
        ..scenario("one-file-of-two", "notify { file('small/none', 'small/here'): }", FINE, FINE, "")
    },
    scenario("file-elsewhere", "notify { file('far/none'): }", OPEN, OPEN, "`far` not found"),
    scenario(
        "file-of-the-machine",
        "notify { file('/none'): }",
        OPEN,
        OPEN,
        "file `/none` on the compiling machine",
    ),
    scenario(
        "unset-variable",
        "notify { \"x${nosuch}\": }",
        OPEN,
        ('.', '.'),
        "variable `$nosuch` is not set",
    ),
    scenario(
        "tested-variable",
        "if defined('$nosuch') { notify { \"x${nosuch}\": } }",
        ('✓', '?'),
        ('.', '.'),
        "",
    ),
    scenario(
        "legacy-fact",
        "if $::operatingsystem == 'Debian' { notify { 'x': } }",
        FAILS,
        FAILS,
        "unknown variable `$::operatingsystem`",
    ),
];

/// Returns the sign of the only catalog in a matrix.
fn sign_of_matrix(out: &str, name: &str) -> char {
    let row = out.lines().find(|line| line.split(' ').next() == Some(name));
    row.and_then(|line| line.chars().last()).unwrap_or('.')
}

/// Converts the exit code and standard error to a sign.
fn sign_of_compile(code: Option<i32>, err: &str) -> char {
    match code {
        Some(0 | 3) if err.contains("open: ") => '?',
        Some(0) => '✓',
        Some(1) => '✗',
        _ => '.',
    }
}

fn sign_of_check(code: Option<i32>, err: &str) -> char {
    match code {
        Some(1) => '✗',
        Some(0) if err.contains("open: ") => '?',
        Some(0) => '✓',
        _ => '.',
    }
}

fn lines(files: &[(&str, String)]) -> Folder {
    static NUMBER: std::sync::atomic::AtomicUsize = std::sync::atomic::AtomicUsize::new(0);
    let number = NUMBER.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
    let folder = Folder::new(&format!("verdicts{number}"), &[]);
    let files: Vec<(&str, &str)> = files.iter().map(|(path, text)| (*path, text.as_str())).collect();
    folder.write(&files);
    folder
}

#[test]
fn all_commands_agree() {
    let mut wrong = Vec::new();
    for it in SCENARIOS {
        let class = format!("# A class.\nclass small {{\n  {}\n}}\n", it.body);
        for (is_node, expected, checked) in
            [(false, it.signs.0, it.checked.0), (true, it.signs.1, it.checked.1)]
        {
            let at = |path: &str| if is_node { format!("modules/small/{path}") } else { path.to_owned() };
            let mut files =
                vec![(at("metadata.json"), METADATA.to_owned()), (at("manifests/init.pp"), class.clone())];
            files.extend(it.files.iter().map(|(path, text)| (at(path), (*text).to_owned())));
            let (name, one): (&str, &[&str]) = if is_node {
                ("web", &["compile", "--os", "debian12", "web"])
            } else {
                ("small", &["compile", "--os", "debian12", "--class", "small"])
            };
            if is_node {
                files.push(("environment.conf".to_owned(), "modulepath = modules\n".to_owned()));
                files.push(("manifests/site.pp".to_owned(), "node 'web' {\n  include small\n}\n".to_owned()));
            }
            let files: Vec<(&str, String)> =
                files.iter().map(|(path, text)| (path.as_str(), text.clone())).collect();
            let folder = lines(&files);
            let (code, out, err) = run(&folder.0, one);
            let of_compile = sign_of_compile(code, &err);
            let all = ["compile", "--all", "--os", "debian12"];
            let (all_code, matrix, all_err) = run(&folder.0, &all);
            let of_matrix = sign_of_matrix(&matrix, name);
            let (check_code, findings, unseen) = run(&folder.0, &["check", "--compile"]);
            let of_check = sign_of_check(check_code, &unseen);
            let denied = run(&folder.0, &[&all[..], &["--deny-open"]].concat()).0;
            // There is no difference to an unchanged commit, unless the result is unknown.
            folder.git(&["init", "-q"]);
            folder.git(&["add", "-A"]);
            folder.git(&["commit", "-q", "-m", "all"]);
            let (diff_code, difference, diff_err) = run(&folder.0, &["diff", "--os", "debian12"]);
            let is_right = of_compile == expected
                && diff_code == Some(if expected == '✓' { 0 } else { 3 })
                && of_matrix == expected
                && all_code == Some(i32::from(expected == '✗'))
                && denied == Some(i32::from(expected != '✓'))
                && (checked == '.' || of_check == checked)
                && format!("{out}{err}").contains(it.expected_output)
                && format!("{matrix}{all_err}").contains(it.expected_output);
            if !is_right {
                wrong.push(format!(
                    "== {} as a {}: expected {expected}; compile {of_compile} ({code:?}), --all {of_matrix} ({all_code:?}, \
                     denied {denied:?}), check {of_check}, diff {diff_code:?}\n{out}{err}--\n{matrix}{all_err}--\n{findings}{unseen}\
                     --\n{difference}{diff_err}",
                    it.name,
                    if is_node { "node" } else { "class" },
                ));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn classes_of_the_main_manifest() {
    let manifest = "class of_main { notify { file('small/none'): } }\nclass other { include of_main }\n";
    let files = [
        ("environment.conf", "modulepath = modules\n".to_owned()),
        ("modules/small/manifests/init.pp", "class small { include other }\n".to_owned()),
        ("manifests/site.pp", manifest.to_owned()),
    ];
    let folder = lines(&files);
    for class in ["of_main", "other", "small"] {
        let (code, out, err) = run(&folder.0, &["compile", "--os", "debian12", "--class", class]);
        assert_eq!(sign_of_compile(code, &err), '✗', "{class}: {out}{err}");
        assert!(err.contains("file `small/none` not found"), "{class}: {err}");
    }
}

#[test]
fn the_work_limit_does_not_depend_on_the_number_of_threads() {
    let class = |n: usize| {
        let text = format!("class small::c{n} {{ Integer[1, 30000].each |$n| {{ $n * 2 }} }}\n");
        (format!("manifests/c{n}.pp"), text)
    };
    let classes: Vec<_> = (0..60).map(class).collect();
    let mut files: Vec<_> = classes.iter().map(|(path, text)| (path.as_str(), text.clone())).collect();
    files.push(("metadata.json", METADATA.to_owned()));
    let folder = lines(&files);
    let runs: Vec<_> =
        ["1", "4"].iter().map(|threads| run(&folder.0, &["check", "--threads", threads])).collect();
    assert_eq!(runs[0], runs[1]);
    let err = &runs[0].2;
    assert!(
        err.contains(
            "open: code was not evaluated because the work limit of a run was reached; in manifests/c"
        ),
        "{err}"
    );
}

#[test]
fn large_files_are_reported() {
    let filler = format!("# {}\n", "x".repeat(3 << 20));
    let files = [
        ("environment.conf", "modulepath = modules\n".to_owned()),
        ("hiera.yaml", HIERA.to_owned()),
        ("data/common.yaml", format!("a: 1\na: 2\n{filler}")),
        ("Puppetfile", format!("mod 'x/y', :nope => 3\n{filler}")),
        ("modules/small/metadata.json", format!("{{\"name\": \"{filler}\"}}")),
    ];
    let folder = lines(&files);
    let (code, out, err) = run(&folder.0, &["check"]);
    assert_eq!(code, Some(1), "{out}{err}");
    for path in ["data/common.yaml", "Puppetfile", "modules/small/metadata.json"] {
        assert!(out.contains(&format!("{path}:1:1")), "{path}: {out}{err}");
    }
    assert_eq!(out.matches("file is too large to check").count(), 3, "{out}");
}
