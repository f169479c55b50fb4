use super::*;

#[test]
fn the_file_is_well_formed() {
    let data = data::read(DataFormat::Yaml, LAYERS_FILE);
    assert!(data.findings.is_empty(), "{:?}", data.findings);
    for (name, layer) in data.hash().expect("a hash").iter() {
        let layer = layer.as_hash().expect("a layer is a hash");
        for key in layer.keys() {
            let key = key.as_str().unwrap_or_default();
            assert!(["like", "with", "facts", "modules"].contains(&key), "{name:?}: {key}");
        }
        for text in layer.get_text("with").and_then(Value::as_hash).into_iter().flat_map(|it| it.values()) {
            assert!(text.as_str().is_some(), "{name:?}: {text:?} is not a string");
        }
        if let Some(like) = layer.get_text("like") {
            assert!(like.as_str().is_some_and(exists), "{name:?}: {like:?}");
        }
    }
}

#[test]
fn parts_of_versions() {
    for (text, part, expected) in [
        ("6.1.0-40-amd64", "digits", Some("6.1.0")),
        ("6.1.0-40-amd64", "1-2", Some("6.1")),
        ("14.3-RELEASE", "2", Some("3")),
        ("12", "2", None),
        ("12", "1-2", Some("12")),
        ("rolling", "1", None),
        ("12", "0", None),
    ] {
        assert_eq!(part_of_version(text, part), expected, "{text} {part}");
    }
}

#[test]
fn cyclic_fields_have_no_value() {
    let fields = [("a".into(), "{b}".into()), ("b".into(), "{a}".into())].into_iter().collect();
    assert_eq!(fill_string("{a}", &fields, 0), None);
}
