//! Diagnostics while a user types, letter by letter and with a clock that the test advances.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use crate::client::*;

const URI: &str = "file:///work/manifests/init.pp";
const OTHER: &str = "file:///work/manifests/other.pp";

/// Session of a user who types in one file.
struct Typist {
    client: Client,
    clock: lsp::ManualClock,
    version: i32,
    line: usize,
    column: usize,
    /// Diagnostics that the client shows, as code and message.
    shown: BTreeSet<(String, String)>,
    /// Number of diagnostics that were withdrawn.
    withdrawn: usize,
    /// All messages that were shown.
    messages: BTreeSet<String>,
}

impl Typist {
    /// Opens a text; the cursor is at its `|`.
    async fn open(marked: &str) -> Typist {
        let clock = lsp::ManualClock::default();
        let mut client = Client::connect_at(&clock);
        client.initialize(json!({ "capabilities": {} })).await;
        let before = marked.split('|').next().unwrap_or_default();
        let (line, column) =
            (before.matches('\n').count(), before.len() - before.rfind('\n').map_or(0, |it| it + 1));
        client.open(URI, 0, &marked.replacen('|', "", 1)).await;
        let opened = client.all_until_idle().await;
        let mut typist = Typist {
            client,
            clock,
            version: 0,
            line,
            column,
            shown: BTreeSet::new(),
            withdrawn: 0,
            messages: BTreeSet::new(),
        };
        typist.receive(&opened);
        (typist.withdrawn, typist.messages) = (0, BTreeSet::new());
        typist
    }

    /// Types letters, 60 ms apart. `<` removes the letter before the cursor.
    async fn r#type(&mut self, text: &str) {
        for letter in text.chars() {
            let start = match letter {
                '<' => json!({ "line": self.line, "character": self.column - 1 }),
                _ => json!({ "line": self.line, "character": self.column }),
            };
            let end = json!({ "line": self.line, "character": self.column });
            let typed = if letter == '<' { String::new() } else { letter.to_string() };
            self.version += 1;
            let change = json!([{ "range": { "start": start, "end": end }, "text": typed }]);
            self.client.change(URI, self.version, change).await;
            match letter {
                '<' => self.column -= 1,
                '\n' => (self.line, self.column) = (self.line + 1, 0),
                _ => self.column += 1,
            }
            self.publish().await;
            self.clock.advance(60);
        }
    }

    async fn pause(&mut self) {
        self.clock.advance(600);
        self.publish().await;
    }

    async fn publish(&mut self) {
        let said = self.client.all_until_published().await;
        self.receive(&said);
    }

    fn receive(&mut self, said: &[Value]) {
        for message in said {
            if message["method"] != "textDocument/publishDiagnostics" || message["params"]["uri"] != URI {
                continue;
            }
            let found = message["params"]["diagnostics"].as_array().expect("a list").iter();
            let text = |it: &Value, key: &str| it[key].as_str().expect("a string").to_owned();
            let shown: BTreeSet<_> = found.map(|it| (text(it, "code"), text(it, "message"))).collect();
            self.withdrawn += self.shown.difference(&shown).count();
            self.messages.extend(shown.iter().map(|(_, message)| message.clone()));
            self.shown = shown;
        }
    }

    fn codes(&self) -> Vec<&str> {
        self.shown.iter().map(|(code, _)| code.as_str()).collect()
    }
}

/// Row: text with the cursor, what is typed, the codes that are shown right afterwards, and those after a pause.
type Row = (&'static str, &'static str, &'static [&'static str], &'static [&'static str]);

const SESSIONS: &[Row] = &[
    // Half-typed words and values.
    ("class a {\n  |\n}\n", "servi", &[], &["idem-not-allowed-last"]),
    (
        "class a {\n  $server = 1\n  notice(|)\n}\n",
        "$serv",
        &["unused-variable"],
        &["unknown-variable", "unused-variable"],
    ),
    ("class a {\n  file { '/x':\n    |\n  }\n}\n", "ens", &[], &["syntax-error"]),
    ("class a {\n  file { '/x':\n    |\n  }\n}\n", "ensure => pres", &[], &[]),
    ("class a {\n  file { '/x':\n    |\n  }\n}\n", "owne => 'root'", &[], &["unknown-attribute"]),
    ("class a(|) {\n}\n", "Stri", &[], &["syntax-error"]),
    ("class a {\n  |\n  notice(1)\n}\n", "$x = [1,", &[], &["syntax-error"]),
    ("class a {\n  |\n  $y = 'a'\n  notice($y)\n}\n", "notice('x", &[], &["syntax-error"]),
    ("class a {\n  |\n  notice(1)\n}\n", "if $facts['a'] {", &[], &["syntax-error"]),
    ("|", "class a {\n  if true {\n    notice(1)\n", &[], &["syntax-error"]),
    // The cursor has left the statement.
    ("class a {\n  |\n}\n", "servi\n", &["idem-not-allowed-last"], &["idem-not-allowed-last"]),
    ("class a {\n  |\n}\n", "notice($serv)\n", &["unknown-variable"], &["unknown-variable"]),
    ("class a {\n  |\n}\n", "notice($serv); ", &["syntax-error"], &["syntax-error"]),
    ("class a {\n  |\n}\n", "file { '/x': owne => 'root' }", &["unknown-attribute"], &["unknown-attribute"]),
    (
        "class a {\n  |\n}\n",
        "notice(1 + 'a')\nnoti",
        &["not-numeric"],
        &["idem-not-allowed-last", "not-numeric"],
    ),
    // Errors that exist already stay.
    (
        "class b {\n  $x = ]\n}\nclass a {\n  |\n}\n",
        "notice('x",
        &["syntax-error"],
        &["syntax-error", "syntax-error"],
    ),
];

