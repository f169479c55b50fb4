//! Compiles of a project: loading, selection of node definitions, data and facts, and locations of errors.

use std::sync::Arc;

use compile::{CompileRequest, EntryPoint, Facts, GlobalHiera};
use eval::NodeClass;
use expect_test::{Expect, expect};
use ide::{Analysis, SourceLocation};
use types::{HashValue, NoTypes, Value};

use crate::at_cursor;

fn hash(entries: &[(&str, &str)]) -> HashValue {
    entries.iter().map(|(name, value)| (Value::string(*name), Value::string(*value))).collect()
}

/// Returns a request for a node with two known facts.
fn request(entry: EntryPoint) -> CompileRequest {
    CompileRequest {
        node_name: "web1.example.com".into(),
        facts: Facts::Given(Arc::new(hash(&[("kernel", "Linux"), ("role", "web")]))),
        ..CompileRequest::new(entry)
    }
}

fn format_location(analysis: &Analysis, location: &SourceLocation) -> String {
    let file = location.file.map_or("<code>".to_owned(), |file| analysis.path(file).to_string());
    format!("{file}:{}:{}", location.line, location.column)
}

/// Compiles the last environment of a fixture and lists the resources of the catalog, without stages and
/// settings.
#[track_caller]
fn check(files: &str, request: &CompileRequest, expected: Expect) {
    let files = format!("//- environment: roots=/\n{}", files.trim_start());
    let shown = at_cursor(&files, |analysis, _, _, _| {
        let environment = *analysis.environments().last().expect("there is one");
        let compiled = analysis.compile(environment, request, None).expect("nothing is cancelled");
        if let Some(failure) = &compiled.failure {
            let mut shown = format!("{}: {}\n", failure.code, failure.message);
            for location in failure.location.iter().chain(&failure.calls) {
                shown.push_str(&format!("  {}\n", format_location(analysis, location)));
            }
            return shown;
        }
        let mut shown = String::new();
        for resource in &compiled.catalog().resources {
            let title = resource.title.as_deref().unwrap_or("?");
            if resource.type_name == "Stage" || matches!(title, "main" | "Settings") {
                continue;
            }
            let parameters = resource.parameters.iter();
            let parameters: Vec<String> = parameters
                .map(|(name, value)| format!("{name} => {}", types::text::to_notation(value, &NoTypes)))
                .collect();
            let possible = if resource.is_possible { "possibly " } else { "" };
            let location = resource.place.and_then(|place| analysis.location_of(&compiled, place).ok()?);
            let location = location.map_or(String::new(), |it| format_location(analysis, &it));
            shown.push_str(&format!(
                "{possible}{}[{title}] {{ {} }} {location}\n",
                resource.type_name,
                parameters.join(", ")
            ));
        }
        shown
    });
    expected.assert_eq(&shown);
}

const CONTROL: &str = r#"
//- /environment.conf
modulepath = modules
//- /hiera.yaml
version: 5
hierarchy:
  - name: roles
    path: "roles/%{facts.role}.yaml"
  - name: common
    path: common.yaml
//- /data/roles/web.yaml
profile::port: 443
//- /data/common.yaml
profile::port: 80
//- /manifests/10_nodes.pp
node /^web\d+/ { include profile }
node default { notify { 'nothing': } }
//- /manifests/20_more.pp
notify { "top ${facts['kernel']} ${environment} ${trusted['certname']}": }
//- /modules/profile/manifests/init.pp
class profile(Integer $port) {
  notify { "port ${port} in ${module_name}": }
  include profile::inner
}
//- /modules/profile/manifests/inner.pp
class profile::inner {
  notify { 'file': message => epp('profile/x.epp', { 'a' => profile::double(2) }) }
}
//- /modules/profile/functions/double.pp
function profile::double(Integer $x) >> Integer { $x * 2 }
//- /modules/profile/templates/x.epp
<%- | $a | -%>
a is <%= $a %>
"#;

