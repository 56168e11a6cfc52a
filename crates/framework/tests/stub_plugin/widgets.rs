//! The stub plugin: widgets in clouds that are kept in memory.
//!
//! It is what a real plugin is, in small: it lists once, finds by name, adopts or creates, marks what is its
//! own, and sends every write through the framework's door. A test can look into any call, or make it fail.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::rc::Rc;

use framework::{
    Action, CleanupPolicy, Cr, Group, Outcome, PluginError, PruneRequest, Pruned, REASON_LOGIN_REFUSED,
    REASON_RECONCILE_ERROR, Secrets, SyncPlugin,
};
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// One thing in a cloud.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Widget {
    pub(crate) id: u32,
    pub(crate) name: String,
    pub(crate) size: u32,
    /// Cannot be changed once it is there: divergence is a note.
    pub(crate) color: String,
    /// Carries the plugin's marker.
    pub(crate) managed: bool,
    /// The cloud refuses to delete it.
    pub(crate) in_use: bool,
}

#[derive(Debug, Default)]
struct Cloud {
    widgets: Vec<Widget>,
    /// Managed leftovers without a name.
    scraps: usize,
}

type Look = Rc<dyn Fn() -> Result<(), PluginError>>;

/// What a test does when a call happens.
struct Script {
    call: String,
    left: usize,
    look: Look,
}

/// The plugin, and the world behind it.
#[derive(Default)]
pub(crate) struct Widgets {
    clouds: RefCell<BTreeMap<String, Cloud>>,
    last_id: Cell<u32>,
    calls: RefCell<Vec<String>>,
    scripts: RefCell<Vec<Script>>,
    /// Whether the resource outlives its CR, whatever the site says.
    pub(crate) never_cleans: Cell<bool>,
    /// Whether the id is to stand in the status before the widget is written.
    pub(crate) remembers: Cell<bool>,
}

impl Widgets {
    /// Clouds `north` and `south`, both empty.
    pub(crate) fn new() -> Self {
        let plugin = Self::default();
        for name in ["north", "south"] {
            plugin.clouds.borrow_mut().insert(name.to_owned(), Cloud::default());
        }
        plugin
    }

    /// From now on `look` is called whenever `call` happens, and its error is the call's.
    pub(crate) fn on(&self, call: &str, look: impl Fn() -> Result<(), PluginError> + 'static) {
        self.on_times(call, usize::MAX, look);
    }

    /// The same for the next `times` times.
    pub(crate) fn on_times(
        &self,
        call: &str,
        times: usize,
        look: impl Fn() -> Result<(), PluginError> + 'static,
    ) {
        let script = Script { call: call.to_owned(), left: times, look: Rc::new(look) };
        self.scripts.borrow_mut().push(script);
    }

    /// Takes back everything that [`Widgets::on`] set up.
    pub(crate) fn heal(&self) {
        self.scripts.borrow_mut().clear();
    }

    /// The calls since the last time: `connect north`, `ready north`, `reconcile a`, `create north/a`, ...
    pub(crate) fn calls(&self) -> Vec<String> {
        self.calls.take()
    }

    /// Puts a widget into a cloud by hand.
    pub(crate) fn add(&self, cloud: &str, name: &str, managed: bool) {
        let id = self.next_id();
        let widget =
            Widget { id, name: name.to_owned(), size: 1, color: "grey".to_owned(), managed, in_use: false };
        self.with(cloud, |cloud| cloud.widgets.push(widget));
    }

    /// Puts managed leftovers into a cloud.
    pub(crate) fn add_scraps(&self, cloud: &str, count: usize) {
        self.with(cloud, |cloud| cloud.scraps += count);
    }

    /// Number of leftovers.
    pub(crate) fn scraps(&self, cloud: &str) -> usize {
        self.with(cloud, |cloud| cloud.scraps)
    }

    /// Changes the widgets of that name by hand.
    pub(crate) fn change(&self, cloud: &str, name: &str, change: impl Fn(&mut Widget)) {
        self.with(cloud, |cloud| {
            cloud.widgets.iter_mut().filter(|widget| widget.name == name).for_each(change);
        });
    }

    /// Removes the widgets of that name by hand.
    pub(crate) fn remove(&self, cloud: &str, name: &str) {
        self.with(cloud, |cloud| cloud.widgets.retain(|widget| widget.name != name));
    }

