//! Code actions and their effects.

use expect_test::{Expect, expect};
use ide::{CodeAction, CodeActionKind};
use syntax::TextRange;

use crate::at_cursor;

/// Compares the titles at the cursor, and the result of applying the first one that starts with `title` to
/// each file.
fn check(text: &str, title: &str, expected: Expect) {
    let said = at_cursor(text, |analysis, file, offset, _| {
        let actions = analysis.code_actions(file, TextRange::empty(offset)).expect("not cancelled");
        let chosen = actions.iter().find(|it| it.title.starts_with(title));
        let Some(CodeAction { change, .. }) = chosen else {
            return actions.iter().map(|it| format!("{}\n", it.title)).collect::<String>();
        };
        let mut said = String::new();
        for (file, edits) in &change.edits {
            let mut text = analysis.text(*file).expect("not cancelled").expect("a text").to_string();
            for edit in edits.iter().rev() {
                text.replace_range(edit.range.as_range(), &edit.text);
            }
            said.push_str(&format!("--- {}\n{text}", analysis.path(*file)));
        }
        for (file, path) in &change.moves {
            said.push_str(&format!("--- {} -> {path}\n", analysis.path(*file)));
        }
        for (path, text) in &change.creates {
            said.push_str(&format!("+++ {path}\n{text}"));
        }
        said
    });
    expected.assert_eq(&said);
}

const REPO: &str = "
//- /env/environment.conf
modulepath = modules
//- /env/modules/a/manifests/init.pp
class a (Integer $port = 80) { }
//- /env/modules/a/manifests/thing.pp
define a::thing (
  Enum['x', 'y'] $size,
  Boolean $on = true,
) { }
";

fn in_b(text: &str) -> String {
    format!("{REPO}//- /env/modules/b/manifests/init.pp\n{text}")
}

