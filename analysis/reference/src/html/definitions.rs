//! Sections of definitions: description, remarks, examples, and parameters.

use std::fmt::Write;

use super::comments::{blocks, inline, may_lead_to};
use super::{PageSection, PlatformDefaults, escaped, link_to};
use crate::docstring::{DocTag, Docstring};
use crate::markdown::parameter_anchor;
use crate::{
    DocumentedAlias, DocumentedAttribute, DocumentedDefinition, DocumentedFunction, DocumentedPlace,
    DocumentedProvider, DocumentedSignature, DocumentedTask, DocumentedType, ModuleReference,
};

impl ModuleReference {
    /// Returns the groups of the table of contents, as in `REFERENCE.md`.
    pub(super) fn listed(&self, platforms: &PlatformDefaults) -> [(&'static str, Vec<PageSection<'_>>); 7] {
        let nothing = PlatformDefaults::new();
        let type_of = |it| resource_type(it, &self.providers);
        [
            ("Classes", self.classes.iter().map(|it| definition(it, platforms)).collect()),
            ("Defined types", self.defined_types.iter().map(|it| definition(it, &nothing)).collect()),
            ("Resource types", self.resource_types.iter().map(type_of).collect()),
            ("Functions", self.functions.iter().map(function).collect()),
            ("Data types", self.type_aliases.iter().map(type_alias).collect()),
            ("Tasks", self.tasks.iter().map(task).collect()),
            ("Plans", self.plans.iter().map(|it| definition(it, &nothing)).collect()),
        ]
    }
}

fn place(place: &DocumentedPlace) -> String {
    format!("{}:{}", place.file, place.line)
}

/// Code after a label: on the same line, or as a block.
fn code(label: &str, text: &str) -> String {
    let text = escaped(text);
    if text.contains('\n') {
        format!("<p>{label}:</p>\n<pre tabindex=\"0\"><code>{text}</code></pre>\n")
    } else {
        format!("<p>{label}: <code>{text}</code></p>\n")
    }
}

/// Adds the description, or the summary if there is none.
fn overview(text: &mut String, docstring: &Docstring) {
    match docstring.text.as_str() {
        "" => text.push_str(&blocks(docstring.tag_text("summary").unwrap_or_default())),
        own => text.push_str(&blocks(own)),
    }
}

fn remarks(text: &mut String, docstring: &Docstring) {
    let labels = [
        ("deprecated", "Deprecated"),
        ("todo", "To do"),
        ("note", "Note"),
        ("since", "Since"),
        ("version", "Version"),
        ("author", "Author"),
    ];
    for (tag, label) in labels {
        for remark in docstring.tags(tag) {
            let remark = inline(remark.text.as_deref().unwrap_or_default());
            let class = if tag == "deprecated" { " class=\"remark\"" } else { "" };
            let _ = writeln!(text, "<div{class}><strong>{label}:</strong> {remark}</div>");
        }
    }
    let mut references = docstring.tags("see").peekable();
    if references.peek().is_none() {
        return;
    }
    text.push_str("<p><strong>See also</strong></p>\n<ul>\n");
    for reference in references {
        let name = reference.name.as_deref().unwrap_or_default();
        let shown = escaped(name);
        let reason = inline(reference.text.as_deref().unwrap_or_default());
        let name = if may_lead_to(name) { format!("<a href=\"{shown}\">{shown}</a>") } else { shown };
        let _ = writeln!(text, "<li>{} {reason}</li>", name.trim());
    }
    text.push_str("</ul>\n");
}

fn examples(text: &mut String, docstring: &Docstring) {
    let mut examples = docstring.tags("example").peekable();
    if examples.peek().is_none() {
        return;
    }
    text.push_str("<h4>Examples</h4>\n");
    for example in examples {
        if let Some(title) = example.name.as_deref().filter(|it| !it.is_empty()) {
            let _ = writeln!(text, "<h5>{}</h5>", escaped(title));
        }
        let source = escaped(example.text.as_deref().unwrap_or_default());
        let _ = writeln!(text, "<pre tabindex=\"0\"><code>{source}</code></pre>");
    }
}

/// Adds the `@option` and `@enum` tags of a parameter.
fn options(text: &mut String, docstring: &Docstring, parameter: &str) {
    for tag in ["option", "enum"] {
        let tags = docstring.tags(tag).filter(|it| it.name.as_deref() == Some(parameter));
        let keys: Vec<&DocTag> = tags.filter_map(|it| it.key.as_deref()).collect();
        if keys.is_empty() {
            continue;
        }
        text.push_str("<p>Options:</p>\n<ul>\n");
        for key in keys {
            let name = escaped(key.name.as_deref().unwrap_or_default());
            let type_text = key.types.iter().flatten().next().filter(|_| tag == "option");
            let type_text = type_text.map(|it| format!(" <code>{}</code>", escaped(it))).unwrap_or_default();
            let own = inline(key.text.as_deref().unwrap_or_default());
            let _ = writeln!(text, "<li><strong>{name}</strong>{type_text}: {own}</li>");
        }
        text.push_str("</ul>\n");
    }
}

