//! Properties of nodes that compiles read, to share results between nodes that agree in them.

use compile::CompileRequest;

use crate::{Analysis, Cancellable, EnvironmentId};

/// Property of a node that a compile has read.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct NodeProperty(pub(crate) compile::NodeRead);

/// Values of the properties of a node that a compile may read.
#[derive(Debug)]
pub struct NodeProperties(compile::NodeValues);

impl NodeProperties {
    /// Writes the value of a property. Two values have the same text only if no code can distinguish them.
    pub fn write(&self, read: &NodeProperty, text: &mut String) {
        self.0.write(&read.0, text);
    }

    /// Returns a request that uses these properties, and whose compile records what it reads.
    pub fn recorded(&self, request: &CompileRequest) -> CompileRequest {
        let variables = Some(self.0.variables.clone());
        CompileRequest { records_reads: true, variables, ..request.clone() }
    }
}

impl Analysis {
    /// Returns the properties of the node of a request, to compare them with those that a compile has read.
    pub fn node_properties(
        &self,
        environment: EnvironmentId,
        request: &CompileRequest,
    ) -> Cancellable<NodeProperties> {
        self.read(|db| NodeProperties(compile::NodeValues::new(db, environment.0, request)))
    }
}
