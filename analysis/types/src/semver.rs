#[derive(Clone, PartialEq, Eq, Hash, Debug)] pub struct Version; #[derive(Clone, PartialEq, Eq, Hash, Debug)] pub struct VersionRange;
