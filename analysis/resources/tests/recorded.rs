//! Puppet's recorded verdicts on generated resources: `tests/conformance/resource_values`.

use std::path::{Path, PathBuf};

use resources::{AgentResource, agent_refusal, provider_to_resolve};
use smol_str::SmolStr;
use types::Value;

/// Minimum share of equal verdicts.
const MIN_EQUAL: f64 = 0.99;

#[test]
fn verdicts_match_the_recorded_ones() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/conformance/resource_values");
    let mut files: Vec<PathBuf> =
        std::fs::read_dir(folder).expect("recordings").map(|it| it.expect("entry").path()).collect();
    files.sort();
    let (mut equal, mut all, mut missed, mut wrong) = (0, 0, Vec::new(), Vec::new());
    for file in files {
        let type_name = file.file_stem().expect("name").to_string_lossy().into_owned();
        for line in std::fs::read_to_string(&file).expect("text").lines() {
            let [title, attributes, outcome] = line.split('\t').collect::<Vec<_>>()[..] else {
                panic!("malformed row: {line}")
            };
            all += 1;
            let refused = refusal(&type_name, title, attributes);
            match (outcome.starts_with("=!"), refused) {
                (true, Some(_)) | (false, None) => equal += 1,
                (true, None) => missed.push(format!("{type_name}: {line}")),
                (false, Some(message)) => wrong.push(format!("{type_name}: {line}: {message}")),
            }
        }
    }
    let share = f64::from(equal) / f64::from(all);
    if std::env::var_os("SHOW").is_some() {
        missed.iter().for_each(|it| println!("missed {it}"));
        wrong.iter().for_each(|it| println!("wrong {it}"));
        println!("{equal} of {all} are equal");
    }
    assert!(all > 5000, "only {all} rows");
    assert!(wrong.is_empty(), "refused, but Puppet accepts:\n{}", wrong.join("\n"));
    assert!(share >= MIN_EQUAL, "{equal} of {all} are equal; missed:\n{}", missed.join("\n"));
}

/// Returns the message with which a resource is refused.
fn refusal(type_name: &str, title: &str, attributes: &str) -> Option<String> {
    let title = Reader { rest: title }.value();
    let mut reader = Reader { rest: attributes };
    let mut given: Vec<(SmolStr, Value)> = Vec::new();
    while !reader.rest.is_empty() {
        let name = reader.word();
        reader.expect(" => ");
        given.push((name.into(), reader.value()));
        reader.accept(", ");
    }
    let resource = AgentResource {
        type_name,
        title: title.as_str(),
        attributes: &given,
        is_complete: true,
        is_of_module: false,
        has_provider: provider_to_resolve(type_name, &given).is_none(),
    };
    agent_refusal(&resource).map(|it| it.message)
}

/// Reader for the literals in the recordings.
struct Reader<'a> {
    rest: &'a str,
}

impl<'a> Reader<'a> {
    fn accept(&mut self, text: &str) -> bool {
        match self.rest.strip_prefix(text) {
            Some(rest) => {
                self.rest = rest;
                true
            }
            None => false,
        }
    }

    fn expect(&mut self, text: &str) {
        assert!(self.accept(text), "expected {text:?} at {:?}", self.rest);
    }

    fn word(&mut self) -> &'a str {
        let is_end = |c: char| !c.is_ascii_alphanumeric() && !matches!(c, '_' | '.' | '-');
        let (word, rest) = self.rest.split_at(self.rest.find(is_end).unwrap_or(self.rest.len()));
        self.rest = rest;
        word
    }

    fn value(&mut self) -> Value {
        if self.accept("[") {
            let mut elements = Vec::new();
            while !self.accept("]") {
                elements.push(self.value());
                self.accept(", ");
            }
            return Value::array(elements);
        }
        if self.accept("{") {
            let mut entries = Vec::new();
            while !self.accept("}") {
                let key = self.value();
                self.expect(" => ");
                entries.push((key, self.value()));
                self.accept(", ");
            }
            return Value::hash(entries);
        }
        match self.rest.chars().next() {
            Some(quote @ ('\'' | '"')) => self.string(quote),
            _ => match self.word() {
                "true" => Value::Boolean(true),
                "false" => Value::Boolean(false),
                octal if octal.len() > 1 && octal.starts_with('0') && !octal.contains('.') => {
                    Value::Integer(i64::from_str_radix(octal, 8).expect("octal number"))
                }
                number => match number.parse() {
                    Ok(number) => Value::Integer(number),
                    Err(_) => Value::float(number.parse().expect("number")),
                },
            },
        }
    }

    fn string(&mut self, quote: char) -> Value {
        let mut text = String::new();
        let mut characters = self.rest.char_indices().skip(1);
        while let Some((at, c)) = characters.next() {
            if c == quote {
                self.rest = &self.rest[at + 1..];
                return Value::string(text);
            }
            match c {
                '\\' => match characters.next().map(|(_, c)| c) {
                    Some('n') if quote == '"' => text.push('\n'),
                    Some('t') if quote == '"' => text.push('\t'),
                    Some(c) if c == '\\' || c == quote => text.push(c),
                    Some(c) => text.extend(['\\', c]),
                    None => break,
                },
                c => text.push(c),
            }
        }
        panic!("unterminated string: {}", self.rest)
    }
}
