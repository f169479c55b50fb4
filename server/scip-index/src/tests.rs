use super::*;

#[test]
fn symbols_follow_the_grammar_of_the_format() {
    let local = SymbolName::Local { id: "7".to_owned(), name: "x".to_owned() };
    let global = |module: Option<&str>, owner: Option<(SymbolKind, &str)>, kind, name: &str| {
        let owner = owner.map(|(kind, name)| (kind, name.to_owned()));
        SymbolName::Global { module: module.map(str::to_owned), owner, kind, name: name.to_owned() }
    };
    for (name, expected) in [
        (local, "local 7"),
        (
            global(Some("profile"), Some((SymbolKind::Class, "profile::web")), SymbolKind::Parameter, "port"),
            "puppet-analyzer puppet profile . class/`profile::web`#port.",
        ),
        (
            global(Some("profile"), None, SymbolKind::Class, "profile::web"),
            "puppet-analyzer puppet profile . class/`profile::web`#",
        ),
    ] {
        assert_eq!(scip::symbol::format_symbol(symbol(&name)), expected);
    }
}
