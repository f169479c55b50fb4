//! Catalogs as text: a tree of containment with values.

use std::collections::BTreeSet;
use std::fmt::Write;

use eval::{Catalog, CatalogResource, CatalogResourceKind, ExprPlace};
use output::visible;
use types::Value;

use super::values::{REDACTED, is_unknown, notation, parameters};

/// Maximum length of displayed values, in characters.
const MAX_VALUE_LENGTH: usize = 100;

/// ANSI styling, if colors are enabled.
struct Paint {
    is_colored: bool,
}

impl Paint {
    fn paint(&self, style: &str, text: &str) -> String {
        if self.is_colored { format!("\x1b[{style}m{text}\x1b[0m") } else { text.to_owned() }
    }

    fn dim(&self, text: &str) -> String {
        self.paint("2", text)
    }

    fn unknown(&self, text: &str) -> String {
        self.paint("33", text)
    }
}

struct CatalogTree<'a> {
    catalog: &'a Catalog,
    /// Indices of the resources that each resource contains.
    children: Vec<Vec<usize>>,
    /// Number of resources within each resource, at any depth.
    counts: Vec<usize>,
    /// Formatted location of the declaration of each resource; empty if unknown.
    locations: Vec<String>,
    paint: Paint,
    out: String,
    unknown_values: usize,
}

/// Renders a catalog as a tree, followed by a summary line: the resources `chosen`, given as indices, or all if
/// there are none. `format_location` formats a location as `file:line`; it returns `None` for locations outside
/// of files.
///
/// # Errors
/// Returns the first error of `format_location`.
pub fn render<E>(
    catalog: &Catalog,
    chosen: &[usize],
    is_colored: bool,
    mut format_location: impl FnMut(ExprPlace) -> Result<Option<String>, E>,
) -> Result<String, E> {
    let mut children = vec![Vec::new(); catalog.resources.len()];
    let mut is_contained = vec![false; catalog.resources.len()];
    for (from, to) in &catalog.edges {
        if !is_contained[*to] {
            children[*from].push(*to);
            is_contained[*to] = true;
        }
    }
    let mut locations = Vec::new();
    for resource in &catalog.resources {
        let location = match resource.place {
            Some(location) => format_location(location)?,
            None => None,
        };
        locations.push(location.unwrap_or_default());
    }
    let paint = Paint { is_colored };
    let counts = counts(catalog, &children);
    let (out, unknown_values) = (String::new(), 0);
    let mut tree = CatalogTree { catalog, children, counts, locations, paint, out, unknown_values };
    let mut roots = Vec::new();
    for (index, resource) in catalog.resources.iter().enumerate().filter(|(index, _)| !is_contained[*index]) {
        if resource.is_main_stage() {
            // It contains everything.
            roots.extend(tree.children[index].iter().copied())
        } else {
            roots.push(index)
        }
    }
    roots.retain(|index| {
        let resource = &catalog.resources[*index];
        let is_empty_main = resource.is_main_class() && tree.children[*index].is_empty();
        !resource.is_settings_class() && !is_empty_main
    });
    if !chosen.is_empty() {
        roots = chosen.to_vec();
    }
    for index in roots {
        tree.resource(index, "", "");
    }
    for resource in catalog.exported.iter().filter(|_| chosen.is_empty()) {
        let location = match resource.place {
            Some(location) => format_location(location)?,
            None => None,
        };
        tree.exported(resource, &location.unwrap_or_default());
    }
    let summary = match chosen {
        [] => tree.summary(),
        chosen => tree.summary_of(&catalog.contents(chosen)),
    };
    let _ = writeln!(tree.out, "{}", tree.paint.paint("1", &summary));
    Ok(tree.out)
}

/// Returns the number of resources, except for classes, within each resource at any depth.
fn counts(catalog: &Catalog, children: &[Vec<usize>]) -> Vec<usize> {
    let mut container = vec![None; children.len()];
    for (index, children) in children.iter().enumerate() {
        children.iter().for_each(|child| container[*child] = Some(index));
    }
    let mut counts = vec![0; children.len()];
    for (index, _) in
        catalog.resources.iter().enumerate().filter(|(_, it)| it.kind() == CatalogResourceKind::OfType)
    {
        // Containment has no cycles.
        let mut next = container[index];
        for _ in 0..children.len() {
            let Some(at) = next else { break };
            counts[at] += 1;
            next = container[at];
        }
    }
    counts
}

