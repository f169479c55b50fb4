//! Environments: their modules and data, and compiles of their nodes and classes.

use std::sync::atomic::{AtomicUsize, Ordering};

use compile::{ANY_NODE, NodeHost, PartCompile};
use syntax::TextRange;

use crate::compiled::environment_overview;
use crate::{
    Analysis, Cancellable, ClassCatalog, ClassStatus, Compiled, EnvironmentId, EnvironmentOverview, FileId,
    FilePath, ModuleClass, STACK_SIZE, ShownFact, SourceLocation, class_catalogs, compiled,
};

/// A matcher in the head of a node definition.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NodeMatcher {
    /// Source text; a pattern is enclosed in slashes.
    pub written: String,
    /// Name of a matching node; `None` for a pattern without an obvious example.
    pub node: Option<String>,
    /// True if the name was made up to match a pattern.
    pub is_invented: bool,
    /// True without node definitions, so that the main manifest applies to every node.
    pub is_any: bool,
}

/// A compile that diagnostics of files need.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NeededPart {
    pub environment: EnvironmentId,
    pub(crate) part: PartCompile,
}

impl Analysis {
    /// Returns the environments by folder. The environment for files outside of all other environments comes
    /// first.
    pub fn environments(&self) -> Vec<EnvironmentId> {
        self.environments.to_vec()
    }

    /// Returns the root folder of an environment; `None` for the environment of files that are in no other
    /// one.
    pub fn environment_root(&self, environment: EnvironmentId) -> Option<FilePath> {
        environment.0.root(&self.db).clone()
    }

    /// Returns whether an environment has a main manifest.
    pub fn has_main_manifest(&self, environment: EnvironmentId) -> bool {
        !environment.0.main_manifests(&self.db).is_empty()
    }

    /// Returns whether a resource type is implemented in Ruby or built into Puppet.
    pub fn has_native_type(&self, environment: EnvironmentId, name: &str) -> Cancellable<bool> {
        self.read(|db| project::native_type_exists(db, &[environment.0], name))
    }

    /// Returns the names and root folders of the modules of an environment, by name. The environment's own
    /// files are the module `environment`.
    pub fn modules(&self, environment: EnvironmentId) -> Vec<(String, FilePath)> {
        let modules = environment.0.modules(&self.db).iter();
        modules.map(|(name, tree)| (name.to_string(), tree.root(&self.db).clone())).collect()
    }

    /// Returns the root folder of a module of an environment.
    pub fn module_root(&self, environment: EnvironmentId, module: &str) -> Option<FilePath> {
        environment.0.modules(&self.db).get(module).map(|tree| tree.root(&self.db).clone())
    }

    /// Returns the modules in the `Puppetfile` of an environment: their names, and their versions and
    /// options.
    pub fn puppetfile_modules(&self, environment: EnvironmentId) -> Cancellable<Vec<(String, String)>> {
        self.read(|db| compiled::puppetfile_modules(db, environment))
    }

    /// Returns the modules of an environment, those that are missing, and its nodes. Checks files that have not
    /// been checked yet.
    pub fn environment_overview(&self, environment: EnvironmentId) -> Cancellable<EnvironmentOverview> {
        self.read(|db| environment_overview::overview(db, environment.0))
    }

    /// Returns the facts of one of the fact sets of an environment by name; `None` if there is no such set.
    pub fn facts(&self, environment: EnvironmentId, fact_set: &str) -> Cancellable<Option<Vec<ShownFact>>> {
        self.read(|db| environment_overview::facts(db, environment.0, fact_set))
    }

    /// Returns the names of the classes that an environment defines, sorted.
    pub fn classes(&self, environment: EnvironmentId) -> Cancellable<Vec<String>> {
        self.read(|db| compile::classes_of(db, environment.0).iter().map(ToString::to_string).collect())
    }

    /// Returns the hosts of the node definitions in an environment's main manifest, in order.
    pub fn nodes(&self, environment: EnvironmentId) -> Cancellable<Vec<NodeMatcher>> {
        let matcher = |it: NodeHost| NodeMatcher {
            is_any: it.written == ANY_NODE,
            written: it.written,
            node: it.node.map(|name| name.to_string()),
            is_invented: it.is_invented,
        };
        self.read(|db| compile::node_hosts(db, environment.0).iter().cloned().map(matcher).collect())
    }

