//! Values of hiera-eyaml: `ENC[PKCS7,…]` holds a PKCS #7 envelope (RFC 5652) that the owner of a private RSA key can open.
//! Knows no files; **nothing is encrypted or decrypted except on the user's own command**.

use std::fmt;
use std::ops::Range;

use aes::cipher::block_padding::Pkcs7;
use aes::cipher::{BlockDecryptMut, KeyIvInit};
use anyhow::{Context, bail, ensure};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use cms::builder::{
    ContentEncryptionAlgorithm, EnvelopedDataBuilder, KeyEncryptionInfo, KeyTransRecipientInfoBuilder,
};
use cms::cert::IssuerAndSerialNumber;
use cms::content_info::ContentInfo;
use cms::enveloped_data::{EncryptedContentInfo, EnvelopedData, RecipientIdentifier, RecipientInfo};
use der::asn1::OctetStringRef;
use der::oid::ObjectIdentifier;
use der::oid::db::rfc5911::{ID_AES_128_CBC, ID_AES_192_CBC, ID_AES_256_CBC, ID_ENVELOPED_DATA};
use der::oid::db::rfc5912::RSA_ENCRYPTION;
use der::{Any, Decode, DecodePem, Encode};
use rand_core::OsRng;
use rsa::pkcs1::DecodeRsaPrivateKey;
use rsa::pkcs8::{DecodePrivateKey, DecodePublicKey};
use rsa::{Pkcs1v15Encrypt, RsaPrivateKey, RsaPublicKey};
use zeroize::Zeroizing;

/// Identifier of Triple DES, which old versions of hiera-eyaml use.
const DES_EDE3_CBC: ObjectIdentifier = ObjectIdentifier::new_unwrap("1.2.840.113549.3.7");

/// Start and end of an encrypted value.
const START: &str = "ENC[";
const END: char = ']';

/// Name of the only supported encryption method.
const METHOD: &str = "PKCS7";

/// Certificate with the public key that values are encrypted for.
pub struct Recipient {
    id: RecipientIdentifier,
    key: RsaPublicKey,
}

impl Recipient {
    /// Reads a certificate in the PEM format, which `eyaml createkeys` writes to `public_key.pkcs7.pem`.
    ///
    /// # Errors
    /// Fails if it is malformed, or has no RSA key.
    pub fn from_pem(text: &str) -> anyhow::Result<Recipient> {
        let certificate = x509_cert::Certificate::from_pem(text.trim_start())
            .context("not a certificate in the PEM format (`-----BEGIN CERTIFICATE-----`)")?;
        let certificate = certificate.tbs_certificate;
        let key = RsaPublicKey::from_public_key_der(&certificate.subject_public_key_info.to_der()?)
            .context("the certificate has no RSA key")?;
        let (issuer, serial_number) = (certificate.issuer, certificate.serial_number);
        let id = RecipientIdentifier::IssuerAndSerialNumber(IssuerAndSerialNumber { issuer, serial_number });
        Ok(Recipient { id, key })
    }

    /// Encrypts a value with AES-256-CBC, as hiera-eyaml does: `ENC[PKCS7,…]`.
    ///
    /// # Errors
    /// Fails if the value is empty, or too large.
    pub fn encrypt(&self, value: &[u8]) -> anyhow::Result<String> {
        ensure!(!value.is_empty(), "the value is empty");
        let (mut of_key, mut of_data) = (OsRng, OsRng);
        let key = KeyEncryptionInfo::Rsa(self.key.clone());
        let cannot = |error: cms::builder::Error| anyhow::anyhow!("cannot encrypt the value: {error}");
        let recipient =
            KeyTransRecipientInfoBuilder::new(self.id.clone(), key, &mut of_key).map_err(cannot)?;
        let algorithm = ContentEncryptionAlgorithm::Aes256Cbc;
        let mut builder = EnvelopedDataBuilder::new(None, value, algorithm, None).map_err(cannot)?;
        let envelope = builder.add_recipient_info(recipient).map_err(cannot)?;
        let envelope = envelope.build_with_rng(&mut of_data).map_err(cannot)?;
        let info = ContentInfo { content_type: ID_ENVELOPED_DATA, content: Any::encode_from(&envelope)? };
        Ok(format!("{START}{METHOD},{}{END}", STANDARD.encode(info.to_der()?)))
    }
}

/// Private key that values are decrypted with.
pub struct PrivateKey(RsaPrivateKey);

impl fmt::Debug for PrivateKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("PrivateKey")
    }
}