#[test]
fn misspelled_names_are_corrected() {
    check(
        &in_b("class b { a::thin$0g2 { 't': size => 'x' } }\n"),
        "Replace with",
        expect![[r#"
        --- /env/modules/b/manifests/init.pp
        class b { a::thing { 't': size => 'x' } }
    "#]],
    );
}

#[test]
fn missing_files_are_created_at_autoload_paths() {
    check(
        &in_b("class b { include a::server$0s }\n"),
        "Create",
        expect![[r#"
        +++ /env/modules/a/manifests/servers.pp
        # @summary
        class a::servers {
        }
    "#]],
    );
    check(
        &in_b("class b { a::other$0 { 't': colour => 'x', require => File['/x'] } }\n"),
        "Create",
        expect![[r#"
        +++ /env/modules/a/manifests/other.pp
        # @summary
        define a::other (
          Any $colour,
        ) {
        }
    "#]],
    );
    check(
        &in_b("class b { notice(b::doubl$0e(1, 2)) }\n"),
        "Create",
        expect![[r#"
        +++ /env/modules/b/functions/double.pp
        # @summary
        function b::double(Any $argument1, Any $argument2) >> Any {
        }
    "#]],
    );
    check(
        &in_b("class b (A::Mod$0e $x) { notice($x) }\n"),
        "Create",
        expect![[r#"
        +++ /env/modules/a/types/mode.pp
        # @summary
        type A::Mode = Any
    "#]],
    );
}

#[test]
fn parameters_are_added_to_calls_and_to_signatures() {
    check(
        &in_b("class b {\n  a::thing { 't$0':\n    on => false,\n  }\n}\n"),
        "Add",
        expect![[r#"
        --- /env/modules/b/manifests/init.pp
        class b {
          a::thing { 't':
            on   => false,
            size => '',
          }
        }
    "#]],
    );
    check(
        &in_b("class b { class { 'a': hos$0t => 'x' } }\n"),
        "Add",
        expect![[r#"
            --- /env/modules/a/manifests/init.pp
            class a (Integer $port = 80, Optional[String] $host = undef) { }
        "#]],
    );
}

#[test]
fn first_parameters_leave_no_blank_line() {
    check(
        &in_b("class b {\n  a::thing { 't$0': }\n}\n"),
        "Add",
        expect![[r#"
        --- /env/modules/b/manifests/init.pp
        class b {
          a::thing { 't':
            size => '',
          }
        }
    "#]],
    );
}

#[test]
fn duplicates_are_removed_or_renamed() {
    let hash = "class b {\n  $x = {\n    'k' => 1,\n    'l' => 2,\n    'k'$0 => 3,\n  }\n  notice($x)\n}\n";
    check(
        &in_b(hash),
        "Remove this entry",
        expect![[r#"
        --- /env/modules/b/manifests/init.pp
        class b {
          $x = {
            'k' => 1,
            'l' => 2,
          }
          notice($x)
        }
    "#]],
    );
    check(
        &in_b("class b ($x, $x$0) { notice($x) }\n"),
        "Rename",
        expect![[r#"
        --- /env/modules/b/manifests/init.pp
        class b ($x, $x_2) { notice($x) }
    "#]],
    );
    check(
        &in_b("class b ($x, $x$0) { notice($x) }\n"),
        "Remove",
        expect![[r#"
        --- /env/modules/b/manifests/init.pp
        class b ($x) { notice($x) }
    "#]],
    );
}

#[test]
fn misplaced_definitions_are_moved() {
    check(
        &in_b("class b { }\n\n# @summary Another\nclass a::oth$0er { }\n"),
        "Move",
        expect![[r#"
        --- /env/modules/b/manifests/init.pp
        class b { }
        +++ /env/modules/a/manifests/other.pp
        # @summary Another
        class a::other { }
    "#]],
    );
    check(
        &in_b("class b {\n}\n\nnotice$0('x')\n"),
        "Move",
        expect![[r#"
        --- /env/modules/b/manifests/init.pp
        class b {
          notice('x')
        }
    "#]],
    );
}

#[test]
fn parameters_are_documented() {
    check(
        &in_b("# @summary B\n#\n# @param x\n#   the x\nclass b ($x, $$0y, $z) { notice($x + $y + $z) }\n"),
        "Document parameters",
        expect![[r#"
        --- /env/modules/b/manifests/init.pp
        # @summary B
        #
        # @param x
        #   the x
        # @param y
        #   TODO
        # @param z
        #   TODO
        class b ($x, $y, $z) { notice($x + $y + $z) }
    "#]],
    );
    check(
        &in_b("class $0b ($x) { notice($x) }\n"),
        "Document parameters",
        expect![[r#"
        --- /env/modules/b/manifests/init.pp
        # @summary TODO
        #
        # @param x
        #   TODO
        class b ($x) { notice($x) }
    "#]],
    );
}

#[test]
fn defaults_are_fixed() {
    check(
        &in_b("class b (Integer $x = $0'80') { notice($x) }\ninclude b\n"),
        "Replace with",
        expect![[r#"
        --- /env/modules/b/manifests/init.pp
        class b (Integer $x = 80) { notice($x) }
        include b
    "#]],
    );
    check(
        &in_b("class b (Boolean $x) {\n  $y = $x$0 ? {\n    true => 1,\n  }\n  notice($y)\n}\n"),
        "Add `default`",
        expect![[r#"
        --- /env/modules/b/manifests/init.pp
        class b (Boolean $x) {
          $y = $x ? {
            true => 1,
            default => undef,
          }
          notice($y)
        }
    "#]],
    );
}

#[test]
fn arrows_are_aligned() {
    check(
        &in_b("class b {\n  file { '/x':\n    ens$0ure => file,\n    content => 'x',\n  }\n}\n"),
        "Align",
        expect![[r#"
        --- /env/modules/b/manifests/init.pp
        class b {
          file { '/x':
            ensure  => file,
            content => 'x',
          }
        }
    "#]],
    );
}

#[test]
fn diagnostics_can_be_suppressed() {
    check(
        &in_b("class b {\n  $unu$0sed = 1\n}\n"),
        "Ignore",
        expect![[r#"
        --- /env/modules/b/manifests/init.pp
        class b {
          $unused = 1 # lint:ignore:unused-variable
        }
    "#]],
    );
}

#[test]
fn a_missing_brace_is_added_before_the_code_around() {
    check(
        &in_b("class b {\n  file $0{ '/x':\n    ensure => file,\n}\n"),
        "Add `}`",
        expect![[r#"
        --- /env/modules/b/manifests/init.pp
        class b {
          file { '/x':
            ensure => file,
          }
        }
    "#]],
    );
}

#[test]
fn fixes_of_the_workspace_leave_installed_modules_alone() {
    let repository = "
//- /env/environment.conf
modulepath = site:modules
//- /env/Puppetfile
mod 'puppetlabs-apache', '1.0.0'
//- /env/modules/apache/manifests/init.pp
class apache { notice($facts['osfamily']) }
//- /env/modules/own/manifests/init.pp
class own { notice($facts['osfamily']) }
//- /env/site/profile/manifests/init.pp
class profile { notice($facts['osfa$0mily']) }
";
    at_cursor(repository, |analysis, file, _, _| {
        let change = analysis.fix_workspace(file, check::Code::LegacyFact).expect("nothing is cancelled");
        let paths: Vec<_> = change.edits.iter().map(|(file, _)| analysis.path(*file)).collect();
        let paths: Vec<_> = paths.iter().map(|it| it.as_str()).collect();
        assert_eq!(paths, ["/env/modules/own/manifests/init.pp", "/env/site/profile/manifests/init.pp"]);
    });
}

#[test]
fn suppressions_change_neither_output_nor_data() {
    let epp = "//- /env/modules/b/templates/a.epp\nport <%= $facts['osfam$0ily'] %>\n";
    check(
        epp,
        "Ignore",
        expect![[r#"
        --- /env/modules/b/templates/a.epp
        port <%= $facts['osfamily'] %><%# lint:ignore:legacy-fact %>
    "#]],
    );
    let erb = "//- /env/modules/b/templates/a.erb\na <%= scope['::osfam$0ily'] %>\n";
    check(
        erb,
        "Ignore",
        expect![[r#"
        --- /env/modules/b/templates/a.erb
        a <%= scope['::osfamily'] %><%# lint:ignore:legacy-fact %>
    "#]],
    );
    check(
        &in_b("class b {\n  notice(@(\"E\"))\n    a ${facts['osfam$0ily']}\n    | E\n}\n"),
        "Ignore",
        expect![[r#"
            --- /env/modules/b/manifests/init.pp
            class b {
              # lint:ignore:legacy-fact
              notice(@("E"))
                a ${facts['osfamily']}
                | E
              # lint:endignore
            }
        "#]],
    );
    check(
        &in_b("class b {\n  $unu$0sed = 1 # reason\n}\n"),
        "Ignore",
        expect![[r#"
        --- /env/modules/b/manifests/init.pp
        class b {
          $unused = 1 # lint:ignore:unused-variable reason
        }
    "#]],
    );
    let ruby = "//- /env/modules/b/lib/facter/x.rb\nx = \"#{File.exi$0sts?('/x')}\"\n";
    check(
        ruby,
        "Ignore",
        expect![[r##"
        --- /env/modules/b/lib/facter/x.rb
        x = "#{File.exists?('/x')}" # lint:ignore:removed-ruby-api
    "##]],
    );
    let metadata = "//- /env/modules/b/metadata.json\n$0{ \"name\": \"a-b\", \"version\": \"1.0.0\" }\n";
    check(metadata, "Ignore", expect![[r#""#]]);
}

#[test]
fn safe_fixes_of_a_file_are_applied_together() {
    let text = in_b("class b {\n  notice($facts['osfamily'])\n  notice($facts['hostname'])$0\n}\n");
    at_cursor(&text, |analysis, file, offset, _| {
        let actions = analysis.code_actions(file, TextRange::empty(offset)).expect("not cancelled");
        let all = actions.iter().find(|it| it.kind == CodeActionKind::SourceFixAll).expect("there are fixes");
        assert_eq!(all.change.edits[0].1.len(), 2, "{all:?}");
    });
}

#[test]
fn variables_of_other_classes_are_qualified() {
    let repo = "
//- /env/environment.conf
modulepath = modules
//- /env/modules/a/manifests/params.pp
class a::params { $config_dir = '/etc/a' }
//- /env/modules/a/manifests/init.pp
class a($config_dir = $a::params::config_dir) inherits a::params { }
";
    let thing = "//- /env/modules/a/manifests/thing.pp\ndefine a::thing { notice($config_$0dir) }\n";
    check(
        &format!("{repo}{thing}"),
        "Qualify as `$a::params::",
        expect![[r#"
        --- /env/modules/a/manifests/thing.pp
        define a::thing { notice($a::params::config_dir) }
    "#]],
    );
    let subclass = "//- /env/modules/a/manifests/subclass.pp\nclass a::subclass inherits a::params { notice($config_$0dir) }\n";
    check(
        &format!("{repo}{subclass}"),
        "Qualify",
        expect![[r#"
        --- /env/modules/a/manifests/subclass.pp
        class a::subclass inherits a::params { notice($a::params::config_dir) }
    "#]],
    );
}

/// Returns a manifest with two style checks enabled.
fn in_style(text: &str) -> String {
    let levels = "double_quoted_strings:warning,package_ensure:warning";
    format!("//- environment: roots=/ module_path=/modules lint={levels}\n//- /main.pp\n{text}")
}

#[test]
fn style_diagnostics_are_fixed() {
    let text = "$a = $0\"x\"\n$b = \"y\"\npackage { 'p': ensure => latest }\n";
    check(
        &in_style(text),
        "Fix `double-quoted-strings`",
        expect![[r#"
            --- /main.pp
            $a = 'x'
            $b = "y"
            package { 'p': ensure => latest }
        "#]],
    );
    check(
        &in_style(text),
        "Fix all",
        expect![[r#"
            --- /main.pp
            $a = 'x'
            $b = 'y'
            package { 'p': ensure => latest }
        "#]],
    );
    check(
        &in_style("package { 'p': ensure => $0latest }\n"),
        "Fix `package-ensure` (may change behavior)",
        expect![[r#"
            --- /main.pp
            package { 'p': ensure => installed }
        "#]],
    );
}

#[test]
fn templates_are_not_refactored() {
    let template = |code: &str| format!("//- /env/modules/b/templates/a.epp\n<%- | Array $x | -%>\n{code}\n");
    for code in [
        "<%= $x.jo$0in(', ') %>",
        "<% $y = 1 + 2$0 %><%= $y %>",
        "<% if $x == [] {$0 %>a<% } %>",
        "<%= $x ? { [] => 1, $0default => 2 } %>",
        "<% include a$0 %>",
        "<% file { '/x': $0} %>",
        "<%= \"a$0\" %>",
    ] {
        let found = at_cursor(&template(code), |analysis, file, offset, text| {
            let end = text[offset as usize..].find(' ').map_or(offset, |it| offset + it as u32);
            let ranges =
                [TextRange::empty(offset), TextRange::new(offset, end), TextRange::new(0, text.len() as u32)];
            let actions = ranges.map(|it| analysis.code_actions(file, it).expect("not cancelled"));
            let refactorings = actions.into_iter().flatten().filter(|it| {
                use CodeActionKind::{RefactorExtract, RefactorInline, RefactorRewrite};
                matches!(it.kind, RefactorExtract | RefactorInline | RefactorRewrite)
            });
            refactorings.map(|it| it.title).collect::<Vec<_>>()
        });
        assert_eq!(found, Vec::<String>::new(), "{code}");
    }
}
