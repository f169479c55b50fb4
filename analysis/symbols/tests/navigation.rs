//! Go to definition and find references.

use expect_test::{Expect, expect};
use project::Db;
use symbols::{FileId, navigation, references};
use syntax::TextRange;

use crate::at_cursor;

/// A control repository with a reference to everything it defines.
const REPO: &str = "
//- /modules/a/manifests/init.pp
# A class.
# @param port the port
class a (
  Integer $port = 80,
  A::Mode $mode = 'x',
) inherits a::params {
  $local = $port + 1
  notice($local, $inherited, $facts['os']['family'])
  [1].each |$local| { notice($local) }
  file { '/x':
    content => template('a/x.erb'),
    source  => 'puppet:///modules/a/served.txt',
  }
  -> a::thing { 't': size => a::double($port), color => 'red' }
  File['/x'] ~> A::Thing['t']
  epp('a/y.epp', { 'given' => 1 })
  my_type { 'm': flavor => 'sweet', provider => 'hot', tag => 'x' }
  ruby_function($mode)
}
//- /modules/a/manifests/params.pp
class a::params {
  $inherited = 1
}
//- /modules/a/manifests/thing.pp
define a::thing (Integer $size, $color) {
  notice($size)
}
//- /modules/a/functions/double.pp
function a::double($x) { $x * 2 }
//- /modules/a/types/mode.pp
type A::Mode = Enum['x', 'y']
//- /modules/a/templates/x.erb
<%= @local %> <%= scope['a::params::inherited'] %> <%= scope.lookupvar('::a::port') %>
//- /modules/a/templates/y.epp
<%- | $given | -%>
<%= $given %> <%= $a::port %>
//- /modules/a/files/served.txt
text
//- /modules/a/lib/puppet/type/my_type.rb
Puppet::Type.newtype(:my_type) do
  newparam(:name) do
  end
  newproperty(:flavor) do
  end
end
//- /modules/a/lib/puppet/provider/my_type/hot.rb
Puppet::Type.type(:my_type).provide(:hot) do
end
//- /modules/a/lib/puppet/functions/ruby_function.rb
Puppet::Functions.create_function(:ruby_function) do
  dispatch :call do
    param 'Any', :x
  end
end
//- /modules/a/hiera.yaml
version: 5
//- /modules/a/data/common.yaml
a::port: 81
a::mode: '%{a::local}'
a::loose: 1
//- /modules/b/manifests/init.pp
class b {
  include a
  class { '::a': port => 1 }
  A::Thing <| size == 1 |> { color => 'blue' }
  notice($a::port, $a::inherited)
  $defaults = lookup('a::port') + lookup('a::loose')
  create_resources('a::thing', { 'u' => { 'size' => 1 } })
}
";

/// Returns the repository with the cursor in the file at `path`, at the bar in `before`.
fn with_cursor(path: &str, before: &str) -> String {
    let (head, word) = before.rsplit_once('|').expect("a bar where the cursor is");
    let start = REPO.find(&format!("//- {path}\n")).expect("the file");
    let end = REPO[start + 1..].find("//- ").map_or(REPO.len(), |it| start + 1 + it);
    let text = &REPO[start..end];
    let at = start + text.find(&format!("{head}{word}")).expect("the word") + head.len();
    format!("{}$0{}", &REPO[..at], &REPO[at..])
}

/// Formats a location: path, line, and text.
fn place(db: &dyn Db, file: FileId, range: TextRange) -> String {
    let text = project::text(db, file.0).unwrap_or_default();
    let line = text[..range.start as usize].matches('\n').count() + 1;
    format!("{}:{line} {}", file.0.path(db), &text[range.as_range()])
}

#[track_caller]
fn check_definition(path: &str, before: &str, expected: &str) {
    let found = at_cursor(&with_cursor(path, before), |db, file, offset| {
        let targets = navigation::definition(db, file, offset).map(|it| it.targets).unwrap_or_default();
        targets.iter().map(|it| place(db, it.file, it.focus)).collect::<Vec<_>>()
    });
    let expected: Vec<&str> = expected.split(", ").filter(|it| !it.is_empty()).collect();
    assert_eq!(found, expected, "{before}");
}

#[track_caller]
fn check_references(path: &str, before: &str, expected: Expect) {
    let found = at_cursor(&with_cursor(path, before), |db, file, offset| {
        let found = references::references(db, file, offset, true).unwrap_or_default();
        let lines = found
            .iter()
            .map(|it| format!("{} {:?}\n", place(db, it.file, it.range), it.access).replace(" Read", ""));
        lines.collect::<String>()
    });
    expected.assert_eq(&found);
}

