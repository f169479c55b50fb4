//! Plans in YAML: their structure, and the names, arguments, and values in the calls of their steps.

use check::{Tier, diagnostics};
use project::testing::TestWorkspace;

const MODULE: &str = r#"
//- /modules/a/plans/other.pp
plan a::other(TargetSpec $targets, Integer $n) { out::message("${targets} ${n}") }
//- /modules/a/tasks/tsk.json
{"parameters": {"count": {"type": "Integer"}, "flag": {"type": "Optional[Boolean]"}}}
//- /modules/a/tasks/tsk.sh
exit 0
//- /modules/a/files/run.sh
exit 0
//- /modules/a/plans/p.yaml
parameters:
  t: {type: TargetSpec}
  n: {type: Integer, default: 1}
steps:
"#;

/// Returns the findings in a plan with these steps, each with the text of its range.
fn findings(steps: &str) -> String {
    let fixture = format!("//- environment: roots=/ module_path=/modules\n{}{steps}\n", MODULE.trim_start());
    let workspace = TestWorkspace::new(&fixture);
    let file = workspace.file("/modules/a/plans/p.yaml");
    let text = project::text(&workspace.db, file).unwrap_or_default();
    let mut found = Vec::new();
    for tier in Tier::LIVE {
        for it in diagnostics(&workspace.db, file, tier) {
            let about = &text[it.range.as_range()];
            found.push(format!("{} `{about}`: {}", it.code, codes::single_line(&it.message)));
        }
    }
    found.join(" ;; ")
}

/// Checks rows of steps, with `\n` for line breaks, `==>`, and the findings, with `;;` between them.
#[track_caller]
fn check(rows: &str) {
    let mut failed = Vec::new();
    for row in rows.lines().filter(|it| !it.trim().is_empty()) {
        let (steps, expected) = row.split_once(" ==>").expect("a row has an arrow");
        let found = findings(&steps.replace("\\n", "\n"));
        if found != expected.trim() {
            failed.push(format!("{steps} ==> {found}"));
        }
    }
    assert!(failed.is_empty(), "{}", failed.join("\n"));
}

