//! Digests and encodings of bytes.

use base64::Engine;
use base64::engine::general_purpose::{STANDARD, URL_SAFE};
use md5::Digest;

use super::super::interpreter::Interpreter;
use super::super::methods::MethodInvocation;
use super::super::value::{Object, Ruby, unsupported};
use super::{ModuleRow, of};

pub(super) const TABLE: &[ModuleRow] = &[
    of("Digest::MD5", "hexdigest", 1, 1, |ruby, it| hex(ruby, it, |bytes| md5::Md5::digest(bytes).to_vec())),
    of("Digest::SHA1", "hexdigest", 1, 1, |ruby, it| {
        hex(ruby, it, |bytes| sha1::Sha1::digest(bytes).to_vec())
    }),
    of("Digest::SHA256", "hexdigest", 1, 1, |ruby, it| {
        hex(ruby, it, |bytes| sha2::Sha256::digest(bytes).to_vec())
    }),
    of("Digest::SHA2", "hexdigest", 1, 1, |ruby, it| {
        hex(ruby, it, |bytes| sha2::Sha256::digest(bytes).to_vec())
    }),
    of("Digest::SHA384", "hexdigest", 1, 1, |ruby, it| {
        hex(ruby, it, |bytes| sha2::Sha384::digest(bytes).to_vec())
    }),
    of("Digest::SHA512", "hexdigest", 1, 1, |ruby, it| {
        hex(ruby, it, |bytes| sha2::Sha512::digest(bytes).to_vec())
    }),
    of("Digest::MD5", "base64digest", 1, 1, |ruby, it| {
        in_base64(ruby, it, |bytes| md5::Md5::digest(bytes).to_vec())
    }),
    of("Digest::SHA1", "base64digest", 1, 1, |ruby, it| {
        in_base64(ruby, it, |bytes| sha1::Sha1::digest(bytes).to_vec())
    }),
    of("Digest::SHA256", "base64digest", 1, 1, |ruby, it| {
        in_base64(ruby, it, |bytes| sha2::Sha256::digest(bytes).to_vec())
    }),
    of("Digest::SHA512", "base64digest", 1, 1, |ruby, it| {
        in_base64(ruby, it, |bytes| sha2::Sha512::digest(bytes).to_vec())
    }),
    of("Digest::MD5", "digest", 1, 1, |ruby, it| raw(ruby, it, |bytes| md5::Md5::digest(bytes).to_vec())),
    of("Digest::SHA1", "digest", 1, 1, |ruby, it| raw(ruby, it, |bytes| sha1::Sha1::digest(bytes).to_vec())),
    of("Digest::SHA256", "digest", 1, 1, |ruby, it| {
        raw(ruby, it, |bytes| sha2::Sha256::digest(bytes).to_vec())
    }),
    of("Digest::SHA512", "digest", 1, 1, |ruby, it| {
        raw(ruby, it, |bytes| sha2::Sha512::digest(bytes).to_vec())
    }),
    of("Base64", "strict_encode64", 1, 1, |ruby, it| {
        let bytes = bytes(ruby, it)?;
        Ok(Object::text(STANDARD.encode(bytes)))
    }),
    of("Base64", "urlsafe_encode64", 1, 1, |ruby, it| {
        let bytes = bytes(ruby, it)?;
        Ok(Object::text(URL_SAFE.encode(bytes)))
    }),
    of("Base64", "encode64", 1, 1, |ruby, it| {
        let encoded = STANDARD.encode(bytes(ruby, it)?);
        let lines =
            encoded.as_bytes().chunks(60).map(|line| String::from_utf8_lossy(line).into_owned() + "\n");
        Ok(Object::text(lines.collect::<String>()))
    }),
    of("Base64", "strict_decode64", 1, 1, decode_base64),
    of("Base64", "decode64", 1, 1, decode_base64),
];

fn bytes(ruby: &mut Interpreter<'_>, it: &MethodInvocation<'_>) -> Ruby<Vec<u8>> {
    let bytes = match it.argument(0) {
        Object::Bytes(bytes) => bytes.to_vec(),
        _ => it.text_argument(0)?.into_bytes(),
    };
    ruby.charge(bytes.len().saturating_mul(16))?;
    Ok(bytes)
}

fn hex(ruby: &mut Interpreter<'_>, it: &MethodInvocation<'_>, digest: fn(&[u8]) -> Vec<u8>) -> Ruby {
    let digest = digest(&bytes(ruby, it)?);
    Ok(Object::text(digest.iter().map(|byte| format!("{byte:02x}")).collect::<String>()))
}

fn in_base64(ruby: &mut Interpreter<'_>, it: &MethodInvocation<'_>, digest: fn(&[u8]) -> Vec<u8>) -> Ruby {
    Ok(Object::text(STANDARD.encode(digest(&bytes(ruby, it)?))))
}

fn raw(ruby: &mut Interpreter<'_>, it: &MethodInvocation<'_>, digest: fn(&[u8]) -> Vec<u8>) -> Ruby {
    Ok(Object::Bytes(digest(&bytes(ruby, it)?).into()))
}

/// Decodes Base64 if the result is certain: without line breaks, and valid UTF-8.
fn decode_base64(ruby: &mut Interpreter<'_>, it: &MethodInvocation<'_>) -> Ruby {
    let text = it.text_argument(0)?;
    ruby.charge(text.len())?;
    let text: String = text.chars().filter(|c| *c != '\n').collect();
    let decoded = STANDARD.decode(text).ok().and_then(|bytes| String::from_utf8(bytes).ok());
    decoded.filter(|text| text.is_ascii()).map_or_else(unsupported, |text| Ok(Object::text(text)))
}
