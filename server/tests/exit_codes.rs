//! Exit codes of all commands, compared with the table in the documentation.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use crate::folders::{Folder, Ran};

/// Files of the folder in which the commands run.
const FILES: &[(&str, &str)] = &[
    ("environment.conf", "modulepath = modules\n"),
    ("hiera.yaml", "version: 5\nhierarchy:\n  - name: n\n    paths: ['%{facts.x}.yaml', 'common.yaml']\n"),
    ("data/common.yaml", "key: 1\nm::a: 1\n"),
    ("manifests/site.pp", "node 'a' {\n  include m\n}\n"),
    ("modules/m/manifests/init.pp", "class m {\n  notify { 'x': }\n}\n"),
    ("modules/other/manifests/init.pp", "class other {\n  fail('why')\n}\n"),
    ("broken/manifests/init.pp", "class broken {\n"),
    ("good.pp", "notice('x')\n"),
    ("bad.pp", "notice(\n"),
    ("unformatted.pp", "notice( 'x')\n"),
    ("tabs.pp", "\tnotice('x')\n"),
    ("nodes/a.json", "{\"name\": \"a\", \"values\": {\"x\": 1}}"),
    ("nodes/b.json", "{\"name\": \"b\", \"values\": {\"x\": 1}}"),
    ("written.scip", ""),
    ("modules/m/plans/p.pp", "plan m::p() {\n  return epp('m/a.epp')\n}\n"),
    ("modules/m/templates/a.epp", "a\n"),
    ("p/metadata.json", r#"{ "name": "me-p", "version": "1.0.0", "dependencies": [] }"#),
    ("p/manifests/t.pp", "class p::t {\n  notify { template('p/t.erb'): }\n}\n"),
    ("p/templates/t.erb", "a\n"),
    ("p/manifests/params.pp", "class p::params {\n  $x = 'a'\n}\n"),
    ("p/manifests/init.pp", "class p ($x = $p::params::x) inherits p::params {\n  notify { $x: }\n}\n"),
];

/// Messages of a client that ends its session properly.
const SESSION: [&str; 3] = [
    r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"capabilities":{}}}"#,
    r#"{"jsonrpc":"2.0","id":2,"method":"shutdown"}"#,
    r#"{"jsonrpc":"2.0","method":"exit"}"#,
];

/// Command lines with their exit codes.
const CASES: &[(&str, u8)] = &[
    ("check good.pp", 0),
    ("check --exit-zero bad.pp", 0),
    ("check bad.pp", 1),
    ("check missing.pp", 2),
    ("check --require-files data/none", 2),
    ("check --fail-on nothing", 2),
    ("ci --skip check --skip format --os debian12", 0),
    ("ci --skip format --os debian12", 1),
    ("ci --base main", 2),
    ("compile --os debian12 a", 0),
    ("compile --os debian12 --why Notify[x] a", 0),
    ("compile --os debian12 --why Notify[y] a", 1),
    ("compile --os debian12 --class other", 1),
    ("compile --os nothing a", 2),
    ("compile --os debian12 --code Integer[1,9].each|$a|{Integer[1,9000000].each|$b|{notice($b)}}", 3),
    ("completions bash", 0),
    ("completions dos", 2),
    ("definition manifests/site.pp:2:11", 0),
    ("definition manifests/site.pp:1:1", 1),
    ("definition manifests/site.pp:99:1", 2),
    ("diff --os debian12 a", 0),
    ("diff --os debian12 --class m", 1),
    ("diff --base nothing", 2),
    ("diff --os debian12 --class other", 3),
    ("diff --os debian12 --format octocatalog a", 0),
    ("diff --os debian12 --class m --format octocatalog", 2),
    ("diff --base nothing --format octocatalog", 1),
    ("docs --output - modules/m", 0),
    ("docs --format html --output - modules/m", 0),
    ("docs --check modules/m", 1),
    ("docs missing", 2),
    ("docs --output - broken", 3),
    ("eval -e 1+1", 0),
    ("eval -e fail('x')", 1),
    ("eval missing.pp", 2),
    ("explain syntax-error", 0),
    ("explain nothing", 2),
    ("facts fetch --help", 0),
    ("facts fetch --puppetdb nothing", 2),
    ("format --check good.pp", 0),
    ("format --check unformatted.pp", 1),
    ("format --check bad.pp", 2),
    ("hiera explain a --facts facts.json", 0),
    ("hiera explain a --facts facts.json nothing::*", 1),
    ("hiera explain a --os nothing", 2),
    ("hiera explain a", 3),
    ("hiera moves", 0),
    ("hiera unused", 1),
    ("hover manifests/site.pp:2:11", 0),
    ("hover manifests/site.pp:3:2", 1),
    ("hover missing.pp:1:1", 2),
    ("impact --os debian12 Notify[x]", 0),
    ("impact --os debian12 modules/m/manifests/init.pp", 0),
    ("impact --os debian12 Notify[y]", 1),
    ("impact missing.pp", 2),
    ("impact data/common.yaml", 2),
    ("impact --os debian12 --nodes nodes Notify[y]", 2),
    ("impact --nodes nodes Notify[x]", 3),
    ("init --dry-run", 0),
    ("init modules", 0),
    ("init modules", 1),
    ("init nothing", 2),
    ("lint good.pp", 0),
    ("lint tabs.pp", 1),
    ("lint --nothing", 1),
    ("lookup --facts facts.json key", 0),
    ("lookup --facts facts.json nothing", 1),
    ("lookup --os nothing key", 2),
    ("lookup key", 3),
    ("lsp", 1),
    ("lsp --nothing", 2),
    ("man", 0),
    ("man --output nothing", 2),
    ("parse good.pp", 0),
    ("parse bad.pp", 1),
    ("parse missing.pp", 2),
    ("references modules/m/manifests/init.pp:1:7", 0),
    ("references manifests/site.pp:3:2", 1),
    ("references missing.pp:1:1", 2),
    ("replay missing", 2),
    ("rewrite epp --diff --unsafe p", 0),
    ("rewrite epp modules/m", 1),
    ("rewrite epp nothing", 2),
    ("rewrite params --diff p", 0),
    ("rewrite params modules/m", 1),
    ("rewrite params nothing", 2),
    ("rules style", 0),
    ("rules nothing", 2),
    ("scip --output written.scip", 0),
    ("scip --root nothing", 2),
    ("stats good.pp", 0),
    ("stats missing.pp", 2),
    ("symbols m", 0),
    ("symbols nothing", 1),
    ("symbols --path nothing", 2),
    ("unused --kind type", 0),
    ("unused --kind class", 1),
    ("unused --environment nothing", 2),
    ("unused --kind template", 3),
];

