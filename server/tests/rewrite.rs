//! `rewrite`.

use std::fs;

use crate::folders::Folder;

const PARAMS: &str = "class p::params {
  $ensure = 'present'
  case $facts['os']['family'] {
    'RedHat': { $path = '/etc/sysconfig/p' }
    default:  { $path = '/etc/default/p' }
  }
}
";

const CLASS: &str = "# p
class p (
  String $ensure = $p::params::ensure,
  String $path   = $p::params::path,
) inherits p::params {
  file { $path: ensure => $ensure }
}
";

const SITE: &str = "node 'a' {\n  include p\n}\n";

fn folder(name: &str, params: &str, more: &[(&str, &str)]) -> Folder {
    let files = [
        ("environment.conf", "modulepath = modules\n"),
        ("manifests/site.pp", SITE),
        ("modules/p/manifests/params.pp", params),
        ("modules/p/manifests/init.pp", CLASS),
    ];
    Folder::new(name, &[&files, more].concat())
}

/// Runs the rewrite of the module `p` and returns the exit code, standard output, and standard error.
fn rewrite(folder: &Folder, arguments: &[&str]) -> (Option<i32>, String, String) {
    let ran = folder.run(&[&["rewrite", "params", "modules/p"], arguments].concat());
    (ran.code, ran.stdout, ran.stderr)
}

fn text(folder: &Folder, path: &str) -> Option<String> {
    fs::read_to_string(folder.0.join("modules/p").join(path)).ok()
}

#[test]
fn params_become_data() {
    let folder = folder("rewrite-params", PARAMS, &[]);
    let before = folder.run(&["compile", "--all", "--format", "json"]);
    let (code, diff, errors) = rewrite(&folder, &["--diff"]);
    assert_eq!(code, Some(0), "{errors}");
    assert!(diff.contains("+++ modules/p/data/family/RedHat.yaml"), "{diff}");
    assert_eq!(text(&folder, "manifests/params.pp").as_deref(), Some(PARAMS));
    let (code, _, errors) = rewrite(&folder, &[]);
    assert_eq!(code, Some(0), "{errors}");
    let cases = [
        ("manifests/params.pp", None),
        ("data/family/RedHat.yaml", Some("---\np::path: \"/etc/sysconfig/p\"\n")),
        ("data/common.yaml", Some("---\np::ensure: present\np::path: \"/etc/default/p\"\n")),
        (
            "manifests/init.pp",
            Some(
                "# p\nclass p (\n  String $ensure,\n  String $path,\n) {\n  file { $path: ensure => $ensure }\n}\n",
            ),
        ),
    ];
    for (path, expected) in cases {
        assert_eq!(text(&folder, path).as_deref(), expected, "{path}");
    }
    let after = folder.run(&["compile", "--all", "--format", "json"]);
    assert_eq!((before.code, after.code), (Some(0), Some(0)), "{}{}", before.stderr, after.stderr);
}

#[test]
fn unproven_rewrites_need_the_option() {
    let params = PARAMS.replace("default:  {", "'Suse': { fail('no') }\n    default:  {");
    let refused = folder("rewrite-refused", &params, &[]);
    let (code, _, errors) = rewrite(&refused, &[]);
    assert_eq!(code, Some(1), "{errors}");
    assert!(
        errors.contains("modules/p/manifests/params.pp:5: a platform is not supported (`fail`)"),
        "{errors}"
    );
    let used = folder(
        "rewrite-used",
        PARAMS,
        &[("modules/q/manifests/init.pp", "class q {\n  notice($p::params::path)\n}\n")],
    );
    let (code, _, errors) = rewrite(&used, &[]);
    assert_eq!(code, Some(1), "{errors}");
    assert!(errors.contains("`p::params` is used in"), "{errors}");
    // A node does not compile.
    let site = "node 'b' {\n  include p\n  fail('x')\n}\n";
    let unknown = folder("rewrite-unknown", PARAMS, &[("manifests/b.pp", site)]);
    let (code, _, errors) = rewrite(&unknown, &[]);
    assert_eq!(code, Some(1), "{errors}");
    assert!(errors.contains("not all catalogs are known to stay equal"), "{errors}");
    let (code, _, errors) = rewrite(&unknown, &["--unsafe"]);
    assert_eq!(code, Some(0), "{errors}");
    assert_eq!(text(&unknown, "manifests/params.pp"), None);
}

#[test]
fn classes_that_no_node_includes_are_compiled() {
    let folder = folder("rewrite-alone", PARAMS, &[("manifests/site.pp", "node 'a' {\n}\n")]);
    let (code, _, errors) = rewrite(&folder, &[]);
    assert_eq!(code, Some(0), "{errors}");
    assert_eq!(text(&folder, "manifests/params.pp"), None);
}

