//! Measures how often completion offers the word that was written.
//!
//!     cargo run -p conformance --bin completion -- CORPUS [--samples N] [--misses KIND]
//!     cargo run -p conformance --bin completion -- CORPUS --everywhere FILES
//!
//! Removes words from real manifests, each with the rest of its line, types their first letters,
//! requests completions, and counts for each kind of word how often it is first, among the first
//! ten, and offered at all. A word that is not offered even when typed completely belongs to
//! something that the corpus does not contain; it is counted separately.
//!
//! With `--everywhere`, requests completions and signatures at every offset of FILES manifests,
//! both complete and truncated at the cursor, and only checks that every request is answered.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

use conformance::workspace::{Random, Workspace, option, run_on_deep_stack};
use ide::{AnalysisHost, ChangeBatch, CompletionKind, FilePath};
use syntax::ast::{self, AstNode};
use syntax::{Language, SyntaxKind, SyntaxNode, SyntaxToken};

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let Some(corpus) = arguments.first().filter(|it| !it.starts_with("--")).map(PathBuf::from) else {
        eprintln!("usage: completion CORPUS [--samples N] [--misses KIND] [--everywhere FILES]");
        return ExitCode::FAILURE;
    };
    let samples = option(&arguments, "--samples").and_then(|it| it.parse().ok()).unwrap_or(100);
    let misses = option(&arguments, "--misses");
    let everywhere: Option<usize> = option(&arguments, "--everywhere").and_then(|it| it.parse().ok());
    run_on_deep_stack(move || {
        match everywhere {
            Some(files) => check_all_offsets(&corpus, files),
            None => measure(&corpus, samples, misses.as_deref()),
        }
        true
    })
}

/// Loads the corpus as a workspace, and returns its manifests with their contents, by path.
fn load(corpus: &Path) -> (AnalysisHost, Vec<(FilePath, Arc<str>)>) {
    let Workspace { host, texts } = Workspace::load(corpus);
    let is_manifest =
        |path: &FilePath| path.extension() == Some("pp") && path.as_str().contains("/manifests/");
    (host, texts.into_iter().filter(|(path, _)| is_manifest(path)).collect())
}

/// Word of a manifest.
struct Sample {
    file: usize,
    /// Start offset of the word that completion replaces.
    start: u32,
    /// Length of the prefix that is always typed: `$`.
    sigil: usize,
    word: String,
}

fn measure(corpus: &Path, samples: usize, misses: Option<&str>) {
    let (mut host, manifests) = load(corpus);
    let mut random = Random(0x2545_f491_4f6c_dd1d);
    println!(
        "{:<15}{:>7}{:>9}  {:>24}  {:>24}  {:>24}",
        "word", "asked", "unknown", "nothing typed", "2 letters", "3 letters"
    );
    println!("{:<31}  {}", "", "  first first 10  at all  ".repeat(3).replace("all  ", "all "));
    for (kind, mut words) in words_of(&manifests) {
        random.shuffle(&mut words);
        words.truncate(samples);
        let mut counts = [[0usize; 3]; 3];
        let mut asked = 0;
        let mut unknown = 0;
        for sample in &words {
            let (path, text) = &manifests[sample.file];
            let mut place = |letters: usize| {
                let end = sample.start as usize + sample.sigil + letters;
                let line_end = text[end..].find('\n').map_or(text.len(), |at| end + at);
                let changed: Arc<str> = format!("{}{}", &text[..end], &text[line_end..]).into();
                let buffers = vec![(path.clone(), Some(changed))];
                host.apply(ChangeBatch { buffers, ..ChangeBatch::default() });
                let analysis = host.analysis();
                let file = analysis.file_id(path)?;
                let found = analysis.completions(file, end as u32).ok()??;
                found.items.iter().position(|item| is_expected(kind, item, &sample.word))
            };
            if place(sample.word.len() - sample.sigil).is_none() {
                unknown += 1;
                if misses.is_some_and(|it| it.contains(kind)) {
                    println!("    unknown {}: {}", path.as_str(), sample.word);
                }
                continue;
            }
            asked += 1;
            for (row, letters) in [0, 2, 3].into_iter().enumerate() {
                let letters = letters.min(sample.word.len() - sample.sigil);
                let found = place(letters);
                counts[row][0] += usize::from(found == Some(0));
                counts[row][1] += usize::from(found.is_some_and(|it| it < 10));
                counts[row][2] += usize::from(found.is_some());
                if row == 1 && misses.is_some_and(|it| it.contains(kind)) && found.is_none_or(|it| it >= 10) {
                    println!("    {found:?} {}: {}", path.as_str(), sample.word);
                }
            }
            host.apply(ChangeBatch { buffers: vec![(path.clone(), None)], ..ChangeBatch::default() });
        }
        let shares = counts.map(|row| {
            let share = |count: usize| format!("{:>8.1}", 100.0 * count as f64 / asked.max(1) as f64);
            row.map(share).concat()
        });
        println!("{kind:<15}{asked:>7}{unknown:>9}  {}", shares.join("  "));
    }
}

/// Returns the sampled words of the manifests, by kind.
fn words_of(manifests: &[(FilePath, Arc<str>)]) -> BTreeMap<&'static str, Vec<Sample>> {
    let mut all: BTreeMap<&'static str, Vec<Sample>> = BTreeMap::new();
    for (file, (_, text)) in manifests.iter().enumerate() {
        let parse = syntax::parse(text, Language::Manifest);
        for element in parse.syntax().descendants_with_tokens() {
            let Some(token) = element.into_token() else { continue };
            if let Some((kind, start, sigil, word)) = kind_of(&token) {
                all.entry(kind).or_default().push(Sample { file, start, sigil, word });
            }
        }
    }
    all
}

