use super::*;

fn parse(text: &Arc<str>, language: Language) -> Parse {
    find(text, language).unwrap_or_else(|| make(text, language))
}

#[test]
fn trees_are_cached_up_to_a_limit() {
    let count = || RECENT.with_borrow(VecDeque::len);
    let text: Arc<str> = "class a { }".into();
    let first = parse(&text, Language::Manifest);
    assert_eq!(parse(&text, Language::Manifest), first);
    assert_eq!(count(), 1);
    assert_ne!(parse(&text, Language::Epp), first);
    assert_eq!(count(), 2);
    let large: Arc<str> = " ".repeat(MAX_BYTES).into();
    parse(&large, Language::Manifest);
    assert_eq!(count(), 1);
    parse(&text, Language::Manifest);
    assert_eq!(count(), 1);
}
