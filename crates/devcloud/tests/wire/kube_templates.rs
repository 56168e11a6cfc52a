//! The Template API beyond single recorded answers: values of `${{ }}`, generators, sizes, and the API's absence.

use devcloud::{DevCloud, Fault, Options};
use serde_json::{Value, json};

use crate::client::{Answer, Lab};

const PROCESS: &str = "/apis/template.openshift.io/v1/namespaces/default/processedtemplates";

fn template(parameters: Value, object: Value) -> Value {
    json!({
        "apiVersion": "template.openshift.io/v1", "kind": "Template", "metadata": {"name": "t"},
        "objects": [object], "parameters": parameters,
    })
}

fn thing(field: &str) -> Value {
    json!({"apiVersion": "v1", "kind": "X", "metadata": {"name": "x"}, "a": field})
}

fn process(lab: &Lab, template: &Value) -> Answer {
    lab.kube("POST", PROCESS, &template.to_string())
}

/// Each value and what a real server wrote for `${{P}}`, byte for byte.
#[test]
fn values_go_through_json() {
    let lab = Lab::new();
    let rows: Vec<(String, String)> = serde_json::from_str(include_str!("recorded/values.json")).unwrap();
    assert_eq!(rows.len(), 30);
    let mut wrong = Vec::new();
    for (value, wanted) in rows {
        let answer = process(&lab, &template(json!([{"name": "P", "value": value}]), thing("${{P}}")));
        if answer.status != 201 || !answer.body.contains(&format!("{{\"a\":{wanted},\"apiVersion\"")) {
            wrong.push(format!("{value:?}: {wanted} is not in {}", answer.body));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn values_of_many_kinds() {
    let lab = Lab::new();
    let given = json!({
        "N": "5", "B": "true", "F": "1.5", "NEG": "-3", "BIG": "12345678901234567890", "EXP": "1e3", "S": "hello",
        "E": "", "NULL": "null", "J": "{\"a\":[1,\"x\"]}", "L": "[1,2]", "Q": "\"quoted\"", "SP": " 7 ",
        "TR": "true x", "LZ": "007", "Y": "yes", "ML": "a\nb",
    });
    let given = given.as_object().unwrap();
    let parameters: Value = given.iter().map(|(name, value)| json!({"name": name, "value": value})).collect();
    let mut object = thing("");
    object["x"] = given.keys().map(|name| (name.clone(), Value::from(format!("${{{{{name}}}}}")))).collect();
    let answer = process(&lab, &template(parameters, object)).json();
    let wanted = json!({
        "B": true, "BIG": 12_345_678_901_234_567_000_u64, "E": "", "EXP": 1000, "F": 1.5, "J": {"a": [1, "x"]},
        "L": [1, 2], "LZ": "007", "ML": "a\nb", "N": 5, "NEG": -3, "Q": "quoted", "S": "hello", "SP": 7,
        "TR": "true x", "Y": "yes",
    });
    assert_eq!(answer["objects"][0]["x"], wanted);
}

/// A generated value is one value, wherever it stands; it comes back in the parameters.
#[test]
fn generated_values() {
    let lab = Lab::new();
    for (from, pattern) in [
        ("user-[a-z0-9]{8}", "^user-[a-y0-8]{8}$"),
        ("${B}-[0-9]{2}", r"^\$\{B\}-[0-8]{2}$"),
        ("[a-z]{2}-[A-Z]{2}-[0-9]{2}", "^[a-y]{2}-[A-Y]{2}-[0-8]{2}$"),
        ("[\\w]{255}", "^[a-zA-Z0-9_]{255}$"),
    ] {
        let parameters = json!([
            {"name": "B", "value": "z"},
            {"name": "A", "required": true, "generate": "expression", "from": from},
        ]);
        let answer = process(&lab, &template(parameters, thing("${A}"))).json();
        let value = answer["parameters"][1]["value"].as_str().unwrap();
        assert!(regex::Regex::new(pattern).unwrap().is_match(value), "{value}");
        assert_eq!(answer["objects"][0]["a"], value);
        assert_eq!(answer["parameters"][1]["from"], from);
    }
    let panics = json!([{"name": "A", "generate": "expression", "from": "[a-a]{1}"}]);
    let answer = process(&lab, &template(panics, thing("${A}")));
    assert_eq!((answer.status, answer.header("Content-Type")), (500, Some("text/plain; charset=utf-8")));
}

#[test]
fn a_seed_repeats_generated_values() {
    let value = || {
        let lab = Lab::with(Options { seed: Some(7), ..Options::default() });
        let parameters = json!([{"name": "A", "generate": "expression", "from": "[a-z]{20}"}]);
        process(&lab, &template(parameters, thing("${A}"))).json()["parameters"][0]["value"].clone()
    };
    assert_eq!(value(), value());
}

#[test]
fn sizes() {
    let lab = Lab::new();
    let sized = |bytes: usize| template(json!([]), thing(&"x".repeat(bytes)));
    let status = |code: u16, reason: Option<&str>, message: &str| {
        let mut status = json!({
            "kind": "Status", "apiVersion": "v1", "metadata": {}, "status": "Failure", "message": message,
            "code": code,
        });
        if let Some(reason) = reason {
            status["reason"] = reason.into();
        }
        status
    };
    let large = process(&lab, &sized(3_400_000));
    let message = "Request entity too large: limit is 3145728";
    assert_eq!((large.status, large.json()), (413, status(413, Some("RequestEntityTooLarge"), message)));
    assert_eq!(process(&lab, &sized(1_900_000)).status, 201, "it is not stored");
    let path = PROCESS.replace("processedtemplates", "templates");
    let stored = lab.kube("POST", &path, &sized(1_900_000).to_string());
    assert_eq!((stored.status, stored.json()), (500, status(500, None, "etcdserver: request is too large")));
}

#[test]
fn without_its_server_the_group_is_503() {
    let lab = Lab::new();
    lab.cloud.inject(Fault::no_template_api());
    for answer in [
        process(&lab, &template(json!([]), thing("a"))),
        lab.kube("GET", "/apis/template.openshift.io/v1", ""),
    ] {
        assert_eq!((answer.status, answer.body.trim()), (503, "service unavailable"));
        assert_eq!(answer.header("Content-Type"), Some("text/plain; charset=utf-8"));
    }
    assert_eq!(lab.kube("GET", "/api/v1", "").status, 200);
}

/// How a test stores a template without a request.
#[test]
fn templates_are_made_in_process_too() {
    let cloud = DevCloud::start(Options::default()).unwrap();
    cloud.kube().create(template(json!([{"name": "A", "value": "x"}]), thing("${A}")));
    let (status, stored) =
        cloud.kube().call("GET", "/apis/template.openshift.io/v1/namespaces/default/templates/t", None);
    assert_eq!((status, &stored["objects"][0]["a"]), (200, &json!("${A}")));
    assert_eq!(cloud.kube().call("POST", PROCESS, Some(&stored)).1["objects"][0]["a"], "x");
}
