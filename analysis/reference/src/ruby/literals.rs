//! Source texts of literals, as YARD reads them: escapes stay as they are written, and a string with
//! interpolations ends at the first.

use super::source::RubySource;
use ruby_prism::Node;

impl<'t> RubySource<'t> {
    /// Returns the text of a symbol, a string, or a regular expression; `None` for any other expression.
    pub(super) fn literal(&self, node: &Node<'_>) -> Option<String> {
        if let Some(symbol) = node.as_symbol_node() {
            let source = self.node_text(node);
            let opening = symbol.opening_loc().map_or("", |it| self.text(&it));
            let closing = symbol.closing_loc().map_or("", |it| self.text(&it));
            let content = source.strip_prefix(opening).and_then(|it| it.strip_suffix(closing));
            return content.map(str::to_owned);
        }
        if node.as_regular_expression_node().is_some()
            || node.as_interpolated_regular_expression_node().is_some()
        {
            return Some(self.node_text(node).to_owned());
        }
        if let Some(string) = node.as_string_node() {
            let opening = string.opening_loc().map(|it| self.text(&it))?;
            let content = self.text(&string.content_loc());
            return Some(match opening {
                "'" | "\"" if content.is_empty() => self.node_text(node).to_owned(),
                "'" | "\"" => content.to_owned(),
                _ if opening.starts_with("<<") => heredoc(content),
                _ => self.node_text(node).to_owned(),
            });
        }
        let string = node.as_interpolated_string_node()?;
        let opening = string.opening_loc().map(|it| self.text(&it))?;
        if opening.starts_with("<<") {
            let start = string.parts().iter().next()?.location().start() as usize;
            let end = string.closing_loc()?.start() as usize;
            // The lines of the parts, whose first may begin after the indentation that is removed.
            let start = self.file.text[..start].rfind('\n').map_or(0, |it| it + 1);
            return Some(heredoc(self.file.text.get(start..end)?));
        }
        if opening != "\"" {
            return Some(self.node_text(node).to_owned());
        }
        let text = string.parts().iter().find_map(|it| Some(self.text(&it.as_string_node()?.content_loc())));
        Some(text.unwrap_or_else(|| self.node_text(node)).to_owned())
    }

    /// Returns the text of a literal, or the source of any other expression.
    pub(super) fn literal_or_source(&self, node: &Node<'_>) -> String {
        // The text of a splat is that of what it expands.
        let expanded = node.as_splat_node().and_then(|it| it.expression());
        let text = || self.node_text(expanded.as_ref().unwrap_or(node)).to_owned();
        self.literal(node).unwrap_or_else(text)
    }
}

fn heredoc(content: &str) -> String {
    content.strip_suffix('\n').unwrap_or(content).to_owned()
}

/// Returns a description without the indentation that all lines but the first share, as Puppet prints it.
pub(super) fn scrubbed(text: &str) -> String {
    let quoted = text.strip_prefix("%q{").or_else(|| text.strip_prefix("%Q{"));
    let text = quoted.and_then(|it| it.rsplit_once('}')).map_or(text, |(content, _)| content);
    if !text.trim().contains('\n') {
        return text.trim().to_owned();
    }
    let indentation = |line: &str| {
        let content = line.trim_start_matches([' ', '\t']);
        let is_blank = content.trim().is_empty();
        (!is_blank).then(|| line[..line.len() - content.len()].to_owned())
    };
    let indent = text.split('\n').skip(1).filter_map(indentation).min().unwrap_or_default();
    let lines = text.split('\n').map(|line| line.strip_prefix(indent.as_str()).unwrap_or(line).trim_end());
    lines.collect::<Vec<_>>().join("\n").trim_end().to_owned()
}
