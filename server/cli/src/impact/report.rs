//! Report on the nodes that contain files or resources.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::sync::Arc;

use catalog_view::text::plural;
use comparison::contents::ImpactTarget;
use output::visible;
use serde_json::{Value as Json, json};

use crate::CommandOutcome;

/// Version of the report in JSON. Keys are added without a new version.
const VERSION: u32 = 1;

/// Maximum number of names listed for one reason.
const MAX_NAMED: usize = 10;

/// A catalog with what is known about it.
#[derive(Debug)]
pub(super) struct ImpactedCatalog {
    /// Name of the node or class.
    pub(super) name: String,
    pub(super) is_class: bool,
    /// `None` for nodes with their own facts.
    pub(super) platform: Option<String>,
    pub(super) impact: Arc<CatalogImpact>,
}

impl ImpactedCatalog {
    fn shown(&self) -> String {
        match &self.platform {
            Some(platform) => format!("{} on {platform}", self.name),
            None => self.name.clone(),
        }
    }

    fn json(&self) -> Json {
        let mut json = json!({ if self.is_class { "class" } else { "node" }: self.name });
        if let Some(platform) = &self.platform {
            json["platform"] = json!(platform);
        }
        json
    }

    fn is_affected(&self) -> bool {
        !self.impact.contained.is_empty()
    }

    fn has_failed(&self) -> bool {
        !self.is_affected() && self.impact.unknown.iter().any(|it| it.is_failure)
    }

    fn is_open(&self) -> bool {
        !self.is_affected() && !self.has_failed() && !self.impact.unknown.is_empty()
    }
}

pub(super) struct ImpactReport<'t> {
    targets: &'t [ImpactTarget],
    catalogs: Vec<ImpactedCatalog>,
    /// Singular and plural of what was compiled.
    noun: (&'static str, &'static str),
}

impl<'t> ImpactReport<'t> {
    pub(super) fn new(
        targets: &'t [ImpactTarget],
        catalogs: Vec<ImpactedCatalog>,
        noun: (&'static str, &'static str),
    ) -> ImpactReport<'t> {
        ImpactReport { targets, catalogs, noun }
    }

    /// Returns the catalogs that contain a target.
    fn containing(&self, target: usize) -> impl Iterator<Item = &ImpactedCatalog> {
        self.catalogs.iter().filter(move |it| it.impact.contained.contains(&target))
    }

    /// Counts the affected, unaffected, failed, and open catalogs.
    fn counts(&self) -> [usize; 4] {
        let count = |is: fn(&ImpactedCatalog) -> bool| self.catalogs.iter().filter(|it| is(it)).count();
        let affected = count(ImpactedCatalog::is_affected);
        let (failed, open) = (count(ImpactedCatalog::has_failed), count(ImpactedCatalog::is_open));
        [affected, self.catalogs.len() - affected - failed - open, failed, open]
    }

    pub(super) fn outcome(&self) -> CommandOutcome {
        let is_unknown = self.catalogs.iter().any(|it| !it.impact.unknown.is_empty());
        match (is_unknown, self.counts()) {
            (true, _) => CommandOutcome::Inconclusive,
            (false, [0, ..]) => CommandOutcome::Findings,
            (false, _) => CommandOutcome::Clean,
        }
    }

    pub(super) fn text(&self) -> String {
        let mut out = String::new();
        for (index, target) in self.targets.iter().enumerate() {
            let names: Vec<String> = self.containing(index).map(ImpactedCatalog::shown).collect();
            let (count, verb) = (names.len(), if names.len() == 1 { "contains" } else { "contain" });
            let target = target.to_string();
            let what = plural(count, self.noun.0, self.noun.1);
            let end = if names.is_empty() { "" } else { ":" };
            let _ = writeln!(out, "{what} {verb} {}{end}", visible(&target));
            names.iter().for_each(|name| out.push_str(&format!("    {}\n", visible(name))));
            out.push('\n');
        }
        let mut reasons: BTreeMap<&UnknownReason, Vec<String>> = BTreeMap::new();
        for catalog in &self.catalogs {
            for reason in &catalog.impact.unknown {
                reasons.entry(reason).or_default().push(catalog.shown());
            }
        }
        if !reasons.is_empty() {
            out.push_str("Unknown, or in part:\n");
        }
        for (UnknownReason { is_failure, text }, names) in &reasons {
            let status = if *is_failure { "fails" } else { "open" };
            let what = plural(names.len(), self.noun.0, self.noun.1);
            let reason = codes::single_line(text).replace('\n', " ");
            let _ = writeln!(out, "{status}, on {what}: {}", visible(&reason));
            let listed = names.iter().take(MAX_NAMED);
            listed.for_each(|name| out.push_str(&format!("    {}\n", visible(name))));
            if names.len() > MAX_NAMED {
                let _ = writeln!(out, "    and {} more", names.len() - MAX_NAMED);
            }
        }
        if !reasons.is_empty() {
            out.push('\n');
        }
        let [affected, unaffected, failed, open] = self.counts();
        let all = plural(self.catalogs.len(), self.noun.0, self.noun.1);
        out + &format!(
            "{all}: {affected} affected, {unaffected} not affected, {failed} failed, {open} open\n"
        )
    }

    pub(super) fn json(&self) -> Json {
        let [affected, unaffected, failed, open] = self.counts();
        let target = |(index, target): (usize, &ImpactTarget)| {
            let catalogs: Vec<Json> = self.containing(index).map(ImpactedCatalog::json).collect();
            json!({ "target": target.to_string(), "catalogs": catalogs })
        };
        let targets: Vec<Json> = self.targets.iter().enumerate().map(target).collect();
        let mut failures = Vec::new();
        for catalog in &self.catalogs {
            for UnknownReason { is_failure, text } in &catalog.impact.unknown {
                let mut json = catalog.json();
                json["status"] = json!(if *is_failure { "failed" } else { "open" });
                json["reason"] = json!(text);
                failures.push(json);
            }
        }
        json!({
            "version": VERSION,
            "summary": { "affected": affected, "unaffected": unaffected, "failed": failed, "open": open },
            "targets": targets,
            "failures": failures,
        })
    }
}

/// Verdict on one catalog.
#[derive(Clone, Default, Debug)]
pub(super) struct CatalogImpact {
    /// Indices of the targets that it contains.
    pub(super) contained: Vec<usize>,
    /// Reasons why it is unknown whether it contains the others.
    pub(super) unknown: Vec<UnknownReason>,
}

/// Reason why the contents of a catalog are unknown.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct UnknownReason {
    /// True if the catalog does not compile.
    pub(super) is_failure: bool,
    pub(super) text: String,
}
