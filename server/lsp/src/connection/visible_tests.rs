use serde_json::{Value, json};

use super::visible_message;

#[test]
fn displayed_strings_have_no_control_characters() {
    let shown = |message: Value| -> Value {
        let body = visible_message(message.to_string().into_bytes());
        let text = String::from_utf8(body).expect("text");
        assert!(!text.chars().any(output::is_hidden), "{text}");
        serde_json::from_str(&text).expect("JSON")
    };
    for (message, expected) in [
        (json!({ "message": "a\u{1b}b\n c\u{202e}" }), json!({ "message": "a\\u{1b}b\n c\\u{202e}" })),
        (json!({ "result": [{ "name": "a\rb\n" }] }), json!({ "result": [{ "name": "a\\rb\\n" }] })),
        (
            json!({ "label": "\u{9b}", "textEdit": { "newText": "\u{9b}" }, "data": { "label": "\u{9b}" } }),
            json!({ "label": "\\u{9b}", "textEdit": { "newText": "\u{9b}" }, "data": { "label": "\u{9b}" } }),
        ),
        (json!({ "text": "\u{1b}", "uri": "a" }), json!({ "text": "\u{1b}", "uri": "a" })),
        (json!({ "message": "ü \\\\ \n" }), json!({ "message": "ü \\\\ \n" })),
    ] {
        assert_eq!(shown(message), expected);
    }
}
