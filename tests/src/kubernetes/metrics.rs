//! Prometheus' text format, as far as it is needed.

/// What an endpoint answered.
#[derive(Debug, Clone)]
pub struct Metrics {
    pub(super) text: String,
}

impl Metrics {
    /// The value of the first sample of this name whose labels have all of these texts, such as `hook="x"`.
    pub fn value(&self, name: &str, labels: &[&str]) -> Option<f64> {
        self.samples(name, labels).next()
    }

    fn samples<'a>(&'a self, name: &'a str, labels: &'a [&'a str]) -> impl Iterator<Item = f64> + 'a {
        self.text.lines().filter_map(move |line| {
            let (series, value) = line.rsplit_once(' ')?;
            let (found, rest) = series.split_once('{').unwrap_or((series, ""));
            let is_it = found == name && labels.iter().all(|label| rest.contains(label));
            is_it.then(|| value.parse().ok())?
        })
    }
}
