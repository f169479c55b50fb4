//! Node classifiers: their output in a file for all nodes, in a folder with a file per node, or from a program that
//! the user names.

use std::borrow::Cow;
use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, mpsc};
use std::thread;
use std::time::Duration;

use anyhow::Context;
use fleet::container::hex;
use fleet::nodes::{digest_of_files, files_of_nodes};
use sha2::{Digest, Sha256};

use super::compared_side::ComparedSide;
use super::overrides::OverrideArguments;
use crate::files::display_path;
use crate::nodes::NOT_CLASSIFIED;
use crate::subject::{Classification, classification_of_output, read_classification};

/// Maximum time of a program for a node.
const PROGRAM_LIMIT: Duration = Duration::from_secs(60);

/// Maximum size of the output of a program in bytes.
const MAX_OUTPUT: usize = 16 << 20;

/// Maximum size of the error output of a program that is read, in bytes.
const MAX_ERRORS: usize = 4 << 10;

/// Description of the output of a program in messages.
const NODE_CLASSIFIER: &str = "output of the node classifier";

/// Options for node classifiers.
#[derive(clap::Args, Debug)]
pub(super) struct ClassifierArguments {
    /// Like `--enc`, but only before the change
    #[arg(long, value_name = "FILE", conflicts_with_all = ["base_enc_dir", "base_enc_command"])]
    pub(super) base_enc: Option<PathBuf>,

    /// Like `--enc`, but only after the change
    #[arg(long, value_name = "FILE", conflicts_with_all = ["head_enc_dir", "head_enc_command"])]
    pub(super) head_enc: Option<PathBuf>,

    /// Like `--enc-dir`, but only before the change
    #[arg(long, value_name = "FOLDER", requires = "node_set", conflicts_with = "base_enc_command")]
    pub(super) base_enc_dir: Option<PathBuf>,

    /// Like `--enc-dir`, but only after the change
    #[arg(long, value_name = "FOLDER", requires = "node_set", conflicts_with = "head_enc_command")]
    pub(super) head_enc_dir: Option<PathBuf>,

    /// External node classifier: a program that is run with the name of each node and prints YAML
    #[arg(long, value_name = "PROGRAM", requires = "node_set", conflicts_with_all = ["enc", "enc_dir"])]
    pub(super) enc_command: Option<PathBuf>,

    /// Like `--enc-command`, but only before the change
    #[arg(long, value_name = "PROGRAM", requires = "node_set")]
    pub(super) base_enc_command: Option<PathBuf>,

    /// Like `--enc-command`, but only after the change
    #[arg(long, value_name = "PROGRAM", requires = "node_set")]
    pub(super) head_enc_command: Option<PathBuf>,
}

/// Source of the classification of each node.
#[derive(Clone)]
pub(super) enum ClassifierSource {
    /// The same for all nodes.
    Common,
    Folder(PathBuf),
    Program(Arc<ClassifierProgram>),
}

/// Classifier of the nodes on one side.
pub struct NodeClassifier<'a> {
    /// Classification of nodes without one of their own.
    pub common: Classification,
    pub(super) source: ClassifierSource,
    pub(super) overrides: &'a OverrideArguments,
    pub(super) side: ComparedSide,
}

impl NodeClassifier<'_> {
    /// Returns the classification of a node, or the reason why it has none.
    ///
    /// # Errors
    /// Fails if the file of the node is unusable, or if outputs cannot be stored.
    pub fn of_node(&self, node: &str) -> anyhow::Result<Result<Cow<'_, Classification>, String>> {
        let extensions = || self.common.trusted_extensions.clone();
        let classification = match &self.source {
            ClassifierSource::Common => return Ok(Ok(Cow::Borrowed(&self.common))),
            ClassifierSource::Folder(folder) => match fleet::nodes::file_of_node(folder, node) {
                Some(file) => read_classification(&file, extensions())?,
                None => return Ok(Err(NOT_CLASSIFIED.to_owned())),
            },
            ClassifierSource::Program(program) => match program.output(node)? {
                Ok(text) if text.trim().is_empty() => return Ok(Err(NOT_CLASSIFIED.to_owned())),
                Ok(text) => match classification_of_output(&text, NODE_CLASSIFIER, extensions()) {
                    Ok(classification) => classification,
                    Err(error) => return Ok(Err(codes::single_line(&format!("{error:#}")))),
                },
                Err(reason) => return Ok(Err(reason)),
            },
        };
        let mut classification = classification;
        self.overrides.classify(&mut classification, self.side)?;
        Ok(Ok(Cow::Owned(classification)))
    }

    /// Returns true if nodes may have classes, so that no main manifest is needed.
    pub fn has_classes(&self) -> bool {
        !matches!(self.source, ClassifierSource::Common)
            || !self.common.classes.is_empty()
            || self.overrides.has_classes()
    }

    /// Returns true if a program classifies nodes, whose output is unknown before it is run.
    pub fn is_program(&self) -> bool {
        matches!(self.source, ClassifierSource::Program(_))
    }

    /// Returns a description of everything that classifications depend on, except for the outputs of programs.
    ///
    /// # Errors
    /// Fails if a file cannot be read.
    pub fn digest(&self) -> anyhow::Result<String> {
        let source = match &self.source {
            ClassifierSource::Common => String::new(),
            ClassifierSource::Folder(folder) => digest_of_files(&files_of_nodes(folder)?)?,
            ClassifierSource::Program(program) => format!("{:?}", program.path),
        };
        Ok(format!("{:?} {source}", self.common))
    }
}

