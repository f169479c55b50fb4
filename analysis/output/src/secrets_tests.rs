use super::{SecretKeys, masked_source, without_ciphertexts};

#[test]
fn secrets_are_recognized_by_name() {
    let keys = SecretKeys::with(&["pin-code".to_owned(), " ".to_owned()]);
    for name in
        ["password", "DB_PASSWD", "root_password_hash", "private-key", "api_key", "PinCode", "m::secret"]
    {
        assert!(keys.is_secret(name), "{name}");
    }
    for name in ["ensure", "key", "path", "compass", "private", ""] {
        assert!(!keys.is_secret(name), "{name}");
    }
}

#[test]
fn types_of_masked_numbers_are_shown() {
    let keys = SecretKeys::default();
    for (number, shown) in
        [("5", "Integer [masked]"), ("-1.25", "Float [masked]"), ("-5", "Integer [masked]")]
    {
        let message = |value: &str| format!("parameter `password` expects `String`, got `{value}`");
        assert_eq!(keys.masked(&message(number)), message(shown));
    }
    assert_eq!(keys.masked_in_place("`password`, got `-1.25`, got 1"), "`password`, got `-****`, got 1");
}

#[test]
fn values_of_secrets_are_masked() {
    let keys = SecretKeys::default();
    for (text, shown) in [
        ("password => 'a b', ensure => 'c'", "password => [masked], ensure => 'c'"),
        ("'password' => 'a'", "'password' => [masked]"),
        ("{\"api_key\": \"a\", \"b\": 1}", "{\"api_key\": [masked], \"b\": 1}"),
        ("db_password: a\nuser: b\n", "db_password: [masked]\nuser: b\n"),
        ("token=a;x=1", "token=[masked];x=1"),
        ("mysql://u password=a@b c", "mysql://u password=[masked] c"),
        (
            "the parameter $password of 'm' expects an Integer value, got String 'a'",
            "the parameter $password of 'm' expects an Integer value, got String [masked]",
        ),
        (
            "entry 'password' expects an Integer value, got String 'a'",
            "entry 'password' expects an Integer value, got String [masked]",
        ),
        (
            "parameter `password` of `m::d` expects `Integer`, got `'password123'`",
            "parameter `password` of `m::d` expects `Integer`, got `[masked]`",
        ),
        (
            "parameter `password` of `m::d` expects `String`, got `12345`",
            "parameter `password` of `m::d` expects `String`, got `Integer [masked]`",
        ),
        (
            "the parameters 'password' and 'token' are missing",
            "the parameters 'password' and 'token' are missing",
        ),
        (
            "M::D[x]: parameter 'password' expects a String value, got Integer 12345",
            "M::D[x]: parameter 'password' expects a String value, got Integer [masked]",
        ),
        (
            "parameter 'password' expects size to be at least 3, got 1",
            "parameter 'password' expects size to be at least 3, got 1",
        ),
        ("the class 'secrets::store' is not known", "the class 'secrets::store' is not known"),
        ("password => [value redacted]", "password => [value redacted]"),
        ("content => \"user=a\\npassword = b\\n\"", "content => \"user=a\\npassword = [masked]\""),
        ("$secret = Sensitive('a') # b", "$secret = [masked] # b"),
        ("password => unwrap(f('a)', \"b\")), x => 'c'", "password => [masked], x => 'c'"),
        (
            "'k' => Sensitive('a'), Sensitive.new(\"b\") + 'c'",
            "'k' => Sensitive([masked]), Sensitive.new([masked]) + 'c'",
        ),
        ("Sensitive[String] Sensitive('a", "Sensitive[String] Sensitive([masked]"),
        (
            "Class[m]: parameter 'password' expects an Array[Integer] value, 2 problems:\n  index 0 expects an Integer value, got 'a'\n  index 1, got 'b'\nin 'c'",
            "Class[m]: parameter 'password' expects an Array[Integer] value, 2 problems:\n  index 0 expects an Integer value, got [masked]\n  index 1, got [masked]\nin 'c'",
        ),
        ("it's fine", "it's fine"),
        ("x: ENC[PKCS7,MIIB+/=]", "x: ENC[…]"),
    ] {
        assert_eq!(keys.masked(text), shown);
    }
}

#[test]
fn ciphertexts_are_shortened() {
    assert_eq!(without_ciphertexts("a ENC[PKCS7,MII\n  B] b ENC[GPG,x"), "a ENC[…] b ENC[…");
}

#[test]
fn masked_sources_keep_their_offsets() {
    for (source, shown) in [
        ("$a = Sensitive('büb') + Sensitive.new( \"x\" )", "$a = Sensitive('****') + Sensitive.new( \"*\" )"),
        ("a: ENC[PKCS7,MIIB]", "a: ENC[**********]"),
        ("Sensitive($x) Sensitive[String]", "Sensitive($x) Sensitive[String]"),
        ("Sensitive('", "Sensitive('"),
    ] {
        assert_eq!(masked_source(source), shown);
        assert_eq!(source.len(), shown.len());
    }
}

#[test]
fn masking_in_place_keeps_offsets() {
    let text = "password: 'aü日\u{1f600}' # b\nuser: x\n";
    let masked = SecretKeys::default().masked_in_place(text);
    assert_eq!(masked, "password: '*×※\u{1f7b2}' # b\nuser: x\n");
    assert_eq!((masked.len(), masked.encode_utf16().count()), (text.len(), text.encode_utf16().count()));
}
