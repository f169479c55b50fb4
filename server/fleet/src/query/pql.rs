//! Queries in PQL.

use serde_json::Value as Json;

use super::model::{Entity, Field, Filter, PuppetDbQuery, SortKey};

/// Maximum nesting of conditions.
const MAX_DEPTH: usize = 64;

/// Characters of operators and brackets.
const SYMBOLS: [&str; 20] =
    ["!=", "!~", "~>", ">=", "<=", "=", "~", ">", "<", "!", "{", "}", "[", "]", "(", ")", ",", ".", "*", "?"];

#[derive(Clone, PartialEq, Debug)]
enum PqlToken {
    Name(String),
    String(String),
    Number(serde_json::Number),
    Symbol(&'static str),
}

pub(super) fn query(text: &str) -> Result<PuppetDbQuery, String> {
    let mut parser = PqlParser { tokens: tokens(text)?, next: 0, depth: 0 };
    let query = parser.query()?;
    match parser.peek() {
        None => Ok(query),
        Some(_) => Err(parser.unexpected()),
    }
}

fn tokens(text: &str) -> Result<Vec<PqlToken>, String> {
    let mut tokens = Vec::new();
    let mut rest = text.trim_start();
    while let Some(first) = rest.chars().next() {
        let is_name = |it: char| it.is_ascii_alphanumeric() || it == '_';
        let end_of = |is_part: &dyn Fn(char) -> bool| rest.find(|it| !is_part(it)).unwrap_or(rest.len());
        let length = if first == '"' || first == '\'' {
            let end = rest[1..].find(first).ok_or("a string is not closed")?;
            let string = &rest[1..=end];
            if string.contains('\\') {
                return Err("backslashes in strings are not supported".to_owned());
            }
            tokens.push(PqlToken::String(string.to_owned()));
            end + 2
        } else if first.is_ascii_digit() || first == '-' {
            let length = end_of(&|it| it.is_ascii_alphanumeric() || "-+.".contains(it));
            let number = rest[..length].parse();
            tokens.push(PqlToken::Number(
                number.map_err(|_| format!("`{}` is not a number", &rest[..length]))?,
            ));
            length
        } else if is_name(first) {
            let length = end_of(&is_name);
            tokens.push(PqlToken::Name(rest[..length].to_owned()));
            length
        } else {
            let symbol = SYMBOLS.into_iter().find(|it| rest.starts_with(it));
            let symbol = symbol.ok_or_else(|| format!("`{first}` is not supported"))?;
            tokens.push(PqlToken::Symbol(symbol));
            symbol.len()
        };
        rest = rest[length..].trim_start();
    }
    Ok(tokens)
}

struct PqlParser {
    tokens: Vec<PqlToken>,
    next: usize,
    depth: usize,
}

impl PqlParser {
    fn peek(&self) -> Option<&PqlToken> {
        self.tokens.get(self.next)
    }

    fn take(&mut self) -> Result<PqlToken, String> {
        let token = self.peek().cloned().ok_or("the query ends too early")?;
        self.next += 1;
        Ok(token)
    }

    fn eat(&mut self, symbol: &str) -> bool {
        let is_next = matches!(self.peek(), Some(PqlToken::Symbol(it)) if *it == symbol);
        self.next += usize::from(is_next);
        is_next
    }

    fn eat_word(&mut self, word: &str) -> bool {
        let is_next = matches!(self.peek(), Some(PqlToken::Name(it)) if it == word);
        self.next += usize::from(is_next);
        is_next
    }

    fn expect(&mut self, symbol: &str) -> Result<(), String> {
        if self.eat(symbol) { Ok(()) } else { Err(self.unexpected()) }
    }

    fn unexpected(&self) -> String {
        match self.peek() {
            Some(PqlToken::Name(text) | PqlToken::String(text)) => format!("`{text}` is unexpected"),
            Some(PqlToken::Number(number)) => format!("`{number}` is unexpected"),
            Some(PqlToken::Symbol(symbol)) => format!("`{symbol}` is unexpected"),
            None => "the query ends too early".to_owned(),
        }
    }

    /// Returns true if a query follows: a name and `{`, or a name, columns and `{`.
    fn is_at_query(&self) -> bool {
        let after = self.tokens.get(self.next + 1);
        matches!(self.peek(), Some(PqlToken::Name(_))) && matches!(after, Some(PqlToken::Symbol("{" | "[")))
    }

