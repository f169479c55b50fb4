//! Roles of files: environments, modules, and the definitions expected in them.

use expect_test::{Expect, expect};
use project::testing::TestWorkspace;
use project::{FileRole, file_location, language};
use syntax::Language;
use validation::ExpectedNamespace;

/// Compares each file's environments, role and expected namespace.
#[track_caller]
fn check(fixture: &str, expected: Expect) {
    let workspace = TestWorkspace::new(fixture);
    expected.assert_eq(&layout_of(&workspace));
}

fn layout_of(workspace: &TestWorkspace) -> String {
    let db = &workspace.db;
    let mut lines = String::new();
    for file in workspace.files() {
        let environments = file.environments(db).iter();
        let environments: Vec<&str> =
            environments.map(|it| it.root(db).as_ref().map_or("-", |root| root.as_str())).collect();
        let place = match file.role(db) {
            FileRole::Loose => "loose".to_owned(),
            FileRole::MainManifest => "main manifest".to_owned(),
            FileRole::Module { module, relative } => format!("module {}: {relative}", module.name(db)),
        };
        let location = match file_location(db, file) {
            ExpectedNamespace::Free => String::new(),
            ExpectedNamespace::Module { namespace } => format!(", defines {namespace}"),
            ExpectedNamespace::Misplaced => ", misplaced".to_owned(),
        };
        let language = if language(db, file) == Language::Plan { ", plan" } else { "" };
        lines.push_str(&format!(
            "{} [{}] {place}{location}{language}\n",
            file.path(db),
            environments.join(" ")
        ));
    }
    lines
}

