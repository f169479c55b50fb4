//! A self-contained HTML page: no external resources, and a policy that allows only its own script and style.

mod comments;
mod definitions;

use std::collections::{BTreeMap, HashSet};
use std::fmt::Write;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use sha2::{Digest, Sha256};

use self::comments::phrase;
use crate::ModuleReference;
use crate::docstring::Docstring;
use crate::markdown::{MAX_DESCRIPTION, anchor};

const STYLE: &str = include_str!("page.css");
const SCRIPT: &str = include_str!("page.js");

/// Values of class parameters by platform, as Markdown, by the names of class and parameter.
pub type PlatformDefaults = BTreeMap<(String, String), String>;

/// Definition in the table of contents.
struct PageSection<'r> {
    name: &'r str,
    docstring: &'r Docstring,
    /// Place in the module: `manifests/init.pp:3`.
    place: String,
    /// Everything below the heading and the place.
    text: String,
}

impl ModuleReference {
    /// Returns the page as HTML. `title` is the name of the module.
    pub fn html(&self, title: &str, platforms: &PlatformDefaults) -> String {
        let title = escaped(title);
        let mut page = format!(
            "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
             <meta http-equiv=\"Content-Security-Policy\" content=\"{}\">\n\
             <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
             <meta name=\"generator\" content=\"puppet-analyzer\">\n<title>{title}: reference</title>\n\
             <style>{STYLE}</style>\n</head>\n<body>\n<a class=\"skip\" href=\"#content\">Skip to content</a>\n",
            policy()
        );
        let groups = self.listed(platforms);
        let mut anchors = PageAnchors::default();
        let groups: Vec<(&str, Vec<(String, PageSection<'_>)>)> = groups
            .into_iter()
            .filter(|(_, listed)| !listed.is_empty())
            .map(|(group, listed)| (group, listed.into_iter().map(|it| (anchors.add(it.name), it)).collect()))
            .collect();
        page.push_str(
            "<nav aria-label=\"Table of contents\">\n<label for=\"search\">Search names</label>\n\
             <input id=\"search\" type=\"search\" autocomplete=\"off\" placeholder=\"Press / to search\">\n\
             <p id=\"found\" role=\"status\"></p>\n",
        );
        groups.iter().for_each(|(group, listed)| contents(&mut page, group, listed));
        let _ = write!(page, "</nav>\n<main id=\"content\" tabindex=\"-1\">\n<h1>{title}</h1>\n");
        groups.iter().for_each(|(group, listed)| sections(&mut page, group, listed));
        let _ = write!(page, "</main>\n<script>{SCRIPT}</script>\n</body>\n</html>\n");
        output::visible_text(&page.replace("\r\n", "\n")).into_owned()
    }
}

/// Returns the value of `Content-Security-Policy`.
fn policy() -> String {
    let hash = |text: &str| STANDARD.encode(Sha256::digest(text));
    let (script, style) = (hash(SCRIPT), hash(STYLE));
    format!(
        "default-src 'none'; script-src 'sha256-{script}'; style-src 'sha256-{style}'; base-uri 'none'; \
         form-action 'none'"
    )
}

/// PageAnchors of a page. They are those of `REFERENCE.md`, so that links in comments lead to the same definitions;
/// a second definition with the same name has a number.
#[derive(Default)]
struct PageAnchors(HashSet<String>);

impl PageAnchors {
    fn add(&mut self, name: &str) -> String {
        let base = anchor(name);
        let numbered = |number: usize| if number == 1 { base.clone() } else { format!("{base}-{number}") };
        // The page itself has the ids `content`, `search`, and `found`.
        let is_free =
            |it: &String| !self.0.contains(it) && !matches!(it.as_str(), "content" | "search" | "found");
        let free = (1..).map(numbered).find(is_free).unwrap_or_default();
        self.0.insert(free.clone());
        free
    }
}

fn contents(page: &mut String, group: &str, listed: &[(String, PageSection<'_>)]) {
    let _ = writeln!(page, "<div data-group>\n<h2>{group}</h2>");
    let (private, public): (Vec<_>, Vec<_>) = listed.iter().partition(|(_, it)| it.docstring.is_private());
    let is_divided = !private.is_empty() && !public.is_empty();
    for (label, listed) in [("Public", public), ("Private", private)] {
        if listed.is_empty() {
            continue;
        }
        page.push_str("<div data-group>\n");
        if is_divided || label == "Private" {
            let _ = writeln!(page, "<h3>{label} {}</h3>", group.to_lowercase());
        }
        page.push_str("<ul>\n");
        for (id, it) in listed {
            let name = escaped(it.name);
            let _ = write!(page, "<li data-name=\"{name}\">");
            let _ = match label {
                "Public" => write!(page, "<a href=\"#{id}\"><code>{name}</code></a>"),
                _ => write!(page, "<code>{name}</code>"),
            };
            let description = description(it.docstring);
            if !description.is_empty() {
                let _ = write!(page, "<p>{}</p>", phrase(&description));
            }
            page.push_str("</li>\n");
        }
        page.push_str("</ul>\n</div>\n");
    }
    page.push_str("</div>\n");
}

/// Returns the summary, or the start of the description.
fn description(docstring: &Docstring) -> String {
    if let Some(summary) = docstring.tag_text("summary") {
        return summary.to_owned();
    }
    let paragraph = docstring.text.split("\n\n").next().unwrap_or_default();
    let mut text: String = paragraph.chars().take(MAX_DESCRIPTION).collect();
    if text.len() < paragraph.len() {
        text.push('…');
    }
    text
}

fn sections(page: &mut String, group: &str, listed: &[(String, PageSection<'_>)]) {
    let mut public = listed.iter().filter(|(_, it)| !it.docstring.is_private()).peekable();
    if public.peek().is_none() {
        return;
    }
    let _ = writeln!(page, "<div data-group>\n<h2>{group}</h2>");
    for (id, it) in public {
        let name = escaped(it.name);
        let _ = write!(
            page,
            "<section data-name=\"{name}\">\n<h3 id=\"{id}\"><code>{name}</code>{}</h3>\n<p class=\"place\">{}</p>\n{}\
             </section>\n",
            link_to(id, &name),
            escaped(&it.place),
            it.text
        );
    }
    page.push_str("</div>\n");
}

/// Returns the link beside a heading or parameter that leads to it. `name` is escaped.
fn link_to(id: &str, name: &str) -> String {
    format!("<a class=\"anchor\" href=\"#{id}\" aria-label=\"Link to {name}\">#</a>")
}

/// Returns a text with HTML's special characters escaped, for elements and quoted attributes.
fn escaped(text: &str) -> String {
    let mut result = String::with_capacity(text.len());
    for it in text.chars() {
        match it {
            '&' => result.push_str("&amp;"),
            '<' => result.push_str("&lt;"),
            '>' => result.push_str("&gt;"),
            '"' => result.push_str("&quot;"),
            '\'' => result.push_str("&#39;"),
            other => result.push(other),
        }
    }
    result
}
