use super::*;

#[test]
fn positions_agree_with_the_line_map_in_any_order() {
    let text = "a\u{e4}\u{1f600}b\r\nzwei \u{e4}\n\ndrei\rvier";
    let lines = LineMap::new(text);
    for unit in [ColumnUnit::Utf8, ColumnUnit::Utf16, ColumnUnit::Utf32] {
        let converter = PositionConverter::new(text, &lines, unit);
        let offsets: Vec<u32> = (0..=text.len() as u32 + 2).collect();
        for offset in offsets.iter().chain(offsets.iter().rev()) {
            let expected = lines.line_column(text, *offset, unit);
            let found = converter.position(*offset);
            assert_eq!((found.line, found.character), (expected.line, expected.column), "{offset} {unit:?}");
        }
    }
}

#[test]
fn ranges_are_split_at_line_breaks() {
    let text = "one\r\n\ntwo\rthree";
    let lines = LineMap::new(text);
    let converter = PositionConverter::new(text, &lines, ColumnUnit::Utf16);
    let parts = converter.split_at_lines(TextRange::new(1, 12));
    let parts: Vec<&str> = parts.map(|it| &text[it.as_range()]).collect();
    assert_eq!(parts, ["ne", "two", "th"]);
}

#[test]
fn the_encoding_is_negotiated() {
    use PositionEncodingKind as Kind;
    for (offered, expected) in [
        (None, ColumnUnit::Utf16),
        (Some(&[][..]), ColumnUnit::Utf16),
        (Some(&[Kind::UTF16, Kind::UTF8][..]), ColumnUnit::Utf8),
        (Some(&[Kind::UTF32, Kind::UTF16][..]), ColumnUnit::Utf16),
        (Some(&[Kind::UTF32][..]), ColumnUnit::Utf32),
        (Some(&[Kind::Custom("utf-7".into())][..]), ColumnUnit::Utf16),
    ] {
        assert_eq!(column_unit(offered), expected, "{offered:?}");
    }
}
