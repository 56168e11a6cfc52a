//! Objects of a Template, by three commands that share nothing but their arguments:
//!
//! ```sh
//! cargo run -p openshift-templates --example job -- create TEMPLATE NAMESPACE NAME=VALUE...
//! cargo run -p openshift-templates --example job -- get    TEMPLATE NAMESPACE NAME=VALUE...
//! cargo run -p openshift-templates --example job -- delete TEMPLATE NAMESPACE NAME=VALUE...
//! ```
//!
//! The cluster is that of `KUBECONFIG`; the Template is stored in NAMESPACE, where the objects go.

use std::process::ExitCode;

use openshift_templates::{ConnectOptions, Error, TemplateInputs, connect};

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let Some((command, inputs)) = parse(&arguments) else {
        eprintln!("usage: job create|get|delete TEMPLATE NAMESPACE [NAME=VALUE]...");
        return ExitCode::from(2);
    };
    match run(command, &inputs) {
        Ok(lines) => {
            lines.iter().for_each(|line| println!("{line}"));
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

fn parse(arguments: &[String]) -> Option<(&str, TemplateInputs)> {
    let [command, template, namespace, parameters @ ..] = arguments else { return None };
    let mut inputs = TemplateInputs::new(template, namespace);
    for parameter in parameters {
        let (name, value) = parameter.split_once('=')?;
        inputs = inputs.parameter(name, value);
    }
    ["create", "get", "delete"].contains(&command.as_str()).then_some((command, inputs))
}

/// A line for each object.
fn run(command: &str, inputs: &TemplateInputs) -> Result<Vec<String>, Error> {
    let client = connect(&ConnectOptions::default())?;
    let references = match command {
        "create" => client.create(inputs)?,
        "delete" => client.delete(inputs)?,
        _ => {
            let live = client.get(inputs)?;
            let line = |object: &serde_json::Value| {
                let text = |key: &str| object["metadata"][key].as_str().unwrap_or_default();
                let kind = object["kind"].as_str().unwrap_or_default();
                format!("{kind} {}, version {}", text("name"), text("resourceVersion"))
            };
            return Ok(live.iter().map(line).collect());
        }
    };
    Ok(references.iter().map(|reference| format!("{command}d {reference}")).collect())
}
