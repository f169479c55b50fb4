use serde_json::{Value, json};

use super::*;

fn diagnostic(range: TextRange, message: &str) -> Diagnostic {
    Diagnostic::new(codes::Code::SyntaxError, range, message)
}

#[test]
fn notifications_contain_serialized_diagnostics() {
    let uri: Uri = "file:///a%20b.pp".parse().expect("a URI");
    for (version, expected) in [
        (None, json!({ "uri": "file:///a%20b.pp", "diagnostics": [] })),
        (Some(7), json!({ "uri": "file:///a%20b.pp", "version": 7, "diagnostics": [] })),
    ] {
        let message = notification(&uri, version, &none()).expect("JSON");
        let message: Value = serde_json::from_slice(&message).expect("JSON");
        let method = "textDocument/publishDiagnostics";
        assert_eq!(message, json!({ "jsonrpc": "2.0", "method": method, "params": expected }));
    }
}

#[test]
fn payloads_are_escaped_and_reused() {
    let message = "unexpected \"\\\" \u{1f600}\u{1}";
    let range = TextRange::new(0, 1);
    let before = PublishedDiagnostic::all(vec![diagnostic(range, message)], &[]);
    let json = before[0].payload().expect("JSON");
    let payload: Value = serde_json::from_str(json).expect("an object");
    assert_eq!(payload["message"], message);
    let moved = TextRange::new(5, 6);
    let after = PublishedDiagnostic::all(vec![diagnostic(moved, "new"), diagnostic(moved, message)], &before);
    let reused: Vec<bool> = after.iter().map(|it| it.payload.get().is_some()).collect();
    assert_eq!(reused, [false, true]);
}
