//! Tasks: their metadata, and the code of plans that runs them.

use check::{Tier, diagnostics};
use project::testing::TestWorkspace;

/// Returns the findings in `file` of a fixture, each with the text of its range, one per line.
fn findings(fixture: &str, file: &str) -> String {
    let fixture = format!("//- environment: roots=/ module_path=/modules\n{}", fixture.trim_start());
    let workspace = TestWorkspace::new(&fixture);
    let text = project::text(&workspace.db, workspace.file(file)).unwrap_or_default();
    let mut lines = Vec::new();
    for tier in Tier::LIVE {
        for it in diagnostics(&workspace.db, workspace.file(file), tier) {
            let about = text[it.range.as_range()].lines().next().unwrap_or_default();
            lines.push(format!(
                "{:?} {} `{about}`: {}",
                it.severity(),
                it.code,
                codes::single_line(&it.message)
            ));
        }
    }
    lines.join("\n")
}

/// Checks the metadata of a task with the executables `x.sh` and `y.rb`.
#[track_caller]
fn metadata(cases: &[(&str, &str)]) {
    for (text, expected) in cases {
        let fixture = format!(
            "//- /modules/a/types/port.pp\ntype A::Port = Integer\n//- /modules/a/files/x\nx\n//- /modules/a/tasks/x.sh\nexit 0\n//- /modules/a/tasks/y.rb\n\
             exit 0\n//- /modules/a/tasks/x.json\n{text}"
        );
        let found = findings(&fixture, "/modules/a/tasks/x.json").replace("task-metadata ", "");
        assert_eq!(found, *expected, "{text}");
    }
}

#[test]
fn valid_metadata() {
    metadata(&[
        ("", ""),
        ("{}", ""),
        (
            r#"{"description": "x", "input_method": "stdin", "supports_noop": true, "private": false, "remote": false,
                "puppet_task_version": 1, "extensions": {"x": 1}, "files": ["a/files/x"]}"#,
            "",
        ),
        (
            r#"{"parameters": {"a": {"type": "Optional[A::Port]", "default": 5, "sensitive": true, "description": "x"},
                "b": {}, "c": {"type": "Missing::Module"}, "d": {"type": "Enum[a, b]", "default": "a"}}}"#,
            "",
        ),
        (
            r#"{"implementations": [{"name": "x.sh", "requirements": ["shell"]}, {"name": "y.rb", "files": []}]}"#,
            "",
        ),
    ]);
}

