//! Queries for plans in YAML. Their code is in no file, so all ranges are in [`PlanCode::text`].

use std::sync::Arc;

use hiera::DataFormat;
use hiera::data::{Content, DataFindingKind};
use hir::{DefinitionKey, ItemSummary, LoweredFile, NameUse};
use syntax::{Language, Parse};

pub use super::plan_code::{PlanCode, StepAction};
use crate::{Db, DefinitionId, File, FileRole, NameKind, module_named, resolve_in_file};

/// Plan in YAML as Puppet code.
#[derive(Clone, Debug)]
pub struct YamlPlan {
    pub code: PlanCode,
    pub parse: Parse,
    pub name_uses: Arc<[NameUse]>,
    pub(crate) lowered: LoweredFile,
    pub(crate) summary: ItemSummary,
}

/// Returns true for a file that Bolt loads as a plan in YAML.
pub fn is_yaml_plan(db: &dyn Db, file: File) -> bool {
    let FileRole::Module { relative, .. } = file.role(db) else { return false };
    relative.starts_with("plans/") && relative.ends_with(".yaml")
}

/// Returns the plan in a YAML file; `None` if the file is no such plan, has no valid YAML, or is too large.
#[salsa::tracked(returns(ref), no_eq, lru = 64)]
pub fn yaml_plan(db: &dyn Db, file: File) -> Option<YamlPlan> {
    let _span = tracing::info_span!("yaml_plan").entered();
    let FileRole::Module { module, relative } = file.role(db) else { return None };
    let path = relative.strip_prefix("plans/")?.strip_suffix(".yaml")?;
    let name = match path {
        "init" => module.name(db).to_string(),
        _ => format!("{}::{}", module.name(db), path.replace('/', "::")),
    };
    let text = file.contents(db).text().filter(|_| !file.is_large(db))?;
    let data = hiera::data::read(DataFormat::Yaml, &text);
    if data.findings.iter().any(|it| it.kind == DataFindingKind::Syntax) {
        return None;
    }
    let root = data.root.filter(|it| matches!(it.content, Content::Mapping(_)))?;
    let code = super::plan_code::plan_code(&name, &text, &root);
    let parse = syntax::parse(&code.text, Language::Plan);
    let name_uses = hir::name_uses(&parse).into();
    let (lowered, summary) = (hir::lower_file(&parse), hir::summarize(&parse));
    Some(YamlPlan { code, parse, name_uses, lowered, summary })
}

/// Returns the definition of a plan, in Puppet or in YAML, as seen from code in a file.
pub fn resolve_plan(db: &dyn Db, from: File, name: &str) -> Option<DefinitionId> {
    resolve_in_file(db, from, NameKind::Plan, name).or_else(|| {
        let (module, plan) = name.split_once("::").unwrap_or((name, "init"));
        let path = format!("plans/{}.yaml", plan.replace("::", "/"));
        let file = *module_named(db, from, module)?.files(db).get(path.as_str())?;
        yaml_plan_definitions(db, file).into_iter().nth(1)
    })
}

/// Returns the definitions of a plan in YAML, its empty main program first.
pub fn yaml_plan_definitions(db: &dyn Db, file: File) -> Vec<DefinitionId> {
    let plan = yaml_plan(db, file).as_ref();
    let keys = plan.into_iter().flat_map(|it| &it.summary.definitions).map(|it| &it.key);
    keys.map(|key: &DefinitionKey| DefinitionId::new(db, file, key.clone())).collect()
}
