//! Documentation comments, as YARD reads them: text, and tags whose continuation lines are indented.

/// Parsed documentation comment.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Docstring {
    /// Text outside of all tags, without blank lines around it.
    pub text: String,
    /// In source order.
    pub tags: Vec<DocTag>,
}

/// Tag such as `@param name [Type] text`.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct DocTag {
    /// Name without `@`.
    pub tag: String,
    /// First word, or the title of an example; `None` if the tag has none.
    pub name: Option<String>,
    pub types: Option<Vec<String>>,
    pub text: Option<String>,
    /// Key of an `@option` or `@enum` tag, whose parameter is `name`.
    pub key: Option<Box<DocTag>>,
}

impl DocTag {
    /// Creates a `@param` or `@return` tag that the comment lacks.
    pub(crate) fn implied(tag: &str, name: Option<&str>, type_text: &str) -> DocTag {
        DocTag {
            tag: tag.to_owned(),
            name: name.map(str::to_owned),
            types: Some(vec![type_text.to_owned()]),
            text: Some(String::new()),
            key: None,
        }
    }
}

/// Form of a tag's text.
enum TagForm {
    Text,
    Name,
    Types,
    TypesAndName,
    TitleAndText,
    Option,
    Enum,
}

/// Known tags. All others are ignored.
fn form(tag: &str) -> Option<TagForm> {
    Some(match tag {
        "abstract" | "api" | "author" | "deprecated" | "note" | "private" | "since" | "summary" | "todo"
        | "version" => TagForm::Text,
        "see" => TagForm::Name,
        "raise" | "return" | "yield" | "yieldreturn" => TagForm::Types,
        "attr" | "attr_reader" | "attr_writer" | "param" | "yieldparam" => TagForm::TypesAndName,
        "example" => TagForm::TitleAndText,
        "option" => TagForm::Option,
        "enum" => TagForm::Enum,
        _ => return None,
    })
}

/// Tags that are directives even without `!`, and add nothing to the documentation.
const DIRECTIVES: [&str; 7] = ["attribute", "endgroup", "group", "macro", "method", "scope", "visibility"];

impl Docstring {
    /// Parses a comment without its comment markers.
    pub fn parse(content: &str) -> Docstring {
        let mut text = String::new();
        let mut tags = Vec::new();
        let mut current: Option<OpenTag> = None;
        let (mut last_line, mut tag_indent) = ("", 0);
        for line in content.split('\n').map(|it| it.strip_suffix('\r').unwrap_or(it)) {
            let is_blank = line.trim().is_empty();
            let indent = line.len() - line.trim_start().len();
            let start = tag_start(line);
            if !is_blank && (indent < tag_indent || indent == 0) {
                tags.extend(current.take().and_then(OpenTag::finish));
                tag_indent = 0;
            }
            if let Some(start) = start {
                current = Some(start);
                tag_indent = 0;
            } else if let Some(tag) = &mut current {
                if !is_blank && indent >= tag_indent {
                    if tag_indent == 0 {
                        tag_indent = indent;
                    }
                    if last_line.trim_matches([' ', '\t']).is_empty() {
                        tag.lines.push(String::new());
                    }
                    tag.lines.push(without_indent(line, tag_indent).to_owned());
                }
            } else {
                text.push_str(line);
                text.push('\n');
            }
            last_line = line;
        }
        tags.extend(current.and_then(OpenTag::finish));
        Docstring { text: text.trim().to_owned(), tags }
    }

    pub fn tags<'a>(&'a self, tag: &'static str) -> impl Iterator<Item = &'a DocTag> + use<'a> {
        self.tags.iter().filter(move |it| it.tag == tag)
    }

    /// Returns the text of the first of these tags that has one.
    pub fn tag_text(&self, tag: &'static str) -> Option<&str> {
        self.tags(tag).find_map(|it| it.text.as_deref().filter(|text| !text.is_empty()))
    }

    pub(crate) fn tag_mut(&mut self, tag: &str, name: Option<&str>) -> Option<&mut DocTag> {
        self.tags.iter_mut().find(|it| it.tag == tag && (name.is_none() || it.name.as_deref() == name))
    }

    /// Returns true if `@api private` excludes the definition from the page.
    pub fn is_private(&self) -> bool {
        self.tags("api").any(|it| it.text.as_deref() == Some("private"))
    }
}

