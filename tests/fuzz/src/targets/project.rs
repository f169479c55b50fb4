//! Files that configure a project: environment.conf, hiera.yaml, metadata.json, Puppetfile,
//! fixtures, task metadata.

use std::sync::Arc;

use ide::{AnalysisHost, ChangeBatch, FilePath};

const FILES: &[&str] = &[
    "/work/environment.conf",
    "/work/hiera.yaml",
    "/work/Puppetfile",
    "/work/data/common.yaml",
    "/work/modules/a/metadata.json",
    "/work/modules/a/.fixtures.yml",
    "/work/modules/a/tasks/init.json",
];

pub(crate) fn run(bytes: &[u8]) {
    let text: Arc<str> = String::from_utf8_lossy(bytes).into();
    let code: Arc<str> = "class a ($x) { notice($x, lookup('y')) }\n".into();
    let mut host = AnalysisHost::new();
    let mut buffers = Vec::new();
    for path in FILES {
        buffers.extend(FilePath::from_native(path).map(|path| (path, Some(text.clone()))));
    }
    buffers.extend(FilePath::from_native("/work/modules/a/manifests/init.pp").map(|path| (path, Some(code))));
    let paths: Vec<FilePath> = buffers.iter().map(|(path, _)| path.clone()).collect();
    host.apply(ChangeBatch { buffers, ..ChangeBatch::default() });
    let analysis = host.analysis();
    for file in paths.iter().filter_map(|path| analysis.file_id(path)) {
        let _ = analysis.syntax_diagnostics(file);
    }
}
