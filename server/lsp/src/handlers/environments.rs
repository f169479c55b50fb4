//! `puppet-analyzer/environments`: the modules of each environment, and those that are missing.
//! `puppet-analyzer/facts`: the facts that catalogs are compiled with. Protocol extensions.

use ide::{Cancellable, EnvironmentOverview, FilePath, ModuleOverview, ShownFact};
use lsp_types::{Range, Uri};
use serde::{Deserialize, Serialize};
use tower_lsp::jsonrpc::Result;

use super::locations::LocationConverter;
use crate::{Server, Snapshot, convert};

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct JsonEnvironment {
    /// Name of the folder; absent for files that are in no environment.
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    uri: Option<Uri>,
    puppet_version: u8,
    modules: Vec<JsonModule>,
    missing_modules: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    puppetfile: Option<JsonPuppetfile>,
    nodes: Vec<String>,
    fact_sets: Vec<String>,
}

#[derive(Serialize)]
struct JsonModule {
    name: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    uri: Option<Uri>,
    #[serde(skip_serializing_if = "Option::is_none")]
    version: Option<String>,
    dependencies: Vec<JsonDependency>,
}

#[derive(Serialize)]
struct JsonDependency {
    name: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    requirement: Option<String>,
}

#[derive(Serialize)]
struct JsonPuppetfile {
    uri: Uri,
    modules: Vec<JsonPuppetfileModule>,
}

#[derive(Serialize)]
struct JsonPuppetfileModule {
    name: String,
    version: String,
    range: Range,
}

pub(super) async fn environments(server: &Server) -> Result<Vec<JsonEnvironment>> {
    server
        .ask_workspace("puppet-analyzer/environments", |snapshot| {
            let overviews = snapshot.analysis.environments().into_iter();
            let overviews = overviews.map(|it| snapshot.analysis.environment_overview(it));
            let overviews: Vec<EnvironmentOverview> = overviews.collect::<Cancellable<_>>()?;
            // The environment for all other files exists even if there are none.
            let is_used = |it: &EnvironmentOverview| it.root.is_some() || !it.modules.is_empty();
            overviews.into_iter().filter(is_used).map(|it| environment(snapshot, it)).collect()
        })
        .await
}

fn environment(snapshot: &Snapshot, overview: EnvironmentOverview) -> Cancellable<JsonEnvironment> {
    let puppetfile = match &overview.puppetfile {
        Some(found) => {
            let mut locations = LocationConverter::new(snapshot);
            let modules = found.modules.iter().map(|it| {
                let range = locations.range(found.file, it.range)?;
                Ok(JsonPuppetfileModule { name: it.module.clone(), version: it.version.clone(), range })
            });
            let modules = modules.collect::<Cancellable<_>>()?;
            convert::uri(&snapshot.analysis.path(found.file)).map(|uri| JsonPuppetfile { uri, modules })
        }
        None => None,
    };
    Ok(JsonEnvironment {
        name: overview.root.as_ref().map(|it| it.file_name().to_owned()),
        uri: overview.root.as_ref().and_then(convert::uri),
        puppet_version: overview.puppet_version.major(),
        modules: overview.modules.into_iter().map(module).collect(),
        missing_modules: overview.missing_modules,
        puppetfile,
        nodes: overview.nodes,
        fact_sets: overview.fact_sets,
    })
}

fn module(ModuleOverview { name, root, version, dependencies }: ModuleOverview) -> JsonModule {
    let dependencies = dependencies.into_iter();
    let dependencies = dependencies.map(|(name, requirement)| JsonDependency { name, requirement }).collect();
    JsonModule { name, uri: convert::uri(&root), version, dependencies }
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct FactsParams {
    /// Root of an environment; absent for files that are in no environment.
    environment: Option<Uri>,
    /// One of the `factSets` of the environment.
    fact_set: String,
}

#[derive(Serialize)]
pub(super) struct JsonFact {
    name: String,
    expression: String,
    value: String,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    elements: Vec<JsonFact>,
}

pub(super) async fn facts(server: &Server, params: FactsParams) -> Result<Option<Vec<JsonFact>>> {
    let root: Option<FilePath> = params.environment.as_ref().and_then(convert::file_path);
    server
        .ask_workspace("puppet-analyzer/facts", move |snapshot| {
            let analysis = &snapshot.analysis;
            let environments = analysis.environments();
            let environment = environments.into_iter().find(|it| analysis.environment_root(*it) == root);
            let Some(environment) = environment else { return Ok(None) };
            let facts = analysis.facts(environment, &params.fact_set)?;
            Ok(facts.map(|it| it.into_iter().map(fact).collect()))
        })
        .await
}

fn fact(ShownFact { name, expression, value, elements }: ShownFact) -> JsonFact {
    JsonFact { name, expression, value, elements: elements.into_iter().map(fact).collect() }
}