#[tokio::test]
async fn incomplete_statements_are_reported_after_a_pause() {
    let mut wrong = String::new();
    for (text, typed, at_once, after_pause) in SESSIONS {
        let mut typist = Typist::open(text).await;
        typist.r#type(typed).await;
        let found = typist.codes().join(" ");
        typist.pause().await;
        let later = typist.codes().join(" ");
        if (&found, &later) != (&at_once.join(" "), &after_pause.join(" ")) {
            wrong += &format!("{text:?} {typed:?}:\n  {found} -> {later}\n  {:?}\n", typist.shown);
        }
        assert_eq!(typist.withdrawn, 0, "{text:?} {typed:?}");
        assert!(typist.client.stop().await);
    }
    assert!(wrong.is_empty(), "{wrong}");
}

/// Correct code is typed without a squiggle, from the first letter to the last.
#[tokio::test]
async fn correct_code_is_typed_without_a_diagnostic() {
    let text = include_str!("typed.pp");
    let mut typist = Typist::open("|").await;
    typist.r#type(text).await;
    assert_eq!((typist.withdrawn, &typist.messages), (0, &BTreeSet::new()));
    typist.pause().await;
    assert_eq!(typist.messages, BTreeSet::new());
    assert!(typist.client.stop().await);
}

/// A pause in every word shows diagnostics, but no more than one per word, and each at most once.
#[tokio::test]
async fn shown_diagnostics_stay_until_they_are_fixed() {
    let mut typist = Typist::open("class a($server) {\n  |\n}\n").await;
    typist.r#type("notice($se").await;
    typist.pause().await;
    assert_eq!(typist.codes(), ["syntax-error"]);
    typist.r#type("rver").await;
    assert_eq!(typist.codes(), ["syntax-error"]);
    typist.r#type(")").await;
    assert_eq!(typist.codes(), Vec::<&str>::new());
    assert_eq!(typist.withdrawn, 1);
    assert!(typist.client.stop().await);
}

/// Saving, a request at another location, and another file all publish what is withheld.
#[tokio::test]
async fn leaving_the_statement_publishes_at_once() {
    for leave in ["save", "highlight", "other", "nothing"] {
        let mut typist = Typist::open("class a {\n  |\n}\n\n").await;
        typist.client.open(OTHER, 0, "class b {\n}\n").await;
        typist.client.all_until_idle().await;
        typist.r#type("notice($serv)").await;
        assert_eq!(typist.codes(), Vec::<&str>::new(), "{leave}");
        match leave {
            "save" => {
                typist.client.notify("textDocument/didSave", json!({ "textDocument": { "uri": URI } })).await
            }
            "highlight" => {
                let at = json!({ "textDocument": { "uri": URI }, "position": { "line": 3, "character": 0 } });
                typist.client.request("textDocument/documentHighlight", at).await.expect("an answer");
            }
            "other" => {
                let start = json!({ "line": 1, "character": 0 });
                let change = json!([{ "range": { "start": start, "end": start }, "text": " " }]);
                typist.client.change(OTHER, 1, change).await;
            }
            _ => {}
        }
        typist.publish().await;
        let expected: &[&str] = if leave == "nothing" { &[] } else { &["unknown-variable"] };
        assert_eq!(typist.codes(), expected, "{leave}");
        assert!(typist.client.stop().await);
    }
}

/// Clients that pull are asked to do so again after a pause.
#[tokio::test]
async fn pulling_clients_are_refreshed_after_a_pause() {
    let clock = lsp::ManualClock::default();
    let mut client = Client::connect_at(&clock);
    client.initialize(json!({ "capabilities": pulling() })).await;
    client.open(URI, 0, "class a {\n\n}\n").await;
    client.all_until_idle().await;
    let start = json!({ "line": 1, "character": 0 });
    client.change(URI, 1, json!([{ "range": { "start": start, "end": start }, "text": "servi" }])).await;
    let report = client.ask("textDocument/diagnostic", URI).await.expect("a report");
    assert_eq!(codes(&report["items"]), Vec::<String>::new());
    client.all_until_published().await;
    clock.advance(600);
    client.wait_for("workspace/diagnostic/refresh").await;
    let report = client.ask("textDocument/diagnostic", URI).await.expect("a report");
    assert_eq!(codes(&report["items"]), ["idem-not-allowed-last"]);
    assert!(client.stop().await);
}