/// Returns the kind of word of a token, the start offset of the range that completion replaces, the
/// length of its sigil, and the word.
fn kind_of(token: &SyntaxToken) -> Option<(&'static str, u32, usize, String)> {
    let parent = token.parent()?;
    let outer = parent.parent();
    let start = token.text_range().start;
    let text = token.text();
    let plain = |kind| Some((kind, start, if text.starts_with("::") { 2 } else { 0 }, text.to_owned()));
    let quoted = |kind| {
        let inner = text.get(1..text.len().checked_sub(1)?)?;
        (!inner.is_empty() && inner.is_ascii()).then(|| (kind, start + 1, 0, inner.to_owned()))
    };
    let is_outer = |kind: SyntaxKind| outer.as_ref().is_some_and(|it| it.kind() == kind);
    match (token.kind(), parent.kind()) {
        (SyntaxKind::NAME, SyntaxKind::ATTRIBUTE) => plain("attribute"),
        (SyntaxKind::NAME, SyntaxKind::METHOD_CALL_EXPR) => plain("method"),
        (SyntaxKind::NAME, SyntaxKind::QUALIFIED_NAME) => match outer.as_ref()?.kind() {
            SyntaxKind::CALL_EXPR | SyntaxKind::STATEMENT_CALL => plain("function"),
            SyntaxKind::RESOURCE_EXPR => plain("resource type"),
            SyntaxKind::ARGUMENT_LIST => {
                let call = ast::StatementCall::cast(outer?.parent()?)?;
                let function = call.name()?.text();
                matches!(&*function, "include" | "contain" | "require").then(|| plain("class")).flatten()
            }
            SyntaxKind::ATTRIBUTE => plain("value"),
            _ => None,
        },
        (SyntaxKind::TRUE_KW | SyntaxKind::FALSE_KW, _) if is_outer(SyntaxKind::ATTRIBUTE) => plain("value"),
        (SyntaxKind::CLASSREF, SyntaxKind::QUALIFIED_REFERENCE) => parent
            .ancestors()
            .any(|it| it.kind() == SyntaxKind::PARAMETER)
            .then(|| plain("data type"))
            .flatten(),
        (SyntaxKind::VARIABLE, SyntaxKind::VARIABLE_EXPR) if text.starts_with('$') && text.len() > 3 => {
            let is_set = ast::AssignmentExpr::cast(outer?)
                .and_then(|it| it.lhs())
                .is_some_and(|it| *it.syntax() == parent);
            let sigil = if text.starts_with("$::") { 3 } else { 1 };
            (!is_set).then(|| ("variable", start, sigil, text.to_owned()))
        }
        (SyntaxKind::SQ_STRING, SyntaxKind::LITERAL_STRING) => {
            let list = outer.filter(|it| it.kind() == SyntaxKind::ARGUMENT_LIST)?;
            let call = list.parent()?;
            match first_word(&call).as_deref() {
                Some("template" | "epp" | "file") => quoted("path"),
                Some("$facts" | "facts") => quoted("fact"),
                Some(name) if name.starts_with(|it: char| it.is_ascii_uppercase()) => {
                    let is_type = call.ancestors().any(|it| it.kind() == SyntaxKind::PARAMETER);
                    (!is_type && call.kind() == SyntaxKind::ACCESS_EXPR).then(|| quoted("title")).flatten()
                }
                _ => None,
            }
        }
        _ => None,
    }
}

fn first_word(node: &SyntaxNode) -> Option<String> {
    node.first_token().map(|it| it.text().to_owned())
}

fn is_expected(kind: &str, item: &ide::CompletionItem, word: &str) -> bool {
    let bare = |text: &str| text.trim_start_matches('$').trim_start_matches("::").to_ascii_lowercase();
    match kind {
        "variable" => bare(&item.label) == bare(word),
        "function" | "method" => item.kind == CompletionKind::Function && bare(&item.label) == bare(word),
        "resource type" => item.kind == CompletionKind::ResourceType && bare(&item.label) == bare(word),
        "data type" => item.kind != CompletionKind::Function && bare(&item.label) == bare(word),
        _ => item.label == word || bare(&item.label) == bare(word),
    }
}

fn check_all_offsets(corpus: &Path, files: usize) {
    let (mut host, mut manifests) = load(corpus);
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    random.shuffle(&mut manifests);
    manifests.retain(|(_, text)| text.len() < 20_000);
    manifests.truncate(files);
    let mut asked = 0usize;
    for (path, text) in &manifests {
        for is_cut in [false, true] {
            for offset in (0..=text.len()).filter(|it| text.is_char_boundary(*it)) {
                if is_cut || offset == 0 {
                    let shown: Arc<str> = if is_cut { text[..offset].into() } else { text.clone() };
                    let buffers = vec![(path.clone(), Some(shown))];
                    host.apply(ChangeBatch { buffers, ..ChangeBatch::default() });
                }
                let analysis = host.analysis();
                let Some(file) = analysis.file_id(path) else { continue };
                let found = analysis.completions(file, offset as u32);
                let help = analysis.signature_help(file, offset as u32);
                assert!(found.is_ok() && help.is_ok(), "{}:{offset}", path.as_str());
                asked += 2;
            }
        }
        host.apply(ChangeBatch { buffers: vec![(path.clone(), None)], ..ChangeBatch::default() });
        println!("{} {asked}", path.as_str());
    }
}
