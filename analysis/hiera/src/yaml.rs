//! YAML parser compatible with Ruby's Psych, with positions and error recovery.

mod emitter;
mod scalar;
mod spaced;
mod write;

use std::sync::Arc;

use granit_parser::{ErrorKind, Event, Parser, ScalarStyle, ScanError, Span};
use rustc_hash::FxHashMap;
use smol_str::SmolStr;
use syntax::TextRange;
use types::{Origin, Type, Value};

use crate::data::{
    BYTE_ORDER_MARK, Content, DataEntry, DataFinding, DataFindingKind, DataNode, MappingBuilder, mark_finding,
};
pub use emitter::YamlFormat;
use scalar::Scalar;
use spaced::SpacedText;
pub use write::write;

/// Parses the first document and returns its tree and the problems found.
///
/// If the file is malformed, each entry of the outermost mapping is parsed separately, so that one mistake
/// leaves the others readable.
pub fn read(text: &str) -> (Option<DataNode>, Vec<DataFinding>) {
    match text.strip_prefix(BYTE_ORDER_MARK) {
        Some(rest) => read_after_mark(rest),
        None => read_at(text, 0),
    }
}

/// Parses a file whose byte-order mark precedes `text`. For libyaml, the mark is a column: the first line is
/// indented, and a line that is not ends the document.
fn read_after_mark(text: &str) -> (Option<DataNode>, Vec<DataFinding>) {
    let mark = BYTE_ORDER_MARK.len_utf8();
    let (meant, mut findings) = read_at(text, mark);
    let indented = format!(" {text}");
    let reading = spaced::read(&indented, mark - 1, Anchors::default());
    match reading.root {
        Ok(root) => {
            let value = |root: &Option<DataNode>| root.as_ref().map(|root| root.value.clone());
            let mut found = reading.findings;
            if value(&root) != value(&meant) {
                let effect = "so Puppet ignores what follows the first entry";
                found.push(mark_finding(DataFindingKind::IgnoredAfterMark, effect));
            }
            (root, found)
        }
        Err(_) => {
            // A mistake elsewhere is reported at its location.
            if !findings.iter().any(|finding| finding.kind.is_fatal()) {
                findings.push(mark_finding(DataFindingKind::ByteOrderMark, "so Puppet cannot parse it"));
            }
            (meant, findings)
        }
    }
}

fn read_at(text: &str, offset: usize) -> (Option<DataNode>, Vec<DataFinding>) {
    let reading = spaced::read(text, offset, Anchors::default());
    match reading.root {
        Ok(root) => (root, reading.findings),
        Err(error) => {
            let mut findings = reading.findings;
            let (root, found) = read_in_pieces(text, offset);
            // Errors in the pieces are closer to the mistake.
            if found.iter().any(|finding| finding.kind == DataFindingKind::Syntax) {
                findings = found;
            } else {
                findings.retain(|finding| !found.contains(finding));
                findings.extend(found);
                findings.push(error);
            }
            (root, findings)
        }
    }
}

/// Splits a file at the entries of the outermost mapping: lines that do not begin with whitespace, a comment,
/// a list element or a closing bracket.
fn pieces(text: &str) -> Vec<(usize, &str)> {
    let mut starts = vec![];
    let mut offset = 0;
    let mut body = 0;
    for line in text.split_inclusive('\n') {
        let is_marker = line.starts_with("---") || line.starts_with("...");
        if is_marker && starts.is_empty() {
            body = offset + line.len();
        } else if is_marker {
            starts.push(offset);
            break;
        } else if !line.starts_with([' ', '\t', '#', '-', ']', '}', '\r', '\n', '%', '\u{feff}']) {
            starts.push(offset);
        }
        offset += line.len();
    }
    let ends_at_marker = starts.last().is_some_and(|start| text[*start..].starts_with(['-', '.']));
    let end = if ends_at_marker { starts.pop().unwrap_or(text.len()) } else { text.len() };
    if starts.is_empty() {
        return vec![(body, &text[body..end])];
    }
    let ends = starts.iter().copied().skip(1).chain([end]);
    starts.iter().zip(ends).map(|(start, end)| (*start, &text[*start..end])).collect()
}

