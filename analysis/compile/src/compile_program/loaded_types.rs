//! Types of the parameters of loaded manifests. Puppet evaluates them when it loads a class or defined type, even
//! if nothing declares it.

use codes::Code;
use eval::Definitions;
use hir::{DefinitionKey, DefinitionKind, Expr, ReferenceKind};
use plugins::built_in::{self, bolt};
use project::{DefinitionId, File, FileRole, NameKind};
use syntax::TextRange;

use super::CompileProgram;
use crate::closed_types::closed_type_error;
use crate::loading::LoadFinding;

impl CompileProgram<'_> {
    /// Loads the files of all data types that the parameters of a file's definitions have. Returns an error for
    /// a type that is not defined, or that Puppet refuses.
    pub(super) fn load_parameter_types(&self, file: File) -> Option<LoadFinding> {
        let mut finding = None;
        for definition in &project::item_summary(self.db, file).definitions {
            if !matches!(definition.key.kind, DefinitionKind::Class | DefinitionKind::DefinedType) {
                continue;
            }
            for (_, expr) in definition.types.iter() {
                let Expr::TypeReference(name) = expr else { continue };
                if !self.is_known_type(file, name) && finding.is_none() {
                    finding = Some(self.unknown_type(file, &definition.key, name));
                }
            }
            // Those of main manifests are evaluated before the manifest.
            if finding.is_none() && matches!(file.role(self.db), FileRole::Module { .. }) {
                finding = self.refused_type(file, &definition.key);
            }
        }
        finding
    }

    fn is_known_type(&self, file: File, name: &str) -> bool {
        let name = hir::fold_name(name);
        let is_of_module = |name| project::type_set_member(self.db, file, name).is_some();
        built_in::data_type(&name).is_some()
            || ReferenceKind::of(&name) != ReferenceKind::OfType
            || matches!(name.as_str(), "type" | "pcore")
            || bolt::is_type(&name)
            || self.exists(NameKind::TypeAlias, &name)
            || self.in_loaded_manifest(DefinitionKind::TypeAlias, &name).is_some()
            || self.resource_type_exists(&name)
            || is_of_module(&name)
            || project::ruby_data_type(self.db, file, &name).is_some()
            || self.may_define(eval::MissingNameKind::Type, &name)
    }

    fn refused_type(&self, file: File, key: &DefinitionKey) -> Option<LoadFinding> {
        let (code, message, range) =
            closed_type_error(self.db, DefinitionId::new(self.db, file, key.clone()))?;
        Some(LoadFinding { file: Some(file), code, message, range, earlier: None })
    }

    fn unknown_type(&self, file: File, key: &DefinitionKey, name: &str) -> LoadFinding {
        let definition = DefinitionId::new(self.db, file, key.clone());
        let body = project::body(self.db, definition);
        let is_it = |expr: &Expr| matches!(expr, Expr::TypeReference(other) if other == name);
        let place = body.exprs.iter().find(|(_, expr)| is_it(expr)).map(|(id, _)| id);
        let source_map = project::body_source_map(self.db, definition);
        let range = place.and_then(|id| Some(source_map.node(id)?.range)).unwrap_or(TextRange::empty(0));
        let message = eval::unknown_type_message(self, name);
        LoadFinding { file: Some(file), code: Code::UnknownResourceType, message, range, earlier: None }
    }
}
