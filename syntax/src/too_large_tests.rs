use super::*;

#[test]
fn too_large_sources_yield_one_error() {
    let parse = too_large(Language::Manifest);
    assert_eq!(parse.errors().iter().map(|it| it.code).collect::<Vec<_>>(), [Code::FileTooLarge]);
    assert!(parse.text().is_empty());
}
