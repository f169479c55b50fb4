use super::*;

#[test]
fn positions() {
    for (text, expected) in [
        ("$0", "nothing"),
        ("{$0", "key /"),
        ("{ \"na$0me\": 1 }", "key / \"name\""),
        ("{ na$0", "key / na"),
        ("{ \"a\"$0", "nothing"),
        ("{ \"a\": $0", "value /a"),
        ("{ \"a\": \"x$0\n\"b\": 1 }", "value /a \"x\""),
        ("{ \"a\": 1, $0 }", "key /"),
        ("{ \"a\": 1$0", "value /a 1"),
        ("{ \"a\": 1 $0", "nothing"),
        ("{ \"a\": [{\"b\": \"$0\"}] }", "value /a/*/b \"\""),
        ("{ \"a\": [{$0}] }", "key /a/*"),
        ("{ \"a\": [\"x\", \"$0\"] }", "value /a/* \"\""),
        ("{ \"a\": {\"b\": 1}, \"c\": $0 }", "value /c"),
        ("{ \"a\\\"b\": \"$0\" }", "value /a\\\"b \"\""),
        ("]}$0", "nothing"),
    ] {
        let offset = text.find("$0").expect("a cursor");
        let text = text.replacen("$0", "", 1);
        let shown = match position(&text, offset) {
            None => "nothing".to_owned(),
            Some(position) => {
                let path: Vec<String> =
                    position.path.iter().map(|it| it.clone().unwrap_or("*".to_owned())).collect();
                let quote = if position.is_in_quotes { "\"" } else { "" };
                let word = &text[position.range.as_range()];
                let kind = if position.kind == PlaceKind::Key { "key" } else { "value" };
                format!("{kind} /{} {quote}{word}{quote}", path.join("/")).trim_end().to_owned()
            }
        };
        assert_eq!(shown, expected, "{text}");
    }
}
