//! Values that OpenSSL encrypts and decrypts. The keys are only used here.

use std::process::{Command, Stdio};

use eyaml::{PrivateKey, Recipient, encrypted_values};

const VALUE: &str = "correct horse ü";
const CERTIFICATE: &str = include_str!("data/public_key.pkcs7.pem");
const KEY: &str = include_str!("data/private_key.pkcs7.pem");

fn key(text: &str) -> PrivateKey {
    PrivateKey::from_pem(text).expect("a key")
}

/// Envelopes that OpenSSL has written, by algorithm.
const ENVELOPES: [&str; 4] = [
    include_str!("data/v.aes-128-cbc"),
    include_str!("data/v.aes-192-cbc"),
    include_str!("data/v.aes-256-cbc"),
    include_str!("data/v.des3"),
];

#[test]
fn values_of_openssl_are_decrypted() {
    for envelope in ENVELOPES {
        let envelope = envelope.trim();
        for text in [KEY, include_str!("data/private_key.pkcs1.pem")] {
            let found = key(text).decrypt(&format!("ENC[PKCS7,{envelope}]")).expect("a value");
            assert_eq!(std::str::from_utf8(&found), Ok(VALUE));
        }
        let lines: Vec<String> =
            envelope.as_bytes().chunks(60).map(|it| String::from_utf8_lossy(it).into_owned()).collect();
        let folded = format!("ENC[{}]", lines.join("\n    "));
        assert_eq!(&*key(KEY).decrypt(&folded).expect("a value"), VALUE.as_bytes());
    }
}

#[test]
fn openssl_decrypts_our_values() {
    let recipient = Recipient::from_pem(CERTIFICATE).expect("a certificate");
    let first = recipient.encrypt(VALUE.as_bytes()).expect("a value");
    assert_ne!(first, recipient.encrypt(VALUE.as_bytes()).expect("a value"), "equal values differ");
    assert_eq!(&*key(KEY).decrypt(&first).expect("a value"), VALUE.as_bytes());
    let large = vec![0xffu8; 100_000];
    for value in [VALUE.as_bytes(), b"x", b"0123456789abcdef", &large] {
        let encrypted = recipient.encrypt(value).expect("a value");
        assert_eq!(&*key(KEY).decrypt(&encrypted).expect("a value"), value);
        for command in ["cms", "smime"] {
            let Some(found) = openssl(command, &encrypted) else { return };
            assert_eq!(found, value, "{command}");
        }
    }
}

/// Decrypts a value with OpenSSL; `None` if it is not installed.
fn openssl(command: &str, encrypted: &str) -> Option<Vec<u8>> {
    let data = encrypted.trim_start_matches("ENC[PKCS7,").trim_end_matches(']');
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data");
    let lines: Vec<String> =
        data.as_bytes().chunks(64).map(|it| String::from_utf8_lossy(it).into_owned()).collect();
    let pem = format!("-----BEGIN PKCS7-----\n{}\n-----END PKCS7-----\n", lines.join("\n"));
    let mut child = Command::new("openssl")
        .args([command, "-decrypt", "-binary", "-inform", "PEM", "-recip"])
        .args([
            &format!("{folder}/public_key.pkcs7.pem"),
            "-inkey",
            &format!("{folder}/private_key.pkcs7.pem"),
        ])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .ok()?;
    std::io::Write::write_all(&mut child.stdin.take()?, pem.as_bytes()).ok()?;
    let output = child.wait_with_output().ok()?;
    assert!(output.status.success(), "{command}");
    Some(output.stdout)
}

#[test]
fn unusable_values_and_keys() {
    let failure = |value: &str| format!("{:#}", key(KEY).decrypt(value).expect_err("no value"));
    let envelope = ENVELOPES[2].trim();
    for (value, message) in [
        ("secret", "not an encrypted value"),
        ("ENC[GPG,aaaa]", "method `GPG` is not supported"),
        ("ENC[PKCS7,a]", "not valid Base64"),
        ("ENC[PKCS7,aaaa]", "not a PKCS #7 envelope"),
        (&format!("ENC[PKCS7,{}]", &envelope[..200]), "not a PKCS #7 envelope"),
    ] {
        assert!(failure(value).contains(message), "{value}: {}", failure(value));
    }
    let other = key(include_str!("data/other.pem"));
    let error = other.decrypt(&format!("ENC[PKCS7,{envelope}]")).expect_err("another key");
    assert_eq!(error.to_string(), "encrypted for another key");
    let error = PrivateKey::from_pem(include_str!("data/private_key.locked.pem")).expect_err("locked");
    assert!(error.to_string().contains("passphrase"), "{error}");
    PrivateKey::from_pem(CERTIFICATE).expect_err("a certificate");
    assert!(Recipient::from_pem(KEY).is_err() && Recipient::from_pem("").is_err());
    assert!(Recipient::from_pem(CERTIFICATE).expect("a certificate").encrypt(b"").is_err());
}

#[test]
fn encrypted_values_are_found() {
    let text = "a: ENC[PKCS7,aa+/=]\nb: >\n  ENC[PKCS7,aa\n  bb]\nc: ENC[]\nd: ENC[x ENC[GPG,cc] ü ENC[ü]\n";
    let found: Vec<&str> = encrypted_values(text).into_iter().map(|it| &text[it]).collect();
    assert_eq!(found, ["ENC[PKCS7,aa+/=]", "ENC[PKCS7,aa\n  bb]", "ENC[GPG,cc]"]);
    assert!(encrypted_values("ENC[").is_empty());
}
