//! Secrets and empty passwords in code, and accounts with all privileges.

use codes::Code;
use hir::{Expr, ExprId, StringPart};
use weaknesses::secrets::{SecretKind, has_private_key, has_token, is_secret_literal, secret_kind};
use weaknesses::urls::password_in_url;
use weaknesses::words;

use super::inspection::Inspection;
use super::values::{NamedBy, NamedValue, is_sensitive, literals};

/// Codes that depend on the names of values.
const OF_NAMED: [Code; 4] = [
    Code::SecurityDefaultAdmin,
    Code::SecurityEmptyPassword,
    Code::SecurityHardcodedPassword,
    Code::SecurityHardcodedSecret,
];

pub(super) fn check(inspection: &mut Inspection<'_>) {
    let (body, named) = (inspection.body, inspection.named);
    // Private keys are recognized by their contents.
    if inspection.enabled.iter().any(|it| OF_NAMED.contains(it)) {
        named.iter().for_each(|value| check_named(inspection, value));
    }
    for (expr, it) in body.exprs.iter() {
        match it {
            Expr::String(text) => check_text(inspection, expr, text),
            Expr::Interpolated(parts) => {
                for part in parts {
                    if let StringPart::Text(text) = part {
                        check_text(inspection, expr, text);
                    }
                }
            }
            _ => {}
        }
    }
}

/// Resource types whose `pass` attribute is the order of file system checks.
const WITH_PASS_NUMBER: &str = "mount";

fn check_named(inspection: &mut Inspection<'_>, value: &NamedValue<'_>) {
    let body = inspection.body;
    check_account(inspection, value);
    let Some(kind) = secret_kind(value.name) else { return };
    if value.resource_type == Some(WITH_PASS_NUMBER) || is_reported_elsewhere(inspection, value) {
        return;
    }
    for literal in literals(body, value.expr) {
        let is_fallback = literal.is_fallback || value.by == NamedBy::Parameter;
        // A bare word with the same name is a forgotten `$`; `default_auth` for `$default_auth_key` names the key.
        let is_same_word = literal.text == value.name && matches!(body[literal.expr], Expr::Name(_));
        let is_label = kind == SecretKind::Secret
            && value.name.strip_prefix(literal.text).is_some_and(|rest| rest.starts_with(['_', '-']));
        if is_same_word || is_label && !literal.text.is_empty() {
            continue;
        }
        let shown = shown_name(value);
        if kind == SecretKind::Password && literal.text.is_empty() && !literal.is_fallback {
            let message = format!("{shown} is an empty password");
            inspection.report(Code::SecurityEmptyPassword, literal.expr, message);
        } else if is_secret_literal(kind, literal.text, is_fallback) {
            let code = match kind {
                SecretKind::Password => Code::SecurityHardcodedPassword,
                SecretKind::Secret => Code::SecurityHardcodedSecret,
            };
            inspection.report(code, literal.expr, format!("value of {shown} is written in the code"));
        }
    }
}

/// Returns true for defaults that the rule `sensitive-default` reports.
fn is_reported_elsewhere(inspection: &Inspection<'_>, value: &NamedValue<'_>) -> bool {
    value.by == NamedBy::Parameter
        && matches!(&inspection.body[value.expr], Expr::Call { .. } | Expr::MethodCall { .. })
        && literals(inspection.body, value.expr).iter().any(|it| !it.is_fallback && !it.text.is_empty())
}

fn shown_name(value: &NamedValue<'_>) -> String {
    match value.by {
        NamedBy::Parameter | NamedBy::Variable => format!("`${}`", value.name),
        NamedBy::Attribute | NamedBy::Entry => format!("`{}`", value.name),
    }
}

fn check_text(inspection: &mut Inspection<'_>, expr: ExprId, text: &str) {
    let is_enabled = |code: Code| inspection.enabled.contains(&code);
    if has_private_key(text) {
        inspection.report(Code::SecurityPrivateKey, expr, "private key in the code");
    } else if is_enabled(Code::SecurityHardcodedSecret) && has_token(text) {
        inspection.report(Code::SecurityHardcodedSecret, expr, "access token in the code");
    } else if is_enabled(Code::SecurityHardcodedPassword)
        && let Some(password) = password_in_url(text)
        && is_secret_literal(SecretKind::Password, password, false)
        && !password.contains(['$', '%', '<', '['])
    {
        inspection.report(Code::SecurityHardcodedPassword, expr, "URL with a password in the code");
    }
}

const ACCOUNT_NAMES: [&str; 6] = ["user", "username", "login", "userid", "uname", "account"];
const ADMINISTRATORS: [&str; 4] = ["root", "admin", "administrator", "sa"];

/// Reports parameters and variables that select an account with all privileges. Attributes of resources are not
/// checked: an agent runs as `root` and manages files of `root`.
fn check_account(inspection: &mut Inspection<'_>, value: &NamedValue<'_>) {
    let is_set = matches!(value.by, NamedBy::Parameter | NamedBy::Variable);
    if !is_set || is_sensitive(inspection.body, value.expr) {
        return;
    }
    let words = words(value.name);
    let Some(last) = words.last().filter(|it| ACCOUNT_NAMES.contains(&it.as_str())) else { return };
    let is_known = words.iter().any(|it| it == "root" || it == "admin") && last != "account";
    for literal in literals(inspection.body, value.expr) {
        if ADMINISTRATORS.contains(&literal.text.to_ascii_lowercase().as_str()) && !is_known {
            let message = format!("`${}` is `{}` unless something else is set", value.name, literal.text);
            inspection.report(Code::SecurityDefaultAdmin, literal.expr, message);
        }
    }
}
