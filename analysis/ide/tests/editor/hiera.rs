//! Hiera data: hover, navigation in both directions, and completion.

use expect_test::{Expect, expect};

use crate::at_cursor;

const OTHERS: &str = r#"
//- /environment.conf
//- /hiera.yaml
version: 5
hierarchy:
  - name: nodes
    path: "nodes/%{trusted.certname}.yaml"
  - name: all
    path: common.yaml
//- /data/nodes/a.yaml
apache::port: 8080
apache::user::deep: { b: [1, { c: 2 }] }
apache::user::secret: hidden
lookup_options:
  apache::user::secret:
    convert_to: Sensitive
user:
  name: root
  list:
    - one
    - two
//- /modules/apache/hiera.yaml
version: 5
//- /modules/apache/data/common.yaml
apache::port: 80
apache::mode: ENC[PKCS7,abc]
//- /modules/apache/manifests/server.pp
# @param modules What to load
class apache::server(Array[String] $modules) {}
"#;

fn fixture(path: &str, text: &str) -> String {
    let manifest = "# @param port Where it listens\nclass apache(Integer[1] $port = 1, String $mode) { notice($port, $mode) }\n";
    let manifest = if path.ends_with("init.pp") {
        String::new()
    } else {
        format!("//- /modules/apache/manifests/init.pp\n{manifest}")
    };
    format!("//- environment: roots=/{OTHERS}{manifest}//- {path}\n{text}")
}

#[track_caller]
fn hover(path: &str, text: &str, expected: Expect) {
    let shown = at_cursor(&fixture(path, text), |analysis, file, offset, text| {
        match analysis.hover(file, offset).expect("nothing is cancelled") {
            Some(hover) => format!("[{}]\n{}\n", &text[hover.range.as_range()], hover.markdown),
            None => "nothing\n".to_owned(),
        }
    });
    expected.assert_eq(&shown);
}

#[track_caller]
fn complete(path: &str, text: &str, expected: Expect) {
    let shown = at_cursor(&fixture(path, text), |analysis, file, offset, text| {
        let Some(found) = analysis.completions(file, offset).expect("nothing is cancelled") else {
            return "nothing\n".to_owned();
        };
        let mut shown = format!("[{}]\n", &text[found.range.as_range()]);
        for item in &found.items {
            let owner = item.owner.as_deref();
            let details = analysis.completion_details(file, item.kind, &item.label, owner);
            let details = details.expect("nothing is cancelled").map(|it| it.detail).unwrap_or_default();
            shown.push_str(&format!("{:?} {details}\n", item.text));
        }
        shown
    });
    expected.assert_eq(&shown);
}

#[track_caller]
fn implementation(path: &str, text: &str, expected: &str) {
    let found = at_cursor(&fixture(path, text), |analysis, file, offset, _| {
        let found = analysis.implementation(file, offset).expect("nothing is cancelled");
        let place = |target: &ide::NavigationTarget| {
            format!("{}:{}", analysis.path(target.file).as_str(), target.focus)
        };
        found.map(|it| it.targets.iter().map(place).collect::<Vec<_>>().join(" ")).unwrap_or_default()
    });
    assert_eq!(found, expected);
}

