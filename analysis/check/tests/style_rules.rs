//! Style checks that are on by default.

use crate::compare;
use check::{Tier, diagnostics};

#[test]
fn unquoted_modes_are_always_reported() {
    compare(
        r#"
file { '/a': mode => 0644 }
#                    ^^^^ Warning unquoted-file-mode
file { '/b': mode=>
  0600 }
# ^^^^ Warning unquoted-file-mode
file { '/c': mode # why
  => 0600 }
#    ^^^^ Warning unquoted-file-mode
file { '/d': mode => /* why */ 0644 }
#                              ^^^^ Warning unquoted-file-mode
file { '/e': mode => '0644' }
"#,
        |_| true,
        |db, file| {
            let found = Tier::ALL.into_iter().flat_map(|tier| diagnostics(db, file, tier));
            let found = found.filter(|it| it.code.as_str() == "unquoted-file-mode");
            found.map(|it| (it.range, format!("{:?} {}", it.severity(), it.code))).collect()
        },
    );
}
