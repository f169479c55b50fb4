//! Computed names: `template("${module_name}/x.erb")` names a template if the value of the string is known.

use hir::{Access, NameUse, NameUseKind, fold_name};
use project::{Db, File, FileRole};
use syntax::ast::{self, AstNode, Expr, StringPart};
use syntax::{SyntaxKind, SyntaxNode};
use types::Value;

use crate::navigation;
use crate::recorded_value::{self, Evaluated};
use crate::symbol::{self, Symbol};
use crate::target::{Navigation, NavigationTarget};

/// Returns the symbols that the interpolated string at an offset names, one for each of its possible values.
pub fn symbols_at(db: &dyn Db, file: File, offset: u32) -> Option<(Vec<Symbol>, SyntaxNode)> {
    let tree = project::parse(db, file).syntax();
    let token = tree.tokens_at(offset).find(|it| {
        matches!(it.kind(), SyntaxKind::STRING_TEXT | SyntaxKind::DQ_START | SyntaxKind::DQ_END)
    })?;
    let string = token.ancestors().find_map(ast::InterpolatedString::cast)?;
    let named = |text: String| {
        let (kind, name) = match text.strip_prefix("puppet:///modules/") {
            Some(path) => (NameUseKind::ServedFile, path),
            None => (kind_of_argument(string.syntax())?, text.as_str()),
        };
        let name = match kind {
            NameUseKind::Class | NameUseKind::ResourceType | NameUseKind::ClassOrResourceType => {
                fold_name(name)
            }
            _ => name.into(),
        };
        let range = string.syntax().text_range();
        symbol::resolve(db, file, &NameUse { range, kind, name, access: Access::Read, definition: 0 })
    };
    let found: Vec<Symbol> = texts(db, file, &string).into_iter().filter_map(named).collect();
    Some((found, string.syntax().clone()))
}

/// Returns the definitions of the symbols that an interpolated string names.
pub(crate) fn definition(db: &dyn Db, file: File, offset: u32) -> Option<Navigation> {
    let (symbols, string) = symbols_at(db, file, offset)?;
    let mut targets: Vec<NavigationTarget> = Vec::new();
    for symbol in symbols {
        targets.extend(navigation::targets(db, file, &symbol));
    }
    (!targets.is_empty()).then(|| Navigation { origin: string.text_range(), targets })
}

/// Returns the kind of name that a function takes as its first argument, if the node is that argument.
fn kind_of_argument(node: &SyntaxNode) -> Option<NameUseKind> {
    let list = node.parent().and_then(ast::ArgumentList::cast)?;
    let call = list.syntax().parent()?;
    let name = match Expr::cast(call)? {
        Expr::CallExpr(call) => match call.functor()? {
            Expr::QualifiedName(name) => name.text(),
            _ => return None,
        },
        Expr::StatementCall(call) => call.name()?.text(),
        _ => return None,
    };
    hir::kind_of_argument(&fold_name(&name), 0)
}

/// Returns the possible values of a string, if they are known.
fn texts(db: &dyn Db, file: File, string: &ast::InterpolatedString) -> Vec<String> {
    let Some(evaluated) = Evaluated::around(db, file, string.syntax()) else { return Vec::new() };
    let known = |node: &SyntaxNode| evaluated.value(node).and_then(|it| recorded_value::known_values(&it));
    if let Some(values) = known(string.syntax()) {
        return values.iter().filter_map(Value::as_str).map(str::to_owned).collect();
    }
    let module = match file.role(db) {
        FileRole::Module { module, .. } => Some(module.name(db)),
        _ => None,
    };
    let mut text = String::new();
    for part in string.parts() {
        match part {
            StringPart::Text(part) => text.push_str(&part),
            StringPart::Expr(Expr::VariableExpr(variable))
                if variable.name().is_some_and(|it| it == "module_name") && module.is_some() =>
            {
                text.extend(module.map(|it| it.as_str()));
            }
            StringPart::Expr(expr) => match known(expr.syntax()).as_deref() {
                Some([Value::String(part)]) => text.push_str(part),
                _ => return Vec::new(),
            },
            StringPart::Missing => return Vec::new(),
        }
    }
    vec![text]
}