fn read_in_pieces(text: &str, start: usize) -> (Option<DataNode>, Vec<DataFinding>) {
    let mut findings = Vec::new();
    let mut entries = Vec::new();
    let mut anchors = Anchors::default();
    for (offset, piece) in pieces(text) {
        let offset = start + offset;
        let mut reading = spaced::read(piece, offset, anchors);
        match reading.root {
            Ok(Some(DataNode { content: Content::Mapping(found), .. })) => entries.extend(found),
            Ok(_) => {}
            Err(error) => {
                findings.push(error);
                // Keep the key of an entry that cannot be parsed.
                entries.extend(parse_key_only(piece, offset));
            }
        }
        findings.append(&mut reading.findings);
        anchors = reading.anchors;
    }
    if entries.is_empty() {
        return (None, findings);
    }
    let mut mapping = MappingBuilder::default();
    for DataEntry { key, value } in &entries {
        findings.extend(mapping.add(key, value.value.clone()));
    }
    let range = entries.iter().fold(entries[0].key.range, |range, it| range.cover(it.value.range));
    let value = Value::Hash(Arc::new(mapping.value));
    (Some(DataNode { range, value, content: Content::Mapping(entries.into()) }), findings)
}

/// Parses only the key of a line `key: ...`; the value is unknown.
fn parse_key_only(piece: &str, offset: usize) -> Option<DataEntry> {
    let line = piece.lines().next()?;
    let separator = line.match_indices(':').map(|(at, _)| at).find(|at| {
        let next = line[at + 1..].chars().next();
        next.is_none_or(|next| next == ' ' || next == '\t')
    })?;
    let written = line[..separator].trim_end();
    let text = written.trim_matches(['"', '\'']);
    if text.is_empty() || text.contains(['{', '[', '&', '*', '!', '"', '\'']) {
        return None;
    }
    let range = TextRange::new(offset as u32, (offset + written.len()) as u32);
    let quoted = written.len() != text.len();
    let content = Content::Scalar { text: text.into(), quoted };
    let key = DataNode { range, value: Value::string(text), content };
    let end = offset + piece.trim_end().len();
    let range = TextRange::new((offset + separator + 1) as u32, end as u32);
    let value = Value::unknown(Type::Any, Origin::SyntaxError);
    let value = DataNode { range, value, content: Content::Scalar { text: "".into(), quoted: true } };
    Some(DataEntry { key, value })
}

/// Returns true if the error is about the part after the first document.
fn is_after_document(error: &ScanError) -> bool {
    matches!(error.kind(), ErrorKind::InvalidDocumentEnd | ErrorKind::MissingDocumentEndBeforeDirective)
}

/// Maximum number of values copied by aliases, which may double the size with each reference. Further aliases
/// are unknown values.
const MAX_ALIASED_VALUES: usize = 1 << 18;

/// Maximum nesting depth. Collections nested more deeply are skipped, and their values are unknown.
const MAX_DEPTH: usize = 200;

/// Builder of a tree from parser events.
struct YamlReader<'a> {
    text: &'a SpacedText,
    /// Offset of the text in the file.
    offset: usize,
    parser: Parser<'a, granit_parser::StrInput<'a>>,
    findings: Vec<DataFinding>,
    /// Values by anchor name; `None` while the anchored node is being parsed.
    anchors: Anchors,
    /// Offset of a `:` that was parsed as the end of an alias name but belongs to the key.
    glued_colon: Option<usize>,
    /// Number of open collections.
    depth: usize,
}

/// Anchored values.
#[derive(Clone, Debug)]
struct Anchors {
    values: FxHashMap<SmolStr, Option<Value>>,
    /// Remaining number of values that aliases may copy.
    budget: usize,
}

