//! Comparison of catalogs as the data of an HTML page.

use std::collections::{BTreeMap, HashMap};

use serde_json::{Value as Json, json};

use super::render::{json_difference, json_possible};
use super::report::DiffReport;
use comparison::compare::{Comparison, Difference};

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
    let mut json =
        json!({ "summary": counts, "groups": groups, "failures": failures, "limitations": report.gaps });
    let ignored = report.compared.iter().map(|it| it.comparison.ignored).filter(|count| *count > 0);
    if ignored.clone().count() > 0 {
        json["ignored"] = json!({ "changes": ignored.clone().sum::<usize>(), "nodes": ignored.count() });
    }
    json
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
