//! Documentation comments that puppet-strings reads differently from what the author meant.

use codes::Code;
use hir::{DefinitionKind, Name};
use syntax::{SyntaxKind, SyntaxToken, TextRange};

use super::documented_parameters::{check_documented, closing_bracket, comments_above};
use super::unknown::with_suggestion;
use crate::context::{RuleContext, SectionDefinition};
use crate::{Diagnostic, FixData};
use eval::similar::similar;

/// Tags of YARD and puppet-strings.
const TAGS: [&str; 30] = [
    "abstract",
    "api",
    "attr",
    "attr_reader",
    "attr_writer",
    "author",
    "deprecated",
    "enum",
    "example",
    "macro",
    "method",
    "note",
    "option",
    "overload",
    "param",
    "plan",
    "private",
    "property",
    "raise",
    "return",
    "scope",
    "see",
    "since",
    "summary",
    "todo",
    "version",
    "visibility",
    "yield",
    "yieldparam",
    "yieldreturn",
];

/// Length of a summary in characters above which Puppet Strings warns.
const MAX_SUMMARY_LENGTH: usize = 140;

pub(super) fn check(context: &mut RuleContext<'_>) {
    check_documented(context, check_definition);
}

fn check_definition(
    context: &RuleContext<'_>,
    definition: &SectionDefinition<'_>,
    found: &mut Vec<Diagnostic>,
) {
    // The tree of a closed file is only built if there is something to check.
    let has_tags = match project::documentation(context.db, definition.id) {
        Some(documentation) => documentation.contains('@'),
        None => project::text(context.db, context.file).is_some_and(|it| it.contains("# @")),
    };
    if !has_tags {
        return;
    }
    let Some(node) = context.definition_node(definition) else { return };
    let comments = comments_above(&node);
    for (index, comment) in comments.iter().enumerate() {
        let Some(tag) = Tag::of(comment) else { continue };
        if !TAGS.contains(&tag.name) {
            found.push(unknown_tag(&tag));
        } else if tag.name == "example" && tag.rest.trim().is_empty() {
            let message = codes::with_help("`@example` without a title", "add a title after the tag");
            found.push(Diagnostic::new(Code::UntitledExample, tag.range, message));
        } else if tag.name == "param" {
            found.extend(parameter_type(definition, context, &tag));
        } else if tag.name == "return" {
            found.extend(return_type(definition, context, &tag));
        } else if tag.name == "summary" {
            found.extend(long_summary(&tag, &comments[index + 1..]));
        }
    }
    found.extend(missing_return(definition, context, &comments));
    let first = comments.first().map_or_else(|| node.first_token(), |it| Some(it.clone()));
    found.extend(first.and_then(|it| detached(&it, &definition.key.name)));
}

/// Tag at the beginning of a comment.
struct Tag<'a> {
    name: &'a str,
    /// Range with `@`.
    range: TextRange,
    /// Text after the name.
    rest: &'a str,
    /// Position of `rest`.
    rest_start: u32,
}

impl Tag<'_> {
    fn of(comment: &SyntaxToken) -> Option<Tag<'_>> {
        let text = comment.text();
        let content = text.strip_prefix('#')?;
        // Code of an example is indented further.
        let indent = content.len() - content.trim_start().len();
        let content = content.trim_start().strip_prefix('@').filter(|_| indent <= 1)?;
        let length = content.bytes().take_while(|it| it.is_ascii_lowercase() || *it == b'_').count();
        let (name, rest) = content.split_at(length);
        // `@!group` and email addresses are no tags.
        if name.is_empty() || !(rest.is_empty() || rest.starts_with([' ', '\t', '['])) {
            return None;
        }
        let start = comment.text_range().start + 1 + indent as u32;
        let rest_start = start + 1 + length as u32;
        Some(Tag { name, range: TextRange::new(start, rest_start), rest, rest_start })
    }
}

fn unknown_tag(tag: &Tag<'_>) -> Diagnostic {
    let similar = similar(tag.name, TAGS.iter().copied());
    let suggestion = similar.first().map(|name| Name::from(format!("@{name}")));
    let message = with_suggestion(format!("unknown documentation tag `@{}`", tag.name), suggestion.as_ref());
    let diagnostic = Diagnostic::new(Code::UnknownDocTag, tag.range, message);
    match similar.first() {
        Some(name) => {
            diagnostic.with_data(FixData::ReplaceWith { range: tag.range, text: format!("@{name}").into() })
        }
        None => diagnostic,
    }
}

/// Reports a documented type that is not the one in the code.
fn parameter_type(
    definition: &SectionDefinition<'_>,
    context: &RuleContext<'_>,
    tag: &Tag<'_>,
) -> Option<Diagnostic> {
    let (name, at, documented) = named_type(tag.rest)?;
    let parameter = definition.body.parameters.iter().find(|it| it.name == name)?;
    let node = context.node(definition, parameter.type_expr?)?;
    let declared = node.text().to_owned();
    let without_blanks = |text: &str| text.split_whitespace().collect::<String>();
    if without_blanks(documented) == without_blanks(&declared) {
        return None;
    }
    let start = tag.rest_start + at as u32;
    let range = TextRange::new(start, start + documented.len() as u32 + 2);
    let message = codes::with_help(
        format!("parameter `{name}` has the type `{}`, not `{documented}`", without_blanks(&declared)),
        "remove the type from the comment",
    );
    // With the space after it.
    let fix = FixData::Remove(TextRange::new(range.start, range.end + 1));
    Some(Diagnostic::new(Code::ParamTagType, range, message).with_data(fix))
}

