//! A server that answers request after request from a script, certificates, and a clock that takes no time.
#![allow(dead_code)] // each test binary uses its part

use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant, SystemTime};

use rcgen::{BasicConstraints, CertificateParams, CertifiedIssuer, DnType, IsCa, KeyPair};
use rest::{Clock, Options, Proxy, Secret};
use rustls::crypto::ring;
use rustls::pki_types::{PrivateKeyDer, PrivatePkcs8KeyDer};
use rustls::server::WebPkiClientVerifier;
use rustls::{RootCertStore, ServerConfig, ServerConnection, StreamOwned};

/// What happens to one request, in the order of the script.
#[derive(Clone)]
pub(crate) enum Act {
    /// These bytes; the connection stays open.
    Reply(String),
    /// These bytes, then the connection is closed.
    ReplyAndClose(String),
    /// The connection is closed without a byte.
    Cut,
    /// Nothing, and the connection stays open.
    Stall,
}

pub(crate) fn ok(body: &str) -> Act {
    reply("200 OK", "", body)
}

/// `headers` are whole lines, each with its line end.
pub(crate) fn reply(status: &str, headers: &str, body: &str) -> Act {
    Act::Reply(format!("HTTP/1.1 {status}\r\n{headers}Content-Length: {}\r\n\r\n{body}", body.len()))
}

pub(crate) struct Server {
    pub(crate) address: SocketAddr,
    state: Arc<State>,
}

#[derive(Default)]
struct State {
    script: Mutex<Vec<Act>>,
    heads: Mutex<Vec<String>>,
    names: Mutex<Vec<Option<String>>>,
    connections: AtomicUsize,
    stopped: AtomicBool,
}

impl Server {
    pub(crate) fn http(script: &[Act]) -> Server {
        Server::start(script, None)
    }

    pub(crate) fn https(script: &[Act], config: ServerConfig) -> Server {
        Server::start(script, Some(Arc::new(config)))
    }

    fn start(script: &[Act], tls: Option<Arc<ServerConfig>>) -> Server {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let state = Arc::new(State { script: Mutex::new(script.to_vec()), ..State::default() });
        let shared = state.clone();
        thread::spawn(move || {
            for stream in listener.incoming().map_while(Result::ok) {
                if shared.stopped.load(Ordering::SeqCst) {
                    return;
                }
                shared.connections.fetch_add(1, Ordering::SeqCst);
                let (state, tls) = (shared.clone(), tls.clone());
                thread::spawn(move || state.connection(stream, tls));
            }
        });
        Server { address, state }
    }

    pub(crate) fn url(&self, scheme: &str, host: &str) -> String {
        format!("{scheme}://{host}:{}/path", self.address.port())
    }

    /// Request line and headers of all requests so far.
    pub(crate) fn heads(&self) -> Vec<String> {
        self.state.heads.lock().unwrap().clone()
    }

    pub(crate) fn connections(&self) -> usize {
        self.state.connections.load(Ordering::SeqCst)
    }

    /// The names asked for with SNI, one per TLS connection.
    pub(crate) fn names(&self) -> Vec<Option<String>> {
        self.state.names.lock().unwrap().clone()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.state.stopped.store(true, Ordering::SeqCst);
        let _ = TcpStream::connect(self.address);
    }
}

impl State {
    fn connection(&self, stream: TcpStream, tls: Option<Arc<ServerConfig>>) {
        let _ = stream.set_nodelay(true);
        let _ = match tls {
            None => self.serve(stream),
            Some(config) => self.handshake(stream, config).and_then(|stream| self.serve(stream)),
        };
    }

    fn handshake(
        &self,
        mut stream: TcpStream,
        config: Arc<ServerConfig>,
    ) -> io::Result<StreamOwned<ServerConnection, TcpStream>> {
        let mut tls = ServerConnection::new(config).unwrap();
        while tls.is_handshaking() {
            tls.complete_io(&mut stream)?;
        }
        self.names.lock().unwrap().push(tls.server_name().map(str::to_owned));
        Ok(StreamOwned::new(tls, stream))
    }

    fn serve(&self, stream: impl Read + Write) -> io::Result<()> {
        let mut stream = BufReader::new(stream);
        while let Some(head) = read_request(&mut stream)? {
            self.heads.lock().unwrap().push(head);
            let act = {
                let mut script = self.script.lock().unwrap();
                assert!(!script.is_empty(), "a request that the script does not have");
                script.remove(0)
            };
            match act {
                Act::Reply(bytes) => stream.get_mut().write_all(bytes.as_bytes())?,
                Act::ReplyAndClose(bytes) => return stream.get_mut().write_all(bytes.as_bytes()),
                Act::Cut => return Ok(()),
                Act::Stall => while stream.read(&mut [0; 64])? > 0 {},
            }
            stream.get_mut().flush()?;
        }
        Ok(())
    }
}

