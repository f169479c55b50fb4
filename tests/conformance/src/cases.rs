//! The tables of small cases in `cases/*.md`; README.md gives their grammar.

use fixture::decode;

use crate::case_file::{RawCase, read_raw_cases};

/// One text and what real Puppet said to it.
#[derive(Clone, Debug, Default)]
pub struct Case {
    /// The file's name and the line of the case.
    pub place: String,
    pub source: Vec<u8>,
    pub options: Vec<String>,
    pub outcome: Outcome,
    pub warnings: Vec<Complaint>,
}

#[derive(Clone, Debug, Default)]
pub enum Outcome {
    /// Accepted, and Puppet's own dump of it failed.
    #[default]
    AcceptedWithoutPn,
    Accepted {
        pn: Vec<u8>,
    },
    Refused(Vec<Complaint>),
}

#[derive(Clone, Debug)]
pub struct Complaint {
    pub code: String,
    /// Line and column from 1; `None` where Puppet gave none.
    pub place: Option<(u32, u32)>,
}

/// The cases of one file.
pub fn read_cases(file_name: &str, text: &str) -> Vec<Case> {
    read_raw_cases(file_name, text, "cases", &["=>", "=!", "=?"]).iter().map(case).collect()
}

fn case(raw: &RawCase) -> Case {
    let options = raw.words.iter().map(|it| (*it).to_owned()).collect();
    case_of(&raw.place, &raw.source, options, raw.outcomes.iter().map(|(mark, rest)| (*mark, *rest)))
}

/// A case of its source and its outcome lines, undecoded.
pub(crate) fn case_of<'a>(
    place: &str,
    source: &str,
    options: Vec<String>,
    outcomes: impl Iterator<Item = (&'a str, impl AsRef<str>)>,
) -> Case {
    let mut case = Case { place: place.to_owned(), source: decode(source), options, ..Case::default() };
    for (mark, rest) in outcomes {
        let rest = rest.as_ref();
        match mark {
            "=>" if rest == "?" => case.outcome = Outcome::AcceptedWithoutPn,
            "=>" => case.outcome = Outcome::Accepted { pn: decode(rest) },
            "=!" => match &mut case.outcome {
                Outcome::Refused(complaints) => complaints.push(complaint(rest)),
                other => *other = Outcome::Refused(vec![complaint(rest)]),
            },
            _ => case.warnings.push(complaint(rest)),
        }
    }
    case
}

fn complaint(text: &str) -> Complaint {
    let (code, place) = text.split_once(' ').unwrap_or((text, "-"));
    let place =
        place.split_once(':').and_then(|(line, column)| Some((line.parse().ok()?, column.parse().ok()?)));
    Complaint { code: code.to_owned(), place }
}
