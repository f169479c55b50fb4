//! Calls of templates in manifests, and other code that may name a template.

use super::inputs::{InputRead, TemplateInput};
use plugins::built_in;
use syntax::ast::{
    AccessOrCallArgument, AssignmentExpr, AstNode, CallExpr, Definition, Expr, InterpolatedString, Parameter,
    StringPart,
};
use syntax::{Language, SyntaxNode, TextRange};

/// Maximum width of a line with a call.
const MAX_WIDTH: usize = 100;

/// Call `template('m/x.erb')` in a manifest.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TemplateCall {
    pub range: TextRange,
}

/// Returns the calls of the function `template` with a literal name alone, in a manifest of `module`.
pub fn template_calls(text: &str, template: &str, module: Option<&str>) -> Vec<TemplateCall> {
    if !text.contains(in_module(template)) {
        return Vec::new();
    }
    let parse = syntax::parse(text, Language::Manifest);
    if !parse.errors().is_empty() {
        return Vec::new();
    }
    let calls = parse.syntax().descendants().filter_map(CallExpr::cast);
    let calls =
        calls.filter(|it| it.lambda().is_none() && literal_argument(it, module).as_deref() == Some(template));
    calls.map(|it| TemplateCall { range: it.syntax().text_range() }).collect()
}

fn literal_argument(call: &CallExpr, module: Option<&str>) -> Option<String> {
    let Some(Expr::QualifiedName(name)) = call.functor() else { return None };
    if name.text() != "template" {
        return None;
    }
    match &call.arguments()?.arguments()[..] {
        [AccessOrCallArgument::Expr(Expr::LiteralString(it))] => Some(it.value().to_string()),
        [AccessOrCallArgument::Expr(Expr::InterpolatedString(it))] => match &name_parts(it, module)[..] {
            [Some(name)] => Some(name.clone()),
            _ => None,
        },
        _ => None,
    }
}

/// Returns the parts of a string: texts, which include the name of the module, and `None` for unknown ones.
fn name_parts(string: &InterpolatedString, module: Option<&str>) -> Vec<Option<String>> {
    let mut parts: Vec<Option<String>> = Vec::new();
    for part in string.parts() {
        let text = match &part {
            StringPart::Text(it) => Some(it.to_string()),
            StringPart::Expr(Expr::VariableExpr(it)) if it.name().is_some_and(|it| it == "module_name") => {
                module.map(str::to_owned)
            }
            _ => None,
        };
        match (parts.last_mut(), text) {
            (Some(Some(last)), Some(text)) => last.push_str(&text),
            (_, text) => parts.push(text),
        }
    }
    parts
}

/// Returns the path of a template in its module.
fn in_module(template: &str) -> &str {
    template.split_once('/').map_or(template, |it| it.1)
}

/// Punctuation of a hash with its whitespace.
struct HashLayout<'a> {
    open: &'a str,
    /// Between two entries.
    separator: &'a str,
    close: &'a str,
}

impl HashLayout<'static> {
    const ON_ONE_LINE: HashLayout<'static> = HashLayout { open: "{ ", separator: ", ", close: " }" };
}

impl TemplateCall {
    /// Returns the call of the EPP template with arguments for its inputs, and the range of each argument in the
    /// new text of the manifest, if it is the first call.
    pub fn rewritten(
        &self,
        text: &str,
        template: &str,
        arguments: &[(String, String)],
    ) -> (String, Vec<TextRange>) {
        let start = self.range.start as usize;
        let line = text[..start].rfind('\n').map_or(0, |it| it + 1);
        let rest = text[self.range.end as usize..].lines().next().unwrap_or_default().len();
        let short = self.written(template, arguments, &HashLayout::ON_ONE_LINE);
        if start - line + short.0.len() + rest <= MAX_WIDTH {
            return short;
        }
        let indent = &text[line..start];
        let indent = &indent[..indent.len() - indent.trim_start().len()];
        let width = arguments.iter().map(|it| it.0.len()).max().unwrap_or_default();
        let aligned: Vec<(String, String)> =
            arguments.iter().map(|(name, value)| (format!("{name:width$}"), value.clone())).collect();
        let (open, next) = (format!("{{\n{indent}  "), format!(",\n{indent}  "));
        let close = format!(",\n{indent}}}");
        self.written(template, &aligned, &HashLayout { open: &open, separator: &next, close: &close })
    }

    fn written(
        &self,
        template: &str,
        arguments: &[(String, String)],
        layout: &HashLayout<'_>,
    ) -> (String, Vec<TextRange>) {
        let name = format!("{}.epp", template.trim_end_matches(".erb"));
        let mut call = format!("epp('{name}'");
        let mut ranges = Vec::new();
        for (at, (name, value)) in arguments.iter().enumerate() {
            call += if at == 0 { ", " } else { layout.separator };
            call += if at == 0 { layout.open } else { "" };
            let quoted = name.trim_end();
            call += &format!("'{quoted}'{} => ", &name[quoted.len()..]);
            let start = self.range.start + call.len() as u32;
            call += value;
            ranges.push(TextRange::new(start, start + value.len() as u32));
        }
        call += if arguments.is_empty() { "" } else { layout.close };
        (call + ")", ranges)
    }
}

