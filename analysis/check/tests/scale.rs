//! The queries executed after an edit do not depend on the number of modules.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use check::{Tier, diagnostics};
use project::testing::TestWorkspace;

const OPEN: &str = "/modules/m0/manifests/init.pp";

/// Returns `count` modules, each with classes, a defined type, a Puppet function, a Ruby function, a type and
/// data.
pub(crate) fn modules(count: usize) -> String {
    let mut fixture = "//- environment: roots=/modules module_path=/modules\n".to_owned();
    for index in 0..count {
        let module = format!("m{index}");
        let next = format!("m{}", (index + 1) % 5);
        let module_type = format!("M{index}");
        let _ = write!(
            fixture,
            "//- /modules/{module}/metadata.json
{{ \"name\": \"x-{module}\", \"version\": \"1.0.0\", \"dependencies\": [ {{ \"name\": \"x/{next}\" }} ] }}
//- /modules/{module}/manifests/params.pp
class {module}::params {{ $dir = '/etc/{module}' }}
//- /modules/{module}/manifests/thing.pp
define {module}::thing(String $size) {{ notice($size) }}
//- /modules/{module}/functions/port.pp
function {module}::port() {{ 80 }}
//- /modules/{module}/types/mode.pp
type {module_type}::Mode = Enum['a', 'b']
//- /modules/{module}/lib/puppet/parser/functions/{module}_old.rb
Puppet::Parser::Functions.newfunction(:{module}_old, type: :rvalue) {{ |args| args }}
//- /modules/{module}/hiera.yaml
version: 5
//- /modules/{module}/data/common.yaml
{module}::mode: a
",
        );
        if index > 0 {
            let _ = write!(fixture, "//- /modules/{module}/manifests/init.pp\n{}", init(index, ""));
        }
    }
    fixture + &opened("")
}

/// Returns the main class of a module, which uses another module; `inside` is part of its body.
fn init(index: usize, inside: &str) -> String {
    let next = (index + 1) % 5;
    format!(
        "class m{index}(M{next}::Mode $mode = 'a') inherits m{index}::params {{
  include m{next}
  $unread = 1
  $port = m{next}::port() + 1
  m{next}::thing {{ 'x': size => \"${{port}} ${{m{next}::params::dir}} ${{m{index}_old('x')}}\" }}
  {inside}
}}
"
    )
}

fn opened(inside: &str) -> String {
    format!("//- {OPEN} open\n{}", init(0, inside))
}

/// Returns the number of executions per query when the open file is edited and checked again.
fn executed(count: usize, edit: &str) -> BTreeMap<String, usize> {
    let mut workspace = TestWorkspace::new(&modules(count));
    let ask = |workspace: &TestWorkspace| {
        for tier in Tier::LIVE {
            diagnostics(&workspace.db, workspace.file(OPEN), tier);
        }
    };
    ask(&workspace);
    workspace.take_executed();
    workspace.edit(edit);
    ask(&workspace);
    workspace.take_executed()
}

#[test]
fn executed_queries_do_not_depend_on_the_number_of_modules() {
    let edits = [
        opened("# a comment"),
        opened("$y = $port + 2"),
        opened("include m3"),
        opened("include m2::nowhere"),
        opened("notice($nothing, m3_old(1), nothing_of_the_kind(1))"),
        opened("m4::thing { 'y': siez => 1 }"),
        opened("").replace("$mode = 'a'", "$mode = 'a', $other = 1"),
        opened("$x = {"),
    ];
    for edit in edits {
        let (few, many) = (executed(10, &edit), executed(93, &edit));
        assert!(!few.is_empty());
        assert_eq!(few, many, "{edit}");
    }
}

#[test]
fn typing_does_not_rescan_all_files() {
    const LAST: &str = "/modules/z/manifests/init.pp";
    for (edit, found_again) in [("   ", 0), ("# nothing of the kind", 1), ("include absent", 1)] {
        let last = format!("//- {LAST} open\nclass z {{ include absent }}\n");
        let mut workspace = TestWorkspace::new(&(modules(20) + &last));
        let ask = |workspace: &TestWorkspace| {
            let found = diagnostics(&workspace.db, workspace.file(LAST), Tier::Names);
            found.iter().filter(|it| it.message.contains("module `absent` not found")).count()
        };
        assert_eq!(ask(&workspace), 1);
        workspace.take_executed();
        workspace.edit(&opened(edit));
        assert_eq!(ask(&workspace), usize::from(!edit.contains("absent")), "{edit}");
        let executed = workspace.take_executed();
        let count = |query| executed.get(query).copied().unwrap_or_default();
        let counts = (count("words_of_open_file"), count("first_to_miss"), count("sources_of_module"));
        assert_eq!(counts, (1, found_again, 0), "{edit}");
    }
}
