//! YAML formatting compatible with Ruby's Psych: line breaks, whitespace and quotes.

/// Format options.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct YamlFormat {
    /// Columns per level, from 2 to 9; other values mean 2.
    pub indentation: Option<i64>,
    /// Column after which strings are wrapped; negative values disable wrapping.
    pub line_width: Option<i64>,
}

/// Style of a scalar.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Style {
    Plain,
    SingleQuoted,
    DoubleQuoted,
    /// `|`
    Literal,
    /// `>`
    Folded,
}

/// Role of a node in its parent.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum NodeRole {
    Root,
    /// Element of a sequence.
    Element,
    /// Value of a mapping, or a key after `?`.
    Mapping,
    /// Key before a colon.
    SimpleKey,
}

/// Indentation outside of a collection or scalar.
#[derive(Clone, Copy)]
pub(super) struct Outer(Option<usize>);

const WIDTH: usize = 80;
const INDENTATION: usize = 2;

pub(super) struct Emitter {
    out: String,
    column: usize,
    /// Current indentation; `None` at the top level.
    indent: Option<usize>,
    step: usize,
    width: usize,
    /// True after whitespace and at the start.
    after_space: bool,
    /// True if the line contains only indentation, `-`, `?` and `:`.
    only_indentation: bool,
    /// True if the document ends in a scalar whose end is ambiguous.
    is_open_ended: bool,
}

impl Emitter {
    pub(super) fn new(format: YamlFormat) -> Emitter {
        let step = match format.indentation {
            Some(step @ 2..=9) => step as usize,
            _ => INDENTATION,
        };
        let width = match format.line_width {
            Some(width) if width < 0 => usize::MAX,
            Some(width) if width as usize > 2 * step => width as usize,
            _ => WIDTH,
        };
        Emitter {
            out: String::new(),
            column: 0,
            indent: None,
            step,
            width,
            after_space: true,
            only_indentation: true,
            is_open_ended: false,
        }
    }

    pub(super) fn len(&self) -> usize {
        self.out.len()
    }

    pub(super) fn begin_document(&mut self) {
        self.indicator("---", true, false, false);
    }

    pub(super) fn end_document(mut self) -> String {
        self.line();
        if self.is_open_ended {
            self.out.push_str("...\n");
        }
        self.out
    }

    pub(super) fn begin_sequence(&mut self, anchor: Option<u32>, role: NodeRole) -> Outer {
        self.anchor(anchor);
        let is_flush = role == NodeRole::Mapping && !self.only_indentation;
        let outer = Outer(self.indent);
        self.indent = match self.indent {
            None => Some(0),
            Some(indent) if is_flush => Some(indent),
            Some(indent) => Some(indent + self.step),
        };
        outer
    }

    pub(super) fn begin_mapping(&mut self, anchor: Option<u32>) -> Outer {
        self.begin_sequence(anchor, NodeRole::Root)
    }

    pub(super) fn end(&mut self, outer: Outer) {
        self.indent = outer.0;
    }

    pub(super) fn element(&mut self) {
        self.line();
        self.indicator("-", true, false, true);
    }

    pub(super) fn key(&mut self, is_simple: bool) {
        self.line();
        if !is_simple {
            self.indicator("?", true, false, true);
        }
    }

    pub(super) fn colon(&mut self, is_simple: bool) {
        if is_simple {
            return self.indicator(":", false, false, false);
        }
        self.line();
        self.indicator(":", true, false, true);
    }

    pub(super) fn alias(&mut self, number: u32, role: NodeRole) {
        self.indicator(&format!("*{number}"), true, false, false);
        if role == NodeRole::SimpleKey {
            self.put(' ');
        }
    }

    /// Writes an empty collection.
    pub(super) fn empty(&mut self, open: &str, close: &str, anchor: Option<u32>) {
        self.anchor(anchor);
        self.indicator(open, true, true, false);
        self.indicator(close, false, false, false);
    }

