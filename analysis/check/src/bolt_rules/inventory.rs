//! Groups and targets in the inventory of Bolt.

use hiera::data::{Content, DataNode};
use syntax::TextRange;
use types::Value;

use super::findings::error;
use super::schema::{self, is_plugin_reference};
use crate::{Diagnostic, FixData};

/// Version of the format.
const VERSION: i64 = 2;

pub(super) fn check(root: &DataNode, found: &mut Vec<Diagnostic>) {
    schema::check("inventory.yaml", root, found);
    if let Some(version) = root.entry("version")
        && matches!(version.value.value, Value::Integer(number) if number != VERSION)
    {
        let message = codes::with_help("unsupported version of the inventory", format!("use `{VERSION}`"));
        found.push(error(version.value.range, message));
    }
    let mut names = InventoryNames::default();
    names.group(root, true, found);
    names.conflicts(found);
}

/// Names of groups and targets, with their locations.
#[derive(Default)]
struct InventoryNames<'d> {
    groups: Vec<(&'d str, TextRange)>,
    targets: Vec<(&'d str, TextRange)>,
    /// Each with the target that has it.
    aliases: Vec<(&'d str, TextRange, &'d str)>,
}

impl<'d> InventoryNames<'d> {
    fn group(&mut self, group: &'d DataNode, is_top: bool, found: &mut Vec<Diagnostic>) {
        if !matches!(group.content, Content::Mapping(_)) || is_plugin_reference(group) {
            return;
        }
        match group.entry("name").map(|it| &it.value) {
            Some(name) if !is_top => {
                if let Some(text) = name.value.as_str() {
                    found.extend(illegal_character("group name", text, name.range));
                    self.groups.push((text, name.range));
                }
            }
            None if !is_top => {
                let start = TextRange::new(group.range.start, group.range.start + 1);
                found.push(error(start, "missing `name` of a group"));
            }
            _ => {}
        }
        if let Some(nodes) = group.entry("nodes") {
            let message = codes::with_help("`nodes` was removed from the inventory", "write `targets`");
            found.retain(|it| it.range != nodes.key.range);
            let fix = FixData::ReplaceWith { range: nodes.key.range, text: "targets".into() };
            found.push(error(nodes.key.range, message).with_data(fix));
        }
        let targets = group.entry("targets").map_or(&[][..], |it| it.value.elements());
        for target in targets.iter().filter(|it| !is_plugin_reference(it)) {
            self.target(target, found);
        }
        let groups = group.entry("groups").map_or(&[][..], |it| it.value.elements());
        groups.iter().for_each(|it| self.group(it, false, found));
    }

    fn target(&mut self, target: &'d DataNode, found: &mut Vec<Diagnostic>) {
        // A string may be the name or an alias of a target elsewhere.
        if !matches!(target.content, Content::Mapping(_)) {
            return;
        }
        let Some(name) = target.entry("name").or_else(|| target.entry("uri")) else {
            let start = TextRange::new(target.range.start, target.range.start + 1);
            found.push(error(start, "missing `name` or `uri` of a target"));
            return;
        };
        let Some(text) = name.value.value.as_str() else { return };
        if !text.is_ascii() {
            found.push(error(
                name.value.range,
                format!("target name `{text}` has characters outside of ASCII"),
            ));
        }
        self.targets.push((text, name.value.range));
        let Some(alias) = target.entry("alias").map(|it| &it.value) else { return };
        let aliases = match &alias.content {
            Content::Sequence(elements) => elements,
            _ => std::slice::from_ref(alias),
        };
        for alias in aliases {
            let Some(name) = alias.value.as_str() else { continue };
            found.extend(illegal_character("alias", name, alias.range));
            self.aliases.push((name, alias.range, text));
        }
    }

    /// Reports names that Bolt cannot tell apart. A target may be in several groups.
    fn conflicts(&self, found: &mut Vec<Diagnostic>) {
        for (index, (name, range)) in self.groups.iter().enumerate() {
            let earlier = self.groups[..index].iter().find(|(other, _)| other == name);
            if let Some((_, first)) = earlier {
                let finding = error(*range, format!("duplicate group `{name}`"));
                found.push(finding.with_related(*first, "first declared here"));
            } else if let Some((_, target)) = self.targets.iter().find(|(other, _)| other == name) {
                let finding = error(*range, format!("group `{name}` has the name of a target"));
                found.push(finding.with_related(*target, "target"));
            }
        }
        for (index, (alias, range, target)) in self.aliases.iter().enumerate() {
            let earlier = self.aliases[..index].iter().find(|it| it.0 == *alias && it.2 != *target);
            let others = || self.groups.iter().chain(&self.targets).map(|it| (it.0, it.1));
            let other = earlier.map(|it| it.1).or_else(|| others().find(|it| it.0 == *alias).map(|it| it.1));
            if let Some(other) = other {
                let finding = error(*range, format!("alias `{alias}` is already in use"));
                found.push(finding.with_related(other, "first used here"));
            }
        }
    }
}

fn illegal_character(noun: &str, name: &str, range: TextRange) -> Option<Diagnostic> {
    let is_illegal = name.contains(|it: char| it.is_whitespace() || it == ',');
    is_illegal.then(|| error(range, format!("{noun} `{name}` contains whitespace or a comma")))
}