#[test]
fn valid_steps() {
    check(
        r##"
  - {task: a::tsk, targets: $t, parameters: {count: 5}} ==>
  - {task: a::tsk, targets: $t, parameters: {count: $n, _noop: true}, run_as: root} ==>
  - {task: missing::tsk, targets: [$t, web1], parameters: {x: 1}} ==>
  - {plan: a::other, targets: $t, parameters: {n: 1}} ==>
  - {plan: a::other, parameters: {targets: $t, n: $n}} ==>
  - {script: a/run.sh, targets: $t, arguments: [$n, "${n}"], env_vars: {A: b}} ==>
  - {script: other/run.sh, targets: $t} ==>
  - {upload: a/run.sh, destination: /tmp/x, targets: $t, description: x} ==>
  - {upload: /tmp/x, destination: /tmp/x, targets: $t} ==>
  - {download: /tmp/x, destination: x, targets: $t} ==>
  - {name: r, command: "echo ${n}", targets: $t, catch_errors: true}\n  - eval: $r.map |$it| { $it.target.name }\n    name: s\n  - message: $s ==>
  - eval: |\n      $x = $n + 1\n      $x\n    name: r\n  - message: "${r} \"quoted\" ${n}" ==>
  - eval: |-\n      # comment\n\n      $y = [1]\n      $y[0] ==>
  - message: "#{x}" ==>
  - message: '${x' ==>
  - message: >-\n      ${x ==>
  - message: it's "$5 or $x ==>
  - {verbose: 5} ==>
  - resources:\n      - package: nginx\n        parameters: {ensure: present}\n      - type: service\n        title: "x${n}"\n    targets: $t ==>
  - eval: foo bar ==>
  - eval:\n    name: r\n  - message: $r ==>
"##,
    );
}

#[test]
fn structure() {
    check(
        r##"
  - &x {message: a}\n  - *x ==> yaml-plan `*x`: aliases are not supported in plans (help: repeat the value)
  - message: 2020-01-01 ==> yaml-plan `2020-01-01`: dates are not supported in plans (help: quote the value)
  - message: :sym ==> yaml-plan `:sym`: symbols are not supported in plans (help: quote the value)
  - {message: x, foo: y} ==> yaml-plan `foo`: unknown key of a step `message`: `foo`
  - {command: ls, targets: $t, parameters: {}} ==> yaml-plan `parameters`: unknown key of a step `command`: `parameters`
  - {task: a::tsk, targets: $t, parameters: $n} ==> yaml-plan `$n`: `parameters` must be a hash
  - {task: a::tsk, targets: $t, parameters: {count: 1, _noop: true}, noop: true} ==> yaml-plan `_noop`: parameter `_noop` is also a key of the step: `noop`
  - {script: a/run.sh, targets: $t, arguments: $n} ==> yaml-plan `$n`: `arguments` must be an array
  - {script: a/run.sh, targets: $t, pwsh_params: [a]} ==> yaml-plan `[a]`: `pwsh_params` must be a hash
  - {command: ls, targets: $t, env_vars: $n} ==> yaml-plan `$n`: `env_vars` must be a hash
  - {name: 5, message: x} ==> yaml-plan `5`: invalid step name; it is the name of a variable
  - {name: n, message: x} ==> yaml-plan `n`: duplicate step or parameter `n`
  - {resources: $n, targets: $t} ==> yaml-plan `$n`: `resources` must be an array
  - {resources: [a], targets: $t} ==> yaml-plan `a`: each resource must be a hash
  - {resources: [{type: file}], targets: $t} ==> yaml-plan `{`: missing key `title` of a resource with `type`
  - {resources: [{title: x}], targets: $t} ==> yaml-plan `{`: missing key `type` of a resource with `title`
  - {resources: [{parameters: {}}], targets: $t} ==> yaml-plan `{`: resource has no type
  - {resources: [{file: x, user: y}], targets: $t} ==> yaml-plan `{`: resource has several types: `file` and `user`
"##,
    );
}

#[test]
fn code() {
    check(
        r##"
  - message: $missing ==> unknown-variable `missing`: unknown variable `$missing`
  - message: "a ${missing} b" ==> unknown-variable `missing`: unknown variable `$missing`
  - message: $later\n  - {name: later, message: x} ==> unknown-variable `later`: `$later` is read before the step of that name
  - message: $n + ==> yaml-plan `+`: invalid Puppet code: expected a value after this
  - message: "${n" ==> yaml-plan `"${n"`: invalid Puppet code: unterminated string (help: add the closing `"`)
  - message: a ${n b( ==> yaml-plan `a ${n b(`: invalid Puppet code: expected `}` to close the interpolation, found `b`
  - message: $n b ==> idem-expression-not-last `$n`: expression has no effect (help: assign its value, use it, or remove the expression)
  - eval: |\n      def x ==> idem-expression-not-last `def`: expression has no effect (help: assign its value, use it, or remove the expression)
  - eval: |\n      $x = (1 +\n      2 ==> yaml-plan `(`: invalid Puppet code: unclosed delimiter (help: add the closing `)`)
  - eval: |\n      $n + "x" ==> not-numeric `"x"`: operator `+` is not supported between `Integer` and `String`
  - {task: a::tks, targets: $t} ==> unknown-task `a::tks`: unknown task `a::tks` (help: did you mean `a::tsk`?)
  - {task: a::tsk, targets: $t, parameters: {cuont: 5}} ==> missing-parameter `a::tsk`: missing parameter `count` of task `a::tsk` ;; unknown-attribute `cuont`: task `a::tsk` has no parameter `cuont` (help: did you mean `count`?)
  - {task: a::tsk, targets: $t, parameters: {count: five}} ==> value-mismatch `five`: parameter `count` of task `a::tsk` expects `Integer`, got `'five'`
  - {task: a::tsk, targets: $t, parameters: {count: 1, flag: "yes"}} ==> value-mismatch `yes`: parameter `flag` of task `a::tsk` expects `undef or Boolean`, got `'yes'`
  - {plan: a::othr, targets: $t, parameters: {n: 1}} ==> unknown-plan `a::othr`: unknown plan `a::othr` (help: did you mean `a::other`?)
  - {plan: a::other, parameters: {n: x}} ==> missing-parameter `a::other`: missing parameter `targets` of plan `a::other` ;; value-mismatch `x`: parameter `n` of plan `a::other` expects `Integer`, got `'x'`
  - {plan: a::other, targets: $t, parameters: {n: x}} ==> value-mismatch `x`: parameter `n` of plan `a::other` expects `Integer`, got `'x'`
  - {script: a/rn.sh, targets: $t} ==> unknown-file `a/rn.sh`: file `files/rn.sh` not found in module `a` (help: did you mean `a/run.sh`?)
  - {upload: a/rn.sh, destination: /x, targets: $t} ==> unknown-file `a/rn.sh`: file `files/rn.sh` not found in module `a` (help: did you mean `a/run.sh`?)
  - {command: [a], targets: $t} ==> argument-mismatch `a`: run_command(), parameter 'command' expects a String[1] value, got Tuple[String]
  - {command: ls, targets: 5} ==> argument-mismatch `5`: run_command(), parameter 'targets' expects a value of type String[1], Array, or Object, got Integer 5
  - {resources: [{fil: /x}], targets: $t} ==> unknown-resource-type `fil`: unknown resource type `fil` (help: did you mean `file`?)
  - {resources: [{file: /x, parameters: {ensur: file, mode: 5}}], targets: $t} ==> unknown-attribute `ensur`: resource type `file` has no attribute `ensur` (help: did you mean `ensure`?)
  - {message: x}\nreturn: $missing ==> unknown-variable `missing`: unknown variable `$missing`
"##,
    );
}
