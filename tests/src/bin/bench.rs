//! `make bench`: sizes, the latency of `--config`, and what typical runs cost. Figures to read, not to test:
//! what must hold is held by request counts in the tests.

use std::time::{Duration, Instant};

use devcloud::Options;
use framework::table;
use openstack_sync_tests::workloads::{WorkloadSite, workload_cr};
use openstack_sync_tests::{HookSite, Outcome, Site, binaries, flavor_cr, merge};
use serde_json::{Value, json};

/// Runs per figure; the median is printed.
const RUNS: usize = 7;
const CRS: usize = 1000;
/// TemplateWorkloads, each of three objects.
const WORKLOADS: usize = 100;

fn main() {
    sizes();
    config();
    runs("loopback", Options::default());
    runs("20 ms per answer", Options { latency: Duration::from_millis(20), ..Options::default() });
    workloads();
}

fn sizes() {
    let row = |name: &String| {
        let bytes = std::fs::metadata(binaries::hook(name)).map_or(0, |file| file.len());
        [name.clone(), format!("{:.2} MB", bytes as f64 / 1e6)]
    };
    let rows: Vec<_> = binaries::shipped().iter().map(row).collect();
    println!("{}", table(["BINARY", "SIZE"], &rows));
}

fn config() {
    let site = Site::new();
    let mut times = Vec::new();
    let mut peak = 0;
    for _ in 0..50 {
        let begin = Instant::now();
        site.hook.run(&["--config"]).expect(0);
        times.push(begin.elapsed());
        peak = peak.max(site.hook.run_measured(&["--config"]).1);
    }
    let row = [millis(median(times)), format!("{:.1} MiB", peak as f64 / 1024.0)];
    println!("{}", table(["--config, MEDIAN OF 50", "PEAK RSS"], &[row]));
}

/// One line of the table of runs.
struct Figure {
    what: &'static str,
    time: Duration,
    peak: u64,
    requests: usize,
    summary: String,
}

fn runs(title: &str, options: Options) {
    let site = Site::with(options);
    let mut figures = Vec::new();
    for index in 0..CRS {
        site.apply(numbered(index));
    }
    figures.push(measure(&site, "create 1,000", 1, |site| site.periodic()));
    figures.push(measure(&site, "nothing changed, full run", RUNS, |site| site.periodic()));
    figures.push(measure(&site, "nothing changed, catch-up", RUNS, |site| site.catch_up()));
    let mut changed = numbered(7);
    merge(&mut changed, json!({"spec": {"is_enabled": false}}));
    site.apply(changed);
    figures.push(measure(&site, "one of 1,000 changed", 1, |site| site.catch_up()));
    print(title, figures);
}

fn workloads() {
    let mut site = WorkloadSite::new();
    site.hook.set("LOG_LEVEL", "info");
    let config_map =
        |name: &str| json!({"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": name}});
    let objects = json!([config_map("${NAME}-a"), config_map("${NAME}-b"), config_map("${NAME}-c")]);
    site.template("web", objects, json!([{"name": "NAME", "required": true}]));
    for index in 0..WORKLOADS {
        let name = format!("web-{index:03}");
        site.apply(workload_cr(&name, json!({"parameters": {"NAME": name}})));
    }
    let figures = vec![
        measure(&site, "create 100", 1, |site| site.periodic()),
        measure(&site, "nothing changed, full run", RUNS, |site| site.periodic()),
        measure(&site, "nothing changed, catch-up", RUNS, |site| site.catch_up()),
    ];
    print("template-workloads, 3 objects each, loopback", figures);
}

fn print(title: &str, figures: Vec<Figure>) {
    let rows: Vec<[String; 5]> = figures
        .into_iter()
        .map(|figure| {
            let peak = format!("{:.1} MiB", figure.peak as f64 / 1024.0);
            [figure.what.to_owned(), millis(figure.time), peak, figure.requests.to_string(), figure.summary]
        })
        .collect();
    println!("{title}\n{}", table(["RUN", "WALL, MEDIAN", "PEAK RSS", "REQUESTS", "SUMMARY"], &rows));
}

fn measure(site: &HookSite, what: &'static str, runs: usize, context: impl Fn(&HookSite) -> Value) -> Figure {
    let path = site.file("bench.json", &Value::Array(vec![context(site)]).to_string());
    let mut hook = site.hook.clone();
    hook.set("BINDING_CONTEXT_PATH", &path.display().to_string());
    let (mut times, mut peak, mut last, mut requests) = (Vec::new(), 0, None::<Outcome>, 0);
    for _ in 0..runs {
        site.dev.clear_journal();
        let begin = Instant::now();
        let (outcome, rss) = hook.run_measured(&[]);
        times.push(begin.elapsed());
        peak = peak.max(rss);
        requests = site.requests().len();
        last = Some(outcome.expect(0));
    }
    let summary = last.map(|outcome| outcome.summary().to_owned()).unwrap_or_default();
    Figure { what, time: median(times), peak, requests, summary }
}

fn numbered(index: usize) -> Value {
    flavor_cr(&format!("flavor-{index:04}"), "devcloud", json!({}))
}

fn median(mut times: Vec<Duration>) -> Duration {
    times.sort();
    times[times.len() / 2]
}

fn millis(time: Duration) -> String {
    format!("{:.1} ms", time.as_secs_f64() * 1000.0)
}
