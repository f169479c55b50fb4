//! Parser for puppet-strings comments in Puppet and Ruby code: Markdown with tags such as `@param`.

use smol_str::SmolStr;
use syntax::TextRange;

/// Parsed comment.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct StringsDoc {
    /// Text outside of all tags.
    pub text: String,
    pub summary: Option<String>,
    pub params: Vec<ParamDoc>,
    pub options: Vec<OptionDoc>,
    pub returns: Vec<TypedDoc>,
    pub raises: Vec<TypedDoc>,
    pub examples: Vec<ExampleDoc>,
    pub sees: Vec<String>,
    pub notes: Vec<String>,
    /// `private` or `public`.
    pub api: Option<SmolStr>,
    /// `@enum` tags, which document the values of a parameter.
    pub enums: Vec<OptionDoc>,
    /// Other tags: the name without `@`, and the rest.
    pub others: Vec<(SmolStr, String)>,
}

/// `@param name [Type] text`; the type may also come before the name.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ParamDoc {
    /// Name without `$`.
    pub name: SmolStr,
    /// Range of the name in the comment.
    pub range: TextRange,
    pub type_text: Option<SmolStr>,
    pub text: String,
}

/// `@option parameter [Type] :key text`
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OptionDoc {
    /// Parameter that accepts the option.
    pub parameter: SmolStr,
    /// Key without its colon.
    pub key: SmolStr,
    pub type_text: Option<SmolStr>,
    pub text: String,
}

/// `@return [Type] text`
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TypedDoc {
    pub type_text: Option<SmolStr>,
    pub text: String,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ExampleDoc {
    pub title: SmolStr,
    /// Code without common indentation.
    pub code: String,
}

impl StringsDoc {
    /// Returns true if the definition is only for use inside its module.
    pub fn is_private(&self) -> bool {
        self.api.as_deref() == Some("private")
    }

    /// Returns the documentation of a parameter.
    pub fn param(&self, name: &str) -> Option<&ParamDoc> {
        self.params.iter().find(|it| it.name == name)
    }
}

/// Tag as written in the comment: its name and its lines. The first line is the text after the name, at
/// `offset`.
struct StringsTag<'a> {
    name: &'a str,
    offset: usize,
    lines: Vec<&'a str>,
    /// Indentation of the first line below the tag. A line with less indentation ends the tag.
    indentation: usize,
}

/// Parses a comment without comment markers and without common indentation.
///
/// A tag is at the start of a line. It includes the indented lines that follow, up to the next line with less
/// indentation than the first of them.
pub fn parse(comment: &str) -> StringsDoc {
    let mut doc = StringsDoc::default();
    let mut text: Vec<&str> = Vec::new();
    let mut tag: Option<StringsTag> = None;
    let mut offset = 0;
    let mut empty_lines = 0;
    for whole_line in comment.split_inclusive('\n') {
        let line_offset = offset;
        offset += whole_line.len();
        let line = whole_line.trim_end();
        let indentation = line.len() - line.trim_start_matches([' ', '\t']).len();
        if line.is_empty() {
            match tag {
                // Empty lines are part of the tag only if more of its lines follow.
                Some(_) => empty_lines += 1,
                None => text.push(""),
            }
            continue;
        }
        if let Some((name, rest)) = tag_start(line) {
            finish(&mut doc, tag.take());
            let offset = line_offset + line.len() - rest.len();
            tag = Some(StringsTag { name, offset, lines: vec![rest], indentation: 0 });
        } else if let Some(open) = &mut tag
            && indentation > 0
            && indentation >= open.indentation
        {
            if open.indentation == 0 {
                open.indentation = indentation;
            }
            open.lines.extend(std::iter::repeat_n("", empty_lines));
            open.lines.push(line.get(open.indentation..).unwrap_or(line.trim_start()));
        } else {
            if tag.is_some() && !text.is_empty() {
                text.push("");
            }
            finish(&mut doc, tag.take());
            text.push(line);
        }
        empty_lines = 0;
    }
    finish(&mut doc, tag);
    doc.text = text.join("\n").trim_matches('\n').to_owned();
    doc
}

