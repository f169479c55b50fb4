//! Definitions in Puppet code.

use syntax::ast::{AstNode, Definition, Expr, Parameter, SourceFile};
use syntax::{Language, SyntaxKind, SyntaxNode};

use crate::docstring::{DocTag, Docstring};
use crate::{
    DocumentedAlias, DocumentedDefinition, DocumentedFunction, DocumentedFunctionApi, DocumentedPlace,
    DocumentedSignature, ModuleFile, ModuleReference, dedented, defaults, signature,
};

pub(crate) fn read(file: ModuleFile<'_>, reference: &mut ModuleReference) {
    let language = if file.path.starts_with("plans/") { Language::Plan } else { Language::Manifest };
    let parse = syntax::parse(file.text, language);
    if let Some(error) = parse.errors().first() {
        let line = line_of(file.text, error.range.start);
        reference.omitted.push(format!("{}:{line}: definitions of a file with a syntax error", file.path));
        return;
    }
    let Some(root) = SourceFile::cast(parse.syntax()) else { return };
    for definition in root.definitions() {
        add(file, &definition, reference);
    }
}

fn add(file: ModuleFile<'_>, definition: &Definition, reference: &mut ModuleReference) {
    let Some(name) = definition.qualified_name() else { return };
    let node = definition.syntax();
    let place =
        DocumentedPlace { file: file.path.to_owned(), line: line_of(file.text, node.text_range().start) };
    let docstring = Docstring::parse(&comment_above(file.text, place.line));
    let source = node.text().trim().to_owned();
    let parameters = parameters(definition);
    let values: Vec<(String, Option<String>)> =
        parameters.iter().map(|it| (it.name.clone(), it.default.clone())).collect();
    let documented = |docstring: Docstring, inherits: Option<String>| DocumentedDefinition {
        name: name.clone(),
        place: place.clone(),
        inherits,
        docstring: with_parameters(docstring, &parameters),
        defaults: defaults(&values),
        parameter_offsets: parameters.iter().map(|it| (it.name.clone(), it.offset)).collect(),
        source: source.clone(),
    };
    match definition {
        Definition::ClassDefinition(it) => {
            let inherits = it.inherits().and_then(|it| it.name()).map(|it| it.text());
            let inherits = inherits.map(|it| it.trim_start_matches("::").to_owned());
            reference.classes.push(documented(docstring, inherits));
        }
        Definition::DefinedType(_) => reference.defined_types.push(documented(docstring, None)),
        Definition::PlanDefinition(_) => reference.plans.push(documented(docstring, None)),
        Definition::FunctionDefinition(it) => {
            let mut docstring = with_parameters(docstring, &parameters);
            let return_type = it.return_type().and_then(|it| it.type_expr()).map(|it| text_of(it.syntax()));
            add_return_type(&mut docstring, return_type);
            reference.functions.push(DocumentedFunction {
                place,
                api: DocumentedFunctionApi::Puppet,
                signatures: vec![DocumentedSignature {
                    text: signature(&name, &values, &docstring),
                    docstring: docstring.clone(),
                }],
                docstring,
                defaults: defaults(&values),
                source: dedented(&source),
                name,
            });
        }
        Definition::TypeAlias(it) => {
            let Some(type_expr) = it.type_expr() else { return };
            let alias_of = alias_text(&type_expr);
            reference.type_aliases.push(DocumentedAlias { name, place, docstring, alias_of });
        }
        Definition::NodeDefinition(_) | Definition::TypeDefinition(_) | Definition::TypeMapping(_) => {}
    }
}

/// Returns the line of an offset, from 1.
fn line_of(text: &str, offset: u32) -> u32 {
    let before = &text.as_bytes()[..(offset as usize).min(text.len())];
    before.iter().filter(|it| **it == b'\n').count() as u32 + 1
}

/// Returns the comment that ends on the line before `line`, without comment markers.
fn comment_above(text: &str, line: u32) -> String {
    let lines: Vec<&str> = text.lines().take(line as usize - 1).collect();
    let mut comment = Vec::new();
    for line in lines.iter().rev() {
        let Some(marked) = line.trim().strip_prefix('#') else { break };
        let content = marked.trim_start_matches('#');
        comment.push(content.strip_prefix(char::is_whitespace).unwrap_or(content));
    }
    comment.reverse();
    comment.join("\n")
}

struct ParameterSource {
    name: String,
    type_text: Option<String>,
    default: Option<String>,
    /// Offset of the name in the file.
    offset: u32,
}

fn parameters(definition: &Definition) -> Vec<ParameterSource> {
    let list = definition.parameters();
    let parameters = list.iter().flat_map(|it| it.parameters());
    let parameter = |it: Parameter| {
        Some(ParameterSource {
            name: it.name()?,
            type_text: it.type_expr().map(|it| text_of(it.syntax())),
            default: it.default().map(|it| text_of(it.syntax())),
            offset: it.variable()?.text_range().start,
        })
    };
    parameters.filter_map(parameter).collect()
}

/// Returns the text of an expression. Puppet's tree does not contain the closing brace of a selector, so neither
/// does the text.
fn text_of(node: &SyntaxNode) -> String {
    let mut last = node.clone();
    while let Some(child) = last.children().last() {
        let is_selector = last.kind() == SyntaxKind::SELECTOR_EXPR;
        if !is_selector && child.text_range().end != node.text_range().end {
            break;
        }
        last = child;
        if is_selector {
            let length = (last.text_range().end - node.text_range().start) as usize;
            return node.text().get(..length).unwrap_or_default().trim().to_owned();
        }
    }
    node.text().trim().to_owned()
}

/// Returns the text of an aliased type, with the arguments of its own brackets on one line.
fn alias_text(type_expr: &Expr) -> String {
    let Expr::AccessExpr(access) = type_expr else { return text_of(type_expr.syntax()) };
    let name = access.lhs().map(|it| text_of(it.syntax())).unwrap_or_default();
    let keys = access.keys().map(|it| it.arguments()).unwrap_or_default();
    let base = type_expr.syntax().text_range().start;
    let text = type_expr.syntax().text();
    let keys: Vec<&str> = keys
        .iter()
        .map(|it| it.range())
        .filter_map(|range| text.get((range.start - base) as usize..(range.end - base) as usize))
        .map(str::trim)
        .collect();
    format!("{name}[{}]", keys.join(", "))
}

/// Completes the `@param` tags by the types and the parameters of the definition.
fn with_parameters(mut docstring: Docstring, parameters: &[ParameterSource]) -> Docstring {
    for parameter in parameters {
        let type_text = parameter.type_text.as_deref();
        match docstring.tag_mut("param", Some(&parameter.name)) {
            Some(tag) => match type_text {
                Some(type_text) => tag.types = Some(vec![type_text.to_owned()]),
                None => _ = tag.types.get_or_insert_with(|| vec!["Any".to_owned()]),
            },
            None => {
                let tag = DocTag::implied("param", Some(&parameter.name), type_text.unwrap_or("Any"));
                docstring.tags.push(tag);
            }
        }
    }
    docstring
}

fn add_return_type(docstring: &mut Docstring, type_text: Option<String>) {
    match docstring.tag_mut("return", None) {
        Some(tag) => {
            if let Some(type_text) = type_text {
                tag.types = Some(vec![type_text]);
            }
            tag.types.get_or_insert_with(|| vec!["Any".to_owned()]);
        }
        None => {
            let type_text = type_text.unwrap_or_else(|| "Any".to_owned());
            docstring.tags.push(DocTag::implied("return", None, &type_text));
        }
    }
}
