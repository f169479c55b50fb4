//! Fixes of single expressions that a message advises: `tests/cures` requires one for each message with advice,
//! or a reason.

use check::Code;
use syntax::SyntaxKind::{self, *};
use syntax::ast::{self, AstNode, Definition, Expr};
use syntax::{SyntaxNode, SyntaxToken, TextRange};

use super::subject::FixSubject;
use crate::lines::{indentation, removed_lines};
use crate::{CodeAction, SourceEdit};

pub(super) fn fixes(subject: &FixSubject<'_>) -> Vec<CodeAction> {
    let root = project::parse(subject.db, subject.file).syntax();
    if subject.diagnostic.data.is_some() {
        return super::moves::fixes(subject, &root);
    }
    let cure = Cure { subject, root, range: subject.diagnostic.range };
    let mut fixes = match subject.diagnostic.code {
        Code::DuplicateKey => cure.duplicate_entry(&[KEYED_ENTRY, ATTRIBUTE]),
        Code::DuplicateParameter => cure.duplicate_parameter(),
        Code::DuplicateDefault => cure.duplicate_entry(&[CASE_OPTION, SELECTOR_ENTRY]),
        _ => Vec::new(),
    };
    fixes.extend(cure.variable_fix());
    fixes.extend(cure.statement_fix());
    fixes.extend(cure.expression_fix());
    if subject.diagnostic.code.is_fixed() {
        fixes.extend(super::syntax_fixes::fixes(subject));
    }
    fixes.extend(super::moves::fixes(subject, &cure.root));
    fixes
}

/// A diagnostic to fix, with the tree of its file.
struct Cure<'a> {
    subject: &'a FixSubject<'a>,
    root: SyntaxNode,
    range: TextRange,
}

