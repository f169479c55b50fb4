//! The table of codes, and the form of messages.

use std::collections::HashSet;

use codes::{Code, append_to_problem, single_line, split_message, with_help};

#[test]
fn advice_follows_the_problem() {
    for (advice, appended, expected) in [
        (&[][..], "", "a problem"),
        (&[], " here", "a problem here"),
        (&["fix it"], "", "a problem (help: fix it)"),
        (&["fix it"], " here", "a problem here (help: fix it)"),
        (&["fix it", "or not"], " here", "a problem here (help: fix it; or not)"),
    ] {
        let mut message = advice.iter().fold("a problem".to_owned(), with_help);
        append_to_problem(&mut message, appended);
        assert_eq!(single_line(&message), expected);
        let (problem, found) = split_message(&message);
        assert_eq!((problem, found.as_slice()), (&*format!("a problem{appended}"), advice));
        assert_eq!(message.lines().count(), 1 + advice.len(), "{message}");
    }
}

#[test]
fn names_identify_codes() {
    let mut known = HashSet::new();
    for code in Code::ALL {
        let name = code.as_str();
        assert!(known.insert(name), "`{name}` is the name of two codes");
        let is_kebab_case = name
            .split('-')
            .all(|it| !it.is_empty() && it.bytes().all(|it| it.is_ascii_lowercase() || it.is_ascii_digit()));
        assert!(is_kebab_case, "{name}");
    }
}
