//! Descriptions of symbols, for hovers and completions.

use hir::{DefinitionKind, Name, NameUseKind};
use output::markdown::{code_block, code_span};
use plugins::built_in::{self, Fact, bolt};
use plugins::{Provider, ResourceAttribute, RubyResourceType, TitlePattern, TitlePatterns, documentation};
use project::{Db, DefinitionId, File, NameKind, ResourceTypeTarget};
use syntax::ast::{self, AstNode};
use syntax::{Language, TextRange};

use crate::callees::{self, Callee};
use crate::parameters::{self, ParameterText};
use crate::symbol::{self, Symbol};

/// Hover text of a position.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Hover {
    /// Range that the text describes.
    pub range: TextRange,
    /// Markdown.
    pub markdown: String,
}

/// Description of a symbol.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Description {
    /// One or a few lines of code.
    pub code: String,
    /// Markdown.
    pub text: Option<String>,
}

impl Description {
    fn new(code: impl Into<String>, text: impl Into<String>) -> Description {
        let text = text.into();
        let text = text.trim();
        Description { code: code.into(), text: (!text.is_empty()).then(|| text.to_owned()) }
    }

    /// Returns the code as a block, followed by the text.
    pub(crate) fn markdown(&self) -> String {
        let code = code_block("puppet", &self.code);
        self.text.as_ref().map_or_else(|| code.clone(), |text| format!("{code}\n\n{text}"))
    }
}

/// Describes a symbol; `None` for functions, types and variables, which are better described by their
/// evaluation.
pub fn of_symbol(db: &dyn Db, file: File, symbol: &Symbol) -> Option<Description> {
    match symbol {
        Symbol::Definition(definition) => of_definition(db, *definition),
        Symbol::Fact(path) => of_fact_path(db, file, "facts", path),
        Symbol::TrustedFact(path) => of_fact_path(db, file, "trusted", path),
        Symbol::ServerFact(path) => of_fact_path(db, file, "server_facts", path),
        Symbol::BuiltInVariable(name) => Some(of_fact(&format!("${name}"), built_in::variable(name)?)),
        Symbol::ResourceType { name, .. } => of_resource_type(db, file, name),
        Symbol::Attribute { resource_type, name, .. } => of_attribute(db, file, name, resource_type),
        Symbol::Metaparameter(name) => of_metaparameter(db, name),
        Symbol::Provider { resource_type, name } => of_provider(db, file, resource_type, name),
        Symbol::RubyType { file, name } => of_ruby_type(db, *file, name),
        Symbol::Template(template) => of_template(db, *template),
        Symbol::ServedFile(served) => {
            Some(Description::new(path_in_module(db, *served), "A file that the module serves."))
        }
        Symbol::ServedFolder(name) => {
            Some(Description::new(name.as_str(), "A folder that the module serves."))
        }
        Symbol::Task(task) => Some(of_task(db, *task)),
        Symbol::TaskParameter { task, name } => of_task_parameter(db, *task, name),
        Symbol::SetType { .. }
        | Symbol::Variable { .. }
        | Symbol::LambdaVariable { .. }
        | Symbol::BuiltInFunction(_)
        | Symbol::RubyFunction { .. }
        | Symbol::BuiltInType(_)
        | Symbol::Resource { .. }
        | Symbol::HieraKey(_) => None,
    }
}

/// Describes a task with its parameters.
fn of_task(db: &dyn Db, task: File) -> Description {
    let metadata = project::task_metadata(db, task);
    let parameters = metadata.parameters.iter().flatten();
    let lines = parameters.map(|it| {
        let text = it.description.as_ref().map(|text| format!(": {text}")).unwrap_or_default();
        let ty = it.type_text.as_ref().map(|ty| format!(" `{ty}`")).unwrap_or_default();
        format!("* `{}`{ty}{text}", it.name)
    });
    let text = metadata.description.iter().map(|it| it.to_string());
    let list = Some(lines.collect::<Vec<_>>().join("\n")).filter(|it| !it.is_empty());
    let text: Vec<String> = text.chain(list).collect();
    Description::new(path_in_module(db, task), text.join("\n\n"))
}

