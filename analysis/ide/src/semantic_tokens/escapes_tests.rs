use super::*;

#[test]
fn only_resolved_escapes_are_found() {
    for (escapes, text, expected) in [
        (HighlightedEscapes::SINGLE_QUOTED, r"'a\'b\\c\n'", r"\' \\"),
        (
            HighlightedEscapes::DOUBLE_QUOTED,
            r#""\t\q\"\$\u00e9\u{1F600}\u12""#,
            r#"\t \" \$ \u00e9 \u{1F600}"#,
        ),
        (HighlightedEscapes::DOUBLE_QUOTED, "\\\\n \\ä \\", r"\\"),
        (HighlightedEscapes::of_heredoc("@(END)"), r"\n \\", ""),
        (HighlightedEscapes::of_heredoc("@(\"END\":json/)"), r"\n \\ \$ \u0041", r"\n \\ \$ \u0041"),
        (HighlightedEscapes::of_heredoc("@(END/t)"), r"\n\t\\", r"\t \\"),
    ] {
        let found: Vec<&str> = escapes.find(text).map(|it| &text[it]).collect();
        assert_eq!(found.join(" "), expected, "{text}");
    }
}
