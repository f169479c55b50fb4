//! Names of classes that begin with `::`.

use crate::manifest::Manifest;
use crate::report::{Edit, Report};
use crate::token::Kind;

/// A list of classes has so many tokens at most.
const MOST_LOOKED_AT: usize = 1024;

/// `relative_classname_inclusion`
pub(crate) fn included(manifest: &Manifest, report: &mut Report) {
    let tokens = &manifest.tokens;
    for at in tokens.indexes() {
        match tokens.kind(at) {
            Kind::Name | Kind::FunctionName
                if matches!(tokens.value(at), "include" | "contain" | "require") =>
            {
                statement(manifest, at, report);
            }
            Kind::Class if tokens.next_code_kind(at) == Some(Kind::LeftBrace) => {
                let end = (at..tokens.len())
                    .take(MOST_LOOKED_AT)
                    .find(|&it| tokens.kind(it) == Kind::Colon)
                    .unwrap_or(at);
                (at..end).for_each(|it| absolute(manifest, it, report));
            }
            Kind::Inherits => {
                if let Some(parent) = tokens.next_code(at).filter(|&it| tokens.kind(it) == Kind::Name) {
                    absolute(manifest, parent, report);
                }
            }
            _ => {}
        }
    }
}

/// What follows `include` up to the end of its line, without the arguments of functions in there.
fn statement(manifest: &Manifest, keyword: usize, report: &mut Report) {
    let tokens = &manifest.tokens;
    let Some(first) = tokens.next_code(keyword).filter(|&it| tokens.kind(it) != Kind::FatArrow) else {
        return;
    };
    let mut functions = 0;
    for at in (first..tokens.len()).take(MOST_LOOKED_AT).take_while(|&it| tokens.kind(it) != Kind::Newline) {
        if !matches!(tokens.kind(at), Kind::Name | Kind::FunctionName | Kind::SingleQuoted) {
            continue;
        }
        match tokens.next_code_kind(at) {
            Some(Kind::LeftParen) => functions += 1,
            Some(Kind::RightParen) if functions > 0 => functions -= 1,
            _ if functions == 0 => absolute(manifest, at, report),
            _ => {}
        }
    }
}

/// `relative_classname_reference`
pub(crate) fn referred(manifest: &Manifest, report: &mut Report) {
    let tokens = &manifest.tokens;
    for class in tokens.of(Kind::Type).filter(|&it| tokens.value(it) == "Class") {
        if tokens.next_code_kind(class) != Some(Kind::LeftBracket) {
            continue;
        }
        let title = (class..tokens.len())
            .take(MOST_LOOKED_AT)
            .take_while(|&it| tokens.kind(it) != Kind::RightBracket);
        title.for_each(|it| absolute(manifest, it, report));
    }
}

fn absolute(manifest: &Manifest, name: usize, report: &mut Report) {
    let tokens = &manifest.tokens;
    let is_name = matches!(tokens.kind(name), Kind::Name | Kind::SingleQuoted | Kind::FunctionName);
    if is_name && tokens.value(name).starts_with("::") {
        let start = tokens.get(name).value_start;
        report
            .at(name, format!("`{}` names the class as well", &tokens.value(name)[2..]))
            .fix([Edit::remove(start, start + 2)]);
    }
}