    /// Writes a scalar in `wanted` or the nearest style that can represent it. `is_other` means that the
    /// value is not a string if it is unquoted; in quotes, it gets a tag.
    pub(super) fn scalar(&mut self, text: &str, wanted: Style, is_other: bool, role: NodeRole) {
        let style = possible_style(text, wanted, role);
        if is_other && style != Style::Plain {
            self.indicator("!", true, false, false);
        }
        self.styled(text, style, role);
    }

    /// Writes a string that only a tag distinguishes from another value.
    pub(super) fn tagged(&mut self, text: &str, role: NodeRole) {
        self.indicator("!!str", true, false, false);
        self.styled(text, Style::SingleQuoted, role);
    }

    fn styled(&mut self, text: &str, style: Style, role: NodeRole) {
        let outer = self.indent;
        self.indent = Some(outer.map_or(self.step, |indent| indent + self.step));
        let may_break = role != NodeRole::SimpleKey;
        match style {
            Style::Plain => self.plain(text, may_break),
            Style::SingleQuoted => self.single_quoted(text, may_break),
            Style::DoubleQuoted => self.double_quoted(text, may_break),
            Style::Literal => self.literal(text),
            Style::Folded => self.folded(text),
        }
        self.indent = outer;
    }

    fn anchor(&mut self, anchor: Option<u32>) {
        if let Some(number) = anchor {
            self.indicator(&format!("&{number}"), true, false, false);
        }
    }

    fn plain(&mut self, text: &str, may_break: bool) {
        if !self.after_space && !text.is_empty() {
            self.put(' ');
        }
        let (mut spaces, mut breaks) = (false, false);
        let mut rest = text.chars().peekable();
        while let Some(c) = rest.next() {
            if c == ' ' {
                if may_break && !spaces && self.column > self.width && rest.peek() != Some(&' ') {
                    self.line()
                } else {
                    self.put(c)
                }
                spaces = true;
            } else if is_break(c) {
                if !breaks && c == '\n' {
                    self.break_line();
                }
                self.break_line();
                self.only_indentation = true;
                breaks = true;
            } else {
                self.put_text(c, breaks);
                (spaces, breaks) = (false, false);
            }
        }
        self.after_space = false;
        self.only_indentation = false;
    }

    /// Writes a character that is neither whitespace nor a line break; after line breaks it starts a new
    /// line.
    fn put_text(&mut self, c: char, breaks: bool) {
        if breaks {
            self.line();
        }
        self.put(c);
        self.only_indentation = false;
    }

    fn single_quoted(&mut self, text: &str, may_break: bool) {
        self.indicator("'", true, false, false);
        let (mut spaces, mut breaks) = (false, false);
        let mut rest = text.char_indices().peekable();
        while let Some((index, c)) = rest.next() {
            if c == ' ' {
                let is_inside = index > 0 && index + 1 < text.len();
                let next_is_space = matches!(rest.peek(), Some((_, ' ')));
                if may_break && !spaces && self.column > self.width && is_inside && !next_is_space {
                    self.line()
                } else {
                    self.put(c)
                }
                spaces = true;
            } else if is_break(c) {
                if !breaks && c == '\n' {
                    self.break_line();
                }
                self.put_break(c);
                self.only_indentation = true;
                breaks = true;
            } else {
                if breaks {
                    self.line();
                }
                if c == '\'' {
                    self.put(c);
                }
                self.put(c);
                self.only_indentation = false;
                (spaces, breaks) = (false, false);
            }
        }
        if breaks {
            self.line();
        }
        self.indicator("'", false, false, false);
        self.after_space = false;
        self.only_indentation = false;
    }