#[test]
fn definitions_are_found_from_every_kind_of_name() {
    let init = "/modules/a/manifests/init.pp";
    let b = "/modules/b/manifests/init.pp";
    let rows = [
        (b, "include |a", "/modules/a/manifests/init.pp:3 a"),
        (b, "class { '::|a", "/modules/a/manifests/init.pp:3 a"),
        (b, "'::a': |port", "/modules/a/manifests/init.pp:4 port"),
        (b, "|A::Thing <", "/modules/a/manifests/thing.pp:1 a::thing"),
        (b, "<| |size", "/modules/a/manifests/thing.pp:1 size"),
        (b, "{ |color", "/modules/a/manifests/thing.pp:1 color"),
        (b, "$|a::port", "/modules/a/manifests/init.pp:3 a"),
        (b, "$a::|port", "/modules/a/manifests/init.pp:4 port"),
        (b, "$a::|inherited", "/modules/a/manifests/params.pp:2 inherited"),
        (b, "lookup('|a::port", "/modules/a/data/common.yaml:1 a::port, /modules/a/manifests/init.pp:4 port"),
        (b, "create_resources('|a::thing", "/modules/a/manifests/thing.pp:1 a::thing"),
        (b, "'u' => { '|size", "/modules/a/manifests/thing.pp:1 size"),
        (b, "lookup('|a::loose", "/modules/a/data/common.yaml:3 a::loose"),
        (init, "@param |port", "/modules/a/manifests/init.pp:4 port"),
        (init, "inherits |a::params", "/modules/a/manifests/params.pp:1 a::params"),
        (init, "|A::Mode", "/modules/a/types/mode.pp:1 A::Mode"),
        (init, "notice(|$local", "/modules/a/manifests/init.pp:7 local"),
        (init, "notice(|$local) }", "/modules/a/manifests/init.pp:9 local"),
        (init, "$|inherited", "/modules/a/manifests/params.pp:2 inherited"),
        (init, "template('|a/x.erb", "/modules/a/templates/x.erb:1 "),
        (init, "modules/|a/served", "/modules/a/files/served.txt:1 "),
        (init, "-> |a::thing", "/modules/a/manifests/thing.pp:1 a::thing"),
        (init, "|a::double", "/modules/a/functions/double.pp:1 a::double"),
        (init, "File['|/x", "/modules/a/manifests/init.pp:10 /x"),
        (init, "A::Thing['|t", "/modules/a/manifests/init.pp:14 t"),
        (init, "epp('|a/y", "/modules/a/templates/y.epp:1 "),
        (init, "{ '|given", "/modules/a/templates/y.epp:1 given"),
        (init, "|tag =>", ""),
        (init, "|notice", ""),
        (init, "|my_type", "/modules/a/lib/puppet/type/my_type.rb:1 my_type"),
        (init, "|flavor", "/modules/a/lib/puppet/type/my_type.rb:4 flavor"),
        (init, "'|hot", "/modules/a/lib/puppet/provider/my_type/hot.rb:1 hot"),
        (init, "|ruby_function", "/modules/a/lib/puppet/functions/ruby_function.rb:1 ruby_function"),
        ("/modules/a/data/common.yaml", "|a::port", "/modules/a/manifests/init.pp:4 port"),
        ("/modules/a/templates/x.erb", "@|local", "/modules/a/manifests/init.pp:7 local"),
        ("/modules/a/templates/x.erb", "params::|inherited", "/modules/a/manifests/params.pp:2 inherited"),
        ("/modules/a/templates/y.epp", "<%= $|given", "/modules/a/templates/y.epp:1 given"),
        ("/modules/a/templates/y.epp", "a::|port", "/modules/a/manifests/init.pp:4 port"),
    ];
    for (path, before, expected) in rows {
        check_definition(path, before, expected);
    }
}

