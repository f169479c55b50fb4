//! Commands that a shell runs.

use codes::Code;
use eval::RecordedValue;
use hir::{Body, Expr, ExprId, StringPart, VariableRef};
use types::{Type, Value};
use weaknesses::commands::{is_run_by_shell, makes_world_writable, pipes_download_to_shell};

use super::super::value_mismatch::AttributeList;
use super::inspection::{Inspection, ShellCommand};
use super::values::{assigned, attribute_of, text};

/// Returns the commands of a resource.
pub(super) fn commands(body: &Body, list: &AttributeList<'_>) -> Vec<ShellCommand> {
    let attributes: &[&str] = match list.type_name.as_str() {
        "exec" => &["command", "unless", "onlyif"],
        "cron" => &["command"],
        _ => return Vec::new(),
    };
    let title = list.title.filter(|_| list.type_name == "exec" && attribute_of(list, "command").is_none());
    let exprs = attributes.iter().filter_map(|it| attribute_of(list, it)).chain(title);
    exprs.filter_map(|expr| Some(ShellCommand { expr, text: text(body, expr)? })).collect()
}

pub(super) fn check(inspection: &mut Inspection<'_>) {
    for command in inspection.commands {
        if pipes_download_to_shell(&command.text) {
            let message = "command runs a script that it downloads";
            inspection.report(Code::SecurityPipeToShell, command.expr, message);
        }
        if makes_world_writable(&command.text) {
            let message = "command lets every user write";
            inspection.report(Code::SecurityWorldWritable, command.expr, message);
        }
    }
    let (body, resources) = (inspection.body, inspection.resources);
    for list in resources.iter().filter(|it| it.type_name == "exec") {
        let provider = attribute_of(list, "provider").and_then(|it| text(body, it));
        match provider.as_deref() {
            Some("shell") => check_shell(inspection, list, true),
            None | Some("posix") => check_shell(inspection, list, false),
            Some(_) => {}
        }
    }
}

/// Reports data that a shell reads as code. Unless `is_shell`, only commands that name a shell or have a pipe are run
/// by one.
fn check_shell(inspection: &mut Inspection<'_>, list: &AttributeList<'_>, is_shell: bool) {
    let body = inspection.body;
    let exprs = ["command", "unless", "onlyif"].iter().filter_map(|it| attribute_of(list, it));
    let title = list.title.filter(|_| attribute_of(list, "command").is_none());
    let exprs: Vec<ExprId> = exprs.chain(title).collect();
    for expr in exprs {
        if !is_shell && !text(body, expr).is_some_and(|it| is_run_by_shell(&it)) {
            continue;
        }
        let mut current = expr;
        if let Some(value) = assigned(body, expr) {
            current = value;
        }
        let parts = match &body[current] {
            Expr::Interpolated(parts) => parts,
            Expr::Heredoc { text, .. } => match &body[*text] {
                Expr::Interpolated(parts) => parts,
                _ => continue,
            },
            _ => continue,
        };
        let tainted = parts.iter().find_map(|part| match part {
            StringPart::Expr(part) => tainted_name(inspection, *part),
            StringPart::Text(_) => None,
        });
        if let Some(name) = tainted {
            let message = format!("the shell runs code in `{name}`, which is not quoted");
            inspection.report(Code::SecurityShellInjection, expr, message);
        }
    }
}

/// Returns the name of a fact, or of a parameter with arbitrary text, that is interpolated as it is.
fn tainted_name(inspection: &Inspection<'_>, expr: ExprId) -> Option<String> {
    let name = source_name(inspection.body, expr)?;
    let is_text = |ty: &Type| match ty {
        Type::Optional(Some(ty)) => matches!(**ty, Type::String(_)),
        ty => matches!(ty, Type::Any | Type::Scalar | Type::Data | Type::String(_)),
    };
    let is_open = |value: &Value| matches!(value, Value::Unknown(unknown) if is_text(&unknown.ty));
    let is_tainted = match inspection.summary.value(expr)? {
        RecordedValue::Type(ty) => is_text(ty),
        RecordedValue::Values(values) => values.iter().any(is_open),
    };
    is_tainted.then_some(name)
}

/// Returns the name of the fact or parameter that an expression reads.
fn source_name(body: &Body, expr: ExprId) -> Option<String> {
    match &body[expr] {
        Expr::Access { lhs, .. } => match &body[*lhs] {
            Expr::Variable(VariableRef::Free(name)) if matches!(name.as_str(), "facts" | "trusted") => {
                Some(format!("${name}"))
            }
            Expr::Access { .. } => source_name(body, *lhs),
            _ => None,
        },
        Expr::Variable(VariableRef::Slot(slot)) => {
            let parameter = body.parameters.iter().find(|it| it.slot == *slot)?;
            Some(format!("${}", parameter.name))
        }
        _ => None,
    }
}
