//! Names and strings with and without signs of a defect.

use weaknesses::commands::{
    downloads_without_check, is_run_by_shell, makes_world_writable, pipes_download_to_shell,
    skips_certificate_check,
};
use weaknesses::comments::marker;
use weaknesses::secrets::{SecretKind, has_private_key, has_token, is_secret_literal, secret_kind};
use weaknesses::urls::{is_plain_http, password_in_url};
use weaknesses::words;

#[test]
fn names_are_split_into_words() {
    for (name, expected) in [
        ("db_password", "db password"),
        ("dbPassword2", "db password"),
        ("::a::b-c", "a b c"),
        ("", ""),
        ("_", ""),
        ("größe_key", "gr e key"),
    ] {
        assert_eq!(words(name).join(" "), expected, "{name}");
    }
}

#[test]
fn the_last_word_names_a_secret() {
    for name in ["password", "db_pass", "rootpw", "requirepass", "ROOT_PASSWORD", "dbPassword", "passphrase2"]
    {
        assert_eq!(secret_kind(name), Some(SecretKind::Password), "{name}");
    }
    for name in ["token", "api_key", "clientSecret", "erlang_cookie", "aws_secret_access_key"] {
        assert_eq!(secret_kind(name), Some(SecretKind::Secret), "{name}");
    }
    for name in [
        "password_file",
        "existingSecretKey",
        "manage_password",
        "bypass",
        "pw",
        "key",
        "public_key",
        "tokens",
        "monkey",
        "cookie",
    ] {
        assert_eq!(secret_kind(name), None, "{name}");
    }
}

#[test]
fn values_in_any_form_are_judged() {
    let odd = [
        "",
        " ",
        "'",
        "-----BEGIN ",
        "-----BEGIN x",
        "://",
        "://@",
        "AKIA",
        "é",
        "\u{1}",
        "chmod",
        "curl |",
        "|",
        "$(",
    ];
    for text in odd {
        assert!(!is_secret_literal(SecretKind::Secret, text, false) || text.len() >= 4, "{text}");
        assert!(!has_private_key(text) && !has_token(text) && !is_plain_http(text), "{text}");
        assert!(!pipes_download_to_shell(text) && !makes_world_writable(text), "{text}");
        assert!(!downloads_without_check(text) && marker(text).is_none(), "{text}");
        assert!(password_in_url(text).is_none(), "{text}");
    }
}

#[test]
fn certificates_are_checked() {
    for (command, is_insecure) in [
        ("curl -k https://x.test/f", true),
        ("/usr/bin/curl -sSLk -o /x https://x.test/f", true),
        ("curl -o k https://x.test/f", false),
        ("curl --insecure $url", true),
        ("curl -k https://localhost:8443/health", false),
        ("curl -s https://x.test/f | sort -k 2", false),
        ("wget --no-check-certificate https://x.test", true),
        ("pip3 install --trusted-host x.test y", true),
        ("git -c http.sslVerify=false clone https://x.test/y", true),
        ("echo --insecure", false),
        ("", false),
    ] {
        assert_eq!(skips_certificate_check(command), is_insecure, "{command}");
    }
}

#[test]
fn commands_are_run_by_shells() {
    for (command, is_shell) in [
        ("/bin/sh -c 'ls'", true),
        ("bash -lc \"ls\"", true),
        ("ls | wc", true),
        ("ls || true", false),
        ("sh x.sh -c", false),
        ("bash", false),
    ] {
        assert_eq!(is_run_by_shell(command), is_shell, "{command}");
    }
}