#[test]
fn references_to_a_parameter_are_everywhere() {
    check_references(
        "/modules/a/manifests/init.pp",
        "Integer $|port",
        expect![[r#"
            /modules/a/data/common.yaml:1 a::port Write
            /modules/a/manifests/init.pp:2 port Documentation
            /modules/a/manifests/init.pp:4 port Declaration
            /modules/a/manifests/init.pp:7 port
            /modules/a/manifests/init.pp:14 port
            /modules/a/templates/x.erb:1 port
            /modules/a/templates/y.epp:2 port
            /modules/b/manifests/init.pp:3 port Write
            /modules/b/manifests/init.pp:5 port
            /modules/b/manifests/init.pp:6 a::port
        "#]],
    );
}

#[test]
fn references_to_definitions() {
    check_references(
        "/modules/a/manifests/init.pp",
        "class |a",
        expect![[r#"
            /modules/a/data/common.yaml:2 a
            /modules/a/manifests/init.pp:3 a Declaration
            /modules/a/templates/x.erb:1 a
            /modules/a/templates/y.epp:2 a
            /modules/b/manifests/init.pp:2 a
            /modules/b/manifests/init.pp:3 a
            /modules/b/manifests/init.pp:5 a
            /modules/b/manifests/init.pp:5 a
        "#]],
    );
    check_references(
        "/modules/a/manifests/thing.pp",
        "define |a::thing",
        expect![[r#"
        /modules/a/manifests/init.pp:14 a::thing
        /modules/a/manifests/init.pp:15 A::Thing
        /modules/a/manifests/thing.pp:1 a::thing Declaration
        /modules/b/manifests/init.pp:4 A::Thing
        /modules/b/manifests/init.pp:7 a::thing
    "#]],
    );
    check_references(
        "/modules/a/types/mode.pp",
        "type |A::Mode",
        expect![[r#"
        /modules/a/manifests/init.pp:5 A::Mode
        /modules/a/types/mode.pp:1 A::Mode Declaration
    "#]],
    );
}

#[test]
fn references_to_variables_keep_scopes_apart() {
    check_references(
        "/modules/a/manifests/init.pp",
        "$|local = ",
        expect![[r#"
            /modules/a/data/common.yaml:2 local
            /modules/a/manifests/init.pp:7 local Write
            /modules/a/manifests/init.pp:8 local
            /modules/a/templates/x.erb:1 local
        "#]],
    );
    check_references(
        "/modules/a/manifests/init.pp",
        "each |$|local",
        expect![[r#"
        /modules/a/manifests/init.pp:9 local Declaration
        /modules/a/manifests/init.pp:9 local
    "#]],
    );
    check_references(
        "/modules/a/manifests/params.pp",
        "$|inherited",
        expect![[r#"
        /modules/a/manifests/init.pp:8 inherited
        /modules/a/manifests/params.pp:2 inherited Write
        /modules/a/templates/x.erb:1 inherited
        /modules/b/manifests/init.pp:5 inherited
    "#]],
    );
    check_references(
        "/modules/a/templates/y.epp",
        "| $|given",
        expect![[r#"
        /modules/a/manifests/init.pp:16 given Write
        /modules/a/templates/y.epp:1 given Declaration
        /modules/a/templates/y.epp:2 given
    "#]],
    );
}

#[test]
fn references_to_types_attributes_and_facts() {
    check_references(
        "/modules/a/manifests/init.pp",
        "['|family",
        expect![[r#"
        /modules/a/manifests/init.pp:8 family
    "#]],
    );
    check_references(
        "/modules/a/manifests/init.pp",
        "File['|/x",
        expect![[r#"
        /modules/a/manifests/init.pp:10 /x Declaration
        /modules/a/manifests/init.pp:15 /x
    "#]],
    );
}

#[test]
fn definitions_of_modules() {
    let repository = "
//- environment: roots=/env
//- /env/environment.conf
//- /env/Puppetfile
mod 'puppetlabs-apache', '1.0.0'
mod 'puppetlabs-nothing', '1.0.0'
//- /env/modules/apache/metadata.json
{ \"name\": \"puppetlabs-apache\", \"dependencies\": [{ \"name\": \"puppetlabs-concat\" }] }
//- /env/modules/apache/manifests/init.pp
class apache { }
//- /env/modules/concat/metadata.json
{ \"name\": \"puppetlabs-concat\" }
";
    for (word, expected) in [
        ("puppetlabs-apache', '", "/env/modules/apache/manifests/init.pp:1 "),
        ("puppetlabs-nothing", ""),
        ("puppetlabs-concat\" }] }", "/env/modules/concat/metadata.json:1 "),
    ] {
        let found = at_cursor(&repository.replacen(word, &format!("$0{word}"), 1), |db, file, offset| {
            let targets = navigation::definition(db, file, offset).map(|it| it.targets).unwrap_or_default();
            targets.iter().map(|it| place(db, it.file, it.focus)).collect::<String>()
        });
        assert_eq!(found, expected, "{word}");
    }
}