impl PrivateKey {
    /// Reads a private RSA key in the PEM format, which `eyaml createkeys` writes to `private_key.pkcs7.pem`.
    ///
    /// # Errors
    /// Fails if it is malformed, protected by a passphrase, or of another kind.
    pub fn from_pem(text: &str) -> anyhow::Result<PrivateKey> {
        let text = text.trim_start();
        ensure!(!text.contains("ENCRYPTED"), "private keys with a passphrase are not supported");
        let key = RsaPrivateKey::from_pkcs8_pem(text).or_else(|_| RsaPrivateKey::from_pkcs1_pem(text));
        key.map(PrivateKey).ok().context("not a private RSA key in the PEM format")
    }

    /// Decrypts a value: `ENC[PKCS7,…]`.
    ///
    /// # Errors
    /// Fails if it is malformed, or was encrypted for another key.
    pub fn decrypt(&self, value: &str) -> anyhow::Result<Zeroizing<Vec<u8>>> {
        let data = value.trim().strip_prefix(START).and_then(|it| it.strip_suffix(END));
        let data = data.context("not an encrypted value (`ENC[PKCS7,…]`)")?;
        let data = match data.split_once(',') {
            Some((METHOD, data)) => data,
            Some((method, _)) => bail!("the encryption method `{method}` is not supported"),
            None => data,
        };
        let data: String = data.chars().filter(|it| !it.is_whitespace()).collect();
        let data = STANDARD.decode(data).context("not valid Base64")?;
        let malformed = "not a PKCS #7 envelope";
        let info = ContentInfo::from_der(&data).context(malformed)?;
        ensure!(info.content_type == ID_ENVELOPED_DATA, malformed);
        let envelope: EnvelopedData = info.content.decode_as().context(malformed)?;
        // The padding of a key for another recipient is invalid, except by chance; then that of the data is.
        let mut keys = envelope.recip_infos.0.iter().filter_map(|it| self.content_key(it));
        keys.find_map(|key| content(&envelope.encrypted_content, &key).transpose())
            .context("encrypted for another key")?
    }

    /// Returns the key that the content is encrypted with, if the recipient has this private key.
    fn content_key(&self, recipient: &RecipientInfo) -> Option<Zeroizing<Vec<u8>>> {
        let RecipientInfo::Ktri(recipient) = recipient else { return None };
        if recipient.key_enc_alg.oid != RSA_ENCRYPTION {
            return None;
        }
        self.0.decrypt(Pkcs1v15Encrypt, recipient.enc_key.as_bytes()).ok().map(Zeroizing::new)
    }
}

/// Decrypts the content of an envelope; `None` if the key is wrong.
fn content(info: &EncryptedContentInfo, key: &[u8]) -> anyhow::Result<Option<Zeroizing<Vec<u8>>>> {
    let algorithm = &info.content_enc_alg;
    let iv = algorithm.parameters.as_ref().context("the envelope has no initialization vector")?;
    let iv: OctetStringRef<'_> = iv.decode_as().context("the initialization vector is malformed")?;
    let data = info.encrypted_content.as_ref().context("the envelope has no content")?.as_bytes();
    let iv = iv.as_bytes();
    let plain = match algorithm.oid {
        ID_AES_128_CBC => decrypted::<cbc::Decryptor<aes::Aes128>>(key, iv, data),
        ID_AES_192_CBC => decrypted::<cbc::Decryptor<aes::Aes192>>(key, iv, data),
        ID_AES_256_CBC => decrypted::<cbc::Decryptor<aes::Aes256>>(key, iv, data),
        DES_EDE3_CBC => decrypted::<cbc::Decryptor<des::TdesEde3>>(key, iv, data),
        other => bail!("the algorithm {other} is not supported"),
    };
    Ok(plain)
}

fn decrypted<C: KeyIvInit + BlockDecryptMut>(
    key: &[u8],
    iv: &[u8],
    data: &[u8],
) -> Option<Zeroizing<Vec<u8>>> {
    let cipher = C::new_from_slices(key, iv).ok()?;
    cipher.decrypt_padded_vec_mut::<Pkcs7>(data).ok().map(Zeroizing::new)
}

/// Returns the ranges of the encrypted values in a text. A value may contain spaces and line breaks.
pub fn encrypted_values(text: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut from = 0;
    while let Some(start) = text[from..].find(START).map(|it| from + it) {
        let inner = start + START.len();
        let is_part =
            |it: char| it.is_ascii_alphanumeric() || it.is_ascii_whitespace() || "+/=,".contains(it);
        let length = text[inner..].find(|it| !is_part(it)).unwrap_or(text.len() - inner);
        let end = inner + length;
        from = inner;
        if length > 0 && text[end..].starts_with(END) {
            from = end;
            found.push(start..end + END.len_utf8());
        }
    }
    found
}
