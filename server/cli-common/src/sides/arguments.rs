//! Options for one side of a comparison.

use std::path::{Path, PathBuf};

use super::classifier::{ClassifierArguments, ClassifierProgram, ClassifierSource, NodeClassifier};
use super::compared_side::ComparedSide;
use super::overrides::OverrideArguments;
use crate::subject::{
    Classification, NodeArguments, ProjectArguments, extension, extensions_of, read_classification,
};
use crate::workspace::split_paths;

/// Options for one side of a comparison.
#[derive(clap::Args, Debug)]
pub struct SideArguments {
    /// Module folders before the change, instead of those of `--modulepath` or of the environment
    #[arg(long, value_name = "PATHS", conflicts_with = "base_modulepath_dir")]
    base_modulepath: Option<String>,

    /// Module folders after the change, instead of those of `--modulepath` or of the environment
    #[arg(long, value_name = "PATHS")]
    head_modulepath: Option<String>,

    /// Global `hiera.yaml` before the change
    #[arg(long, value_name = "FILE", alias = "from-hiera-config")]
    base_hiera_config: Option<PathBuf>,

    /// Global `hiera.yaml` after the change
    #[arg(long, value_name = "FILE", alias = "to-hiera-config")]
    head_hiera_config: Option<PathBuf>,

    /// Like `--trusted`, but only before the change
    #[arg(long, value_name = "NAME=VALUE", value_parser = extension)]
    base_trusted: Vec<(String, String)>,

    /// Like `--trusted`, but only after the change
    #[arg(long, value_name = "NAME=VALUE", value_parser = extension)]
    head_trusted: Vec<(String, String)>,

    #[command(flatten)]
    classifiers: ClassifierArguments,

    #[command(flatten)]
    pub overrides: OverrideArguments,
}

impl SideArguments {
    /// Returns the project of a side.
    pub fn project(&self, common: &ProjectArguments, side: ComparedSide) -> ProjectArguments {
        let mut project = common.clone();
        if let Some(paths) = side.choose(&self.base_modulepath, &self.head_modulepath) {
            project.modulepath = Some(paths.clone());
            project.has_earlier_modules = side == ComparedSide::Base;
            // A module path without an environment has no manifests.
            project.environment.get_or_insert_with(|| PathBuf::from("."));
        }
        if let Some(file) = side.choose(&self.base_hiera_config, &self.head_hiera_config) {
            project.hiera_config = Some(file.clone());
        }
        project
    }

    /// Returns true if the module path of a side replaces that of the environment.
    pub fn has_modulepath(&self) -> bool {
        self.base_modulepath.is_some() || self.head_modulepath.is_some()
    }

    /// Returns the module folders that are only for the side before the change.
    pub fn base_modules(&self) -> impl Iterator<Item = &str> {
        self.base_modulepath.iter().flat_map(|paths| split_paths(paths))
    }

    /// Creates the classifiers before and after the change. `enc_dir` is the folder with the output for each node.
    ///
    /// # Errors
    /// Fails if a file or folder cannot be read.
    pub fn classifiers(
        &self,
        facts: &NodeArguments,
        enc_dir: Option<&Path>,
    ) -> anyhow::Result<(NodeClassifier<'_>, NodeClassifier<'_>)> {
        let ClassifierArguments {
            base_enc,
            head_enc,
            base_enc_dir,
            head_enc_dir,
            enc_command,
            base_enc_command,
            head_enc_command,
        } = &self.classifiers;
        // Both sides share the outputs of a program.
        let common_program = enc_command.as_deref().map(ClassifierProgram::new).transpose()?;
        let of_side = |side: ComparedSide| {
            let own_file = side.choose(base_enc, head_enc).as_deref();
            let folder = side.choose(base_enc_dir, head_enc_dir).as_deref();
            let program = side.choose(base_enc_command, head_enc_command).as_deref();
            let source = match (own_file, folder, program) {
                (Some(_), ..) => ClassifierSource::Common,
                (_, Some(folder), _) => ClassifierSource::Folder(folder.to_owned()),
                (.., Some(program)) => ClassifierSource::Program(ClassifierProgram::new(program)?),
                (None, None, None) => match (enc_dir, &common_program) {
                    (Some(folder), _) => ClassifierSource::Folder(folder.to_owned()),
                    (None, Some(program)) => ClassifierSource::Program(program.clone()),
                    (None, None) => ClassifierSource::Common,
                },
            };
            let extensions = facts.trusted.iter().chain(side.choose(&self.base_trusted, &self.head_trusted));
            let extensions = extensions_of(extensions);
            let file =
                own_file.or(facts.enc.as_deref()).filter(|_| matches!(source, ClassifierSource::Common));
            let mut common = match file {
                Some(file) => read_classification(file, extensions)?,
                None => Classification { trusted_extensions: extensions, ..Classification::default() },
            };
            self.overrides.classify(&mut common, side)?;
            anyhow::Ok(NodeClassifier { common, source, overrides: &self.overrides, side })
        };
        Ok((of_side(ComparedSide::Base)?, of_side(ComparedSide::Head)?))
    }
}
