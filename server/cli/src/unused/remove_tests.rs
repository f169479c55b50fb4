use super::{data_without, manifest_without};
use hiera::data::DataFormat;
use syntax::TextRange;

/// Removes what is marked with `«»` from a manifest or YAML file, and checks the rest: `None` if it is not removed, and
/// an empty text for a manifest that is deleted.
#[track_caller]
fn check(is_data: bool, marked: &str, expected: Option<&str>) {
    let (mut text, mut ranges) = (String::new(), Vec::new());
    for (index, part) in marked.split(['«', '»']).enumerate() {
        let start = text.len() as u32;
        text.push_str(part);
        if index % 2 == 1 {
            ranges.push(TextRange::new(start, text.len() as u32));
        }
    }
    let found = if is_data {
        data_without(DataFormat::Yaml, &text, &ranges)
    } else {
        manifest_without(&text, &ranges).map(Option::unwrap_or_default)
    };
    assert_eq!(found.as_deref(), expected, "{marked}");
}

#[test]
fn only_whole_lines_are_removed() {
    let rows: &[(bool, &str, Option<&str>)] = &[
        (false, "«class a { }»\n", Some("")),
        (false, "# about a\n«class a { }»\n# about b\n«class b {\n}»\n", Some("")),
        (false, "# about a\n«class a {\n}»\n\nclass b { }\n", Some("class b { }\n")),
        (false, "class b { }\n\n# about a\n«class a {\n}» # end\n", Some("class b { }\n\n")),
        (false, "«class a { }» class b { }\n", None),
        (false, "class b { «notice('a')» }\n", None),
        (false, "«class a { }»\nclass b {\n", None),
        (true, "---\n«a: 1»\nb: 2\n", Some("---\nb: 2\n")),
        (true, "«a:\n  - 1\n  - 2»\n\nb: 2\n", Some("b: 2\n")),
        (true, "a: 1\n«b: |\n  text\n»c: 2\n", Some("a: 1\nc: 2\n")),
        (true, "«a: &x 1»\nb: *x\n", None),
        (true, "{ «a: 1», b: 2 }\n", None),
    ];
    rows.iter().for_each(|(is_data, marked, expected)| check(*is_data, marked, *expected));
}
