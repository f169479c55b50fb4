//! Format of the rows of `ruby/`, as described in README.md.

use conformance::recorded_ruby::rows;

/// Number of fields per row and index of the outcome, for each set.
const SETS: &[(&str, usize, usize)] =
    &[("functions", 6, 4), ("templates", 6, 4), ("validations", 7, 5), ("facts", 7, 5)];

#[test]
fn rows_are_well_formed() {
    for (set, fields, outcome) in SETS {
        for name in [(*set).to_owned(), format!("{set}_kept")] {
            let rows = rows(&name).expect("rows");
            assert!(rows.len() > 100, "{name} has {} rows", rows.len());
            for row in &rows {
                assert_eq!(row.len(), *fields, "{name}: {row:?}");
                let is_outcome =
                    *set == "facts" || ["=> ", "=! ", "=# "].iter().any(|it| row[*outcome].starts_with(it));
                assert!(is_outcome, "{name}: {row:?}");
            }
        }
    }
}
