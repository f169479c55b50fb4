//! Names and strings with and without signs of a defect.

use weaknesses::commands::{downloads_without_check, makes_world_writable, pipes_download_to_shell};
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
