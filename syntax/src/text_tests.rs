use super::*;

#[test]
fn lines_end_as_in_lsp() {
    let text = "a\nb\r\nc\rd";
    let map = LineMap::new(text);
    assert_eq!(map.line_count(), 4);
    for (offset, line) in [(0, 0), (1, 0), (2, 1), (4, 1), (5, 2), (7, 3), (8, 3), (99, 3)] {
        assert_eq!(map.line(offset), line, "offset {offset}");
        for guess in 0..=map.line_count() {
            assert_eq!(map.line_near(offset, guess), line, "offset {offset}, guess {guess}");
        }
    }
}

#[test]
fn columns_use_the_requested_unit() {
    let text = "aä😀b";
    let map = LineMap::new(text);
    for (unit, columns) in [
        (ColumnUnit::Utf8, [0, 1, 3, 7, 8]),
        (ColumnUnit::Utf16, [0, 1, 2, 4, 5]),
        (ColumnUnit::Utf32, [0, 1, 2, 3, 4]),
    ] {
        for (offset, column) in [0, 1, 3, 7, 8].into_iter().zip(columns) {
            let position = LineColumn { line: 0, column };
            assert_eq!(map.line_column(text, offset, unit), position);
            assert_eq!(map.offset(text, position, unit), offset);
        }
    }
    assert_eq!(
        map.offset(text, LineColumn { line: 0, column: 3 }, ColumnUnit::Utf16),
        3,
        "inside a surrogate pair"
    );
    assert_eq!(map.offset(text, LineColumn { line: 7, column: 0 }, ColumnUnit::Utf16), 8);
}

#[test]
fn long_lines_have_the_same_columns() {
    for piece in ["abc", "aä😀b", "ä"] {
        let text = format!("{piece}\n{}", piece.repeat(2 * STRIDE));
        let map = LineMap::new(&text);
        for unit in [ColumnUnit::Utf8, ColumnUnit::Utf16, ColumnUnit::Utf32] {
            let mut column = 0;
            for (at, character) in text.char_indices().skip(piece.chars().count() + 1) {
                assert_eq!(map.line_column(&text, at as u32, unit), LineColumn { line: 1, column }, "{at}");
                column += match unit {
                    ColumnUnit::Utf8 => character.len_utf8() as u32,
                    ColumnUnit::Utf16 => character.len_utf16() as u32,
                    ColumnUnit::Utf32 => 1,
                };
            }
            let end = LineColumn { line: 1, column };
            assert_eq!(map.line_column(&text, text.len() as u32, unit), end);
        }
    }
}