    /// Everything in a cloud.
    pub(crate) fn widgets(&self, cloud: &str) -> Vec<Widget> {
        self.with(cloud, |cloud| cloud.widgets.clone())
    }

    /// The sorted names in a cloud; those that are not managed are in parentheses.
    pub(crate) fn names(&self, cloud: &str) -> Vec<String> {
        let shown = |widget: Widget| if widget.managed { widget.name } else { format!("({})", widget.name) };
        let mut names: Vec<String> = self.widgets(cloud).into_iter().map(shown).collect();
        names.sort();
        names
    }

    fn next_id(&self) -> u32 {
        self.last_id.set(self.last_id.get() + 1);
        self.last_id.get()
    }

    fn with<T>(&self, cloud: &str, work: impl FnOnce(&mut Cloud) -> T) -> T {
        work(self.clouds.borrow_mut().get_mut(cloud).expect("the test names a cloud that is there"))
    }

    fn call(&self, call: String) -> Result<(), PluginError> {
        let look = {
            let mut scripts = self.scripts.borrow_mut();
            scripts.iter_mut().find(|script| script.call == call && script.left > 0).map(|script| {
                script.left -= 1;
                Rc::clone(&script.look)
            })
        };
        self.calls.borrow_mut().push(call);
        look.map_or(Ok(()), |look| look())
    }

    /// A write, which may fail as the test wants.
    fn write(
        &self,
        group: &mut Group<'_, Self>,
        verb: &'static str,
        name: &str,
        work: impl FnOnce(&mut Cloud),
    ) -> Result<(), PluginError> {
        let cloud = group.conn.as_str();
        group.writes.run(Action::new(verb, "widget", name), || -> Result<(), PluginError> {
            self.call(format!("{verb} {cloud}/{name}"))?;
            self.with(cloud, work);
            Ok(())
        })?;
        Ok(())
    }
}

/// A refused login, as a plugin for a real cloud reports it.
pub(crate) fn refused() -> Result<(), PluginError> {
    Err(PluginError::group(REASON_LOGIN_REFUSED, "401 the credentials are not accepted"))
}

/// A service that answers 503.
pub(crate) fn not_ready() -> Result<(), PluginError> {
    Err(PluginError::not_ready("503 starting"))
}

/// A failure of one CR.
pub(crate) fn broken() -> Result<(), PluginError> {
    Err(PluginError::cr("409 not now"))
}

fn text(spec: &Value, key: &str) -> Result<String, PluginError> {
    let missing = || PluginError::invalid_spec(format!("spec.{key} is missing or no text"));
    spec[key].as_str().map(str::to_owned).ok_or_else(missing)
}

/// The spec of a Widget CR.
#[derive(Debug, Deserialize)]
pub(crate) struct Spec {
    name: String,
    size: u32,
    color: Option<String>,
}

/// Extra status.
#[derive(Debug, Default, Serialize)]
pub(crate) struct Status {
    #[serde(rename = "widgetId")]
    widget_id: u32,
}

impl SyncPlugin for Widgets {
    const NOUN: &'static str = "widget";
    const SERVICE: &'static str = "Cloud";
    type Spec = Spec;
    /// `north`, or `north-internal`: other credentials for the same cloud.
    type Credentials = String;
    /// The cloud's name.
    type Conn = String;
    /// All widgets of the cloud.
    type Cache = Vec<Widget>;
    type Status = Status;

    fn credentials(&self, spec: &Value) -> Result<String, PluginError> {
        text(spec, "at")
    }

    fn claim(&self, spec: &Value) -> Result<Option<String>, PluginError> {
        text(spec, "name").map(Some)
    }

    fn cleanup_policy(&self, prune: bool) -> CleanupPolicy {
        match (self.never_cleans.get(), prune) {
            (true, _) => CleanupPolicy::None,
            (false, true) => CleanupPolicy::Finalized,
            (false, false) => CleanupPolicy::BestEffort,
        }
    }

    fn connect(&self, _: &Secrets<'_>, at: &String) -> Result<String, PluginError> {
        self.call(format!("connect {at}"))?;
        let cloud = at.split('-').next().unwrap_or_default();
        if self.clouds.borrow().contains_key(cloud) {
            Ok(cloud.to_owned())
        } else {
            Err(PluginError::group(REASON_RECONCILE_ERROR, format!("there is no cloud {cloud:?}")))
        }
    }