impl Cure<'_> {
    fn text(&self) -> &str {
        self.subject.text.get(self.range.as_range()).unwrap_or_default()
    }

    fn token(&self) -> Option<SyntaxToken> {
        self.root.tokens_at(self.range.start).last()
    }

    /// Returns the innermost node of one of the kinds that contains the diagnostic.
    fn around(&self, kinds: &[SyntaxKind]) -> Option<SyntaxNode> {
        self.token()?.ancestors().find(|it| kinds.contains(&it.kind()))
    }

    fn replace(&self, range: TextRange, text: &str) -> CodeAction {
        self.subject.edit(format!("Replace with `{text}`"), range, text)
    }

    fn edits(&self, title: impl Into<String>, mut edits: Vec<SourceEdit>) -> CodeAction {
        edits.sort();
        let file = symbols::FileId(self.subject.file);
        let change = crate::SourceChange { edits: vec![(file, edits)], ..Default::default() };
        self.subject.fix(title, change)
    }

    /// Removes either of two entries with the same key.
    fn duplicate_entry(&self, kinds: &[SyntaxKind]) -> Vec<CodeAction> {
        let mut fixes = Vec::new();
        let later = self.around(kinds).map(|it| entry_range(&it));
        fixes.extend(later.map(|range| self.subject.edit("Remove this entry", self.lines(range), "")));
        let first = self.subject.diagnostic.related.first().filter(|it| it.path.is_none());
        let first = first.and_then(|it| self.root.tokens_at(it.range.start).last());
        let first = first.and_then(|token| token.ancestors().find(|it| kinds.contains(&it.kind())));
        let range = first.map(|it| entry_range(&it));
        fixes.extend(range.map(|range| self.subject.edit("Remove the first entry", self.lines(range), "")));
        fixes
    }

    fn lines(&self, range: TextRange) -> TextRange {
        removed_lines(self.subject.text, range)
    }

    fn duplicate_parameter(&self) -> Vec<CodeAction> {
        let name = self.text().trim_start_matches('$').to_owned();
        let mut fixes = Vec::new();
        if let Some(parameter) = self.around(&[PARAMETER]) {
            let range = self.lines(entry_range(&parameter));
            fixes.push(self.subject.edit(format!("Remove parameter `${name}`"), range, ""));
        }
        let is_used = |name: &str| self.subject.text.contains(&format!("${name}"));
        if let Some(new) = (2..100).map(|it| format!("{name}_{it}")).find(|it| !is_used(it)) {
            fixes.push(self.subject.edit(format!("Rename to `${new}`"), self.range, format!("${new}")));
        }
        fixes
    }

    /// Returns the fix of the name of a variable or parameter.
    fn variable_fix(&self) -> Option<CodeAction> {
        let token = self.token().filter(|it| it.kind() == VARIABLE)?;
        let written = token.text();
        let sigil = if written.starts_with('$') { "$" } else { "" };
        let name = written.trim_start_matches('$');
        let last = name.rsplit("::").next().unwrap_or(name);
        let new = match self.subject.diagnostic.code {
            Code::CrossScopeAssignment => last.to_owned(),
            Code::IllegalNumericVarName => match name.trim_start_matches('0') {
                "" => "0".to_owned(),
                digits if digits.bytes().all(|it| it.is_ascii_digit()) => digits.to_owned(),
                _ => return None,
            },
            Code::IllegalVarName => return self.renamed_variable(name, &lowercase_segments(name)),
            Code::IllegalParamName => return self.renamed_variable(name, &lowercase_segments(last)),
            Code::IllegalNumericParameter | Code::IllegalNumericAssignment => format!("value{name}"),
            Code::ReservedParameter => return self.renamed_parameter(name),
            _ => return None,
        };
        is_variable_name(name, &new).then(|| self.replace(token.text_range(), &format!("{sigil}{new}")))
    }

    /// Renames a parameter and its uses in the definition.
    fn renamed_parameter(&self, name: &str) -> Option<CodeAction> {
        let definition = self.token()?.ancestors().find_map(Definition::cast)?;
        let owner = definition.name()?.text();
        self.renamed_variable(name, &format!("{}_{name}", owner.rsplit("::").next()?))
    }

    /// Renames a variable and its uses in the definition, or in the code outside of definitions.
    fn renamed_variable(&self, name: &str, new: &str) -> Option<CodeAction> {
        let token = self.token()?;
        let definition = token.ancestors().find(|it| Definition::can_cast(it.kind()));
        let scope = definition.as_ref().unwrap_or(&self.root);
        let variables: Vec<SyntaxToken> = scope
            .descendants_with_tokens()
            .filter_map(|it| it.into_token())
            .filter(|it| it.kind() == VARIABLE)
            .collect();
        let is_named = |it: &SyntaxToken, name: &str| it.text().trim_start_matches('$') == name;
        let is_used = variables.iter().any(|it| is_named(it, new));
        if is_used || !is_variable_name(name, new) {
            return None;
        }
        let edits = variables.iter().filter(|it| is_named(it, name)).map(|it| {
            let sigil = if it.text().starts_with('$') { "$" } else { "" };
            SourceEdit { range: it.text_range(), text: format!("{sigil}{new}") }
        });
        Some(self.edits(format!("Rename to `${new}`"), edits.collect()))
    }

    /// Returns the fix of a whole statement.
    fn statement_fix(&self) -> Option<CodeAction> {
        match self.subject.diagnostic.code {
            Code::IdemExpressionNotLast | Code::IdemNotAllowedLast => {
                Some(self.subject.edit("Remove the expression", self.lines(self.range), ""))
            }
            Code::AppendsDeletesNoLongerSupported => self.append(),
            Code::IllegalIndexedAssignment => self.indexed_assignment(),
            Code::IllegalAssignmentContext => {
                let assignment = ast::AssignmentExpr::cast(self.around(&[ASSIGNMENT_EXPR])?)?;
                Some(self.replace(assignment.syntax().text_range(), assignment.rhs()?.syntax().text()))
            }
            Code::IllegalAssignment => {
                let name = self.text();
                let is_name = name.bytes().all(|it| it.is_ascii_lowercase() || it == b'_');
                is_name.then(|| self.replace(self.range, &format!("${name}")))
            }
            Code::IllegalNodeInheritance => {
                let clause = self.around(&[INHERITS_CLAUSE])?.text_range();
                let kept = self.subject.text[..clause.start as usize].trim_end().len() as u32;
                Some(self.subject.edit("Remove the inheritance", TextRange::new(kept, clause.end), ""))
            }
            _ => None,
        }
    }

    /// Assigns the result of `$x += value` to a new variable.
    fn append(&self) -> Option<CodeAction> {
        let assignment = ast::AssignmentExpr::cast(self.around(&[ASSIGNMENT_EXPR])?)?;
        let operator = assignment.operator_token()?.text().trim_end_matches('=').to_owned();
        let (lhs, rhs) = (assignment.lhs()?, assignment.rhs()?);
        let Expr::VariableExpr(variable) = &lhs else { return None };
        let name = variable.syntax().text().rsplit("::").next()?.trim_start_matches('$').to_owned();
        let text = format!("${name}_2 = {} {operator} {}", lhs.syntax().text(), rhs.syntax().text());
        Some(self.subject.edit(format!("Assign to `${name}_2`"), assignment.syntax().text_range(), text))
    }

    /// Assigns a hash with another element to a new variable.
    fn indexed_assignment(&self) -> Option<CodeAction> {
        let assignment = ast::AssignmentExpr::cast(self.around(&[ASSIGNMENT_EXPR])?)?;
        let Expr::AccessExpr(access) = assignment.lhs()? else { return None };
        let Expr::VariableExpr(variable) = access.lhs()? else { return None };
        let keys = access.keys()?.arguments();
        let [ast::AccessOrCallArgument::Expr(key)] = &keys[..] else { return None };
        let (name, key) = (variable.syntax().text(), key.syntax().text());
        let value = assignment.rhs()?;
        let text = format!("{name}_2 = {name} + {{ {key} => {} }}", value.syntax().text());
        Some(self.subject.edit(format!("Assign to `{name}_2`"), assignment.syntax().text_range(), text))
    }

    /// Returns the fix of an expression or of a part of a declaration.
    fn expression_fix(&self) -> Option<CodeAction> {
        match self.subject.diagnostic.code {
            Code::CapturesRestNotLast => self.moved_to_end(),
            Code::CapturesRestNotSupported => Some(self.subject.edit(
                "Remove `*`",
                self.token().filter(|it| it.kind() == STAR)?.text_range(),
                "",
            )),
            Code::ClassNotVirtualizable | Code::NotVirtualizeable => {
                let outer = ast::VirtualExpr::cast(self.around(&[VIRTUAL_EXPR])?)?;
                let token = outer.at_token()?;
                Some(self.subject.edit(format!("Remove `{}`", token.text()), token.text_range(), ""))
            }
            Code::IllegalAttributeAppend => Some(self.replace(self.range, "=>")),
            Code::ReservedWord => Some(self.replace(self.range, &format!("'{}'", self.text()))),
            Code::MultipleAttributesUnfold => self.merged_splats(),
            Code::ResourceWithoutTitle => self.title(),
            Code::IllegalDefinitionName => self.definition_name(),
            Code::UnsupportedExpression => self.type_alias(),
            Code::IllegalEppParameters => self.epp_parameters(),
            _ => None,
        }
    }

    /// Moves a parameter to the end of its list.
    fn moved_to_end(&self) -> Option<CodeAction> {
        let parameter = self.around(&[PARAMETER])?;
        let last = parameter.parent()?.children().filter(|it| it.kind() == PARAMETER).last()?.text_range();
        let range = parameter.text_range();
        let between = self.subject.text.get(range.end as usize..last.start as usize)?;
        let separator = if between.contains('\n') {
            format!(",\n{}", indentation(self.subject.text, last.start))
        } else {
            ", ".to_owned()
        };
        let edits = vec![
            SourceEdit { range: self.lines(entry_range(&parameter)), text: String::new() },
            SourceEdit {
                range: TextRange::empty(last.end),
                text: format!("{separator}{}", parameter.text()),
            },
        ];
        Some(self.edits("Move to the end", edits))
    }

    /// Merges two `* =>` of a resource.
    fn merged_splats(&self) -> Option<CodeAction> {
        let later = ast::AttributeSplat::cast(self.around(&[ATTRIBUTE_SPLAT])?)?;
        let body = later.syntax().parent()?;
        let first = body.children().find_map(ast::AttributeSplat::cast)?;
        let added = later.expr()?.syntax().text().to_owned();
        let end = first.expr()?.syntax().text_range().end;
        let removed = removed_lines(self.subject.text, entry_range(later.syntax()));
        let edits = vec![
            SourceEdit { range: TextRange::empty(end), text: format!(" + {added}") },
            SourceEdit { range: removed, text: String::new() },
        ];
        Some(self.edits("Merge the hashes", edits))
    }

    /// Adds a title to a resource whose name is reported.
    fn title(&self) -> Option<CodeAction> {
        let brace = self.subject.text.get(self.range.end as usize..)?.find('{')? as u32;
        let at = TextRange::empty(self.range.end + brace + 1);
        Some(self.subject.edit("Add a title", at, " 'title':"))
    }

    fn definition_name(&self) -> Option<CodeAction> {
        let name = self.text();
        let is_type = self.around(&[TYPE_ALIAS, TYPE_DEFINITION]).is_some();
        let new = if is_type {
            name.trim_start_matches("::").to_owned()
        } else {
            name.to_lowercase().replace('-', "_").trim_start_matches("::").to_owned()
        };
        (new != name).then(|| self.replace(self.range, &new))
    }

    /// Turns `type A inherits B { }` into an alias of its parent.
    fn type_alias(&self) -> Option<CodeAction> {
        let node = self.around(&[TYPE_DEFINITION])?;
        let definition = ast::TypeDefinition::cast(node.clone())?;
        let name = definition.name()?.text();
        let parent = definition.inherits().and_then(|it| it.name()).map_or("Any".to_owned(), |it| it.text());
        Some(self.replace(node.text_range(), &format!("type {name} = {parent}")))
    }

    /// Moves the parameters of a template to its start.
    fn epp_parameters(&self) -> Option<CodeAction> {
        let text = self.text();
        let (start, end) = (text.find('|')?, text.rfind('|')?);
        let parameters = text.get(start..=end).filter(|it| it.len() > 1)?;
        let tag_start = self.subject.text[..self.range.start as usize].rfind("<%")? as u32;
        let after = self.subject.text.get(self.range.end as usize..)?;
        let tag_end = self.range.end + after.find("%>")? as u32 + 2;
        let edits = vec![
            SourceEdit { range: TextRange::empty(0), text: format!("<%- {parameters} -%>\n") },
            SourceEdit {
                range: removed_lines(self.subject.text, TextRange::new(tag_start, tag_end)),
                text: String::new(),
            },
        ];
        Some(self.edits("Move the parameters to the start", edits))
    }
}