/// Exit codes of each command that have a text in the table of the documentation.
fn documented() -> BTreeMap<String, BTreeSet<u8>> {
    let page = "../docs/site/src/reference/exit-codes.md";
    let page = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(page)).expect("exists");
    let rows = page.lines().filter(|it| it.starts_with("| `"));
    let row = |line: &str| {
        let cells: Vec<&str> = line.split('|').skip(1).map(str::trim).collect();
        let codes = (0..=3_u8).filter(|code| !cells[usize::from(*code) + 1].is_empty());
        (cells[0].trim_matches('`').to_owned(), codes.collect())
    };
    rows.map(row).collect()
}

/// Creates the folder: a repository with a change that `diff` finds.
fn folder() -> Folder {
    let folder = Folder::new("exit-codes", FILES);
    folder.write(&[("facts.json", r#"{ "x": "y" }"#)]);
    folder.git(&["init", "--quiet", "--initial-branch", "topic"]);
    folder.git(&["add", "."]);
    folder.git(&["commit", "--quiet", "--message", "first"]);
    folder
}

fn run(folder: &Folder, line: &str) -> Ran {
    let arguments: Vec<&str> = line.split(' ').collect();
    if line.starts_with("diff --os debian12 --class m") {
        folder.write(&[("modules/m/manifests/init.pp", "class m {\n  notify { 'y': }\n}\n")]);
    }
    let ran = folder.run(&arguments);
    folder.write(&[FILES[4]]);
    ran
}

#[test]
fn exit_codes_are_documented() {
    let documented = documented();
    let folder = folder();
    let mut seen: BTreeMap<String, BTreeSet<u8>> = BTreeMap::new();
    let mut add = |command: &str, code| seen.entry(command.to_owned()).or_default().insert(code);
    for (line, code) in CASES {
        let ran = run(&folder, line);
        assert_eq!(ran.code, Some(i32::from(*code)), "{line}: {ran:?}");
        add(line.split(' ').next().expect("a command"), *code);
    }
    let frames = SESSION.map(|it| format!("Content-Length: {}\r\n\r\n{it}", it.len())).concat();
    let ran = folder.run_with_input(&["lsp", "--record", "session"], &frames);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    add("lsp", 0);
    assert_eq!(folder.run(&["replay", "session"]).code, Some(0));
    add("replay", 0);
    assert_eq!(seen, documented);
    // The table has all commands, and the help texts list the same codes.
    let help = folder.run(&["--help"]).stdout;
    let commands = help.lines().skip_while(|it| *it != "Commands:").skip(1).take_while(|it| !it.is_empty());
    let commands: BTreeSet<&str> = commands.filter_map(|it| it.split_whitespace().next()).collect();
    let known: BTreeSet<&str> = documented.keys().map(String::as_str).chain(["help"]).collect();
    assert_eq!(commands, known);
    for (command, codes) in &documented {
        let help = folder.run(&[command, "--help"]).stdout;
        let listed =
            help.lines().skip_while(|it| *it != "Exit codes:").skip(1).take_while(|it| !it.is_empty());
        let listed: BTreeSet<u8> =
            listed.filter_map(|it| it.trim().split(' ').next()?.parse().ok()).collect();
        assert!(listed.is_empty() || listed == *codes, "{command}: {listed:?}");
    }
}
