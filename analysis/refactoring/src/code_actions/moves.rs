//! Fixes that move code to the file where Puppet looks for it, or into a class.

use check::{Code, FixData};
use hir::DefinitionKind;
use symbols::FileId;
use syntax::SyntaxKind::{BLOCK_COMMENT, CLASS_DEFINITION, COMMENT, SOURCE_FILE, WHITESPACE};
use syntax::ast::{self, AstNode, Definition};
use syntax::{SyntaxNode, TextRange};
use validation::ExpectedNamespace;

use super::subject::FixSubject;
use crate::lines::{indentation, indentation_step, reindented, removed_lines};
use crate::{CodeAction, SourceChange, SourceEdit};

pub(super) fn fixes(subject: &FixSubject<'_>, root: &SyntaxNode) -> Vec<CodeAction> {
    match subject.diagnostic.code {
        Code::IllegalDefinitionLocation | Code::NotSupportedInPlan => {
            moved_definition(subject, root).into_iter().collect()
        }
        Code::UnknownClass => moved_class(subject).into_iter().collect(),
        Code::IllegalTopConstructLocation => moved_into_class(subject, root).into_iter().collect(),
        _ => Vec::new(),
    }
}

/// Moves the class that a use names to the file from which Puppet loads it.
fn moved_class(subject: &FixSubject<'_>) -> Option<CodeAction> {
    let (_, help) = codes::split_message(&subject.diagnostic.message);
    help.first()?.strip_prefix("move it to `")?;
    let Some(FixData::UnknownName { name, .. }) = &subject.diagnostic.data else { return None };
    let db = subject.db;
    let name = hir::fold_name(name.trim_start_matches("::"));
    let environment = *subject.file.environments(db).first()?;
    let found = project::definitions_in_manifests(db, environment, DefinitionKind::Class, &name, |_| true);
    let file = found.into_iter().next()?.file(db);
    let classes = project::parse(db, file).syntax().descendants().filter_map(ast::ClassDefinition::cast);
    let is_named = |it: &Definition| it.qualified_name().is_some_and(|it| hir::fold_name(&it) == name);
    let definition = classes.map(Definition::ClassDefinition).find(is_named)?;
    let text = project::text(db, file)?;
    moved(&FixSubject { file, text: &text, ..*subject }, &definition)
}

/// Moves a definition with its comments to the file from which Puppet loads it.
fn moved_definition(subject: &FixSubject<'_>, root: &SyntaxNode) -> Option<CodeAction> {
    let token = root.tokens_at(subject.diagnostic.range.start).last()?;
    moved(subject, &token.ancestors().find_map(Definition::cast)?)
}

fn moved(subject: &FixSubject<'_>, definition: &Definition) -> Option<CodeAction> {
    let (db, file) = (subject.db, subject.file);
    let node = definition.syntax();
    let root = node.ancestors().last()?;
    if node.parent()?.kind() != SOURCE_FILE {
        return None;
    }
    let kind = match definition {
        Definition::ClassDefinition(_) => DefinitionKind::Class,
        Definition::DefinedType(_) => DefinitionKind::DefinedType,
        Definition::FunctionDefinition(_) => DefinitionKind::Function,
        Definition::TypeAlias(_) => DefinitionKind::TypeAlias,
        _ => return None,
    };
    let name = hir::fold_name(&definition.qualified_name()?);
    let path = super::autoload_path(db, file, kind, &name)?;
    let module = project::module_named(db, file, name.split("::").next()?)?;
    let below = path.strip_prefix(module.root(db))?;
    if module.files(db).keys().any(|it| it.as_str() == below) {
        return None;
    }
    let range = with_comments(node);
    let text = subject.text.get(range.as_range())?;
    let title = format!("Move to `{}`", below);
    let is_alone = root.children().filter(|it| ast::Expr::can_cast(it.kind())).count() == 1;
    let change = if is_alone {
        SourceChange { moves: vec![(FileId(file), path)], ..SourceChange::default() }
    } else {
        let edit = SourceEdit { range: removed_lines(subject.text, range), text: String::new() };
        SourceChange {
            edits: vec![(FileId(file), vec![edit])],
            creates: vec![(path, format!("{text}\n"))],
            ..SourceChange::default()
        }
    };
    Some(subject.fix(title, change))
}

/// Returns the range of a definition with the comments directly above it.
fn with_comments(node: &SyntaxNode) -> TextRange {
    let mut range = node.text_range();
    let mut token = node.first_token().and_then(|it| it.prev_token());
    while let Some(it) = token {
        match it.kind() {
            WHITESPACE if it.text().matches('\n').count() <= 1 => {}
            COMMENT | BLOCK_COMMENT => range.start = it.text_range().start,
            _ => break,
        }
        token = it.prev_token();
    }
    range
}

/// Moves a statement at top level to the end of the only class of the file, or into a class with the name that
/// the path of the file requires.
fn moved_into_class(subject: &FixSubject<'_>, root: &SyntaxNode) -> Option<CodeAction> {
    let token = root.tokens_at(subject.diagnostic.range.start).last()?;
    let statement = token.ancestors().find(|it| it.parent().is_some_and(|it| it.kind() == SOURCE_FILE))?;
    let range = statement.text_range();
    let text = subject.text.get(range.as_range())?;
    let indented = |indent: &str| reindented(text, "", indent);
    let classes: Vec<SyntaxNode> = root.children().filter(|it| it.kind() == CLASS_DEFINITION).collect();
    match &classes[..] {
        [class] => {
            let class = ast::ClassDefinition::cast(class.clone())?;
            let close = class.body()?.r_brace()?.text_range().start;
            let indent = indentation(subject.text, close);
            let inner = format!("{indent}{}", indentation_step(subject.text));
            let starts_line = subject.text[..close as usize].trim_end_matches([' ', '\t']).ends_with('\n');
            let at = if starts_line { close - indent.len() as u32 } else { close };
            let before = if starts_line { "" } else { "\n" };
            let added = format!("{before}{inner}{}\n", indented(&inner));
            let mut edits = vec![
                SourceEdit { range: TextRange::empty(at), text: added },
                SourceEdit { range: removed_lines(subject.text, range), text: String::new() },
            ];
            edits.sort();
            let name = class.name()?.text();
            let change =
                SourceChange { edits: vec![(FileId(subject.file), edits)], ..SourceChange::default() };
            Some(subject.fix(format!("Move into class `{name}`"), change))
        }
        [] => {
            let ExpectedNamespace::Module { namespace } = project::file_location(subject.db, subject.file)
            else {
                return None;
            };
            let step = indentation_step(subject.text);
            let wrapped = format!("class {namespace} {{\n{step}{}\n}}", indented(step));
            Some(subject.edit(format!("Wrap in class `{namespace}`"), range, wrapped))
        }
        _ => None,
    }
}