impl Default for Anchors {
    fn default() -> Anchors {
        Anchors { values: FxHashMap::default(), budget: MAX_ALIASED_VALUES }
    }
}

type YamlStep<'a> = Result<Option<(Event<'a>, Span)>, ScanError>;

impl<'a> YamlReader<'a> {
    fn new(text: &'a SpacedText, offset: usize) -> YamlReader<'a> {
        let mut options = granit_parser::options! {
            emit_unresolved_aliases: true,
            emit_anchor_events: true,
            // Match libyaml, the parser next Psych.
            bom_inside_document_as_content: true,
            block_scalar_eof_without_line_feed: true,
        };
        options.set_emit_comments(false);
        YamlReader {
            text,
            offset,
            parser: Parser::new_from_str_with_options(&text.text, options),
            findings: Vec::new(),
            anchors: Anchors::default(),
            glued_colon: None,
            depth: 0,
        }
    }

    fn range(&self, span: &Span) -> TextRange {
        let range = span.byte_range().unwrap_or(0..0);
        let [start, end] = [range.start, range.end].map(|at| (self.offset + self.text.original(at)) as u32);
        TextRange::new(start, end)
    }

    fn next(&mut self) -> YamlStep<'a> {
        self.parser.next_event().transpose()
    }

    /// Parses the first document. Like Psych, ignores the rest of the file.
    fn document(&mut self) -> Result<Option<DataNode>, ScanError> {
        while let Some((event, span)) = self.next()? {
            match event {
                Event::DocumentEnd | Event::StreamEnd => return Ok(None),
                Event::StreamStart | Event::DocumentStart(..) => {}
                event => {
                    let node = self.node(event, span, false)?;
                    // Errors on the last lines are only reported by later events.
                    loop {
                        match self.next() {
                            Ok(Some((Event::DocumentEnd, _)) | None) => break,
                            Err(error) if !is_after_document(&error) => return Err(error),
                            Err(_) => break,
                            Ok(Some(_)) => {}
                        }
                    }
                    return Ok(Some(node));
                }
            }
        }
        Ok(None)
    }

    /// Returns the name of the anchor on the node of the last event.
    fn anchor(&mut self, id: usize) -> Result<Option<SmolStr>, ScanError> {
        if id == 0 {
            return Ok(None);
        }
        match self.next()? {
            Some((Event::Anchor(_, name), _)) => {
                let name = SmolStr::new(name);
                self.anchors.values.insert(name.clone(), None);
                Ok(Some(name))
            }
            _ => Ok(None),
        }
    }

    fn remember(&mut self, anchor: Option<SmolStr>, node: &DataNode) {
        if let Some(anchor) = anchor {
            self.anchors.values.insert(anchor, Some(node.value.clone()));
        }
    }

    fn node(&mut self, event: Event<'a>, span: Span, is_key: bool) -> Result<DataNode, ScanError> {
        let tag = event.tag().map(|tag| format!("{}{}", tag.handle(), tag.suffix()));
        let tag = tag.as_deref();
        match event {
            Event::Scalar(text, style, anchor, _) => {
                let anchor = self.anchor(anchor)?;
                let node = self.scalar(&text, style, tag, self.range(&span), is_key);
                self.remember(anchor, &node);
                Ok(node)
            }
            Event::SequenceStart(_, anchor, _) => {
                let anchor = self.anchor(anchor)?;
                let start = self.range(&span);
                let mut node = self.nested(start, Self::elements)?;
                if tag.is_some_and(|tag| matches!(tag, "!omap" | "tag:yaml.org,2002:omap")) {
                    node.value = omap_value(&node);
                } else {
                    self.check_class(tag, start);
                }
                self.remember(anchor, &node);
                Ok(node)
            }
            Event::MappingStart(_, anchor, _) => {
                let anchor = self.anchor(anchor)?;
                let start = self.range(&span);
                self.check_class(tag, start);
                let node = self.nested(start, Self::entries)?;
                self.remember(anchor, &node);
                Ok(node)
            }
            event => Ok(self.alias(&event, &span)),
        }
    }

