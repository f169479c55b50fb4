//! Rendering of a comparison as one HTML page that opens from disk.
//!
//! The page has all data and code inside, and its policy (CSP) runs and loads nothing else. The data is that of
//! `--format json` over nodes, with each distinct change stored once.

use std::collections::HashMap;

use base64::prelude::{BASE64_STANDARD, Engine};
use output::{escaped_json, visible_text};
use serde_json::{Value as Json, json};
use sha2::{Digest, Sha256};

const PAGE: &str = include_str!("page/page.html");
const STYLE: &str = include_str!("page/page.css");
const SCRIPT: &str = include_str!("page/page.js");

/// Singular and plural of what was compared.
pub const CATALOGS: [&str; 2] = ["catalog", "catalogs"];

/// Singular and plural of the nodes of a fleet.
pub const NODES: [&str; 2] = ["node", "nodes"];

/// Renders the JSON of a comparison as a page.
pub fn render(mut report: Json, base: &str, unit: [&str; 2]) -> String {
    make_visible(&mut report);
    share_changes(&mut report);
    report["base"] = json!(visible_text(base));
    report["unit"] = json!(unit);
    // The data cannot end its element, and the print function has nothing left to escape.
    let data = report.to_string().replace('<', "\\u003c");
    let hash = |text: &str| format!("sha256-{}", BASE64_STANDARD.encode(Sha256::digest(text)));
    let parts = [
        ("{script-hash}", hash(SCRIPT).as_str()),
        ("{style-hash}", hash(STYLE).as_str()),
        ("{style}", STYLE),
        ("{report}", &escaped_json(&data)),
        ("{script}", SCRIPT),
    ]
    .map(|(name, text)| (name, text.to_owned()));
    let mut out = String::with_capacity(PAGE.len() + STYLE.len() + SCRIPT.len() + data.len());
    let mut rest = PAGE;
    for (name, text) in &parts {
        if let Some((before, after)) = rest.split_once(name) {
            out.push_str(before);
            out.push_str(text);
            rest = after;
        }
    }
    out + rest
}

/// Escapes control characters and those that affect text direction in all strings.
fn make_visible(value: &mut Json) {
    match value {
        Json::String(text) => *text = visible_text(text).into_owned(),
        Json::Array(elements) => elements.iter_mut().for_each(make_visible),
        Json::Object(entries) => entries.values_mut().for_each(make_visible),
        Json::Null | Json::Bool(_) | Json::Number(_) => {}
    }
}

/// Moves the changes of all groups to one list, to which the groups refer by index.
fn share_changes(report: &mut Json) {
    let mut positions: HashMap<String, usize> = HashMap::new();
    let mut changes: Vec<Json> = Vec::new();
    for group in report["groups"].as_array_mut().into_iter().flatten() {
        let own = group["changes"].take();
        let own = own.as_array().into_iter().flatten().map(|change| {
            *positions.entry(change.to_string()).or_insert_with(|| {
                changes.push(change.clone());
                changes.len() - 1
            })
        });
        group["changes"] = own.collect();
    }
    report["changes"] = changes.into();
}

#[cfg(test)]
mod tests;
