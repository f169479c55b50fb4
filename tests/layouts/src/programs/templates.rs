//! EPP templates.

use super::Maker;

impl Maker {
    pub(super) fn template(&mut self) {
        if self.random.one_in(2) {
            self.choice(&["<%- | ", "<% | "]);
            self.parameters(false, Maker::default_before_pipe);
            if self.out.ends_with("| ") {
                self.put("$p");
            }
            self.finish_line();
            self.choice(&[" | -%>", " | %>"]);
        }
        for _ in 0..1 + self.random.below(5) {
            self.choice(&["text\n", "  a\n  ", "\n", "<%# a comment %>", "<%% ", "x = "]);
            match self.random.below(5) {
                0 => {
                    self.put("<%= ");
                    self.expression_in_tag();
                    self.put(" %>");
                }
                1 => {
                    self.put("<%- ");
                    self.statement();
                    self.finish_line();
                    self.put(" -%>");
                }
                2 => {
                    self.put("<% if ");
                    self.condition();
                    self.put(" {");
                    self.finish_line();
                    self.put(" -%>\n  yes\n<% } else { %>no<% } -%>\n");
                }
                3 => {
                    self.put("<% $x.each |$y| { %>");
                    self.put("- <%= $y -%>\n<% } %>");
                }
                _ => {
                    self.put("<%=");
                    self.expression_in_tag();
                    self.put("-%>");
                }
            }
        }
        self.put("end");
    }

    fn expression_in_tag(&mut self) {
        self.expression();
        self.finish_line();
    }

    /// Ends the line, so that the bodies of heredocs do not become text of the template.
    fn finish_line(&mut self) {
        if !self.heredocs.is_empty() {
            self.line_break();
        }
    }
}