#[test]
fn invalid_metadata() {
    metadata(&[
        (r#"{"description": "a \d b"}"#, "Warning `\\d`: invalid escape sequence; only Ruby accepts it"),
        ("[]", "Error `[]`: expected a JSON object"),
        (
            r#"{"input_methd": "stdin"}"#,
            "Warning `\"input_methd\"`: unknown key `input_methd` (help: did you mean `input_method`?)",
        ),
        (
            r#"{"input_method": "pipe"}"#,
            "Warning `\"pipe\"`: `input_method` must be `both`, `environment`, `powershell` or `stdin`",
        ),
        (r#"{"supports_noop": "yes"}"#, "Warning `\"yes\"`: `supports_noop` must be `true` or `false`"),
        (r#"{"files": "a/files/x"}"#, "Error `\"a/files/x\"`: `files` must be an array of strings"),
        (
            r#"{"parameters": {"Bad": {}, "b": 1, "c": {"tpye": "String"}, "d": {"type": "Optional[Strng]"}}}"#,
            "Warning `\"Bad\"`: invalid parameter name `Bad`; it must begin with a lowercase letter and contain only lowercase \
             letters, digits and `_`\n\
             Error `1`: each parameter must be an object\n\
             Warning `\"tpye\"`: unknown key `tpye` (help: did you mean `type`?)\n\
             Error `\"Optional[Strng]\"`: invalid type `Optional[Strng]`: unknown type",
        ),
        (
            r#"{"parameters": {"a": {"type": "Integer", "default": "x"}}}"#,
            "Warning `\"x\"`: the default of parameter `a` must be `Integer`",
        ),
        (
            r#"{"implementations": [{"name": "z.sh"}, {"requirements": []}]}"#,
            "Error `\"z.sh\"`: implementation `z.sh` does not exist in the folder of the task\nError `{`: missing key `name`",
        ),
    ]);
}

#[test]
fn executables() {
    let orphan = "//- /modules/a/tasks/z.json\n{}";
    assert_eq!(
        findings(orphan, "/modules/a/tasks/z.json"),
        "Error task-metadata `{`: task `z` has no file to execute"
    );
    let ambiguous = "//- /modules/a/tasks/z.sh\n//- /modules/a/tasks/z.ps1\n//- /modules/a/tasks/z.json\n{}";
    assert_eq!(
        findings(ambiguous, "/modules/a/tasks/z.json"),
        "Error task-metadata `{`: task `z` has several files to execute: `z.ps1` and `z.sh` (help: list them in `implementations`)"
    );
    let misnamed = "//- /modules/a/tasks/Bad-Name.sh\n//- /modules/a/tasks/Bad-Name.json\n";
    assert_eq!(
        findings(misnamed, "/modules/a/tasks/Bad-Name.json"),
        "Error task-metadata ``: invalid task name `Bad-Name`; it must begin with a lowercase letter and contain only lowercase \
         letters, digits and `_`"
    );
}

const PLANS: &str = r#"
//- /modules/a/plans/other.pp
plan a::other(TargetSpec $targets, Integer $n) { out::message("${targets} ${n}") }
//- /modules/a/plans/lonely.pp
plan a::lonely(Integer $n) { out::message("${n}") }
//- /modules/a/plans/written.yaml
parameters: {targets: {type: TargetSpec}, n: {type: Integer, default: 1}}
steps: []
//- /modules/a/tasks/tsk.json
{"parameters": {"count": {"type": "Integer"}}}
//- /modules/base/tasks/tsk.sh
exit 0
//- /modules/a/tasks/tsk.sh
exit 0
//- /modules/a/plans/init.pp
"#;

#[test]
fn plans() {
    let cases = [
        ("run_task('a::tsk', $t, 'count' => 5)", ""),
        ("run_task('missing::tsk', $t)", ""),
        ("run_plan('a::written', $t)", ""),
        ("run_plan('a::other', $t, 'n' => 1)", ""),
        ("run_plan('a::other', { 'targets' => $t, 'n' => 1 })", ""),
        ("run_plan('a::written', $t, 'n' => 2)", ""),
        (
            "run_plan('a::written', $t, 'm' => 2, 'n' => 'x')",
            "Error unknown-attribute `m`: plan `a::written` has no parameter `m`\n\
             Error value-mismatch `'x'`: parameter `n` of plan `a::written` expects `Integer`, got `'x'`",
        ),
        (
            "run_task('bass::tsk', $t) run_task('base::tks', $t)",
            "Warning unknown-task `bass::tsk`: unknown task `bass::tsk` (help: did you mean `base::tsk`?)\n\
             Error unknown-task `base::tks`: unknown task `base::tks` (help: did you mean `base::tsk`?)",
        ),
        ("run_task('bazes::tsk', $t)", ""),
        (
            "run_comand('ls', $t)",
            "Warning unknown-function `run_comand`: unknown function `run_comand` (help: did you mean `run_command`?)",
        ),
        (
            "notice($t) run_command('ls')",
            "Error argument-mismatch `run_command('ls')`: run_command() expects 2 to 4 arguments, got 1:\n  run_command(String[1] \
             command, Variant[String[1], Array, Object] targets, Hash[String[1], Any] options?)\n  run_command(String[1] command, \
             Variant[String[1], Array, Object] targets, String description, Hash[String[1], Any] options?)",
        ),
        (
            "notice($t) run_command('ls', 5)",
            "Error argument-mismatch `5`: run_command(), parameter 'targets' expects a value of type String[1], Array, or Object, got \
             Integer 5",
        ),
        ("run_command('ls', $t, '_run_as' => 'root')", ""),
        ("run_command('ls', [$t, 'web'], 'list files', '_catch_errors' => true)", ""),
        (
            "catch_errors() || { run_task('a::tsk', $t, 'count' => 'five') }",
            "Warning value-mismatch `'five'`: parameter `count` of task `a::tsk` expects `Integer`, got `'five'`",
        ),
        ("parallelize($t) |$it| { run_task('a::tsk', $it, 'count' => 5) }", ""),
        (
            "$r = run_command('ls', $t) $r.first.vlue",
            "Warning unknown-function `vlue`: unknown function `vlue` (help: did you mean `value`?)",
        ),
        ("run_task('a::nope', $t)", "Error unknown-task `a::nope`: unknown task `a::nope`"),
        ("run_task('a', $t)", "Error unknown-task `a`: unknown task `a`"),
        (
            "run_task('a::tks', $t)",
            "Error unknown-task `a::tks`: unknown task `a::tks` (help: did you mean `a::tsk`?)",
        ),
        (
            "run_plan('a::othr', $t, n => 1)",
            "Error unknown-plan `a::othr`: unknown plan `a::othr` (help: did you mean `a::other`?)",
        ),
        (
            "run_task('a::tsk', $t, 'count' => 'five')",
            "Error value-mismatch `'five'`: parameter `count` of task `a::tsk` expects `Integer`, got `'five'`",
        ),
        (
            "run_plan('a::other', 'targets' => $t, 'n' => 'x')",
            "Error value-mismatch `'x'`: parameter `n` of plan `a::other` expects `Integer`, got `'x'`",
        ),
        (
            "notice($t) run_plan('a::other', 'n' => 1)",
            "Error missing-parameter `'a::other'`: missing parameter `targets` of plan `a::other`",
        ),
        ("notice($t) run_plan('a::lonely', 'n' => 1)", ""),
        (
            "run_plan('a::lonely', $t, 'n' => 1)",
            "Error unknown-attribute `$t`: plan `a::lonely` has no parameter `targets`",
        ),
        (
            "run_plan('a::other', $t, 'targets' => $t, 'n' => 1)",
            "Error value-mismatch `'targets'`: `targets` of plan `a::other` is given by position already",
        ),
        (
            "run_plan('a::other', $t)",
            "Error missing-parameter `'a::other'`: missing parameter `n` of plan `a::other`",
        ),
        (
            "if $t =~ String { run_task('a::nope', $t) }",
            "Warning unknown-task `a::nope`: unknown task `a::nope`",
        ),
    ];
    for (code, expected) in cases {
        let fixture = format!("{PLANS}plan a(TargetSpec $t) {{\n  {code}\n}}\n");
        assert_eq!(findings(&fixture, "/modules/a/plans/init.pp"), expected, "{code}");
    }
}

#[test]
fn template_arguments() {
    let cases = [
        ("epp('a/x.epp', { 'password' => 'x' })", ""),
        (
            "epp('a/x.epp', { 'password' => 5 })",
            "Error value-mismatch `5`: parameter `password` of template `a/x.epp` expects `String`, got `5`",
        ),
        (
            "epp(\"${module_name}/x.epp\", { 'password' => [1] })",
            "Error value-mismatch `[1]`: parameter `password` of template `a/x.epp` expects `String`, got `[1]`",
        ),
        (
            "epp('a/x.epp', { 'password' => Sensitive('x') })",
            "Error value-mismatch `Sensitive('x')`: parameter `password` of template `a/x.epp` expects `String`, got `Sensitive`",
        ),
    ];
    for (code, expected) in cases {
        let fixture = format!(
            "//- /modules/a/templates/x.epp\n<%- | String $password | -%>\n<%= $password %>\n//- /modules/a/manifests/init.pp\n\
             class a {{\n  $x = {code}\n  notice($x)\n}}\n"
        );
        assert_eq!(findings(&fixture, "/modules/a/manifests/init.pp"), expected, "{code}");
    }
}

#[test]
fn redacted_text() {
    let sensitive = "the string contains `Sensitive [value redacted]` instead of the value (help: unwrap the value and make the whole \
                     string sensitive: `Sensitive(\"...${x.unwrap}\")`)";
    let deferred = "the string contains `Deferred({...})` instead of the value (help: use `Deferred('sprintf', ['...%s', $x])`, which \
                    is evaluated on the node)";
    let in_template = "the template contains `Deferred({...})` instead of the value (help: use `stdlib::deferrable_epp`, which renders \
                       the template on the node)";
    let cases = [
        ("$x = \"${s.unwrap}\"", String::new()),
        ("$x = \"${n}\"", String::new()),
        ("$x = \"${v}\"", String::new()),
        ("$x = $s", String::new()),
        ("notice(\"${s}\") $x = 1", String::new()),
        ("$x = \"pw=${s}\"", format!("Warning redacted-text `s`: {sensitive}")),
        (
            "$x = \"pw=${s}${n}${$s}\"",
            format!("Warning redacted-text `s`: {sensitive}\nWarning redacted-text `$s`: {sensitive}"),
        ),
        ("$y = Sensitive('x') $x = \"pw=${y}\"", format!("Warning redacted-text `y`: {sensitive}")),
        (
            "$d = Deferred('sprintf', ['x']) $x = \"pw=${d}\"",
            format!("Warning redacted-text `d`: {deferred}"),
        ),
        (
            "$d = Deferred('sprintf', ['x']) $x = inline_epp('<%= $a %>', { 'a' => [$d] })",
            format!("Warning redacted-text `{{ 'a' => [$d] }}`: {in_template}"),
        ),
    ];
    for (code, expected) in cases {
        let fixture = format!(
            "//- /modules/a/manifests/init.pp\nclass a(Sensitive[String] $s, String $n, Variant[String, Sensitive[String]] $v) {{\n  \
             {code}\n  notify {{ 'x': message => [$x, $s, $n, $v] }}\n}}\n"
        );
        assert_eq!(findings(&fixture, "/modules/a/manifests/init.pp"), expected, "{code}");
    }
}

#[test]
fn legacy_facts_in_erb_templates() {
    let cases = [
        ("<%= @facts['os']['family'] %>", "class a { $x = template('a/x.erb') notice($x) }", ""),
        ("<%= @fqdn %>", "class a(String $fqdn) { $x = template('a/x.erb') notice($x, $fqdn) }", ""),
        ("<%= scope['::a::x'] %>", "class a { $x = template('a/x.erb') notice($x) }", ""),
        (
            "<%= scope['fqdn'] %><% if has_variable?('ipaddress_eth0') %><% end %><%= scope.to_hash['uptime'] %>",
            "class a(String $fqdn, $ipaddress_eth0, $uptime) { $x = template('a/x.erb') notice($x, $fqdn, $ipaddress_eth0, $uptime) }",
            "",
        ),
        (
            "<%= scope['fqdn'] %><%= scope.lookupvar('osfamily') %><% if has_variable?('ipaddress_eth0') %><% end %>",
            "class a { $x = template('a/x.erb') notice($x) }",
            "Warning legacy-fact `scope['fqdn']`: legacy fact `fqdn` is not available in Puppet 8 by default (help: use \
             `@facts['networking']['fqdn']`)\n\
             Warning legacy-fact `scope.lookupvar('osfamily')`: legacy fact `osfamily` is not available in Puppet 8 by default \
             (help: use `@facts['os']['family']`)\n\
             Warning legacy-fact `has_variable?('ipaddress_eth0')`: legacy fact `ipaddress_eth0` is not available in Puppet 8 by \
             default (help: use `@facts['networking']['interfaces']['eth0']['ip']`)",
        ),
        // The code that renders the template is unknown: no other code may set the variable.
        (
            "<%= @osfamily %><%= @hostname %>",
            "class a($name_of_template) { $x = template($name_of_template) notice($x) }",
            "Warning legacy-fact `@osfamily`: legacy fact `osfamily` is not available in Puppet 8 by default (help: use \
             `@facts['os']['family']`)",
        ),
        (
            "<%= @osfamily %>",
            "class a($template) { $x = template($template) notice($x) } class a::b { $osfamily = 1 notice($osfamily) }",
            "",
        ),
        (
            "<%= @facts['osfamily'] %><%= scope['facts']['hostname'] %><%= @facts['os']['name'] %>",
            "",
            "Warning legacy-fact `@facts['osfamily']`: legacy fact `osfamily` is not available in Puppet 8 by default (help: use \
             `@facts['os']['family']`)\n\
             Warning legacy-fact `scope['facts']['hostname']`: legacy fact `hostname` is not available in Puppet 8 by default \
             (help: use `@facts['networking']['hostname']`)",
        ),
        (
            "<%= scope.function_hiera(['x']) %><%= scope.call_function('hiera', ['x']) %><%= scope.call_function('lookup', ['x']) %>",
            "",
            "Warning removed-function `function_hiera`: function `hiera` is deprecated and requires Hiera 3 with Puppet 8 (help: use \
             `lookup('key')`)\n\
             Warning removed-function `'hiera'`: function `hiera` is deprecated and requires Hiera 3 with Puppet 8 (help: use \
             `lookup('key')`)",
        ),
        (
            "<%= @fqdn %> <%= scope['::ipaddress'] %> <%= scope.lookupvar('::osfamily') %>",
            "class a { $x = template('a/x.erb') notice($x) }",
            "Warning legacy-fact `@fqdn`: legacy fact `fqdn` is not available in Puppet 8 by default (help: use \
             `@facts['networking']['fqdn']`)\n\
             Warning legacy-fact `scope['::ipaddress']`: legacy fact `ipaddress` is not available in Puppet 8 by default (help: use \
             `@facts['networking']['ip']`)\n\
             Warning legacy-fact `scope.lookupvar('::osfamily')`: legacy fact `osfamily` is not available in Puppet 8 by default \
             (help: use `@facts['os']['family']`)",
        ),
    ];
    for (template, class, expected) in cases {
        let fixture = format!(
            "//- /modules/a/manifests/init.pp\n{class}\n//- /modules/a/templates/x.erb\n{template}\n"
        );
        assert_eq!(findings(&fixture, "/modules/a/templates/x.erb"), expected, "{template} {class}");
    }
}

#[test]
fn legacy_facts_in_ruby_functions() {
    let cases = [
        ("lookupvar('hostname')", ""),
        (
            "lookupvar('osfamily')",
            "Warning legacy-fact `lookupvar('osfamily')`: legacy fact `osfamily` is not available in Puppet 8 by default (help: use \
             `lookupvar('facts')['os']['family']`)",
        ),
        (
            "closure_scope['facts']['hostname']",
            "Warning legacy-fact `closure_scope['facts']['hostname']`: legacy fact `hostname` is not available in Puppet 8 by \
             default (help: use `['networking']['hostname']`)",
        ),
        (
            "function_hiera(['x'])",
            "Warning removed-function `function_hiera`: function `hiera` is deprecated and requires Hiera 3 with Puppet 8 (help: use \
             `lookup('key')`)",
        ),
    ];
    for (code, expected) in cases {
        let fixture = format!(
            "//- /modules/a/lib/puppet/parser/functions/x.rb\nmodule Puppet::Parser::Functions\n\
             newfunction(:x, :type => :rvalue) do |args|\n{code}\nend\nend\n"
        );
        assert_eq!(findings(&fixture, "/modules/a/lib/puppet/parser/functions/x.rb"), expected, "{code}");
    }
}
