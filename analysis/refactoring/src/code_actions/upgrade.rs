//! Fixes of what a later version of Puppet breaks or changes.

use check::{Diagnostic, Tier, UpgradePath};
use project::{Db, File};
use syntax::TextRange;

use super::subject::{FixSubject, rewrite};
use super::{fix_all, fixes};
use crate::{CodeAction, CodeActionKind};

/// Returns the fixes for a range of those diagnostics that an editor shows as findings of a later version, and all
/// fixes of the file that are known not to change behavior. The database follows the later version.
pub fn upgrade_actions(
    db: &dyn Db,
    file: File,
    range: TextRange,
    upgrade: UpgradePath,
    shown: &[Diagnostic],
) -> Vec<CodeAction> {
    let Some(text) = project::text(db, file) else { return Vec::new() };
    let found: Vec<Diagnostic> =
        Tier::LIVE.into_iter().flat_map(|tier| check::diagnostics(db, file, tier)).collect();
    let is_shown =
        |it: &Diagnostic| shown.iter().any(|other| (other.code, other.range) == (it.code, it.range));
    let mut actions = Vec::new();
    for diagnostic in found.iter().filter(|it| it.range.intersects_or_touches(range) && is_shown(it)) {
        let subject = FixSubject { db, file, text: &text, diagnostic };
        actions.extend(fixes(&subject));
        actions.extend(fix_all::of_rule(&subject, &found));
    }
    let edits = fix_all::replacements(found.iter().filter(|it| UpgradePath::is_provable(it)));
    if !edits.is_empty() {
        let title = format!("Upgrade this file to {}", upgrade.to.product());
        actions.push(rewrite(file, CodeActionKind::SourceUpgrade, &title, edits));
    }
    actions
}
