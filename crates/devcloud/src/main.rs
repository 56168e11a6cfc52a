//! Runs one simulated cloud until it is killed.

use std::env;
use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::thread;
use std::time::Duration;

use devcloud::{DevCloud, Options};
use serde_json::Value;

const USAGE: &str = "\
Simulates Kubernetes, Keystone and Neutron on loopback.

Usage: devcloud serve --dir DIR [options]

Writes DIR/kubeconfig and DIR/clouds.yaml, prints the URLs, and runs until it is killed.

Options:
  --dir DIR            where the files go; made if it is not there
  --crds DIR           define the CustomResourceDefinitions in DIR (*.yaml, *.yml, *.json; one in a file)
  --page-limit N       no list of Neutron's has more than N items
  --case-blind         Neutron filters and sorts as on MariaDB
  --tls                Keystone and Neutron over TLS; the authority goes to DIR/ca.pem
  --latency-ms N       every answer takes at least N milliseconds
  -h, --help           print this
";

fn main() -> ExitCode {
    let arguments: Vec<String> = env::args().skip(1).collect();
    if arguments.iter().any(|argument| argument == "-h" || argument == "--help") {
        print!("{USAGE}");
        return ExitCode::SUCCESS;
    }
    let command = match parse(&arguments) {
        Ok(command) => command,
        Err(problem) => {
            eprintln!("{problem}\n\n{USAGE}");
            return ExitCode::from(2);
        }
    };
    match serve(command) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

#[derive(Debug, Default)]
struct Command {
    dir: PathBuf,
    crds: Option<PathBuf>,
    options: Options,
}

fn parse(arguments: &[String]) -> Result<Command, String> {
    let mut rest = arguments.iter();
    match rest.next().map(String::as_str) {
        Some("serve") => {}
        Some(other) => return Err(format!("unknown command {other:?}: there is only serve")),
        None => return Err("no command: there is only serve".to_owned()),
    }
    let mut command = Command::default();
    while let Some(name) = rest.next() {
        let mut value = || rest.next().cloned().ok_or_else(|| format!("{name} needs a value"));
        match name.as_str() {
            "--dir" => command.dir = value()?.into(),
            "--crds" => command.crds = Some(value()?.into()),
            "--page-limit" => command.options.page_limit = Some(number(name, &value()?)?),
            "--latency-ms" => command.options.latency = Duration::from_millis(number(name, &value()?)?),
            "--case-blind" => command.options.case_blind = true,
            "--tls" => command.options.openstack_tls = true,
            other => return Err(format!("unknown option {other:?}")),
        }
    }
    if command.dir.as_os_str().is_empty() {
        return Err("--dir is missing: name a directory for the files".to_owned());
    }
    Ok(command)
}

fn number<T: std::str::FromStr>(name: &str, text: &str) -> Result<T, String> {
    text.parse().map_err(|_| format!("{name} {text:?} is no number"))
}

fn serve(command: Command) -> Result<(), Box<dyn Error>> {
    let tls = command.options.openstack_tls;
    let cloud = DevCloud::start(command.options)?;
    for path in command.crds.iter().map(|dir| files(dir)).collect::<Result<Vec<_>, _>>()?.concat() {
        let crd = read(&path)?;
        let (status, answer) = cloud.kube().define_or_refuse(crd);
        if status >= 300 {
            return Err(
                format!("{}: {}", path.display(), answer["message"].as_str().unwrap_or_default()).into()
            );
        }
        println!("defined     {}", answer["metadata"]["name"].as_str().unwrap_or_default());
    }
    fs::create_dir_all(&command.dir)?;
    let (kubeconfig, clouds) = (command.dir.join("kubeconfig"), command.dir.join("clouds.yaml"));
    cloud.write_kubeconfig(&kubeconfig)?;
    let mut yaml = cloud.clouds_yaml();
    if tls {
        let ca = command.dir.join("ca.pem");
        fs::write(&ca, cloud.ca_pem())?;
        let line = format!("    cacert: {}\n    auth:\n", Value::from(ca.canonicalize()?.to_string_lossy()));
        yaml = yaml.replace("    auth:\n", &line);
    }
    fs::write(&clouds, yaml)?;
    println!("kubernetes  {}  (KUBECONFIG={})", cloud.kube_url(), kubeconfig.display());
    println!("keystone    {}/v3  (OS_CLIENT_CONFIG_FILE={})", cloud.keystone_url(), clouds.display());
    println!("neutron     {}", cloud.neutron_url());
    loop {
        thread::park();
    }
}

/// The definitions in a directory, sorted by name.
fn files(dir: &Path) -> Result<Vec<PathBuf>, Box<dyn Error>> {
    let entries = fs::read_dir(dir).map_err(|error| format!("{}: {error}", dir.display()))?;
    let mut paths = entries.map(|entry| entry.map(|entry| entry.path())).collect::<Result<Vec<_>, _>>()?;
    paths.retain(|path| {
        path.extension()
            .and_then(|ending| ending.to_str())
            .is_some_and(|e| ["yaml", "yml", "json"].contains(&e))
    });
    paths.sort();
    Ok(paths)
}

/// JSON is YAML too.
fn read(path: &Path) -> Result<Value, Box<dyn Error>> {
    let text = fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))?;
    Ok(rest::yaml::parse(&text).map_err(|error| format!("{}: {error}", path.display()))?)
}
