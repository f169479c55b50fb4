use super::*;

#[test]
fn common_indentation_is_removed() {
    let table = [
        ("", ""),
        ("one line", "one line"),
        ("  a\n    b\n\n  c\n", "a\n  b\n\nc"),
        ("first\n    second\n      third", "first\nsecond\n  third"),
        ("\n\n  a\n  b  \n\n", "a\nb"),
        ("\ta\n\tb", "a\nb"),
        ("  é\n ü", " é\nü"),
    ];
    for (text, expected) in table {
        assert_eq!(dedent(text), expected, "{text:?}");
    }
}

#[test]
fn comments_before_definitions() {
    let table = [
        ("# one\n#  two\nX", "one\n two"),
        ("# one\n\nX", "one"),
        ("# one\n\n\nX", ""),
        ("#!/usr/bin/ruby\n# frozen_string_literal: true\n\nX", ""),
        ("code # not this\nX", ""),
        ("  #one\n  #\n  # two\n  X", "one\n\n two"),
        ("X", ""),
    ];
    for (text, expected) in table {
        let offset = text.find('X').map_or(0, |offset| offset as u32);
        assert_eq!(comment_before(text, offset), expected, "{text:?}");
    }
}
