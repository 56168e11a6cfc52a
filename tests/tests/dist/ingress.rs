//! What stands before the services of most clouds: an end of TLS, with a certificate of the site's own authority.

use std::io::{self, Read, Write};
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::sync::Arc;
use std::thread;

use rcgen::{BasicConstraints, CertificateParams, DnType, IsCa, Issuer, KeyPair};
use rustls::pki_types::{PrivateKeyDer, PrivatePkcs8KeyDer};
use rustls::{ServerConfig, ServerConnection, StreamOwned};

/// A certificate authority that no system store knows.
pub(crate) struct Authority {
    issuer: Issuer<'static, KeyPair>,
    pem: String,
}

impl Authority {
    pub(crate) fn new() -> Self {
        let key = KeyPair::generate().expect("a key");
        let mut params = CertificateParams::default();
        params.distinguished_name.push(DnType::CommonName, "the site's own authority");
        params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        let pem = params.self_signed(&key).expect("a certificate").pem();
        Self { issuer: Issuer::new(params, key), pem }
    }

    /// Its certificate.
    pub(crate) fn pem(&self) -> &str {
        &self.pem
    }

    /// Listens at a free port of 127.0.0.1 under these names and no address, hands requests on to the plain HTTP
    /// server at `backend` (`host:port`), and answers the port. It runs until the test ends.
    pub(crate) fn ingress(&self, names: &[&str], backend: &str) -> u16 {
        let config = self.server_config(names);
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("a free port");
        let port = listener.local_addr().expect("its address").port();
        let backend = backend.to_owned();
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let (config, backend) = (Arc::clone(&config), backend.clone());
                // A client that does not like the certificate is the test's business, not ours.
                thread::spawn(move || {
                    let connection = ServerConnection::new(config).expect("a TLS connection");
                    pass(StreamOwned::new(connection, stream), &backend)
                });
            }
        });
        port
    }

    fn server_config(&self, names: &[&str]) -> Arc<ServerConfig> {
        let key = KeyPair::generate().expect("a key");
        let names = names.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>();
        let certificate = CertificateParams::new(names)
            .and_then(|params| params.signed_by(&key, &self.issuer))
            .expect("a certificate");
        let private = PrivateKeyDer::Pkcs8(PrivatePkcs8KeyDer::from(key.serialize_der()));
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let config = ServerConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()
            .expect("versions of TLS")
            .with_no_client_auth()
            .with_single_cert(vec![certificate.der().clone()], private)
            .expect("key and certificate match");
        Arc::new(config)
    }
}

/// Request by request, until one side has had enough.
fn pass(mut client: impl Read + Write, backend: &str) -> io::Result<()> {
    let mut server = TcpStream::connect(backend)?;
    loop {
        server.write_all(&message(&mut client)?)?;
        client.write_all(&message(&mut server)?)?;
        client.flush()?;
    }
}

/// One request or answer with its body, whose length is said in its head.
fn message(from: &mut impl Read) -> io::Result<Vec<u8>> {
    let (mut bytes, mut byte) = (Vec::new(), [0]);
    while !bytes.ends_with(b"\r\n\r\n") {
        from.read_exact(&mut byte)?;
        bytes.push(byte[0]);
    }
    let head = String::from_utf8_lossy(&bytes).to_lowercase();
    let length = head.lines().find_map(|line| line.strip_prefix("content-length:")?.trim().parse().ok());
    let mut body = vec![0; length.unwrap_or(0)];
    from.read_exact(&mut body)?;
    bytes.append(&mut body);
    Ok(bytes)
}
