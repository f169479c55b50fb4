//! Strings, and heredocs, whose bodies follow the line.

use super::{MAX_DEPTH, Maker};

impl Maker {
    pub(super) fn string(&mut self) {
        match self.random.below(3) {
            0 => self.choice(&["'a'", "\"b\"", "'c d'"]),
            _ => {
                self.put("\"");
                self.interpolated_text(1);
                self.put("\"");
            }
        }
    }

    /// Writes text with interpolations; `quotes`: 1 in a string, 0 in a heredoc.
    fn interpolated_text(&mut self, quotes: usize) {
        for _ in 0..1 + self.random.below(3) {
            self.choice(&["a ", "x-", "", "# ", " /* ", "it's ", "{ } "]);
            match quotes {
                1 => self.choice(&["\\\"", "\\n", "", " "]),
                _ => self.choice(&["\"", "", " "]),
            }
            if quotes == 1 && self.heredocs.is_empty() && self.random.one_in(8) {
                self.put("\n");
            }
            match self.random.below(6) {
                0 => self.choice(&["$x", "$a::b ", "$::c", "$x[0]", "$x.y"]),
                1 => self.choice(&["${x}", "${a::b}", "${x[0]}", "${x.length}", "${facts['os']['family']}"]),
                2 => self.choice(&["${if}", "${type}", "${0}", "${_a}"]),
                3 if self.depth <= MAX_DEPTH => {
                    self.put("${");
                    self.depth += 2;
                    self.operand();
                    self.depth -= 2;
                    self.put("}");
                }
                4 if self.depth <= MAX_DEPTH => {
                    self.put("${");
                    self.depth += 2;
                    self.binary();
                    self.depth -= 2;
                    self.put("}");
                }
                _ => self.put("$"),
            }
            self.put(" ");
        }
    }

    pub(super) fn heredoc(&mut self) {
        if self.in_heredoc {
            return self.literal();
        }
        let tag = self.fresh("TAG_");
        let interpolates = self.random.one_in(2);
        let header = if interpolates {
            format!("@(\"{tag}\")")
        } else {
            let rest = self.random.pick(&["", "/", "/t", ":text", " : text /L$ "]);
            format!("@({tag}{rest})")
        };
        self.put(&header);
        // The body is generated separately, since it follows this line.
        let outer = std::mem::take(&mut self.out);
        let pending = std::mem::take(&mut self.heredocs);
        self.in_heredoc = true;
        for _ in 0..self.random.below(3) {
            self.put("    ");
            if interpolates {
                self.interpolated_text(0)
            } else {
                self.choice(&["text", "$x ${y} \" ' {", "| END", "# no comment"])
            }
            self.put("\n");
        }
        self.in_heredoc = false;
        let end = self.random.pick(&["    | ", "    |- ", "", "  - ", "  | - "]);
        self.put(end);
        self.put(&tag);
        self.put("\n");
        let text = std::mem::replace(&mut self.out, outer);
        self.heredocs = pending;
        self.heredocs.push(text);
    }
}
