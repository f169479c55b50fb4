//! `hiera encrypt` and `hiera decrypt`: values of hiera-eyaml, with keys that the user names.

use std::path::{Path, PathBuf};

use anyhow::{Context, bail, ensure};
use eyaml::{PrivateKey, Recipient, encrypted_values};
use hiera::data::{self, DataFormat};

use crate::files::display_path;
use crate::{CommandOutcome, files, terminal};

/// Configurations of hiera-eyaml, below the user's home or for all users.
const USER_CONFIGURATION: &str = ".eyaml/config.yaml";
const SYSTEM_CONFIGURATION: &str = "/etc/eyaml/config.yaml";

#[derive(clap::Args, Debug)]
pub(crate) struct EncryptArguments {
    /// File with the value; `-` reads standard input, without a line break at its end
    #[arg(value_name = "FILE", default_value = "-")]
    file: PathBuf,

    /// Certificate with the public key (`public_key.pkcs7.pem`) [default: that of your configuration of hiera-eyaml]
    #[arg(long, value_name = "FILE")]
    public_key: Option<PathBuf>,

    /// Print a line of Hiera data with this key
    #[arg(long, value_name = "KEY")]
    label: Option<String>,
}

#[derive(clap::Args, Debug)]
pub(crate) struct DecryptArguments {
    /// File with encrypted values; `-` reads standard input
    #[arg(value_name = "FILE", default_value = "-")]
    file: PathBuf,

    /// Private key (`private_key.pkcs7.pem`) [default: that of your configuration of hiera-eyaml]
    #[arg(long, value_name = "FILE")]
    private_key: Option<PathBuf>,
}

pub(super) fn encrypt(arguments: &EncryptArguments) -> anyhow::Result<CommandOutcome> {
    let recipient = read_key(arguments.public_key.as_deref(), "public_key", Recipient::from_pem)?;
    let mut value = read(&arguments.file)?;
    if is_stdin(&arguments.file) && value.ends_with('\n') {
        value.truncate(value.len() - 1);
        value.truncate(value.strip_suffix('\r').unwrap_or(&value).len());
    }
    let encrypted = recipient.encrypt(value.as_bytes())?;
    let line = match &arguments.label {
        Some(label)
            if label.chars().all(|it| it.is_ascii_alphanumeric() || "_:".contains(it))
                && !label.ends_with(':') =>
        {
            format!("{label}: {encrypted}\n")
        }
        Some(label) => format!("{}: {encrypted}\n", serde_json::to_string(label)?),
        None => encrypted + "\n",
    };
    terminal::print_bytes(line.as_bytes())?;
    Ok(CommandOutcome::Clean)
}

pub(super) fn decrypt(arguments: &DecryptArguments) -> anyhow::Result<CommandOutcome> {
    let key = read_key(arguments.private_key.as_deref(), "private_key", PrivateKey::from_pem)?;
    let text = read(&arguments.file)?;
    let values = encrypted_values(&text);
    ensure!(!values.is_empty(), "no encrypted values (`ENC[PKCS7,…]`) in `{}`", shown(&arguments.file));
    let (mut out, mut end) = (Vec::new(), 0);
    for value in values {
        out.extend_from_slice(&text.as_bytes()[end..value.start]);
        let line = text[..value.start].lines().count().max(1);
        let plain = key.decrypt(&text[value.clone()]);
        out.extend_from_slice(&plain.with_context(|| format!("cannot decrypt the value in line {line}"))?);
        end = value.end;
    }
    out.extend_from_slice(&text.as_bytes()[end..]);
    if !out.ends_with(b"\n") {
        out.push(b'\n');
    }
    terminal::print_bytes(&out)?;
    Ok(CommandOutcome::Clean)
}

fn is_stdin(path: &Path) -> bool {
    path == Path::new("-")
}

fn shown(path: &Path) -> String {
    if is_stdin(path) { "<stdin>".to_owned() } else { display_path(path) }
}

fn read(path: &Path) -> anyhow::Result<String> {
    let read =
        if is_stdin(path) { files::read_stdin(Path::new("<stdin>")) } else { files::read_named_text(path) };
    read.map_err(|failure| anyhow::anyhow!("{failure}"))
}

/// Reads the key that an option or the user's configuration of hiera-eyaml names, never one that only the repository
/// names.
fn read_key<K>(
    named: Option<&Path>,
    kind: &str,
    parse: impl Fn(&str) -> anyhow::Result<K>,
) -> anyhow::Result<K> {
    let path = match named {
        Some(path) => path.to_owned(),
        None => configured_key(kind)?,
    };
    let text = read(&path)?;
    parse(&text).with_context(|| format!("cannot use the key `{}`", shown(&path)))
}

/// Returns the path of a key according to the configuration of hiera-eyaml.
fn configured_key(kind: &str) -> anyhow::Result<PathBuf> {
    let given = std::env::var_os("EYAML_CONFIG").map(PathBuf::from);
    let of_user = || Some(std::env::home_dir()?.join(USER_CONFIGURATION)).filter(|it| it.exists());
    let of_system = || Some(PathBuf::from(SYSTEM_CONFIGURATION)).filter(|it| it.exists());
    let option = format!("--{}", kind.replace('_', "-"));
    let Some(path) = given.or_else(of_user).or_else(of_system) else {
        bail!(codes::with_help("no key given", format!("name it with `{option}`")));
    };
    let text = read(&path)?;
    let (shown, name) = (shown(&path), format!("pkcs7_{kind}"));
    let data = data::read(DataFormat::Yaml, &text);
    let hash = data.hash().map_err(|it| anyhow::anyhow!("invalid file `{shown}`: {}", it.message))?;
    let key = hash.get_text(&name).and_then(|it| it.as_str());
    key.map(PathBuf::from).with_context(|| {
        codes::with_help(format!("`{shown}` has no `{name}`"), format!("name the key with `{option}`"))
    })
}
