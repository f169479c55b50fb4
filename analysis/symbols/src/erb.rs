//! Puppet names in ERB templates, resolved through the definitions that render them.

use hir::{Access, Name, NameUse, NameUseKind};
use project::{Db, DefinitionId, File};
use syntax::TextRange;

use crate::callees;
use crate::descriptions::Hover;
use crate::descriptions::{self, Description};
use crate::recorded_value::{self, Evaluated};
use crate::symbol::{self, Symbol};

/// Maximum length in characters of types; longer ones are truncated.
const MAX_TYPE_LENGTH: usize = 400;
/// Maximum length in characters of values; longer ones are truncated.
const MAX_VALUE_LENGTH: usize = 160;

/// Returns the hover text for the name at an offset of a template.
pub fn hover(db: &dyn Db, file: File, offset: u32) -> Option<Hover> {
    let name_use = symbol::name_use_at(db, file, offset)?;
    let about = match name_use.kind {
        NameUseKind::Function => {
            let callee = callees::find(db, file, &name_use.name)?;
            let name = callee.name(db);
            let labels = callee.signatures(db).iter().map(|it| it.label(&name).0).collect::<Vec<_>>();
            Description { code: labels.join("\n"), text: callee.documentation(db) }
        }
        _ => of_symbol(db, file, &symbol::resolve(db, file, &name_use)?)?,
    };
    let text = about
        .text
        .iter()
        .fold(format!("```puppet\n{}\n```", about.code), |all, text| format!("{all}\n\n{text}"));
    Some(Hover { range: name_use.range, markdown: text })
}

/// Describes `@name` in a template.
pub fn of_variable(db: &dyn Db, file: File, name: &str) -> Option<Description> {
    let name_use = NameUse {
        range: TextRange::empty(0),
        kind: NameUseKind::ErbVariable,
        name: Name::new(name),
        access: Access::Read,
        definition: 0,
    };
    of_symbol(db, file, &symbol::resolve(db, file, &name_use)?)
}

fn of_symbol(db: &dyn Db, file: File, symbol: &Symbol) -> Option<Description> {
    let Symbol::Variable { definition, name } = symbol else {
        return descriptions::of_symbol(db, file, symbol);
    };
    let parameter = descriptions::of_parameter(db, *definition, name);
    let kind = if parameter.is_some() { "A parameter" } else { "A variable" };
    let mut about = match parameter {
        Some(about) => about,
        None => variable_value(db, *definition, name)
            .unwrap_or_else(|| Description { code: format!("${name}"), text: None }),
    };
    if let Some(owner) = project::signature(db, *definition).as_ref().filter(|it| !it.name.is_empty()) {
        let of_owner = format!("{kind} of `{}`.", owner.name);
        about.text = Some(match about.text {
            Some(text) => format!("{text}\n\n{of_owner}"),
            None => of_owner,
        });
    }
    Some(about)
}

/// Describes the value that was assigned to a variable of a definition.
fn variable_value(db: &dyn Db, definition: DefinitionId, name: &str) -> Option<Description> {
    let fact = Evaluated::new(db, definition).variable_value(name)?;
    compile::with_world(db, definition, |world| {
        let ty = recorded_value::short_type(&recorded_value::type_of(&fact, world), MAX_TYPE_LENGTH, world);
        let values = recorded_value::known_values(&fact).map(|values| {
            let texts = values
                .iter()
                .map(|it| format!("`{}`", recorded_value::short_value(it, MAX_VALUE_LENGTH, world)));
            format!("Value: {}", texts.collect::<Vec<_>>().join(" or "))
        });
        Description { code: format!("${name}: {ty}"), text: values }
    })
}
