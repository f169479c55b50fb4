//! `diff --from-catalog FILE` and `diff --to-catalog FILE`: comparison of catalogs from files.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use anyhow::Context;
use cli_common::sides::ComparedSide;
use comparison::catalog_file::{self, CatalogFile};
use comparison::compare::{ComparedCatalog, compared_by};
use compile::{EntryPoint, FileReader};
use disk::config::Config;
use ide::SecretValues;
use output::secrets::SecretKeys;

use super::arguments::{CatalogFiles, DiffArguments};
use super::format::DiffFormat;
use super::octocatalog::OctoSide;
use super::printer::ReportPrinter;
use super::report::{DiffReport, PlacedComparison};
use super::rules::RunRules;
use super::sides::{DiffSide, with_sides};
use super::{CompiledEntry, octocatalog};
use crate::compile::matrix::begin;
use crate::compile::subject::{Subject, select_facts};
use crate::{ColorChoice, CommandOutcome, files};

impl CatalogFiles<'_> {
    /// Compares the catalogs of a file with those of another one, or with compiled ones.
    pub(super) fn compare(
        &self,
        arguments: &DiffArguments,
        color: ColorChoice,
    ) -> anyhow::Result<CommandOutcome> {
        let folder = arguments.project.environment.clone().unwrap_or_else(|| PathBuf::from("."));
        let shown = |path: &Path| files::display_path(path);
        let (from, to) = match *self {
            CatalogFiles::Both { from, to } => (shown(from), shown(to)),
            CatalogFiles::From(from) => (shown(from), "current".to_owned()),
            CatalogFiles::To(to) => (arguments.base.clone(), shown(to)),
        };
        let rules = arguments.rules.read(&folder, arguments.format, (&from, &to))?;
        match *self {
            CatalogFiles::Both { from: before, to: after } => {
                let report = report(arguments, &read(before)?, &read(after)?, &rules)?;
                let config = Config::load(&folder)?;
                let keys = SecretKeys::with(&config.secret_keys);
                let secrets =
                    || SecretValues::new(keys.clone(), &[]).map_err(|error| anyhow::anyhow!("{error}"));
                let printer = ReportPrinter { base: &from, format: arguments.format, rules: &rules, color };
                printer.print(report, secrets)
            }
            CatalogFiles::From(before) => {
                let before = read(before)?;
                let subject =
                    Subject::load(&arguments.sides.project(&arguments.project, ComparedSide::Head))?;
                let analysis = subject.workspace.analysis();
                let environment = begin(&subject, &analysis, color)?;
                let (_, classifier) = arguments.sides.classifiers(&arguments.facts, None)?;
                let side = DiffSide { subject: &subject, environment, classifier };
                let reader = &subject.workspace.disk();
                let compiled = CompiledSide { side: &side, reader, is_before: false };
                let printer = ReportPrinter { base: &from, format: arguments.format, rules: &rules, color };
                compiled.compare_with(&before, arguments, &printer)
            }
            CatalogFiles::To(after) => {
                let after = read(after)?;
                with_sides(arguments, Some(color), |_, sides, reader| {
                    let compiled = CompiledSide { side: &sides.before, reader, is_before: true };
                    let printer =
                        ReportPrinter { base: &from, format: arguments.format, rules: &rules, color };
                    compiled.compare_with(&after, arguments, &printer)
                })
            }
        }
    }
}

/// The side that is compiled if the catalogs of the other one are from a file.
struct CompiledSide<'s> {
    side: &'s DiffSide<'s>,
    reader: &'s (dyn FileReader + Sync),
    /// True for the side before the change.
    is_before: bool,
}

impl CompiledSide<'_> {
    /// Compares the catalogs of this side with those of a file.
    fn compare_with(
        &self,
        files: &[CatalogFile],
        arguments: &DiffArguments,
        printer: &ReportPrinter<'_>,
    ) -> anyhow::Result<CommandOutcome> {
        let CompiledSide { side, reader, is_before } = *self;
        let (subject, environment, rules) = (side.subject, side.environment, printer.rules);
        let analysis = subject.workspace.analysis();
        let is_octocatalog = arguments.format == DiffFormat::Octocatalog;
        // Without the option, the contents of files in modules are only compared if both sides are compiled.
        let served = rules.forces_file_text.then(|| side.served_files(reader, rules));
        let (wanted, not_compiled) = wanted(arguments, files)?;
        let mut compared = Vec::new();
        for (file, name) in wanted {
            let facts = select_facts(subject.facts(&arguments.facts)?, Some(&name))?;
            let point = EntryPoint::MainManifest;
            let classes = &side.classifier.common;
            let mut request = subject.request(&analysis, environment, point, Some(&name), &facts, classes);
            let of_side = if is_before { ComparedSide::Base } else { ComparedSide::Head };
            arguments.sides.overrides.replace(&mut request.facts, of_side)?;
            let compiled = analysis.compile_with_verdict(environment, &request, Some(reader))?;
            let of_file = ComparedCatalog::of_file(file, !is_before);
            let of_file = match is_before {
                true => of_file.with_checked_references(&rules.checked_references),
                false => of_file,
            };
            let of_code =
                ComparedCatalog::new(&analysis, environment, compiled, None)?.for_comparison_with(file);
            let (was, is) = if is_before { (&of_code, &of_file) } else { (&of_file, &of_code) };
            let comparison = compared_by(Some(was), Some(is), &rules.rules);
            let octo_side = OctoSide::of(Some(&of_code), &analysis, environment, served.as_ref());
            let octocatalog = octo_side
                .filter(|_| is_octocatalog)
                .map(|side| octocatalog::of_file_and_compiled(file, !is_before, &side, rules))
                .transpose()?;
            let (entry, platform) = (CompiledEntry::named(name), String::new());
            compared.push(PlacedComparison { entry, platform, comparison, octocatalog });
        }
        let report = DiffReport { compared, not_compiled, gaps: Vec::new() };
        let keys = SecretKeys::with(&subject.config.secret_keys);
        let secrets =
            || SecretValues::new(keys.clone(), &[&analysis]).map_err(|error| anyhow::anyhow!("{error}"));
        printer.print(report, secrets)
    }
}