    fn query(&mut self) -> Result<PuppetDbQuery, String> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err("the query is nested too deeply".to_owned());
        }
        let PqlToken::Name(name) = self.take()? else {
            return Err("a query must begin with a name".to_owned());
        };
        let mut query = PuppetDbQuery::new(Entity::named(&name)?);
        if self.eat("[") && !self.eat("]") {
            query.columns = self.fields(query.entity)?;
            self.expect("]")?;
        }
        self.expect("{")?;
        if !self.is_at_modifier() && self.peek() != Some(&PqlToken::Symbol("}")) {
            query.filter = self.disjunction(query.entity)?;
        }
        while !self.eat("}") {
            self.modifier(&mut query)?;
        }
        self.depth -= 1;
        Ok(query)
    }

    fn is_at_modifier(&self) -> bool {
        let word = |offset: usize| match self.tokens.get(self.next + offset) {
            Some(PqlToken::Name(name)) => name.as_str(),
            _ => "",
        };
        let is_number = matches!(self.tokens.get(self.next + 1), Some(PqlToken::Number(_)));
        matches!((word(0), word(1)), ("order" | "group", "by"))
            || is_number && ["limit", "offset"].contains(&word(0))
    }

    fn modifier(&mut self, query: &mut PuppetDbQuery) -> Result<(), String> {
        if !self.is_at_modifier() {
            return Err(self.unexpected());
        }
        let PqlToken::Name(word) = self.take()? else { return Err(self.unexpected()) };
        match (word.as_str(), self.take()?) {
            ("group", _) => {
                let fields = self.fields(query.entity)?;
                query.group_by(&fields)
            }
            ("order", _) => loop {
                let field = self.field(query.entity)?;
                let is_descending = self.eat_word("desc");
                if !is_descending {
                    self.eat_word("asc");
                }
                query.order.push(SortKey { field, is_descending });
                if !self.eat(",") {
                    return Ok(());
                }
            },
            (word, PqlToken::Number(count)) => {
                let count = count.as_u64().and_then(|it| usize::try_from(it).ok());
                let count = count.ok_or_else(|| format!("`{word}` has no number"))?;
                if word == "limit" {
                    query.limit = Some(count);
                } else {
                    query.offset = count;
                }
                Ok(())
            }
            _ => Err(self.unexpected()),
        }
    }

    fn fields(&mut self, entity: Entity) -> Result<Vec<Field>, String> {
        let mut fields = vec![self.field(entity)?];
        while self.eat(",") {
            fields.push(self.field(entity)?);
        }
        Ok(fields)
    }

    fn field(&mut self, entity: Entity) -> Result<Field, String> {
        let mut path = Vec::new();
        loop {
            match self.take()? {
                PqlToken::Name(name) => path.push(name),
                // The name of a column with a quoted part is not certain.
                _ => {
                    self.next -= 1;
                    return Err(self.unexpected());
                }
            }
            if !self.eat(".") {
                break;
            }
        }
        if matches!(self.peek(), Some(PqlToken::Symbol("(" | "["))) {
            return Err(self.unexpected());
        }
        entity.field(&path)
    }

    fn disjunction(&mut self, entity: Entity) -> Result<Filter, String> {
        let mut filters = vec![self.conjunction(entity)?];
        while self.eat_word("or") {
            filters.push(self.conjunction(entity)?);
        }
        Ok(if filters.len() == 1 { filters.remove(0) } else { Filter::Any(filters) })
    }

    fn conjunction(&mut self, entity: Entity) -> Result<Filter, String> {
        let mut filters = vec![self.condition(entity)?];
        while self.eat_word("and") {
            filters.push(self.condition(entity)?);
        }
        Ok(if filters.len() == 1 { filters.remove(0) } else { Filter::All(filters) })
    }

    fn condition(&mut self, entity: Entity) -> Result<Filter, String> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err("the query is nested too deeply".to_owned());
        }
        let filter = if self.eat("!") {
            Filter::Not(Box::new(self.condition(entity)?))
        } else if self.eat("(") {
            let filter = self.disjunction(entity)?;
            self.expect(")")?;
            filter
        } else if self.is_at_query() {
            let query = self.query()?;
            if !query.columns.is_empty() || query.limit.is_some() || query.offset > 0 {
                return Err("a query in a query is only supported without columns and limits".to_owned());
            }
            Filter::OfNode(query.entity, Box::new(query.filter))
        } else {
            self.comparison(entity)?
        };
        self.depth -= 1;
        Ok(filter)
    }

    fn comparison(&mut self, entity: Entity) -> Result<Filter, String> {
        let field = self.field(entity)?;
        if self.eat_word("is") {
            let is_negated = self.eat_word("not");
            if !self.eat_word("null") {
                return Err(self.unexpected());
            }
            let filter = Filter::IsNull(field);
            return Ok(if is_negated { Filter::Not(Box::new(filter)) } else { filter });
        }
        if self.eat_word("in") {
            if !self.eat("[") {
                return Filter::in_query(&field, self.query()?);
            }
            let mut values = Vec::new();
            while !self.eat("]") {
                if !values.is_empty() {
                    self.expect(",")?;
                }
                values.push(self.value()?);
            }
            return Filter::one_of(&field, values);
        }
        match self.take()? {
            PqlToken::Symbol(operator @ ("=" | "!=" | "~" | "!~" | "<" | "<=" | ">" | ">=")) => {
                let value = self.value()?;
                Filter::of_operator(field, operator, value)
            }
            _ => {
                self.next -= 1;
                Err(self.unexpected())
            }
        }
    }

    fn value(&mut self) -> Result<Json, String> {
        match self.take()? {
            PqlToken::String(text) => Ok(text.into()),
            PqlToken::Number(number) => Ok(Json::Number(number)),
            PqlToken::Name(name) if name == "true" || name == "false" => Ok((name == "true").into()),
            _ => {
                self.next -= 1;
                Err(self.unexpected())
            }
        }
    }
}
