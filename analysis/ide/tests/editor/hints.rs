//! Inlay hints.

use expect_test::{Expect, expect};
use ide::{InlayHintKind, InlayHintSettings};
use syntax::TextRange;

use crate::at_cursor;

const NONE: InlayHintSettings =
    InlayHintSettings { values: false, types: false, data: false, platforms: false };
const VALUES: InlayHintSettings = InlayHintSettings { values: true, ..NONE };
const TYPES: InlayHintSettings = InlayHintSettings { types: true, ..NONE };
const DATA: InlayHintSettings = InlayHintSettings { data: true, ..NONE };
const PLATFORMS: InlayHintSettings = InlayHintSettings { platforms: true, ..NONE };

#[track_caller]
fn check(settings: InlayHintSettings, fixture: &str, expected: Expect) {
    let shown = at_cursor(fixture, |analysis, file, _, text| {
        let range = TextRange::new(0, text.len() as u32);
        let hints = analysis.inlay_hints(file, range, settings).expect("nothing is cancelled");
        let mut shown = text.to_owned();
        for hint in hints.iter().rev() {
            let text = match hint.kind {
                InlayHintKind::TypeBefore => format!("«{}» ", hint.text),
                InlayHintKind::Value | InlayHintKind::Data | InlayHintKind::Platforms => {
                    format!(" «{}»", hint.text)
                }
                InlayHintKind::TypeAfter => format!("«{}»", hint.text),
            };
            shown.insert_str(hint.offset as usize, &text);
        }
        shown
    });
    expected.assert_eq(&shown);
}

const PROGRAM: &str = "\
class a(Integer $port, Hash[String, Integer] $h) {
  $base = '/srv'
  $root = \"${base}/www\"
  $next = $port + 1
  $list = [1, 2].map |$i| { $i * 2 }
  $secret = Sensitive('x')
  $h.each |$key, Integer $value| { notice($key) }
}
";