    fn alias(&mut self, event: &Event<'a>, span: &Span) -> DataNode {
        let range = self.range(span);
        let name = match event {
            Event::UnresolvedAlias(name) => SmolStr::new(name),
            _ => SmolStr::new(span.slice(&self.text.text).unwrap_or_default().trim_start_matches('*')),
        };
        if name.strip_suffix(':').is_some_and(|name| self.anchors.values.contains_key(name)) {
            let end = span.byte_range().map_or(0, |range| range.end);
            self.glued_colon = self.glued_colon.or(end.checked_sub(1));
        }
        let value = match self.anchors.values.get(&name) {
            Some(Some(value)) => {
                let budget = &mut self.anchors.budget;
                let measure = value.measure(*budget);
                *budget = budget.saturating_sub(measure.weight);
                let is_small = *budget > 0 && measure.depth < Value::MAX_DEPTH;
                if is_small { value.clone() } else { Value::unknown(Type::Any, Origin::Bound) }
            }
            Some(None) => self.refuse(range, format!("alias `*{name}` refers to a value that contains it")),
            None => self.refuse(range, format!("unknown alias `*{name}`")),
        };
        DataNode { range, value, content: Content::Alias(name) }
    }

    /// Reports an invalid value and returns the unknown value that replaces it.
    fn refuse(&mut self, range: TextRange, message: String) -> Value {
        self.findings.push(DataFinding { kind: DataFindingKind::Value, range, message });
        Value::unknown(Type::Any, Origin::SyntaxError)
    }

    fn scalar(
        &mut self,
        text: &str,
        style: ScalarStyle,
        tag: Option<&str>,
        range: TextRange,
        is_key: bool,
    ) -> DataNode {
        let is_plain = style == ScalarStyle::Plain;
        let value = match scalar::resolve(text, is_plain, tag) {
            Scalar::Value(value) => value,
            Scalar::Symbol(name) if is_key => Value::string(name),
            Scalar::Symbol(name) => {
                let message = format!(
                    "Ruby symbol `:{name}` is not allowed in data\nhelp: quote it to make it a string"
                );
                self.findings.push(DataFinding { kind: DataFindingKind::Symbol, range, message });
                crate::data::SYMBOL
            }
            Scalar::Refused(what) => self
                .refuse(range, format!("{what} is not allowed in data\nhelp: quote it to make it a string")),
        };
        DataNode { range, value, content: Content::Scalar { text: text.into(), quoted: !is_plain } }
    }

    /// Reports tags for objects of Ruby classes, which Puppet does not allow.
    fn check_class(&mut self, tag: Option<&str>, range: TextRange) {
        let Some(tag) = tag else { return };
        let plain = ["!ruby/object:Hash", "!ruby/hash-with-ivars"];
        let is_class = tag.starts_with("!ruby/") && !plain.contains(&tag)
            || tag.starts_with("!map:")
            || matches!(tag, "!set" | "tag:yaml.org,2002:set" | "!omap" | "tag:yaml.org,2002:omap");
        if is_class {
            let range = TextRange::new(range.start, range.start.max(range.end));
            self.refuse(range, format!("Ruby object `{tag}` is not allowed in data"));
        }
    }

    /// Parses a collection after its start event, unless it is nested too deeply.
    fn nested(
        &mut self,
        start: TextRange,
        read: fn(&mut Self, TextRange) -> Result<DataNode, ScanError>,
    ) -> Result<DataNode, ScanError> {
        if self.depth >= MAX_DEPTH {
            return self.skip_nested(start);
        }
        self.depth += 1;
        let node = read(self, start);
        self.depth -= 1;
        node
    }

