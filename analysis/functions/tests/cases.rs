//! Tables of code with the results of real Puppet.

#[test]
fn evaluation_agrees_with_puppet() {
    eval_cases::check_tables_of("functions");
}
