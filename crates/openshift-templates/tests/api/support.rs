//! An API server of a few lines: a test says what it answers to which request, and it remembers what it was
//! asked.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

use openshift_templates::Client;
use openshift_templates::kube::{self, Auth, Config};
use rest::{Options, Proxy, Retry};
use serde_json::{Value, json};

/// One request.
#[derive(Clone, Debug)]
pub(crate) struct Seen {
    /// `GET /api/v1/...`
    pub(crate) line: String,
    pub(crate) content_type: String,
    /// Null if there is none.
    pub(crate) body: Value,
}

pub(crate) enum Answer {
    /// Status and JSON body.
    Json(u16, Value),
    /// Status and text.
    Plain(u16, &'static str),
    /// Status and text, of a recording.
    Text(u16, String),
    /// A status, one more header, and no body.
    Header(u16, &'static str),
    /// A success whose body ends in the middle, with the connection.
    Half(Value),
    /// The connection is closed without an answer.
    Cut,
    /// There is no answer, and the connection stays open.
    Silence,
}

pub(crate) fn ok(body: Value) -> Answer {
    Answer::Json(200, body)
}

/// A recorded body, with its status.
pub(crate) fn recorded(code: u16, body: &str) -> Answer {
    Answer::Json(code, serde_json::from_str(body).unwrap())
}

/// A Status object.
pub(crate) fn refusal(code: u16, reason: &str, message: &str, details: Value) -> Answer {
    let status = json!({"kind": "Status", "apiVersion": "v1", "metadata": {}, "status": "Failure",
        "message": message, "reason": reason, "details": details, "code": code});
    Answer::Json(code, status)
}

pub(crate) fn not_found(name: &str) -> Answer {
    refusal(404, "NotFound", &format!("x {name:?} not found"), json!({"name": name, "kind": "x"}))
}

/// The discovery document of a group and version.
pub(crate) fn kinds(entries: &[(&str, &str, bool)]) -> Answer {
    let entry = |&(plural, kind, namespaced): &(&str, &str, bool)| {
        let verbs = ["create", "delete", "get", "patch"];
        json!({"name": plural, "kind": kind, "namespaced": namespaced, "verbs": verbs})
    };
    let resources: Vec<_> = entries.iter().map(entry).collect();
    ok(json!({"kind": "APIResourceList", "resources": resources}))
}

type Handler = dyn Fn(&Seen) -> Answer + Send + Sync;

pub(crate) struct Server {
    address: SocketAddr,
    seen: Arc<Mutex<Vec<Seen>>>,
}

impl Server {
    pub(crate) fn new(handler: impl Fn(&Seen) -> Answer + Send + Sync + 'static) -> Server {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let seen = Arc::<Mutex<Vec<Seen>>>::default();
        let (shared, handler): (_, Arc<Handler>) = (seen.clone(), Arc::new(handler));
        thread::spawn(move || {
            for stream in listener.incoming().map_while(Result::ok) {
                let (shared, handler) = (shared.clone(), handler.clone());
                thread::spawn(move || serve(stream, &*handler, &shared));
            }
        });
        Server { address, seen }
    }

    pub(crate) fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// A fresh client without repetitions.
    pub(crate) fn client(&self) -> Client {
        let config = Config {
            server: self.url(),
            namespace: "elsewhere".to_owned(),
            auth: Auth::None,
            options: Options { proxy: Proxy::None, timeout: Duration::from_secs(20), ..Options::default() },
        };
        Client::from_kube(kube::Client::new(config).unwrap().with_retry(Retry::never()))
    }

    pub(crate) fn seen(&self) -> Vec<Seen> {
        self.seen.lock().unwrap().clone()
    }

    pub(crate) fn lines(&self) -> Vec<String> {
        self.seen().into_iter().map(|seen| seen.line).collect()
    }

    /// The requests that write objects.
    pub(crate) fn writes(&self) -> Vec<String> {
        let lines = self.lines().into_iter();
        lines.filter(|line| line.starts_with("PATCH") || line.starts_with("DELETE")).collect()
    }
}

fn serve(stream: TcpStream, handler: &Handler, seen: &Mutex<Vec<Seen>>) {
    let mut stream = BufReader::new(stream);
    loop {
        let mut head = String::new();
        while !head.ends_with("\r\n\r\n") {
            if stream.read_line(&mut head).unwrap_or(0) == 0 {
                return;
            }
        }
        let header = |name: &str| {
            head.lines().find_map(|line| {
                let (key, value) = line.split_once(": ")?;
                key.eq_ignore_ascii_case(name).then(|| value.to_owned())
            })
        };
        let length = header("content-length").map_or(0, |length| length.parse().unwrap());
        let mut body = vec![0; length];
        stream.read_exact(&mut body).unwrap();
        let request = Seen {
            line: head.lines().next().unwrap().trim_end_matches(" HTTP/1.1").to_owned(),
            content_type: header("content-type").unwrap_or_default(),
            body: serde_json::from_slice(&body).unwrap_or_default(),
        };
        let answer = handler(&request);
        seen.lock().unwrap().push(request);
        let json = "Content-Type: application/json";
        let plain = "Content-Type: text/plain; charset=utf-8";
        let (status, header, body, is_whole) = match answer {
            Answer::Json(status, body) => (status, json, body.to_string(), true),
            Answer::Plain(status, text) => (status, plain, text.to_owned(), true),
            Answer::Text(status, text) => (status, plain, text, true),
            Answer::Header(status, header) => (status, header, String::new(), true),
            Answer::Half(body) => (200, json, body.to_string(), false),
            Answer::Cut => return,
            Answer::Silence => {
                // Until the client gives up.
                let _ = stream.read(&mut [0]);
                return;
            }
        };
        let shown = &body[..if is_whole { body.len() } else { body.len() / 2 }];
        let answer =
            format!("HTTP/1.1 {status} X\r\n{header}\r\nContent-Length: {}\r\n\r\n{shown}", body.len());
        if stream.get_mut().write_all(answer.as_bytes()).is_err() || !is_whole {
            return;
        }
    }
}

/// A cluster that stores one Template, `jobs/web` or whatever is asked for, which renders to `objects`, and
/// that does what it is told. `special` answers first.
pub(crate) fn cluster(
    objects: Value,
    special: impl Fn(&Seen) -> Option<Answer> + Send + Sync + 'static,
) -> Server {
    Server::new(move |seen| {
        if let Some(answer) = special(seen) {
            return answer;
        }
        let (method, path) = seen.line.split_once(' ').unwrap();
        let name = path.split('?').next().unwrap().rsplit('/').next().unwrap();
        match method {
            "POST" => {
                let mut template = seen.body.clone();
                template["objects"] = objects.clone();
                Answer::Json(201, template)
            }
            "PATCH" => {
                let mut object = seen.body.clone();
                object["metadata"]["uid"] = format!("uid-{name}").into();
                Answer::Json(201, object)
            }
            "DELETE" => ok(json!({"kind": "Status", "status": "Success"})),
            _ if path.contains("/templates/") => ok(template()),
            _ => match path {
                "/api/v1" => kinds(&[
                    ("configmaps", "ConfigMap", true),
                    ("namespaces", "Namespace", false),
                    ("secrets", "Secret", true),
                    ("services", "Service", true),
                ]),
                "/apis/apps/v1" => kinds(&[("deployments", "Deployment", true)]),
                "/apis/kubevirt.io/v1" => kinds(&[("virtualmachines", "VirtualMachine", true)]),
                _ if path.contains("/namespaces/") => ok(json!({"metadata": {"name": name}})),
                _ => Answer::Plain(404, "404 page not found"),
            },
        }
    })
}

/// As it is stored in the namespace `openshift`.
pub(crate) fn template() -> Value {
    json!({
        "kind": "Template", "apiVersion": "template.openshift.io/v1",
        "metadata": {"name": "web", "namespace": "openshift", "uid": "t", "resourceVersion": "7"},
        "objects": ["${NAME}"],
        "parameters": [
            {"name": "NAME", "required": true},
            {"name": "REPLICAS", "value": "1"},
            {"name": "PASSWORD", "generate": "expression", "from": "[a-z]{8}", "description": "d"},
        ],
    })
}

/// `apiVersion`, kind and name.
pub(crate) fn object(api_version: &str, kind: &str, name: &str) -> Value {
    json!({"apiVersion": api_version, "kind": kind, "metadata": {"name": name}})
}
