//! Conversion of a template to a Ruby program, as specified by Ruby's ERB with trim mode `-`.

use smol_str::SmolStr;
use syntax::TextRange;

/// Local variable that collects the output.
pub(crate) const OUTPUT: &str = "_erbout";

pub(crate) struct Script {
    /// Ruby code. Literal text is written as `_erbout.<< 0` with its index in `texts`, a tag `<%= x %>` as
    /// `_erbout.<<((x).to_s)`.
    pub text: String,
    pub texts: Vec<SmolStr>,
    /// Parts of `text` that are copied from the template, in order.
    copied: Vec<Copied>,
    /// True if a leading comment sets an encoding or makes literals frozen.
    pub has_magic_comment: bool,
}

struct Copied {
    to: usize,
    from: usize,
    length: usize,
}

/// Tag around a piece of the template.
#[derive(Clone, Copy, PartialEq, Eq)]
enum ErbTag {
    Code,
    Output,
    Comment,
}

impl Script {
    pub(crate) fn new(template: &str) -> Script {
        let mut writer = ScriptWriter {
            script: Script {
                text: format!("{OUTPUT} = +''"),
                texts: Vec::new(),
                copied: Vec::new(),
                has_magic_comment: begins_with_magic_comment(template),
            },
            is_line_empty: false,
        };
        writer.template(template);
        writer.script
    }

    /// Maps a range of the program to the template. Generated code maps to an empty range before the next
    /// copied part.
    pub(crate) fn range(&self, start: usize, end: usize) -> TextRange {
        let position = |offset: usize| {
            let index = self.copied.partition_point(|copied| copied.to <= offset);
            let Some(copied) = index.checked_sub(1).map(|index| &self.copied[index]) else { return 0 };
            (copied.from + (offset - copied.to).min(copied.length)) as u32
        };
        let start = position(start);
        TextRange::new(start, position(end).max(start))
    }
}

struct ScriptWriter {
    script: Script,
    /// True until the current line of the program has a command.
    is_line_empty: bool,
}

impl ScriptWriter {
    fn template(&mut self, template: &str) {
        let mut rest = 0;
        let mut content = String::new();
        'template: loop {
            // Text up to the next tag.
            let Some((start, end, opening)) = find_opening(template, rest) else {
                content.push_str(&template[rest..]);
                break;
            };
            content.push_str(&template[rest..start]);
            rest = end;
            let tag = match opening {
                Opening::Literal => {
                    content.push_str("<%");
                    continue;
                }
                Opening::Tag(tag) => tag,
            };
            self.put_text(&mut content);
            // Code up to its end.
            let mut pieces = Vec::new();
            let mut piece = rest;
            loop {
                match find_closing(template, rest) {
                    None => {
                        // An unclosed tag is text.
                        pieces.push((piece, template.len()));
                        content.extend(pieces.into_iter().map(|(start, end)| &template[start..end]));
                        break 'template;
                    }
                    Some((start, Closing::Literal)) => {
                        // `%%>` is an escaped `%>`.
                        pieces.push((piece, start));
                        pieces.push((start + 1, start + 3));
                        rest = start + 3;
                        piece = rest;
                    }
                    Some((start, closing)) => {
                        pieces.push((piece, start));
                        self.put_code(template, tag, &pieces);
                        rest = start + if closing == Closing::Trim { 3 } else { 2 };
                        if closing == Closing::Trim
                            && let Some(length) = line_end_at(template, rest)
                        {
                            rest += length;
                            self.end_line();
                        }
                        break;
                    }
                }
            }
        }
        self.put_text(&mut content);
        self.command(|text, _| text.push_str(OUTPUT));
    }

    fn command(&mut self, write: impl FnOnce(&mut String, &mut Vec<Copied>)) {
        if !self.is_line_empty {
            self.script.text.push_str("; ");
        }
        self.is_line_empty = false;
        write(&mut self.script.text, &mut self.script.copied);
    }

    fn put_text(&mut self, content: &mut String) {
        if content.is_empty() {
            return;
        }
        let index = self.script.texts.len();
        let line_ends = content.matches('\n').count();
        self.script.texts.push(std::mem::take(content).into());
        self.command(|text, _| {
            text.push_str(&format!("{OUTPUT}.<< {index}"));
            text.extend(std::iter::repeat_n('\n', line_ends));
        });
    }

    fn put_code(&mut self, template: &str, tag: ErbTag, pieces: &[(usize, usize)]) {
        if tag == ErbTag::Comment {
            return;
        }
        let code_ends_line = template[..pieces.last().map_or(0, |piece| piece.1)].ends_with('\n')
            && pieces.last().is_some_and(|piece| piece.0 < piece.1);
        self.command(|text, copied| {
            if tag == ErbTag::Output {
                text.push_str(&format!("{OUTPUT}.<<(("));
            }
            for &(start, end) in pieces {
                // A copied range may end where the next one begins.
                copied.push(Copied { to: text.len(), from: start, length: end - start });
                text.push_str(&template[start..end]);
            }
            if tag == ErbTag::Output {
                text.push_str(").to_s)");
            }
        });
        if tag == ErbTag::Code && code_ends_line {
            self.script.text.pop();
            self.end_line();
        }
    }

    fn end_line(&mut self) {
        self.script.text.push('\n');
        self.is_line_empty = true;
    }
}