/// Returns the expression that passes an input at a call, which reads the same variable as the template does.
pub fn argument_of(input: &TemplateInput, text: &str, call: &TemplateCall) -> String {
    let (InputRead::Variable(name) | InputRead::Qualified(name)) = &input.read;
    let bare = name.trim_start_matches(':');
    let is_top = name.starts_with("::") && !bare.contains("::");
    if !bare.contains("::")
        && (is_top || !may_be_set(bare, text, call))
        && let Some(path) = built_in::replacement_of_legacy_fact(bare)
    {
        return path.to_string();
    }
    // The class around the call has its own variables.
    let own = bare.rsplit_once("::").filter(|(class, _)| {
        let around = definition_around(text, call);
        around.is_some_and(|it| {
            matches!(it, Definition::ClassDefinition(_)) && it.qualified_name().is_some_and(|it| it == *class)
        })
    });
    match own {
        Some((_, name)) => format!("${name}"),
        None if is_top => format!("${name}"),
        None => format!("${bare}"),
    }
}

/// Returns the innermost definition around a call.
fn definition_around(text: &str, call: &TemplateCall) -> Option<Definition> {
    let parse = syntax::parse(text, Language::Manifest);
    let contains = |it: &SyntaxNode| {
        let range = it.text_range();
        range.start <= call.range.start && call.range.end <= range.end
    };
    parse.syntax().descendants().filter(contains).filter_map(Definition::cast).last()
}

/// Returns true if a variable may belong to the definition around a call.
fn may_be_set(name: &str, text: &str, call: &TemplateCall) -> bool {
    let Some(definition) = definition_around(text, call) else { return true };
    let inherits = match &definition {
        Definition::ClassDefinition(it) => it.inherits().is_some(),
        Definition::DefinedType(_) => false,
        _ => true,
    };
    let is_set = |node: SyntaxNode| {
        if let Some(parameter) = Parameter::cast(node.clone()) {
            return parameter.name().is_some_and(|it| it == name);
        }
        let assigned = AssignmentExpr::cast(node).and_then(|it| it.lhs());
        assigned.is_some_and(|it| it.syntax().text().contains(name))
    };
    inherits || definition.syntax().descendants().any(is_set)
}

/// Returns the position in a file at which code other than `calls` may name a template.
pub fn mention_besides(
    path: &str,
    text: &str,
    template: &str,
    calls: &[TemplateCall],
    computed: Option<&ComputedNames>,
) -> Option<u32> {
    let in_module = in_module(template);
    let is_manifest = path.ends_with(".pp");
    let is_word = |it: u8| it.is_ascii_alphanumeric() || matches!(it, b'_' | b'-' | b'.');
    for (at, _) in text.match_indices(in_module) {
        let before = &text[..at];
        let is_longer = before.as_bytes().last().is_some_and(|it| is_word(*it))
            || text.as_bytes().get(at + in_module.len()).is_some_and(|it| is_word(*it));
        let module = before.strip_suffix('/').map(|it| it.rsplit(|it: char| !is_module(it)).next());
        let is_other = match module.flatten() {
            Some(module) if !module.is_empty() => {
                Some(module) != template.split_once('/').map(|it| it.0) && module != "templates"
            }
            _ => false,
        };
        let is_call = calls.iter().any(|it| it.range.start <= at as u32 && at as u32 <= it.range.end);
        let is_comment = is_manifest && is_in_comment(text, at as u32);
        if !(is_longer || is_other || is_call || is_comment) {
            return Some(at as u32);
        }
    }
    computed.and_then(|it| it.position_of(template, calls))
}

/// Returns true for a position in a comment of a manifest.
fn is_in_comment(text: &str, at: u32) -> bool {
    let parse = syntax::parse(text, Language::Manifest);
    let mut tokens = parse.syntax().tokens_at(at);
    tokens.any(|it| it.kind().is_trivia())
}

fn is_module(character: char) -> bool {
    character.is_ascii_alphanumeric() || character == '_' || character == '-'
}

/// Strings with interpolations in a manifest that may be names of templates.
#[derive(Clone, Default, Debug)]
pub struct ComputedNames {
    /// The strings, with their known parts.
    strings: Vec<(TextRange, Vec<Option<String>>)>,
}

impl ComputedNames {
    /// Finds the strings in a manifest of `module`.
    pub fn of(text: &str, module: Option<&str>) -> ComputedNames {
        if !text.contains("template") && !text.contains(".erb") {
            return ComputedNames::default();
        }
        let parse = syntax::parse(text, Language::Manifest);
        let strings = parse.syntax().descendants().filter_map(InterpolatedString::cast).filter_map(|it| {
            let is_argument = it.syntax().ancestors().any(|it| {
                let functor = CallExpr::cast(it).and_then(|it| it.functor());
                functor.is_some_and(|it| it.syntax().text().trim() == "template")
            });
            let parts = name_parts(&it, module);
            let names_template = parts.iter().flatten().any(|it| it.contains(".erb"));
            (is_argument || names_template).then(|| (it.syntax().text_range(), parts))
        });
        ComputedNames { strings: strings.collect() }
    }

    /// Returns the position of a string outside of `calls` that may be the name.
    fn position_of(&self, template: &str, calls: &[TemplateCall]) -> Option<u32> {
        let is_call = |range: TextRange| calls.iter().any(|it| it.range.contains_range(range));
        let found = self.strings.iter().find(|(range, parts)| !is_call(*range) && may_equal(parts, template));
        found.map(|(range, _)| range.start)
    }
}

/// Returns true if a string can have a value: its known parts occur in this order.
fn may_equal(parts: &[Option<String>], value: &str) -> bool {
    if let [Some(whole)] = parts {
        return whole == value;
    }
    let mut rest = value;
    for (at, part) in parts.iter().enumerate() {
        let Some(part) = part else { continue };
        let found = match at {
            0 => rest.strip_prefix(part.as_str()),
            _ if at + 1 == parts.len() => rest.strip_suffix(part.as_str()),
            _ => rest.find(part.as_str()).map(|it| &rest[it + part.len()..]),
        };
        match found {
            Some(it) => rest = it,
            None => return false,
        }
    }
    true
}
