//! Hiera data: hover, going to and fro, and completion.

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
fn a_key_tells_its_parameter_and_its_values() {
    hover(
        "/data/common.yaml",
        "apache::po$0rt: 443\n",
        expect![[r#"
        [apache::port]
        ```puppet
        Integer[1] $port = 1
        ```

        Parameter of the class `apache`.

        Where it listens

        In Hiera, first to last:

        * `data/nodes/a.yaml` (environment, nodes): `8080`
        * `data/common.yaml` (environment, all): `443`
        * `data/common.yaml` (module apache, Common): `80`
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

        Parameter of the class `apache`.

        In Hiera, first to last:

        * `data/common.yaml` (module apache, Common): *encrypted*
    "#]],
    );
    hover(
        "/data/common.yaml",
        "no$0thing: 1\n",
        expect![[r#"
        [nothing]
        `nothing`

        In Hiera, first to last:

        * `data/common.yaml` (environment, all): `1`
    "#]],
    );
}

#[test]
fn a_parameter_tells_its_values() {
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

        In Hiera, first to last:

        * `data/nodes/a.yaml` (environment, nodes): `8080`
        * `data/common.yaml` (module apache, Common): `80`
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

#[test]
fn a_class_tells_how_often_it_is_in_data() {
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
