//! HOCON: JSON with comments, paths as keys, unquoted strings, concatenated values and references.

mod values;

use scalars::characters::Characters;
use scalars::json::text_of_literal;
use syntax::TextRange;
use types::{Origin, Type, Value};

use crate::data::{Content, DataEntry, DataFinding, DataFindingKind, DataNode};
use values::{HoconPart, HoconTree, resolve};

const MAX_DEPTH: usize = 100;

/// Parses a document and returns its tree and the problems found.
///
/// The entries of the tree are those that are written. In the value of the document, paths are expanded,
/// objects merged and references resolved.
pub fn read(text: &str) -> (Option<DataNode>, Vec<DataFinding>) {
    let mut reader = HoconReader { input: Characters::new(text), findings: Vec::new() };
    reader.skip_whitespace(true);
    let start = reader.input.at;
    let (tree, mut root) = if reader.input.peek() == Some('[') {
        let mut node = None;
        let tree = reader.value(0, &mut node);
        (tree, node)
    } else {
        let braces = reader.input.eat('{');
        let (tree, entries) = reader.object(braces, 0);
        let content = Content::Mapping(entries.into());
        (tree, Some(DataNode { range: reader.range_from(start), value: Value::Undef, content }))
    };
    reader.skip_whitespace(true);
    if let Some(root) = root.as_ref().filter(|it| matches!(it.content, Content::Sequence(_))) {
        let message = "expected an object, got a list".to_owned();
        reader.findings.push(DataFinding { kind: DataFindingKind::Value, range: root.range, message });
    }
    if reader.input.peek().is_some() {
        reader.finding_here("unexpected content after the top-level value");
    }
    let value = resolve(&tree);
    if let Some(root) = &mut root {
        root.value = value;
    }
    (root, reader.findings)
}

struct HoconReader<'a> {
    input: Characters<'a>,
    findings: Vec<DataFinding>,
}

impl<'a> HoconReader<'a> {
    fn range_from(&self, start: usize) -> TextRange {
        TextRange::new(start as u32, self.input.at as u32)
    }

    /// Reports a syntax error at the current position.
    fn finding_here(&mut self, message: impl Into<String>) {
        self.finding(self.input.at, message);
    }

    /// Reports a syntax error at an offset.
    fn finding(&mut self, at: usize, message: impl Into<String>) {
        let end = self.input.end_of_character(at);
        let range = TextRange::new(at as u32, end as u32);
        self.findings.push(DataFinding { kind: DataFindingKind::Syntax, range, message: message.into() });
    }

    fn skip_whitespace(&mut self, lines_too: bool) {
        loop {
            match self.input.peek() {
                Some('\n') if !lines_too => return,
                Some(blank) if blank.is_whitespace() => self.input.at += blank.len_utf8(),
                Some('#') => self.skip_line(),
                Some('/') if self.input.rest().starts_with("//") => self.skip_line(),
                _ => return,
            }
        }
    }

    fn skip_line(&mut self) {
        self.input.at += self.input.rest().find('\n').unwrap_or(self.input.rest().len());
    }

    /// Parses a key and its separator. Returns the segments of its path, its range, and true if the entry
    /// appends. Returns `None` and skips the line if there is no key.
    fn key(&mut self) -> Option<(Vec<String>, TextRange, bool)> {
        let start = self.input.at;
        let Some(path) = self.path() else {
            self.finding(start, "expected a key");
            self.skip_line();
            return None;
        };
        let range = self.range_from(start);
        self.skip_whitespace(true);
        let appends = self.input.rest().starts_with("+=");
        if appends {
            self.input.at += 2;
        } else if !self.input.eat('=') && !self.input.eat(':') && self.input.peek() != Some('{') {
            self.finding(start, "expected `=`, `:` or `{` after the key");
            self.skip_line();
            return None;
        }
        Some((path, range, appends))
    }