/// Describes a parameter of a task.
fn of_task_parameter(db: &dyn Db, task: File, name: &str) -> Option<Description> {
    let mut parameters = project::task_metadata(db, task).parameters.iter().flatten();
    let parameter = parameters.find(|it| it.name == name)?;
    let ty = parameter.type_text.as_ref().map(|ty| format!("{ty} ")).unwrap_or_default();
    Some(Description::new(format!("{ty}${name}"), parameter.description.clone().unwrap_or_default()))
}

/// Describes a class, defined type or plan with its parameters.
pub fn of_definition(db: &dyn Db, definition: DefinitionId) -> Option<Description> {
    let kind = definition.key(db).kind;
    if !matches!(kind, DefinitionKind::Class | DefinitionKind::DefinedType | DefinitionKind::Plan) {
        return None;
    }
    let word = kind.keyword()?;
    let name = Callee::Puppet(definition).name(db);
    let code = with_parameters(&format!("{word} {name}"), &parameters::parameters(db, definition));
    Some(Description::new(code, callees::documentation(db, definition).unwrap_or_default()))
}

/// Maximum number of parameters that are shown.
const MAX_PARAMETERS: usize = 20;

fn with_parameters(head: &str, parameters: &[ParameterText]) -> String {
    let mut code = head.to_owned();
    if !parameters.is_empty() {
        code.push_str(" (");
        for parameter in parameters.iter().take(MAX_PARAMETERS) {
            code.push_str(&format!("\n  {},", written(parameter)));
        }
        if parameters.len() > MAX_PARAMETERS {
            code.push_str("\n  …");
        }
        code.push_str("\n)");
    }
    code
}

/// Returns a parameter as declared.
fn written(parameter: &ParameterText) -> String {
    let default = parameter.default.as_deref().map(|it| if it.len() > 60 { "…" } else { it });
    parameters::format_parameter(&parameter.type_text, parameter.is_repeated, &parameter.name, default)
}

/// Describes a parameter of a class, defined type, function or template.
pub fn of_parameter(db: &dyn Db, definition: DefinitionId, name: &str) -> Option<Description> {
    let parameters = parameters::parameters(db, definition);
    let parameter = parameters.iter().find(|it| it.name == name)?;
    Some(Description::new(written(parameter), parameter.documentation.clone().unwrap_or_default()))
}

/// Describes a type alias with its aliased type.
pub fn of_type_alias(db: &dyn Db, file: File, name: &str) -> Option<Description> {
    let definition = project::resolve_in_file(db, file, NameKind::TypeAlias, name)?;
    let (code, named) = alias_source(db, definition, MAX_ALIAS_LENGTH)?;
    let mut code = vec![code];
    for below in named.iter().take(MAX_NESTED_ALIASES) {
        code.extend(alias_source(db, *below, MAX_NESTED_ALIAS_LENGTH).map(|(text, _)| text));
    }
    if named.len() > MAX_NESTED_ALIASES {
        code.push("…".to_owned());
    }
    Some(Description::new(code.join("\n"), callees::documentation(db, definition).unwrap_or_default()))
}

/// Maximum length in characters of an alias's source; longer ones are truncated.
const MAX_ALIAS_LENGTH: usize = 600;
/// Maximum length in characters of the source of an alias that another one refers to.
const MAX_NESTED_ALIAS_LENGTH: usize = 160;
/// Maximum number of referenced aliases that are shown.
const MAX_NESTED_ALIASES: usize = 8;

/// Returns the aliases that a type refers to, as written, one per line.
pub fn aliases_in(db: &dyn Db, file: File, type_text: &str) -> String {
    let is_name = |it: char| it.is_ascii_alphanumeric() || it == '_' || it == ':';
    let mut lines: Vec<String> = Vec::new();
    for name in
        type_text.split(|it| !is_name(it)).filter(|it| it.starts_with(|c: char| c.is_ascii_uppercase()))
    {
        let alias = project::resolve_in_file(db, file, NameKind::TypeAlias, name);
        let line = alias.and_then(|it| alias_source(db, it, MAX_NESTED_ALIAS_LENGTH)).map(|(text, _)| text);
        lines.extend(line.filter(|it| !lines.contains(it)));
    }
    lines.truncate(MAX_NESTED_ALIASES);
    lines.join("\n")
}

