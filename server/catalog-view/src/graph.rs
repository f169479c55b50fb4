//! Catalogs as an SVG graph of containment and relationships.

use std::collections::BTreeMap;
use std::fmt::Write;

use eval::{Catalog, CatalogResource, CatalogResourceKind};
use output::visible;

use super::layout::{GraphLayout, layout};
use super::nodes::is_implicit;
use super::values::{reference, relationships};

/// Maximum number of boxes. Larger catalogs show only classes and other containers.
pub const MAX_RESOURCES: usize = 400;

/// Maximum length of titles, in characters; longer ones are shortened in the middle.
const MAX_TITLE_LENGTH: usize = 44;

const BOX_HEIGHT: f64 = 38.0;
const MARGIN: f64 = 16.0;

/// Approximate width of a character.
const CHARACTER_WIDTH: f64 = 7.2;

/// Kind of an arrow, by increasing precedence.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum ArrowKind {
    Contains,
    Before,
    Notifies,
}

/// A rendered graph and the resources in it.
pub struct Picture {
    pub svg: String,
    /// Ids of boxes (`data-node`) with the indices of their resources.
    pub nodes: Vec<(String, usize)>,
}

/// Draws a catalog. Classes, defined types and other resources have different colors; resources that may not
/// be declared are dashed. Containment is dotted; relationships are arrows, in bold if they notify.
pub fn render(catalog: &Catalog) -> Picture {
    let shown = shown_resources(catalog);
    let box_of: BTreeMap<usize, usize> =
        shown.iter().enumerate().map(|(position, index)| (*index, position)).collect();
    let arrows = arrows(catalog, &box_of);
    let labels: Vec<Label> = shown.iter().map(|index| Label::new(&catalog.resources[*index])).collect();
    let widths: Vec<f64> = labels.iter().map(Label::width).collect();
    let pairs: Vec<(usize, usize)> = arrows.keys().copied().collect();
    let layout = layout(&widths, BOX_HEIGHT, &pairs);
    let hidden = catalog.resources.iter().filter(|it| !is_implicit(catalog, it)).count() - shown.len();
    let svg = draw(catalog, &shown, &labels, &widths, &layout, &arrows, hidden);
    let nodes = shown.iter().map(|index| (node_id(*index), *index)).collect();
    Picture { svg, nodes }
}

/// Returns the id of a resource by its index in the catalog.
pub fn node_id(index: usize) -> String {
    format!("n{index}")
}

fn shown_resources(catalog: &Catalog) -> Vec<usize> {
    let all = catalog.resources.iter().enumerate().filter(|(_, it)| !is_implicit(catalog, it));
    let mut shown: Vec<usize> = all.map(|(index, _)| index).collect();
    if shown.len() > MAX_RESOURCES {
        let mut is_container = vec![false; catalog.resources.len()];
        catalog.edges.iter().for_each(|(from, _)| is_container[*from] = true);
        shown.retain(|index| {
            let resource = &catalog.resources[*index];
            is_container[*index] || resource.is_class() || resource.type_name.contains("::")
        });
        shown.truncate(MAX_RESOURCES);
    }
    shown
}

/// Returns the arrows between boxes. Resources that are not drawn are represented by their container.
fn arrows(catalog: &Catalog, box_of: &BTreeMap<usize, usize>) -> BTreeMap<(usize, usize), ArrowKind> {
    let mut container = vec![None; catalog.resources.len()];
    for (from, to) in &catalog.edges {
        container[*to].get_or_insert(*from);
    }
    let visible_container = |index: usize| {
        let mut at = index;
        // Containment has no cycles, but the loop is bounded in case it does.
        for _ in 0..catalog.resources.len() {
            if let Some(position) = box_of.get(&at) {
                return Some(*position);
            }
            at = container[at]?;
        }
        None
    };
    let mut arrows: BTreeMap<(usize, usize), ArrowKind> = BTreeMap::new();
    let mut add = |from: Option<usize>, to: Option<usize>, kind: ArrowKind| {
        if let (Some(from), Some(to)) = (from, to)
            && from != to
        {
            let known = arrows.entry((from, to)).or_insert(kind);
            *known = kind.max(*known);
        }
    };
    for (from, to) in &catalog.edges {
        add(box_of.get(from).copied(), box_of.get(to).copied(), ArrowKind::Contains);
    }
    for (from, to, notifies) in relationships(catalog) {
        let kind = if notifies { ArrowKind::Notifies } else { ArrowKind::Before };
        add(visible_container(from), visible_container(to), kind);
    }
    arrows
}

/// Text of a box.
struct Label {
    type_name: String,
    title: String,
}

impl Label {
    fn new(resource: &CatalogResource) -> Label {
        let title = resource.title.as_deref().unwrap_or("<unknown>");
        let at_signs = if resource.is_exported { "@@" } else { "" };
        let type_name = format!("{at_signs}{}", resource.type_name);
        Label { type_name: shortened(&visible(&type_name)), title: shortened(&visible(title)) }
    }

    fn width(&self) -> f64 {
        let characters = self.title.chars().count().max(self.type_name.chars().count());
        (characters as f64 * CHARACTER_WIDTH + 20.0).max(60.0)
    }
}

fn shortened(text: &str) -> String {
    let characters: Vec<char> = text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    if characters.len() <= MAX_TITLE_LENGTH {
        return characters.into_iter().collect();
    }
    let half = MAX_TITLE_LENGTH / 2;
    let (start, end) = (&characters[..half], &characters[characters.len() - half..]);
    start.iter().chain(&['…']).chain(end).collect()
}