    fn wait_for_api(&self, cloud: &String, cache: &mut Vec<Widget>) -> Result<(), PluginError> {
        self.call(format!("ready {cloud}"))?;
        *cache = self.widgets(cloud);
        Ok(())
    }

    fn ids(&self, cache: &Vec<Widget>, claim: &str) -> Option<Vec<String>> {
        let named = cache.iter().filter(|widget| widget.name == claim);
        (!cache.is_empty()).then(|| named.map(|widget| widget.id.to_string()).collect())
    }

    /// Clouds here hide nothing, unless a test says so.
    fn trusts_empty_list(&self, group: &mut Group<'_, Self>) -> Result<bool, PluginError> {
        self.call(format!("trust {}", group.conn)).map(|()| true)
    }

    fn reconcile(&self, group: &mut Group<'_, Self>, cr: &Cr<Spec>) -> Result<Outcome<Status>, PluginError> {
        let Spec { name, size, color } = &cr.spec;
        self.call(format!("reconcile {name}"))?;
        let color = color.as_deref().unwrap_or("grey");
        let named: Vec<Widget> = group.cache.iter().filter(|widget| widget.name == *name).cloned().collect();
        let ours: Vec<&Widget> = named.iter().filter(|widget| widget.managed).collect();
        let found = match (ours.as_slice(), named.as_slice()) {
            ([one], _) => Some((*one).clone()),
            ([], [one]) => Some(one.clone()),
            ([], []) => None,
            _ => return Err(PluginError::cr(format!("more than one widget is called {name:?}"))),
        };
        let wanted = Widget {
            id: found.as_ref().map_or_else(|| self.next_id(), |found| found.id),
            name: name.clone(),
            size: *size,
            color: found.as_ref().map_or(color, |found| found.color.as_str()).to_owned(),
            managed: true,
            in_use: found.as_ref().is_some_and(|found| found.in_use),
        };
        if self.remembers.get() && found.as_ref() != Some(&wanted) {
            group.remember(&Status { widget_id: wanted.id })?;
        }
        if found.as_ref() != Some(&wanted) {
            let verb = match &found {
                None => "create",
                Some(found) if !found.managed => "adopt",
                Some(_) => "update",
            };
            self.write(group, verb, name, |cloud| {
                cloud.widgets.retain(|widget| widget.id != wanted.id);
                cloud.widgets.push(wanted.clone());
            })?;
            group.cache.retain(|widget| widget.id != wanted.id);
            group.cache.push(wanted.clone());
        }
        let notes = if wanted.color == color {
            Vec::new()
        } else {
            vec![format!("the color stays {}", wanted.color)]
        };
        Ok(Outcome { notes, status: Status { widget_id: wanted.id } })
    }

    fn prune(&self, group: &mut Group<'_, Self>, request: &PruneRequest<'_>) -> Result<Pruned, PluginError> {
        self.call(format!("prune {}", group.conn))?;
        let managed = group.cache.iter().filter(|widget| widget.managed);
        let managed = managed.map(|widget| (widget.name.clone(), widget.clone())).collect();
        let selection = request.select(managed, |widget: &Widget| widget.id.to_string());
        let mut pruned = Pruned::default();
        let mut deleted = false;
        for (name, widget) in selection.go {
            if widget.in_use {
                pruned.keep_claim(name.as_str(), format!("widget {name:?} is in use"));
                continue;
            }
            self.write(group, "delete", &name, |cloud| {
                cloud.widgets.retain(|other| other.id != widget.id);
            })?;
            group.cache.retain(|other| other.id != widget.id);
            deleted = true;
        }
        if (request.sweep || deleted) && self.scraps(group.conn) > 0 {
            self.write(group, "sweep", "scraps", |cloud| cloud.scraps = 0)?;
        }
        Ok(pruned)
    }

    fn abandon(&self, group: &mut Group<'_, Self>, claim: &str) -> Result<(), PluginError> {
        self.call(format!("abandon {claim}"))?;
        let ours = |widget: &Widget| widget.name == claim && widget.managed;
        if !group.cache.iter().any(ours) {
            return Ok(());
        }
        let unmark = |widgets: &mut Vec<Widget>| {
            widgets.iter_mut().filter(|widget| ours(widget)).for_each(|widget| widget.managed = false);
        };
        self.write(group, "unmark", claim, |cloud| unmark(&mut cloud.widgets))?;
        unmark(group.cache);
        Ok(())
    }
}
