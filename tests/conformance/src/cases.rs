//! The tables of small cases in `cases/*.md`; README.md gives their grammar.

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
    let mut cases = Vec::new();
    let mut options: Option<Vec<String>> = None;
    let mut source: Vec<&str> = Vec::new();
    let mut current: Option<Case> = None;
    for (index, line) in text.lines().enumerate() {
        let Some(block_options) = &options else {
            if let Some(words) = line.strip_prefix("```cases") {
                options = Some(words.split_whitespace().map(str::to_owned).collect());
            }
            continue;
        };
        if line == "```" {
            cases.extend(current.take());
            source.clear();
            options = None;
            continue;
        }
        let is_outcome =
            ["=>", "=!", "=?"].iter().any(|mark| line == *mark || line.starts_with(&format!("{mark} ")));
        if !is_outcome {
            cases.extend(current.take());
            if !line.is_empty() || !source.is_empty() {
                source.push(line);
            }
            continue;
        }
        let case = current.get_or_insert_with(|| {
            let text = source.join("\n");
            source.clear();
            Case {
                place: format!("{file_name}:{}", index + 1),
                source: decode(&text),
                options: block_options.clone(),
                ..Case::default()
            }
        });
        let rest = line.get(3..).unwrap_or("");
        match &line[..2] {
            "=>" if rest == "?" => case.outcome = Outcome::AcceptedWithoutPn,
            "=>" => case.outcome = Outcome::Accepted { pn: decode(rest) },
            "=!" => match &mut case.outcome {
                Outcome::Refused(complaints) => complaints.push(complaint(rest)),
                other => *other = Outcome::Refused(vec![complaint(rest)]),
            },
            _ => case.warnings.push(complaint(rest)),
        }
    }
    cases
}

fn complaint(text: &str) -> Complaint {
    let (code, place) = text.split_once(' ').unwrap_or((text, "-"));
    let place =
        place.split_once(':').and_then(|(line, column)| Some((line.parse().ok()?, column.parse().ok()?)));
    Complaint { code: code.to_owned(), place }
}

/// `␀ ␉ ␊ ␍ ␠` stand for control characters and a blank, `‹HH HH›` for bytes.
fn decode(text: &str) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        rest = &rest[c.len_utf8()..];
        match c {
            '␀' => bytes.push(0),
            '␉' => bytes.push(b'\t'),
            '␊' => bytes.push(b'\n'),
            '␍' => bytes.push(b'\r'),
            '␠' => bytes.push(b' '),
            '‹' => {
                let end = rest.find('›').unwrap_or(rest.len());
                bytes.extend(
                    rest[..end].split_whitespace().filter_map(|hex| u8::from_str_radix(hex, 16).ok()),
                );
                rest = rest[end..].strip_prefix('›').unwrap_or("");
            }
            _ => bytes.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes()),
        }
    }
    bytes
}
