//! Keys of `$facts`, `$trusted` and `$server_facts`.

use plugins::built_in::{self, Fact};
use syntax::ast::{self, AccessOrCallArgument, Expr};
use syntax::{AstNode, SyntaxNode};
use validation::VersionDifference;

use crate::CompletionRequest;
use crate::item::{CompletionItem, CompletionKind, quoted};

/// Variables with known keys.
const TREES: &[&str] = &["facts", "trusted", "server_facts"];

/// Returns true for a variable with known keys.
pub(crate) fn is_tree(variable: &str) -> bool {
    TREES.contains(&variable)
}

pub(crate) fn keys(request: &CompletionRequest<'_>, variable: &str, keys: &[String]) -> Vec<CompletionItem> {
    let in_quotes = request.context.in_quotes;
    let outdated = lacks_legacy_facts(request);
    let custom = if variable == "facts" && keys.is_empty() { custom(request, in_quotes) } else { Vec::new() };
    let parts = parts(variable, keys).iter().filter(|fact| !fact.name.contains(['*', '#']));
    parts
        .map(|fact| {
            let owner = keys.iter().fold(variable.to_owned(), |path, key| format!("{path}.{key}"));
            CompletionItem::new(CompletionKind::Fact, fact.name.to_string())
                .text(quoted(&fact.name, in_quotes))
                .detail(fact.type_text.to_string())
                .owner(owner)
                .deprecated(fact.is_legacy && outdated)
                .tier(if fact.is_legacy { 3 } else { 0 })
        })
        .chain(custom)
        .collect()
}

/// Returns the facts that the path in an argument may name: `fact('os.family')`, `$facts.get('os.family')`,
/// `$facts.dig('os', 'family')` and `getvar('facts.os.family')`; `None` for other arguments.
pub(crate) fn paths_in_argument(
    request: &CompletionRequest<'_>,
    function: &str,
    index: usize,
    earlier: &[String],
    receiver: Option<&SyntaxNode>,
) -> Option<Vec<CompletionItem>> {
    let typed = request.context.typed.as_str();
    let variable = receiver.and_then(|it| ast::VariableExpr::cast(it.clone())).and_then(|it| it.name());
    let variable = variable.as_deref().map(|it| it.trim_start_matches("::")).filter(|it| is_tree(it));
    match (function, index, variable) {
        ("fact", 0, None) => Some(path(request, "", "facts", typed)),
        ("get", 1, Some(variable)) => Some(path(request, "", variable, typed)),
        ("dig", 1.., Some(variable)) => Some(keys(request, variable, earlier.get(..index - 1)?)),
        ("getvar", 0, None) => match typed.split_once('.') {
            Some((variable, rest)) if is_tree(variable) => {
                Some(path(request, &format!("{variable}."), variable, rest))
            }
            Some(_) => None,
            None => {
                let item = |name: &str| {
                    let text = quoted(name, request.context.in_quotes);
                    CompletionItem::new(CompletionKind::Variable, name).text(text).owner("puppet").tier(0)
                };
                Some(TREES.iter().copied().map(item).collect())
            }
        },
        _ => None,
    }
}

/// Returns the facts that may continue a path with dots, which follows `prefix`.
fn path(request: &CompletionRequest<'_>, prefix: &str, variable: &str, typed: &str) -> Vec<CompletionItem> {
    let (parent, _) = typed.rsplit_once('.').unwrap_or_default();
    let parents: Vec<String> = parent.split('.').filter(|it| !it.is_empty()).map(str::to_owned).collect();
    let before = if parents.is_empty() { prefix.to_owned() } else { format!("{prefix}{parent}.") };
    let complete = |item: CompletionItem| {
        let whole = format!("{before}{}", item.label);
        item.text(quoted(&whole, request.context.in_quotes)).filter(whole)
    };
    keys(request, variable, &parents).into_iter().map(complete).collect()
}

/// Returns the facts that modules define.
fn custom(request: &CompletionRequest<'_>, in_quotes: bool) -> Vec<CompletionItem> {
    let environments = request.file.environments(request.db).iter().copied();
    let all = environments.flat_map(|it| project::custom_facts(request.db, it));
    all.map(|(file, fact)| {
        let module = crate::environment::own_module(request.db, *file).unwrap_or_default();
        CompletionItem::new(CompletionKind::Fact, fact.name.to_string())
            .text(quoted(&fact.name, in_quotes))
            .detail(module.to_string())
            .owner("facts")
            .tier(1)
    })
    .collect()
}