fn draw(
    catalog: &Catalog,
    shown: &[usize],
    labels: &[Label],
    widths: &[f64],
    layout: &GraphLayout,
    arrows: &BTreeMap<(usize, usize), ArrowKind>,
    hidden: usize,
) -> String {
    let note_height = if hidden > 0 { 24.0 } else { 0.0 };
    let width = (layout.width + 2.0 * MARGIN).max(200.0);
    let height = layout.height + 2.0 * MARGIN + note_height;
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width:.0} {height:.0}\" width=\"{width:.0}\" \
         height=\"{height:.0}\" font-family=\"sans-serif\" fill=\"none\" stroke=\"none\">\n<defs>"
    );
    for (id, color) in [("before", "currentColor"), ("notifies", NOTIFIES_COLOR)] {
        let _ = write!(
            out,
            "<marker id=\"{id}\" viewBox=\"0 0 8 8\" refX=\"8\" refY=\"4\" markerWidth=\"7\" markerHeight=\"7\" \
             orient=\"auto\" markerUnits=\"userSpaceOnUse\"><path d=\"M0 0L8 4L0 8z\" fill=\"{color}\"/></marker>"
        );
    }
    let _ = writeln!(out, "</defs>\n<g transform=\"translate({MARGIN:.0} {MARGIN:.0})\">");
    for (route, ((from, to), kind)) in layout.routes.iter().zip(arrows) {
        draw_arrow(&mut out, route, *kind, shown[*from], shown[*to]);
    }
    for (position, index) in shown.iter().enumerate() {
        let ((x, y), width) = (layout.boxes[position], widths[position]);
        draw_box(&mut out, *index, &catalog.resources[*index], &labels[position], x, y, width);
    }
    out.push_str("</g>\n");
    if hidden > 0 {
        let y = height - 10.0;
        let _ = writeln!(
            out,
            "<text x=\"{MARGIN:.0}\" y=\"{y:.0}\" font-size=\"11\" fill=\"currentColor\">{hidden} more resources \
             not shown</text>"
        );
    }
    out.push_str("</svg>\n");
    out
}

const NOTIFIES_COLOR: &str = "#c0722a";

fn draw_arrow(out: &mut String, route: &[(f64, f64)], kind: ArrowKind, from: usize, to: usize) {
    let Some(((x, y), rest)) = route.split_first() else { return };
    let style = match kind {
        ArrowKind::Contains => {
            "stroke=\"currentColor\" stroke-opacity=\"0.45\" stroke-dasharray=\"2 3\"".to_owned()
        }
        ArrowKind::Before => {
            "stroke=\"currentColor\" stroke-width=\"1.2\" marker-end=\"url(#before)\"".to_owned()
        }
        ArrowKind::Notifies => {
            format!("stroke=\"{NOTIFIES_COLOR}\" stroke-width=\"2\" marker-end=\"url(#notifies)\"")
        }
    };
    let (from, to) = (node_id(from), node_id(to));
    let _ = write!(out, "<path data-from=\"{from}\" data-to=\"{to}\" {style} d=\"M{x:.0} {y:.0}");
    let (mut from_x, mut from_y) = (*x, *y);
    for (x, y) in rest {
        if (y - from_y).abs() < 0.5 {
            let _ = write!(out, "L{x:.0} {y:.0}");
        } else {
            let middle = (from_x + x) / 2.0;
            let _ = write!(out, "C{middle:.0} {from_y:.0} {middle:.0} {y:.0} {x:.0} {y:.0}");
        }
        (from_x, from_y) = (*x, *y);
    }
    out.push_str("\"/>\n");
}

fn draw_box(
    out: &mut String,
    index: usize,
    resource: &CatalogResource,
    label: &Label,
    x: f64,
    y: f64,
    width: f64,
) {
    let (color, radius) = match resource.kind() {
        CatalogResourceKind::Class | CatalogResourceKind::Stage | CatalogResourceKind::Node => {
            ("#3f7fd0", 10)
        }
        CatalogResourceKind::OfType if resource.type_name.contains("::") => ("#8a5fc0", 6),
        CatalogResourceKind::OfType => ("#7a8a8a", 3),
    };
    let dash = if resource.is_possible { " stroke-dasharray=\"5 3\"" } else { "" };
    let possibly = if resource.is_possible { " (possibly)" } else { "" };
    let (text_x, type_y, title_y) = (x + 10.0, y + 15.0, y + 30.0);
    let _ = writeln!(
        out,
        "<g data-node=\"{}\"><title>{}{possibly}</title>\
         <rect x=\"{x:.0}\" y=\"{y:.0}\" width=\"{width:.0}\" height=\"{BOX_HEIGHT:.0}\" rx=\"{radius}\" fill=\"{color}\" \
         fill-opacity=\"0.22\" stroke=\"{color}\"{dash}/>\
         <text x=\"{text_x:.0}\" y=\"{type_y:.0}\" font-size=\"10\" fill=\"currentColor\" fill-opacity=\"0.75\">{}</text>\
         <text x=\"{text_x:.0}\" y=\"{title_y:.0}\" font-size=\"12\" fill=\"currentColor\">{}</text></g>",
        node_id(index),
        escaped(&reference(resource)),
        escaped(&label.type_name),
        escaped(&label.title),
    );
}

/// Escapes text for XML. Control characters are shown as escapes; characters that XML does not allow become
/// spaces.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in visible(text).chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\u{fffe}' | '\u{ffff}' => out.push(' '),
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
#[path = "graph_tests.rs"]
mod tests;
