//! Compares our results for the Ruby code of modules with those recorded from real Puppet.
//!
//! `ruby functions|templates|validations|facts [CORPUS] [--kept] [--show equal|wrong|unknown]
//! [--only NAME]`: CORPUS is the output folder of `fetch-corpus.sh` (default `target/corpus`).
//! `--kept` uses the half reserved for the final check, and only prints figures. Prints a line for
//! each function, template, type, or file of facts with a difference, the worst first, then the
//! sums. Exits with 1 if more rows are wrong, or fewer are equal, than [`BOUNDS`] allows.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::ExitCode;

use conformance::catalogs::{Projects, catalog};
use conformance::recorded_ruby::{RecordedRow, folder, rows};
use conformance::ruby_plugins::{Agreement, RubyCorpus};
use conformance::workspace::{option, run_on_deep_stack};
use serde_json::{Map, Value as Json, json};
use sha2::{Digest, Sha256};

/// Maximum number of wrong rows and minimum percentage of equal rows in the development half of
/// each set. The first may only decrease, the second only increase.
const BOUNDS: &[(&str, usize, usize)] =
    &[("functions", 0, 94), ("templates", 0, 99), ("validations", 0, 87), ("facts", 0, 34)];

#[derive(Clone, Copy, Default)]
struct Counts {
    equal: usize,
    wrong: usize,
    unknown: usize,
    of_machine: usize,
}

impl Counts {
    fn add(&mut self, agreement: Agreement) {
        *match agreement {
            Agreement::Equal => &mut self.equal,
            Agreement::Wrong => &mut self.wrong,
            Agreement::Unknown => &mut self.unknown,
            Agreement::OfMachine => &mut self.of_machine,
        } += 1;
    }

    fn sum(&self) -> usize {
        self.equal + self.wrong + self.unknown + self.of_machine
    }

    fn shown(&self) -> String {
        let Counts { equal, wrong, unknown, of_machine } = self;
        format!("{equal} equal, {wrong} wrong, {unknown} unknown, {of_machine} of the machine")
    }
}

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    run_on_deep_stack(move || match run(&arguments) {
        Ok(is_fine) => is_fine,
        Err(error) => {
            eprintln!("ruby: {error}");
            false
        }
    })
}

fn run(arguments: &[String]) -> Result<bool, String> {
    let set = arguments.first().map_or("functions", String::as_str);
    let corpus = match arguments.get(1).filter(|it| !it.starts_with("--")) {
        Some(corpus) => corpus.clone(),
        None => folder().join("../../../target/corpus").display().to_string(),
    };
    // Projects need absolute paths.
    let corpus =
        std::path::absolute(&corpus).map_err(|error| format!("{corpus}: {error}"))?.display().to_string();
    let is_kept = arguments.iter().any(|it| it == "--kept");
    let shown = option(arguments, "--show").filter(|_| !is_kept);
    let only = option(arguments, "--only");
    let name = if is_kept { format!("{set}_kept") } else { set.to_owned() };
    let mut questions = Questions::new(&corpus)?;
    let mut by_subject: BTreeMap<String, Counts> = BTreeMap::new();
    let mut all = Counts::default();
    for row in rows(&name)? {
        let subject = format!("{} {}", row[0], row[2]);
        if only.as_ref().is_some_and(|only| !subject.contains(only.as_str())) {
            continue;
        }
        // The sources of Puppet's own types are not available, and the set of providers is a
        // separate question.
        if row[0] == "puppet" || set == "validations" && row[4].starts_with("provider => ") {
            continue;
        }
        let (agreement, ours) = match set {
            "validations" => questions.corpus.validation(&row),
            "facts" => questions.corpus.fact(&row),
            set => questions.ask(set, &row),
        };
        let (question, outcome) = match set {
            "validations" | "facts" => (format!("{} {}", row[3], row[4]), &row[5]),
            _ => (row[3].clone(), &row[4]),
        };
        if shown.as_deref() == Some(&*format!("{agreement:?}").to_lowercase()) {
            println!("{agreement:?}\t{subject}\t{question}\n    Puppet {outcome}\n    we     {ours}");
        }
        by_subject.entry(subject).or_default().add(agreement);
        all.add(agreement);
    }
    let mut lines: Vec<(&String, &Counts)> = by_subject.iter().collect();
    lines.sort_by_key(|(_, counts)| std::cmp::Reverse((counts.wrong, counts.unknown)));
    for (subject, counts) in lines.into_iter().filter(|(_, it)| it.wrong + it.unknown > 0) {
        if !is_kept {
            println!("{subject}: {}", counts.shown());
        }
    }
    println!("{name}: {}", all.shown());
    let bound = BOUNDS.iter().find(|(bounded, ..)| *bounded == name && only.is_none());
    Ok(bound.is_none_or(|(_, wrong, percent)| all.wrong <= *wrong && all.equal * 100 >= percent * all.sum()))
}

