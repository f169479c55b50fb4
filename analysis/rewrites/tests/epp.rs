//! From ERB to EPP. The cases in `epp.txt` are rendered by Puppet.

use expect_test::expect_file;
use rewrites::epp::{InputType, ValueShape, erb_to_epp, template_inputs};
use types::NoTypes;

/// Returns the types of variables, `String $x, Integer $y`, by name.
fn types_of(line: &str) -> Vec<(String, String)> {
    let mut types = Vec::new();
    let mut rest = line;
    while let Some((ty, after)) = rest.split_once(" $") {
        let end = after.find(',').unwrap_or(after.len());
        types.push((after[..end].to_owned(), ty.trim().to_owned()));
        rest = after.get(end + 1..).unwrap_or_default();
    }
    types
}

fn converted(types: &str, erb: &str) -> String {
    let types = types_of(types);
    let refused = |it: rewrites::RewriteRefusal| {
        let line = it.place.map_or(0, |it| it.1);
        format!("-- refused\n{line}: {}\n", it.reason)
    };
    let inputs = match template_inputs("x.erb", erb) {
        Ok(inputs) => inputs,
        Err(refusal) => return refused(refusal),
    };
    let typed = inputs.into_iter().map(|input| {
        let text = types.iter().find(|it| it.0 == input.name).map_or("Any", |it| it.1.as_str()).to_owned();
        let ty = types::parse::parse_type(&text, &NoTypes).expect("a type");
        let shape = ValueShape::of(&ty, &NoTypes);
        (input.clone(), InputType::new(&input, text, shape))
    });
    match erb_to_epp("x.erb", erb, &typed.collect::<Vec<_>>()) {
        Ok(epp) => format!("-- epp\n{epp}"),
        Err(refusal) => refused(refusal),
    }
}

#[test]
fn recorded_conversions() {
    let file = include_str!("epp.txt");
    let (head, cases) = file.split_once("\n== ").expect("cases");
    let mut updated = head.to_owned();
    for case in cases.split("\n== ") {
        let case = case.trim_end();
        let (name, rest) = case.split_once('\n').expect("types");
        let (types, rest) = rest.split_once("\n-- erb\n").expect("a template");
        let end = ["\n-- values\n", "\n-- epp\n", "\n-- refused\n"]
            .into_iter()
            .filter_map(|it| rest.find(it))
            .min();
        let erb = format!("{}\n", &rest[..end.unwrap_or(rest.len())]);
        let values =
            rest.split_once("\n-- values\n").map(|it| it.1.split("\n-- ").next().unwrap_or_default());
        let values = values.map(|it| format!("-- values\n{}\n", it.trim_end())).unwrap_or_default();
        let result = converted(types, &erb);
        updated += &format!("\n== {name}\n{types}\n-- erb\n{erb}{values}{result}");
    }
    expect_file!["./epp.txt"].assert_eq(&updated);
}
