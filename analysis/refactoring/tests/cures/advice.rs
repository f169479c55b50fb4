//! Advice in the sources of the crates whose messages are diagnostics.
//!
//! A site is a call of `with_help`, or a string that contains a line of advice. Its pattern matches the messages
//! that it creates, with `_` instead of quoted text and numbers.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use regex::Regex;

/// Functions that create a message with advice; the advice is their second argument.
const CONSTRUCTOR: &str = "with_help";

const HELP: &str = "\nhelp: ";

/// A place in the sources that creates messages with advice.
pub(crate) struct AdviceSite {
    /// Path of the file below the folder of the project.
    pub path: String,
    /// Problem and advice, with `_` instead of quoted text, and `{}` instead of other inserted text.
    pub template: String,
}

impl AdviceSite {
    /// Returns true if a message, generalized and on one line, may be created here.
    pub(crate) fn creates(&self, message: &str) -> bool {
        pattern(&self.template).is_match(message)
    }
}

/// Returns all places that create advice for diagnostics.
pub(crate) fn advice_sites() -> Vec<AdviceSite> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut files = Vec::new();
    for folder in ["analysis", "syntax/src"] {
        collect(&root.join(folder), &mut files);
    }
    let mut sites = Vec::new();
    for file in files {
        let path = file.strip_prefix(&root).unwrap_or(&file).to_string_lossy().replace('\\', "/");
        let text = fs::read_to_string(&file).unwrap_or_default();
        // The module that defines the form of messages.
        if text.contains("help") && path != "analysis/codes/src/message.rs" {
            let found = sites_of(&text).into_iter();
            sites.extend(found.map(|template| AdviceSite { path: path.clone(), template }));
        }
    }
    sites
}

/// Collects the Rust files below a folder, without those of tests.
fn collect(folder: &Path, files: &mut Vec<PathBuf>) {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let mut paths: Vec<PathBuf> = entries.map(|it| it.path()).collect();
    paths.sort();
    for path in paths {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if path.is_dir() {
            if !matches!(name.as_str(), "tests" | "refactoring" | "target") {
                collect(&path, files);
            }
        } else if name.ends_with(".rs") && !name.ends_with("tests.rs") {
            files.push(path);
        }
    }
}

/// Returns the templates of the messages that a file creates.
fn sites_of(text: &str) -> BTreeSet<String> {
    let tokens = tokenize(text);
    let mut found = BTreeSet::new();
    for (at, token) in tokens.iter().enumerate() {
        match token {
            Token::String(text) => {
                let Some((problem, advice)) = text.split_once(HELP) else { continue };
                let alternatives = match advice.trim_matches(['{', '}']) {
                    name if name.len() + 2 == advice.len() && is_name(name) => resolved(&tokens, at, name),
                    _ => vec![advice.to_owned()],
                };
                found.extend(alternatives.iter().map(|it| template(&[problem.to_owned()], it)));
            }
            Token::Word(word) if word == CONSTRUCTOR && tokens.get(at + 1) == Some(&Token::Mark('(')) => {
                let arguments = arguments(&tokens[at + 2..]);
                let [problem, advice, ..] = &arguments[..] else { continue };
                let problems = strings(&tokens, at, problem);
                found.extend(strings(&tokens, at, advice).iter().map(|it| template(&problems, it)));
            }
            _ => {}
        }
    }
    found
}

/// Returns the strings that an argument may be, as far as the file shows them; `{}` for any string.
fn strings(tokens: &[Token], at: usize, argument: &[Token]) -> Vec<String> {
    let literals = literals(argument);
    match argument {
        _ if !literals.is_empty() => literals,
        [Token::Word(name)] => resolved(tokens, at, name),
        // `problem.to_owned()`
        [Token::Word(name), Token::Mark('.'), ..] if name != "it" => resolved(tokens, at, name),
        _ => vec!["{}".to_owned()],
    }
}