impl CatalogTree<'_> {
    /// Writes a resource and its contents. `first` is the prefix of the first line, `rest` the prefix of
    /// the following lines.
    fn resource(&mut self, index: usize, first: &str, rest: &str) {
        let catalog = self.catalog;
        let resource = &catalog.resources[index];
        let location = std::mem::take(&mut self.locations[index]);
        self.head(resource, &location, first, self.counts[index]);
        let children = std::mem::take(&mut self.children[index]);
        self.parameters(resource, &format!("{rest}{}", if children.is_empty() { "  " } else { "│ " }));
        let last = children.len().saturating_sub(1);
        for (position, child) in children.into_iter().enumerate() {
            let (branch, line) = if position == last { ("└─ ", "   ") } else { ("├─ ", "│  ") };
            self.resource(child, &format!("{rest}{branch}"), &format!("{rest}{line}"));
        }
    }

    /// Writes a resource that is only exported.
    fn exported(&mut self, resource: &CatalogResource, location: &str) {
        self.head(resource, location, "", 0);
        self.parameters(resource, "  ");
    }

    /// Writes the first line of a resource that contains `count` others.
    fn head(&mut self, resource: &CatalogResource, location: &str, prefix: &str, count: usize) {
        let at_signs = if resource.is_exported { "@@" } else { "" };
        let title = match &resource.title {
            Some(title) => visible(title).into_owned(),
            None => self.paint.unknown("<unknown>"),
        };
        let type_name = self.paint.paint("1;36", &visible(&resource.type_name));
        let _ = write!(self.out, "{}{at_signs}{type_name}[{title}]", self.paint.dim(prefix));
        if resource.is_possible {
            let _ = write!(self.out, " {}", self.paint.unknown("(possibly)"));
        }
        if !location.is_empty() {
            let _ = write!(self.out, "  {}", self.paint.dim(&visible(location)));
        }
        if count > 1 {
            let _ = write!(self.out, "  {}", self.paint.dim(&format!("({count} resources)")));
        }
        self.out.push('\n');
    }

    fn parameters(&mut self, resource: &CatalogResource, prefix: &str) {
        let is_main = resource.is_main_class();
        for (name, value) in parameters(resource).into_iter().filter(|_| !is_main) {
            let value = self.value(&value);
            let _ = writeln!(self.out, "{}{name} => {value}", self.paint.dim(prefix));
        }
    }

    fn value(&mut self, value: &Value) -> String {
        if value.as_str() == Some(REDACTED) {
            return self.paint.dim(REDACTED);
        }
        let mut text = notation(value);
        if text.chars().count() > MAX_VALUE_LENGTH {
            text = text.chars().take(MAX_VALUE_LENGTH).chain(['…']).collect();
        }
        if is_unknown(value) {
            self.unknown_values += 1;
            self.paint.unknown(&text)
        } else {
            text
        }
    }

    /// Counts some of the resources, and the unknown values in them.
    fn summary_of(&self, chosen: &BTreeSet<usize>) -> String {
        let all = &self.catalog.resources;
        let is_real = |it: &&CatalogResource| it.kind() == CatalogResourceKind::OfType;
        let shown = chosen.iter().filter_map(|index| all.get(*index)).filter(is_real).count();
        let of_all = plural(all.iter().filter(is_real).count(), "resource", "resources");
        let unknown = match self.unknown_values {
            0 => String::new(),
            count => format!("; {}", plural(count, "unknown value", "unknown values")),
        };
        format!("{shown} of {of_all}{unknown}")
    }

    fn summary(&self) -> String {
        let resources = &self.catalog.resources;
        let is_real = |it: &&CatalogResource| it.kind() == CatalogResourceKind::OfType;
        let possible = resources.iter().filter(|it| it.is_possible).count();
        let real = resources.iter().filter(is_real).count();
        let is_class =
            |it: &&CatalogResource| it.is_class() && !it.is_main_class() && !it.is_settings_class();
        let classes = resources.iter().filter(is_class).count();
        let mut summary =
            format!("{}, {}", plural(real, "resource", "resources"), plural(classes, "class", "classes"));
        if possible > 0 {
            let _ = write!(summary, "; {possible} possible only");
        }
        match self.catalog.exported.len() {
            0 => {}
            count => {
                let exported = plural(count, "exported resource", "exported resources");
                let _ = write!(summary, "; {exported} for other nodes");
            }
        }
        if self.unknown_values > 0 {
            let _ = write!(summary, "; {}", plural(self.unknown_values, "unknown value", "unknown values"));
        }
        summary
    }
}

pub fn plural(count: usize, one: &str, many: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { many })
}
