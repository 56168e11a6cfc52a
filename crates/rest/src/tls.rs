//! The TLS configuration: ring as the provider, named explicitly, and roots that are read when they are needed.

use std::sync::{Arc, OnceLock};

use rustls::client::WebPkiServerVerifier;
use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::crypto::{CryptoProvider, ring};
use rustls::pki_types::{CertificateDer, ServerName, UnixTime};
use rustls::{ClientConfig, DigitallySignedStruct, RootCertStore, SignatureScheme};

use crate::{Error, Options, Roots, pem};

/// The configuration for these options.
pub(crate) fn config(options: &Options) -> Result<ClientConfig, Error> {
    let unusable = |what, error: rustls::Error| Error::Options { what, problem: error.to_string() };
    let provider = Arc::new(ring::default_provider());
    let verifier = Verifier {
        trust: trust(options, &provider)?,
        name: options.tls_server_name.as_deref().map(server_name).transpose()?,
        provider: provider.clone(),
    };
    let builder = ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .map_err(|error| unusable("TLS provider", error))?
        .dangerous()
        .with_custom_certificate_verifier(Arc::new(verifier));
    match &options.identity {
        None => Ok(builder.with_no_client_auth()),
        Some(identity) => {
            let (chain, key) = pem::identity(identity)?;
            builder.with_client_auth_cert(chain, key).map_err(|error| unusable("client certificate", error))
        }
    }
}

fn trust(options: &Options, provider: &Arc<CryptoProvider>) -> Result<Trust, Error> {
    match &options.roots {
        _ if options.insecure => Ok(Trust::Anyone),
        Roots::System => Ok(Trust::System),
        Roots::Only(bundle) => web_pki(pem::roots(bundle)?, provider)
            .map(Trust::Only)
            .map_err(|problem| Error::Options { what: "CA bundle", problem }),
    }
}

fn server_name(name: &str) -> Result<ServerName<'static>, Error> {
    ServerName::try_from(name.to_owned()).map_err(|_| Error::Options {
        what: "TLS server name",
        problem: format!("{name:?} is neither a host name nor an address"),
    })
}

fn web_pki(
    roots: RootCertStore,
    provider: &Arc<CryptoProvider>,
) -> Result<Arc<WebPkiServerVerifier>, String> {
    WebPkiServerVerifier::builder_with_provider(Arc::new(roots), provider.clone())
        .build()
        .map_err(|error| error.to_string())
}

/// The system's roots: about 150 files and several milliseconds, hence once per process and only when needed.
fn system(provider: &Arc<CryptoProvider>) -> Result<Arc<WebPkiServerVerifier>, rustls::Error> {
    static SYSTEM: OnceLock<Result<Arc<WebPkiServerVerifier>, String>> = OnceLock::new();
    let verifier = SYSTEM.get_or_init(|| {
        let found = rustls_native_certs::load_native_certs();
        for error in &found.errors {
            log::debug!("system certificates: {error}");
        }
        let mut roots = RootCertStore::empty();
        roots.add_parsable_certificates(found.certs);
        if roots.is_empty() {
            return Err(
                "this system has no CA certificates: install them, point SSL_CERT_FILE at a bundle, \
                        or configure the CA bundle of this server"
                    .to_owned(),
            );
        }
        web_pki(roots, provider)
    });
    verifier.clone().map_err(rustls::Error::General)
}

#[derive(Debug)]
enum Trust {
    Anyone,
    System,
    Only(Arc<WebPkiServerVerifier>),
}

/// Checks the server's certificate against [`Trust`], under another name than the URL's if there is one.
#[derive(Debug)]
struct Verifier {
    trust: Trust,
    name: Option<ServerName<'static>>,
    provider: Arc<CryptoProvider>,
}

impl ServerCertVerifier for Verifier {
    fn verify_server_cert(
        &self,
        certificate: &CertificateDer<'_>,
        intermediates: &[CertificateDer<'_>],
        name: &ServerName<'_>,
        ocsp: &[u8],
        now: UnixTime,
    ) -> Result<ServerCertVerified, rustls::Error> {
        let name = self.name.as_ref().unwrap_or(name);
        match &self.trust {
            Trust::Anyone => Ok(ServerCertVerified::assertion()),
            Trust::System => {
                system(&self.provider)?.verify_server_cert(certificate, intermediates, name, ocsp, now)
            }
            Trust::Only(verifier) => verifier.verify_server_cert(certificate, intermediates, name, ocsp, now),
        }
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signature: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        if matches!(self.trust, Trust::Anyone) {
            // Certificates that TLS libraries cannot even parse are accepted too, as with curl --insecure.
            return Ok(HandshakeSignatureValid::assertion());
        }
        let algorithms = &self.provider.signature_verification_algorithms;
        rustls::crypto::verify_tls12_signature(message, certificate, signature, algorithms)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signature: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        if matches!(self.trust, Trust::Anyone) {
            return Ok(HandshakeSignatureValid::assertion());
        }
        let algorithms = &self.provider.signature_verification_algorithms;
        rustls::crypto::verify_tls13_signature(message, certificate, signature, algorithms)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.provider.signature_verification_algorithms.supported_schemes()
    }
}