    /// Returns the classes of a module file, or the nodes of a main manifest, whose compile is inconclusive,
    /// with descriptions of the parts that were not evaluated. Compiles what has not been compiled yet.
    pub fn inconclusive_compiles(&self, file: FileId) -> Cancellable<Vec<(String, Vec<String>)>> {
        self.read(|db| class_catalogs::inconclusive_compiles(db, file.0))
    }

    /// Compiles a catalog of an environment.
    pub fn compile(
        &self,
        environment: EnvironmentId,
        request: &compile::CompileRequest,
        reader: Option<&dyn compile::FileReader>,
    ) -> Cancellable<Compiled> {
        self.read(|db| compiled::compile(db, environment, request, reader))
    }

    /// Compiles a catalog of an environment and distinguishes failures from inconclusive results. Ignores the
    /// request's `is_incomplete`.
    pub fn compile_with_verdict(
        &self,
        environment: EnvironmentId,
        request: &compile::CompileRequest,
        reader: Option<&dyn compile::FileReader>,
    ) -> Cancellable<Compiled> {
        self.read(|db| compiled::compile_with_verdict(db, environment, request, reader))
    }

    /// Returns the classes of a module file with the ranges of their names, by position.
    pub fn classes_of_file(&self, file: FileId) -> Cancellable<Vec<(ModuleClass, TextRange)>> {
        self.read(|db| class_catalogs::classes_of_file(db, file.0))
    }

    /// Returns the node definitions of a file with the ranges of their hosts, named as in their
    /// [`ClassStatus`].
    pub fn nodes_of_file(&self, file: FileId) -> Cancellable<Vec<(String, TextRange)>> {
        self.read(|db| class_catalogs::nodes_of_file(db, file.0))
    }

    /// Returns the module class that contains `offset`. Outside of all definitions, returns the only class of
    /// the file, if there is exactly one.
    pub fn class_around(&self, file: FileId, offset: u32) -> Cancellable<Option<ModuleClass>> {
        self.read(|db| class_catalogs::class_around(db, file.0, offset))
    }

    /// Resolves the name of a module class in an environment.
    pub fn class_named(&self, environment: EnvironmentId, name: &str) -> Cancellable<Option<ModuleClass>> {
        self.read(|db| class_catalogs::class_named(db, environment, name))
    }

    /// Returns the environments that a file belongs to. Its names are resolved in the first one.
    pub fn environments_of(&self, file: FileId) -> Vec<EnvironmentId> {
        file.0.environments(&self.db).iter().copied().map(EnvironmentId).collect()
    }

    /// Returns the location of the name in the class header.
    pub fn head_of_class(&self, class: &ModuleClass) -> Cancellable<Option<(FileId, TextRange)>> {
        self.read(|db| class_catalogs::head(db, class).map(|(file, range)| (FileId(file), range)))
    }

    /// Returns the names of the platforms that a class can be compiled for.
    pub fn platforms_of_class(&self, class: &ModuleClass) -> Cancellable<Vec<String>> {
        self.read(|db| class_catalogs::platforms(db, class))
    }

    /// Compiles a class as its users would declare it, for `platform`, or for the first platform of the
    /// module if `None`, and for `node` if given. Returns `None` if the module does not support the platform.
    pub fn class_catalog(
        &self,
        class: &ModuleClass,
        platform: Option<&str>,
        node: Option<&str>,
        reader: Option<&dyn compile::FileReader>,
    ) -> Cancellable<Option<ClassCatalog>> {
        self.read(|db| class_catalogs::catalog(db, class, platform, node, reader))
    }

    /// Returns the amount of work needed to evaluate each definition of a file separately.
    pub fn evaluation_work(&self, file: FileId) -> Cancellable<u64> {
        self.read(|db| compile::summary_work(db, file.0))
    }

    /// Returns the work limit for all compiles of an environment in one run.
    pub fn work_limit(&self, environment: EnvironmentId) -> Cancellable<u64> {
        self.read(|db| compile::work_limit(db, environment.0))
    }

