//! kubeconfig files: merged as kubectl merges them, and resolved at one context.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use rest::{Options, Proxy, Roots, Secret, yaml};
use serde_json::Value;

use super::entry::Entry;
use super::{Auth, Config, Env, Source, exec, read, read_if_there};
use crate::Error;

/// The configuration at the context of `source`. `pod` is whether a pod's account has been looked for
/// before.
pub(super) fn config(env: Env<'_>, source: &Source, pod: bool) -> Result<Config, Error> {
    let mut merged = Merged::default();
    if let Some(path) = &source.kubeconfig {
        merged.add(path, &read(path, "kubeconfig")?)?;
        return merged.resolve(source.context.as_deref());
    }
    let paths = paths(env, pod)?;
    for path in &paths {
        if let Some(text) = read_if_there(path, "kubeconfig")? {
            merged.add(path, &text)?;
        }
    }
    if merged.files.is_empty() {
        let places: Vec<_> = paths.iter().map(|path| path.display().to_string()).collect();
        return Err(Error::Config {
            at: "kubeconfig".to_owned(),
            problem: format!(
                "there is no {}: set KUBECONFIG, or {}",
                places.join(", nor "),
                if pod { "run in a pod" } else { "name a kubeconfig" }
            ),
        });
    }
    merged.resolve(source.context.as_deref())
}

/// `KUBECONFIG` is a list like `PATH`.
fn paths(env: Env<'_>, pod: bool) -> Result<Vec<PathBuf>, Error> {
    let listed = env("KUBECONFIG").unwrap_or_default();
    let paths: Vec<_> = std::env::split_paths(&listed).filter(|path| !path.as_os_str().is_empty()).collect();
    if !paths.is_empty() {
        return Ok(paths);
    }
    match env("HOME").filter(|home| !home.is_empty()) {
        Some(home) => Ok(vec![Path::new(&home).join(".kube").join("config")]),
        None => Err(Error::Config {
            at: "kubeconfig".to_owned(),
            problem: format!(
                "neither KUBECONFIG nor HOME is set{}",
                if pod {
                    ", and this is not a pod with a service account token"
                } else {
                    ": name a kubeconfig"
                }
            ),
        }),
    }
}

/// Several files as one: for each name, and for the current context, the first file wins.
#[derive(Default)]
struct Merged {
    files: Vec<String>,
    current: Option<String>,
    clusters: BTreeMap<String, Entry>,
    users: BTreeMap<String, Entry>,
    contexts: BTreeMap<String, Entry>,
}

impl Merged {
    fn add(&mut self, path: &Path, text: &str) -> Result<(), Error> {
        let file = path.display().to_string();
        let error = |problem: String| Error::Config { at: file.clone(), problem };
        let document = yaml::parse(text).map_err(|problem| error(problem.to_string()))?;
        if !matches!(document, Value::Object(_) | Value::Null) {
            return Err(error("this is not a kubeconfig: a mapping is expected".to_owned()));
        }
        let directory = path.parent().unwrap_or(Path::new("")).to_path_buf();
        for (list, kind, into) in [
            ("clusters", "cluster", &mut self.clusters),
            ("users", "user", &mut self.users),
            ("contexts", "context", &mut self.contexts),
        ] {
            let items = match &document[list] {
                Value::Null => continue,
                Value::Array(items) => items,
                _ => return Err(error(format!("{list} is not a list"))),
            };
            for item in items {
                let name = item["name"].as_str().ok_or_else(|| error(format!("a {kind} has no name")))?;
                let at = format!("{file}: {kind} {name:?}");
                let (directory, fields) = (directory.clone(), item[kind].clone());
                into.entry(name.to_owned()).or_insert(Entry { at, directory, fields });
            }
        }
        let current = document["current-context"].as_str().filter(|name| !name.is_empty());
        self.current = self.current.take().or(current.map(str::to_owned));
        self.files.push(file);
        Ok(())
    }

    /// At the context of this name, or at the current one.
    fn resolve(&self, named: Option<&str>) -> Result<Config, Error> {
        let error = |problem: String| Error::Config { at: self.files.join(", "), problem };
        let name = named.or(self.current.as_deref()).ok_or_else(|| {
            error(format!("current-context is not set; contexts: {}", names(&self.contexts)))
        })?;
        let context = self.contexts.get(name).ok_or_else(|| {
            let what = if named.is_some() { "the context asked for" } else { "current-context" };
            let there = names(&self.contexts);
            error(format!("{what} is {name:?}, which is not among the contexts: {there}"))
        })?;
        let cluster = follow(context, "cluster", &self.clusters)?
            .ok_or_else(|| context.error("it names no cluster".to_owned()))?;
        let nobody = Entry::empty();
        let user = follow(context, "user", &self.users)?.unwrap_or(&nobody);
        Ok(Config {
            server: server(cluster)?,
            namespace: context.text("namespace")?.unwrap_or("default".to_owned()),
            auth: auth(user, cluster)?,
            options: options(cluster, user)?,
        })
    }
}

