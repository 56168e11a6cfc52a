//! TLS and time limits of a cloud. Nothing is read from a file: what `clouds.yaml` usually gives
//! as a path has to be the PEM text itself.

use super::boolean::boolean;
use super::entry::Entry;
use crate::Error;
use rest::{Options, Roots, Secret};
use std::time::Duration;

/// The options of the HTTP client. `ca_bundle` wins over the entry's `cacert`.
///
/// # Errors
/// [`Error::Cloud`] for a path where PEM is needed, a boolean or number that is none.
pub(crate) fn options(entry: &Entry, ca_bundle: Option<&str>) -> Result<Options, Error> {
    let mut options = Options { insecure: insecure(entry)?, ..Options::default() };
    if !options.insecure {
        options.roots = roots(entry, ca_bundle)?;
    }
    options.identity = identity(entry)?;
    if let Some(timeout) = timeout(entry)? {
        options.timeout = timeout;
        options.connect_timeout = options.connect_timeout.min(timeout);
    }
    Ok(options)
}

fn insecure(entry: &Entry) -> Result<bool, Error> {
    let flag = |key: &str| match entry.top(key) {
        None => Ok(None),
        Some(value) => match boolean(value) {
            Some(flag) => Ok(Some(flag)),
            None => Err(entry.problem(format!(
                "`{key}` has to be true or false (a CA bundle belongs in the key `cacert`, as PEM)"
            ))),
        },
    };
    let (insecure, verify) = (flag("insecure")?, flag("verify")?);
    Ok(insecure == Some(true) || verify == Some(false))
}

fn roots(entry: &Entry, ca_bundle: Option<&str>) -> Result<Roots, Error> {
    if let Some(pem) = ca_bundle.filter(|pem| !pem.trim().is_empty()) {
        return if is_pem(pem) {
            Ok(Roots::Only(pem.as_bytes().to_vec()))
        } else {
            Err(entry.problem("the CA bundle beside clouds.yaml (key `cacert`) has no PEM certificate"))
        };
    }
    let pem = pem(entry, "cacert", "put the PEM text there, or into the key `cacert` of the same Secret")?;
    Ok(pem.map_or(Roots::System, |pem| Roots::Only(pem.into_bytes())))
}

fn identity(entry: &Entry) -> Result<Option<Secret>, Error> {
    const MEND: &str = "put the PEM text there";
    let Some(cert) = pem(entry, "cert", MEND)? else { return Ok(None) };
    // The key may also stand in `cert`.
    let key = pem(entry, "key", MEND)?.unwrap_or_default();
    Ok(Some(Secret::new(format!("{}\n{}", key.trim_end(), cert))))
}

fn pem(entry: &Entry, key: &str, mend: &str) -> Result<Option<String>, Error> {
    match entry.top_text(key)? {
        Some(text) if !is_pem(&text) => {
            Err(entry.problem(format!("`{key}` is a path, and files are not read: {mend}")))
        }
        text => Ok(text),
    }
}

fn is_pem(text: &str) -> bool {
    text.contains("-----BEGIN ")
}

/// `api_timeout` in seconds; a `<service>_timeout` of old clients overrules it.
fn timeout(entry: &Entry) -> Result<Option<Duration>, Error> {
    let old = |key: &str| key.ends_with("_timeout") && key != "api_timeout";
    let found = entry.top_keys().filter(|(key, _)| old(key)).last();
    let Some(key) = found.map(|(key, _)| key.as_str()).or(entry.top("api_timeout").map(|_| "api_timeout"))
    else {
        return Ok(None);
    };
    let seconds = entry.top_text(key)?.and_then(|text| text.trim().parse::<f64>().ok());
    let timeout = seconds
        .filter(|seconds| *seconds > 0.0)
        .and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    timeout.map(Some).ok_or_else(|| entry.problem(format!("`{key}` has to be a number of seconds above 0")))
}
