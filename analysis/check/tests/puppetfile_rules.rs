//! Findings in a `Puppetfile`.

use check::{Tier, diagnostics};
use project::testing::TestWorkspace;

/// Deployed modules.
const MODULES: &str = r#"
//- /modules/stdlib/metadata.json
{"name": "puppetlabs-stdlib", "version": "8.5.0", "author": "a", "license": "MIT", "source": "", "dependencies": []}
//- /modules/web/metadata.json
{"name": "puppet-web", "version": "1.0.0", "author": "a", "license": "MIT", "source": "", "dependencies": [
  {"name": "puppetlabs/stdlib", "version_requirement": ">= 9.0.0 < 10.0.0"}, {"name": "puppetlabs/gone"}]}
"#;

/// Returns the findings, each with the text of its range, one per line.
fn findings(text: &str) -> String {
    let fixture = format!("//- environment: roots=/ module_path=/modules{MODULES}//- /Puppetfile\n{text}");
    let workspace = TestWorkspace::new(&fixture);
    let found = diagnostics(&workspace.db, workspace.file("/Puppetfile"), Tier::Names);
    let lines = found.iter().map(|it| {
        let about = text[it.range.as_range()].lines().next().unwrap_or_default();
        let code = it.code.as_str().trim_start_matches("puppetfile-");
        format!("{:?} {code} `{about}`: {}", it.severity(), codes::single_line(&it.message))
    });
    lines.collect::<Vec<_>>().join("\n")
}

#[track_caller]
fn check(cases: &[(&str, &str)]) {
    for (text, expected) in cases {
        assert_eq!(findings(text), *expected, "{text}");
    }
}

#[test]
fn valid_files_have_no_findings() {
    let texts = [
        "",
        "forge 'https://forgeapi.puppet.com'\nmoduledir 'modules'\nexclusion 'a-b'\n",
        "mod 'a-b', '1.2.3'\nmod 'a/c', :latest\nmod 'a-d'\nmod 'a-e', nil\nmod 'a-f', '1.0.0-rc1'\n",
        "mod 'd', git: 'https://x/d.git', ref: 'main'\nmod 'e_f', :git => 'git@x:e.git', :branch => :control_branch\n",
        "mod 'my_org-g', git: 'ssh://x/g', tag: 'v1', default_branch: 'main', install_path: 'site/x', exclude_spec: true",
        "mod 'h', svn: 'https://x/svn', rev: '5', username: 'u', password: ENV['P']",
        "mod 'i', local: true\nmod 'j', type: 'local'\nmod 'a-k', type: 'forge', version: '1.0.0'",
        "mod 'l', type: :tarball, source: 'https://x/l.tgz', version: 'abc'",
        "version = '1.0.0'\nmod 'a-b', version\nmod 'm', **defaults_of('m')\ndef defaults_of(name) = { git: name }",
        "mod 'n', git: 'https://x' if ENV['A']\nmod 'n', git: 'https://y' unless ENV['A']",
        "require 'yaml'\nYAML.load_file('x').each { |name, options| mod name, options }\nputs 'x'\nraise 'no' if ENV['A']",
        "require_relative 'x'\nhelper 'x'",
        "metadata\nmod 'a-b', '>= 1.0.0 < 2.0.0'\nmod 'a-c', path: './c'",
        "#^syntax detection\nmod 'a-b', '>= 1.0.0'\nmod 'p', '1.0.0', git: 'https://x'",
        "mod 'q', '1.0.0', github_tarball: 'a/b'",
        "mod 'o', git: 'https://x', branch: Branch, tag: nil ? 'a' : 'b' if false",
    ];
    // Two revisions, even if one of them is unused.
    for text in &texts[..texts.len() - 1] {
        assert_eq!(findings(text), "", "{text}");
    }
}

