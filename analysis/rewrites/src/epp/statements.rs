//! Code of the tags of a template. The tags are converted one by one: what opens and closes blocks is the same in
//! both languages, in the same places.

use plugins::code::{self, AssignTarget, RubyBlock, RubyExpression, RubyExpressionKind};

use super::expressions::{parameter_names, printable};
use super::scope::ErbScope;
use super::shapes::ValueShape;

/// Construct that a tag opens.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum BlockKind {
    If,
    Unless,
    /// After `else`.
    Else,
    /// `each`, closed by `end` or by a brace.
    Each {
        has_brace: bool,
    },
}

/// ErbConversion of the tags of a template, in their order.
pub(super) struct TagConverter<'t> {
    scope: ErbScope<'t>,
    open: Vec<BlockKind>,
}

impl<'t> TagConverter<'t> {
    pub(super) fn new(scope: ErbScope<'t>) -> TagConverter<'t> {
        TagConverter { scope, open: Vec::new() }
    }

    /// Returns true if nothing is left open.
    pub(super) fn is_complete(&self) -> bool {
        self.open.is_empty()
    }

    /// Converts the expression of a tag with output.
    pub(super) fn output(&self, code: &str) -> Result<String, String> {
        let output = self.scope.output(&parsed(code)?)?;
        printable(&output)?;
        Ok(format!(" {} ", output.text))
    }

    /// Converts the code of a tag without output.
    pub(super) fn code(&mut self, code: &str) -> Result<String, String> {
        let lines = code.lines().map(str::trim).filter(|it| !it.is_empty() && !it.starts_with('#'));
        let lines = lines.map(|it| self.line(it)).collect::<Result<Vec<_>, _>>()?;
        Ok(match &lines[..] {
            [] => " ".to_owned(),
            lines => format!(" {} ", lines.join("\n")),
        })
    }

    fn line(&mut self, line: &str) -> Result<String, String> {
        let words: Vec<&str> = line.split_whitespace().collect();
        if words.iter().all(|it| *it == "end" || *it == "}") {
            return words
                .iter()
                .map(|it| self.close(it))
                .collect::<Result<Vec<_>, _>>()
                .map(|it| it.join(" "));
        }
        let condition = |rest: &str| {
            let rest = rest.trim().strip_suffix(" then").unwrap_or(rest);
            parsed(rest)
        };
        match (words[0], words.len()) {
            ("else", 1) => match self.open.last_mut() {
                Some(kind @ (BlockKind::If | BlockKind::Unless)) => {
                    *kind = BlockKind::Else;
                    self.reopen()?;
                    Ok("} else {".to_owned())
                }
                _ => Err("`else` is not understood".to_owned()),
            },
            ("elsif", _) if self.open.last() == Some(&BlockKind::If) => {
                let condition = condition(&line["elsif".len()..])?;
                self.reopen()?;
                Ok(format!("}} elsif {} {{", self.scope.condition(&condition)?.text))
            }
            (word @ ("if" | "unless"), _) => {
                let condition = self.scope.condition(&condition(&line[word.len()..])?)?;
                self.open.push(if word == "if" { BlockKind::If } else { BlockKind::Unless });
                self.scope.open(&[])?;
                Ok(format!("{word} {} {{", condition.text))
            }
            ("case" | "when" | "while" | "until" | "for" | "begin" | "def", _) => {
                Err(format!("`{}` is not understood", words[0]))
            }
            _ => self.statement(line),
        }
    }

    fn reopen(&mut self) -> Result<(), String> {
        self.scope.close();
        self.scope.open(&[])
    }

    fn close(&mut self, word: &str) -> Result<String, String> {
        let kind = self.open.pop().ok_or_else(|| format!("`{word}` closes nothing"))?;
        let needs_brace = matches!(kind, BlockKind::Each { has_brace: true });
        if needs_brace != (word == "}") {
            return Err(format!("`{word}` closes something else"));
        }
        self.scope.close();
        Ok("}".to_owned())
    }

    /// Converts an assignment, or the beginning of a loop.
    fn statement(&mut self, line: &str) -> Result<String, String> {
        let opens = |word: &str| line.ends_with(word) || line.ends_with('|') && line.contains(word);
        if opens("do") {
            return self.each(&parsed(&format!("{line}\nend"))?, false);
        }
        if opens("{") {
            return self.each(&parsed(&format!("{line}\n}}"))?, true);
        }
        let statement = parsed(line)?;
        let RubyExpressionKind::Assignment { target: AssignTarget::LocalVariable { name, .. }, value } =
            &*statement.kind
        else {
            return Err("code without output is not understood".to_owned());
        };
        let value = self.scope.value(value)?;
        self.scope.assign(name, value.shape.clone())?;
        Ok(format!("${name} = {}", value.text))
    }

    /// Converts the head of a loop over a list or hash.
    fn each(&mut self, statement: &RubyExpression, has_brace: bool) -> Result<String, String> {
        let RubyExpressionKind::Call {
            receiver: Some(receiver),
            name,
            arguments,
            block: Some(RubyBlock::Code(block)),
            is_safe: false,
            ..
        } = &*statement.kind
        else {
            return Err("a block is not understood".to_owned());
        };
        if !arguments.is_empty() || !block.body.is_empty() {
            return Err("a block is not understood".to_owned());
        }
        let parameters = parameter_names(block)?;
        let names: Vec<&str> = parameters.iter().map(String::as_str).collect();
        let (head, shapes) = self.head(receiver, name, &names)?;
        let shapes: Vec<(&str, ValueShape)> = names.iter().copied().zip(shapes).collect();
        self.open.push(BlockKind::Each { has_brace });
        self.scope.open(&shapes)?;
        Ok(head)
    }

    /// Returns the head of a loop in Puppet, and the shapes of the parameters.
    fn head(
        &self,
        receiver: &RubyExpression,
        method: &str,
        names: &[&str],
    ) -> Result<(String, Vec<ValueShape>), String> {
        if let (Some(hash), "each", [key, value]) = (sorted(receiver), method, names) {
            let hash = self.scope.value(hash)?;
            let (keys, values) = hash.shape.only_hash().ok_or("a sorted value may not be a hash")?.clone();
            let text = &hash.text;
            let head = format!("{text}.keys.sort.each |${key}| {{ ${value} = {text}[${key}]");
            return Ok((head, vec![keys, values]));
        }
        let list = self.scope.value(receiver)?;
        let text = &list.text;
        match (method, names) {
            ("each", [name]) => {
                let elements = match list.shape.only_array() {
                    Some(it) => it.clone(),
                    None => ValueShape::other(),
                };
                Ok((format!("{text}.each |${name}| {{"), vec![elements]))
            }
            ("each" | "each_pair", [key, value]) => {
                let (keys, values) = list.shape.only_hash().ok_or("a value may not be a hash")?.clone();
                Ok((format!("{text}.each |${key}, ${value}| {{"), vec![keys, values]))
            }
            ("each_with_index", [element, index]) => {
                let elements = list.shape.only_array().ok_or("a value may not be an array")?.clone();
                Ok((format!("{text}.each |${index}, ${element}| {{"), vec![elements, ValueShape::number()]))
            }
            _ => Err(format!("method `{method}` is called with a block")),
        }
    }
}

/// Returns the hash that `hash.sort` sorts.
fn sorted(expr: &RubyExpression) -> Option<&RubyExpression> {
    match &*expr.kind {
        RubyExpressionKind::Call { receiver: Some(receiver), name, arguments, block: None, .. }
            if name == "sort" && arguments.is_empty() =>
        {
            Some(receiver)
        }
        _ => None,
    }
}

/// Parses a single expression.
fn parsed(code: &str) -> Result<RubyExpression, String> {
    let mut statements = code::read("template.rb", code).statements;
    match statements.len() {
        1 => Ok(statements.remove(0)),
        _ => Err("the code is not a single expression".to_owned()),
    }
}