/// The entry that a context names, if it names one.
fn follow<'a>(
    context: &Entry,
    kind: &str,
    among: &'a BTreeMap<String, Entry>,
) -> Result<Option<&'a Entry>, Error> {
    let Some(name) = context.text(kind)? else { return Ok(None) };
    among.get(&name).map(Some).ok_or_else(|| {
        let there = names(among);
        context.error(format!("it names the {kind} {name:?}, which is not among the {kind}s: {there}"))
    })
}

/// The URL that all paths are appended to. It is not quoted: it may have a password in it.
fn server(cluster: &Entry) -> Result<String, Error> {
    let url = cluster.text("server")?.ok_or_else(|| cluster.error("it has no server".to_owned()))?;
    let problem = if !(url.starts_with("https://") || url.starts_with("http://")) {
        "server is no URL: it must begin with https:// or http://"
    } else if url.contains(['?', '#']) {
        "server has a query or a fragment: only a path may follow the host"
    } else {
        return Ok(url);
    };
    Err(cluster.error(problem.to_owned()))
}

fn names(entries: &BTreeMap<String, Entry>) -> String {
    if entries.is_empty() {
        return "none".to_owned();
    }
    entries.keys().map(|name| format!("{name:?}")).collect::<Vec<_>>().join(", ")
}

/// What is in a user entry besides certificates. As with kubectl, a token wins over a token file, both over a
/// password, and all over a plugin.
fn auth(user: &Entry, cluster: &Entry) -> Result<Auth, Error> {
    if user.has("auth-provider") {
        return Err(user.error(
            "auth-provider is not supported: give it an exec plugin, token, tokenFile, client certificate, or \
             username and password"
                .to_owned(),
        ));
    }
    // Left out, the requests would be made with more rights than the file asks for.
    for field in ["as", "as-uid", "as-groups", "as-user-extra"] {
        if user.has(field) {
            return Err(user.error(format!("impersonation ({field}) is not supported")));
        }
    }
    if let Some(token) = user.text("token")? {
        return Ok(Auth::Token(Secret::new(token)));
    }
    if let Some(path) = user.path("tokenFile")? {
        return Ok(Auth::TokenFile(path));
    }
    match (user.text("username")?, user.text("password")?) {
        (None, None) if user.has("exec") => Ok(Auth::Exec(Box::new(exec::read(user, cluster)?))),
        (None, None) => Ok(Auth::None),
        (Some(username), password) => {
            Ok(Auth::Basic { username, password: Secret::new(password.unwrap_or_default()) })
        }
        (None, Some(_)) => Err(user.error("it has a password and no username".to_owned())),
    }
}

fn options(cluster: &Entry, user: &Entry) -> Result<Options, Error> {
    let insecure = cluster.flag("insecure-skip-tls-verify")?;
    let authority = cluster.pem("certificate-authority")?;
    if insecure && authority.is_some() {
        return Err(cluster.error(
            "it has both insecure-skip-tls-verify and a certificate-authority: remove one".to_owned(),
        ));
    }
    Ok(Options {
        roots: authority.map_or(Roots::System, |pem| Roots::Only(pem.into_bytes())),
        identity: identity(user)?,
        insecure,
        tls_server_name: cluster.text("tls-server-name")?,
        proxy: cluster.text("proxy-url")?.map_or(Proxy::Environment, Proxy::Url),
        ..Options::default()
    })
}

/// Certificate and key in one PEM text.
fn identity(user: &Entry) -> Result<Option<Secret>, Error> {
    match (user.pem("client-certificate")?, user.pem("client-key")?) {
        (None, None) => Ok(None),
        (Some(certificate), Some(key)) => Ok(Some(Secret::new(format!("{certificate}\n{key}")))),
        (Some(_), None) => Err(user.error("it has a client-certificate and no client-key".to_owned())),
        (None, Some(_)) => Err(user.error("it has a client-key and no client-certificate".to_owned())),
    }
}
