//! Layout of the code that code actions add or remove: line breaks, tabs, aligned arrows, and blank lines.

use std::fmt::Write;

use expect_test::{Expect, expect};
use fixture::Fixture;
use project::testing::TestWorkspace;
use refactoring::code_actions;
use syntax::TextRange;

/// Checks the texts after the action whose title begins with `title`. Carriage returns are shown as `\r`, tabs as
/// `\t`, and an end without a line break as `\`.
fn check(fixture: &str, title: &str, expected: Expect) {
    let workspace = TestWorkspace::new(fixture);
    let parsed = Fixture::parse(fixture);
    let cursor = parsed.cursor();
    let file = workspace.file(&parsed.files[cursor.file].path);
    let actions = code_actions(&workspace.db, file, TextRange::empty(cursor.offset));
    let titles = || actions.iter().map(|it| format!("{}\n", it.title)).collect::<String>();
    let Some(action) = actions.iter().find(|it| it.title.starts_with(title)) else {
        expected.assert_eq(&format!("no such action among:\n{}", titles()));
        return;
    };
    let mut shown = String::new();
    for (file, edits) in &action.change.edits {
        let mut text = project::text(&workspace.db, file.0).unwrap_or_default().to_string();
        for edit in edits.iter().rev() {
            text.replace_range(edit.range.as_range(), &edit.text);
        }
        let text = text.replace('\r', "\\r").replace('\t', "\\t");
        let end = if text.ends_with('\n') { "" } else { "\\\n" };
        let _ = write!(shown, "{text}{end}");
    }
    expected.assert_eq(&shown);
}

const THING: &str = "//- environment: roots=/ module_path=/modules
//- /modules/m/manifests/thing.pp
define m::thing (String $first, Integer $second_one) { notice($first, $second_one) }
//- /main.pp
";

