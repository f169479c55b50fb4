//! Weak hash functions, ciphers, and protocols.

use codes::Code;
use hir::{Body, Expr, ExprId, StringPart, VariableRef};
use weaknesses::algorithms::{Weakness, weakness};
use weaknesses::secrets::secret_kind;

use super::inspection::Inspection;
use super::values::{NamedValue, is_sensitive, literals};

pub(super) fn check(inspection: &mut Inspection<'_>) {
    let (body, named) = (inspection.body, inspection.named);
    for value in named {
        let elements = match &body[value.expr] {
            Expr::Array(elements) => elements.to_vec(),
            _ => vec![value.expr],
        };
        for element in elements {
            check_named(inspection, value, element);
        }
    }
    for (expr, it) in body.exprs.iter() {
        let call = match it {
            Expr::Call { functor, arguments, .. } => match &body[*functor] {
                Expr::Name(name) => HashCall { name, hashed: arguments.first().copied(), arguments },
                _ => continue,
            },
            Expr::MethodCall { receiver, name, arguments, .. } => {
                HashCall { name, hashed: Some(*receiver), arguments }
            }
            _ => continue,
        };
        if let Some(algorithm) = weak_algorithm(body, &call) {
            inspection.report(Code::SecurityWeakHash, expr, format!("{algorithm} hash of a secret"));
        }
    }
}

/// Call of a function that may compute a hash.
struct HashCall<'a> {
    name: &'a str,
    hashed: Option<ExprId>,
    arguments: &'a [ExprId],
}

/// Returns the weak algorithm that a call hashes a secret with.
fn weak_algorithm(body: &Body, call: &HashCall<'_>) -> Option<&'static str> {
    let algorithm = match call.name {
        "md5" | "stdlib::md5" => "MD5",
        "sha1" | "stdlib::sha1" => "SHA-1",
        "pw_hash" | "stdlib::pw_hash" => {
            // The receiver of a method call is the first argument.
            let is_md5 =
                |it: &ExprId| matches!(&body[*it], Expr::String(text) if text.eq_ignore_ascii_case("md5"));
            return call.arguments.iter().take(2).any(is_md5).then_some("MD5");
        }
        _ => return None,
    };
    call.hashed.is_some_and(|it| mentions_secret(body, it)).then_some(algorithm)
}

fn mentions_secret(body: &Body, expr: ExprId) -> bool {
    match &body[expr] {
        Expr::Interpolated(parts) => parts.iter().any(|part| match part {
            StringPart::Expr(part) => mentions_secret(body, *part),
            StringPart::Text(_) => false,
        }),
        Expr::Variable(VariableRef::Slot(slot)) => secret_kind(&body.slots[slot.index()].name).is_some(),
        Expr::Variable(VariableRef::Free(name) | VariableRef::Qualified { name, .. }) => {
            secret_kind(name).is_some()
        }
        Expr::MethodCall { receiver, .. } => mentions_secret(body, *receiver),
        Expr::Access { lhs, keys } => {
            mentions_secret(body, *lhs)
                || keys.iter().any(|it| matches!(&body[*it], Expr::String(key) if secret_kind(key).is_some()))
        }
        _ => false,
    }
}

fn check_named(inspection: &mut Inspection<'_>, value: &NamedValue<'_>, expr: ExprId) {
    let is_download = value.resource_type.is_some_and(|it| it.contains("archive") || it == "file");
    if is_download || is_sensitive(inspection.body, expr) {
        return;
    }
    for literal in literals(inspection.body, expr) {
        let (code, message) = match weakness(value.name, literal.text) {
            Some(Weakness::Hash) => {
                (Code::SecurityWeakHash, format!("`{}` selects a weak hash function", value.name))
            }
            Some(Weakness::Cipher(cipher)) => {
                (Code::SecurityWeakCipher, format!("`{}` allows {cipher}", value.name))
            }
            None => continue,
        };
        inspection.report(code, literal.expr, message);
    }
}
