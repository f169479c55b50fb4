//! Messages with suggestions of similar names.

/// Appends advice with the most similar one of the known names, if there is one.
pub(crate) fn with_suggestion<K: AsRef<str>>(
    problem: String,
    name: &str,
    known: impl Iterator<Item = K>,
) -> String {
    match scalars::similar::similar(name, known).first() {
        Some(similar) => codes::with_help(problem, format!("did you mean `{similar}`?")),
        None => problem,
    }
}

/// Joins several messages into one: a line for each problem, followed by the advice of all of them.
pub(crate) fn joined_messages(messages: &[impl AsRef<str>]) -> String {
    let parts: Vec<_> = messages.iter().map(|it| codes::split_message(it.as_ref())).collect();
    let problems: Vec<&str> = parts.iter().map(|(problem, _)| *problem).collect();
    let help = parts.iter().flat_map(|(_, help)| help);
    help.fold(problems.join("\n"), codes::with_help)
}