    /// Returns the parts to compile for several files, without duplicates, in the order of the files.
    pub fn parts_of_files(&self, files: &[FileId]) -> Cancellable<Vec<NeededPart>> {
        let parts = self.read(|db| compile::parts_of_files(db, files.iter().map(|file| file.0)))?;
        let needed = |(environment, part)| NeededPart { environment: EnvironmentId(environment), part };
        Ok(parts.into_iter().map(needed).collect())
    }

    /// Returns the amount of work that compiling a part takes. Compiles it, unless the result is cached.
    pub fn part_work(&self, needed: &NeededPart) -> Cancellable<u64> {
        self.read(|db| compile::part_work(db, needed.environment.0, &needed.part))
    }

    /// Compiles, with several threads, everything that queries about the catalogs of a file's module or of
    /// the nodes need, so that these queries return immediately afterwards.
    pub fn compile_ahead(&self, file: FileId, threads: usize) -> Cancellable<()> {
        let parts = self.read(|db| check::compiles_ahead(db, file.0))?;
        let next = AtomicUsize::new(0);
        let (parts, next) = (&parts, &next);
        let work = |analysis: Analysis| -> Cancellable<()> {
            while let Some((environment, part)) = parts.get(next.fetch_add(1, Ordering::Relaxed)) {
                analysis.read(|db| compile::part_work(db, *environment, part))?;
            }
            Ok(())
        };
        std::thread::scope(|scope| {
            let start = |_| {
                let is_cancelled = self.is_cancelled.clone();
                let analysis = Analysis { is_cancelled, ..self.clone() };
                let thread = std::thread::Builder::new().stack_size(STACK_SIZE);
                thread.spawn_scoped(scope, || work(analysis)).ok()
            };
            let workers: Vec<_> = (0..threads.min(parts.len())).filter_map(start).collect();
            let ends = workers.into_iter().map(|worker| worker.join());
            // Join all workers before propagating an error.
            let ends: Vec<_> = ends.collect();
            ends.into_iter().try_for_each(|end| end.unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
        })
    }

    /// Returns the compile results of the classes of a module file on the supported platforms. Classes that
    /// refuse to be declared on their own are left out. Compiles what has not been compiled yet, so it may
    /// take long.
    pub fn class_statuses(&self, file: FileId) -> Cancellable<Vec<ClassStatus>> {
        self.read(|db| class_catalogs::statuses(db, file.0))
    }

    /// Looks up keys in an environment's Hiera data for a node, and explains the results. An error is
    /// Puppet's error message.
    pub fn look_up(
        &self,
        environment: EnvironmentId,
        request: &compile::CompileRequest,
        keys: &[&str],
        merge: Option<&types::Value>,
        reader: Option<&dyn compile::FileReader>,
    ) -> Cancellable<Vec<compile::ExplainedLookup>> {
        self.read(|db| compile::look_up_keys(db, environment.0, request, keys, merge, reader))
    }

    /// Returns the locations that lookups on the node of a request search, by layer.
    pub fn data_locations(
        &self,
        environment: EnvironmentId,
        request: &compile::CompileRequest,
        reader: Option<&dyn compile::FileReader>,
    ) -> Cancellable<Vec<hiera::lookup::LayerLocations>> {
        self.read(|db| compile::data_locations(db, environment.0, request, reader))
    }

    /// Returns the keys in the data of an environment and its modules.
    pub fn data_keys(&self, environment: EnvironmentId) -> Cancellable<Vec<String>> {
        self.read(|db| project::data_key_index(db, environment.0).keys().map(ToString::to_string).collect())
    }

    /// Returns the range of a key in a data file; `key` may have a path into its value.
    pub fn data_key_range(&self, file: FileId, key: &str) -> Cancellable<Option<TextRange>> {
        self.read(|db| project::data_key_location(db, file.0, key).map(|it| it.key_range))
    }

    /// Returns whether `lookup_options` or the type of a parameter mark the values of a key as sensitive.
    pub fn is_secret_key(&self, environment: EnvironmentId, key: &str) -> Cancellable<bool> {
        self.read(|db| symbols::hiera_data::is_secret(db, environment.0, key))
    }

    /// Returns the location of an expression of a compile; `None` for expressions that the compiler adds.
    pub fn location_of(
        &self,
        compiled: &Compiled,
        place: eval::ExprPlace,
    ) -> Cancellable<Option<SourceLocation>> {
        self.read(|db| compiled.locate(db, place))
    }
}