    /// Parses the entries of an object up to its closing brace or the end of the file.
    fn object(&mut self, braces: bool, depth: usize) -> (HoconTree, Vec<DataEntry>) {
        let open = self.input.at.saturating_sub(1);
        let mut fields: Vec<(Vec<String>, HoconTree, bool)> = Vec::new();
        let mut entries = Vec::new();
        loop {
            self.skip_whitespace(true);
            if self.input.eat(',') {
                continue;
            }
            match self.input.peek() {
                None => {
                    if braces {
                        self.finding(open, "unclosed `{`");
                    }
                    break;
                }
                Some('}') if braces => {
                    self.input.at += 1;
                    break;
                }
                Some('}' | ']') => {
                    self.finding_here("unmatched closing bracket");
                    self.input.at += 1;
                    continue;
                }
                Some(_) => {}
            }
            if self.input.rest().starts_with("include")
                && self.input.rest()[7..].starts_with([' ', '\t', '"', '('])
            {
                // The contents of included files are not known.
                self.skip_line();
                fields.push((Vec::new(), HoconTree::Unknown, false));
                continue;
            }
            let Some((path, key_range, appends)) = self.key() else { continue };
            let mut node = None;
            let value = self.value(depth + 1, &mut node);
            if path.len() > MAX_DEPTH {
                self.finding(key_range.start as usize, "value is nested too deeply");
                continue;
            }
            let text = path.join(".");
            let key = DataNode {
                range: key_range,
                value: Value::string(text.as_str()),
                content: Content::Scalar { text: text.into(), quoted: false },
            };
            if let Some(value) = node {
                entries.push(DataEntry { key, value });
            }
            fields.push((path, value, appends));
        }
        (HoconTree::Object(fields), entries)
    }

    /// Parses a path: quoted or unquoted names, separated by dots.
    fn path(&mut self) -> Option<Vec<String>> {
        let mut segments = Vec::new();
        let mut segment = String::new();
        let mut is_begun = false;
        loop {
            match self.input.peek() {
                Some('"') => {
                    segment.push_str(&self.quoted());
                    is_begun = true;
                }
                Some('.') => {
                    self.input.at += 1;
                    segments.push(std::mem::take(&mut segment).trim().to_owned());
                    is_begun = false;
                }
                Some(next)
                    if next == '\n' || "=:{}[],+#".contains(next) || self.input.rest().starts_with("//") =>
                {
                    break;
                }
                Some(next) => {
                    segment.push(next);
                    self.input.at += next.len_utf8();
                    is_begun = true;
                }
                None => break,
            }
        }
        let last = segment.trim_end();
        self.input.at -= segment.len() - last.len();
        if !is_begun {
            return None;
        }
        segments.push(last.trim().to_owned());
        Some(segments)
    }

    fn quoted(&mut self) -> String {
        if let Some(body) = self.input.rest().strip_prefix("\"\"\"") {
            // More than three quotes at the end: all but the last three belong to the string.
            let Some(mut end) = body.find("\"\"\"") else {
                self.finding_here("unterminated string\nhelp: add the closing `\"\"\"`");
                self.input.at = self.input.text.len();
                return body.to_owned();
            };
            while body[end + 3..].starts_with('"') {
                end += 1;
            }
            self.input.at += end + 6;
            return body[..end].to_owned();
        }
        let rest = self.input.rest();
        let mut escaped = false;
        let end = rest[1..].find(|it: char| {
            let ends = !escaped && (it == '"' || it == '\n');
            escaped = !escaped && it == '\\';
            ends
        });
        match end.filter(|end| rest[1 + end..].starts_with('"')) {
            Some(end) => {
                let literal = &rest[..end + 2];
                self.input.at += literal.len();
                text_of_literal(literal).unwrap_or_else(|| literal[1..=end].to_owned())
            }
            None => {
                self.finding_here("unterminated string\nhelp: add the closing `\"`");
                let end = rest.find('\n').unwrap_or(rest.len());
                self.input.at += end;
                rest[1..end].to_owned()
            }
        }
    }

