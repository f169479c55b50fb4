//! How much of a file survives when one token goes missing.
//!
//! Takes random tokens out of real files, one at a time, parses what is left, and prints two figures:
//! * of the parameters, resources, variable assignments and definitions that did not contain the token, the share
//!   that is still in the tree with its kind and name;
//! * the share of deletions that give at most one syntax error.
//!
//! `cargo run --release -p benches --bin recovery -- [--count 2000] [--seed 1] [--show 10] [--by-token] [FILTER]`
//!
//! Each deletion takes a random file, then a random token of it; with `--by-token`, a random token of the whole corpus.
//! `--show N` prints the N deletions that lost most and the N that gave most errors. FILTER takes only tokens of that
//! kind (`R_BRACE`), or files whose path contains it.

use std::collections::{BTreeMap, HashMap};
use std::process::ExitCode;

use benches::{CorpusFile, Random, read_corpus};
use syntax::ast::{
    AssignmentExpr, AstNode, ClassDefinition, DefinedType, Definition, Expr, FunctionDefinition,
    NodeDefinition, Parameter, PlanDefinition, ResourceExpr, TypeAlias, TypeDefinition, TypeMapping,
};
use syntax::validation::{ValidationSettings, validate};
use syntax::{LineMap, Parse, Severity, SyntaxKind, SyntaxNode, TextRange};

struct Settings {
    count: usize,
    seed: u64,
    show: usize,
    by_token: bool,
    filter: Option<String>,
}

/// Something that an outline would show, or a name that others refer to.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
struct Feature {
    kind: SyntaxKind,
    name: String,
}

struct Candidate<'a> {
    file: &'a CorpusFile,
    tokens: Vec<(SyntaxKind, TextRange)>,
    features: Vec<(Feature, TextRange)>,
    static_findings: usize,
}

struct Deletion<'a> {
    file: &'a CorpusFile,
    token: (SyntaxKind, TextRange),
    expected: usize,
    lost: Vec<Feature>,
    /// Line (from 1), column (from 1) and text of each error.
    errors: Vec<String>,
    static_findings: usize,
}

fn main() -> ExitCode {
    let settings = match settings() {
        Ok(settings) => settings,
        Err(message) => {
            eprintln!("error: {message}");
            return ExitCode::from(2);
        }
    };
    let corpus = match read_corpus() {
        Ok(corpus) => corpus,
        Err(error) => {
            eprintln!("error: {error}");
            return ExitCode::from(2);
        }
    };
    benches::on_deep_stack(|| measure(&corpus, &settings))
}

fn settings() -> Result<Settings, String> {
    let mut settings = Settings { count: 2000, seed: 1, show: 0, by_token: false, filter: None };
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        let mut number = || {
            let value = arguments.next().ok_or(format!("{argument} needs a number"))?;
            value.parse::<usize>().map_err(|_| format!("{argument} {value}: not a number"))
        };
        match argument.as_str() {
            "--count" => settings.count = number()?,
            "--seed" => settings.seed = number()? as u64,
            "--show" => settings.show = number()?,
            "--by-token" => settings.by_token = true,
            option if option.starts_with('-') => return Err(format!("{option}: no such option")),
            filter => settings.filter = Some(filter.to_owned()),
        }
    }
    Ok(settings)
}

fn measure(corpus: &[CorpusFile], settings: &Settings) -> ExitCode {
    let candidates: Vec<Candidate> = corpus.iter().filter_map(|file| candidate(file, settings)).collect();
    if candidates.is_empty() {
        eprintln!("error: no file to take a token out of");
        return ExitCode::from(2);
    }
    let all_tokens: Vec<(usize, usize)> = match settings.by_token {
        false => Vec::new(),
        true => candidates
            .iter()
            .enumerate()
            .flat_map(|(f, it)| (0..it.tokens.len()).map(move |t| (f, t)))
            .collect(),
    };
    let mut random = Random::new(settings.seed);
    let deletions: Vec<Deletion> = (0..settings.count)
        .map(|_| {
            let (file, token) = match settings.by_token {
                true => all_tokens[random.below(all_tokens.len())],
                false => {
                    let file = random.below(candidates.len());
                    (file, random.below(candidates[file].tokens.len()))
                }
            };
            delete(&candidates[file], token)
        })
        .collect();
    report(&deletions, candidates.len(), settings);
    ExitCode::SUCCESS
}