/// Reads a head and drops the body that belongs to it.
fn read_request(stream: &mut impl BufRead) -> io::Result<Option<String>> {
    let mut head = String::new();
    while !head.ends_with("\r\n\r\n") {
        if stream.read_line(&mut head)? == 0 {
            return Ok(None);
        }
    }
    let length = head.lines().find_map(|line| line.strip_prefix("content-length: ")?.parse().ok());
    io::copy(&mut stream.take(length.unwrap_or(0)), &mut io::sink())?;
    Ok(Some(head))
}

/// A port that nobody listens on.
pub(crate) fn closed_port() -> u16 {
    TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port()
}

/// Options that ignore the proxies of the machine the test runs on.
pub(crate) fn options() -> Options {
    Options { proxy: Proxy::None, ..Options::default() }
}

/// A certificate authority and what it signs.
pub(crate) struct Authority(CertifiedIssuer<'static, KeyPair>);

impl Authority {
    pub(crate) fn new(name: &str) -> Authority {
        let mut params = CertificateParams::new(Vec::new()).unwrap();
        params.distinguished_name.push(DnType::CommonName, name);
        params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        Authority(CertifiedIssuer::self_signed(params, KeyPair::generate().unwrap()).unwrap())
    }

    pub(crate) fn pem(&self) -> Vec<u8> {
        self.0.pem().into_bytes()
    }

    fn sign(&self, name: &str, expired: bool) -> (rcgen::Certificate, KeyPair) {
        let mut params = CertificateParams::new(vec![name.to_owned()]).unwrap();
        if expired {
            params.not_after = rcgen::date_time_ymd(2020, 1, 1);
        }
        let key = KeyPair::generate().unwrap();
        (params.signed_by(&key, &self.0).unwrap(), key)
    }

    /// A TLS server with a certificate for `name` (a host name or an address).
    pub(crate) fn server(&self, name: &str) -> ServerConfig {
        self.config(name, false, None)
    }

    pub(crate) fn expired_server(&self, name: &str) -> ServerConfig {
        self.config(name, true, None)
    }

    /// A TLS server that wants a client certificate of `clients`.
    pub(crate) fn server_for(&self, name: &str, clients: &Authority) -> ServerConfig {
        self.config(name, false, Some(clients))
    }

    fn config(&self, name: &str, expired: bool, clients: Option<&Authority>) -> ServerConfig {
        let provider = Arc::new(ring::default_provider());
        let builder = ServerConfig::builder_with_provider(provider.clone())
            .with_safe_default_protocol_versions()
            .unwrap();
        let builder = match clients {
            None => builder.with_no_client_auth(),
            Some(clients) => {
                let mut roots = RootCertStore::empty();
                roots.add(clients.0.der().clone()).unwrap();
                let verifier = WebPkiClientVerifier::builder_with_provider(Arc::new(roots), provider).build();
                builder.with_client_cert_verifier(verifier.unwrap())
            }
        };
        let (certificate, key) = self.sign(name, expired);
        let key = PrivateKeyDer::Pkcs8(PrivatePkcs8KeyDer::from(key.serialize_der()));
        builder.with_single_cert(vec![certificate.der().clone()], key).unwrap()
    }

    /// A client certificate with its key, as PEM.
    pub(crate) fn client(&self) -> Secret {
        let (certificate, key) = self.sign("client", false);
        Secret::new(format!("{}{}", certificate.pem(), key.serialize_pem()))
    }
}

/// A clock whose time passes only in `sleep`, without jitter.
pub(crate) struct TestClock {
    start: Instant,
    pub(crate) pauses: Mutex<Vec<Duration>>,
}

impl TestClock {
    pub(crate) fn new() -> Arc<TestClock> {
        Arc::new(TestClock { start: Instant::now(), pauses: Mutex::default() })
    }

    pub(crate) fn pauses(&self) -> Vec<f64> {
        self.pauses.lock().unwrap().iter().map(Duration::as_secs_f64).collect()
    }
}

impl Clock for TestClock {
    fn now(&self) -> Instant {
        self.start + self.pauses.lock().unwrap().iter().sum::<Duration>()
    }
    fn date(&self) -> SystemTime {
        SystemTime::UNIX_EPOCH
    }
    fn sleep(&self, pause: Duration) {
        self.pauses.lock().unwrap().push(pause);
    }
    fn jitter(&self) -> f64 {
        1.0
    }
}