type WantedCatalogs<'c> = (Vec<(&'c CatalogFile, String)>, Vec<(CompiledEntry, &'static str)>);

/// Returns the catalogs whose nodes are compiled, with the names of the nodes, and the nodes without one.
fn wanted<'c>(arguments: &DiffArguments, catalogs: &'c [CatalogFile]) -> anyhow::Result<WantedCatalogs<'c>> {
    // The name of a single node replaces that of a single catalog.
    if let ([file], [name]) = (catalogs, arguments.nodes.as_slice()) {
        return Ok((vec![(file, name.clone())], Vec::new()));
    }
    let is_wanted = |it: &&CatalogFile| arguments.nodes.is_empty() || arguments.nodes.contains(&it.node);
    let found: Vec<(&CatalogFile, String)> =
        catalogs.iter().filter(is_wanted).map(|it| (it, it.node.clone())).collect();
    anyhow::ensure!(
        found.iter().all(|(_, name)| !name.is_empty()),
        "the catalog has no name of a node\nhelp: give the name of the node"
    );
    let missing = arguments.nodes.iter().filter(|name| !catalogs.iter().any(|it| it.node == **name));
    let missing = missing.map(|name| (CompiledEntry::named(name.clone()), "no catalog in the file"));
    Ok((found, missing.collect()))
}

fn read(path: &Path) -> anyhow::Result<Vec<CatalogFile>> {
    let text = files::read_named_text(path).map_err(|failure| anyhow::anyhow!("{failure}"))?;
    catalog_file::read(&text).with_context(|| format!("`{}` is not a catalog", files::display_path(path)))
}

fn report(
    arguments: &DiffArguments,
    before: &[CatalogFile],
    after: &[CatalogFile],
    rules: &RunRules,
) -> anyhow::Result<DiffReport> {
    let mut nodes: BTreeMap<&str, (Option<&CatalogFile>, Option<&CatalogFile>)> = BTreeMap::new();
    match (before, after) {
        // The names of two catalogs may differ, such as those of a node and its replacement.
        ([old], [new]) => {
            nodes.insert(&new.node, (Some(old), Some(new)));
        }
        _ => {
            before.iter().for_each(|it| nodes.entry(&it.node).or_default().0 = Some(it));
            after.iter().for_each(|it| nodes.entry(&it.node).or_default().1 = Some(it));
        }
    }
    let mut not_compiled = Vec::new();
    for wanted in &arguments.nodes {
        if !nodes.contains_key(wanted.as_str()) {
            not_compiled.push((CompiledEntry::named(wanted.clone()), "no catalog in either file"));
        }
    }
    let is_wanted =
        |node: &str| arguments.nodes.is_empty() || arguments.nodes.iter().any(|wanted| wanted == node);
    let mut compared = Vec::new();
    for (node, (old, new)) in nodes.into_iter().filter(|(node, _)| is_wanted(node)) {
        let was = old.map(|file| ComparedCatalog::of_file(file, true));
        let is = new.map(|file| {
            ComparedCatalog::of_file(file, false).with_checked_references(&rules.checked_references)
        });
        let comparison = compared_by(was.as_ref(), is.as_ref(), &rules.rules);
        let is_octocatalog = arguments.format == DiffFormat::Octocatalog;
        let found = old.zip(new).filter(|_| is_octocatalog);
        let found = found.map(|(old, new)| Ok(octocatalog::of_files(old, new, rules)));
        let name = if node.is_empty() { "catalog" } else { node };
        let entry = CompiledEntry::named(name.to_owned());
        let placed = PlacedComparison { entry, platform: String::new(), comparison, octocatalog: found };
        compared.push(placed);
    }
    Ok(DiffReport { compared, not_compiled, gaps: Vec::new() })
}
