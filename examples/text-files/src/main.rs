//! A whole hook: keeps the text files of a folder equal to `TextFile` resources.
mod folder;
use framework::{Action, CleanupPolicy, Cr, Group, Outcome, PluginError, PruneRequest, Pruned, SyncHook};

struct TextFiles;
#[derive(serde::Deserialize)]
struct Spec {
    name: String,
    text: String,
}

impl framework::SyncPlugin for TextFiles {
    const NOUN: &'static str = "text file";
    const SERVICE: &'static str = "Folder";
    type Spec = Spec;
    type Credentials = String; // the folder; an OpenStack hook has the names of a Secret and a cloud here
    type Conn = std::path::PathBuf;
    type Cache = folder::Files;
    type Status = ();
    fn credentials(&self, spec: &serde_json::Value) -> Result<String, PluginError> {
        spec["folder"].as_str().map(String::from).ok_or_else(|| PluginError::invalid_spec("no spec.folder"))
    }
    fn claim(&self, spec: &serde_json::Value) -> Result<Option<String>, PluginError> {
        folder::file_name(&spec["name"]).map(Some)
    }
    fn cleanup_policy(&self, prune: bool) -> CleanupPolicy {
        if prune { CleanupPolicy::Finalized } else { CleanupPolicy::None }
    }
    fn connect(&self, _: &framework::Secrets<'_>, at: &String) -> Result<Self::Conn, PluginError> {
        folder::open(at)
    }
    fn wait_for_api(&self, folder: &Self::Conn, files: &mut Self::Cache) -> Result<(), PluginError> {
        folder::list(folder).map(|found| *files = found)
    }
    fn ids(&self, files: &Self::Cache, claim: &str) -> Option<Vec<String>> {
        folder::paths(files, claim)
    }
    fn reconcile(&self, group: &mut Group<'_, Self>, cr: &Cr<Spec>) -> Result<Outcome<()>, PluginError> {
        let (path, text) = (group.conn.join(&cr.spec.name), folder::mark(&cr.spec.text));
        if folder::must_write(group.cache, &path, &text)? {
            group.writes.run(Action::new("write", "file", &cr.spec.name), || folder::write(&path, &text))?;
            group.cache.insert(path, text);
        }
        Ok(Outcome::default())
    }
    fn prune(&self, group: &mut Group<'_, Self>, request: &PruneRequest<'_>) -> Result<Pruned, PluginError> {
        for (name, path) in request.select(folder::ours(group.cache), folder::id).go {
            group.writes.run(Action::new("delete", "file", name), || folder::delete(&path))?;
            group.cache.remove(&path);
        }
        Ok(Pruned::default())
    }
}

fn main() -> std::process::ExitCode {
    let (name, about) = ("text-files", "keeps the text files of a folder equal to TextFile resources");
    let hook = SyncHook { name, about, prefix: "TEXT_FILE", binding: name };
    framework::run_sync_hook(&hook, TextFiles)
}
