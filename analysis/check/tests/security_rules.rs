//! Security rules: for each, code with a finding and code without one.

use check::{Tier, diagnostics, rules_named};
use project::testing::TestWorkspace;

/// Returns the security findings in a manifest, each as its code without the common prefix and the text of its range.
fn findings(code: &str) -> Vec<String> {
    let levels: Vec<String> = rules_named("security").iter().map(|it| format!("{it}:warning")).collect();
    let header = format!("//- environment: roots=/ module_path=/modules lint={}\n", levels.join(","));
    let workspace = TestWorkspace::new(&format!("{header}//- /modules/a/manifests/init.pp\n{code}\n"));
    let file = workspace.file("/modules/a/manifests/init.pp");
    let text = project::text(&workspace.db, file).unwrap_or_default();
    let found = diagnostics(&workspace.db, file, Tier::Evaluation).into_iter().filter_map(|it| {
        let code = it.code.as_str().strip_prefix("security-")?;
        Some(format!("{code} {}", &text[it.range.as_range()]))
    });
    found.collect()
}

/// Checks the findings of classes with the given bodies; several are separated by ` & `.
#[track_caller]
fn bodies(cases: &[(&str, &str)]) {
    for (body, expected) in cases {
        let found = findings(&format!("class a (String $text, Integer $number) {{\n{body}\n}}"));
        assert_eq!(found.join(" & "), *expected, "{body}");
    }
}

#[test]
fn passwords() {
    bodies(&[
        ("$db_password = 'hunter2'", "hardcoded-password 'hunter2'"),
        ("$mysql_root_pw = 'hunter2'", "hardcoded-password 'hunter2'"),
        ("$settings = { 'bindpw' => 'hunter2' }", "hardcoded-password 'hunter2'"),
        ("user { 'x': password => 'hunter2' }", "hardcoded-password 'hunter2'"),
        ("x_config { 'DEFAULT/admin_password': value => 'hunter2' }", "hardcoded-password 'hunter2'"),
        ("ini_setting { 'x': setting => 'password', value => 'hunter2' }", "hardcoded-password 'hunter2'"),
        ("$password = lookup('x', String, 'first', 'hunter2')", "hardcoded-password 'hunter2'"),
        ("$password = $text ? { 'a' => 'hunter2', default => undef }", "hardcoded-password 'hunter2'"),
        ("$password = Sensitive('hunter2')", "hardcoded-password 'hunter2'"),
        ("$url = 'mysql://app:hunter2@db/app'", "hardcoded-password 'mysql://app:hunter2@db/app'"),
        ("user { 'x': password => 'changeme' }", "hardcoded-password 'changeme'"),
        // Not a password.
        ("$password_file = 'hunter2'", ""),
        ("$manage_password = 'hunter2'", ""),
        ("$compass = 'north'", ""),
        ("$password = lookup('x::password')", ""),
        ("$password = 'x::password'", ""),
        ("$password = '/etc/password'", ""),
        ("$password = undef", ""),
        ("$password = 'absent'", ""),
        ("$nss_passwd = $text ? { 'absent' => 'rm NSS_PASSWD', default => undef }", ""),
        ("$password = 'ENC[PKCS7,MIIB]'", ""),
        ("$password = '%{lookup(\"x\")}'", ""),
        ("$password = '<password>'", ""),
        ("$password = 'REPLACE_ME'", ""),
        ("$password = 'DB_PASSWORD'", ""),
        ("$password = \"x-${text}\"", ""),
        ("user { 'x': password => '$6$salt$hash' }", ""),
        ("user { 'x': password => '!!' }", ""),
        ("user { 'x': password => '*' }", ""),
        ("user { 'x': password => '5f4dcc3b5aa765d61d8327deb882cf99' }", ""),
        ("mount { '/x': pass => '22' }", ""),
        ("$url = \"mysql://app:${text}@db/app\"", ""),
        ("$url = 'http://app:hunter2@proxy.example.org:3128'", ""),
        ("$password = 'FAKE-PASSWORD'", ""),
    ]);
    assert_eq!(findings("class a (String $password = 'changeme') { }"), [""; 0]);
    assert_eq!(findings("class a (String $password = 'hunter2') { }"), ["hardcoded-password 'hunter2'"]);
    assert_eq!(findings("class a (String $password = '') { }"), ["empty-password ''"]);
    // Reported by `sensitive-default`.
    assert_eq!(findings("class a (Sensitive[String] $password = Sensitive('hunter2')) { }"), [""; 0]);
}