/// Splits a tag at the start of a line into its name and the rest of the line.
fn tag_start(line: &str) -> Option<(&str, &str)> {
    let tail = line.strip_prefix('@')?;
    let is_part = |character: char| character.is_alphanumeric() || matches!(character, '_' | '.');
    let sign = usize::from(tail.starts_with('!'));
    let end = tail[sign..].find(|character| !is_part(character)).map_or(tail.len(), |end| end + sign);
    let (name, rest) = tail.split_at(end);
    let is_name = name[sign..].starts_with(|character: char| character.is_alphanumeric());
    (is_name && (rest.is_empty() || rest.starts_with([' ', '\t']))).then(|| (name, rest.trim_start()))
}

fn finish(doc: &mut StringsDoc, tag: Option<StringsTag>) {
    let Some(tag) = tag else { return };
    let text = tag.lines.join("\n");
    if text.trim().is_empty() {
        return;
    }
    match tag.name {
        "summary" => doc.summary = Some(text.trim().to_owned()),
        "param" => doc.params.extend(param(&tag, &text)),
        "option" => doc.options.extend(option(&text)),
        "enum" => doc.enums.extend(option(&text)),
        "return" => doc.returns.push(typed(&text)),
        "raise" => doc.raises.push(typed(&text)),
        "example" => {
            let title = SmolStr::new(tag.lines[0].trim());
            doc.examples.push(ExampleDoc { title, code: tag.lines[1..].join("\n") });
        }
        "see" => doc.sees.push(text.trim().to_owned()),
        "note" => doc.notes.push(text.trim().to_owned()),
        "api" => doc.api = Some(SmolStr::new(text.trim())),
        // Ruby's tools use this tag to hide definitions.
        "!visibility" if text.trim() == "private" => doc.api = Some(SmolStr::new_static("private")),
        name => doc.others.push((SmolStr::new(name), text.trim().to_owned())),
    }
}

/// Splits off a `[Type]` at the start. Brackets may nest.
fn split_type(text: &str) -> (Option<SmolStr>, &str) {
    let text = text.trim_start();
    if !text.starts_with('[') {
        return (None, text);
    }
    let mut depth = 0_u32;
    for (index, byte) in text.bytes().enumerate() {
        match byte {
            b'[' => depth += 1,
            b']' => depth -= 1,
            _ => continue,
        }
        if depth == 0 {
            return (Some(SmolStr::new(text[1..index].trim())), text[index + 1..].trim_start());
        }
    }
    (None, text)
}

fn split_word(text: &str) -> (&str, &str) {
    let text = text.trim_start();
    let (word, rest) = text.split_at(text.find(char::is_whitespace).unwrap_or(text.len()));
    (word, rest.trim_start())
}

fn param(tag: &StringsTag, text: &str) -> Option<ParamDoc> {
    let (mut type_text, rest) = split_type(text);
    let (word, mut text_behind) = split_word(rest);
    let name = word.trim_start_matches('$').trim_end_matches([':', ',']);
    if name.is_empty() {
        return None;
    }
    if type_text.is_none() {
        (type_text, text_behind) = split_type(text_behind);
    }
    // The name is on the first line; otherwise its position is not known.
    let range = tag.lines[0].find(word).map_or(TextRange::empty(tag.offset as u32), |start| {
        let start = tag.offset + start + word.len() - word.trim_start_matches('$').len();
        TextRange::new(start as u32, (start + name.len()) as u32)
    });
    Some(ParamDoc { name: SmolStr::new(name), range, type_text, text: text_behind.trim().to_owned() })
}

fn option(text: &str) -> Option<OptionDoc> {
    let (parameter, rest) = split_word(text);
    let (type_text, rest) = split_type(rest);
    let (key, rest) = split_word(rest);
    let key = key.trim_matches([':', '\'', '"']);
    (!parameter.is_empty() && !key.is_empty()).then(|| OptionDoc {
        parameter: SmolStr::new(parameter.trim_start_matches('$')),
        key: SmolStr::new(key),
        type_text,
        text: rest.trim().to_owned(),
    })
}

fn typed(text: &str) -> TypedDoc {
    let (type_text, rest) = split_type(text);
    TypedDoc { type_text, text: rest.trim().to_owned() }
}