/// Returns an alias as written, and the distinct other aliases that it refers to.
fn alias_source(db: &dyn Db, alias: DefinitionId, most: usize) -> Option<(String, Vec<DefinitionId>)> {
    let file = alias.file(db);
    let pointer = project::body_source_map(db, alias).definition()?;
    let node = pointer.to_node(&project::parse(db, file).syntax())?;
    let ty = ast::TypeAlias::cast(node)?.type_expr()?;
    let range = ty.syntax().text_range();
    let inside = project::name_uses(db, file);
    let inside = inside.iter().filter(|it| range.contains_range(it.range) && it.kind == NameUseKind::Type);
    let mut named = Vec::new();
    for found in inside.filter_map(|it| symbol::resolve(db, file, it)) {
        match found {
            Symbol::Definition(other) if other != alias && !named.contains(&other) => named.push(other),
            _ => {}
        }
    }
    let written = ty.syntax().text();
    let text = if most < MAX_ALIAS_LENGTH { parameters::one_line(written) } else { written.to_owned() };
    let cut = text.char_indices().nth(most).map(|(end, _)| format!("{}…", &text[..end]));
    let name = Callee::Puppet(alias).name(db);
    Some((format!("type {name} = {}", cut.unwrap_or(text)), named))
}

/// Describes a resource type or defined type.
pub fn of_resource_type(db: &dyn Db, file: File, name: &str) -> Option<Description> {
    match project::resolve_resource_type(db, file, name)? {
        ResourceTypeTarget::Defined(definition) => of_definition(db, definition),
        ResourceTypeTarget::BuiltIn(ty) => {
            let installed = project::installed_resource_type(db, &ty.name);
            let text = installed.map(|(_, it)| it.documentation.clone()).filter(|it| !it.trim().is_empty());
            let text = text.as_ref().unwrap_or(&ty.documentation);
            Some(about_resource_type(ty, text, built_in::module_of_resource_type(&ty.name)))
        }
        ResourceTypeTarget::Ruby { file, resource_type } => {
            let module = module_of(db, file);
            Some(about_resource_type(&resource_type, &resource_type.documentation, module.as_deref()))
        }
    }
}

/// Returns the description of a type that Bolt defines, in a file with a plan.
pub fn of_bolt_type(db: &dyn Db, file: File, name: &str) -> Option<Description> {
    if project::language(db, file) != Language::Plan {
        return None;
    }
    if let Some(alias) = bolt::aliases().iter().find(|it| it.name == name) {
        let code = format!("type {} = {}", alias.name, alias.type_text);
        return Some(Description::new(code, alias.documentation.as_str()));
    }
    let object = bolt::types().iter().find(|it| it.name == name)?;
    Some(Description::new(format!("type {}", object.name), object.documentation.as_str()))
}

fn about_resource_type(ty: &RubyResourceType, documentation: &str, module: Option<&str>) -> Description {
    let mut details = String::new();
    let required = ty.attributes.iter().filter(|it| it.is_required && !it.is_name_variable);
    let required = listed(required.map(|it| &it.name));
    if !required.is_empty() {
        details.push_str(&format!("\n\nRequired: {required}"));
    }
    details.push_str(&about_titles(ty));
    if let Some(module) = module {
        details.push_str(&format!("\n\nFrom module `{module}`."));
    }
    let text = with_details(documentation, &details);
    Description::new(format!("resource type {}", ty.name), text)
}

/// Inserts details after the first paragraph of a documentation, or after all of it if the first paragraph
/// introduces the next one.
fn with_details(documentation: &str, details: &str) -> String {
    let documentation = documentation.trim();
    match documentation.split_once("\n\n") {
        Some((first, rest)) if !first.ends_with(':') && !first.contains("```") => {
            format!("{first}{details}\n\n{rest}")
        }
        _ => format!("{documentation}{details}"),
    }
}

/// Describes the attributes that titles of a resource type set.
fn about_titles(ty: &RubyResourceType) -> String {
    /// Maximum number of patterns that are shown; others are only counted.
    const MAX_PATTERNS: usize = 4;
    let mut names = ty.attributes.iter().filter(|it| it.is_name_variable).map(|it| &it.name);
    match (&ty.title_patterns, names.next(), names.next()) {
        (TitlePatterns::Listed(patterns), Some(_), Some(_)) if patterns.len() > 1 => {
            let row = |it: &TitlePattern| {
                let given = listed(it.parts.iter().map(|part| &part.attribute));
                format!("\n* {} sets {given}", code_span(&format!("/{}/", it.pattern)))
            };
            let rows: String = patterns.iter().take(MAX_PATTERNS).map(row).collect();
            let others = patterns.len().saturating_sub(MAX_PATTERNS);
            let rest = if others > 0 { format!("\n* and {others} more") } else { String::new() };
            format!("\n\nThe title sets several attributes, by the first matching pattern:\n{rows}{rest}")
        }
        // The title patterns are unknown.
        (TitlePatterns::Unknown, _, Some(_)) => String::new(),
        (_, Some(name), _) => format!("\n\nThe title sets `{name}`."),
        (_, None, _) => String::new(),
    }
}