    /// Skips a collection that is nested too deeply.
    fn skip_nested(&mut self, start: TextRange) -> Result<DataNode, ScanError> {
        let mut open = 1;
        while open > 0
            && let Some((event, _)) = self.next()?
        {
            match event {
                Event::SequenceStart(..) | Event::MappingStart(..) => open += 1,
                Event::SequenceEnd | Event::MappingEnd => open -= 1,
                _ => {}
            }
        }
        let value = Value::unknown(Type::Any, Origin::Bound);
        Ok(DataNode {
            range: start,
            value,
            content: Content::Scalar { text: SmolStr::default(), quoted: true },
        })
    }

    fn elements(&mut self, start: TextRange) -> Result<DataNode, ScanError> {
        let mut elements: Vec<DataNode> = Vec::new();
        let mut range = start;
        while let Some((event, span)) = self.next()? {
            if event == Event::SequenceEnd {
                range = collection_range(range, self.range(&span), elements.last());
                break;
            }
            let element = self.node(event, span, false)?;
            elements.push(element);
        }
        let value = Value::array(elements.iter().map(|element| element.value.clone()).collect::<Vec<_>>());
        Ok(DataNode { range, value, content: Content::Sequence(elements.into()) })
    }

    fn entries(&mut self, start: TextRange) -> Result<DataNode, ScanError> {
        let mut entries: Vec<DataEntry> = Vec::new();
        let mut mapping = MappingBuilder::default();
        let mut range = start;
        while let Some((event, span)) = self.next()? {
            if event == Event::MappingEnd {
                range = collection_range(range, self.range(&span), entries.last().map(|entry| &entry.value));
                break;
            }
            let is_text = event.tag().is_some_and(|tag| tag.is_yaml_core_schema_tag("str"));
            let key = self.node(event, span, true)?;
            // For libyaml, the mark indents the key.
            if key.value.as_str().is_some_and(|it| it.starts_with(BYTE_ORDER_MARK)) && !entries.is_empty() {
                let (kind, range) = (DataFindingKind::Syntax, key.range);
                let message = "byte-order mark inside of the file\nhelp: remove it".to_owned();
                self.findings.push(DataFinding { kind, range, message });
            }
            let Some((event, span)) = self.next()? else { break };
            let value = self.node(event, span, false)?;
            if key.value.as_str() == Some("<<") && !is_text {
                merge(&mut mapping, &key, &value);
            } else {
                self.findings.extend(mapping.add(&key, value.value.clone()));
            }
            entries.push(DataEntry { key, value });
        }
        let value = Value::Hash(Arc::new(mapping.value));
        Ok(DataNode { range, value, content: Content::Mapping(entries.into()) })
    }
}

/// Returns the value of a list of single entries with the tag `!!omap`.
fn omap_value(node: &DataNode) -> Value {
    let entries = node.elements().iter().flat_map(DataNode::entries);
    Value::hash(entries.map(|entry| (entry.key.value.clone(), entry.value.value.clone())))
}

/// Returns the range of a collection: up to its closing bracket, or to the end of its last element.
fn collection_range(start: TextRange, end: TextRange, last: Option<&DataNode>) -> TextRange {
    let last = last.map_or(start.end, |last| last.range.end);
    // The end event of a block collection is empty and comes later in the file.
    let end = if end.is_empty() { last } else { end.end };
    TextRange::new(start.start, end.max(start.end))
}

/// Merges the entries of other mappings (`<<: *other`).
fn merge(mapping: &mut MappingBuilder, key: &DataNode, value: &DataNode) {
    let others: Vec<_> = match (&value.content, &value.value) {
        (Content::Sequence(_), Value::Array(elements)) => elements.iter().rev().map(Value::as_hash).collect(),
        (Content::Alias(_) | Content::Mapping(_), value) => vec![value.as_hash()],
        _ => vec![None],
    };
    let Some(others) = others.into_iter().collect::<Option<Vec<_>>>() else {
        mapping.value.insert(key.value.clone(), value.value.clone());
        return;
    };
    let mut merged = types::HashValue::default();
    for other in others {
        merged.extend(other.iter().map(|(key, value)| (key.clone(), value.clone())));
    }
    for (key, value) in merged.iter() {
        mapping.value.insert(key.clone(), value.clone());
    }
}