/// Tag whose end has not been reached.
struct OpenTag {
    tag: String,
    is_directive: bool,
    lines: Vec<String>,
}

/// Returns the tag that a line begins.
fn tag_start(line: &str) -> Option<OpenTag> {
    let rest = line.strip_prefix('@')?;
    let (is_directive, rest) = match rest.strip_prefix('!') {
        Some(rest) => (true, rest),
        None => (false, rest),
    };
    let is_name = |it: char| it.is_ascii_alphanumeric() || it == '_' || it == '.';
    let name = &rest[..rest.find(|it| !is_name(it)).unwrap_or(rest.len())];
    let after = &rest[name.len()..];
    if name.is_empty() || name.starts_with('.') || name.contains("..") {
        return None;
    }
    if !after.is_empty() && !after.starts_with(char::is_whitespace) {
        return None;
    }
    Some(OpenTag { tag: name.to_owned(), is_directive, lines: vec![after.trim_start().to_owned()] })
}

impl OpenTag {
    fn finish(self) -> Option<DocTag> {
        if self.is_directive || DIRECTIVES.contains(&self.tag.as_str()) {
            return None;
        }
        let text = self.lines.join("\n");
        if is_reference(&text) {
            return None;
        }
        let tag = |name: Option<&str>, types: Option<Vec<String>>, text: Option<&str>| DocTag {
            tag: self.tag.clone(),
            name: name.map(str::to_owned),
            types,
            text: text.map(str::to_owned),
            key: None,
        };
        Some(match form(&self.tag)? {
            TagForm::Text => tag(None, None, Some(text.trim())),
            TagForm::Name => {
                let (name, rest) = first_word(&text);
                tag(name, None, rest)
            }
            TagForm::Types => {
                let TypedText { before, types, rest } = typed_text(&text, "[({<");
                if before.is_some() {
                    return None;
                }
                tag(None, types, Some(&rest))
            }
            TagForm::TypesAndName => typed_and_named(&self.tag, &text, "[({<"),
            TagForm::TitleAndText => {
                let mut lines = text.split('\n');
                let title = lines.next().filter(|_| !text.is_empty())?;
                let rest: Vec<&str> = lines.collect();
                tag(Some(&squeezed(title)), None, Some(rest.join("\n").trim_end_matches('\n')))
            }
            TagForm::Option => {
                let (name, rest) = first_word(&text);
                let mut key = typed_and_named(&self.tag, rest?, "[{<");
                if let Some(default) = key.text.as_deref().filter(|it| it.starts_with('(')) {
                    key.text = Some(typed_text(default, "(").rest);
                }
                DocTag { key: Some(Box::new(key)), ..tag(name, None, None) }
            }
            TagForm::Enum => {
                let (name, rest) = first_word(&text);
                let (key, rest) = first_word(rest?);
                let key = tag(key, None, rest);
                DocTag { key: Some(Box::new(key)), ..tag(name, None, None) }
            }
        })
    }
}

/// Returns true for `(see OTHER)`, which takes the documentation of another object.
fn is_reference(text: &str) -> bool {
    let text = text.trim();
    let Some(inner) = text.strip_suffix(')') else { return false };
    let Some((before, inner)) = inner.rsplit_once('(') else { return false };
    let words: Vec<&str> = inner.split_whitespace().collect();
    words.len() == 2 && words[0] == "see" && before.split_whitespace().count() <= 1
}