/// Parameters of a definition.
struct Parameters<'r> {
    /// Name of the definition.
    owner: &'r str,
    docstring: &'r Docstring,
    /// Names and source texts.
    defaults: &'r [(String, String)],
    platforms: Option<&'r PlatformDefaults>,
    /// Whether the parameters have anchors. Those of several signatures of a function may have equal names.
    has_anchors: bool,
}

impl Parameters<'_> {
    fn add_to(&self, text: &mut String) {
        let mut parameters = self.docstring.tags("param").peekable();
        if parameters.peek().is_none() {
            return;
        }
        text.push_str("<h4>Parameters</h4>\n<dl class=\"parameters\">\n");
        let mut last_names = Vec::new();
        for parameter in parameters {
            let own = parameter.name.as_deref().unwrap_or_default();
            let has_anchor = self.has_anchors && !last_names.contains(&own);
            last_names.push(own);
            text.push_str(&term(self.owner, own, has_anchor));
            text.push_str("<dd>\n");
            if let Some(types) = parameter.types.as_ref().filter(|it| it.iter().any(|it| !it.is_empty())) {
                text.push_str(&code("Data type", &types.join(", ")));
            }
            text.push_str(&blocks(parameter.text.as_deref().unwrap_or_default()));
            options(text, self.docstring, own);
            if let Some((_, default)) = self.defaults.iter().find(|(it, _)| it == own) {
                text.push_str(&code("Default value", default));
            }
            let key = (self.owner.to_owned(), own.to_owned());
            if let Some(values) = self.platforms.and_then(|it| it.get(&key)) {
                let _ = writeln!(text, "<p class=\"platforms\">{}</p>", inline(values));
            }
            text.push_str("</dd>\n");
        }
        text.push_str("</dl>\n");
    }
}

fn term(owner: &str, name: &str, has_anchor: bool) -> String {
    let shown = escaped(name);
    if !has_anchor {
        return format!("<dt><code>{shown}</code></dt>\n");
    }
    let id = parameter_anchor(owner, name);
    format!("<dt id=\"{id}\"><code>{shown}</code>{}</dt>\n", link_to(&id, &shown))
}

fn definition<'r>(documented: &'r DocumentedDefinition, platforms: &PlatformDefaults) -> PageSection<'r> {
    let DocumentedDefinition { name, docstring, .. } = documented;
    let mut text = String::new();
    overview(&mut text, docstring);
    remarks(&mut text, docstring);
    if let Some(inherited) = &documented.inherits {
        text.push_str(&code("Inherits", inherited));
    }
    examples(&mut text, docstring);
    let defaults = &documented.defaults;
    let platforms = Some(platforms);
    Parameters { owner: name, docstring, defaults, platforms, has_anchors: true }.add_to(&mut text);
    PageSection { name, docstring, place: place(&documented.place), text }
}

fn type_alias(documented: &DocumentedAlias) -> PageSection<'_> {
    let DocumentedAlias { name, docstring, .. } = documented;
    let mut text = String::new();
    overview(&mut text, docstring);
    remarks(&mut text, docstring);
    text.push_str(&code("Alias of", &documented.alias_of));
    examples(&mut text, docstring);
    let parameters = Parameters { owner: name, docstring, defaults: &[], platforms: None, has_anchors: true };
    parameters.add_to(&mut text);
    PageSection { name, docstring, place: place(&documented.place), text }
}

fn task(documented: &DocumentedTask) -> PageSection<'_> {
    let DocumentedTask { name, docstring, .. } = documented;
    let mut text = String::new();
    overview(&mut text, docstring);
    let supports_noop = documented.supports_noop.as_bool() == Some(true);
    let _ = writeln!(text, "<p>Supports noop: {}</p>", if supports_noop { "yes" } else { "no" });
    let parameters =
        Parameters { owner: name, docstring, defaults: &[], platforms: None, has_anchors: false };
    parameters.add_to(&mut text);
    PageSection { name, docstring, place: documented.file.clone(), text }
}

fn function(documented: &DocumentedFunction) -> PageSection<'_> {
    let DocumentedFunction { name, docstring, .. } = documented;
    let mut text = String::new();
    overview(&mut text, docstring);
    remarks(&mut text, docstring);
    examples(&mut text, docstring);
    documented.signatures.iter().for_each(|it| signature(&mut text, it, documented));
    PageSection { name, docstring, place: place(&documented.place), text }
}