/// Renders a comment as Markdown: the description, then parameters, results and examples under headings.
pub fn to_markdown(doc: &StringsDoc) -> String {
    let mut blocks: Vec<String> = Vec::new();
    blocks.extend(doc.summary.clone());
    if doc.is_private() {
        blocks.push("*Private: for use inside the module only.*".to_owned());
    }
    blocks.push(doc.text.clone());
    blocks.extend(
        doc.others.iter().filter(|(name, _)| name == "deprecated").map(|(_, text)| quote("Deprecated", text)),
    );
    blocks.extend(doc.notes.iter().map(|text| quote("Note", text)));
    let mut params: Vec<String> = Vec::new();
    for param in &doc.params {
        params.push(item(&param.name, param.type_text.as_deref(), &param.text));
        params.extend(render_options(doc, &param.name));
    }
    for part in doc.options.iter().chain(&doc.enums).filter(|part| doc.param(&part.parameter).is_none()) {
        params.push(item(
            &format!("{}[{}]", part.parameter, part.key),
            part.type_text.as_deref(),
            &part.text,
        ));
    }
    blocks.extend(section("Parameters", params));
    let typed = |it: &TypedDoc| match (&it.type_text, it.text.as_str()) {
        (Some(type_text), "") => format!("- `{type_text}`"),
        (Some(type_text), text) => format!("- `{type_text}`: {}", indented(text)),
        (None, text) => format!("- {}", indented(text)),
    };
    blocks.extend(section("Returns", doc.returns.iter().map(typed).collect()));
    blocks.extend(section("Raises", doc.raises.iter().map(typed).collect()));
    for example in &doc.examples {
        let code = example.code.trim_end();
        let (title, code) = match (example.title.as_str(), code) {
            // The first line after the tag is its title, but often has the code.
            (title, "") if is_code(title) => ("", title),
            (_, "") => continue,
            parts => parts,
        };
        blocks.push(match title {
            "" => "**Example**".to_owned(),
            title => format!("**Example:** {title}"),
        });
        if code.contains("```") {
            blocks.push(code.to_owned());
        } else if !code.is_empty() {
            blocks.push(format!("```puppet\n{code}\n```"));
        }
    }
    let others = doc.others.iter().filter(|(name, _)| name != "deprecated" && !name.starts_with('!'));
    blocks.extend(others.map(|(name, text)| format!("**@{name}** {text}")));
    blocks.extend(section("See also", doc.sees.iter().map(|text| render_see(text)).collect()));
    blocks.retain(|block| !block.trim().is_empty());
    blocks.join("\n\n")
}

/// Returns true for a line that is code rather than prose.
fn is_code(line: &str) -> bool {
    const STATEMENTS: [&str; 4] = ["include ", "contain ", "require ", "class "];
    STATEMENTS.iter().any(|it| line.starts_with(it)) || line.contains(['(', '{', '[', '$', '='])
}

fn section(heading: &str, items: Vec<String>) -> Option<String> {
    (!items.is_empty()).then(|| format!("**{heading}**\n\n{}", items.join("\n")))
}

fn item(name: &str, type_text: Option<&str>, text: &str) -> String {
    let type_text = type_text.map_or(String::new(), |it| format!(" (`{it}`)"));
    match text {
        "" => format!("- `{name}`{type_text}"),
        text => format!("- `{name}`{type_text}: {}", indented(text)),
    }
}

/// Renders the options and values of a parameter as a nested list.
fn render_options(doc: &StringsDoc, parameter: &str) -> Vec<String> {
    let parts = doc.options.iter().chain(&doc.enums).filter(|part| part.parameter == parameter);
    parts
        .map(|part| format!("  {}", indented(&item(&part.key, part.type_text.as_deref(), &part.text))))
        .collect()
}

/// Indents the continuation lines of a list item.
fn indented(text: &str) -> String {
    let mut result = String::with_capacity(text.len());
    for (index, line) in text.lines().enumerate() {
        if index > 0 {
            result.push('\n');
            if !line.is_empty() {
                result.push_str("  ");
            }
        }
        result.push_str(line);
    }
    result
}

fn quote(heading: &str, text: &str) -> String {
    let mut lines = text.lines();
    let mut result = format!("> **{heading}:** {}", lines.next().unwrap_or(""));
    for line in lines {
        result.push_str("\n> ");
        result.push_str(line);
    }
    result
}

/// Renders a `@render_see` tag: a URL becomes a link whose text is the rest of the tag.
fn render_see(text: &str) -> String {
    let (address, words) = split_word(text);
    if !address.starts_with("http") {
        format!("- {}", indented(text))
    } else if words.is_empty() {
        format!("- <{address}>")
    } else {
        format!("- [{}]({address})", words.replace('\n', " "))
    }
}