/// Splits a text after its first word.
fn first_word(text: &str) -> (Option<&str>, Option<&str>) {
    let text = text.trim();
    match text.split_once(char::is_whitespace) {
        Some((word, rest)) => (Some(word), Some(rest.trim_start())),
        None => (Some(text).filter(|it| !it.is_empty()), None),
    }
}

fn typed_and_named(tag: &str, text: &str, openers: &str) -> DocTag {
    let TypedText { before, types, rest } = typed_text(text, openers);
    let (name, text) = match before {
        Some(name) => (Some(name), Some(rest)),
        None => {
            let (name, rest) = first_word(&rest);
            (name.map(str::to_owned), rest.map(str::to_owned))
        }
    };
    DocTag { tag: tag.to_owned(), name, types, text, key: None }
}

/// Text with a list of types in brackets.
struct TypedText {
    /// Word before the list.
    before: Option<String>,
    types: Option<Vec<String>>,
    rest: String,
}

/// Reads `name [Type, Type] text`. The list may be missing, and a name may come first.
fn typed_text(text: &str, openers: &str) -> TypedText {
    let closers = ">})]";
    let mut before = String::new();
    let mut list = vec![String::new()];
    let mut level = 0_usize;
    let (mut has_space, mut last, mut end) = (false, ' ', None);
    let mut position = 0;
    while let Some(character) = text[position..].chars().next() {
        let rest = &text[position..];
        if let Some(quoted) = matches!(character, '"' | '\'').then(|| quoted(rest, character)).flatten() {
            push(&mut list, quoted);
            position += quoted.len();
            continue;
        }
        if openers.contains(character) {
            if level > 0 {
                push_char(&mut list, character);
            }
            level += 1;
        } else if closers.contains(character) {
            if !(last == '=' && character == '>') {
                level = level.saturating_sub(1);
                if level == 0 {
                    end = Some(position);
                    break;
                }
            }
            push_char(&mut list, character);
        } else if character == ',' && level == 1 {
            list.push(String::new());
        } else if level >= 1 {
            push_char(&mut list, character);
        } else if character == '\n' {
            break;
        } else if !character.is_whitespace() {
            if has_space && list.len() == 1 && list[0].is_empty() {
                break;
            }
            before.push(character);
        } else if !before.is_empty() {
            has_space = true;
        }
        last = character;
        position += character.len_utf8();
    }
    if list.len() == 1 && list[0].is_empty() {
        return TypedText { before: None, types: None, rest: text.trim().to_owned() };
    }
    let rest = end.map_or_else(|| text.get(1..).unwrap_or_default(), |end| &text[end + 1..]);
    TypedText {
        before: Some(before.trim().to_owned()).filter(|it| !it.is_empty()),
        types: Some(list.iter().map(|it| it.trim().to_owned()).collect()),
        rest: rest.trim().to_owned(),
    }
}

/// Returns the quoted string at the start of a text, if it is not empty and ends on its line.
fn quoted(text: &str, quote: char) -> Option<&str> {
    let line = text.lines().next()?;
    let content_end = line.char_indices().skip(2).find(|(_, it)| *it == quote)?.0;
    Some(&text[..content_end + 1])
}

fn push(list: &mut [String], text: &str) {
    if let Some(last) = list.last_mut() {
        last.push_str(text);
    }
}

fn push_char(list: &mut [String], character: char) {
    if let Some(last) = list.last_mut() {
        last.push(character);
    }
}

/// Removes `count` spaces and tabs at the start of a line, if it has as many.
pub(crate) fn without_indent(line: &str, count: usize) -> &str {
    let indent = line.len() - line.trim_start_matches([' ', '\t']).len();
    if indent >= count { &line[count..] } else { line }
}

/// Returns a title with single spaces.
fn squeezed(title: &str) -> String {
    let mut result = String::new();
    for character in title.chars() {
        if !(character == ' ' && result.ends_with(' ')) {
            result.push(character);
        }
    }
    result.trim().to_owned()
}