    /// Parses an unquoted string. Skips a character that requires quotes and returns `None`.
    fn plain(&mut self) -> Option<HoconPart> {
        let rest = self.input.rest();
        let len = rest
            .char_indices()
            .find(|(at, it)| {
                it.is_whitespace() || "$\"{}[]:=,+#`^?!@*&\\".contains(*it) || rest[*at..].starts_with("//")
            })
            .map_or(rest.len(), |(at, _)| at);
        if len == 0 {
            self.finding_here("unexpected character\nhelp: enclose it in quotes");
            self.input.at += self.input.peek().map_or(0, char::len_utf8);
            return None;
        }
        self.input.at += len;
        Some(HoconPart::Plain(rest[..len].to_owned()))
    }

    /// Parses a value: the concatenated parts on a line.
    fn value(&mut self, depth: usize, node: &mut Option<DataNode>) -> HoconTree {
        self.skip_whitespace(true);
        let start = self.input.at;
        if depth > MAX_DEPTH {
            self.finding(start, "value is nested too deeply");
            self.input.at = self.input.text.len();
            return HoconTree::Unknown;
        }
        let mut parts: Vec<HoconPart> = Vec::new();
        let mut end = start;
        let mut content = None;
        loop {
            let part_end = self.input.at;
            self.skip_whitespace(false);
            let between = &self.input.text[part_end..self.input.at];
            let part = match self.input.peek() {
                None | Some('\n' | ',' | '}' | ']') => break,
                Some('{') => {
                    self.input.at += 1;
                    let (tree, entries) = self.object(true, depth);
                    content = Some(Content::Mapping(entries.into()));
                    HoconPart::Value(tree)
                }
                Some('[') => {
                    let (tree, elements) = self.array(depth);
                    content = Some(Content::Sequence(elements.into()));
                    HoconPart::Value(tree)
                }
                Some('"') => HoconPart::Quoted(self.quoted()),
                Some('$') if self.input.rest().starts_with("${") => self.reference(),
                Some(_) => match self.plain() {
                    Some(part) => part,
                    None => continue,
                },
            };
            if !parts.is_empty() && !between.is_empty() {
                parts.push(HoconPart::Blank(between.to_owned()));
            }
            parts.push(part);
            end = self.input.at;
        }
        if parts.is_empty() {
            self.finding(start, "missing value");
        }
        let tree = if parts.is_empty() { HoconTree::Unknown } else { HoconTree::Parts(parts) };
        let text = &self.input.text[start..end];
        let range = TextRange::new(start as u32, end as u32);
        let quoted = text.starts_with('"');
        let value = resolve(&tree);
        let content = content.unwrap_or_else(|| Content::Scalar { text: text.into(), quoted });
        *node = Some(DataNode { range, value, content });
        tree
    }

    fn reference(&mut self) -> HoconPart {
        let start = self.input.at;
        let is_optional = self.input.rest().starts_with("${?");
        self.input.at += if is_optional { 3 } else { 2 };
        self.skip_whitespace(false);
        let path = self.path();
        self.skip_whitespace(false);
        if !self.input.eat('}') {
            self.finding(start, "unclosed `${`");
        }
        HoconPart::Reference { path: path.unwrap_or_default(), is_optional }
    }

    fn array(&mut self, depth: usize) -> (HoconTree, Vec<DataNode>) {
        let open = self.input.at;
        self.input.at += 1;
        let mut trees = Vec::new();
        let mut nodes = Vec::new();
        let mut is_separated = true;
        loop {
            self.skip_whitespace(true);
            if self.input.eat(']') {
                break;
            }
            if self.input.peek() == Some(',') {
                if is_separated {
                    self.finding_here("missing value before `,`");
                }
                self.input.at += 1;
                is_separated = true;
                continue;
            }
            is_separated = false;
            match self.input.peek() {
                None => {
                    self.finding(open, "unclosed `[`");
                    break;
                }
                Some('}') => {
                    self.finding(open, "unclosed `[`");
                    break;
                }
                Some(_) => {}
            }
            let mut node = None;
            trees.push(self.value(depth + 1, &mut node));
            nodes.extend(node);
        }
        (HoconTree::Array(trees), nodes)
    }
}

/// Returns the value that represents one that cannot be computed.
fn unknown() -> Value {
    Value::unknown(Type::Any, Origin::Ruby)
}
