//! Names of the server commands, which clients send with `workspace/executeCommand`.

/// Shows the catalog of a class. The argument is optional, as for all commands that show something; by
/// default, they use the position of the last request.
pub(crate) const SHOW_CATALOG: &str = "puppet.showCatalog";
pub(crate) const SHOW_GRAPH: &str = "puppet.showGraph";
pub(crate) const EVALUATE: &str = "puppet.evaluate";

pub(crate) const ADD_DEPENDENCY: &str = "puppet-analyzer.addDependency";

/// All server commands.
pub(crate) const COMMANDS: [&str; 4] = [ADD_DEPENDENCY, SHOW_CATALOG, SHOW_GRAPH, EVALUATE];
