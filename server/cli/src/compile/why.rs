//! `compile --why`: the code that put a resource and each of its parameters into the catalog.

use std::fmt::Write;

use catalog_view::references::normalized;
use catalog_view::values::{is_unknown, notation, parameters, reference, shown_value};
use compile::{CompileRequest, EntryPoint, FileReader};
use eval::{Catalog, CatalogResource, ExprPlace, RelationshipMetaparameter};
use hiera::data::{self, DataFormat};
use hiera::lookup::Explanation;
use hiera::merge::Answer;
use ide::{Analysis, Compiled, EnvironmentId, FilePath};
use output::visible;
use scalars::similar::similar;
use syntax::{Language, SyntaxKind, SyntaxNode};
use types::Value;

use crate::position::LocationPrinter;

/// Maximum length of displayed values, in characters.
const MAX_VALUE_LENGTH: usize = 60;

/// Data that parameters of classes get their values from.
pub(super) struct CompileSource<'a> {
    pub(super) environment: EnvironmentId,
    /// Request of the compile.
    pub(super) request: &'a CompileRequest,
    pub(super) reader: &'a dyn FileReader,
}

/// Returns the error for a resource that is not in the catalog.
pub(super) fn not_found(catalog: &Catalog, written: &str) -> String {
    let problem = format!("resource `{written}` is not in the catalog");
    let wanted = normalized(written);
    let type_name = wanted.split('[').next().unwrap_or_default();
    let of_type: Vec<String> = catalog.resources.iter().map(reference).collect();
    match similar(&wanted, of_type.iter().map(String::as_str)).first() {
        Some(name) => codes::with_help(problem, format!("did you mean `{name}`?")),
        None if !of_type.iter().any(|it| it.split('[').next() == Some(type_name)) => {
            codes::with_help(problem, format!("the catalog has no resource of type `{type_name}`"))
        }
        None => problem,
    }
}

/// Renders the origin of a resource: the declarations that lead to it, and the code that set each parameter.
pub(super) fn render(
    analysis: &Analysis,
    source: &CompileSource<'_>,
    compiled: &Compiled,
    index: usize,
    is_colored: bool,
) -> anyhow::Result<String> {
    let catalog = compiled.catalog();
    let mut places = Places { analysis, compiled, printer: LocationPrinter::new(analysis) };
    let paint = |style: &str, text: &str| {
        if is_colored { format!("\x1b[{style}m{text}\x1b[0m") } else { text.to_owned() }
    };
    let resource = &catalog.resources[index];
    let mut out = format!("{}\n", paint("1;36", &visible(&reference(resource))));
    for line in chain(catalog, index, &mut places)? {
        let _ = writeln!(out, "  {line}");
    }
    let shown = parameters(resource);
    if !shown.is_empty() {
        out.push('\n');
    }
    for (name, value) in shown {
        let at = resource.parameters.iter().position(|(it, _)| it == name);
        let place = at.and_then(|at| resource.parameter_places.get(at).copied().flatten());
        let origin = match place {
            Some(place) => places.labelled(place)?,
            None => match class_parameter(resource, name) {
                Some(key) => places.of_data(source, &key)?,
                None => without_code(resource, name).to_owned(),
            },
        };
        let value = if is_unknown(&value) { paint("33", &shortened(&value)) } else { shortened(&value) };
        let _ = writeln!(out, "  {name} => {value}  {}", paint("2", &origin));
    }
    Ok(out)
}

/// Describes the chain of declarations from a resource to the main manifest, and the collectors of the
/// resource.
fn chain(catalog: &Catalog, index: usize, places: &mut Places<'_>) -> anyhow::Result<Vec<String>> {
    let mut lines = Vec::new();
    let mut at = index;
    // A class may be declared by code that it declares itself.
    let mut seen = vec![index];
    loop {
        let resource = &catalog.resources[at];
        let of = if at == index { String::new() } else { format!("by {}, ", visible(&reference(resource))) };
        let Some(place) = resource.place else {
            if at == index {
                lines.push("added by Puppet itself".to_owned());
            }
            break;
        };
        lines.push(format!("{of}declared at {}", places.labelled(place)?));
        match resource.declared_in.filter(|it| !seen.contains(it)) {
            Some(container) => {
                seen.push(container);
                at = container;
            }
            None => break,
        }
    }
    for collector in catalog.collectors.iter().filter(|it| it.collected.contains(&index)) {
        let place = places.labelled(collector.place)?;
        lines.push(format!("collected at {}", place.trim_end_matches(" (collector)")));
    }
    let resource = &catalog.resources[index];
    if resource.is_possible {
        lines.push("possibly: its existence depends on an unknown value".to_owned());
    }
    Ok(lines)
}

/// Returns the key in Hiera data of a parameter of a class.
fn class_parameter(resource: &CatalogResource, name: &str) -> Option<String> {
    let class = resource.title.as_ref().filter(|_| resource.is_class() && !is_metaparameter(name))?;
    Some(format!("{}::{name}", class.to_lowercase()))
}