#[test]
fn empty_passwords() {
    bodies(&[
        ("$password = ''", "empty-password ''"),
        ("mysql_user { 'x': password => \"\" }", "empty-password \"\""),
        ("$password = lookup('x', String, 'first', '')", ""),
        ("$user = ''", ""),
    ]);
}

#[test]
fn secrets() {
    let key = "-----BEGIN RSA PRIVATE KEY-----\nMIIEpAIBAAKCAQEA0Z3VS5JJcds3xfn/ygWyF8PbnGy0AHB7MbzYLdZ7ZvVy7F7V\nMIIEpAI";
    bodies(&[
        ("$api_token = 'b2c7f1c9e0a84d55'", "hardcoded-secret 'b2c7f1c9e0a84d55'"),
        ("$settings = { client_secret => 'b2c7f1c9' }", "hardcoded-secret 'b2c7f1c9'"),
        ("$x = 'AKIAIOSFODNN7ABCDEFG'", "hardcoded-secret 'AKIAIOSFODNN7ABCDEFG'"),
        (&format!("$x = '{key}'"), &format!("private-key '{key}'")),
        ("$x = 'AKIAIOSFODNN7EXAMPLE'", ""),
        ("$public_key = 'b2c7f1c9e0a84d55'", ""),
        ("$token_url = 'b2c7f1c9e0a84d55'", ""),
        ("$private_key = '/etc/ssl/x.pem'", ""),
        ("$token = 'the token of the service'", ""),
        ("$x = '-----BEGIN RSA PRIVATE KEY-----'", ""),
        ("$x = '-----BEGIN CERTIFICATE-----'", ""),
    ]);
}

#[test]
fn exposed_secrets() {
    bodies(&[
        (
            "$password = lookup('x') exec { \"/bin/x -p ${password}\": }",
            "exposed-secret \"/bin/x -p ${password}\"",
        ),
        ("$password = lookup('x') notice(\"got ${password}\")", "exposed-secret \"got ${password}\""),
        ("$password = lookup('x') notify { $password: }", "exposed-secret $password"),
        ("$token = lookup('x') file { '/x': content => $token }", "exposed-secret $token"),
        ("$token = lookup('x') $c = \"x ${token}\" exec { 'x': command => $c }", "exposed-secret $c"),
        ("file { '/x': content => \"x ${b::api_token}\" }", "exposed-secret \"x ${b::api_token}\""),
        ("$x = lookup('a::db_password') file { '/x': content => \"x ${x}\" }", "exposed-secret \"x ${x}\""),
        ("$x = lookup('a::db_user') file { '/x': content => \"x ${x}\" }", ""),
        (
            "$password = lookup('x') file { '/x': content => epp('a/x.epp', { 'p' => $password }) }",
            "exposed-secret epp('a/x.epp', { 'p' => $password })",
        ),
        (
            "$password = Sensitive(lookup('x')) file { '/x': content => epp('a/x.epp', { 'p' => $password }) }",
            "",
        ),
        ("$password = lookup('x') file { '/x': content => $password, show_diff => false }", ""),
        ("$password = lookup('x') file { '/x': content => Sensitive(\"p=${password}\") }", ""),
        ("$password = Sensitive(lookup('x')) file { '/x': content => $password }", ""),
        ("$has_password = true notice(\"got ${has_password}\")", ""),
        ("$password_file = '/x' notice(\"got ${password_file}\")", ""),
    ]);
    let sensitive = "class a (Sensitive[String] $password) { file { '/x': content => $password } }";
    assert_eq!(findings(sensitive), [""; 0]);
}