enum Opening {
    /// `<%%`
    Literal,
    Tag(ErbTag),
}

/// Finds the next tag at or after `at`. Returns its start, including whitespace that it removes, and the
/// start of its code.
fn find_opening(template: &str, at: usize) -> Option<(usize, usize, Opening)> {
    let start = at + template.get(at..)?.find("<%")?;
    let after = start + 2;
    Some(match template.as_bytes().get(after) {
        Some(b'-') => {
            let indentation = template[at..start].trim_end_matches([' ', '\t']);
            // The search also starts at the beginning of a line.
            let is_first = indentation.is_empty() || indentation.ends_with('\n');
            let start = if is_first { at + indentation.len() } else { start };
            (start, after + 1, Opening::Tag(ErbTag::Code))
        }
        Some(b'%') => (start, after + 1, Opening::Literal),
        Some(b'=') => (start, after + 1, Opening::Tag(ErbTag::Output)),
        Some(b'#') => (start, after + 1, Opening::Tag(ErbTag::Comment)),
        _ => (start, after, Opening::Tag(ErbTag::Code)),
    })
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Closing {
    /// `%%>`
    Literal,
    /// `-%>`
    Trim,
    Plain,
}

fn find_closing(template: &str, at: usize) -> Option<(usize, Closing)> {
    let end = at + template.get(at..)?.find("%>")?;
    Some(match template.as_bytes()[at..end].last() {
        Some(b'-') => (end - 1, Closing::Trim),
        Some(b'%') => (end - 1, Closing::Literal),
        _ => (end, Closing::Plain),
    })
}

/// Returns the length of the line end at an offset; 0 at the end of the file.
fn line_end_at(template: &str, at: usize) -> Option<usize> {
    let rest = &template[at..];
    if rest.starts_with("\r\n") {
        Some(2)
    } else if rest.starts_with('\n') {
        Some(1)
    } else {
        rest.is_empty().then_some(0)
    }
}

/// Returns true if a comment at the start affects how Ruby reads the file.
fn begins_with_magic_comment(template: &str) -> bool {
    let mut rest = template;
    while let Some(after) = rest.strip_prefix("<%#") {
        let line = after.split('\n').next().unwrap_or_default();
        let Some(end) = line.rfind("%>") else { break };
        let comment = line[..end].to_ascii_lowercase();
        if comment.contains("frozen") || comment.contains("coding") && !comment.contains("utf-8") {
            return true;
        }
        rest = &after[end + 2..];
    }
    false
}
