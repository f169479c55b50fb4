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
    /// Code that must be shown all the time, and the number of publications without it.
    kept: Option<String>,
    lost: usize,
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
            kept: None,
            lost: 0,
        };
        typist.receive(&opened);
        (typist.withdrawn, typist.messages) = (0, BTreeSet::new());
        typist
    }

    /// Types letters, 60 ms apart. `<` removes the letter before the cursor.
    async fn r#type(&mut self, text: &str) {
        for letter in text.chars() {
            match letter {
                '<' => self.replace(1, 0, "", 0).await,
                _ => self.replace(0, 0, &letter.to_string(), 1).await,
            }
        }
    }

    /// Types letters like [`Typist::r#type`] in an editor that closes brackets and quotes.
    async fn type_closing(&mut self, text: &str) {
        const PAIRS: [(char, &str); 5] = [('{', "{}"), ('(', "()"), ('[', "[]"), ('\'', "''"), ('"', "\"\"")];
        let mut pending: Vec<char> = Vec::new();
        for letter in text.chars() {
            let pair = PAIRS.iter().find(|(open, _)| *open == letter);
            let is_in_string = pending.last().is_some_and(|it| matches!(it, '\'' | '"'));
            if pending.last() == Some(&letter) {
                pending.pop();
                self.replace(0, 1, &letter.to_string(), 1).await;
            } else if let Some((_, pair)) = pair.filter(|_| !is_in_string || letter == '{') {
                pending.extend(pair.chars().last());
                self.replace(0, 0, pair, 1).await;
            } else {
                self.replace(0, 0, &letter.to_string(), 1).await;
            }
        }
    }

    /// Replaces letters before and after the cursor, moves the cursor into the new text, and waits for 60 ms.
    async fn replace(&mut self, before: usize, after: usize, new: &str, moved: usize) {
        let start = json!({ "line": self.line, "character": self.column - before });
        let end = json!({ "line": self.line, "character": self.column + after });
        self.version += 1;
        let change = json!([{ "range": { "start": start, "end": end }, "text": new }]);
        self.client.change(URI, self.version, change).await;
        self.column -= before;
        match new {
            "\n" => (self.line, self.column) = (self.line + 1, 0),
            _ => self.column += moved,
        }
        self.publish().await;
        self.clock.advance(60);
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
            let is_lost = |kept: &String| shown.iter().all(|(code, _)| code != kept);
            self.lost += usize::from(self.kept.as_ref().is_some_and(is_lost));
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
    // Any value of a file's `ensure` may be the target of a link.
    ("class a {\n  service { 'x':\n    |\n  }\n}\n", "ensure => runn", &[], &["resource-value"]),
    ("class a {\n  file { '/x':\n    |\n  }\n}\n", "owne => 'root'", &[], &["unknown-attribute"]),
    ("class a(|) {\n}\n", "Stri", &[], &["syntax-error"]),
    ("class a {\n  |\n  notice(1)\n}\n", "$x = [1,", &[], &["syntax-error"]),
    ("class a {\n  |\n  $y = 'a'\n  notice($y)\n}\n", "notice('x", &[], &["syntax-error"]),
    ("class a {\n  |\n  notice(1)\n}\n", "if $facts['a'] {", &[], &["syntax-error"]),
    ("|", "class a {\n  if true {\n    notice(1)\n", &[], &["syntax-error"]),
    // The cursor has left the statement.
    ("class a {\n  |\n}\n", "servi\n", &["idem-not-allowed-last"], &["idem-not-allowed-last"]),
    ("class a {\n  |\n}\n", "notice($serv)\n", &["unknown-variable"], &["unknown-variable"]),
    // Puppet accepts `;` only between two statements.
    ("class a {\n  |\n}\n", "notice($serv); ", &[], &["syntax-error"]),
    ("class a {\n  |\n}\n", "$x = 1; notice($x)\n", &[], &[]),
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
        &["syntax-error", "unclosed-string"],
    ),
    (
        "class a {\n  |\n  notice($gone)\n}\n",
        "file {",
        &["unknown-variable"],
        &["syntax-error", "unknown-variable"],
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

/// Text typed before other code that makes that code part of the statement, or unparsable.
const SWALLOWING: &[&str] = &[
    "file {",
    "file { '/x': ",
    "if $facts['a'] {",
    "unless $facts['a'] {",
    "[1].each |$i| {",
    "case $facts['a'] {",
    "$h = {",
    "$h = { 'a' => ",
    "$x = [",
    "$x = [1, ",
    "$x = ",
    "notice(",
    "notice('x",
    "notice(\"x",
    "notice(\"${x",
    "$x = @(END",
    "File { mode => '0644', ",
    "class b {",
    "/* x",
    "include",
];

/// Code with a diagnostic, and its code. A comment is that of the class.
const REPORTED: &[(&str, &str)] = &[
    ("notice($gone)", "unknown-variable"),
    ("notice(1 + 'a')", "not-numeric"),
    ("file { '/y': owne => 'root' }", "unknown-attribute"),
    ("file { '/y': mode => 644 }", "unquoted-file-mode"),
    ("$z = 1\n  $z = 2\n  notice($z)", "illegal-reassignment"),
    ("# @summary b\n# @example\n#   c", "untitled-example"),
    ("# @summary b\n# @sumary c", "unknown-doc-tag"),
    ("# @param c d\n#\n# e", "unknown-param-tag"),
];

/// Diagnostics after the cursor stay, however the code at the cursor changes their meaning.
#[tokio::test]
async fn diagnostics_of_swallowed_code_stay() {
    let mut wrong = String::new();
    for (code, expected) in REPORTED {
        for end in ["\n", "\nclass z {\n  notice('a')\n}\n"] {
            let text = if code.starts_with('#') {
                format!("{code}\nclass a {{\n  |\n  notice('b')\n}}{end}")
            } else {
                format!("class a {{\n  |\n  {code}\n}}{end}")
            };
            let mut typist = Typist::open(&text).await;
            typist.kept = Some((*expected).to_owned());
            let opened = typist.shown.clone();
            for typed in SWALLOWING {
                typist.lost = 0;
                typist.r#type(typed).await;
                typist.pause().await;
                let after_pause = typist.shown.clone();
                typist.client.notify("textDocument/didSave", json!({ "textDocument": { "uri": URI } })).await;
                typist.publish().await;
                typist.r#type(&"<".repeat(typed.len())).await;
                typist.pause().await;
                if typist.lost > 0 || typist.shown != opened {
                    let (lost, left) = (typist.lost, &typist.shown);
                    wrong +=
                        &format!("{text:?} {typed:?}: lost {lost} times\n  {after_pause:?}\n  {left:?}\n");
                }
            }
            assert!(typist.client.stop().await);
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

/// Text with the cursor, and what is typed: an incomplete statement that is valid together with the code after it, or
/// that may use any variable.
const CONTINUED: &[(&str, &str)] = &[
    ("class a {\n  |\n  notice($gone)\n}\n", "$x."),
    ("class a {\n  |\n  file { '/y': owne => 'root' }\n}\n", "$x."),
    ("class a {\n  |\n  service { 'y':\n    ensure => runing,\n  }\n}\n", "$x."),
    ("class a {\n  |\n  gone::type { 'y': }\n}\n", "include b,"),
    ("class a {\n  gone::one { 'y': }\n  |\n  gone::two { 'y': }\n}\n", "$x."),
    ("class a(\n  $p,\n) {\n  |\n  notice(1)\n}\n", "$x.e"),
    ("class a(\n  $p,\n) {\n  notice(1)\n  |\n}\n", "$x = foo("),
];

/// Diagnostics of other code stay until the user pauses, even if the incomplete statement changes its meaning.
#[tokio::test]
async fn diagnostics_of_continued_code_stay_until_a_pause() {
    let mut wrong = String::new();
    for (text, typed) in CONTINUED {
        for closes in [false, true] {
            let mut typist = Typist::open(text).await;
            let opened = typist.shown.clone();
            if closes {
                typist.type_closing(typed).await
            } else {
                typist.r#type(typed).await
            }
            if opened.is_empty() || typist.withdrawn > 0 || typist.shown != opened {
                wrong += &format!("{text:?} {typed:?}: {opened:?}\n  {:?}\n", typist.shown);
            }
            assert!(typist.client.stop().await);
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

/// A parameter is used as soon as the statement is complete, without a pause.
#[tokio::test]
async fn a_used_parameter_is_not_reported_any_more() {
    let mut typist = Typist::open("class a(\n  $path,\n) {\n  notice(1)\n  |\n}\n").await;
    assert_eq!(typist.codes(), ["unused-parameter"]);
    typist.r#type("notice($pat").await;
    assert_eq!(typist.codes(), ["unused-parameter"]);
    typist.r#type("h)").await;
    assert_eq!(typist.codes(), Vec::<&str>::new());
    assert!(typist.client.stop().await);
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

/// The same, in an editor that closes brackets and quotes.
#[tokio::test]
async fn correct_code_is_typed_between_closed_brackets_without_a_diagnostic() {
    let text = include_str!("typed.pp");
    let mut typist = Typist::open("|").await;
    typist.type_closing(text).await;
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
