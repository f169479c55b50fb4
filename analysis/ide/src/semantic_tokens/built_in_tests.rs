#[test]
fn built_in_names_are_known() {
    assert!(super::is_function("include") && super::is_function("tree_each"));
    assert!(!super::is_function("stdlib::merge") && !super::is_function("apply"));
    assert!(super::is_metaparameter("alias") && super::is_metaparameter("tag"));
    assert!(super::is_resource_type("class") && super::is_resource_type("whit"));
}
