#[test]
fn lists_are_sorted() {
    assert!(super::FUNCTIONS.is_sorted());
    assert!(super::is_metaparameter("alias") && super::is_metaparameter("tag"));
    assert!(super::is_resource_type("class") && super::is_resource_type("whit"));
}
