//! Secrets in data, for the group `security`.

use codes::Code;
use hiera::data::{Content, DataNode, HieraData};
use weaknesses::secrets::{SecretKind, has_private_key, has_token, is_secret_literal, secret_kind};
use weaknesses::urls::password_in_url;

use super::encrypted;
use crate::Diagnostic;

pub(super) fn check(data: &HieraData, found: &mut Vec<Diagnostic>) {
    let Some(root) = &data.root else { return };
    // In a file with encrypted values, others are reported as not encrypted.
    if !encrypted::has_encrypted(data) {
        root.walk(&mut |node: &DataNode| named(node, found));
    }
    root.walk(&mut |node: &DataNode| {
        let Content::Scalar { text, .. } = &node.content else { return };
        let finding = if has_private_key(text) {
            Some((Code::SecurityPrivateKey, "private key in the data"))
        } else if has_token(text) {
            Some((Code::SecurityHardcodedSecret, "access token in the data"))
        } else if has_password_in_url(text) {
            Some((Code::SecurityHardcodedPassword, "URL with a password in the data"))
        } else {
            None
        };
        if let Some((code, message)) = finding
            && !found.iter().any(|it| it.code == code && it.range == node.range)
        {
            found.push(Diagnostic::new(code, node.range, message));
        }
    });
}

/// Reports the values of keys that are the names of secrets.
fn named(node: &DataNode, found: &mut Vec<Diagnostic>) {
    for entry in node.entries() {
        let (Some(name), Some(text)) = (entry.key.value.as_str(), entry.value.value.as_str()) else {
            continue;
        };
        let Some(kind) = secret_kind(name).filter(|it| is_secret_literal(*it, text, false)) else { continue };
        let code = match kind {
            SecretKind::Password => Code::SecurityHardcodedPassword,
            SecretKind::Secret => Code::SecurityHardcodedSecret,
        };
        let message = format!("value of `{name}` is written in the data");
        found.push(Diagnostic::new(code, entry.value.range, message));
    }
}

fn has_password_in_url(text: &str) -> bool {
    password_in_url(text).is_some_and(|password| {
        is_secret_literal(SecretKind::Password, password, false) && !password.contains(['$', '%', '<', '['])
    })
}
