//! The scripted API server behind TLS, with clients that may show a certificate.

use std::io::BufReader;
use std::net::{SocketAddr, TcpListener};
use std::sync::{Arc, Mutex};
use std::thread;

use rcgen::{BasicConstraints, Certificate, CertificateParams, CertifiedIssuer, IsCa, KeyPair};
use rustls::crypto::ring;
use rustls::pki_types::{PrivateKeyDer, PrivatePkcs8KeyDer};
use rustls::server::WebPkiClientVerifier;
use rustls::{RootCertStore, ServerConfig, ServerConnection, StreamOwned};

use super::{Answer, Seen, serve};

/// A certificate authority for both sides.
pub(crate) struct Authority(CertifiedIssuer<'static, KeyPair>);

impl Authority {
    pub(crate) fn new() -> Authority {
        let mut params = CertificateParams::default();
        params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        Authority(CertifiedIssuer::self_signed(params, KeyPair::generate().unwrap()).unwrap())
    }

    pub(crate) fn pem(&self) -> String {
        self.0.pem()
    }

    /// A certificate for a host or a client.
    pub(crate) fn sign(&self, name: &str) -> (Certificate, KeyPair) {
        let key = KeyPair::generate().unwrap();
        (CertificateParams::new(vec![name.to_owned()]).unwrap().signed_by(&key, &self.0).unwrap(), key)
    }

    fn server(&self) -> ServerConfig {
        let provider = Arc::new(ring::default_provider());
        let mut roots = RootCertStore::empty();
        roots.add(self.0.der().clone()).unwrap();
        let clients = WebPkiClientVerifier::builder_with_provider(Arc::new(roots), provider.clone())
            .allow_unauthenticated()
            .build()
            .unwrap();
        let (certificate, key) = self.sign("127.0.0.1");
        let key = PrivateKeyDer::Pkcs8(PrivatePkcs8KeyDer::from(key.serialize_der()));
        ServerConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()
            .unwrap()
            .with_client_cert_verifier(clients)
            .with_single_cert(vec![certificate.der().clone()], key)
            .unwrap()
    }
}

/// What the server has seen: requests, and for each connection the client's certificate.
#[derive(Default)]
struct State {
    seen: Mutex<Vec<Seen>>,
    certificates: Mutex<Vec<Option<Vec<u8>>>>,
}

pub(crate) struct TlsServer {
    address: SocketAddr,
    state: Arc<State>,
}

impl TlsServer {
    pub(crate) fn new(authority: &Authority, script: Vec<Answer>) -> TlsServer {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let (state, config) = (Arc::<State>::default(), Arc::new(authority.server()));
        let shared = state.clone();
        let script = Arc::new(Mutex::new(script.into_iter()));
        thread::spawn(move || {
            for mut stream in listener.incoming().map_while(Result::ok) {
                let (state, config, script) = (shared.clone(), config.clone(), script.clone());
                thread::spawn(move || {
                    let mut tls = ServerConnection::new(config).unwrap();
                    while tls.is_handshaking() {
                        tls.complete_io(&mut stream).unwrap();
                    }
                    let certificate = tls.peer_certificates().map(|chain| chain[0].to_vec());
                    state.certificates.lock().unwrap().push(certificate);
                    serve(BufReader::new(StreamOwned::new(tls, stream)), &script, &state.seen);
                });
            }
        });
        TlsServer { address, state }
    }

    pub(crate) fn url(&self) -> String {
        format!("https://{}", self.address)
    }

    pub(crate) fn seen(&self) -> Vec<Seen> {
        self.state.seen.lock().unwrap().clone()
    }

    /// For each connection the certificate that the client has shown.
    pub(crate) fn certificates(&self) -> Vec<Option<Vec<u8>>> {
        self.state.certificates.lock().unwrap().clone()
    }
}