/// Our answers, in a project with the modules of the corpus.
struct Questions {
    corpus: RubyCorpus,
    modules: String,
    facts: Map<String, Json>,
    projects: Projects,
}

impl Questions {
    fn new(corpus: &str) -> Result<Questions, String> {
        let modules = Path::new(corpus).join("modules");
        if !modules.is_dir() {
            return Err(format!("{}: not there; run tests/conformance/fetch-corpus.sh", modules.display()));
        }
        let mut facts = Map::new();
        for name in ["facts.json", "legacy_facts.json"] {
            let path = folder().join("../catalogs").join(name);
            let text = std::fs::read_to_string(&path).map_err(|error| format!("{name}: {error}"))?;
            let read: Map<String, Json> =
                serde_json::from_str(&text).map_err(|error| format!("{name}: {error}"))?;
            facts.extend(read);
        }
        Ok(Questions {
            corpus: RubyCorpus::load(&modules),
            modules: modules.display().to_string(),
            facts,
            projects: Projects::default(),
        })
    }

    /// Returns the agreement for a row, and our answer.
    fn ask(&mut self, set: &str, row: &RecordedRow) -> (Agreement, String) {
        let (source, outcome, effect) = (&row[3], &row[4], row.get(5).map_or("", String::as_str));
        let code = match set {
            "functions" => format!("notify {{ 'result': message => String({source}, '%p') }}"),
            _ => source.clone(),
        };
        let request = json!({
            "code": code, "modulepath": [self.modules], "facts": self.facts,
            "settings": { "strict": "warning", "strict_variables": false },
        });
        let answer = catalog(&mut self.projects, &request);
        // Path of the corpus in the recording.
        let outcome = outcome.replace("/corpus/modules", &self.modules);
        let (agreement, ours) = compare_outcome(&outcome, &answer, set == "functions");
        match agreement {
            Agreement::Equal => (agreement, ours),
            _ if !effect.is_empty() => (Agreement::OfMachine, ours),
            _ => (agreement, ours),
        }
    }
}

/// Compares an outcome with our answer. `is_whole`: the outcome includes the other other_resources
/// resources.
fn compare_outcome(outcome: &str, answer: &Json, is_whole: bool) -> (Agreement, String) {
    if answer["ok"] != true {
        let message = answer["error"]["message"].as_str().unwrap_or_default();
        let agreement = if outcome.starts_with("=!") { Agreement::Equal } else { Agreement::Wrong };
        return (agreement, format!("error: {message}"));
    }
    let resources: Vec<&Json> = answer["catalog"]["resources"].as_array().into_iter().flatten().collect();
    let result = resources.iter().find(|it| it["type"] == "Notify" && it["title"] == "result");
    let message = result.map_or(&Json::Null, |it| &it["params"]["message"]);
    let Some(text) = message.as_str() else {
        // An empty message is either no value or an unknown one.
        let is_absent = message.is_null() && outcome == "=> ";
        let reasons = answer["not_known"].as_array().into_iter().flatten().filter_map(Json::as_str);
        let reasons = reasons.collect::<Vec<_>>().join("; ");
        return (
            if is_absent { Agreement::Equal } else { Agreement::Unknown },
            format!("{message}: {reasons}"),
        );
    };
    let others = if is_whole { other_resources(&resources) } else { String::new() };
    let ours = format!("{text}{others}");
    let is_equal = match outcome.split_at_checked(3) {
        Some(("=> ", value)) if !is_whole => value == text,
        Some(("=> ", value)) => {
            let (value, others) = value.split_once(" || ").unwrap_or((value, ""));
            let refs: Vec<&str> = others
                .split(" | ")
                .filter_map(|it| it.split(' ').next())
                .filter(|it| !it.is_empty())
                .collect();
            let refs = if refs.is_empty() { String::new() } else { format!(" || {}", refs.join(" | ")) };
            format!("{value}{refs}") == ours
        }
        Some(("=# ", digest)) => {
            let own = Sha256::digest(text.as_bytes());
            own.iter().map(|byte| format!("{byte:02x}")).collect::<String>() == digest
        }
        _ => false,
    };
    (if is_equal { Agreement::Equal } else { Agreement::Wrong }, ours)
}

/// Returns references to the other resources of the catalog, sorted.
fn other_resources(resources: &[&Json]) -> String {
    let mut references: Vec<String> = resources
        .iter()
        .map(|it| {
            format!(
                "{}[{}]",
                it["type"].as_str().unwrap_or_default(),
                it["title"].as_str().unwrap_or_default()
            )
        })
        .filter(|it| {
            !matches!(
                it.to_lowercase().as_str(),
                "notify[result]" | "class[main]" | "class[settings]" | "stage[main]"
            )
        })
        .map(|it| it.split(' ').next().unwrap_or_default().to_owned())
        .collect();
    references.sort();
    if references.is_empty() { String::new() } else { format!(" || {}", references.join(" | ")) }
}