fn is_metaparameter(name: &str) -> bool {
    matches!(name, "name" | "stage" | "tag") || RelationshipMetaparameter::from_name(name).is_some()
}

/// Describes the origin of a parameter that no code of the catalog has set.
fn without_code(resource: &CatalogResource, name: &str) -> &'static str {
    match name {
        "name" => "from the title",
        _ if RelationshipMetaparameter::from_name(name).is_some() => "from a relationship",
        _ if resource.is_class() || resource.type_name.contains("::") => "default of the parameter",
        _ => "from a function, the title, or the default of the parameter",
    }
}

fn shortened(value: &Value) -> String {
    let text = notation(&shown_value(value));
    if text.chars().count() > MAX_VALUE_LENGTH {
        text.chars().take(MAX_VALUE_LENGTH).chain(['…']).collect()
    } else {
        text
    }
}

/// Locations of code in a compile.
struct Places<'a> {
    analysis: &'a Analysis,
    compiled: &'a Compiled,
    printer: LocationPrinter<'a>,
}

impl Places<'_> {
    /// Returns the locations of a key in Hiera data.
    fn of_data(&mut self, source: &CompileSource<'_>, key: &str) -> anyhow::Result<String> {
        let request = CompileRequest { entry: EntryPoint::Code("".into()), ..source.request.clone() };
        let found = self.analysis.look_up(source.environment, &request, &[key], None, Some(source.reader))?;
        let found = found.into_iter().next();
        let (answer, explanation) = found.unwrap_or_else(|| (Ok(Answer::Missing), Explanation::default()));
        let mut found = Vec::new();
        for (step, _) in explanation.found() {
            found.push(match &step.path {
                Some(path) => self.key_in_file(path, key)?,
                None => visible(&step.written).into_owned(),
            });
        }
        Ok(match answer {
            Ok(Answer::Found(_)) if !found.is_empty() => format!("{} (data)", found.join(", ")),
            Ok(Answer::Missing) => "default of the parameter".to_owned(),
            _ => "from Hiera data, or the default of the parameter".to_owned(),
        })
    }

    /// Returns the location of a key in a data file as `file:line`.
    fn key_in_file(&mut self, path: &str, key: &str) -> anyhow::Result<String> {
        let file = FilePath::from_normalised(path).and_then(|it| self.analysis.file_id(&it));
        let Some(file) = file else { return Ok(visible(path).into_owned()) };
        let text = self.analysis.text(file)?.unwrap_or_default();
        let data = DataFormat::of_path(path).map(|format| data::read(format, &text));
        let range = data.as_ref().and_then(|it| it.entry(key)).map(|it| it.key.range).unwrap_or_default();
        let location = self.printer.location(file, range)?;
        Ok(format!("{}:{}", visible(&location.file), location.line))
    }

    /// Returns a location as `file:line`, with the kind of statement if it is no declaration.
    fn labelled(&mut self, place: ExprPlace) -> anyhow::Result<String> {
        let Some(location) = self.analysis.location_of(self.compiled, place)? else {
            return Ok("generated code".to_owned());
        };
        let Some(file) = location.file else { return Ok(format!("line {} of the code", location.line)) };
        let shown = self.printer.location(file, location.range)?.file;
        let line = format!("{}:{}", visible(&shown), location.line);
        let text = self.analysis.text(file)?.unwrap_or_default();
        let language = self.analysis.language(file).unwrap_or(Language::Manifest);
        let root = syntax::parse(&text, language).syntax();
        let element = root.covering_element(location.range);
        let node = element.and_then(|it| match it.as_node() {
            Some(node) => Some(node.clone()),
            None => it.into_token().and_then(|it| it.parent()),
        });
        Ok(match node.map(|it| label(&it)) {
            Some(label) if !label.is_empty() => format!("{line} ({})", visible(&label)),
            _ => line,
        })
    }
}

/// Returns the label of the statement around a node: empty for the declaration of a resource, and the name of
/// the function for a call.
fn label(node: &SyntaxNode) -> String {
    let of_resource = node.ancestors().find_map(|it| match it.kind() {
        SyntaxKind::RESOURCE_EXPR => Some(""),
        SyntaxKind::RESOURCE_DEFAULTS => Some("resource default"),
        SyntaxKind::RESOURCE_OVERRIDE => Some("override"),
        SyntaxKind::COLLECT_EXPR => Some("collector"),
        _ => None,
    });
    let is_call = |it: &SyntaxNode| matches!(it.kind(), SyntaxKind::CALL_EXPR | SyntaxKind::STATEMENT_CALL);
    match of_resource {
        Some(label) => label.to_owned(),
        None => {
            let call = node.ancestors().find(is_call);
            let name = call.and_then(|it| it.first_token()).map(|it| it.text().to_owned());
            name.map(|it| format!("`{it}`")).unwrap_or_default()
        }
    }
}