#[test]
fn permissions() {
    bodies(&[
        ("file { '/x': mode => '0666' }", "world-writable '0666'"),
        ("file { '/x': mode => '777' }", "world-writable '777'"),
        ("file { '/x': mode => 777 }", "world-writable 777"),
        ("file { '/x': mode => 0777 }", "world-writable 0777"),
        ("file { '/x': mode => 0646 }", "world-writable 0646"),
        ("file { '/x': mode => 0x1b6 }", "world-writable 0x1b6"),
        ("$mode = 0777 file { '/x': mode => $mode }", "world-writable $mode"),
        ("file { '/x': mode => 'u=rw,go+w' }", "world-writable 'u=rw,go+w'"),
        ("file { '/x': mode => 'a=rwx' }", "world-writable 'a=rwx'"),
        ("$mode = '0666' file { '/x': mode => $mode }", "world-writable $mode"),
        ("File { mode => '0666' }", "world-writable '0666'"),
        ("exec { '/bin/chmod -R 777 /x': }", "world-writable '/bin/chmod -R 777 /x'"),
        ("exec { 'x': command => 'chmod o+w /x' }", "world-writable 'chmod o+w /x'"),
        ("file { '/tmp': ensure => directory, mode => '1777' }", ""),
        ("file { '/x': ensure => link, mode => '0777' }", ""),
        ("file { '/x': mode => '0664' }", ""),
        // Their decimal digits could be modes as well: 416, 436, 432, 256, 1533.
        ("file { '/x': mode => 0640 }", ""),
        ("file { '/x': mode => 0664 }", ""),
        ("file { '/x': mode => 0660 }", ""),
        ("file { '/x': mode => 0400 }", ""),
        ("file { '/x': mode => 02775 }", ""),
        ("$mode = 0640 file { '/x': mode => $mode }", ""),
        ("file { '/x': mode => 'o-w' }", ""),
        ("file { '/x': mode => 'ug+w' }", ""),
        ("exec { '/bin/chmod 1777 /x': }", ""),
        ("exec { '/bin/chmod 755 /x': }", ""),
        ("file { '/etc/ssl/private/x.key': mode => '0644' }", "readable-key '0644'"),
        ("file { \"/home/${text}/.ssh/id_rsa\": mode => '0604' }", "readable-key '0604'"),
        ("file { 'x': path => '/etc/ssh/ssh_host_rsa_key', mode => 'a+r' }", "readable-key 'a+r'"),
        ("file { '/etc/ssl/private/x.key': mode => '0640' }", ""),
        ("file { '/etc/ssl/private/x.key': mode => 0640 }", ""),
        ("file { '/etc/ssl/private/x.key': mode => 0644 }", "readable-key 0644"),
        ("file { '/home/x/.ssh/id_rsa.pub': mode => '0644' }", ""),
        ("file { '/etc/apt/trusted.gpg.d/x.key': mode => '0644' }", ""),
    ]);
}

