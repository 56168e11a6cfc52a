//! The `exec` part of a user entry.

use std::path::{Path, PathBuf};

use rest::Secret;
use serde_json::Value;

use super::entry::Entry;
use crate::{Error, Exec};

/// The protocols of plugins that are spoken.
const VERSIONS: [&str; 2] = ["client.authentication.k8s.io/v1", "client.authentication.k8s.io/v1beta1"];
/// The extension of a cluster entry that is handed to plugins.
const EXTENSION: &str = "client.authentication.k8s.io/exec";

/// The plugin of a user entry; of the cluster entry, what is to be handed to it.
pub(super) fn read(user: &Entry, cluster: &Entry) -> Result<Exec, Error> {
    let entry = Entry {
        at: format!("{}: exec", user.at),
        directory: user.directory.clone(),
        fields: user.fields["exec"].clone(),
    };
    let api_version = entry.text("apiVersion")?.unwrap_or_default();
    if !VERSIONS.contains(&api_version.as_str()) {
        let versions = VERSIONS.join(" or ");
        return Err(entry.error(format!("apiVersion is {api_version:?}: it must be {versions}")));
    }
    // "IfAvailable" is a plugin that does without a terminal too.
    if entry.text("interactiveMode")?.is_some_and(|mode| mode != "Never" && mode != "IfAvailable") {
        return Err(entry.error(
            "interactiveMode is neither Never nor IfAvailable: plugins have no terminal here, give this user \
             another way to log in"
                .to_owned(),
        ));
    }
    let command = entry.text("command")?.ok_or_else(|| entry.error("it has no command".to_owned()))?;
    let cluster_info = entry.flag("provideClusterInfo")?;
    Ok(Exec {
        command: command_path(&entry.directory, &command),
        args: args(&entry)?,
        env: env(&entry)?,
        api_version,
        install_hint: entry.text("installHint")?,
        cluster_config: cluster_info.then(|| extension(cluster)),
        at: entry.at,
    })
}

/// A bare name is looked for in `PATH`; a path is seen from the kubeconfig's directory.
fn command_path(directory: &Path, command: &str) -> PathBuf {
    if command.contains(std::path::MAIN_SEPARATOR) { directory.join(command) } else { command.into() }
}

fn args(entry: &Entry) -> Result<Vec<Secret>, Error> {
    let wrong = || entry.error("args is not a list of strings: put them in quotes".to_owned());
    let items = entry.list("args")?.iter();
    items.map(|item| item.as_str().map(Secret::new).ok_or_else(wrong)).collect()
}

fn env(entry: &Entry) -> Result<Vec<(String, Secret)>, Error> {
    let wrong =
        || entry.error("env is not a list of name and value, both strings: put them in quotes".to_owned());
    let variable = |item: &Value| {
        let name = item["name"].as_str().filter(|name| !name.is_empty() && !name.contains(['=', '\0']))?;
        let value = if item["value"].is_null() { "" } else { item["value"].as_str()? };
        Some((name.to_owned(), Secret::new(value)))
    };
    entry.list("env")?.iter().map(|item| variable(item).ok_or_else(wrong)).collect()
}

fn extension(cluster: &Entry) -> Value {
    let items = cluster.fields["extensions"].as_array().into_iter().flatten();
    items
        .filter(|item| item["name"] == EXTENSION)
        .map(|item| item["extension"].clone())
        .next()
        .unwrap_or_default()
}