#[test]
fn hover_on_a_key_shows_parameter_and_values() {
    hover(
        "/data/common.yaml",
        "apache::po$0rt: 443\n",
        expect![[r#"
            [apache::port]
            ```puppet
            Integer[1] $port = 1
            ```

            Parameter of class `apache`.

            Where it listens

            In Hiera, in lookup order:

            * `data/nodes/a.yaml:1` (environment, nodes): `8080`
            * `data/common.yaml:1` (environment, all): `443`
            * `data/common.yaml:1` (module apache, Common): `80`
        "#]],
    );
    hover(
        "/data/common.yaml",
        "a: \"%{lookup('apache::mo$0de')}\"\n",
        expect![[r#"
            [apache::mode]
            ```puppet
            String $mode
            ```

            Parameter of class `apache`.

            In Hiera, in lookup order:

            * `data/common.yaml:2` (module apache, Common): *encrypted*
        "#]],
    );
    hover(
        "/data/common.yaml",
        "no$0thing: 1\n",
        expect![[r#"
            [nothing]
            `nothing`

            In Hiera, in lookup order:

            * `data/common.yaml:1` (environment, all): `1`
        "#]],
    );
}

#[test]
fn hover_on_a_parameter_shows_values() {
    let text = "class apache(Integer[1] $po$0rt = 1, String $mode) { notice($port, $mode) }\n";
    hover(
        "/modules/apache/manifests/init.pp",
        text,
        expect![[r#"
            [$port]
            ```puppet
            $port: Integer[1]
            ```

            Default: `1`

            In Hiera, in lookup order:

            * `data/nodes/a.yaml:1` (environment, nodes): `8080`
            * `data/common.yaml:1` (module apache, Common): `80`
        "#]],
    );
    implementation(
        "/modules/apache/manifests/init.pp",
        text,
        "/data/nodes/a.yaml:0..12 /modules/apache/data/common.yaml:0..12",
    );
}

#[test]
fn keys_are_completed() {
    complete(
        "/data/common.yaml",
        "apache::port: 1\nap$0\n",
        expect![[r#"
        [ap]
        "apache::mode: " String $mode
        "apache::server::modules: " Array[String] $modules
    "#]],
    );
    complete(
        "/data/common.yaml",
        "apache::port: 1\napache::se$0: []\n",
        expect![[r#"
        [apache::se]
        "apache::server::modules" Array[String] $modules
    "#]],
    );
    complete(
        "/data/common.yaml",
        "a:\n  ap$0\n",
        expect![[r#"
        nothing
    "#]],
    );
}

/// Compares hovers and navigation targets at positions in a manifest; `|` is the cursor.
#[track_caller]
fn in_code(before: &str, hovered: &str, targets: &[&str]) {
    let (front, after) = before.split_once('|').expect("a cursor");
    let text = fixture("/modules/apache/manifests/user.pp", &format!("{front}$0{after}"));
    let (markdown, found) = at_cursor(&text, |analysis, file, offset, _| {
        let hover = analysis.hover(file, offset).expect("nothing is cancelled");
        let found = analysis.definition(file, offset).expect("nothing is cancelled");
        let place = |it: &ide::NavigationTarget| {
            let text = analysis.text(it.file).expect("nothing is cancelled").expect("a text");
            format!("{}: {}", analysis.path(it.file).as_str(), &text[it.focus.as_range()])
        };
        let found: Vec<String> = found.map(|it| it.targets.iter().map(place).collect()).unwrap_or_default();
        (hover.map(|it| it.markdown).unwrap_or_default(), found)
    });
    assert!(markdown.contains(hovered), "{before}: {markdown}");
    assert_eq!(found, targets, "{before}");
}

#[test]
fn keys_in_code_have_values_and_definitions() {
    let port = [
        "/data/nodes/a.yaml: apache::port",
        "/modules/apache/data/common.yaml: apache::port",
        "/modules/apache/manifests/init.pp: port",
    ];
    let value = "* `data/nodes/a.yaml:1` (environment, nodes): `8080`";
    for call in [
        "lookup('apache::po|rt')",
        "lookup({ name => 'apache::po|rt' })",
        "lookup({ 'name' => \"apache::po|rt\" })",
        "hiera('apache::po|rt', 1)",
        "hiera_array('apache::po|rt')",
        "hiera_hash('apache::po|rt')",
        "'apache::po|rt'.lookup",
    ] {
        in_code(&format!("class apache::user {{ $x = {call} }}\n"), value, &port);
    }
    in_code("class apache::user { hiera_include('apache::po|rt') }\n", value, &port);
    // The key of the parameter itself leads to data, not back to the parameter.
    in_code(
        "class apache::user($deep = lookup('apache::user::de|ep')) { }\n",
        "* `data/nodes/a.yaml:2` (environment, nodes): `{ b: [1, { c: 2 }] }`",
        &["/data/nodes/a.yaml: apache::user::deep"],
    );
    in_code(
        "class apache::user($secret) { $x = lookup('apache::user::se|cret') }\n",
        "* `data/nodes/a.yaml:3` (environment, nodes): *sensitive*",
        &["/data/nodes/a.yaml: apache::user::secret", "/modules/apache/manifests/user.pp: secret"],
    );
    in_code("$x = lookup('apache::no|thing')\n", "Not set in any known data file.", &[]);
    in_code("$x = lookup('user.na|me')\n", "`root`", &["/data/nodes/a.yaml: name"]);
    in_code("$x = lookup('us|er.name')\n", "`name: root list:", &["/data/nodes/a.yaml: user"]);
    in_code("$x = lookup('user.list.1|')\n", "`two`", &["/data/nodes/a.yaml: two"]);
    // An interpolated name, as far as it is known.
    in_code(
        "class apache::user {\n  $k = 'na'\n  $x = lookup(\"us|er.${k}me\")\n}\n",
        "`root`",
        &["/data/nodes/a.yaml: name"],
    );
}

#[test]
fn without_configuration_likely_data_files_are_used() {
    let files = "
//- environment: roots=/
//- /environment.conf
//- /hieradata/common.yaml
web::port: 80
//- /modules/web/manifests/init.pp
class web($port = lookup('web::po$0rt')) { notice($port) }
";
    let hover = at_cursor(files, |analysis, file, offset, _| {
        analysis.hover(file, offset).expect("nothing is cancelled").map(|it| it.markdown).unwrap_or_default()
    });
    expect![[r#"
        ```puppet
        Any $port = lookup('web::port')
        ```

        Parameter of class `web`.

        No `hiera.yaml` found for this environment. Files that set it:

        * `hieradata/common.yaml:1`: `80`
    "#]]
    .assert_eq(&(hover + "\n"));
}

#[test]
fn files_are_shown_with_the_most_specific_level() {
    let files = "
//- environment: roots=/
//- /environment.conf
//- /hiera.yaml
version: 5
hierarchy:
  - { name: by site, path: '%{site}/%{role}.yaml' }
  - { name: by role, path: 'common/%{role}.yaml' }
//- /data/common/web.yaml
web::port: 80
//- /data/oslo/web.yaml
web::port: 81
//- /modules/web/manifests/init.pp
class web($po$0rt) { notice($port) }
";
    let hover = at_cursor(files, |analysis, file, offset, _| {
        analysis.hover(file, offset).expect("nothing is cancelled").map(|it| it.markdown).unwrap_or_default()
    });
    expect![[r#"
        ```puppet
        $port: Any
        ```

        In Hiera, in lookup order:

        * `data/oslo/web.yaml:1` (environment, by site): `81`
        * `data/common/web.yaml:1` (environment, by role): `80`
    "#]]
    .assert_eq(&(hover + "\n"));
}

#[test]
fn keys_are_completed_in_code() {
    for call in ["lookup('ap$0", "hiera('ap$0')", "lookup({ 'name' => 'ap$0' })", "lookup(ap$0)"] {
        let text = fixture(
            "/modules/apache/manifests/user.pp",
            &format!("class apache::user {{\n  $x = {call}\n}}\n"),
        );
        let first = at_cursor(&text, |analysis, file, offset, _| {
            let found = analysis.completions(file, offset).expect("nothing is cancelled");
            found.map(|it| it.items.into_iter().take(2).map(|it| it.label).collect::<Vec<_>>())
        });
        assert_eq!(first.unwrap_or_default(), ["apache::mode", "apache::port"], "{call}");
    }
    for (call, expected) in [
        ("lookup('us$0", vec!["user", "user.list", "user.name"]),
        (
            "lookup('apache::user$0",
            vec!["apache::user::deep", "apache::user::secret", "apache::user::deep.b"],
        ),
        ("lookup('user.n$0')", vec!["user.name"]),
        ("hiera('apache::user:$0')", vec!["apache::user::deep", "apache::user::secret"]),
    ] {
        let text = fixture("/modules/apache/manifests/user.pp", &format!("$x = {call}\n"));
        let labels = at_cursor(&text, |analysis, file, offset, _| {
            let found = analysis.completions(file, offset).expect("nothing is cancelled");
            let items = found.into_iter().flat_map(|it| it.items.into_iter());
            items.map(|it| it.label).take(expected.len()).collect::<Vec<_>>()
        });
        assert_eq!(labels, expected, "{call}");
    }
}

#[test]
fn class_lenses_count_hiera_keys() {
    let text =
        fixture("/modules/apache/manifests/init.pp", "class apache($port, $mode) {}\nclass apache::x {}\n");
    let shown = at_cursor(&text.replace("class apache(", "class $0apache("), |analysis, file, offset, _| {
        let lenses = analysis.code_lenses(file).expect("nothing is cancelled");
        let kinds: Vec<String> = lenses.iter().map(|it| format!("{:?} {}", it.kind, it.range)).collect();
        let places = analysis.data_of_class(file, offset).expect("nothing is cancelled").unwrap_or_default();
        let places = places.iter().map(|it| format!("{} {}", analysis.path(it.file), it.range));
        format!("{}\n{}\n", kinds.join("\n"), places.collect::<Vec<_>>().join("\n"))
    });
    expect![[r#"
        Uses 6..12
        Data 6..12
        Uses 36..45
        /data/nodes/a.yaml 0..12
        /modules/apache/data/common.yaml 0..12
        /modules/apache/data/common.yaml 17..29
    "#]]
    .assert_eq(&shown);
}
