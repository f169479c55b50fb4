//! Data of old configurations: interpolations whose variables Puppet 8 or Hiera 5 do not set.

use codes::{Code, DowngradeReason};
use hiera::data::{DataFormat, HieraData};
use hiera::interpolation::{self, DataInterpolation, InterpolationExpression};
use project::{Db, Environment, File};
use syntax::Severity;
use validation::VersionDifference;

use crate::Diagnostic;
use crate::rules::legacy_fact;
use crate::rules::legacy_fact::is_legacy_fact;

/// Variables that Hiera only sets for a configuration of version 3.
const OF_VERSION_3: [&str; 3] = ["calling_class", "calling_class_path", "calling_module"];

/// Adds the findings in values of Hiera data that only Hiera 3 sets.
pub(crate) fn calling_variables(
    db: &dyn Db,
    file: File,
    text: &str,
    data: &HieraData,
    found: &mut Vec<Diagnostic>,
) {
    let is_upgrade =
        |it: &&Environment| it.prepares_upgrade(db) && it.puppet_version(db).has(VersionDifference::Hiera3);
    if file.environments(db).first().filter(is_upgrade).is_some() {
        each_variable(text, data, &mut |name, it| found.extend(calling_variable(name, it)));
    }
}

/// Returns the findings in a file that no known configuration names, to prepare an upgrade: data of a
/// configuration of version 3, which the server has elsewhere, and such a configuration under another name.
pub(crate) fn of_unknown_configuration(db: &dyn Db, file: File, text: &str) -> Vec<Diagnostic> {
    let Some(environment) = file.environments(db).first().copied() else { return Vec::new() };
    let version = environment.puppet_version(db);
    if !environment.prepares_upgrade(db) || !version.has(VersionDifference::Hiera3) || !text.contains("%{") {
        return Vec::new();
    }
    let Some(format) = DataFormat::of_path(file.path(db).as_str()) else { return Vec::new() };
    let data = hiera::data::read(format, text);
    let mut found = Vec::new();
    each_variable(text, &data, &mut |name, it| {
        let fact = name.strip_prefix("facts.").unwrap_or(name);
        let is_marked = fact.len() < it.name_range.len() as usize;
        if is_legacy_fact(db, environment, fact) && (is_marked || !legacy_fact::is_common_word(fact)) {
            found.push(legacy_fact::interpolated(version, fact, it.name_range));
        }
        found.extend(calling_variable(name, it));
    });
    found
}

/// Passes the name of each interpolated variable without a leading `::`.
fn each_variable(text: &str, data: &HieraData, take: &mut dyn FnMut(&str, &DataInterpolation<'_>)) {
    let Some(root) = &data.root else { return };
    root.walk(&mut |node| {
        for it in interpolation::interpolations_of(text, node) {
            if let InterpolationExpression::Variable(name) = it.expression {
                take(name.strip_prefix("::").unwrap_or(name), &it);
            }
        }
    });
}

fn calling_variable(name: &str, it: &DataInterpolation<'_>) -> Option<Diagnostic> {
    if !OF_VERSION_3.contains(&name) {
        return None;
    }
    let problem = format!("`{name}` is only set by Hiera 3, which Puppet 8 does not include");
    let message = codes::with_help(problem, "move the value to the data of the module");
    let diagnostic = Diagnostic::new(Code::DataInterpolation, it.range, message);
    Some(diagnostic.downgraded(DowngradeReason::Uncertain, Severity::Warning))
}