/// A program that classifies nodes. Its outputs are kept in files, so that it runs once per node.
pub(super) struct ClassifierProgram {
    path: PathBuf,
    outputs: tempfile::TempDir,
}

impl ClassifierProgram {
    pub(super) fn new(path: &Path) -> anyhow::Result<Arc<ClassifierProgram>> {
        let outputs = tempfile::tempdir().context("cannot create a temporary folder")?;
        Ok(Arc::new(ClassifierProgram { path: path.to_owned(), outputs }))
    }

    /// Returns the output for a node, or the reason why there is none.
    fn output(&self, node: &str) -> anyhow::Result<Result<String, String>> {
        let name = hex(&Sha256::digest(node));
        let (known, failed) = (self.outputs.path().join(&name), self.outputs.path().join(name + ".failed"));
        let read = |path: &Path| fs::read_to_string(path).ok();
        if let Some(text) = read(&known) {
            return Ok(Ok(text));
        }
        if let Some(reason) = read(&failed) {
            return Ok(Err(reason));
        }
        let output = self.run(node)?;
        let (path, text) = match &output {
            Ok(text) => (known, text),
            Err(reason) => (failed, reason),
        };
        // Another thread may read the file.
        let mut file = tempfile::NamedTempFile::new_in(self.outputs.path())?;
        io::Write::write_all(&mut file, text.as_bytes())?;
        file.persist(path)?;
        Ok(output)
    }

    /// Runs the program.
    fn run(&self, node: &str) -> anyhow::Result<Result<String, String>> {
        // The program must not take the name of a node for an option or a path.
        if node.starts_with(['-', '.'])
            || node.contains(|it: char| it == '/' || it == '\\' || it.is_control())
        {
            return Ok(Err("the node classifier is not run for this node name".to_owned()));
        }
        let shown = display_path(&self.path);
        let mut command = Command::new(&self.path);
        command.arg(node).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child =
            command.spawn().with_context(|| format!("cannot run the node classifier `{shown}`"))?;
        let output = read_limited(child.stdout.take(), MAX_OUTPUT);
        let errors = read_limited(child.stderr.take(), MAX_ERRORS);
        let Ok(output) = output.recv_timeout(PROGRAM_LIMIT) else {
            end(&mut child);
            return Ok(Err(format!("the node classifier timed out after {} s", PROGRAM_LIMIT.as_secs())));
        };
        let errors = errors.recv_timeout(PROGRAM_LIMIT).unwrap_or_default();
        if output.len() > MAX_OUTPUT {
            end(&mut child);
            return Ok(Err(format!("the output of the node classifier exceeds {MAX_OUTPUT} bytes")));
        }
        let status = child.wait().with_context(|| format!("cannot run `{shown}`"))?;
        if !status.success() {
            let errors = String::from_utf8_lossy(&errors).into_owned();
            let line = errors.lines().find(|line| !line.trim().is_empty()).unwrap_or_default();
            let reason = format!("the node classifier fails ({status}): {}", line.trim());
            return Ok(Err(codes::single_line(reason.trim_end_matches([':', ' ']))));
        }
        let text = String::from_utf8(output);
        Ok(text.map_err(|_| "the output of the node classifier is not UTF-8".to_owned()))
    }
}

/// Ends a program that must not continue.
fn end(child: &mut Child) {
    let _ = child.kill();
    let _ = child.wait();
}

/// Reads a pipe on a thread: at most one byte more than `limit`. The rest is dropped, so that the program can end.
fn read_limited(pipe: Option<impl Read + Send + 'static>, limit: usize) -> mpsc::Receiver<Vec<u8>> {
    let (sender, receiver) = mpsc::channel();
    thread::spawn(move || {
        let mut bytes = Vec::new();
        if let Some(mut pipe) = pipe {
            let _ = pipe.by_ref().take(limit as u64 + 1).read_to_end(&mut bytes);
            let _ = sender.send(bytes);
            let _ = io::copy(&mut pipe, &mut io::sink());
        }
    });
    receiver
}