#[test]
fn a_control_repository() {
    check(
        r#"
//- environment: roots=/repo
//- /repo/environment.conf
# our modules first
modulepath = site-modules:modules:$basemodulepath   # the rest
manifest = manifests/site
//- /repo/manifests/site/b.pp
//- /repo/manifests/site/a/z.pp
//- /repo/manifests/old.pp
//- /repo/types/port.pp
//- /repo/scripts/x.pp
//- /repo/site-modules/profile/manifests/base/init.pp
//- /repo/site-modules/profile/templates/x.epp
//- /repo/site-modules/profile/plans/deploy.pp
//- /repo/site-modules/profile/plans/init.pp
//- /repo/modules/apt/metadata.json
{ "name": "puppetlabs-apt" }
//- /repo/modules/apt/manifests/Init.pp
//- /repo/modules/apt/manifest/x.pp
//- /repo/modules/apt/examples/x.pp
//- /repo/modules/apt/files/manifests/x.pp
//- /repo/modules/apt/spec/fixtures/modules/stdlib/manifests/init.pp
//- /repo/modules/renamed/metadata.json
{ "name": "me-other" }
//- /repo/modules/renamed/manifests/init.pp
"#,
        expect![[r#"
            /repo/manifests/old.pp [/repo] loose
            /repo/manifests/site/a/z.pp [/repo] main manifest
            /repo/manifests/site/b.pp [/repo] main manifest
            /repo/modules/apt/examples/x.pp [/repo /repo/modules/apt/spec/fixtures] module apt: examples/x.pp
            /repo/modules/apt/files/manifests/x.pp [/repo /repo/modules/apt/spec/fixtures] module apt: files/manifests/x.pp
            /repo/modules/apt/manifest/x.pp [/repo /repo/modules/apt/spec/fixtures] module apt: manifest/x.pp, misplaced
            /repo/modules/apt/manifests/Init.pp [/repo /repo/modules/apt/spec/fixtures] module apt: manifests/Init.pp, defines apt
            /repo/modules/apt/spec/fixtures/modules/stdlib/manifests/init.pp [/repo/modules/apt/spec/fixtures] module stdlib: manifests/init.pp, defines stdlib
            /repo/modules/renamed/manifests/init.pp [/repo] module renamed: manifests/init.pp
            /repo/scripts/x.pp [/repo] loose
            /repo/site-modules/profile/manifests/base/init.pp [/repo] module profile: manifests/base/init.pp, defines profile::base::init
            /repo/site-modules/profile/plans/deploy.pp [/repo] module profile: plans/deploy.pp, defines profile::deploy, plan
            /repo/site-modules/profile/plans/init.pp [/repo] module profile: plans/init.pp, defines profile, plan
            /repo/site-modules/profile/templates/x.epp [/repo] module profile: templates/x.epp
            /repo/types/port.pp [/repo] module environment: types/port.pp
        "#]],
    );
}

#[test]
fn a_folder_of_modules_without_a_configuration() {
    check(
        r#"
//- environment: roots=/repo
//- /repo/modules/renamed/metadata.json
{ "name": "me-other" }
//- /repo/modules/renamed/manifests/init.pp
//- /repo/modules/two_words/metadata.json
{ "name": "me-two-words" }
//- /repo/modules/two_words/manifests/init.pp
//- /repo/modules/puppet-checkout/metadata.json
{ "name": "me-checkout" }
//- /repo/modules/puppet-checkout/manifests/init.pp
"#,
        expect![[r#"
            /repo/modules/puppet-checkout/manifests/init.pp [/repo] module checkout: manifests/init.pp
            /repo/modules/renamed/manifests/init.pp [/repo] module renamed: manifests/init.pp
            /repo/modules/two_words/manifests/init.pp [/repo] module two_words: manifests/init.pp, defines two_words
        "#]],
    );
}

#[test]
fn a_folder_of_modules_that_have_puppetfiles() {
    check(
        r#"
//- environment: roots=/repo
//- /repo/Puppetfile
//- /repo/code/tasks/Puppetfile
//- /repo/code/tasks/manifests/roles/web.pp
//- /repo/code/cluster/manifests/virtual_ip.pp
//- /repo/alone/Puppetfile
//- /repo/alone/manifests/init.pp
//- /repo/alone/tests/Puppetfile
//- /repo/alone/tests/init.pp
//- /repo/inner/Puppetfile
//- /repo/inner/manifests/site.pp
//- /repo/other/Puppetfile
//- /repo/other/modules/a/manifests/init.pp
"#,
        expect![[r#"
            /repo/alone/manifests/init.pp [/repo] module alone: manifests/init.pp
            /repo/alone/tests/init.pp [/repo] module alone: tests/init.pp
            /repo/code/cluster/manifests/virtual_ip.pp [/repo] module cluster: manifests/virtual_ip.pp
            /repo/code/tasks/manifests/roles/web.pp [/repo] module tasks: manifests/roles/web.pp
            /repo/inner/manifests/site.pp [/repo/inner] main manifest
            /repo/other/modules/a/manifests/init.pp [/repo/other] module a: manifests/init.pp, defines a
        "#]],
    );
}

#[test]
fn a_control_repository_without_a_configuration() {
    check(
        r#"
//- environment: roots=/repo
//- /repo/manifests/site.pp
//- /repo/modules/a/manifests/init.pp
//- /repo/modules/a/functions/f.pp
//- /repo/site-modules/b/manifests/init.pp
"#,
        expect![[r#"
            /repo/manifests/site.pp [/repo] main manifest
            /repo/modules/a/functions/f.pp [/repo] module a: functions/f.pp, defines a::f
            /repo/modules/a/manifests/init.pp [/repo] module a: manifests/init.pp, defines a
            /repo/site-modules/b/manifests/init.pp [/repo] module b: manifests/init.pp
        "#]],
    );
}

#[test]
fn a_folder_of_environments() {
    check(
        r#"
//- environment: roots=/code
//- /code/environments/production/environment.conf
modulepath = modules:/code/shared
//- /code/environments/production/manifests/site.pp
//- /code/environments/production/modules/a/manifests/init.pp
//- /code/environments/testing/environment.conf
modulepath = modules:/code/shared
//- /code/environments/testing/modules/a/manifests/init.pp
//- /code/shared/both/manifests/init.pp
//- /code/x.pp
"#,
        expect![[r#"
            /code/environments/production/manifests/site.pp [/code/environments/production] main manifest
            /code/environments/production/modules/a/manifests/init.pp [/code/environments/production] module a: manifests/init.pp, defines a
            /code/environments/testing/modules/a/manifests/init.pp [/code/environments/testing] module a: manifests/init.pp, defines a
            /code/shared/both/manifests/init.pp [/code/environments/production /code/environments/testing] module both: manifests/init.pp, defines both
            /code/x.pp [-] loose
        "#]],
    );
}

#[test]
fn a_module() {
    check(
        r#"
//- environment: roots=/home/me/puppetlabs-apt
//- /home/me/puppetlabs-apt/metadata.json
{ "author": { "name": "no-this" }, "name": "puppetlabs/apt", "version": "1.0.0" }
//- /home/me/puppetlabs-apt/manifests/init.pp
//- /home/me/puppetlabs-apt/manifests/a/b.pp
//- /home/me/puppetlabs-apt/templates/x.epp
//- /home/me/puppetlabs-apt/types/t.pp
//- /home/me/puppetlabs-apt/spec/fixtures/modules/stdlib/manifests/init.pp
//- /home/me/puppetlabs-apt/spec/fixtures/manifests/site.pp
"#,
        expect![[r#"
            /home/me/puppetlabs-apt/manifests/a/b.pp [- /home/me/puppetlabs-apt/spec/fixtures] module apt: manifests/a/b.pp, defines apt::a::b
            /home/me/puppetlabs-apt/manifests/init.pp [- /home/me/puppetlabs-apt/spec/fixtures] module apt: manifests/init.pp, defines apt
            /home/me/puppetlabs-apt/spec/fixtures/manifests/site.pp [/home/me/puppetlabs-apt/spec/fixtures] main manifest
            /home/me/puppetlabs-apt/spec/fixtures/modules/stdlib/manifests/init.pp [/home/me/puppetlabs-apt/spec/fixtures] module stdlib: manifests/init.pp, defines stdlib
            /home/me/puppetlabs-apt/templates/x.epp [- /home/me/puppetlabs-apt/spec/fixtures] module apt: templates/x.epp
            /home/me/puppetlabs-apt/types/t.pp [- /home/me/puppetlabs-apt/spec/fixtures] module apt: types/t.pp, defines apt::t
        "#]],
    );
}

#[test]
fn a_module_without_metadata() {
    check(
        r#"
//- environment: roots=/home/me/puppet-ntp
//- /home/me/puppet-ntp/manifests/init.pp
//- /home/me/puppet-ntp/manifests/site.pp
"#,
        expect![[r#"
            /home/me/puppet-ntp/manifests/init.pp [-] module ntp: manifests/init.pp
            /home/me/puppet-ntp/manifests/site.pp [-] module ntp: manifests/site.pp
        "#]],
    );
}

#[test]
fn a_folder_of_modules() {
    check(
        r#"
//- environment: roots=/work,/other
//- /work/a/manifests/init.pp
//- /work/puppetlabs-b/metadata.json
{"name": "puppetlabs-b"}
//- /work/puppetlabs-b/manifests/init.pp
//- /other/c/manifests/init.pp
"#,
        expect![[r#"
            /other/c/manifests/init.pp [-] module c: manifests/init.pp
            /work/a/manifests/init.pp [-] module a: manifests/init.pp
            /work/puppetlabs-b/manifests/init.pp [-] module b: manifests/init.pp, defines b
        "#]],
    );
}

#[test]
fn loose_files() {
    check(
        r#"
//- environment: roots=/work
//- /work/x.pp
//- /elsewhere/manifests/y.pp
//- untitled:Untitled-1 open
//- http://example.org/x.pp open
"#,
        expect![[r#"
            /elsewhere/manifests/y.pp [-] module elsewhere: manifests/y.pp
            /work/x.pp [-] loose
            http://example.org/x.pp [-] loose
            untitled:Untitled-1 [-] loose
        "#]],
    );
}

#[test]
fn a_root_inside_a_module() {
    check(
        r#"
//- environment: roots=/repo/apt/plans
//- /repo/apt/plans/x.pp
"#,
        expect![[r#"
            /repo/apt/plans/x.pp [-] module apt: plans/x.pp, plan
        "#]],
    );
}

#[test]
fn windows() {
    check(
        r#"
//- environment: roots=C:\Puppet
//- C:\Puppet\environment.conf
modulepath = modules;D:\shared
//- C:\Puppet\modules\a\manifests\b\c.pp
//- D:\shared\x\plans\p.pp
//- \\server\share\m\manifests\init.pp
"#,
        expect![[r#"
            //server/share/m/manifests/init.pp [-] module m: manifests/init.pp
            c:/Puppet/modules/a/manifests/b/c.pp [c:/Puppet] module a: manifests/b/c.pp, defines a::b::c
            d:/shared/x/plans/p.pp [c:/Puppet] module x: plans/p.pp, defines x::p, plan
        "#]],
    );
}

#[test]
fn settings_add_module_folders_and_exclude_paths() {
    check(
        r#"
//- environment: roots=/repo module_path=vendored,/shared excluded_paths=vendored/old
//- /repo/manifests/site.pp
//- /repo/vendored/a/manifests/init.pp
//- /repo/vendored/old/manifests/init.pp
//- /shared/b/manifests/init.pp
"#,
        expect![[r#"
            /repo/manifests/site.pp [/repo] main manifest
            /repo/vendored/a/manifests/init.pp [/repo] module a: manifests/init.pp, defines a
            /shared/b/manifests/init.pp [/repo] module b: manifests/init.pp, defines b
        "#]],
    );
}

#[test]
fn incremental_detection_equals_fresh_detection() {
    let whole = r#"
//- environment: roots=/repo
//- /repo/environment.conf
modulepath = mods
//- /repo/manifests/site.pp
//- /repo/mods/a/manifests/init.pp
//- /repo/mods/a/manifests/x.pp
"#;
    let at_once = layout_of(&TestWorkspace::new(whole));
    let mut workspace =
        TestWorkspace::new("//- environment: roots=/repo\n//- /repo/mods/a/manifests/init.pp\n");
    for step in [
        "//- /repo/manifests/site.pp\n",
        "//- /repo/environment.conf\nmodulepath = elsewhere\n",
        "//- /repo/mods/b/manifests/init.pp\n",
        "//- /repo/mods/b/manifests/init.pp deleted\n",
        "//- /repo/mods/a/manifests/x.pp open\n",
        "//- /repo/environment.conf\nmodulepath = mods\n",
        "//- /repo/mods/a/manifests/x.pp\n",
    ] {
        workspace.edit(step);
    }
    assert_eq!(layout_of(&workspace), at_once);
}

#[test]
fn a_bolt_project() {
    check(
        r#"
//- environment: roots=/project
//- /project/bolt-project.yaml
//- /project/plans/deploy.pp
# Deploys.
plan project::deploy() { }
//- /project/plans/not_a_plan.pp
class project::not_a_plan { }
//- /project/site.pp
plan project::elsewhere() { }
"#,
        expect![[r#"
            /project/plans/deploy.pp [/project] module project: plans/deploy.pp, plan
            /project/plans/not_a_plan.pp [/project] module project: plans/not_a_plan.pp, plan
            /project/site.pp [/project] module project: site.pp
        "#]],
    );
}

#[test]
fn a_bolt_project_with_modules_and_a_name() {
    check(
        r#"
//- environment: roots=/home/me/project
//- /home/me/project/bolt-project.yaml
name: deployment
//- /home/me/project/plans/init.pp
//- /home/me/project/.modules/a/manifests/init.pp
//- /home/me/project/modules/b/manifests/init.pp
"#,
        expect![[r#"
            /home/me/project/.modules/a/manifests/init.pp [/home/me/project] module a: manifests/init.pp
            /home/me/project/modules/b/manifests/init.pp [/home/me/project] module b: manifests/init.pp
            /home/me/project/plans/init.pp [/home/me/project] module deployment: plans/init.pp, plan
        "#]],
    );
}

#[test]
fn folders_of_environments_without_configurations() {
    check(
        r#"
//- environment: roots=/code base_module_path=/code/modules,/opt/modules
//- /code/environments/production/manifests/site.pp
//- /code/environments/production/modules/a/manifests/init.pp
//- /code/environments/testing/Puppetfile
moduledir 'thirdparty'
//- /code/environments/testing/thirdparty/a/lib/puppet/functions/f.rb
//- /code/environments/testing/thirdparty/a/manifests/init.pp
//- /code/environments/closed/environment.conf
modulepath = modules
//- /code/environments/closed/modules/a/manifests/init.pp
//- /code/environments/based/environment.conf
modulepath = modules:$basemodulepath
//- /code/environments/based/modules/a/manifests/init.pp
//- /code/modules/shared/manifests/init.pp
//- /opt/modules/installed/manifests/init.pp
"#,
        expect![[r#"
            /code/environments/based/modules/a/manifests/init.pp [/code/environments/based] module a: manifests/init.pp, defines a
            /code/environments/closed/modules/a/manifests/init.pp [/code/environments/closed] module a: manifests/init.pp, defines a
            /code/environments/production/manifests/site.pp [/code/environments/production] main manifest
            /code/environments/production/modules/a/manifests/init.pp [/code/environments/production] module a: manifests/init.pp, defines a
            /code/environments/testing/thirdparty/a/manifests/init.pp [/code/environments/testing] module a: manifests/init.pp
            /code/modules/shared/manifests/init.pp [/code /code/environments/based /code/environments/production /code/environments/testing] module shared: manifests/init.pp, defines shared
            /opt/modules/installed/manifests/init.pp [/code /code/environments/based /code/environments/production /code/environments/testing] module installed: manifests/init.pp, defines installed
        "#]],
    );
}

#[test]
fn fixture_modules_are_visible_only_to_their_module() {
    check(
        r#"
//- environment: roots=/work
//- /work/a/metadata.json
{ "name": "me-a" }
//- /work/a/.fixtures.yml
//- /work/a/manifests/init.pp
//- /work/a/spec/fixtures/modules/helper/manifests/init.pp
//- /work/a/spec/fixtures/manifests/site.pp
//- /work/a/spec/acceptance/x.pp
//- /work/b/metadata.json
{ "name": "me-b" }
//- /work/b/manifests/init.pp
"#,
        expect![[r#"
            /work/a/manifests/init.pp [- /work/a/spec/fixtures] module a: manifests/init.pp, defines a
            /work/a/spec/acceptance/x.pp [- /work/a/spec/fixtures] module a: spec/acceptance/x.pp
            /work/a/spec/fixtures/manifests/site.pp [/work/a/spec/fixtures] main manifest
            /work/a/spec/fixtures/modules/helper/manifests/init.pp [/work/a/spec/fixtures] module helper: manifests/init.pp, defines helper
            /work/b/manifests/init.pp [-] module b: manifests/init.pp, defines b
        "#]],
    );
}

#[test]
fn every_folder_on_the_module_path_is_a_module() {
    check(
        r#"
//- environment: roots=/repo
//- /repo/environment.conf
modulepath = site
//- /repo/site/only_templates/templates/x.epp
//- /repo/site/only_plugins/lib/puppet/functions/only_plugins/f.rb
//- /repo/site/only_plugins/tests/x.pp
"#,
        expect![[r#"
            /repo/site/only_plugins/tests/x.pp [/repo] module only_plugins: tests/x.pp
            /repo/site/only_templates/templates/x.epp [/repo] module only_templates: templates/x.epp
        "#]],
    );
}

#[test]
fn a_module_that_is_also_a_control_repository() {
    check(
        r#"
//- environment: roots=/repo
//- /repo/environment.conf
modulepath = site:modules
//- /repo/manifests/site.pp
//- /repo/modules/web/environment.conf
modulepath = .modules
//- /repo/modules/web/bolt-project.yaml
name: other
//- /repo/modules/web/hiera.yaml
//- /repo/modules/web/Puppetfile
//- /repo/modules/web/manifests/server.pp
//- /repo/modules/web/types/port.pp
//- /repo/site/old/environment.conf
//- /repo/site/old/manifests/init.pp
//- /repo/site/old-copy/environment.conf
//- /repo/site/old-copy/manifests/init.pp
//- /repo/elsewhere/test/environment.conf
//- /repo/elsewhere/test/manifests/site.pp
"#,
        expect![[r#"
            /repo/elsewhere/test/manifests/site.pp [/repo/elsewhere/test] main manifest
            /repo/manifests/site.pp [/repo] main manifest
            /repo/modules/web/manifests/server.pp [/repo] module web: manifests/server.pp, defines web::server
            /repo/modules/web/types/port.pp [/repo] module web: types/port.pp, defines web::port
            /repo/site/old-copy/manifests/init.pp [/repo/site/old-copy] main manifest
            /repo/site/old/manifests/init.pp [/repo] module old: manifests/init.pp, defines old
        "#]],
    );
}

#[test]
fn an_opened_control_repository_among_modules() {
    check(
        r#"
//- environment: roots=/repo,/repo/modules/web
//- /repo/environment.conf
//- /repo/modules/web/environment.conf
//- /repo/modules/web/manifests/site.pp
"#,
        expect![[r#"
            /repo/modules/web/manifests/site.pp [/repo/modules/web] main manifest
        "#]],
    );
}

#[test]
fn folders_with_dashes_on_a_configured_module_path_are_no_modules() {
    check(
        r#"
//- environment: roots=/repo
//- /repo/environment.conf
modulepath = site:modules
//- /repo/site/me-shop/metadata.json
{ "name": "me-shop" }
//- /repo/site/me-shop/manifests/init.pp
//- /repo/modules/bakery/manifests/init.pp
"#,
        expect![[r#"
            /repo/modules/bakery/manifests/init.pp [/repo] module bakery: manifests/init.pp, defines bakery
            /repo/site/me-shop/manifests/init.pp [/repo] loose
        "#]],
    );
}

#[test]
fn configurations_that_a_module_installs_are_no_environments() {
    check(
        r#"
//- environment: roots=/repo
//- /repo/environment.conf
modulepath = modules
//- /repo/modules/server/manifests/init.pp
//- /repo/modules/server/files/environment.conf
modulepath = other
//- /repo/modules/server/files/key.rb
//- /repo/modules/server/templates/site/environment.conf
//- /repo/modules/server/templates/site/x.epp
//- /repo/modules/server/files/skeleton/environment.conf
//- /repo/modules/server/files/skeleton/manifests/site.pp
"#,
        expect![[r#"
            /repo/modules/server/files/skeleton/manifests/site.pp [/repo/modules/server/files/skeleton] main manifest
            /repo/modules/server/manifests/init.pp [/repo] module server: manifests/init.pp, defines server
            /repo/modules/server/templates/site/x.epp [/repo] module server: templates/site/x.epp
        "#]],
    );
}