#[test]
fn downloads() {
    bodies(&[
        ("exec { 'curl https://x.test/i | sh': }", "pipe-to-shell 'curl https://x.test/i | sh'"),
        (
            "exec { 'wget -qO- https://x.test/i|sudo -E bash -': }",
            "pipe-to-shell 'wget -qO- https://x.test/i|sudo -E bash -'",
        ),
        (
            "exec { 'bash -c \"$(curl https://x.test/i)\"': }",
            "pipe-to-shell 'bash -c \"$(curl https://x.test/i)\"'",
        ),
        ("exec { 'curl https://x.test/i | tar x': }", ""),
        ("exec { 'curl https://x.test/i || sh x': }", ""),
        ("exec { 'cat x | sh': }", ""),
        ("yumrepo { 'x': gpgcheck => 0 }", "unsigned-repository 0"),
        ("$repos = { x => { 'gpgcheck' => 'no' } }", "unsigned-repository 'no'"),
        ("apt::source { 'x': allow_unsigned => true }", "unsigned-repository true"),
        ("package { 'x': install_options => ['--nogpgcheck'] }", "unsigned-repository ['--nogpgcheck']"),
        ("exec { 'yum --nogpgcheck install x': }", "unsigned-repository 'yum --nogpgcheck install x'"),
        (
            "$line = 'deb [trusted=yes] https://x.test x main'",
            "unsigned-repository 'deb [trusted=yes] https://x.test x main'",
        ),
        ("yumrepo { 'x': gpgcheck => 1, repo_gpgcheck => 0 }", ""),
        ("yumrepo { 'x': gpgcheck => '0', repo_gpgcheck => '1' }", ""),
        ("yumrepo { 'x': gpgcheck => '0', repo_gpgcheck => '0' }", "unsigned-repository '0'"),
        (
            "$repos = { x => { gpgcheck => 0, repo_gpgcheck => 1 }, y => { gpgcheck => 'no' } }",
            "unsigned-repository 'no'",
        ),
        ("$x = \"[a]\\nrepo_gpgcheck=1\\ngpgcheck = 0\\n\"", ""),
        (
            "$x = \"[a]\\nrepo_gpgcheck=1\\n[b]\\ngpgcheck=0\"",
            "unsigned-repository \"[a]\\nrepo_gpgcheck=1\\n[b]\\ngpgcheck=0\"",
        ),
        ("apt::source { 'x': allow_insecure => true }", "unsigned-repository true"),
        ("archive { '/x': allow_insecure => true }", "unverified-download true"),
        ("yumrepo { 'x': sslverify => '0' }", "unverified-download '0'"),
        (
            "exec { '/usr/bin/curl -k https://x.test/x': }",
            "unverified-download '/usr/bin/curl -k https://x.test/x'",
        ),
        (
            "package { 'x': provider => 'pip', install_options => ['--trusted-host', 'x'] }",
            "unverified-download ['--trusted-host', 'x']",
        ),
        ("$check = 0 yumrepo { 'x': gpgcheck => $check }", "unsigned-repository $check"),
        ("$gpgcheck = 0 yumrepo { 'x': gpgcheck => $gpgcheck }", "unsigned-repository 0"),
        ("$check = 1 yumrepo { 'x': gpgcheck => $check }", ""),
        ("archive { '/x': source => 'https://x.test/x.tgz' }", "unverified-download 'https://x.test/x.tgz'"),
        ("archive { '/x': checksum => false }", "unverified-download false"),
        ("exec { 'wget https://x.test/x.rpm': }", "unverified-download 'wget https://x.test/x.rpm'"),
        ("archive { '/x': source => 'https://x.test/x.tgz', checksum => 'abc' }", ""),
        ("archive { '/x': source => 'puppet:///modules/x/x.tgz' }", ""),
        ("exec { 'wget https://x.test/x.rpm && sha256sum -c x': }", ""),
        ("exec { 'wget https://x.test/status': }", ""),
    ]);
}

#[test]
fn networks() {
    bodies(&[
        ("yumrepo { 'x': baseurl => 'http://x.test/el9' }", "plain-http 'http://x.test/el9'"),
        ("$url = \"http://${text}/x\"", "plain-http \"http://${text}/x\""),
        ("exec { 'curl -O http://x.test/x': }", "plain-http 'curl -O http://x.test/x'"),
        ("$url = 'https://x.test'", ""),
        ("$url = 'http://localhost:8080/'", ""),
        ("$url = 'http://[::1]:8080/'", ""),
        ("$url = 'http://user@127.0.0.1/'", ""),
        ("$http_proxy = 'http://proxy.test:3128'", ""),
        ("$namespace = 'http://x.test/x'", ""),
        ("$x = 'http://www.w3.org/1999/xhtml'", ""),
        ("$bind_address = '0.0.0.0'", "open-bind '0.0.0.0'"),
        ("$settings = { 'listen' => ['0.0.0.0:80'] }", "open-bind '0.0.0.0:80'"),
        ("$url = 'tcp://0.0.0.0:2375'", "open-bind 'tcp://0.0.0.0:2375'"),
        ("firewall { 'x': source => '0.0.0.0/0' }", ""),
        ("$netmask = '0.0.0.0'", ""),
        ("$bind_address = '127.0.0.1'", ""),
        ("$user = 'root'", "default-admin 'root'"),
        ("exec { 'x': user => 'root' }", ""),
        ("$root_user = 'root'", ""),
        ("$user = 'app'", ""),
    ]);
}