/// Reports a documented return type that is not the one in the code.
fn return_type(
    definition: &SectionDefinition<'_>,
    context: &RuleContext<'_>,
    tag: &Tag<'_>,
) -> Option<Diagnostic> {
    let node = context.node(definition, definition.body.return_type?)?;
    let start = tag.rest.len() - tag.rest.trim_start().len();
    let bracketed = tag.rest[start..].starts_with('[').then(|| &tag.rest[start..])?;
    let end = closing_bracket(bracketed)?;
    let documented = &bracketed[1..end - 1];
    let without_blanks = |text: &str| text.split_whitespace().collect::<String>();
    let declared = without_blanks(node.text());
    if without_blanks(documented) == declared {
        return None;
    }
    let start = tag.rest_start + start as u32;
    let range = TextRange::new(start, start + end as u32);
    let owner = &definition.key.name;
    let message = codes::with_help(
        format!("function `{owner}` has the return type `{declared}`, not `{documented}`"),
        format!("write `[{declared}]`"),
    );
    let fix = FixData::ReplaceWith { range, text: format!("[{declared}]").into() };
    Some(Diagnostic::new(Code::ReturnTagType, range, message).with_data(fix))
}

/// Reports a function with other tags that lacks the one for its result.
fn missing_return(
    definition: &SectionDefinition<'_>,
    context: &RuleContext<'_>,
    comments: &[SyntaxToken],
) -> Option<Diagnostic> {
    if definition.key.kind != DefinitionKind::Function {
        return None;
    }
    let mut tags = comments.iter().filter_map(Tag::of).peekable();
    tags.peek()?;
    if tags.any(|it| matches!(it.name, "return" | "overload")) {
        return None;
    }
    let is_head = |it: &&hir::NameUse| {
        it.access == hir::Access::Declaration
            && it.kind == hir::NameUseKind::Function
            && it.name == definition.key.name
    };
    let range = context.uses.iter().find(is_head)?.range;
    let message = format!("undocumented result of function `{}`", definition.key.name);
    Some(Diagnostic::new(Code::MissingReturnTag, range, message))
}

/// Reports a summary that is too long for a list of all definitions.
fn long_summary(tag: &Tag<'_>, following: &[SyntaxToken]) -> Option<Diagnostic> {
    let mut length = tag.rest.trim().chars().count();
    // Only lines that are indented further belong to the tag.
    for comment in following {
        let content = comment.text().trim_start_matches('#');
        if !content.starts_with("  ") || content.trim().is_empty() {
            break;
        }
        length += 1 + content.trim().chars().count();
    }
    let message =
        format!("summary has {length} characters; Puppet Strings recommends at most {MAX_SUMMARY_LENGTH}");
    (length > MAX_SUMMARY_LENGTH).then(|| Diagnostic::new(Code::LongSummary, tag.range, message))
}

/// Returns the name, the position of the bracket, and the type of `name [Type] text` and `[Type] name text`.
fn named_type(rest: &str) -> Option<(&str, usize, &str)> {
    let is_word = |it: char| it.is_ascii_alphanumeric() || it == '_';
    let start = rest.len() - rest.trim_start().len();
    let (name, bracket) = if rest[start..].starts_with('[') {
        let end = start + closing_bracket(&rest[start..])?;
        (rest[end..].split_whitespace().next()?, start)
    } else {
        let name = rest[start..].split(|it| !is_word(it)).next()?;
        let after = &rest[start + name.len()..];
        let bracket = rest.len() - after.trim_start().len();
        (name, bracket)
    };
    if !rest[bracket..].starts_with('[') || name.is_empty() {
        return None;
    }
    let end = bracket + closing_bracket(&rest[bracket..])?;
    // A space has to follow, or the end of the line.
    if !(rest[end..].is_empty() || rest[end..].starts_with(' ')) {
        return None;
    }
    Some((name.trim_start_matches(['$', '*', '&']), bracket, &rest[bracket + 1..end - 1]))
}

/// Reports a comment with tags that a blank line separates from the documentation or the definition.
fn detached(first: &SyntaxToken, owner: &str) -> Option<Diagnostic> {
    let blank = first.prev_token().filter(|it| it.kind() == SyntaxKind::WHITESPACE)?;
    if blank.text().matches('\n').count() != 2 {
        return None;
    }
    let last = blank.prev_token().filter(|it| it.kind() == SyntaxKind::COMMENT)?;
    let mut block = vec![last.clone()];
    let mut token = last.prev_token();
    while let Some(current) = token {
        match current.kind() {
            SyntaxKind::WHITESPACE if current.text().matches('\n').count() <= 1 => {}
            SyntaxKind::COMMENT => block.push(current.clone()),
            _ => break,
        }
        token = current.prev_token();
    }
    // A comment after other code on its line is none of a definition.
    let starts_line = |it: &SyntaxToken| it.prev_token().is_none_or(|it| it.text().ends_with('\n'));
    let tags = block.iter().rev().filter(|it| starts_line(it)).filter_map(Tag::of);
    let tag = tags.into_iter().find(|it| TAGS.contains(&it.name))?;
    let message = codes::with_help(
        format!("a blank line separates `@{}` from the documentation of `{owner}`", tag.name),
        "remove the blank line",
    );
    let range = tag.range;
    let newline = blank.text_range().start + blank.text().find('\n')? as u32;
    let fix = FixData::Remove(TextRange::new(newline, newline + 1));
    Some(Diagnostic::new(Code::DetachedDocumentation, range, message).with_data(fix))
}