/// Returns the range of an entry of a list with its comma, or with the comma before the last entry.
fn entry_range(entry: &SyntaxNode) -> TextRange {
    let range = entry.text_range();
    let step = |token: Option<SyntaxToken>, next: fn(&SyntaxToken) -> Option<SyntaxToken>| {
        let mut token = token;
        while let Some(it) =
            token.clone().filter(|it| matches!(it.kind(), WHITESPACE | COMMENT | BLOCK_COMMENT))
        {
            token = next(&it);
        }
        token.filter(|it| it.kind() == COMMA)
    };
    let after = entry.last_token().and_then(|it| it.next_token());
    if let Some(comma) = step(after, SyntaxToken::next_token) {
        return TextRange::new(range.start, comma.text_range().end);
    }
    let before = entry.first_token().and_then(|it| it.prev_token());
    match step(before, SyntaxToken::prev_token) {
        // Options of `case` have no commas.
        Some(comma) if entry.kind() != CASE_OPTION => TextRange::new(comma.text_range().start, range.end),
        _ => range,
    }
}

/// Returns true if a variable can be renamed from `old` to `new`.
fn is_variable_name(old: &str, new: &str) -> bool {
    !new.is_empty()
        && new != old
        && new.bytes().all(|it| it.is_ascii_alphanumeric() || matches!(it, b'_' | b':'))
}

/// Returns a name whose segments begin with lowercase letters.
fn lowercase_segments(name: &str) -> String {
    let segments = name.split("::").map(|segment| {
        let mut chars = segment.trim_start_matches('_').chars();
        let first = chars.next().map(|it| it.to_ascii_lowercase());
        first.into_iter().chain(chars).collect::<String>()
    });
    segments.collect::<Vec<_>>().join("::").replace('-', "_")
}