#[test]
fn added_attributes_are_aligned() {
    let missing = |code: &str| format!("{THING}{code}");
    check(
        &missing("m::thing { '$0x':\n  first  => 'a',\n}\n"),
        "Add missing",
        expect![[r#"
        m::thing { 'x':
          first      => 'a',
          second_one => 0,
        }
    "#]],
    );
    check(
        &missing("m::thing { '$0x':\n  first => 'a', # comment\n}\n"),
        "Add missing",
        expect![[r#"
        m::thing { 'x':
          first      => 'a', # comment
          second_one => 0,
        }
    "#]],
    );
    check(
        &missing("m::thing { '$0x':\n  first => 'a' # comment\n}\n"),
        "Add missing",
        expect![[r#"
        m::thing { 'x':
          first      => 'a', # comment
          second_one => 0,
        }
    "#]],
    );
    check(
        &missing("m::thing { '$0x':\n  first => 'a' }\n"),
        "Add missing",
        expect![[r#"
        m::thing { 'x':
          first      => 'a',
          second_one => 0 }
    "#]],
    );
    check(
        &missing("m::thing { '$0x': first => 'a' }\n"),
        "Add missing",
        expect![[r#"
        m::thing { 'x': first => 'a', second_one => 0 }
    "#]],
    );
    check(
        &missing("m::thing { '$0x': }"),
        "Add missing",
        expect![[r#"
        m::thing { 'x':
          first      => '',
          second_one => 0,
        }\
    "#]],
    );
    check(
        &missing("m::thing { '$0x':\n  first => 'a';\n  'y': first => 'b', second_one => 2,\n}\n"),
        "Add missing",
        expect![[r#"
            m::thing { 'x':
              first      => 'a',
              second_one => 0;
              'y': first => 'b', second_one => 2,
            }
        "#]],
    );
    check(
        &missing("class a {\r\n\tm::thing { '$0x':\r\n\t\tfirst => 'a',\r\n\t}\r\n}\r\n"),
        "Add missing",
        expect![[r#"
            class a {\r
            \tm::thing { 'x':\r
            \t\tfirst      => 'a',\r
            \t\tsecond_one => 0,\r
            \t}\r
            }\r
        "#]],
    );
    check(
        &missing("class a {\r\n\tm::thing { '$0x': }\r\n}\r\n"),
        "Add missing",
        expect![[r#"
        class a {\r
        \tm::thing { 'x':\r
        \t\tfirst      => '',\r
        \t\tsecond_one => 0,\r
        \t}\r
        }\r
    "#]],
    );
}

#[test]
fn code_in_templates_is_completed() {
    let template = |text: &str| {
        format!("{}//- /modules/m/templates/x.epp\n{text}", THING.trim_end_matches("//- /main.pp\n"))
    };
    check(
        &template("<% m::thing { '$0x': } -%>\na\n"),
        "Add missing",
        expect![[r#"
        <% m::thing { 'x':
          first      => '',
          second_one => 0,
        } -%>
        a
    "#]],
    );
    check(
        &template("<%- | $x | -%>\n<% notice(\"$0\\d\") %>"),
        "Escape",
        expect![[r#"
        <%- | $x | -%>
        <% notice("\\d") %>\
    "#]],
    );
    check(
        &template("<% $x = { 'a' => 1,\n  '$0a' => 2, # two\n} %>\n<%= $x %>\n"),
        "Remove this",
        expect![[r#"
            <% $x = { 'a' => 1,
            } %>
            <%= $x %>
        "#]],
    );
}

#[test]
fn added_parameters_have_the_indentation_of_others() {
    let unknown = |code: &str| {
        format!(
            "//- environment: roots=/ module_path=/modules\n//- /modules/m/manifests/init.pp\n{code}//- /main.pp\nclass {{ 'm': oth$0er => 1 }}\n"
        )
    };
    check(
        &unknown("class m {\n}\n"),
        "Add parameter",
        expect![[r#"
            class m (
              Optional[Integer] $other = undef,
            ) {
            }
        "#]],
    );
    check(
        &unknown("class m () {\n}\n"),
        "Add parameter",
        expect![[r#"
            class m (Optional[Integer] $other = undef) {
            }
        "#]],
    );
    check(
        &unknown("class m (\n\tString $x = 'a', # comment\n) {\n}\n"),
        "Add parameter",
        expect![[r#"
            class m (
            \tString $x = 'a', # comment
            \tOptional[Integer] $other = undef,
            ) {
            }
        "#]],
    );
    check(
        &unknown("class m (\n    String $x = 'a'\n) {\n}\n"),
        "Add parameter",
        expect![[r#"
            class m (
                String $x = 'a',
                Optional[Integer] $other = undef
            ) {
            }
        "#]],
    );
    check(
        &unknown("class m (String $x = 'a') {\n}\n"),
        "Add parameter",
        expect![[r#"
            class m (String $x = 'a', Optional[Integer] $other = undef) {
            }
        "#]],
    );
}

#[test]
fn removals_leave_no_blank_lines() {
    check(
        "class a {\n  notice('x')\n\n  $01\n}\n",
        "Remove the expression",
        expect![[r#"
        class a {
          notice('x')
        }
    "#]],
    );
    check(
        "class a {\n  $01\n\n  notice('x')\n}\n",
        "Remove the expression",
        expect![[r#"
        class a {
          notice('x')
        }
    "#]],
    );
    check(
        "class a {\n  notice('w')\n\n  $01\n\n  notice('x')\n}\n",
        "Remove the expression",
        expect![[r#"
            class a {
              notice('w')

              notice('x')
            }
        "#]],
    );
    check(
        "class a {\r\n  notice('w')\r\n\r\n  $01\r\n\r\n  notice('x')\r\n}\r\n",
        "Remove the expression",
        expect![[r#"
            class a {\r
              notice('w')\r
            \r
              notice('x')\r
            }\r
        "#]],
    );
    check(
        "class a {\r\n  $01\r\n\r\n  notice('x')\r\n}\r\n",
        "Remove the expression",
        expect![[r#"
        class a {\r
          notice('x')\r
        }\r
    "#]],
    );
    check(
        "notice('w')\n\n$01\nnotice('x')",
        "Remove the expression",
        expect![[r#"
        notice('w')

        notice('x')\
    "#]],
    );
    check(
        "class a {\n  $x = {\n    'a' => 1,\n    'b' => 2,\n\n    '$0a' => 3,\n  }\n  notice($x)\n}\n",
        "Remove this",
        expect![[r#"
            class a {
              $x = {
                'a' => 1,
                'b' => 2,
              }
              notice($x)
            }
        "#]],
    );
}

#[test]
fn removals_include_comments() {
    check(
        "$x = {\n  'a' => 1,\n  'b' => 1,\n  '$0a' => 3, # why\n}\n",
        "Remove this",
        expect![[r#"
        $x = {
          'a' => 1,
          'b' => 1,
        }
    "#]],
    );
}

#[test]
fn parameters_are_documented() {
    check(
        "class a (\n  $x$0,\n  $y,\n) { notice($x, $y) }\n",
        "Document parameters",
        expect![[r#"
        # @summary TODO
        #
        # @param x
        #   TODO
        # @param y
        #   TODO
        class a (
          $x,
          $y,
        ) { notice($x, $y) }
    "#]],
    );
    check(
        "# Summary.\r\nclass a (\r\n  $x$0,\r\n) { notice($x) }\r\n",
        "Document parameters",
        expect![[r#"
            # Summary.\r
            #\r
            # @param x\r
            #   TODO\r
            class a (\r
              $x,\r
            ) { notice($x) }\r
        "#]],
    );
    check(
        "# @param x\n#   Text.\nclass a ($x, $y$0) { notice($x, $y) }\n",
        "Document parameters",
        expect![[r#"
            # @param x
            #   Text.
            # @param y
            #   TODO
            class a ($x, $y) { notice($x, $y) }
        "#]],
    );
}

#[test]
fn suppressions_are_comments() {
    let on =
        |path: &str, text: &str| format!("//- environment: roots=/ module_path=/modules\n//- {path}\n{text}");
    check(
        &on("/main.pp", "notice('a' =~ '$0[') # x\n"),
        "Ignore",
        expect![[r#"
        notice('a' =~ '[') # lint:ignore:match-not-regexp x
    "#]],
    );
    check(
        &on("/main.pp", "$x = \"a\n${$0nothing}\nb\"\n"),
        "Ignore",
        expect![[r##"
        # lint:ignore:unknown-variable
        $x = "a
        ${nothing}
        b"
        # lint:endignore
    "##]],
    );
    check(
        &on("/modules/m/templates/x.epp", "<%- | $x | -%>\na <%= $no$0thing %> b\n"),
        "Ignore",
        expect![[r#"
            <%- | $x | -%>
            a <%= $nothing %> b<%# lint:ignore:unknown-variable %>
        "#]],
    );
    check(
        &on("/modules/m/metadata.json", "{\"na$0m\": 1}\n"),
        "Ignore",
        expect![[r#"
        no such action among:
        Replace with `"name"`
        Fix all `metadata-unknown-key` in the workspace
    "#]],
    );
    check(
        &on("/hiera.yaml", "version: 5\r\nhierarchy:\r\n  - name: x\r\n    pat$0: x\r\n"),
        "Ignore",
        expect![[r#"
            version: 5\r
            hierarchy:\r
              - name: x\r
                pat: x # lint:ignore:hiera-configuration\r
        "#]],
    );
}

#[test]
fn all_diagnostics_of_a_rule_are_fixed() {
    check(
        "notice(\"$0\\d \\w\", \"\\s\")\n",
        "Fix all `unrecognized-escape` in this file",
        expect![[r#"
        notice("\\d \\w", "\s")
    "#]],
    );
    check(
        "class a ($Bi$0g, $Other) { notice($Big, $Other) }\n",
        "Fix all",
        expect![[r#"
        class a ($big, $other) { notice($big, $other) }
    "#]],
    );
    check(
        "$x = { 'a' => 1 }\n$x['$0b'] = 2\n$x['c'] = 3\n",
        "Fix all",
        expect![[r#"
        no such action among:
        Assign to `$x_2`
        Ignore `illegal-indexed-assignment` on this line
        Use double quotes
        Use double quotes in the whole file
    "#]],
    );
}

#[test]
fn code_at_the_end_of_a_file_is_completed() {
    check(
        "class a {\n\tnotice(@(END$0))\n\t\tx",
        "Add",
        expect![[r#"
        class a {
        \tnotice(@(END))
        \t\tx
        \t\t| END\
    "#]],
    );
    check(
        "class a {\r\n  $x = @(EN$0D)\r\n    x\r\n\r\n  notice($x)\r\n}",
        "Add",
        expect![[r#"
            class a {\r
              $x = @(END)\r
                x\r
                | END\r
            \r
              notice($x)\r
            }\
        "#]],
    );
    check(
        "class a {$0",
        "Add",
        expect![[r#"
        class a {
        }\
    "#]],
    );
    check(
        "class a {\r\n\tcase $x {$0 }\r\n}\r\n",
        "Add `default`",
        expect![[r#"
        class a {\r
        \tcase $x {\r
        \t\tdefault: { }\r
        \t}\r
        }\r
    "#]],
    );
}