/// Returns the facts that can be read as top-scope variables.
pub(crate) fn top_scope(request: &CompletionRequest<'_>) -> Vec<CompletionItem> {
    let outdated = lacks_legacy_facts(request);
    let facts = built_in::facts().iter().filter(|fact| !fact.name.contains(['*', '#']));
    facts
        .map(|fact| {
            CompletionItem::new(CompletionKind::Fact, fact.name.to_string())
                .detail(fact.type_text.to_string())
                .owner("facts")
                .deprecated(fact.is_legacy && outdated)
        })
        .chain(custom(request, true))
        .collect()
}

fn lacks_legacy_facts(request: &CompletionRequest<'_>) -> bool {
    let environment = request.file.environments(request.db).first();
    environment.is_none_or(|it| it.puppet_version(request.db).has(VersionDifference::LegacyFacts))
}

fn parts(variable: &str, keys: &[String]) -> &'static [Fact] {
    let mut parts = match variable {
        "facts" => built_in::facts(),
        _ => built_in::variable(variable).map_or(&[][..], |it| &it.parts),
    };
    for key in keys {
        let named = parts.iter().find(|it| it.name == *key);
        let Some(part) = named.or_else(|| parts.iter().find(|it| it.name == "*")) else { return &[] };
        parts = &part.parts;
    }
    parts
}

/// Returns the fact at a path such as `facts.os.family`.
pub(crate) fn find(owner: &str, name: &str) -> Option<&'static Fact> {
    let mut path = owner.split('.');
    let variable = path.next()?;
    let keys: Vec<String> = path.map(str::to_owned).collect();
    parts(variable, &keys).iter().find(|it| it.name == name)
}

/// Returns common values of a fact, for comparisons.
pub(crate) fn values_of(node: &SyntaxNode) -> &'static [&'static str] {
    let name = match Expr::cast(node.clone()) {
        Some(Expr::VariableExpr(variable)) => {
            variable.name().unwrap_or_default().trim_start_matches("::").to_owned()
        }
        Some(Expr::AccessExpr(access)) => access_path(&Expr::AccessExpr(access)).unwrap_or_default(),
        _ => return &[],
    };
    match &*name {
        "osfamily" | "facts.os.family" | "facts.osfamily" => OS_FAMILIES,
        "operatingsystem" | "facts.os.name" | "facts.operatingsystem" => OS_NAMES,
        "kernel" | "facts.kernel" => KERNELS,
        "architecture"
        | "hardwaremodel"
        | "facts.os.architecture"
        | "facts.os.hardware"
        | "facts.architecture"
        | "facts.hardwaremodel" => ARCHITECTURES,
        "service_provider" | "facts.service_provider" => {
            &["systemd", "upstart", "launchd", "openbsd", "freebsd"]
        }
        _ => &[],
    }
}

fn access_path(expr: &Expr) -> Option<String> {
    match expr {
        Expr::VariableExpr(variable) => Some(variable.name()?.trim_start_matches("::").to_owned()),
        Expr::AccessExpr(access) => {
            let keys = access.keys()?.arguments();
            let [AccessOrCallArgument::Expr(Expr::LiteralString(key))] = keys.as_slice() else { return None };
            Some(format!("{}.{}", access_path(&access.lhs()?)?, key.value()))
        }
        _ => None,
    }
}

const OS_FAMILIES: &[&str] = &[
    "Debian",
    "RedHat",
    "Suse",
    "Archlinux",
    "Gentoo",
    "Alpine",
    "FreeBSD",
    "OpenBSD",
    "NetBSD",
    "DragonFly",
    "Darwin",
    "Solaris",
    "AIX",
    "windows",
    "Linux",
];

const OS_NAMES: &[&str] = &[
    "Debian",
    "Ubuntu",
    "RedHat",
    "CentOS",
    "Rocky",
    "AlmaLinux",
    "OracleLinux",
    "Fedora",
    "Amazon",
    "Scientific",
    "SLES",
    "SLED",
    "OpenSuSE",
    "Archlinux",
    "Gentoo",
    "Alpine",
    "Raspbian",
    "LinuxMint",
    "VirtuozzoLinux",
    "XenServer",
    "FreeBSD",
    "OpenBSD",
    "NetBSD",
    "DragonFly",
    "Darwin",
    "Solaris",
    "AIX",
    "windows",
];

const KERNELS: &[&str] =
    &["Linux", "windows", "Darwin", "FreeBSD", "OpenBSD", "NetBSD", "SunOS", "AIX", "GNU/kFreeBSD"];

const ARCHITECTURES: &[&str] =
    &["amd64", "x86_64", "aarch64", "arm64", "i386", "x64", "x86", "ppc64le", "s390x", "armv7l"];