#[test]
fn programs() {
    check(&[
        ("mod 'a-b', '1.0.0'\n}", "Error syntax `}`: unexpected '}', ignoring it"),
        (
            "mod 'a-b', '1.0.0\nmod 'a-c'\nmdo 'x'",
            "Error syntax `a`: unexpected local variable or method, expecting end-of-input",
        ),
        (
            "mod 'a-b', '1.x'\nmod 'a-c', :gti => 'x'\nmodd 'x'\n}\nmod 'a-d', '1.x'",
            "Error version `'1.x'`: `'1.x'` is not a version of a Forge module (help: use a version such as `1.2.3`, or `:latest`)\n\
             Error option `'a-c'`: no source for module `a-c` (help: use the option `git`, `svn`, `local`, or `type`)\n\
             Warning option `gti`: unknown option `gti` (help: did you mean `git`?)\n\
             Error unknown-word `modd`: unknown Puppetfile keyword `modd` (help: did you mean `mod`?)\n\
             Error syntax `}`: unexpected '}', ignoring it",
        ),
        (
            "mod 'a-b', '1.2.3',\nmod 'c-d', '1.2.3'\n",
            "Error syntax `,`: unexpected `,` after the last argument",
        ),
        (
            "mod 'a'\n  :git => 'https://x',\n  :ref => 'main'\nmod 'b-c', '1.x'\n",
            "Error syntax `'`: missing `,` before the next option",
        ),
        ("raise 'no'", "Error syntax `raise`: `raise` ends the evaluation of the Puppetfile"),
        (
            "modd 'a-c'",
            "Error unknown-word `modd`: unknown Puppetfile keyword `modd` (help: did you mean `mod`?)",
        ),
        ("mod_BROKEN 'x'", "Error unknown-word `mod_BROKEN`: unknown Puppetfile keyword `mod_BROKEN`"),
        ("source 'https://x'", "Error unknown-word `source`: unknown Puppetfile keyword `source`"),
        (
            "mod 'a', git: base + 'a', ref: 'm'",
            "Error unknown-word `base`: unknown Puppetfile keyword `base`",
        ),
        (
            "require_relative 'x'\nmodd 'a-c'",
            "Hint unknown-word `modd`: unknown Puppetfile keyword `modd` (help: did you mean `mod`?)",
        ),
    ]);
}

#[test]
fn names_and_versions() {
    check(&[
        ("mod 'c'", "Error name `'c'`: invalid module name `c`; expected `AUTHOR-MODULE`"),
        ("mod 'c', '1.0.0'", "Error name `'c'`: invalid module name `c`; expected `AUTHOR-MODULE`"),
        (
            "mod 'c', type: 'forge', version: '1.0.0'",
            "Error name `'c'`: invalid module name `c`; expected `AUTHOR-MODULE`",
        ),
        (
            "mod 'a-b-c'",
            "Error name `'a-b-c'`: invalid module name `b-c`; only letters, digits and `_` are allowed",
        ),
        (
            "mod 'a/b/c'",
            "Error name `'a/b/c'`: invalid module name `b/c`; only letters, digits and `_` are allowed",
        ),
        (
            "mod '', git: 'https://x', ref: 'm'",
            "Error name `''`: invalid module name ``; expected `MODULE` or `AUTHOR-MODULE`",
        ),
        ("mod 'a_b-c'", "Warning name `'a_b-c'`: invalid author `a_b`; only letters and digits are allowed"),
        ("metadata\nmod 'c'", "Warning name `'c'`: invalid module name `c`; expected `AUTHOR-MODULE`"),
        (
            "mod 'a-b-c', git: 'https://x', ref: 'm'",
            "Error name `'a-b-c'`: invalid module name `a-b-c`; expected `MODULE` or `AUTHOR-MODULE`",
        ),
        (
            "mod 'a-b', '1.x'",
            "Error version `'1.x'`: `'1.x'` is not a version of a Forge module (help: use a version such as `1.2.3`, or `:latest`)",
        ),
        (
            "mod 'a-b', '1.2'",
            "Error version `'1.2'`: `'1.2'` is not a version of a Forge module (help: use a version such as `1.2.3`, or `:latest`)",
        ),
        (
            "mod 'a-b', 1.2",
            "Error version `1.2`: `1.2` is not a version of a Forge module (help: use a version such as `1.2.3`, or `:latest`)",
        ),
        (
            "mod 'a-b', '< 2.0.0'",
            "Error version `'< 2.0.0'`: `'< 2.0.0'` is not a version of a Forge module (help: use a version such as `1.2.3`, or `:latest`)",
        ),
        (
            "mod 'a-b', 'latest'",
            "Error version `'latest'`: `'latest'` is not a version of a Forge module (help: use the symbol `:latest`)",
        ),
        (
            "mod 'a-b', :newest",
            "Error version `:newest`: `:newest` is not a version of a Forge module (help: use a version such as `1.2.3`, or `:latest`)",
        ),
        ("mod 'a-b', '1.0.0'\nmod 'c/b', '1.0.0'", "Error duplicate `'c/b'`: duplicate module `b`"),
        (
            "mod 'b', git: 'https://x', ref: 'm'\nmod 'a-b', '1.0.0'",
            "Error duplicate `'a-b'`: duplicate module `b`",
        ),
    ]);
}