/// A file to take tokens out of: one that parses and has a token that is asked for.
fn candidate<'a>(file: &'a CorpusFile, settings: &Settings) -> Option<Candidate<'a>> {
    let parse = syntax::parse(&file.text, file.language);
    if parse.errors().iter().any(|it| it.severity == Severity::Error) {
        return None;
    }
    let by_path = settings.filter.as_ref().is_some_and(|it| file.path.contains(it));
    let wanted = |kind: SyntaxKind| settings.filter.as_ref().is_none_or(|it| by_path || kind.name() == it);
    let tokens: Vec<_> = parse
        .syntax()
        .descendants_with_tokens()
        .filter_map(|it| it.into_token())
        .filter(|it| !it.kind().is_trivia() && wanted(it.kind()))
        .map(|it| (it.kind(), it.text_range()))
        .collect();
    if tokens.is_empty() {
        return None;
    }
    let static_findings = static_findings(&parse);
    Some(Candidate { file, tokens, features: features(&parse.syntax()), static_findings })
}

fn static_findings(parse: &Parse) -> usize {
    validate(parse, &ValidationSettings::default()).iter().filter(|it| it.severity == Severity::Error).count()
}

fn delete<'a>(candidate: &Candidate<'a>, token: usize) -> Deletion<'a> {
    let file = candidate.file;
    let (kind, range) = candidate.tokens[token];
    let mut text = file.text.clone();
    text.replace_range(range.as_range(), "");
    let parse = syntax::parse(&text, file.language);

    let mut found: HashMap<Feature, usize> = HashMap::new();
    for (feature, _) in features(&parse.syntax()) {
        *found.entry(feature).or_default() += 1;
    }
    let others: Vec<_> =
        candidate.features.iter().filter(|(_, extent)| !extent.contains_range(range)).collect();
    let mut take = |feature: &Feature| match found.get_mut(feature) {
        Some(count) if *count > 0 => {
            *count -= 1;
            true
        }
        _ => false,
    };
    let lost =
        others.iter().filter(|(feature, _)| !take(feature)).map(|(feature, _)| feature.clone()).collect();

    let lines = LineMap::new(&text);
    let errors = parse.errors().iter().filter(|it| it.severity == Severity::Error);
    Deletion {
        file,
        token: (kind, range),
        expected: others.len(),
        lost,
        errors: errors
            .map(|it| {
                let line = lines.line(it.range.start);
                let column = it.range.start - lines.line_start(line) + 1;
                format!("{}:{column}: {} [{}]", line + 1, it.message, it.code)
            })
            .collect(),
        static_findings: static_findings(&parse).saturating_sub(candidate.static_findings),
    }
}

/// The parameters, resources, variable assignments and definitions of a tree, each with the bytes it spans.
fn features(root: &SyntaxNode) -> Vec<(Feature, TextRange)> {
    let mut features = Vec::new();
    for node in root.descendants() {
        let range = node.text_range();
        let mut add = |name: String| features.push((Feature { kind: node.kind(), name }, range));
        if let Some(parameter) = Parameter::cast(node.clone()) {
            add(parameter.name().unwrap_or_default());
        } else if let Some(assignment) = AssignmentExpr::cast(node.clone()) {
            if let Some(Expr::VariableExpr(variable)) = assignment.lhs() {
                add(variable.name().unwrap_or_default());
            }
        } else if let Some(resource) = ResourceExpr::cast(node.clone()) {
            let type_name = text_of(resource.type_expr());
            for body in resource.bodies() {
                add(format!("{type_name}[{}]", text_of(body.title())));
            }
        } else if let Some(definition) = Definition::cast(node.clone()) {
            add(definition_name(&definition));
        }
    }
    features
}

fn text_of(expr: Option<Expr>) -> String {
    expr.map(|it| it.syntax().text().to_owned()).unwrap_or_default()
}

