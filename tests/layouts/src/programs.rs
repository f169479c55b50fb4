//! Random programs that Puppet accepts, generated production by production.

mod definitions;
mod expressions;
mod plans;
mod resources;
mod statements;
mod strings;
mod templates;

use syntax::Language;

use crate::random::Random;

/// Generates a program, deterministically for a given seed.
pub fn program(language: Language, seed: u64) -> String {
    let mut maker = Maker {
        random: Random::new(seed),
        out: String::new(),
        heredocs: Vec::new(),
        indentation: 0,
        depth: 0,
        names: 0,
        in_heredoc: false,
        is_plan: language == Language::Plan,
    };
    match language {
        Language::Manifest => maker.manifest(),
        Language::Epp => maker.template(),
        Language::Plan => maker.plan(),
    }
    maker.line_break();
    maker.out
}

/// Maximum nesting depth; below it, only literals are generated.
const MAX_DEPTH: usize = 6;

struct Maker {
    random: Random,
    out: String,
    /// Bodies of the heredocs that start on this line.
    heredocs: Vec<String>,
    indentation: usize,
    depth: usize,
    /// Number of names generated so far.
    names: usize,
    in_heredoc: bool,
    is_plan: bool,
}

impl Maker {
    fn put(&mut self, text: &str) {
        self.out.push_str(text);
    }

    fn line_break(&mut self) {
        self.put("\n");
        for heredoc in std::mem::take(&mut self.heredocs) {
            self.put(&heredoc);
        }
        if !self.in_heredoc {
            self.put(&"  ".repeat(self.indentation));
        }
    }

    fn choice(&mut self, choices: &[&str]) {
        let choice = self.random.pick(choices);
        self.put(choice);
    }

    /// Generates between `least` and `count` elements separated by commas, sometimes with a
    /// trailing comma.
    fn list(&mut self, least: usize, count: usize, element: fn(&mut Maker)) {
        let count = least + self.random.below(count + 1 - least);
        self.elements(count, element);
        if count > 0 && self.random.one_in(4) {
            self.put(",");
        }
    }

    fn elements(&mut self, count: usize, element: fn(&mut Maker)) {
        for index in 0..count {
            if index > 0 {
                self.put(", ");
            }
            element(self);
        }
    }

    fn fresh(&mut self, stem: &str) -> String {
        self.names += 1;
        format!("{stem}{}", self.names)
    }

    fn put_fresh(&mut self, stem: &str) {
        let name = self.fresh(stem);
        self.put(&name);
    }
}
