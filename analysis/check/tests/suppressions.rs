//! Settings and comments that hide findings or change their level.

use crate::compare;
use check::{Tier, diagnostics};

/// Compares severities and codes with the marks.
#[track_caller]
fn check(fixture: &str) {
    compare(
        fixture,
        |_| true,
        |db, file| {
            let found = Tier::ALL.into_iter().flat_map(|tier| diagnostics(db, file, tier));
            found.map(|it| (it.range, format!("{:?} {}", it.severity(), it.code))).collect()
        },
    );
}

#[test]
fn trailing_comments_apply_to_their_line() {
    check(
        r#"
define d() {
  $a = 1 # lint:ignore:unused_variable
  $b = 2 # lint:ignore:unused-variable because of this
  $c = 3 # lint:ignore:140chars lint:ignore:unused_variable reason
  $e = 4 # lint:ignore:140chars
# ^^ Hint unused-variable
  $f = 5 # because lint:ignore:unused_variable
# ^^ Hint unused-variable
}
"#,
    );
}

#[test]
fn comments_on_separate_lines_apply_until_endignore() {
    check(
        r#"
define d() {
  # lint:ignore:unused_variable lint:ignore:something_else why
  $a = 1
  # lint:ignore:140chars
  $b = 2
  # lint:endignore
  $c = 3
  # lint:endignore
  $e = 4
# ^^ Hint unused-variable
  # lint:ignore:unused_variable
  $f = 5
}
"#,
    );
}

#[test]
fn syntax_errors_cannot_be_suppressed() {
    check(
        r#"
//- environment: lint=syntax-error:off
//- /main.pp
$a = ] # lint:ignore:syntax_error
#    ^ Error syntax-error
"#,
    );
}

#[test]
fn settings_change_levels() {
    check(
        r#"
//- environment: lint=unused-variable:error,unused_parameter:off,duplicate-key:hint
//- /main.pp
define d($p) {
  $a = 1
# ^^ Error unused-variable
  notice({ a => 1, a => 2 })
#                  ^ Hint duplicate-key
}
"#,
    );
}

#[test]
fn comments_of_ruby_code_are_no_strings() {
    check(
        r##"
//- /modules/a/lib/facter/a.rb
a = "#{File.exists?('/a')}" # lint:ignore:removed-ruby-api
b = "#{File.exists?('/b')} # lint:ignore:removed-ruby-api"
#      ^^^^^^^^^^^^ Warning removed-ruby-api
# lint:ignore:removed_ruby_api
c = File.exists?('/c')
# lint:endignore
"##,
    );
}