    fn double_quoted(&mut self, text: &str, may_break: bool) {
        self.indicator("\"", true, false, false);
        let mut spaces = false;
        let mut rest = text.char_indices().peekable();
        while let Some((index, c)) = rest.next() {
            if !is_printable(c) || is_break(c) || matches!(c, '"' | '\\' | '\u{feff}') {
                self.escape(c);
                spaces = false;
            } else if c == ' ' {
                let is_inside = index > 0 && index + 1 < text.len();
                if may_break && !spaces && self.column > self.width && is_inside {
                    self.line();
                    if matches!(rest.peek(), Some((_, ' '))) {
                        self.put('\\');
                    }
                } else {
                    self.put(c)
                }
                spaces = true;
            } else {
                self.put(c);
                spaces = false;
            }
        }
        self.indicator("\"", false, false, false);
        self.after_space = false;
        self.only_indentation = false;
    }

    fn escape(&mut self, c: char) {
        let short = match c {
            '\0' => '0',
            '\x07' => 'a',
            '\x08' => 'b',
            '\t' => 't',
            '\n' => 'n',
            '\x0b' => 'v',
            '\x0c' => 'f',
            '\r' => 'r',
            '\x1b' => 'e',
            '"' | '\\' => c,
            '\u{85}' => 'N',
            '\u{2028}' => 'L',
            '\u{2029}' => 'P',
            _ => {
                let text = match u32::from(c) {
                    code @ ..=0xff => format!("\\x{code:02X}"),
                    code @ ..=0xffff => format!("\\u{code:04X}"),
                    code => format!("\\U{code:08X}"),
                };
                return text.chars().for_each(|c| self.put(c));
            }
        };
        self.put('\\');
        self.put(short);
    }

    /// Writes the header after `|` or `>`: an indentation indicator if the string begins with whitespace, and
    /// how it ends.
    fn hints(&mut self, text: &str) {
        if text.starts_with(|c| c == ' ' || is_break(c)) {
            self.indicator(&self.step.to_string(), false, false, false);
        }
        let mut from_end = text.chars().rev();
        match (from_end.next(), from_end.next()) {
            (Some(last), before) if is_break(last) => {
                if before.is_none_or(is_break) {
                    self.indicator("+", false, false, false);
                    self.is_open_ended = true;
                }
            }
            _ => self.indicator("-", false, false, false),
        }
    }

    fn literal(&mut self, text: &str) {
        self.is_open_ended = false;
        self.indicator("|", true, false, false);
        self.hints(text);
        self.break_line();
        self.only_indentation = true;
        self.after_space = true;
        let mut breaks = true;
        for c in text.chars() {
            if is_break(c) {
                self.put_break(c);
                self.only_indentation = true;
                breaks = true;
            } else {
                self.put_text(c, breaks);
                breaks = false;
            }
        }
    }

    fn folded(&mut self, text: &str) {
        self.is_open_ended = false;
        self.indicator(">", true, false, false);
        self.hints(text);
        self.break_line();
        self.only_indentation = true;
        self.after_space = true;
        let (mut breaks, mut leading_spaces) = (true, true);
        let mut rest = text.chars().peekable();
        while let Some(c) = rest.next() {
            if is_break(c) {
                if !breaks && !leading_spaces && c == '\n' {
                    let next = rest.clone().find(|c| !is_break(*c));
                    if next.is_some_and(|c| !matches!(c, ' ' | '\t')) {
                        self.break_line();
                    }
                }
                self.put_break(c);
                self.only_indentation = true;
                breaks = true;
            } else {
                if breaks {
                    self.line();
                    leading_spaces = matches!(c, ' ' | '\t');
                }
                if !breaks && c == ' ' && rest.peek() != Some(&' ') && self.column > self.width {
                    self.line()
                } else {
                    self.put(c)
                }
                self.only_indentation = false;
                breaks = false;
            }
        }
    }

    /// Starts a new line at the current indentation.
    fn line(&mut self) {
        let indent = self.indent.unwrap_or(0);
        if !self.only_indentation || self.column > indent || self.column == indent && !self.after_space {
            self.break_line();
        }
        while self.column < indent {
            self.put(' ');
        }
        self.after_space = true;
        self.only_indentation = true;
    }