#[test]
fn algorithms() {
    bodies(&[
        ("pg_hba_rule { 'x': auth_method => 'md5' }", "weak-hash 'md5'"),
        ("$lines = ['host all all 0.0.0.0/0 md5']", "weak-hash 'host all all 0.0.0.0/0 md5'"),
        ("$password = lookup('x') $x = md5($password)", "weak-hash md5($password)"),
        ("$x = pw_hash($text, 'MD5', 'salt')", "weak-hash pw_hash($text, 'MD5', 'salt')"),
        ("$x = md5($text)", ""),
        ("file { '/x': checksum => 'md5' }", ""),
        ("archive { '/x': checksum_type => 'sha1' }", ""),
        ("$auth_method = 'scram-sha-256'", ""),
        ("$ssl_ciphers = 'HIGH:RC4-SHA'", "weak-cipher 'HIGH:RC4-SHA'"),
        ("$ssl_protocols = ['TLSv1', 'TLSv1.2']", "weak-cipher 'TLSv1'"),
        ("$ssl_protocol = 'all +SSLv3'", "weak-cipher 'all +SSLv3'"),
        ("$ssl_protocol = 'all -SSLv2 -SSLv3'", ""),
        ("$ssl_ciphers = 'HIGH:!RC4:!MD5:+3DES'", ""),
        ("$disabled_protocols = 'SSLv3'", ""),
    ]);
}

#[test]
fn shells() {
    bodies(&[
        ("exec { 'x': command => \"x ${text}\", provider => shell }", "shell-injection \"x ${text}\""),
        (
            "exec { 'x': command => \"x ${facts['x']}\", provider => 'shell' }",
            "shell-injection \"x ${facts['x']}\"",
        ),
        (
            "exec { 'x': command => \"x ${facts['networking']['hostname']}\", provider => shell }",
            "shell-injection \"x ${facts['networking']['hostname']}\"",
        ),
        ("exec { 'x': command => \"x ${number}\", provider => shell }", ""),
        ("exec { 'x': command => \"x ${text}\" }", ""),
        ("exec { 'x': command => \"x ${text} | wc\" }", "shell-injection \"x ${text} | wc\""),
        ("exec { \"/bin/sh -c 'ls ${text}'\": }", "shell-injection \"/bin/sh -c 'ls ${text}'\""),
        ("exec { 'x': command => \"bash -c 'ls ${number}'\" }", ""),
        ("exec { 'x': command => \"x ${text} | wc\", provider => windows }", ""),
        ("exec { 'x': command => \"x ${shell_escape($text)}\", provider => shell }", ""),
        ("$x = 'a' exec { 'x': command => \"x ${x}\", provider => shell }", ""),
    ]);
}

#[test]
fn comments() {
    bodies(&[
        ("# TODO: check", "suspicious-comment TODO"),
        ("/* works around a bug */", "suspicious-comment bug"),
        ("# Fixme", "suspicious-comment Fixme"),
        ("# see https://bugs.x.test/1", ""),
        ("# Bug 12345", ""),
        ("# Bug list:", ""),
        ("# debug and prefix", ""),
        ("# 'todo' => {", ""),
        ("# a xxx file", ""),
        ("$x = 'TODO'", ""),
    ]);
}

/// Strings that would be assembled from a thousand million others.
#[test]
fn nested_strings_are_bounded() {
    let nested = |at: usize| format!("$a{at} = \"{}\"\n", format!("${{a{}}}", at + 1).repeat(1000));
    let body: String = (0..4).map(nested).collect();
    let body = format!("{body}$a4 = 'text'\nexec {{ 'x': command => $a0, path => '/bin' }}");
    bodies(&[(&body, "")]);
}
