//! Form of a message: one line that states the problem, then at most a few lines of advice.
//!
//! A message is a single string. Its first line is the problem; each further line begins with `help: ` and is an imperative phrase.
//! Renderers split it with [`split_message`]: terminals show the first line of advice as the label of the span, JSON has a separate
//! key for it, and LSP clients receive the lines unchanged.

const HELP: &str = "\nhelp: ";

/// Returns `problem` followed by one line of advice.
pub fn with_help(problem: impl Into<String>, help: impl AsRef<str>) -> String {
    let mut message = problem.into();
    message.push_str(HELP);
    message.push_str(help.as_ref());
    message
}

/// Appends `text` to the problem, before the lines of advice.
pub fn append_to_problem(message: &mut String, text: &str) {
    let end = message.find(HELP).unwrap_or(message.len());
    message.insert_str(end, text);
}

/// Splits a message into the problem and its lines of advice, without the leading `help: `.
pub fn split_message(message: &str) -> (&str, Vec<&str>) {
    let mut parts = message.split(HELP);
    let problem = parts.next().unwrap_or_default();
    (problem, parts.collect())
}

/// Returns the message on one line, as line-based output formats need it: advice follows in parentheses.
pub fn single_line(message: &str) -> String {
    let (problem, help) = split_message(message);
    if help.is_empty() { problem.to_owned() } else { format!("{problem} (help: {})", help.join("; ")) }
}
