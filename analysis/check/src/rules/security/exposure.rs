//! Secrets that end up in logs, reports, and process lists.

use codes::Code;
use eval::RecordedValue;
use hir::{Body, Expr, ExprId, StringPart, VariableRef};
use types::{Type, Value};
use weaknesses::secrets::secret_kind;

use super::inspection::Inspection;
use super::values::{assigned, attribute_of};

/// Maximum number of variables between an attribute and the secret.
const MAX_DEPTH: u32 = 4;

/// Functions that write their arguments to the log.
const LOGGING: [&str; 9] = ["alert", "crit", "debug", "emerg", "err", "fail", "info", "notice", "warning"];

/// Attributes whose values are visible, by resource type.
const VISIBLE: [(&str, &[&str]); 5] = [
    ("exec", &["command", "unless", "onlyif"]),
    ("notify", &["message"]),
    ("file", &["content"]),
    ("cron", &["command"]),
    ("file_line", &["line"]),
];

pub(super) fn check(inspection: &mut Inspection<'_>) {
    let (body, resources) = (inspection.body, inspection.resources);
    for list in resources {
        let Some((_, visible)) = VISIBLE.iter().find(|(name, _)| *name == list.type_name) else { continue };
        if attribute_of(list, "show_diff").is_some_and(|it| is_false(inspection, it)) {
            continue;
        }
        for attribute in *visible {
            let expr = attribute_of(list, attribute);
            let is_title = expr.is_none()
                && matches!(list.type_name.as_str(), "exec" | "notify")
                && visible.first() == Some(attribute);
            let expr = expr.or(list.title.filter(|_| is_title));
            if let Some((expr, name)) = expr.and_then(|it| Some((it, secret_in(inspection, it, MAX_DEPTH)?)))
            {
                let message = format!("`{attribute}` of `{}` exposes `{name}`", list.type_name);
                inspection.report(Code::SecurityExposedSecret, expr, message);
            }
        }
    }
    for (_, expr) in body.exprs.iter() {
        let Expr::Call { functor, arguments, .. } = expr else { continue };
        let Expr::Name(function) = &body[*functor] else { continue };
        if !LOGGING.contains(&function.as_str()) {
            continue;
        }
        for argument in arguments {
            if let Some(name) = secret_in(inspection, *argument, MAX_DEPTH) {
                let message = format!("`{function}` logs `{name}`");
                inspection.report(Code::SecurityExposedSecret, *argument, message);
            }
        }
    }
}

fn is_false(inspection: &Inspection<'_>, expr: ExprId) -> bool {
    !matches!(inspection.body[expr], Expr::Boolean(true))
}

/// Returns the secret variable, or the key of a secret, whose value is part of a string. Sensitive values are not: their text
/// is redacted.
fn secret_in(inspection: &Inspection<'_>, expr: ExprId, depth: u32) -> Option<String> {
    let depth = depth.checked_sub(1)?;
    let body = inspection.body;
    let inside = |expr: ExprId| secret_in(inspection, expr, depth);
    match &body[expr] {
        Expr::Interpolated(parts) => parts.iter().find_map(|part| match part {
            StringPart::Expr(part) => inside(*part),
            StringPart::Text(_) => None,
        }),
        Expr::Heredoc { text, .. } => inside(*text),
        Expr::Array(elements) => elements.iter().find_map(|it| inside(*it)),
        Expr::MethodCall { receiver, name, .. } if name == "unwrap" => {
            match variable_name(inspection, *receiver) {
                Some(name) => Some(format!("${name}")),
                None => inside(*receiver),
            }
        }
        Expr::Call { functor, arguments, .. } if matches!(&body[*functor], Expr::Name(name) if is_transparent(name)) => {
            arguments.iter().find_map(|it| inside(*it))
        }
        Expr::Call { functor, arguments, .. } => match &body[*functor] {
            Expr::Name(name) if matches!(name.as_str(), "lookup" | "hiera") => {
                looked_up_secret(body, arguments).map(str::to_owned)
            }
            // The values that a template gets are part of its text.
            Expr::Name(name) if matches!(name.as_str(), "epp" | "inline_epp") => {
                arguments.iter().skip(1).find_map(|it| match &body[*it] {
                    Expr::Hash(entries) => entries.iter().find_map(|(_, it)| inside(*it)),
                    _ => None,
                })
            }
            _ => None,
        },
        Expr::Variable(_) if may_be_secret(inspection, expr) => variable_name(inspection, expr)
            .filter(|name| secret_kind(name).is_some())
            .map(|name| format!("${name}"))
            .or_else(|| assigned(body, expr).filter(|_| depth > 0).and_then(inside)),
        _ => None,
    }
}

/// Returns the key of a lookup if it is the name of a secret.
fn looked_up_secret<'b>(body: &'b Body, arguments: &[ExprId]) -> Option<&'b str> {
    match &body[*arguments.first()?] {
        Expr::String(key) if secret_kind(key).is_some() => Some(key),
        _ => None,
    }
}

/// Returns true for functions whose results contain their arguments.
fn is_transparent(function: &str) -> bool {
    matches!(
        function,
        "shell_escape" | "stdlib::shell_escape" | "shellquote" | "join" | "strip" | "chomp" | "unwrap"
    )
}

fn variable_name(inspection: &Inspection<'_>, expr: ExprId) -> Option<String> {
    let name = match &inspection.body[expr] {
        Expr::Variable(VariableRef::Slot(slot)) => &inspection.body.slots[slot.index()].name,
        Expr::Variable(VariableRef::Free(name) | VariableRef::Qualified { name, .. }) => name,
        _ => return None,
    };
    Some(name.to_string())
}

/// Returns false for variables that are sensitive, or whose values are no secrets.
fn may_be_secret(inspection: &Inspection<'_>, expr: ExprId) -> bool {
    let is_text = |ty: &Type| {
        !matches!(ty, Type::Sensitive(_) | Type::Boolean(_) | Type::Integer(_) | Type::Undef | Type::Hash(_))
    };
    let may_be = |value: &Value| match value {
        Value::String(text) => !text.is_empty(),
        Value::Unknown(unknown) => is_text(&unknown.ty),
        Value::Array(_) => true,
        _ => false,
    };
    match inspection.summary.value(expr) {
        None => true,
        Some(RecordedValue::Type(ty)) => is_text(ty),
        Some(RecordedValue::Values(values)) => values.iter().any(may_be),
    }
}