const TEMPLATED: &str = "class t (
  Array[String] $list = ['b', 'a'],
  Boolean $is_on = true,
  $untyped = 1,
) {
  file { '/t':
    content => template('t/t.erb'),
  }
  file { '/u': content => template(\"${module_name}/u.erb\") }
  file { '/v': content => template('t/v.erb') }
}
";

const TEMPLATE: &str = "<% if @is_on -%>
<% @list.sort.each do |it| -%>
- <%= it %>
<% end -%>
<% end -%>
";

fn templates(name: &str, more: &[(&str, &str)]) -> Folder {
    let files = [
        ("environment.conf", "modulepath = modules\n"),
        ("manifests/site.pp", "node 'a' {\n  include t\n}\n"),
        ("modules/t/manifests/init.pp", TEMPLATED),
        ("modules/t/templates/t.erb", TEMPLATE),
        ("modules/t/templates/u.erb", "a\n<%= @untyped %>\n"),
        ("modules/t/templates/v.erb", "<%= @list.length %> <%= @is_on ? 'on' : 'off' %>\n"),
    ];
    Folder::new(name, &[&files, more].concat())
}

fn content(folder: &Folder, path: &str) -> Option<String> {
    fs::read_to_string(folder.0.join(path)).ok()
}

#[test]
fn templates_become_epp() {
    let folder = templates("rewrite-epp", &[]);
    let before = folder.run(&["compile", "--all", "--format", "json"]);
    let diff = folder.run(&["rewrite", "epp", "--diff", "modules/t"]);
    assert!(diff.stdout.contains("+++ modules/t/templates/t.epp"), "{}", diff.stdout);
    assert_eq!(content(&folder, "modules/t/templates/t.epp"), None);
    let ran = folder.run(&["rewrite", "epp", "modules/t"]);
    let refused = "refused: modules/t/templates/u.erb:2: the type of `$untyped` is not known\n";
    assert_eq!(ran.stderr, format!("{refused}2 of 3 templates converted\n"));
    assert_eq!(ran.code, Some(0));
    let expected = "<%- |
  Boolean $is_on,
  Array[String] $list,
| -%>
<% if $is_on { -%>
<% $list.sort.each |$it| { -%>
- <%= $it %>
<% } -%>
<% } -%>
";
    assert_eq!(content(&folder, "modules/t/templates/t.epp").as_deref(), Some(expected));
    assert_eq!(content(&folder, "modules/t/templates/t.erb"), None);
    assert!(content(&folder, "modules/t/templates/u.erb").is_some());
    let manifest = content(&folder, "modules/t/manifests/init.pp").expect("exists");
    assert!(manifest.contains("epp('t/v.epp', { 'list' => $list, 'is_on' => $is_on })"), "{manifest}");
    let after = folder.run(&["compile", "--all", "--format", "json"]);
    assert_eq!(after.stdout, before.stdout);
}

#[test]
fn named_templates_stay() {
    for (name, file, text, place) in [
        ("data", "data/common.yaml", "x: t/t.erb\n", "data/common.yaml"),
        ("template", "modules/t/templates/w.erb", "<%= scope.function_template(['t/t.erb']) %>", "w.erb"),
        ("default", "modules/t/manifests/x.pp", "class t::x($y = 't/t.erb') { }\n", "x.pp"),
        (
            "computed",
            "modules/t/manifests/x.pp",
            "class t::x($y) { notice(template(\"t/${y}.erb\")) }\n",
            "x.pp",
        ),
        (
            "several",
            "modules/t/manifests/x.pp",
            "class t::x { notice(template('t/v.erb', 't/t.erb')) }\n",
            "x.pp",
        ),
    ] {
        let folder = templates(&format!("rewrite-epp-{name}"), &[(file, text)]);
        let ran = folder.run(&["rewrite", "epp", "modules/t/templates/t.erb"]);
        assert_eq!(ran.code, Some(1), "{name}: {}", ran.stderr);
        assert!(ran.stderr.contains("also names the template in line 1"), "{name}: {}", ran.stderr);
        assert!(ran.stderr.contains(place), "{name}: {}", ran.stderr);
    }
}

#[test]
fn templates_without_catalogs_stay() {
    let folder = templates(
        "rewrite-epp-unused",
        &[
            (
                "modules/t/manifests/d.pp",
                "define t::d(String $s) {\n  file { '/d': content => template('t/d.erb') }\n}\n",
            ),
            ("modules/t/templates/d.erb", "<%= @s %>\n"),
        ],
    );
    let ran = folder.run(&["rewrite", "epp", "modules/t/templates/d.erb"]);
    assert_eq!(ran.code, Some(1), "{}", ran.stderr);
    assert!(ran.stderr.contains("no catalog contains the code"), "{}", ran.stderr);
    let ran = folder.run(&["rewrite", "epp", "--unsafe", "modules/t/templates/d.erb"]);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
}
