//! An API server of a few lines: it answers from a script and remembers what it was asked.
#![allow(dead_code)] // each test binary uses its part

pub(crate) mod tls;

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpListener};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant, SystemTime};

use kube::{Auth, Client, Config};
use rest::{Clock, Options, Proxy, RETRY_BUDGET, Retry};
use serde_json::Value;

/// One request.
#[derive(Clone, Debug)]
pub(crate) struct Seen {
    /// `GET /api/v1/...`
    pub(crate) line: String,
    /// The head in lower case.
    pub(crate) head: String,
    pub(crate) body: Option<Value>,
}

impl Seen {
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.head.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(": "))
    }
}

/// Status, content type, body. No status, no answer: the connection stays open.
pub(crate) type Answer = (u16, &'static str, String);

pub(crate) fn json(status: u16, body: &Value) -> Answer {
    (status, "application/json", body.to_string())
}

pub(crate) fn plain(status: u16, body: &str) -> Answer {
    (status, "text/plain; charset=utf-8", body.to_owned())
}

/// No answer at all, until the client gives up.
pub(crate) fn stall() -> Answer {
    (0, "", String::new())
}

pub(crate) struct Server {
    address: SocketAddr,
    seen: Arc<Mutex<Vec<Seen>>>,
    connections: Arc<AtomicUsize>,
}

impl Server {
    pub(crate) fn new(script: Vec<Answer>) -> Server {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let (seen, connections) = (Arc::<Mutex<Vec<Seen>>>::default(), Arc::<AtomicUsize>::default());
        let (shared, count) = (seen.clone(), connections.clone());
        thread::spawn(move || {
            let script = Mutex::new(script.into_iter());
            for stream in listener.incoming().map_while(Result::ok) {
                count.fetch_add(1, Ordering::SeqCst);
                serve(BufReader::new(stream), &script, &shared);
            }
        });
        Server { address, seen, connections }
    }

    /// A server that accepts connections and says nothing, not even for TLS.
    pub(crate) fn silent() -> Server {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        thread::spawn(move || {
            let open: Vec<_> = listener.incoming().collect();
            drop(open);
        });
        Server { address, seen: Arc::default(), connections: Arc::default() }
    }

    /// How many there have been.
    pub(crate) fn connections(&self) -> usize {
        self.connections.load(Ordering::SeqCst)
    }

    pub(crate) fn config(&self, auth: Auth) -> Config {
        Config {
            server: format!("http://{}/", self.address),
            namespace: "m1".to_owned(),
            auth,
            options: Options { proxy: Proxy::None, ..Options::default() },
        }
    }

    /// A client with the usual retries, but no waiting.
    pub(crate) fn client(&self, auth: Auth) -> Client {
        let retry = Retry::new(RETRY_BUDGET, &[429, 502, 503, 504]).with_clock(NoTime::new());
        Client::new(self.config(auth)).unwrap().with_retry(retry)
    }

    pub(crate) fn seen(&self) -> Vec<Seen> {
        self.seen.lock().unwrap().clone()
    }

    pub(crate) fn lines(&self) -> Vec<String> {
        self.seen().into_iter().map(|seen| seen.line).collect()
    }
}

/// One connection after the other; a script at its end closes the connection.
fn serve<S: Read + Write>(
    mut stream: BufReader<S>,
    script: &Mutex<impl Iterator<Item = Answer>>,
    seen: &Mutex<Vec<Seen>>,
) {
    loop {
        let mut head = String::new();
        while !head.ends_with("\r\n\r\n") {
            if stream.read_line(&mut head).unwrap_or(0) == 0 {
                return;
            }
        }
        let line = head.lines().next().unwrap().trim_end_matches(" HTTP/1.1").to_owned();
        let head = head.to_ascii_lowercase();
        let mut request = Seen { line, head, body: None };
        let length = request.header("content-length").map_or(0, |length| length.parse().unwrap());
        let mut body = vec![0; length];
        stream.read_exact(&mut body).unwrap();
        request.body = serde_json::from_slice(&body).ok();
        seen.lock().unwrap().push(request);
        let Some((status, kind, body)) = script.lock().unwrap().next() else { return };
        if status == 0 {
            let _ = std::io::copy(&mut stream, &mut std::io::sink());
            return;
        }
        let answer = format!(
            "HTTP/1.1 {status} X\r\nContent-Type: {kind}\r\nContent-Length: {}\r\n\r\n{body}",
            body.len()
        );
        stream.get_mut().write_all(answer.as_bytes()).unwrap();
        stream.get_mut().flush().unwrap();
    }
}

/// Time passes in `sleep` only, and takes none.
struct NoTime(Instant, Mutex<Duration>);

impl NoTime {
    fn new() -> Arc<NoTime> {
        Arc::new(NoTime(Instant::now(), Mutex::default()))
    }
}

impl Clock for NoTime {
    fn now(&self) -> Instant {
        self.0 + *self.1.lock().unwrap()
    }
    fn date(&self) -> SystemTime {
        SystemTime::UNIX_EPOCH
    }
    fn sleep(&self, pause: Duration) {
        *self.1.lock().unwrap() += pause;
    }
    fn jitter(&self) -> f64 {
        1.0
    }
}
