//! File modes, and names of private keys.

/// Permissions of users other than the owner and the group.
#[derive(Clone, Copy, Default)]
pub struct OtherPermissions {
    pub read: bool,
    pub write: bool,
    pub is_sticky: bool,
}

/// Returns the permissions in the bits of a mode.
pub fn permissions_of_bits(bits: u32) -> OtherPermissions {
    OtherPermissions { read: bits & 0o4 != 0, write: bits & 0o2 != 0, is_sticky: bits & 0o1000 != 0 }
}

/// Returns the permissions of an octal mode, or those that a symbolic mode gives; `None` if it is neither.
pub fn other_permissions(text: &str) -> Option<OtherPermissions> {
    if text.bytes().all(|b| b.is_ascii_digit()) {
        let bits = u32::from_str_radix(text, 8).ok()?;
        return Some(permissions_of_bits(bits));
    }
    let mut permissions = OtherPermissions::default();
    for clause in text.split(',') {
        let at = clause.find(['+', '=', '-'])?;
        let (who, rights) = clause.split_at(at);
        permissions.is_sticky |= rights.contains('t');
        if rights.starts_with('-') || !(who.is_empty() || who.contains(['o', 'a'])) {
            continue;
        }
        permissions.read |= rights.contains('r');
        permissions.write |= rights.contains('w');
    }
    Some(permissions)
}

/// Endings of the names of private keys.
const KEY_ENDINGS: [&str; 12] = [
    ".key",
    "-key.pem",
    "_key.pem",
    "privkey.pem",
    "private.pem",
    "/key.pem",
    "id_rsa",
    "id_dsa",
    "id_ecdsa",
    "id_ed25519",
    ".keytab",
    ".p12",
];
/// Parts of the names of public keys.
const PUBLIC: [&str; 12] =
    ["gpg", "pgp", "apt", "rpm", "pub", "yum", "keyring", "repo", "archive", "release", "trusted", "signing"];

/// Returns true for the path of a private key.
pub fn is_private_key_path(path: &str) -> bool {
    let path = path.to_ascii_lowercase();
    let ends = KEY_ENDINGS.iter().any(|ending| path.ends_with(ending));
    let is_host_key = path.contains("ssh_host_") && path.ends_with("_key");
    let is_in_private = path.contains("/ssl/private/") && path.ends_with(".pem");
    (ends || is_host_key || is_in_private) && !is_public_key_path(&path)
}

/// Returns true for the path of a public key, or of a key that signs packages.
pub fn is_public_key_path(path: &str) -> bool {
    let path = path.to_ascii_lowercase();
    PUBLIC.iter().any(|part| path.contains(part))
}
