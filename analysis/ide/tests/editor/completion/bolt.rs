//! Completion in Bolt plans.

use expect_test::expect;

use super::check;

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
        service Key 'service' => $1,
        mode Key 'mode' => $1,
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
        targets Key 'targets' => $1,
        kind Key 'kind' => $1,
        count Key 'count' => $1,
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
