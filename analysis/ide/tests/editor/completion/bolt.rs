//! Completion in Bolt plans.

use expect_test::expect;

use super::check;
use crate::at_cursor;

fn plan(text: &str) -> String {
    format!(
        "//- environment: roots=/
//- /modules/a/tasks/restart.json
{{ \"description\": \"Restarts it\", \"parameters\": {{
  \"service\": {{ \"type\": \"String[1]\", \"description\": \"Its name\" }},
  \"mode\": {{ \"type\": \"Optional[Enum[soft, hard]]\" }} }} }}
//- /modules/a/tasks/restart.sh
//- /modules/a/tasks/init.sh
//- /modules/a/plans/other.pp
plan a::other(TargetSpec $targets, Enum['x', 'y'] $kind, Integer $count = 1) {{ }}
//- /modules/a/plans/init.pp
plan a(TargetSpec $targets) {{
  {text}
}}
"
    )
}

#[test]
fn tasks_and_their_parameters() {
    check(
        &plan("run_task('$0', $targets)"),
        "",
        expect![[r#"
        []
        a Value -
        a::restart Value -
    "#]],
    );
    check(
        &plan("run_task('a::restart', $targets, { $0 })"),
        "",
        expect![[r#"
            []
            service Key 'service' => $1
            mode Key 'mode' => $1
        "#]],
    );
    check(
        &plan("run_task('a::restart', $targets, 'why', { 'service' => 'x', '$0' })"),
        "",
        expect![[r#"
        []
        mode Key -
    "#]],
    );
    check(
        &plan("run_task('a::restart', $targets, { 'mode' => '$0' })"),
        "",
        expect![[r#"
            []
            hard Value -
            soft Value -
        "#]],
    );
}

#[test]
fn plans_and_their_parameters() {
    check(
        &plan("run_plan('$0')"),
        "",
        expect![[r#"
        []
        a Value -
        a::other Value -
    "#]],
    );
    check(
        &plan("run_plan('a::other', $targets, { $0 })"),
        "",
        expect![[r#"
            []
            targets Key 'targets' => $1
            kind Key 'kind' => $1
            count Key 'count' => $1
        "#]],
    );
    check(
        &plan("run_plan('a::other', $targets, { 'kind' => '$0' })"),
        "",
        expect![[r#"
            []
            x Value -
            y Value -
        "#]],
    );
}

#[test]
fn statements_of_plans() {
    let first = |text: &str| {
        at_cursor(&plan(text), |analysis, file, offset, _| {
            let found = analysis.completions(file, offset).expect("nothing is cancelled");
            let items = found.iter().flat_map(|it| &it.items);
            items.map(|it| format!("{} {:?}", it.label, it.kind)).collect::<Vec<_>>()
        })
    };
    let found = first("$0");
    for name in ["run_task", "run_command", "run_plan", "out::message"] {
        assert!(found.iter().take(8).any(|it| *it == format!("{name} Function")), "{name}: {found:?}");
    }
    let needs_catalog =
        |it: &str| it.ends_with("ResourceType") || it.starts_with("include ") || it.starts_with("class ");
    assert!(!found.iter().any(|it| needs_catalog(it)), "{found:?}");
    let found = first("apply($targets) {\n    $0\n  }");
    assert!(found.iter().any(|it| it == "file ResourceType"), "{found:?}");
    assert!(!found.iter().any(|it| it == "run_task Function"), "{found:?}");
    let found = first("$r = $0");
    assert!(found.iter().take(4).any(|it| it == "run_task Function"), "{found:?}");
}

#[test]
fn members_of_results() {
    check(
        &plan("$r = run_command('x', $targets)\n  $r.ok$0"),
        "ok",
        expect![[r#"
            [ok]
            ok Function -
            ok_set Function -
        "#]],
    );
    check(
        &plan("$r = run_task('a', $targets)\n  $r.fi$0"),
        "fi",
        expect![[r#"
            [fi]
            find Function -
            first Function -
            filter_set Function -
            file Function -
            filter Function filter |\$${1:value}| { $0 }
            find_file Function -
            find_template Function -
            file::join Function -
            file::read Function -
            file::write Function -
            file::delete Function -
            file::exists Function -
            file::readable Function -
        "#]],
    );
    check(
        &plan("$r = run_task('a', $targets)\n  $r.ta$0"),
        "ta",
        expect![[r#"
            [ta]
            targets Function -
            tag Function -
            tagged Function -
        "#]],
    );
    check(
        &plan("$targets.each |$t| { $t.ur$0 }"),
        "ur",
        expect![[r#"
            [ur]
            uri Attribute -
        "#]],
    );
}

#[test]
fn named_arguments() {
    check(
        &plan("run_task('a::restart', $targets, $0)"),
        "s",
        expect![[r#"
            []
            service Key 'service' => $1
            set_config Function set_config($1)
            set_feature Function set_feature($1)
            set_resources Function set_resources($1)
            set_var Function set_var($1)
            system::env Function system::env($1)
            scanf Function scanf($1)
            sha1 Function sha1($1)
            sha256 Function sha256($1)
            shellquote Function shellquote($1)
            size Function size($1)
            slice Function slice($1)
            sort Function sort($1)
            split Function split($1)
            sprintf Function sprintf($1)
            step Function step($1)
            strftime Function strftime($1)
            strip Function strip($1)
        "#]],
    );
    check(
        &plan("run_task('a::restart', $targets, 'service' => 'x', '$0' => 1)"),
        "",
        expect![[r#"
            []
            mode Key -
        "#]],
    );
    check(
        &plan("run_plan('a::other', 'targets' => $targets, 'k$0')"),
        "",
        expect![[r#"
            [k]
            kind Key -
        "#]],
    );
}

#[test]
fn options_of_files_of_bolt() {
    let project = |text: &str| format!("//- environment: roots=/\n//- /bolt-project.yaml\n{text}\n");
    let inventory = |text: &str| {
        format!("//- environment: roots=/\n//- /bolt-project.yaml\nname: p\n//- /inventory.yaml\n{text}\n")
    };
    let labels = |fixture: &str| -> Vec<String> {
        at_cursor(fixture, |analysis, file, offset, _| {
            let found = analysis.completions(file, offset).expect("not cancelled");
            found.map_or_else(Vec::new, |it| it.items.iter().map(|it| it.label.to_string()).collect())
        })
    };
    let of_modules = labels(&project("modules:\n  - $0"));
    assert!(of_modules.contains(&"version_requirement".to_owned()), "{of_modules:?}");
    assert!(!labels(&project("name: x\nconcurrency: 1\n$0")).contains(&"name".to_owned()));
    assert!(labels(&project("name: x\n$0")).contains(&"puppetdb-instances".to_owned()));
    assert_eq!(labels(&project("format: j$0"))[..1], ["json"]);
    assert_eq!(labels(&project("color: $0")), ["true", "false"]);
    let nested = labels(&inventory(
        "groups:\n  - name: web\n    groups:\n      - name: a\n        config:\n          $0",
    ));
    assert!(nested.contains(&"transport".to_owned()) && nested.contains(&"winrm".to_owned()), "{nested:?}");
    let instance = labels(&project("puppetdb-instances:\n  main:\n    $0"));
    assert!(instance.contains(&"server_urls".to_owned()), "{instance:?}");
    assert!(labels(&project("unknown:\n  $0")).is_empty());
}
