//! What all case files have in common; README.md gives their grammar.

/// A source and its outcome lines, undecoded.
pub(crate) struct RawCase<'a> {
    /// The file's name and the line of the first outcome.
    pub place: String,
    /// The words on the fence.
    pub words: Vec<&'a str>,
    /// With what stands before all sources of its block.
    pub source: String,
    /// Each outcome line's mark (`=>`, `=!` ...) and what follows it.
    pub outcomes: Vec<(&'a str, &'a str)>,
}

/// The cases in the blocks that begin with `fence`, a word. `marks`: what an outcome line begins with.
pub(crate) fn read_raw_cases<'a>(
    file_name: &str,
    text: &'a str,
    fence: &str,
    marks: &[&str],
) -> Vec<RawCase<'a>> {
    let mut cases = Vec::new();
    let mut words: Option<Vec<&str>> = None;
    let mut shared: Vec<&str> = Vec::new();
    let mut source: Vec<&str> = Vec::new();
    let mut current: Option<RawCase> = None;
    for (index, line) in text.lines().enumerate() {
        let Some(block_words) = &words else {
            let mut fence_words = line.strip_prefix("```").unwrap_or_default().split_whitespace();
            if fence_words.next() == Some(fence) {
                words = Some(fence_words.collect());
            }
            continue;
        };
        if line == "```" {
            cases.extend(current.take());
            source.clear();
            shared.clear();
            words = None;
            continue;
        }
        if line == "=+" {
            cases.extend(current.take());
            shared = std::mem::take(&mut source);
            continue;
        }
        let outcome = line.get(..2).filter(|it| marks.contains(it)).and_then(|mark| {
            let rest = &line[2..];
            if rest.is_empty() { Some((mark, "")) } else { Some((mark, rest.strip_prefix(' ')?)) }
        });
        let Some(outcome) = outcome else {
            cases.extend(current.take());
            if !line.is_empty() || !source.is_empty() {
                source.push(line);
            }
            continue;
        };
        let case = current.get_or_insert_with(|| RawCase {
            place: format!("{file_name}:{}", index + 1),
            words: block_words.clone(),
            source: shared.iter().copied().chain(source.drain(..)).collect::<Vec<_>>().join("\n"),
            outcomes: Vec::new(),
        });
        case.outcomes.push(outcome);
    }
    cases
}
