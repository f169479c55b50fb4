//! Addresses and credentials of PuppetDB from the user's own settings. Nothing is read from a repository.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::Context;
use fleet::puppetdb::PuppetDbConnection;
use serde::Deserialize;

/// Settings of the user, relative to the home folder.
const USER_SETTINGS: &str = ".puppetlabs/client-tools/puppetdb.conf";

/// Token of the user, relative to the home folder.
const USER_TOKEN: &str = ".puppetlabs/token";

/// Settings of the Puppet of a user, relative to the home folder.
const USER_PUPPET_SETTINGS: &str = ".puppetlabs/etc/puppet/puppetdb.conf";

/// Settings of the machine: those of Puppet are also in the folder that Debian uses.
const MACHINE_SETTINGS: [&str; 3] = [
    "/etc/puppetlabs/client-tools/puppetdb.conf",
    "/etc/puppetlabs/puppet/puppetdb.conf",
    "/etc/puppet/puppetdb.conf",
];

/// Options for the connection.
#[derive(clap::Args, Debug)]
pub(super) struct ConnectionArguments {
    /// Address of PuppetDB, such as `https://puppetdb.example.com:8081`; may be repeated, the servers are tried in turn
    /// [default: `PUPPETDB_URL`, or `~/.puppetlabs/client-tools/puppetdb.conf`]
    #[arg(long, value_name = "URL")]
    puppetdb: Vec<String>,

    /// Certificate of the CA, in PEM format
    #[arg(long, value_name = "FILE")]
    cacert: Option<PathBuf>,

    /// Client certificate, in PEM format
    #[arg(long, value_name = "FILE", requires = "key")]
    cert: Option<PathBuf>,

    /// Key of the client certificate, in PEM format
    #[arg(long, value_name = "FILE", requires = "cert")]
    key: Option<PathBuf>,

    /// File with the token of Puppet Enterprise [default: that of the settings, or `~/.puppetlabs/token`]
    #[arg(long, value_name = "FILE")]
    token_file: Option<PathBuf>,
}

/// Settings of Puppet's client tools.
#[derive(Deserialize, Default)]
struct ClientTools {
    #[serde(default)]
    puppetdb: ClientSettings,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct ClientSettings {
    server_urls: OneOrMany,
    cacert: Option<PathBuf>,
    cert: Option<PathBuf>,
    key: Option<PathBuf>,
    #[serde(alias = "token-file")]
    token_file: Option<PathBuf>,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum OneOrMany {
    One(String),
    Many(Vec<String>),
}

impl Default for OneOrMany {
    fn default() -> OneOrMany {
        OneOrMany::Many(Vec::new())
    }
}

impl OneOrMany {
    fn urls(self) -> Vec<String> {
        match self {
            OneOrMany::One(urls) => split_urls(&urls),
            OneOrMany::Many(urls) => urls,
        }
    }
}

/// Splits a list of addresses.
fn split_urls(urls: &str) -> Vec<String> {
    urls.split(',').map(str::trim).filter(|url| !url.is_empty()).map(str::to_owned).collect()
}

impl ConnectionArguments {
    /// Returns the connection according to the command line, the environment, and the settings, in this order.
    pub(super) fn connection(&self) -> anyhow::Result<PuppetDbConnection> {
        let home = env::var_os("HOME").or_else(|| env::var_os("USERPROFILE")).map(PathBuf::from);
        let settings = settings(home.as_deref())?;
        let mut urls = self.puppetdb.clone();
        if urls.is_empty() {
            urls = split_urls(&env::var("PUPPETDB_URL").unwrap_or_default());
        }
        let is_configured = urls.is_empty();
        if is_configured {
            urls = settings.server_urls.urls();
        }
        anyhow::ensure!(
            !urls.is_empty(),
            "no PuppetDB known\nhelp: name its address with `--puppetdb`, `PUPPETDB_URL`, or `~/{USER_SETTINGS}`"
        );
        let token_file = self.token_file.clone().or(settings.token_file);
        let token = match token_file {
            Some(path) => Some(token(&path)?),
            // A token that was not named is only sent where the settings say.
            None if is_configured => {
                let usual = home.map(|home| home.join(USER_TOKEN)).filter(|path| path.is_file());
                usual.map(|path| token(&path)).transpose()?
            }
            None => None,
        };
        Ok(PuppetDbConnection {
            urls,
            cacert: self.cacert.clone().or(settings.cacert),
            cert: self.cert.clone().or(settings.cert),
            key: self.key.clone().or(settings.key),
            token,
        })
    }
}

fn token(path: &Path) -> anyhow::Result<String> {
    let text = fs::read_to_string(path).with_context(|| format!("cannot read `{}`", path.display()))?;
    Ok(text.trim().to_owned())
}

/// Reads the first file with settings.
fn settings(home: Option<&Path>) -> anyhow::Result<ClientSettings> {
    let of_user =
        home.into_iter().flat_map(|home| [USER_SETTINGS, USER_PUPPET_SETTINGS].map(|file| home.join(file)));
    for path in of_user.chain(MACHINE_SETTINGS.map(PathBuf::from)) {
        let Ok(text) = fs::read_to_string(&path) else { continue };
        let shown = path.display();
        if !text.trim_start().starts_with('{') {
            return Ok(of_sections(&text));
        }
        let read: ClientTools = serde_json::from_str(&text).with_context(|| format!("invalid `{shown}`"))?;
        return Ok(read.puppetdb);
    }
    Ok(ClientSettings::default())
}

/// Reads the settings of a Puppet server: `server_urls` in the section `[main]`.
fn of_sections(text: &str) -> ClientSettings {
    let assignments = text.lines().filter_map(|line| line.split_once('='));
    let mut urls =
        assignments.filter(|(key, _)| key.trim() == "server_urls").map(|(_, value)| value.to_owned());
    ClientSettings {
        server_urls: OneOrMany::One(urls.next_back().unwrap_or_default()),
        ..ClientSettings::default()
    }
}
