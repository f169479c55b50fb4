//! From ERB templates to EPP.
//!
//! A template is converted if its code is understood completely: whatever the values are, both templates have the same
//! output. Values are only printed if their type is known to be simple, since Ruby and Puppet print arrays and
//! hashes differently. The text around the tags is compared with that of the parsed result.

mod calls;
mod expressions;
mod inputs;
mod scope;
mod shapes;
mod statements;
mod tags;

use syntax::Language;
use syntax::ast::{AstNode, RenderString};

use crate::RewriteRefusal;
use scope::ErbScope;
use statements::TagConverter;
use tags::TagKind;

pub use calls::{ComputedNames, TemplateCall, argument_of, mention_besides, template_calls};
pub use inputs::{InputRead, InputType, TemplateInput};
pub use shapes::ValueShape;

/// Returns the variables that a template reads, except those that EPP templates can read too.
///
/// # Errors
/// Returns the reason if they are not known.
pub fn template_inputs(path: &str, text: &str) -> Result<Vec<TemplateInput>, RewriteRefusal> {
    let template = plugins::erb::read(text);
    if let Some(finding) = &template.finding {
        return Err(RewriteRefusal::at("the template is not valid", path, text, finding.range.start));
    }
    let mut reads: Vec<(InputRead, u32)> = Vec::new();
    for it in &template.uses {
        if it.kind == plugins::erb::VariableUseKind::Write {
            let reason = format!("`@{}` is assigned", it.name);
            return Err(RewriteRefusal::at(reason, path, text, it.range.start));
        }
        reads.push((InputRead::Variable(it.name.to_string()), it.range.start));
    }
    for it in &template.scope_reads {
        reads.push((InputRead::of_scope(&it.name), it.range.start));
    }
    let mut inputs: Vec<TemplateInput> = Vec::new();
    for (read, at) in reads {
        let (InputRead::Variable(name) | InputRead::Qualified(name)) = &read;
        let last = name.rsplit("::").next().unwrap_or_default();
        if matches!(name.trim_start_matches(':'), "facts" | "trusted")
            || inputs.iter().any(|it| it.read == read)
        {
            continue;
        }
        let is_valid = last.starts_with(|it: char| it.is_ascii_lowercase() || it == '_')
            && last.chars().all(|it| it.is_ascii_lowercase() || it.is_ascii_digit() || it == '_');
        if !is_valid || inputs.iter().any(|it| it.name == last) {
            let reason = format!("`{name}` cannot become a parameter `{last}`");
            return Err(RewriteRefusal::at(reason, path, text, at));
        }
        inputs.push(TemplateInput { name: last.to_owned(), read });
    }
    Ok(inputs)
}

/// Converts a template. `types` are the types of its inputs, in their order.
///
/// # Errors
/// Returns the reason if the result could have another output.
pub fn erb_to_epp(
    path: &str,
    text: &str,
    inputs: &[(TemplateInput, InputType)],
) -> Result<String, RewriteRefusal> {
    let refused = |reason: String, at: usize| RewriteRefusal::at(reason, path, text, at as u32);
    let tags = tags::find(path, text)?;
    let mut converter = TagConverter::new(ErbScope::new(inputs));
    let mut epp = header(inputs);
    let mut from = 0;
    // Texts between the tags that are no comments.
    let mut texts = vec![String::new()];
    let mut whole = String::new();
    for (at, tag) in tags.iter().enumerate() {
        epp += &text[from..tag.start];
        from = tag.end;
        let output = tags::text_before(text, &tags, at);
        whole += output;
        texts.last_mut().into_iter().for_each(|it| it.push_str(output));
        let is_comment = tag.kind == TagKind::Comment || is_comment(&text[tag.code.clone()]);
        if !is_comment {
            texts.push(String::new());
        }
        let code = &text[tag.code.clone()];
        epp += &match tag.kind {
            TagKind::Comment => tag.comment(code),
            TagKind::Code if is_comment => tag.comment(code.trim_start().strip_prefix('#').unwrap_or(code)),
            TagKind::Code => tag.with_code(&converter.code(code).map_err(|it| refused(it, tag.start))?),
            TagKind::Output => tag.with_code(&converter.output(code).map_err(|it| refused(it, tag.start))?),
        };
    }
    epp += &text[from..];
    let output = tags::text_before(text, &tags, tags.len());
    whole += output;
    texts.last_mut().into_iter().for_each(|it| it.push_str(output));
    let parse = syntax::parse(&epp, Language::Epp);
    if !parse.errors().is_empty() || !converter.is_complete() {
        return Err(refused("the code is not understood".to_owned(), 0));
    }
    let nodes = parse.syntax();
    let kept = nodes.descendants().filter_map(RenderString::cast).map(|it| it.value());
    let is_same = kept.filter(|it| !it.is_empty()).eq(texts.into_iter().filter(|it| !it.is_empty()));
    if !is_same || plugins::erb::read(text).texts.concat() != whole {
        return Err(refused("EPP trims other whitespace".to_owned(), 0));
    }
    Ok(epp)
}

/// Returns true for code that is only a comment.
fn is_comment(code: &str) -> bool {
    code.trim_start().starts_with('#') && !code.contains('\n')
}

/// Returns the tag with the parameters.
fn header(inputs: &[(TemplateInput, InputType)]) -> String {
    if inputs.is_empty() {
        return String::new();
    }
    let parameters = inputs.iter().map(|(input, ty)| format!("  {} ${},\n", ty.text, input.name));
    format!("<%- |\n{}| -%>\n", parameters.collect::<String>())
}