fn signature(text: &mut String, signature: &DocumentedSignature, function: &DocumentedFunction) {
    let DocumentedSignature { text: form, docstring } = signature;
    let _ = writeln!(text, "<h4><code>{}</code></h4>", escaped(form));
    let is_only = function.signatures.len() == 1 && docstring.text == function.docstring.text;
    if !is_only {
        text.push_str(&blocks(&docstring.text));
        examples(text, docstring);
    }
    if let Some(returned) = docstring.tags("return").next() {
        let type_text = returned.types.iter().flatten().next().map_or("Any", String::as_str);
        let value = inline(returned.text.as_deref().unwrap_or_default());
        let _ = writeln!(text, "<div>Returns: <code>{}</code> {value}</div>", escaped(type_text));
    }
    let errors: Vec<&DocTag> = function.docstring.tags("raise").collect();
    if !errors.is_empty() {
        text.push_str("<p>Raises:</p>\n<ul>\n");
        for error in errors {
            let _ = writeln!(text, "<li>{}</li>", inline(error.text.as_deref().unwrap_or_default()));
        }
        text.push_str("</ul>\n");
    }
    let (owner, defaults) = (&function.name, &function.defaults);
    Parameters { owner, docstring, defaults, platforms: None, has_anchors: false }.add_to(text);
}

fn resource_type<'r>(documented: &'r DocumentedType, providers: &[DocumentedProvider]) -> PageSection<'r> {
    let DocumentedType { name, docstring, .. } = documented;
    let mut text = String::new();
    overview(&mut text, docstring);
    remarks(&mut text, docstring);
    examples(&mut text, docstring);
    let mut properties: Vec<&DocumentedAttribute> =
        documented.properties.iter().chain(&documented.checks).collect();
    properties.sort_by(|a, b| a.name.cmp(&b.name));
    attributes(&mut text, "Properties", &properties, documented, false);
    let parameters: Vec<&DocumentedAttribute> = documented.parameters.iter().collect();
    attributes(&mut text, "Parameters", &parameters, documented, true);
    named(&mut text, "Features", documented.features.iter().map(|(name, own)| (name, own)));
    let providers = providers.iter().filter(|it| it.type_name == *name);
    named(&mut text, "Providers", providers.map(|it| (&it.name, &it.docstring.text)));
    PageSection { name, docstring, place: place(&documented.place), text }
}

/// Adds a list of names with descriptions.
fn named<'t>(text: &mut String, title: &str, items: impl Iterator<Item = (&'t String, &'t String)>) {
    let mut items = items.peekable();
    if items.peek().is_none() {
        return;
    }
    let _ = writeln!(text, "<h4>{title}</h4>\n<dl class=\"parameters\">");
    for (name, own) in items {
        let _ = writeln!(text, "<dt><code>{}</code></dt>\n<dd>\n{}</dd>", escaped(name), blocks(own));
    }
    text.push_str("</dl>\n");
}

fn attributes(
    text: &mut String,
    title: &str,
    attributes: &[&DocumentedAttribute],
    owner: &DocumentedType,
    has_anchors: bool,
) {
    if attributes.is_empty() {
        return;
    }
    let _ = writeln!(text, "<h4>{title}</h4>\n<dl class=\"parameters\">");
    for attribute in attributes {
        text.push_str(&term(&owner.name, &attribute.name, has_anchors));
        text.push_str("<dd>\n");
        attribute_details(text, attribute);
        text.push_str(&blocks(&attribute.description));
        options(text, &owner.docstring, &attribute.name);
        if let Some(default) = &attribute.default {
            text.push_str(&code("Default value", default));
        }
        if let Some(features) = &attribute.required_features {
            let _ = writeln!(text, "<p>Required features: {}</p>", escaped(features));
        }
        text.push_str("</dd>\n");
    }
    text.push_str("</dl>\n");
}

fn attribute_details(text: &mut String, attribute: &DocumentedAttribute) {
    if attribute.is_namevar {
        text.push_str("<p>Identifies the resource (namevar)</p>\n");
    }
    if let Some(data_type) = &attribute.data_type {
        text.push_str(&code("Data type", data_type));
    }
    if !attribute.values.is_empty() {
        let values: Vec<String> =
            attribute.values.iter().map(|it| format!("<code>{}</code>", escaped(it))).collect();
        let _ = writeln!(text, "<p>Valid values: {}</p>", values.join(", "));
    }
    if !attribute.aliases.is_empty() {
        let pair = |(new, old): &(String, String)| {
            format!("<code>{}</code> for <code>{}</code>", escaped(new), escaped(old))
        };
        let pairs: Vec<String> = attribute.aliases.iter().map(pair).collect();
        let _ = writeln!(text, "<p>Aliases: {}</p>", pairs.join(", "));
    }
}