#[test]
fn options() {
    check(&[
        (
            "mod 'a', :gti => 'https://x'",
            "Error option `'a'`: no source for module `a` (help: use the option `git`, `svn`, `local`, or `type`)\n\
             Warning option `gti`: unknown option `gti` (help: did you mean `git`?)",
        ),
        (
            "mod 'a', ref: 'main'",
            "Error option `'a'`: no source for module `a` (help: use the option `git`, `svn`, `local`, or `type`)",
        ),
        (
            "mod 'a', 'git' => 'https://x'",
            "Error option `'a'`: no source for module `a` (help: use the option `git`, `svn`, `local`, or `type`)\n\
             Error option `'git'`: option `git` is a string (help: use the symbol `:git`)",
        ),
        (
            "mod 'a', git: 'https://x', tag: 'v1', brunch: 'main'",
            "Warning option `brunch`: unknown option `brunch` (help: did you mean `branch`?)",
        ),
        (
            "mod 'a', git: 'https://x', ref: 'm', svn: 'y'",
            "Warning option `svn`: option `svn` does not apply to a Git module",
        ),
        (
            "mod 'a', svn: 'https://x', ref: '5'",
            "Warning option `ref`: option `ref` does not apply to a Subversion module",
        ),
        (
            "mod 'a', type: 'tarball', source: 'https://x', tag: '5'",
            "Error option `tag`: option `tag` does not apply to a tarball module",
        ),
        (
            "mod 'a', git: 'https://x', ref: 'main', tag: 'v1'",
            "Warning option `tag`: options `ref` and `tag` exclude each other",
        ),
        (
            "mod 'a', git: 'https://x', ref: :main",
            "Warning option `:main`: option `ref` must be a string (help: use `'main'`)",
        ),
        (
            "mod 'a', git: 'https://x', commit: '1.2.3'",
            "Warning option `'1.2.3'`: `1.2.3` is a version, not a commit",
        ),
        (
            "mod 'a-b', '1.0.0', git: 'https://x'",
            "Error option `git: 'https://x'`: `mod` accepts a version or options, not both",
        ),
        (
            "mod 'a', git: 'https://x', ref: 'm', install_path: '../x'",
            "Error option `'../x'`: `../x` is outside of the environment",
        ),
        (
            "mod 'a', git: 'https://x', ref: 'm', install_path: '/opt/x'",
            "Warning option `'/opt/x'`: `/opt/x` is outside of the environment, unless it is deployed there (help: use a path relative to the environment)",
        ),
        (
            "mod 'a', git: 'https://x', ref: 'm', install_path: '/etc/puppetlabs/code/environments/production/site'",
            "",
        ),
        (
            "mod 'a', svn: 'https://x', username: 'u'",
            "Error option `username`: option `username` requires `password` (help: add the option `password`)",
        ),
        (
            "mod 'a', git: 'https://x'",
            "Hint option `'a'`: no revision of module `a`; r10k 4 has no default (help: add the option `tag`, `commit`, or `branch`)",
        ),
        (
            "mod 'a', type: 'gti', source: 'https://x'",
            "Error option `'gti'`: unknown type of module `'gti'` (help: did you mean `'git'`?)",
        ),
        (
            "mod 'a', type: 'git', ref: 'm'",
            "Error option `'a'`: no location of the Git module `a` (help: add the option `source`)",
        ),
        ("mod 'a', git: 'https://x', commit: 'main'", "Warning option `'main'`: `main` is not a commit"),
        (
            "mod 'a', path: './a'",
            "Warning option `'a'`: module `a` has a source that only librarian-puppet knows",
        ),
        (
            "mod 'a', git: 'http://x', ref: 'm'",
            "Warning source `'http://x'`: `http://` is not encrypted, so the module can be replaced on its way (help: use `https://` or SSH)",
        ),
    ]);
}

#[test]
fn deployed_modules() {
    check(&[
        ("mod 'puppetlabs-stdlib', '8.5.0'", ""),
        (
            "mod 'puppetlabs-stdlib', '9.0.0'",
            "Hint other-version `'9.0.0'`: version 8.5.0 of module `puppetlabs-stdlib` is installed instead of 9.0.0 (help: run `r10k puppetfile install` to install the modules of the Puppetfile)",
        ),
        (
            "mod 'puppet-web', '1.0.0'\nmod 'puppetlabs-stdlib', '8.5.0'\nmod 'puppetlabs-gone', '1.0.0'",
            "Warning dependency `'puppet-web'`: module `puppet-web` requires version `>= 9.0.0 < 10.0.0` of module `stdlib`, but it has version 8.5.0\n\
             Hint other-version `'puppetlabs-gone'`: module `puppetlabs-gone` is not installed (help: run `r10k puppetfile install` to install the modules of the Puppetfile)",
        ),
        ("mod 'puppetlabs-gone', '1.0.0'", ""),
        (
            "mod 'puppetlabs-stdlib', '8.5.0'\nmod 'gone', git: 'https://x', ref: 'm', install_path: 'site'",
            "",
        ),
        (
            "mod 'puppet-web'\nmod 'puppetlabs-stdlib', git: 'https://x', tag: 'v8.5.0'",
            "Warning dependency `'puppet-web'`: module `puppet-web` requires version `>= 9.0.0 < 10.0.0` of module `stdlib`, but it has version 8.5.0\n\
             Hint dependency `'puppet-web'`: module `puppet-web` requires module `gone`, which is not installed",
        ),
    ]);
}
