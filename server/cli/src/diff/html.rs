//! Rendering of a comparison as one HTML page that opens from disk.
//!
//! The page has all data and code inside, and its policy (CSP) runs and loads nothing else. The data is that of
//! `--format json` over nodes, with each distinct change stored once.

use std::collections::{BTreeMap, HashMap};

use base64::prelude::{BASE64_STANDARD, Engine};
use output::{escaped_json, visible_text};
use serde_json::{Value as Json, json};
use sha2::{Digest, Sha256};

use super::render::{json_difference, json_possible};
use super::{DiffReport, Difference};
use comparison::compare::Comparison;

const PAGE: &str = include_str!("html/page.html");
const STYLE: &str = include_str!("html/page.css");
const SCRIPT: &str = include_str!("html/page.js");

/// Singular and plural of what was compared.
pub(super) const CATALOGS: [&str; 2] = ["catalog", "catalogs"];

/// Singular and plural of the nodes of a fleet.
pub(super) const NODES: [&str; 2] = ["node", "nodes"];

/// Renders the JSON of a comparison as a page.
pub(super) fn render(mut report: Json, base: &str, unit: [&str; 2]) -> String {
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

/// Converts a comparison of catalogs to the form of one over nodes: each catalog is a node.
pub(super) fn of_catalogs(report: &DiffReport) -> Json {
    let mut counts: BTreeMap<&str, usize> =
        ["same", "changed", "failed", "open"].into_iter().map(|kind| (kind, 0)).collect();
    let mut groups: Vec<(Vec<Json>, Vec<String>)> = Vec::new();
    let mut positions: HashMap<String, usize> = HashMap::new();
    let mut failures: Vec<Json> = Vec::new();
    let failure = |node: &str, CatalogFailure { side, status, reason }: CatalogFailure| json!({ "node": node, "side": side, "status": status, "reason": reason });
    for placed in &report.compared {
        let name = placed.name();
        let own = changes(&placed.comparison);
        let of_catalog = failures_of(&placed.comparison);
        let kind = match of_catalog.iter().map(|it| it.status).min() {
            Some(FAILED) => FAILED,
            _ if !own.is_empty() => "changed",
            Some(_) => OPEN,
            None => "same",
        };
        counts.entry(kind).and_modify(|count| *count += 1);
        failures.extend(of_catalog.into_iter().map(|it| failure(&name, it)));
        if !own.is_empty() {
            let position = *positions.entry(json!(own).to_string()).or_insert(groups.len());
            if position == groups.len() {
                groups.push((own, Vec::new()));
            }
            groups[position].1.push(name);
        }
    }
    for (entry, reason) in &report.not_compiled {
        counts.entry(OPEN).and_modify(|count| *count += 1);
        let reason = format!("not compiled: {reason}");
        failures.push(failure(&entry.name, CatalogFailure { side: "both", status: OPEN, reason }));
    }
    let groups: Vec<Json> =
        groups.into_iter().map(|(changes, nodes)| json!({ "nodes": nodes, "changes": changes })).collect();
    json!({ "summary": counts, "groups": groups, "failures": failures, "limitations": report.gaps })
}

const FAILED: &str = "failed";
const OPEN: &str = "open";

/// Reason why a catalog was not compared completely.
struct CatalogFailure {
    side: &'static str,
    status: &'static str,
    reason: String,
}

/// Returns the changes of a catalog, as JSON.
fn changes(Comparison { difference, possible, .. }: &Comparison) -> Vec<Json> {
    let mut changes = match difference {
        Some(it @ (Difference::New(_) | Difference::Gone | Difference::Resources(_))) => {
            let mut whole = json!({});
            json_difference(&mut whole, it);
            match whole.get_mut("resources").map(Json::take) {
                Some(Json::Array(resources)) => resources,
                _ => vec![whole],
            }
        }
        _ => Vec::new(),
    };
    changes.extend(possible.iter().map(|change| {
        let mut change = json_possible(change);
        change["change"] = json!("possible");
        change
    }));
    changes
}

/// Returns the failures of a catalog, and its unknown parts.
fn failures_of(comparison: &Comparison) -> Vec<CatalogFailure> {
    let mut failures = Vec::new();
    let mut add = |side, status, reason: &String| {
        failures.push(CatalogFailure { side, status, reason: reason.clone() });
    };
    match &comparison.difference {
        Some(Difference::FailsNow(message)) => add("head", FAILED, message),
        Some(Difference::CompilesNow(message)) => add("base", FAILED, message),
        Some(Difference::FailsDifferently { before, after }) => {
            add("base", FAILED, before);
            add("head", FAILED, after);
        }
        Some(Difference::New(_) | Difference::Gone | Difference::Resources(_)) | None => {}
    }
    comparison.failure_of_both.iter().for_each(|reason| add("both", FAILED, reason));
    comparison.open.iter().for_each(|reason| add("both", OPEN, reason));
    failures
}

#[cfg(test)]
mod tests;
