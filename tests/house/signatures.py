"""Public signatures of `ide`: plain structs, without types of the crates that evaluate code.

PASSED has the types of these crates that `ide` still takes or returns; the list may only shrink.
"""

import re

# Crates whose types stay below `ide`.
HIDDEN = ("compile", "eval", "functions", "hiera", "hir", "reachability", "ruby", "salsa", "types")
PASSED = {
    "compile::CompileRequest",
    "compile::FileReader",
    "compile::NodeRead",
    "compile::NodeValues",
    "eval::Catalog",
    "eval::ExprPlace",
    "eval::STACK_SIZE",
    "hiera::lookup::Explanation",
    "hiera::lookup::LayerLocations",
    "hiera::merge::Answer",
    "hir::DefinitionKind",
    "hir::Name",
    "types::Value",
}
ITEM = re.compile(r"^ *pub (?:(?:const |async |unsafe )*fn|type|const|static|use) [^;{]*(?:[;{])|^ +pub \w+: [^\n]*,$", re.M)
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
        for item in ITEM.findall(text):
            named = re.findall(rf"(?<![\w:])(?:{'|'.join(HIDDEN)})(?:::\w+)+", item)
            named += [leaf for name, leaf in hidden.items() if re.search(rf"(?<![\w:.]){name}\b(?!:[^:])", item)]
            used |= set(named)
            for name in sorted(set(named) - PASSED):
                yield f"{path.relative_to(root)}: `{' '.join(item.split())[:80]}` names {name}"
    yield from (f"ide no longer names {it}; remove it from PASSED" for it in sorted(PASSED - used))
