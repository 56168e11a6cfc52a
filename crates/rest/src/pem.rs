//! Certificates and keys out of PEM texts.

use rustls::RootCertStore;
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};

use crate::{Error, Secret};

type Chain = Vec<CertificateDer<'static>>;

/// The authorities of a CA bundle. Certificates that TLS cannot use are passed over, as other clients do with
/// system bundles, but one must be left.
pub(crate) fn roots(pem: &[u8]) -> Result<RootCertStore, Error> {
    let error = |problem: &str| Error::Options { what: "CA bundle", problem: problem.to_owned() };
    let certificates = certificates(pem).ok_or_else(|| error("it is not valid PEM"))?;
    if certificates.is_empty() {
        return Err(error("it holds no PEM certificate (-----BEGIN CERTIFICATE-----)"));
    }
    let mut roots = RootCertStore::empty();
    let (_, ignored) = roots.add_parsable_certificates(certificates);
    if roots.is_empty() {
        return Err(error("it holds no certificate that can be read"));
    }
    if ignored > 0 {
        log::debug!("{ignored} certificates of the CA bundle cannot be read and are passed over");
    }
    Ok(roots)
}

/// The chain and the private key of a client certificate.
pub(crate) fn identity(pem: &Secret) -> Result<(Chain, PrivateKeyDer<'static>), Error> {
    let error = |problem: &str| Error::Options { what: "client certificate", problem: problem.to_owned() };
    let pem = pem.expose().as_bytes();
    let chain = certificates(pem).ok_or_else(|| error("it is not valid PEM"))?;
    if chain.is_empty() {
        return Err(error("there is no PEM certificate (-----BEGIN CERTIFICATE-----)"));
    }
    let key = PrivateKeyDer::from_pem_slice(pem)
        .map_err(|_| error("there is no unencrypted PEM private key (-----BEGIN PRIVATE KEY-----)"))?;
    Ok((chain, key))
}

fn certificates(pem: &[u8]) -> Option<Chain> {
    CertificateDer::pem_slice_iter(pem).collect::<Result<_, _>>().ok()
}
