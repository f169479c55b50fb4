//! Speed of building a lossless tree, compared with the `tree-sitter-puppet` crate on the same real
//! files and one core. Both run in turns within one run, so that other load on the machine affects
//! both alike.
//!
//! `cargo bench -p benches [-- ROUNDS]`

use std::hint::black_box;
use std::time::{Duration, Instant};

use benches::{CorpusFile, read_corpus};
use syntax::Language;

const ROUNDS: usize = 11;

fn main() {
    // `cargo bench` adds `--bench` and `cargo test` adds other arguments; only a number is ours.
    let rounds = std::env::args().skip(1).find_map(|it| it.parse().ok()).unwrap_or(ROUNDS).max(1);
    let corpus = match read_corpus() {
        Ok(corpus) => corpus,
        Err(error) => {
            println!("parse: not measured: {error}");
            return;
        }
    };
    benches::on_deep_stack(|| measure(corpus, rounds));
}

fn measure(mut corpus: Vec<CorpusFile>, rounds: usize) {
    // The other parser does not support templates.
    corpus.retain(|it| it.language != Language::Epp);
    let bytes: usize = corpus.iter().map(|it| it.text.len()).sum();
    println!("{} files, {:.2} MB, {rounds} rounds, one thread", corpus.len(), bytes as f64 / 1e6);

    let mut parser = tree_sitter::Parser::new();
    if let Err(error) = parser.set_language(&tree_sitter_puppet::LANGUAGE.into()) {
        println!("parse: not measured: {error}");
        return;
    }
    let mut ours = Vec::new();
    let mut theirs = Vec::new();
    let (mut our_errors, mut their_errors) = (0, 0);
    for _ in 0..rounds {
        let (time, errors) =
            timed(&corpus, |file| !black_box(syntax::parse(&file.text, file.language)).errors().is_empty());
        ours.push(time);
        our_errors = errors;
        let (time, errors) = timed(&corpus, |file| match black_box(parser.parse(&file.text, None)) {
            Some(tree) => tree.root_node().has_error(),
            None => true,
        });
        theirs.push(time);
        their_errors = errors;
    }
    let mut ratios: Vec<f64> =
        ours.iter().zip(&theirs).map(|(a, b)| b.as_secs_f64() / a.as_secs_f64()).collect();
    ratios.sort_by(f64::total_cmp);
    print_line("puppet-analyzer", &mut ours, bytes, our_errors, corpus.len());
    print_line("tree-sitter-puppet", &mut theirs, bytes, their_errors, corpus.len());
    println!(
        "ratio (median of pairs) {:.2}, from {:.2} to {:.2}",
        ratios[ratios.len() / 2],
        ratios[0],
        ratios[ratios.len() - 1]
    );
}

/// Returns the time that `parse_has_error` takes for all files, and the number of files for which
/// it returns true.
fn timed(corpus: &[CorpusFile], mut parse_has_error: impl FnMut(&CorpusFile) -> bool) -> (Duration, usize) {
    let started = Instant::now();
    let errors = corpus.iter().filter(|file| parse_has_error(file)).count();
    (started.elapsed(), errors)
}

fn print_line(name: &str, times: &mut [Duration], bytes: usize, errors: usize, files: usize) {
    times.sort();
    let rate = |time: Duration| bytes as f64 / 1e6 / time.as_secs_f64();
    println!(
        "{name:<20}{:>8.1} MB/s median, {:>6.1} best, {:>6.1} worst; errors in {:.1} % of the files",
        rate(times[times.len() / 2]),
        rate(times[0]),
        rate(times[times.len() - 1]),
        100.0 * errors as f64 / files.max(1) as f64
    );
}
