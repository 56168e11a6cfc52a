//! A certificate authority of its own for each cloud, made at start and kept in memory.

use std::io;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use std::sync::Arc;

use rcgen::{BasicConstraints, CertificateParams, DnType, IsCa, Issuer, KeyPair, KeyUsagePurpose, SanType};
use rustls::crypto::CryptoProvider;
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer, PrivatePkcs8KeyDer};
use rustls::server::WebPkiClientVerifier;
use rustls::server::danger::ClientCertVerifier;
use rustls::{RootCertStore, ServerConfig};

/// What a TLS server and its clients need.
pub(crate) struct Identity {
    /// The authority's certificate, for clients to trust.
    pub(crate) ca_pem: String,
    /// The server's side, with its certificate.
    pub(crate) server: Arc<ServerConfig>,
}

impl Identity {
    /// Makes an authority and a server certificate for 127.0.0.1, ::1, localhost and these DNS names.
    ///
    /// With `clients`, an authority's certificate (PEM), a client needs a certificate that this authority signed.
    pub(crate) fn generate(names: &[String], clients: Option<&str>) -> io::Result<Self> {
        let ca_key = KeyPair::generate().map_err(io::Error::other)?;
        let mut ca = CertificateParams::default();
        ca.distinguished_name.push(DnType::CommonName, "devcloud authority");
        ca.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        ca.key_usages = vec![KeyUsagePurpose::KeyCertSign, KeyUsagePurpose::CrlSign];
        let ca_certificate = ca.self_signed(&ca_key).map_err(io::Error::other)?;
        let issuer = Issuer::new(ca, ca_key);

        let key = KeyPair::generate().map_err(io::Error::other)?;
        let names: Vec<String> = ["localhost".to_owned()].into_iter().chain(names.iter().cloned()).collect();
        let mut leaf = CertificateParams::new(names).map_err(io::Error::other)?;
        leaf.distinguished_name.push(DnType::CommonName, "devcloud");
        for address in [IpAddr::V4(Ipv4Addr::LOCALHOST), IpAddr::V6(Ipv6Addr::LOCALHOST)] {
            leaf.subject_alt_names.push(SanType::IpAddress(address));
        }
        let certificate = leaf.signed_by(&key, &issuer).map_err(io::Error::other)?;

        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let private = PrivateKeyDer::Pkcs8(PrivatePkcs8KeyDer::from(key.serialize_der()));
        let verifier = match clients {
            None => WebPkiClientVerifier::no_client_auth(),
            Some(authority) => signed_by(authority, &provider)?,
        };
        let server = ServerConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()
            .map_err(io::Error::other)?
            .with_client_cert_verifier(verifier)
            .with_single_cert(vec![certificate.der().clone()], private)
            .map_err(io::Error::other)?;
        Ok(Self { ca_pem: ca_certificate.pem(), server: Arc::new(server) })
    }
}

/// Takes clients with a certificate from this authority (PEM), and no others.
fn signed_by(authority: &str, provider: &Arc<CryptoProvider>) -> io::Result<Arc<dyn ClientCertVerifier>> {
    let mut roots = RootCertStore::empty();
    roots
        .add(CertificateDer::from_pem_slice(authority.as_bytes()).map_err(io::Error::other)?)
        .map_err(io::Error::other)?;
    WebPkiClientVerifier::builder_with_provider(roots.into(), Arc::clone(provider))
        .build()
        .map(|verifier| verifier as Arc<dyn ClientCertVerifier>)
        .map_err(io::Error::other)
}
