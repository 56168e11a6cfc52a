//! Sets of field paths, as `metadata.managedFields` writes them (`FieldsV1`).

use std::collections::BTreeSet;

use serde_json::{Map, Value};

/// One step of a path.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Step {
    /// A field of an object.
    Field(String),
    /// An item of a list that has keys: its keys and their values, as JSON.
    Key(String),
    /// An item of a set, as JSON.
    Item(String),
}

impl Step {
    fn encoded(&self) -> String {
        match self {
            Self::Field(name) => format!("f:{name}"),
            Self::Key(keys) => format!("k:{keys}"),
            Self::Item(value) => format!("v:{value}"),
        }
    }

    fn decoded(text: &str) -> Option<Self> {
        let (letter, rest) = text.split_once(':')?;
        let rest = rest.to_owned();
        match letter {
            "f" => Some(Self::Field(rest)),
            "k" => Some(Self::Key(rest)),
            "v" => Some(Self::Item(rest)),
            _ => None,
        }
    }
}

/// From the object's root to a value.
pub(crate) type Path = Vec<Step>;

/// `.spec.containers[name="c"].image`, as messages name it.
pub(crate) fn shown(path: &[Step]) -> String {
    let mut out = String::new();
    for step in path {
        match step {
            Step::Field(name) => out.push_str(&format!(".{name}")),
            Step::Key(keys) => {
                let keys: Map<String, Value> = serde_json::from_str(keys).unwrap_or_default();
                let keys: Vec<String> = keys.iter().map(|(key, value)| format!("{key}={value}")).collect();
                out.push_str(&format!("[{}]", keys.join(",")));
            }
            Step::Item(value) => out.push_str(&format!("[={value}]")),
        }
    }
    out
}

/// A set of paths.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Paths(BTreeSet<Path>);

impl Paths {
    pub(crate) fn insert(&mut self, path: &[Step]) {
        if !path.is_empty() {
            self.0.insert(path.to_vec());
        }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// True if the set has this path or one below it.
    pub(crate) fn reaches(&self, path: &[Step]) -> bool {
        self.0.range(path.to_vec()..).next().is_some_and(|found| found.starts_with(path))
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = &Path> {
        self.0.iter()
    }

    pub(crate) fn union(&self, other: &Self) -> Self {
        Self(self.0.union(&other.0).cloned().collect())
    }

    pub(crate) fn intersection(&self, other: &Self) -> Self {
        Self(self.0.intersection(&other.0).cloned().collect())
    }

    pub(crate) fn difference(&self, other: &Self) -> Self {
        Self(self.0.difference(&other.0).cloned().collect())
    }

    pub(crate) fn retain(&mut self, keep: impl Fn(&[Step]) -> bool) {
        self.0.retain(|path| keep(path));
    }

    /// In the order in which conflicts are told: at each level first the paths that end there.
    pub(crate) fn in_order_of_telling(&self) -> Vec<Path> {
        let mut paths: Vec<Path> = self.0.iter().cloned().collect();
        paths.sort_by(|a, b| {
            let same = a.iter().zip(b).take_while(|(a, b)| a == b).count();
            let ends = |path: &Path| path.len() > same + 1;
            ends(a).cmp(&ends(b)).then_with(|| a.cmp(b))
        });
        paths
    }

    /// As `FieldsV1`: nested maps, `.` for a path that has others below it.
    pub(crate) fn to_fields(&self) -> Value {
        fn put(map: &mut Map<String, Value>, path: &[Step]) {
            let Some((step, rest)) = path.split_first() else {
                map.insert(".".into(), Value::Object(Map::new()));
                return;
            };
            let next = map.entry(step.encoded()).or_insert_with(|| Value::Object(Map::new()));
            if let Value::Object(inner) = next {
                put(inner, rest);
            }
        }
        fn tidy(map: &mut Map<String, Value>) {
            if map.len() == 1 {
                map.remove(".");
            }
            map.values_mut().filter_map(Value::as_object_mut).for_each(tidy);
        }
        let mut root = Map::new();
        self.0.iter().for_each(|path| put(&mut root, path));
        tidy(&mut root);
        Value::Object(root)
    }

    /// The inverse of [`Paths::to_fields`]; what it cannot read is left out.
    pub(crate) fn from_fields(fields: &Value) -> Self {
        fn read(fields: &Value, path: &mut Path, out: &mut Paths) {
            let Some(map) = fields.as_object() else { return };
            if map.is_empty() || map.contains_key(".") {
                out.insert(path);
            }
            for (key, inner) in map {
                if let Some(step) = Step::decoded(key) {
                    path.push(step);
                    read(inner, path, out);
                    path.pop();
                }
            }
        }
        let mut out = Self::default();
        read(fields, &mut Vec::new(), &mut out);
        out
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn fields_are_read_as_they_are_written() {
        let fields = json!({
            "f:metadata": {"f:finalizers": {".": {}, "v:\"a/b\"": {}}, "f:labels": {"f:x": {}}},
            "f:spec": {
                "f:containers": {"k:{\"name\":\"c\"}": {".": {}, "f:image": {}, "f:name": {}}},
                "f:selector": {},
            },
        });
        let paths = Paths::from_fields(&fields);
        assert_eq!(paths.iter().count(), 7);
        assert_eq!(paths.to_fields(), fields);
    }

    #[test]
    fn paths_are_shown_as_in_messages() {
        let path = [
            Step::Field("spec".into()),
            Step::Field("ports".into()),
            Step::Key(r#"{"containerPort":80,"protocol":"TCP"}"#.into()),
            Step::Field("name".into()),
        ];
        assert_eq!(shown(&path), ".spec.ports[containerPort=80,protocol=\"TCP\"].name");
        assert_eq!(shown(&[Step::Item("\"x\"".into())]), "[=\"x\"]");
    }

    #[test]
    fn a_set_reaches_what_lies_above_its_paths() {
        let field = |name: &str| Step::Field(name.into());
        let mut paths = Paths::default();
        paths.insert(&[field("spec"), field("size")]);
        assert!(paths.reaches(&[field("spec")]));
        assert!(!paths.reaches(&[field("spec"), field("siz")]));
    }
}