/// Describes an attribute of a resource type, or a parameter of a defined type or (`class NAME`) a class.
pub fn of_attribute(db: &dyn Db, file: File, name: &str, owner: &str) -> Option<Description> {
    let definition = match owner.strip_prefix("class ") {
        Some(class) => project::resolve_in_file(db, file, NameKind::Class, class)?,
        None => match project::resolve_resource_type(db, file, owner)? {
            ResourceTypeTarget::Defined(definition) => definition,
            ResourceTypeTarget::BuiltIn(ty) => {
                let attribute = ty.attributes.iter().find(|it| it.name == name)?;
                let installed = project::installed_attribute(db, owner, name);
                return Some(about_built_in(attribute, installed.as_ref().map(|(_, _, it)| it)));
            }
            ResourceTypeTarget::Ruby { resource_type, .. } => {
                return resource_type.attributes.iter().find(|it| it.name == name).map(about_attribute);
            }
        },
    };
    of_parameter(db, definition, name)
}

/// Describes a metaparameter.
pub fn of_metaparameter(db: &dyn Db, name: &str) -> Option<Description> {
    let installed = project::installed_metaparameter(db, name);
    Some(about_built_in(built_in::metaparameter(name)?, installed.map(|(_, it)| it)))
}

/// Describes a built-in attribute, with the documentation of an installed Puppet if there is one.
fn about_built_in(attribute: &ResourceAttribute, installed: Option<&ResourceAttribute>) -> Description {
    match installed.map(|it| &it.documentation).filter(|it| !it.trim().is_empty()) {
        Some(documentation) => {
            about_attribute(&ResourceAttribute { documentation: documentation.clone(), ..attribute.clone() })
        }
        None => about_attribute(attribute),
    }
}

/// Describes an attribute of a resource type.
fn about_attribute(attribute: &ResourceAttribute) -> Description {
    let mut details = String::new();
    let values = listed(attribute.written_values());
    if !values.is_empty() {
        details.push_str(&format!("\n\nValues: {values}"));
    }
    if let Some(default) = &attribute.default {
        details.push_str(&format!("\n\nDefault: `{default}`"));
    }
    if !attribute.required_features.is_empty() {
        details.push_str(&format!(
            "\n\nRequires a provider with {}.",
            listed(attribute.required_features.iter())
        ));
    }
    let code = match &attribute.type_text {
        Some(ty) => format!("{}: {ty}", attribute.name),
        None => attribute.name.to_string(),
    };
    Description::new(code, with_details(&attribute.documentation, &details))
}

fn of_provider(db: &dyn Db, file: File, resource_type: &str, name: &str) -> Option<Description> {
    let mut environments = file.environments(db).iter().copied();
    let named = |providers: Vec<(File, Provider)>| {
        providers.into_iter().map(|(_, provider)| provider).find(|it| it.name == name)
    };
    let in_modules = environments.find_map(|it| named(project::providers(db, it, resource_type)));
    let found = in_modules.or_else(|| named(project::installed_providers(db, resource_type)));
    let text = found.map(|it| as_markdown(&it.documentation)).unwrap_or_default();
    Some(Description::new(format!("provider {name} of {resource_type}"), text))
}

fn of_ruby_type(db: &dyn Db, file: File, name: &Name) -> Option<Description> {
    let types = &project::ruby_file(db, file).data_types;
    let found = types.iter().find(|it| hir::fold_name(&it.name) == hir::fold_name(name))?;
    Some(Description::new(format!("type {}", found.name), as_markdown(&found.documentation)))
}

fn of_template(db: &dyn Db, template: File) -> Option<Description> {
    let path = path_in_module(db, template);
    let is_epp = template.path(db).extension() == Some("epp");
    if !is_epp {
        return Some(Description::new(path, "An ERB template."));
    }
    let main = project::definitions(db, template).first().copied()?;
    Some(Description::new(with_parameters(&path, &parameters::parameters(db, main)), "An EPP template."))
}

