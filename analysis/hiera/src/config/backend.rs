//! Backends: what provides the data of a hierarchy level.

use smol_str::SmolStr;

use crate::data::DataFormat;

/// Source of the data of a hierarchy level.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Backend {
    /// Plain files (`yaml_data`, `json_data`, and `hocon_data`).
    Files(DataFormat),
    /// YAML files with encrypted values (`eyaml_lookup_key`).
    Eyaml,
    /// Function of a module.
    Function { kind: DataFunctionKind, name: SmolStr },
    /// Hiera 3 backend of a name.
    Hiera3(SmolStr),
}

/// Kind of a function that provides data.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum DataFunctionKind {
    /// Returns all data of a file at once.
    DataHash,
    /// Returns all data without being passed anything (`v4_data_hash`).
    LegacyDataHash,
    /// Returns the value of one key.
    LookupKey,
    /// Returns the value of one key and digs into it.
    DataDig,
}

impl Backend {
    /// Returns the backend of a function that a hierarchy entry names.
    pub(super) fn of_function(kind: DataFunctionKind, name: &str) -> Backend {
        match (kind, name) {
            (DataFunctionKind::DataHash, "yaml_data") => Backend::Files(DataFormat::Yaml),
            (DataFunctionKind::DataHash, "json_data") => Backend::Files(DataFormat::Json),
            (DataFunctionKind::DataHash, "hocon_data") => Backend::Files(DataFormat::Hocon),
            (DataFunctionKind::LookupKey, "eyaml_lookup_key") => Backend::Eyaml,
            _ => Backend::Function { kind, name: name.into() },
        }
    }

    /// Returns the backend that versions 3 and 4 call by a name, if Puppet itself has it.
    pub(super) fn of_older_name(name: &str) -> Option<Backend> {
        Some(Backend::Files(match name {
            "yaml" => DataFormat::Yaml,
            "json" => DataFormat::Json,
            "hocon" => DataFormat::Hocon,
            _ => return None,
        }))
    }

    /// Returns the format of the files that Hiera reads for the backend; `None` for functions of modules and
    /// backends of Hiera 3.
    pub fn file_format(&self) -> Option<DataFormat> {
        match self {
            Backend::Files(format) => Some(*format),
            Backend::Eyaml => Some(DataFormat::Yaml),
            Backend::Function { .. } | Backend::Hiera3(_) => None,
        }
    }

    /// Returns the name of the function, or of the backend of Hiera 3.
    pub fn name(&self) -> &str {
        match self {
            Backend::Files(DataFormat::Yaml) => "yaml_data",
            Backend::Files(DataFormat::Json) => "json_data",
            Backend::Files(DataFormat::Hocon) => "hocon_data",
            Backend::Eyaml => "eyaml_lookup_key",
            Backend::Function { name, .. } | Backend::Hiera3(name) => name,
        }
    }

    /// Returns true if all data are returned at once.
    pub fn is_data_hash(&self) -> bool {
        matches!(
            self,
            Backend::Files(_)
                | Backend::Function {
                    kind: DataFunctionKind::DataHash | DataFunctionKind::LegacyDataHash,
                    ..
                }
        )
    }
}