#[test]
fn nodes_of_the_main_manifest() {
    check(
        CONTROL,
        &request(EntryPoint::MainManifest),
        expect![[r#"
            Notify[top Linux production web1.example.com] {  } /manifests/20_more.pp:1:1
            Node[__node_regexp__webd] {  } /manifests/10_nodes.pp:1:16
            Class[Profile] { port => 443 } /manifests/10_nodes.pp:1:18
            Notify[port 443 in profile] {  } /modules/profile/manifests/init.pp:2:3
            Class[Profile::Inner] {  } /modules/profile/manifests/init.pp:3:3
            Notify[file] { message => "a is 4\n" } /modules/profile/manifests/inner.pp:2:3
        "#]],
    );
    let other = CompileRequest { node_name: "db1".into(), ..request(EntryPoint::MainManifest) };
    check(
        CONTROL,
        &other,
        expect![[r#"
        Notify[top Linux production db1] {  } /manifests/20_more.pp:1:1
        Node[default] {  } /manifests/10_nodes.pp:2:14
        Notify[nothing] {  } /manifests/10_nodes.pp:2:16
    "#]],
    );
}

#[test]
fn classes_code_and_classifiers() {
    check(
        CONTROL,
        &request(EntryPoint::Class("profile::inner".into())),
        expect![[r#"
        Class[Profile::Inner] {  } <code>:1:1
        Notify[file] { message => "a is 4\n" } /modules/profile/manifests/inner.pp:2:3
    "#]],
    );
    check(
        CONTROL,
        &request(EntryPoint::Code("notify { $role: }".into())),
        expect![[r#"
        Notify[web] {  } <code>:1:1
    "#]],
    );
    let classified = CompileRequest {
        node_classes: vec![NodeClass { name: "profile::inner".into(), parameters: HashValue::default() }],
        node_parameters: hash(&[("role", "from the classifier")]),
        ..request(EntryPoint::Code("notify { $role: }".into()))
    };
    check(
        CONTROL,
        &classified,
        expect![[r#"
        Notify[from the classifier] {  } <code>:1:1
        Class[Profile::Inner] {  } <code>:1:1
        Notify[file] { message => "a is 4\n" } /modules/profile/manifests/inner.pp:2:3
    "#]],
    );
    let with_colons = CompileRequest {
        node_classes: vec![NodeClass { name: "::profile::inner".into(), parameters: HashValue::default() }],
        ..classified.clone()
    };
    check(
        CONTROL,
        &with_colons,
        expect![[r#"
        invalid-tag: invalid tag `::profile::inner`
        help: remove the leading `::` from the name of the class
          <code>:1:1
    "#]],
    );
    let with_facts = CompileRequest { node_parameters: hash(&[("facts", "mine")]), ..classified };
    check(
        CONTROL,
        &with_facts,
        expect![[r#"
        illegal-reserved-assignment: node classification sets reserved variable `$facts`
          <code>:1:1
    "#]],
    );
    check(
        CONTROL,
        &request(EntryPoint::Class("missing".into())),
        expect![[r#"
        unknown-class: unknown class `missing`
          <code>:1:1
    "#]],
    );
}

#[test]
fn required_parameters_without_data_are_unknown() {
    let global_hiera = Some(GlobalHiera { folder: "/".into(), text: "version: 5\nhierarchy: []\n".into() });
    let files = "//- /modules/a/manifests/init.pp\nclass a(Integer $x, String $y = 'y') { notify { \"${x} ${y}\": } }\n";
    check(
        files,
        &request(EntryPoint::ClassWithAnyParameters("a".into())),
        expect![[r#"
        Class[A] { x => <Integer>, y => 'y' } <code>:1:1
        possibly Notify[?] {  } /modules/a/manifests/init.pp:1:40
    "#]],
    );
    check(
        files,
        &request(EntryPoint::Class("a".into())),
        expect![[r#"
        Class[A] { x => <Integer>, y => 'y' } <code>:1:1
        possibly Notify[?] {  } /modules/a/manifests/init.pp:1:40
    "#]],
    );
    check(
        files,
        &CompileRequest { global_hiera, ..request(EntryPoint::Class("a".into())) },
        expect![[r#"
            missing-required-parameter: Class[A]: expects a value for parameter 'x'
              <code>:1:1
              <code>:1:1
        "#]],
    );
}

#[test]
fn function_parameters_are_unknown() {
    check(
        r#"
//- /modules/stdlib/metadata.json
{ "name": "puppetlabs-stdlib", "version": "9.0.0" }
//- /modules/stdlib/lib/puppet/parser/functions/ensure_packages.rb
Puppet::Parser::Functions.newfunction(:ensure_packages) { |arguments| }
//- /modules/stdlib/lib/puppet/parser/functions/ensure_resource.rb
Puppet::Parser::Functions.newfunction(:ensure_resource) { |arguments| }
//- /modules/stdlib/lib/puppet/parser/functions/ensure_resources.rb
Puppet::Parser::Functions.newfunction(:ensure_resources) { |arguments| }
//- /modules/later/manifests/init.pp
class later { }
//- /modules/a/manifests/init.pp
class a {
  $given = lookup('given', Hash)
  ensure_resource('file', '/a', $given)
  ensure_resource('file', '/b', { 'mode' => '0600' } + $given)
  ensure_resources('file', { '/c' => $given, '/d' => { 'mode' => '0700' } }, { 'mode' => '0600' })
  ensure_packages('e', $given)
  ensure_packages({ 'f' => $given })
  create_resources('file', { '/g' => { 'mode' => '0600' } }, $given)
  create_resources('file', { '/h' => $given }, { 'mode' => '0600' })
  ensure_resource('file', '/a', $given)
  include later
  if $given['x'] { require later }
}
"#,
        &request(EntryPoint::Class("a".into())),
        expect![[r#"
            Class[A] { require => <Any> } <code>:1:1
            File[/a] {  } /modules/a/manifests/init.pp:3:3
            File[/b] {  } /modules/a/manifests/init.pp:4:3
            File[/c] { mode => <Any> } /modules/a/manifests/init.pp:5:3
            File[/d] { mode => '0700' } /modules/a/manifests/init.pp:5:3
            Package[e] { ensure => <Any> } /modules/a/manifests/init.pp:6:3
            Package[f] { ensure => <Any> } /modules/a/manifests/init.pp:7:3
            File[/g] { mode => '0600' } /modules/a/manifests/init.pp:8:3
            File[/h] { mode => <Any> } /modules/a/manifests/init.pp:9:3
            Class[Later] {  } /modules/a/manifests/init.pp:11:3
        "#]],
    );
}

#[test]
fn classes_in_branches_have_separate_variables() {
    check(
        r#"
//- /modules/a/manifests/init.pp
class a {
  if $facts['nobody_knows'] {
    $text = inline_epp('<% $one = 1 %><% $two = 2 %>x')
    include a::none
    $more = inline_epp('<% $one = 1 %><% $two = 2 %>x')
    include a::some
  }
}
//- /modules/a/manifests/none.pp
class a::none { notify { 'none': } }
//- /modules/a/manifests/some.pp
class a::some {
  $first = 'f'
  $second = 's'
  notify { 'some': message => "${first} ${second}" }
}
"#,
        &CompileRequest { facts: Facts::Unknown, ..request(EntryPoint::Class("a".into())) },
        expect![[r#"
            Class[A] {  } <code>:1:1
            possibly Class[A::None] {  } /modules/a/manifests/init.pp:4:5
            possibly Notify[none] {  } /modules/a/manifests/none.pp:1:17
            possibly Class[A::Some] {  } /modules/a/manifests/init.pp:6:5
            possibly Notify[some] { message => 'f s' } /modules/a/manifests/some.pp:4:3
        "#]],
    );
}

#[test]
fn references_denote_the_resources_of_all_branches() {
    check(
        r#"
//- /modules/a/manifests/init.pp
class a {
  if $facts['unknown'] {
    file { '/x': mode => '0600' }
    @user { 'u': }
    $mode = File['/x']['mode']
  } else {
    file { '/x': mode => '0644' }
    @user { 'u': uid => 1 }
    notify { 'other': message => File['/x']['mode'] }
  }
  notify { 'last': }
  File['/x'] -> Notify['last']
  File['/x'] { owner => 'root' }
  if $facts['unknown'] { File['/x'] ~> Notify['last'] }
  realize(User['u'])
}
"#,
        &CompileRequest { facts: Facts::Unknown, ..request(EntryPoint::Class("a".into())) },
        expect![[r#"
            Class[A] {  } <code>:1:1
            possibly File[/x] { mode => '0600', owner => <Any>, before => ['Notify[last]'], notify => <Any> } /modules/a/manifests/init.pp:3:5
            possibly User[u] {  } /modules/a/manifests/init.pp:4:6
            possibly File[/x] { mode => '0644', owner => <Any>, before => ['Notify[last]'], notify => <Any> } /modules/a/manifests/init.pp:7:5
            possibly User[u] { uid => 1 } /modules/a/manifests/init.pp:8:6
            possibly Notify[other] { message => '0644' } /modules/a/manifests/init.pp:9:5
            Notify[last] {  } /modules/a/manifests/init.pp:11:3
        "#]],
    );
}

#[test]
fn files_that_puppet_would_not_load_end_a_compile() {
    let files = "
//- /modules/a/manifests/init.pp
class a { include a::broken }
//- /modules/a/manifests/broken.pp
class a::broken { notify { 'x' } }
//- /modules/a/manifests/misplaced.pp
class b { }
";
    check(
        files,
        &request(EntryPoint::Class("a".into())),
        expect![[r#"
        syntax-error: expected `:` and the attributes, found `}`
          /modules/a/manifests/broken.pp:1:32
          /modules/a/manifests/init.pp:1:11
          <code>:1:1
    "#]],
    );
    check(
        files,
        &request(EntryPoint::Class("a::misplaced".into())),
        expect![[r#"
            illegal-definition-location: `b` is not autoloaded from this file; names in this file must begin with `a::misplaced`
            help: move it to `b/manifests/init.pp`
              /modules/a/manifests/misplaced.pp:1:7
              <code>:1:1
        "#]],
    );
    check(
        files,
        &request(EntryPoint::Code("class a { } class a { }".into())),
        expect![[r#"
        duplicate-definition: `a` is already defined
          <code>:1:19
    "#]],
    );
    check(
        files,
        &request(EntryPoint::Code("notify {".into())),
        expect![[r#"
        syntax-error: unclosed delimiter
        help: add the closing `}`
          <code>:1:8
    "#]],
    );
}

#[test]
fn errors_are_located_in_templates() {
    let files = "
//- /modules/a/manifests/init.pp
class a { file { '/x': content => epp('a/x.epp') } }
//- /modules/a/templates/x.epp
first
<%= fail('here') %>
";
    check(
        files,
        &request(EntryPoint::Class("a".into())),
        expect![[r#"
        deliberate-failure: here
          /modules/a/templates/x.epp:2:5
          /modules/a/manifests/init.pp:1:35
          <code>:1:1
    "#]],
    );
}

#[test]
fn missing_modules_make_unknown_names_inconclusive() {
    let files = r#"
//- /modules/a/metadata.json
{ "dependencies": [{ "name": "x/gone" }] }
//- /modules/a/manifests/init.pp
class a {
  include gone::x
  gone::thing { 'x': value => gone::f(1), other => gone_too('x') }
  include a::missing
}
"#;
    let whole = request(EntryPoint::Class("a".into()));
    check(
        files,
        &whole,
        expect![[r#"
        unknown-class: unknown class `gone::x`
          /modules/a/manifests/init.pp:2:3
          <code>:1:1
    "#]],
    );
    check(
        files,
        &CompileRequest { is_incomplete: true, ..whole },
        expect![[r#"
        unknown-class: unknown class `a::missing`
          /modules/a/manifests/init.pp:4:3
          <code>:1:1
    "#]],
    );
}

#[test]
fn missing_facts_are_unknown() {
    let files = "
//- /modules/a/manifests/init.pp
class a {
  if $facts['os']['family'] == 'Debian' { notify { 'debian': } }
  notify { 'fact': message => $facts['of_a'] }
  if $facts['nobody_has_it'] { fail('never') }
}
//- /modules/a/lib/facter/of_a.rb
Facter.add(:of_a) { setcode { `hostname` } }
";
    let unknown = CompileRequest::new(EntryPoint::Class("a".into()));
    check(
        files,
        &unknown,
        expect![[r#"
        Class[A] {  } <code>:1:1
        possibly Notify[debian] {  } /modules/a/manifests/init.pp:2:43
        Notify[fact] { message => <Any> } /modules/a/manifests/init.pp:3:3
    "#]],
    );
    let os = (Value::string("os"), Value::Hash(Arc::new(hash(&[("family", "Debian")]))));
    let facts = Facts::Platform { facts: Arc::new([os].into_iter().collect()), of_modules: Arc::default() };
    check(
        files,
        &CompileRequest { facts, ..unknown },
        expect![[r#"
        Class[A] {  } <code>:1:1
        Notify[debian] {  } /modules/a/manifests/init.pp:2:43
        Notify[fact] { message => <Any> } /modules/a/manifests/init.pp:3:3
    "#]],
    );
}

#[test]
fn keys_are_looked_up() {
    let files = format!("//- environment: roots=/\n{}", CONTROL.trim_start());
    let shown = at_cursor(&files, |analysis, _, _, _| {
        let environment = *analysis.environments().last().expect("there is one");
        let request = request(EntryPoint::Code("".into()));
        let look_up = |key: &str, merge: Option<Value>| {
            let found = analysis.look_up(environment, &request, &[key], merge.as_ref(), None);
            let (answer, explanation) = &found.expect("nothing is cancelled")[0];
            let steps: Vec<String> = explanation.steps.iter().map(|it| format!("{:?}", it.outcome)).collect();
            format!("{answer:?} {}\n", steps.join(", "))
        };
        [
            look_up("profile::port", None),
            look_up("profile::port", Some(Value::string("unique"))),
            look_up("profile::nothing", None),
        ]
        .concat()
    });
    expect![[r#"
        Ok(Found(Integer(443))) Found(Integer(443))
        Ok(Found(Array([Integer(443), Integer(80)]))) Found(Integer(443)), Found(Integer(80))
        Ok(Missing) NoKey, NoKey
    "#]]
    .assert_eq(&shown);
}

/// `ensure_resource` fails with a duplicate declaration unless the attributes are equal in Ruby.
#[test]
fn attributes_are_compared_as_in_ruby() {
    let files = "//- environment: roots=/\n\
                 //- /modules/stdlib/metadata.json\n{ \"name\": \"puppetlabs-stdlib\", \"version\": \"8.5.0\" }\n\
                 //- /modules/stdlib/lib/puppet/parser/functions/ensure_resource.rb\n\
                 Puppet::Parser::Functions.newfunction(:ensure_resource) { |arguments| }\n";
    for (first, second, is_equal) in [
        ("'600'", "600", false),
        ("true", "'true'", false),
        ("User['a']", "'User[a]'", false),
        ("'a'", "'A'", false),
        ("['600']", "[600]", false),
        ("600", "600.0", true),
        ("[1, 2.0]", "[1.0, 2]", true),
        ("User['a']", "User['a']", true),
        ("'a'", "'a'", true),
    ] {
        let call = |value: &str| format!("ensure_resource('notify', 'n', {{ 'message' => {value} }})");
        let code = format!("user {{ 'a': }}\n{}\n{}\n", call(first), call(second));
        at_cursor(files, |analysis, _, _, _| {
            let environment = *analysis.environments().last().expect("there is one");
            let request = request(EntryPoint::Code(code.as_str().into()));
            let compiled = analysis.compile(environment, &request, None).expect("nothing is cancelled");
            let failure = compiled.failure.as_ref().map(|it| it.code.as_str());
            assert_eq!(failure, (!is_equal).then_some("duplicate-declaration"), "{first} {second}");
        });
    }
}
