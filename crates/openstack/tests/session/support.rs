//! A small HTTP server whose answers a test writes down.

use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant, SystemTime};

/// A request as it arrived.
#[derive(Debug, Clone)]
pub(crate) struct Received {
    pub(crate) line: String, // "GET /v2.0/flavors?limit=3"
    pub(crate) headers: Vec<(String, String)>,
    pub(crate) body: Value,
}

impl Received {
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.headers
            .iter()
            .find(|(other, _)| other.eq_ignore_ascii_case(name))
            .map(|(_, value)| value.as_str())
    }
}

/// What the server does.
pub(crate) enum Reply {
    Json(u16, Value),
    With(u16, &'static str, String, String), // status, header name and value, body
    Cut,
}

/// Listens until the test's process ends.
pub(crate) struct Server {
    pub(crate) url: String,
    received: Arc<Mutex<Vec<Received>>>,
}

impl Server {
    /// `answer` gets each request, and how many of the same line came before it.
    pub(crate) fn start(answer: impl Fn(&str, &Received, usize) -> Reply + Send + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let received = Arc::new(Mutex::new(Vec::<Received>::new()));
        let (journal, own_url) = (received.clone(), url.clone());
        std::thread::spawn(move || {
            for stream in listener.incoming() {
                let Ok(stream) = stream else { return };
                let Some(request) = read(&stream) else { continue };
                let before =
                    journal.lock().unwrap().iter().filter(|other| other.line == request.line).count();
                journal.lock().unwrap().push(request.clone());
                write(stream, answer(&own_url, &request, before));
            }
        });
        Self { url, received }
    }

    /// The request lines so far.
    pub(crate) fn lines(&self) -> Vec<String> {
        self.received.lock().unwrap().iter().map(|request| request.line.clone()).collect()
    }

    pub(crate) fn received(&self) -> Vec<Received> {
        self.received.lock().unwrap().clone()
    }
}

/// One request per connection.
fn read(stream: &TcpStream) -> Option<Received> {
    let mut reader = BufReader::new(stream);
    let mut head = Vec::new();
    loop {
        let mut line = String::new();
        if reader.read_line(&mut line).ok()? == 0 {
            return None;
        }
        match line.trim_end() {
            "" => break,
            line => head.push(line.to_owned()),
        }
    }
    let first = head.first()?.rsplit_once(' ')?.0.to_owned();
    let headers: Vec<(String, String)> = head[1..]
        .iter()
        .filter_map(|line| line.split_once(':'))
        .map(|(name, value)| (name.to_owned(), value.trim().to_owned()))
        .collect();
    let mut request = Received { line: first, headers, body: Value::Null };
    let length = request.header("content-length").and_then(|length| length.parse().ok()).unwrap_or(0);
    let mut body = vec![0; length];
    reader.read_exact(&mut body).ok()?;
    request.body = serde_json::from_slice(&body).unwrap_or_default();
    Some(request)
}

fn write(mut stream: TcpStream, reply: Reply) {
    let (status, header, body) = match reply {
        Reply::Cut => return,
        Reply::Json(status, body) => (status, String::new(), body.to_string()),
        Reply::With(status, name, value, body) => (status, format!("{name}: {value}\r\n"), body),
    };
    let length = if status == 204 { String::new() } else { format!("Content-Length: {}\r\n", body.len()) };
    let body = if status == 204 { String::new() } else { body };
    let answer = format!("HTTP/1.1 {status} X\r\nConnection: close\r\n{length}{header}\r\n{body}");
    let _ = stream.write_all(answer.as_bytes());
}

/// Keystone's answer to a login: a token with a catalogue that has Neutron at `url`.
pub(crate) fn token(url: &str, number: usize) -> Reply {
    let body = json!({"token": {
        "user": {"id": "u1"}, "project": {"id": "p1"},
        "catalog": [{"type": "network", "name": "neutron", "endpoints": [
            {"interface": "public", "region_id": "RegionOne", "region": "RegionOne", "url": url}]}]}});
    Reply::With(201, "X-Subject-Token", format!("t0ken{number}"), body.to_string())
}

/// The 401 of Keystone and, measured, of Neutron.
pub(crate) fn unauthorized() -> Reply {
    Reply::Json(
        401,
        json!({"error": {"code": 401, "title": "Unauthorized", "message": "The request you have made requires authentication."}}),
    )
}

/// An error of Neutron.
pub(crate) fn neutron(status: u16, kind: &str, message: &str) -> Reply {
    let body = json!({"NeutronError": {"type": kind, "message": message, "detail": ""}});
    Reply::With(
        status,
        "X-Openstack-Request-Id",
        "req-1b4a0d7c-0d52-4a5e-8a1c-3f5f7a6f6a10".to_owned(),
        body.to_string(),
    )
}

/// A session at this server with these lines of `clouds.yaml` beside `auth` and in it.
pub(crate) fn session_with(server: &Server, beside: &str, auth: &str) -> openstack::Session {
    let yaml = format!(
        "clouds:\n  c:\n    {}\n    auth:\n      auth_url: {}/v3\n      {}\n",
        beside.replace('\n', "\n    "),
        server.url,
        auth.replace('\n', "\n      ")
    );
    impatient(openstack::Cloud::from_yaml(&yaml, "c", None).unwrap())
}

/// A session whose pauses take no time.
pub(crate) fn impatient(cloud: openstack::Cloud) -> openstack::Session {
    let clock = Clock { start: Instant::now(), slept: Mutex::default() };
    openstack::Session::new(cloud).unwrap().with_clock(Arc::new(clock))
}

/// A clock that only pauses move.
struct Clock {
    start: Instant,
    slept: Mutex<Duration>,
}

impl rest::Clock for Clock {
    fn now(&self) -> Instant {
        self.start + *self.slept.lock().unwrap()
    }
    fn date(&self) -> SystemTime {
        SystemTime::UNIX_EPOCH
    }
    fn sleep(&self, pause: Duration) {
        *self.slept.lock().unwrap() += pause;
    }
    fn jitter(&self) -> f64 {
        1.0
    }
}

/// A session of a user with a password.
pub(crate) fn session(server: &Server) -> openstack::Session {
    session_with(server, "auth_type: password", "user_id: u1\npassword: hunter2\nproject_id: p1")
}
