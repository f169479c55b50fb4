//! Malicious data: each file must be parsed immediately, within the stack of a test thread (2 MiB), and its
//! value must not exceed the limits.

use hiera::DataFormat;
use hiera::data::read;

const TIMES: usize = 200_000;

/// Files with 200,000 nesting levels.
#[test]
fn deep_nesting_is_bounded() {
    for (format, before, piece) in [
        (DataFormat::Yaml, "a: ", "["),
        (DataFormat::Yaml, "a: ", "{a: "),
        (DataFormat::Yaml, "a:\n  ", "- "),
        (DataFormat::Yaml, "", "? "),
        (DataFormat::Yaml, "a: ", "!x "),
        (DataFormat::Json, "", "["),
        (DataFormat::Json, "", "{\"a\": "),
        (DataFormat::Hocon, "a = ", "["),
        (DataFormat::Hocon, "a = ", "{a = "),
        (DataFormat::Hocon, "", "a."),
        (DataFormat::Hocon, "a = ${", "a."),
    ] {
        read(format, &format!("{before}{}", piece.repeat(TIMES)));
        read(format, &format!("{before}{}b = 1", piece.repeat(TIMES)));
    }
}

/// Each line refers to the previous one twice.
#[test]
fn aliases_and_references_are_bounded() {
    const MAX_COUNT: usize = 4 << 20;
    let yaml = |line: &str| (DataFormat::Yaml, "a0: &a0 [x, x]", line.to_owned());
    let hocon = |first: &'static str, line: &str| (DataFormat::Hocon, first, line.to_owned());
    for (format, first, line) in [
        yaml("a@: &a@ [*a#, *a#]"),
        yaml("a@: &a@ {l: *a#, r: *a#}"),
        yaml("a@: &a@ {? *a# : *a#}"),
        yaml("a@: &a@ [[[[*a#]]]]"),
        hocon("a0 = [x, x]", "a@ = ${a#} ${a#}"),
        hocon("a0 = xxxxxxxx", "a@ = ${a#}${a#}"),
        hocon("a0 = {x: 1}", "a@ = {l: ${a#}, r: ${a#}}"),
        hocon("a0 = [x]", "a0 = ${a0} ${a0}"),
        hocon("a0 = [x]", "a0 += ${a0}"),
    ] {
        let mut text = format!("{first}\n");
        for number in 1..300 {
            text += &line.replace('@', &number.to_string()).replace('#', &(number - 1).to_string());
            text.push('\n');
        }
        let data = read(format, &text);
        let weight = data.root.map_or(0, |root| root.value.measure(MAX_COUNT).weight);
        assert!(weight < MAX_COUNT, "{line}");
    }
}

/// Small values are copied in full.
#[test]
fn few_aliases_and_references_are_resolved() {
    let yaml = read(DataFormat::Yaml, "a: &a {x: [1, 2]}\nb: *a\nc: {<<: *a}\n");
    let hocon = read(DataFormat::Hocon, "a = {x: [1, 2]}\nb = ${a}\nc = ${?a}\nd = ${?none}\n");
    for data in [yaml, hocon] {
        let hash = data.hash().expect("valid data").clone();
        assert_eq!(hash.get_text("a"), hash.get_text("b"));
        assert_eq!(hash.get_text("a"), hash.get_text("c"));
        assert_eq!(hash.get_text("d"), None);
    }
}