/// Methods whose arguments are not part of the text.
const METHODS: [&str; 5] = ["contains", "ends_with", "join", "replace", "starts_with"];

/// Returns the strings of an expression, without patterns of `match` and arguments of [`METHODS`].
fn literals(tokens: &[Token]) -> Vec<String> {
    let is_mark =
        |at: usize, marks: &[char]| matches!(tokens.get(at), Some(Token::Mark(it)) if marks.contains(it));
    let is_argument = |at: usize| {
        let open = tokens[..at].iter().rposition(|it| !matches!(it, Token::String(_) | Token::Mark(',')));
        let method =
            open.filter(|it| tokens[*it] == Token::Mark('(')).and_then(|it| tokens.get(it.checked_sub(1)?));
        matches!(method, Some(Token::Word(name)) if METHODS.contains(&name.as_str()))
    };
    let strings = tokens.iter().enumerate().filter_map(|(at, it)| match it {
        Token::String(_) if is_mark(at + 1, &['|', '=']) || is_argument(at) => None,
        Token::String(text) => Some(text.clone()),
        _ => None,
    });
    strings.collect()
}

/// Returns the strings in the last `let name = ...;` before a token, or in the constant of that name.
fn resolved(tokens: &[Token], at: usize, name: &str) -> Vec<String> {
    let is_definition = |window: &[Token], keyword: &str| matches!(window, [Token::Word(word), Token::Word(of), ..] if word == keyword && of == name);
    let is_local = |it: &usize| is_definition(&tokens[*it..], "let") && statement_end(tokens, *it) < at;
    let local = (0..at).rev().find(is_local);
    // A parameter hides what other functions define.
    let is_same_function = |from: &usize| !tokens[*from..at].contains(&Token::Word("fn".to_owned()));
    let constant = || (0..tokens.len()).find(|it| is_definition(&tokens[*it..], "const"));
    let Some(start) = local.filter(is_same_function).or_else(constant) else { return vec!["{}".to_owned()] };
    let found = literals(&tokens[start..statement_end(tokens, start)]);
    if found.is_empty() { vec!["{}".to_owned()] } else { found }
}

/// Returns the index of the semicolon after a statement.
fn statement_end(tokens: &[Token], start: usize) -> usize {
    let mut depth = 0_i32;
    let ends = |it: &Token| {
        match it {
            Token::Mark('{' | '(' | '[') => depth += 1,
            Token::Mark('}' | ')' | ']') => depth -= 1,
            _ => {}
        }
        depth == 0 && *it == Token::Mark(';')
    };
    tokens[start..].iter().position(ends).map_or(tokens.len(), |it| start + it)
}

/// Splits the tokens after `(` into the arguments of the call.
fn arguments(tokens: &[Token]) -> Vec<Vec<Token>> {
    let mut arguments = vec![Vec::new()];
    let mut depth = 0;
    for token in tokens {
        match token {
            Token::Mark('{' | '(' | '[') => depth += 1,
            Token::Mark('}' | ')' | ']') if depth == 0 => break,
            Token::Mark('}' | ')' | ']') => depth -= 1,
            Token::Mark(',') if depth == 0 => {
                arguments.push(Vec::new());
                continue;
            }
            _ => {}
        }
        if let Some(last) = arguments.last_mut() {
            last.push(token.clone());
        }
    }
    arguments
}

/// Returns problem and advice with `_` instead of quoted text; alternatives of the problem are separated by `|`.
fn template(problems: &[String], advice: &str) -> String {
    let problems: Vec<String> = problems.iter().map(|it| without_values(it)).collect();
    format!("{} / help: {}", problems.join("|"), without_values(advice))
}

