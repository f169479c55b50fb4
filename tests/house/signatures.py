"""Public signatures of `ide`: plain structs, without types of the crates that evaluate code.

PASSED has the types of these crates that `ide` still takes, returns, or re-exports, each with the reason; the list may only
shrink.
"""

import re

# Crates whose types stay below `ide`.
HIDDEN = ("compile", "eval", "functions", "hiera", "hir", "reachability", "ruby", "salsa", "types")
PASSED = {
    "compile::CompileRequest": "plain input that callers fill in; a second struct would repeat its 18 fields",
    "compile::ExplainedLookup": "plain data of `hiera`, a crate without queries; `hiera-view` formats it",
    "compile::FileReader": "trait that callers implement, for files that are not part of the project",
    "eval::Catalog": "plain result with thousands of resources, which a conversion would copy for each node of a fleet",
    "eval::ExprPlace": "opaque location in a catalog, resolved by `Analysis::location_of`",
    "hiera::lookup::LayerLocations": "plain data of a crate without queries; `hiera-view` formats it",
    "reachability::FactTable": "plain input: facts of the nodes of a fleet",
    "reachability::ItemKind": "plain enum with the names of the kinds",
    "reachability::ReachabilityRoots": "plain input that callers fill in",
    "reachability::UseVerdict": "plain enum",
    "types::Value": "the values of Puppet, of which facts, data, and catalogs consist",
}
ITEM = re.compile(r"^ *pub (?:(?:const |async |unsafe )*fn|type|const|static) [^;{]*(?:[;{])|^ +pub \w+: [^\n]*,$", re.M)
USE = re.compile(r"^use ([^;]*);", re.M)


def problems(root, leaves):
    """Yields public signatures that name a type of a hidden crate. `leaves` lists the paths of a `use` tree."""
    used = set()
    for path in sorted((root / "analysis/ide/src").rglob("*.rs")):
        if path.name == "tests.rs" or path.name.endswith("_tests.rs"):
            continue
        text = re.sub(r"//[^\n]*", "", path.read_text())
        hidden = {}
        for tree in USE.findall(text):
            for leaf in leaves(tree):
                if leaf.split("::")[0] in HIDDEN:
                    hidden[re.split(r"::| as ", leaf)[-1]] = leaf
        for item in ITEM.findall(text) + re.findall(r"^pub use [^;]*;", text, re.M):
            # The value of a constant is not part of its signature.
            item = item.split(" = ")[0]
            if item.startswith("pub use "):
                named = [it for it in leaves(item.removeprefix("pub use ")[:-1]) if it.split("::")[0] in HIDDEN]
            else:
                named = re.findall(rf"(?<![\w:])(?:{'|'.join(HIDDEN)})(?:::\w+)+", item)
            named += [leaf for name, leaf in hidden.items() if re.search(rf"(?<![\w:.]){name}\b(?!:[^:])", item)]
            used |= set(named)
            for name in sorted(set(named) - PASSED.keys()):
                yield f"{path.relative_to(root)}: `{' '.join(item.split())[:80]}` names {name}"
    yield from (f"ide no longer names {it}; remove it from PASSED" for it in sorted(PASSED.keys() - used))