fn definition_name(definition: &Definition) -> String {
    let name = match definition {
        Definition::ClassDefinition(it) => ClassDefinition::name(it),
        Definition::DefinedType(it) => DefinedType::name(it),
        Definition::FunctionDefinition(it) => FunctionDefinition::name(it),
        Definition::PlanDefinition(it) => PlanDefinition::name(it),
        Definition::TypeAlias(it) => TypeAlias::name(it),
        Definition::TypeDefinition(it) => TypeDefinition::name(it),
        Definition::NodeDefinition(it) => {
            return NodeDefinition::hosts(it)
                .map(|hosts| hosts.syntax().text().to_owned())
                .unwrap_or_default();
        }
        Definition::TypeMapping(it) => return text_of(TypeMapping::type_expr(it)),
    };
    name.map(|it| it.syntax().text().to_owned()).unwrap_or_default()
}

fn report(deletions: &[Deletion], files: usize, settings: &Settings) {
    let expected: usize = deletions.iter().map(|it| it.expected).sum();
    let lost: usize = deletions.iter().map(|it| it.lost.len()).sum();
    let one_error = deletions.iter().filter(|it| it.errors.len() <= 1).count();
    let one_finding = deletions.iter().filter(|it| it.errors.len() + it.static_findings <= 1).count();
    let share = |part: usize, whole: usize| 100.0 * part as f64 / whole.max(1) as f64;

    println!("{} deletions in {files} files, seed {}", deletions.len(), settings.seed);
    println!(
        "kept:              {:6.2} %  ({} of {expected} features)",
        share(expected - lost, expected),
        expected - lost
    );
    println!(
        "at most one error: {:6.2} %  ({one_error} of {})",
        share(one_error, deletions.len()),
        deletions.len()
    );
    println!("  static rules too:{:6.2} %", share(one_finding, deletions.len()));

    if settings.show == 0 {
        return;
    }
    let mut by_kind: BTreeMap<SyntaxKind, (usize, usize, usize)> = BTreeMap::new();
    for deletion in deletions {
        let row = by_kind.entry(deletion.token.0).or_default();
        row.0 += 1;
        row.1 += deletion.lost.len();
        row.2 += usize::from(deletion.errors.len() > 1);
    }
    let mut rows: Vec<_> = by_kind.into_iter().collect();
    rows.sort_by_key(|(_, (_, lost, many))| std::cmp::Reverse((*lost, *many)));
    println!("\n{:<22}{:>10}{:>16}{:>22}", "token", "deletions", "features lost", "more than one error");
    for (kind, (count, lost, many)) in rows {
        println!("{:<22}{count:>10}{lost:>16}{many:>22}", kind.name());
    }

    let mut worst: Vec<&Deletion> = deletions.iter().filter(|it| !it.lost.is_empty()).collect();
    worst.sort_by_key(|it| std::cmp::Reverse(it.lost.len()));
    println!("\nMost features lost:");
    worst.iter().take(settings.show).for_each(|it| show(it));
    let mut loudest: Vec<&Deletion> = deletions.iter().filter(|it| it.errors.len() > 1).collect();
    loudest.sort_by_key(|it| std::cmp::Reverse(it.errors.len()));
    println!("\nMost errors:");
    loudest.iter().take(settings.show).for_each(|it| show(it));
}

fn show(deletion: &Deletion) {
    let (kind, range) = deletion.token;
    let text = &deletion.file.text;
    let lines = LineMap::new(text);
    let line = lines.line(range.start);
    let column = range.start - lines.line_start(line) + 1;
    let token: String = text[range.as_range()].chars().take(40).collect();
    println!("\n{}:{}:{column}: without {} {token:?}", deletion.file.path, line + 1, kind.name());
    println!("    {}", text[lines.line_range(line).as_range()].trim_end());
    if !deletion.lost.is_empty() {
        let some: Vec<String> =
            deletion.lost.iter().take(5).map(|it| format!("{} {}", it.kind.name(), it.name)).collect();
        println!("  lost {} of {}: {}", deletion.lost.len(), deletion.expected, some.join(", "));
    }
    println!("  {} errors", deletion.errors.len());
    for error in deletion.errors.iter().take(8) {
        println!("  {error}");
    }
}
