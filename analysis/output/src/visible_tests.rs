use super::{escaped_json, visible, visible_message, visible_source, visible_text, without_commands};

#[test]
fn control_characters_are_escaped() {
    for (text, one_line, lines) in [
        ("ordinary 'text' \\ ü 日本", "ordinary 'text' \\ ü 日本", "ordinary 'text' \\ ü 日本"),
        ("a\nb\r\tc", "a\\nb\\r\\tc", "a\nb\\r\tc"),
        ("\u{1b}[31m\u{9b}1m\u{7f}", "\\u{1b}[31m\\u{9b}1m\\u{7f}", "\\u{1b}[31m\\u{9b}1m\\u{7f}"),
        ("a\u{202e}b\u{2066}\u{200f}", "a\\u{202e}b\\u{2066}\\u{200f}", "a\\u{202e}b\\u{2066}\\u{200f}"),
        ("\u{2028}\u{feff}\u{e0041}", "\\u{2028}\\u{feff}\\u{e0041}", "\\u{2028}\\u{feff}\\u{e0041}"),
    ] {
        assert_eq!(visible(text), one_line);
        assert_eq!(visible_text(text), lines);
    }
}

#[test]
fn no_line_of_a_message_is_a_log_command() {
    for (message, shown) in [
        ("two problems:\n  entry 'a'", "two problems:\n  entry 'a'"),
        ("x\n::error::y", "x\\n::error::y"),
        ("x\n \t\u{200b} ##[error]y\nz", "x\\n \\t\\u{200b} ##[error]y\nz"),
        ("x\r::error::y", "x\\r::error::y"),
    ] {
        assert_eq!(visible_message(message), shown);
    }
}

#[test]
fn log_commands_are_escaped() {
    for (text, shown) in [
        ("a::b\n  $x::y\n## [a](b)\n### c\n", "a::b\n  $x::y\n## [a](b)\n### c\n"),
        ("::error::x\n \t::y::z", "\\u{3a}:error::x\n \t\\u{3a}:y::z"),
        (" ::: a.pp:5:22", " ::: a.pp:5:22"),
        (":::error::x\n::::\n::", ":::error::x\n::::\n\\u{3a}:"),
        ("x ##[error]y", "x #\\u{23}[error]y"),
        ("###vso[a]##[b]##", "##\\u{23}vso[a]#\\u{23}[b]##"),
        ("ü##é[", "ü##é["),
    ] {
        assert_eq!(without_commands(text), shown);
    }
    assert_eq!(escaped_json("\"##vso[a]\""), "\"#\\u0023vso[a]\"");
}

#[test]
fn offsets_follow_the_escapes() {
    let source = "a\u{9b}b\r\nc\rd\u{202e}e";
    let escaped = visible_source(source);
    assert_eq!(escaped.text, "a\\u{9b}b\r\nc\\rd\\u{202e}e");
    for letter in ['a', 'b', 'c', 'd', 'e'] {
        let at = source.find(letter).expect("it is there");
        assert!(escaped.text[escaped.offset(at)..].starts_with(letter), "{letter}");
    }
}

#[test]
fn escaped_json_has_the_same_value() {
    assert_eq!(
        escaped_json("{\"a\": \"\u{9b}\u{202e}\u{e0041}ü\"}"),
        "{\"a\": \"\\u009b\\u202e\\udb40\\udc41ü\"}"
    );
    assert_eq!(escaped_json("[\n 1\n]"), "[\n 1\n]");
}