fn without_values(text: &str) -> String {
    let mut result = String::new();
    for (at, part) in text.split('`').enumerate() {
        match at % 2 {
            0 => {
                let mut rest = part;
                while let Some((before, after)) = rest.split_once('{') {
                    result.push_str(&super::without_numbers(before));
                    let end = after.find('}').map_or(after.len(), |it| it + 1);
                    result.push_str("{}");
                    rest = &after[end..];
                }
                result.push_str(&super::without_numbers(rest));
            }
            _ if part.starts_with('{') && part.ends_with('}') => result.push_str("`_...`"),
            _ => result.push_str("`_`"),
        }
    }
    result
}

/// Returns the pattern of the messages with a template.
fn pattern(template: &str) -> Regex {
    let (problem, advice) = template.rsplit_once(" / help: ").unwrap_or((template, ""));
    let one = |text: &str| {
        let escaped = regex::escape(text).replace(r"\{\}", ".*");
        escaped.replace(r"`_\.\.\.`", "`_`(?:(?:, | or )`_`)*")
    };
    let problems: Vec<String> = problem.split('|').map(one).collect();
    // Other code may add text around the problem, and add further advice.
    let pattern =
        format!("^(?:.*: )?(?:{})(?: .*)? / help: {}(?: / help: .*)?$", problems.join("|"), one(advice));
    Regex::new(&pattern).unwrap_or_else(|error| panic!("{error}"))
}

fn is_name(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|it| it.is_ascii_alphanumeric() || it == b'_')
}

/// A token of Rust code; comments, characters, and lifetimes are left out.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Token {
    /// A string without its quotes and escapes.
    String(String),
    Word(String),
    Mark(char),
}

fn tokenize(text: &str) -> Vec<Token> {
    let mut tokens = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let length = if rest.starts_with("//") {
            rest.find('\n').unwrap_or(rest.len())
        } else if let Some((string, length)) = raw_string(rest) {
            tokens.push(Token::String(string.to_owned()));
            length
        } else if first == '"' {
            let (string, length) = string(rest);
            tokens.push(Token::String(string));
            length
        } else if first == '\'' {
            character(rest)
        } else if first.is_ascii_alphanumeric() || first == '_' {
            let is_part = |it: char| it.is_ascii_alphanumeric() || it == '_';
            let length = rest.find(|it| !is_part(it)).unwrap_or(rest.len());
            tokens.push(Token::Word(rest[..length].to_owned()));
            length
        } else {
            if !first.is_whitespace() {
                tokens.push(Token::Mark(first));
            }
            first.len_utf8()
        };
        rest = &rest[length..];
    }
    tokens
}

/// Returns the contents and the length of a raw string.
fn raw_string(text: &str) -> Option<(&str, usize)> {
    let after = text.strip_prefix('r')?;
    let hashes = after.len() - after.trim_start_matches('#').len();
    let body = after[hashes..].strip_prefix('"')?;
    let close = format!("\"{}", &after[..hashes]);
    let end = body.find(&close)?;
    Some((&body[..end], 1 + hashes + 1 + end + close.len()))
}

/// Returns the contents and the length of a string in double quotes.
fn string(text: &str) -> (String, usize) {
    let mut contents = String::new();
    let mut chars = text.char_indices().skip(1).peekable();
    while let Some((at, c)) = chars.next() {
        match c {
            '"' => return (contents, at + 1),
            '\\' => match chars.next().map(|(_, it)| it) {
                Some('n') => contents.push('\n'),
                Some('\n') => while chars.next_if(|(_, it)| it.is_whitespace()).is_some() {},
                other => contents.extend(other),
            },
            _ => contents.push(c),
        }
    }
    (contents, text.len())
}

/// Returns the length of a character or of the quote of a lifetime.
fn character(text: &str) -> usize {
    let mut chars = text.char_indices().skip(1);
    match (chars.next(), chars.next()) {
        (Some((_, '\\')), Some(_)) => text[3..].find('\'').map_or(1, |it| it + 4),
        (Some(_), Some((at, '\''))) => at + 1,
        _ => 1,
    }
}
