use super::*;

#[test]
fn diagnostics_outside_of_changes_are_kept() {
    let old = "$a = 1 + 'x'\n$b = 2\n$c = 3 + 'y'\n";
    let at = |text: &str, part: &str| {
        let start = text.find(part).expect("it is there") as u32;
        TextRange::new(start, start + part.len() as u32)
    };
    let found: Vec<_> =
        ["'x'", "'y'"].map(|part| Diagnostic::new(codes::Code::SyntaxError, at(old, part), part)).into();
    let mut published = Published::default();
    published.tiers.insert(Tier::Names, (old.into(), PublishedDiagnostic::all(found, &[])));
    let kept = |text: &str| {
        let kept = unchanged(&published, Tier::Names, &Arc::from(text));
        kept.iter()
            .map(|it| (text[it.range.as_range()].to_owned(), it.published.diagnostic.message.clone()))
            .collect::<Vec<_>>()
    };
    let x = ("'x'".to_owned(), "'x'".to_owned());
    let y = ("'y'".to_owned(), "'y'".to_owned());
    for (text, expected) in [
        (old.to_owned(), vec![x.clone(), y.clone()]),
        (old.replace("$b = 2", "$b = 2222"), vec![x.clone(), y.clone()]),
        (old.replace("$b = 2\n", ""), vec![x.clone(), y.clone()]),
        (old.replace("'x'", "'xx'"), vec![y.clone()]),
        (old.replace("'y'", "5"), vec![x]),
        (String::new(), vec![]),
    ] {
        assert_eq!(kept(&text), expected, "{text}");
    }
}