#[test]
fn values_of_constants() {
    check(
        VALUES,
        PROGRAM,
        expect![[r#"
        class a(Integer $port, Hash[String, Integer] $h) {
          $base = '/srv'
          $root = "${base}/www" «= '/srv/www'»
          $next = $port + 1
          $list = [1, 2].map |$i| { $i * 2 } «= [2, 4]»
          $secret = Sensitive('x') «= #<Sensitive [value redacted]>»
          $h.each |$key, Integer $value| { notice($key) }
        }
    "#]],
    );
}

#[test]
fn types_of_variables_and_lambda_parameters() {
    check(
        TYPES,
        PROGRAM,
        expect![[r#"
        class a(Integer $port, Hash[String, Integer] $h) {
          $base = '/srv'
          $root«: String» = "${base}/www"
          $next«: Integer» = $port + 1
          $list«: Array[Integer]» = [1, 2].map |«Integer» $i| { $i * 2 }
          $secret«: Sensitive[String]» = Sensitive('x')
          $h.each |«String» $key, Integer $value| { notice($key) }
        }
    "#]],
    );
}

#[test]
fn disabled_hints_are_not_shown() {
    check(
        InlayHintSettings::default(),
        "$x = 1 + 1\n",
        expect![[r#"
        $x = 1 + 1
    "#]],
    );
}

#[test]
fn parameter_values_from_hiera() {
    check(
        DATA,
        "\
//- environment: roots=/
//- /environment.conf
//- /hiera.yaml
version: 5
hierarchy:
  - name: nodes
    path: \"nodes/%{trusted.certname}.yaml\"
  - name: all
    path: common.yaml
//- /data/nodes/a.yaml
a::port: 8080
//- /data/common.yaml
a::port: 80
a::mode: [x, y]
a::secret: ENC[PKCS7,abc]
//- /modules/a/manifests/init.pp
$0class a(Integer $port = 1, Array $mode, String $secret, $other = 1) {}
",
        expect![[r#"
            class a(Integer $port = 1 «hiera: 2 values», Array $mode «hiera: [x, y]», String $secret «hiera: encrypted», $other = 1) {}
        "#]],
    );
}

#[test]
fn values_by_platform() {
    check(
        PLATFORMS,
        r#"
//- environment: roots=/ module_path=/modules
//- /modules/web/metadata.json
{ "name": "me-web", "operatingsystem_support": [
  { "operatingsystem": "Debian", "operatingsystemrelease": ["11", "12"] },
  { "operatingsystem": "RedHat", "operatingsystemrelease": ["9"] } ] }
//- /modules/web/manifests/init.pp
class web($package = $facts['os']['family'] ? { 'Debian' => 'web', default => 'httpd' }, $port = 80, $user, $mode = 1,
  $half_known = $facts['os']['family'] ? { 'Debian' => 'a', default => $user }, Sensitive[String] $key = Sensitive($facts['os']['family'])) {
  $folder = "/etc/${package}"
  $name_of_os = $facts['os']['name'].downcase
  $limit = 5
  $all = "port ${port}"
  $password = Sensitive('hidden')
  $half = "${user} of ${limit}"$0
}
"#,
        expect![[r#"
            class web($package = $facts['os']['family'] ? { 'Debian' => 'web', default => 'httpd' } «= 'web' on 2 platforms, 'httpd' on RedHat 9», $port = 80, $user, $mode = 1,
              $half_known = $facts['os']['family'] ? { 'Debian' => 'a', default => $user }, Sensitive[String] $key = Sensitive($facts['os']['family'])) {
              $folder = "/etc/${package}" «= '/etc/web' on 2 platforms, '/etc/httpd' on RedHat 9»
              $name_of_os = $facts['os']['name'].downcase «= 'debian' on 2 platforms, 'redhat' on RedHat 9»
              $limit = 5
              $all = "port ${port}" «= 'port 80'»
              $password = Sensitive('hidden') «= #<Sensitive [value redacted]>»
              $half = "${user} of ${limit}"
            }
        "#]],
    );
}

/// Returns the code with all insertable types inserted.
fn inserted(fixture: &str) -> String {
    at_cursor(fixture, |analysis, file, _, text| {
        let range = TextRange::new(0, text.len() as u32);
        let hints = analysis.inlay_hints(file, range, TYPES).expect("nothing is cancelled");
        let mut code = text.to_owned();
        for hint in hints.iter().rev() {
            if let Some(ty) = &hint.insertion {
                code.insert_str(hint.offset as usize, &format!("{ty} "));
            }
        }
        code
    })
}

#[test]
fn types_of_lambda_parameters_can_be_inserted() {
    let cases = [
        ("$0[1, 2].each |$i| { notice($i) }", "[1, 2].each |Integer $i| { notice($i) }"),
        (
            "$0{ 'a' => 1 }.each |$k, $v| { notice($k) }",
            "{ 'a' => 1 }.each |String $k, Integer $v| { notice($k) }",
        ),
        // Longer than a hint.
        (
            "class a(Array[Struct[{ name => String, port => Integer[1, 65535], tags => Array[String] }]] $l) {\n  \
             $0$l.each |$e| { notice($e) }\n}",
            "class a(Array[Struct[{ name => String, port => Integer[1, 65535], tags => Array[String] }]] $l) {\n  \
             $l.each |Struct[{'name' => String, 'port' => Integer[1, 65535], 'tags' => Array[String]}] $e| { notice($e) }\n}",
        ),
        // Declared types, and values without a known type.
        ("$0[1].each |Integer $i| { notice($i) }", "[1].each |Integer $i| { notice($i) }"),
        ("$0$far::x.each |$i| { notice($i) }", "$far::x.each |$i| { notice($i) }"),
        // Variables have no declared type.
        ("$0$x = 1 + 1", "$x = 1 + 1"),
    ];
    for (fixture, expected) in cases {
        assert_eq!(inserted(fixture), expected);
    }
}