/// Describes the fact at a path such as `facts.os.family`.
fn of_fact_path(db: &dyn Db, file: File, variable: &str, path: &str) -> Option<Description> {
    let keys: Vec<&str> = path.split('.').collect();
    let mut code = format!("${variable}");
    keys.iter().for_each(|key| code.push_str(&format!("['{key}']")));
    let about = match fact_at(variable, &keys) {
        Some(fact) => Some(of_fact(&code, fact)),
        None => of_custom_fact(db, file, keys.first()?),
    };
    let given = if variable == "facts" { given_values(db, file, &keys) } else { None };
    let Some(given) = given else { return about };
    let about = about.unwrap_or_else(|| Description::new(code, ""));
    let text = about.text.map_or_else(|| given.clone(), |text| format!("{text}\n\n{given}"));
    Some(Description { text: Some(text), ..about })
}

/// Lists the values of a fact in the user's fact files, one per line.
fn given_values(db: &dyn Db, file: File, keys: &[&str]) -> Option<String> {
    const MAX_GIVEN_VALUES: usize = 8;
    const MAX_VALUE_LENGTH: usize = 160;
    let environment = file.environments(db).first().copied()?;
    let line = |(file, value): &(File, types::Value)| {
        let text = types::text::to_notation(value, &types::NoTypes);
        let short: String = text.chars().take(MAX_VALUE_LENGTH).collect();
        let dots = if short.len() < text.len() { "…" } else { "" };
        format!("* `{}`: `{short}{dots}`", file.path(db).file_name())
    };
    let given = project::given_facts(db, environment, keys);
    let lines: Vec<String> = given.iter().take(MAX_GIVEN_VALUES).map(line).collect();
    (!lines.is_empty()).then(|| format!("In fact files:\n\n{}", lines.join("\n")))
}

/// Returns the fact at a path below `$facts`, `$trusted` or `$server_facts`.
pub(crate) fn fact_at(variable: &str, path: &[&str]) -> Option<&'static Fact> {
    let mut facts = match variable {
        "facts" => built_in::facts(),
        _ => &built_in::variable(variable)?.parts,
    };
    let mut found = None;
    for key in path {
        let fact =
            facts.iter().find(|it| it.name == *key).or_else(|| facts.iter().find(|it| it.name == "*"))?;
        facts = &fact.parts;
        found = Some(fact);
    }
    found
}

/// Describes a core fact, given the code that accesses it.
pub fn of_fact(code: &str, fact: &Fact) -> Description {
    let mut text = fact.documentation.to_string();
    if let Some(replacement) = &fact.replacement {
        text.push_str(&format!("\n\nRemoved in Puppet 8; use `{replacement}`."));
    }
    Description::new(format!("{code}: {}", fact.type_text), text)
}

/// Describes a fact that a module adds.
pub fn of_custom_fact(db: &dyn Db, file: File, name: &str) -> Option<Description> {
    let mut environments = file.environments(db).iter().copied();
    let (file, fact) = environments
        .find_map(|it| project::custom_facts(db, it).iter().find(|(_, fact)| fact.name == name))?;
    let mut text = as_markdown(&fact.documentation);
    if let Some(module) = module_of(db, *file) {
        text.push_str(&format!("\n\nFrom module `{module}`."));
    }
    Some(Description::new(format!("fact {name}"), text))
}

/// Renders a puppet-strings comment as Markdown.
pub(crate) fn as_markdown(comment: &str) -> String {
    documentation::to_markdown(&documentation::parse(comment))
}

fn listed<T: AsRef<str>>(names: impl Iterator<Item = T>) -> String {
    names.map(|it| format!("`{}`", it.as_ref())).collect::<Vec<_>>().join(", ")
}

fn module_of(db: &dyn Db, file: File) -> Option<Name> {
    match file.role(db) {
        project::FileRole::Module { module, .. } => Some(module.name(db).clone()),
        _ => None,
    }
}

/// Returns `module/path`, as code refers to it; the file's name if it is in no module.
fn path_in_module(db: &dyn Db, file: File) -> String {
    match file.role(db) {
        project::FileRole::Module { module, relative } => {
            let inner = relative.split_once('/').map_or(relative.as_str(), |(_, inner)| inner);
            format!("{}/{inner}", module.name(db))
        }
        _ => file.path(db).file_name().to_owned(),
    }
}