    fn indicator(&mut self, text: &str, needs_blank: bool, is_blank: bool, is_indentation: bool) {
        if needs_blank && !self.after_space {
            self.put(' ');
        }
        text.chars().for_each(|c| self.put(c));
        self.after_space = is_blank;
        self.only_indentation &= is_indentation;
    }

    fn put(&mut self, c: char) {
        self.out.push(c);
        self.column += 1;
    }

    fn break_line(&mut self) {
        self.out.push('\n');
        self.column = 0;
    }

    /// Writes a line break of the string, which may be one that only YAML recognizes.
    fn put_break(&mut self, c: char) {
        match c {
            '\n' => self.break_line(),
            c => {
                self.out.push(c);
                self.column = 0;
            }
        }
    }
}

/// Returns true if a string contains line breaks as defined by YAML.
pub(super) fn is_multiline(text: &str) -> bool {
    text.chars().any(is_break)
}

fn is_break(c: char) -> bool {
    matches!(c, '\n' | '\r' | '\u{85}' | '\u{2028}' | '\u{2029}')
}

fn is_printable(c: char) -> bool {
    matches!(c, '\n' | ' '..='~' | '\u{a0}'..='\u{d7ff}' | '\u{e000}'..='\u{fffd}') && c != '\u{feff}'
}

/// Returns `wanted` or the nearest style that can represent the string.
fn possible_style(text: &str, wanted: Style, role: NodeRole) -> Style {
    let is_key = role == NodeRole::SimpleKey;
    let looks = Looks::of(text);
    let mut style = if is_key && looks.is_multiline { Style::DoubleQuoted } else { wanted };
    if style == Style::Plain && (!looks.may_be_plain || text.is_empty() && is_key) {
        style = Style::SingleQuoted;
    }
    if style == Style::SingleQuoted && !looks.may_be_single_quoted {
        style = Style::DoubleQuoted;
    }
    if matches!(style, Style::Literal | Style::Folded) && (!looks.may_be_block || is_key) {
        style = Style::DoubleQuoted;
    }
    style
}

struct Looks {
    is_multiline: bool,
    may_be_plain: bool,
    may_be_single_quoted: bool,
    may_be_block: bool,
}

impl Looks {
    fn of(text: &str) -> Looks {
        if text.is_empty() {
            return Looks {
                is_multiline: false,
                may_be_plain: true,
                may_be_single_quoted: true,
                may_be_block: false,
            };
        }
        let is_blank = |c: Option<char>| c.is_none_or(|c| c == ' ' || c == '\t' || c == '\0' || is_break(c));
        let mut has_indicator = text.starts_with("---") || text.starts_with("...");
        let (mut is_special, mut is_multiline) = (false, false);
        let (mut space_break, mut break_space) = (false, false);
        let mut previous: Option<char> = None;
        let mut rest = text.chars().peekable();
        while let Some(c) = rest.next() {
            let before_space = is_blank(rest.peek().copied());
            has_indicator |= match c {
                '#' => is_blank(previous),
                ':' => before_space,
                ',' | '[' | ']' | '{' | '}' | '&' | '*' | '!' | '|' | '>' | '\'' | '"' | '%' | '@' | '`' => {
                    previous.is_none()
                }
                '?' | '-' => previous.is_none() && before_space,
                _ => false,
            };
            is_special |= !is_printable(c);
            is_multiline |= is_break(c);
            break_space |= c == ' ' && previous.is_some_and(is_break);
            space_break |= is_break(c) && previous == Some(' ');
            previous = Some(c);
        }
        let ends_in_space = text.ends_with(' ');
        let has_edge =
            text.starts_with(|c| c == ' ' || is_break(c)) || text.ends_with(|c| c == ' ' || is_break(c));
        let is_bad = space_break || is_special;
        Looks {
            is_multiline,
            may_be_plain: !has_edge && !break_space && !is_bad && !is_multiline && !has_indicator,
            may_be_single_quoted: !break_space && !is_bad,
            may_be_block: !ends_in_space && !is_bad,
        }
    }
}
