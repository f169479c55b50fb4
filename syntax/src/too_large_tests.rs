use super::*;

#[test]
fn a_text_that_offsets_cannot_count_is_one_error() {
    let parse = too_large(Language::Manifest);
    assert_eq!(parse.errors().iter().map(|it| it.code).collect::<Vec<_>>(), [Code::FileTooLarge]);
    assert!(parse.text().is_empty());
}
