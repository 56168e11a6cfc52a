//! The Template API as an aggregated server: whom it lets in, and what it serves.

use devcloud::TemplateApi;
use rcgen::{BasicConstraints, CertificateParams, DnType, IsCa, Issuer, KeyPair};
use rustls::ClientConfig;
use rustls::pki_types::{CertificateDer, PrivateKeyDer, PrivatePkcs8KeyDer};
use serde_json::{Value, json};

use crate::client::{Answer, request, send_tls, trusting};

const TEMPLATES: &str = "/apis/template.openshift.io/v1/namespaces/jobs/templates";
const USER: (&str, &str) = ("X-Remote-User", "system:serviceaccount:jobs:scheduler");

/// What signs the certificates of a front proxy.
struct Authority {
    issuer: Issuer<'static, KeyPair>,
    pem: String,
}

impl Authority {
    fn new() -> Self {
        let key = KeyPair::generate().unwrap();
        let mut params = CertificateParams::default();
        params.distinguished_name.push(DnType::CommonName, "front-proxy-ca");
        params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        let pem = params.self_signed(&key).unwrap().pem();
        Self { issuer: Issuer::new(params, key), pem }
    }

    fn client(&self, api: &TemplateApi) -> ClientConfig {
        let key = KeyPair::generate().unwrap();
        let certificate = CertificateParams::default().signed_by(&key, &self.issuer).unwrap();
        let chain: Vec<CertificateDer<'static>> = vec![certificate.der().clone()];
        let key = PrivateKeyDer::Pkcs8(PrivatePkcs8KeyDer::from(key.serialize_der()));
        trusting(api.ca_pem()).with_client_auth_cert(chain, key).unwrap()
    }
}

fn send(
    api: &TemplateApi,
    config: ClientConfig,
    call: (&str, &str),
    headers: &[(&str, &str)],
    body: &str,
) -> Option<Answer> {
    let address = format!("127.0.0.1:{}", api.port());
    let mut all = vec![("Content-Type", "application/json")];
    all.extend_from_slice(headers);
    send_tls(&address, config, &request(&address, call.0, call.1, &all, body.as_bytes()))
}

fn start() -> (Authority, TemplateApi) {
    let authority = Authority::new();
    let api = TemplateApi::start(&authority.pem, &["template-api.somewhere.svc".to_owned()]).unwrap();
    (authority, api)
}

#[test]
fn the_front_proxy_speaks_for_a_user() {
    let (authority, api) = start();
    let ask = |call: (&str, &str), body: &str| {
        send(&api, authority.client(&api), call, &[USER], body).expect("an answer")
    };
    let served = ask(("GET", "/apis/template.openshift.io/v1"), "");
    assert_eq!((served.status, &served.json()["resources"][1]["name"]), (200, &json!("processedtemplates")));
    let template = json!({
        "apiVersion": "template.openshift.io/v1", "kind": "Template", "metadata": {"name": "t"},
        "objects": [{"apiVersion": "v1", "kind": "X", "metadata": {"name": "x"}, "a": "${A}"}],
        "parameters": [{"name": "A", "value": "b"}],
    });
    // Nobody has made the namespace here: that is the kube-apiserver's affair.
    assert_eq!(ask(("POST", TEMPLATES), &template.to_string()).status, 201);
    let stored: Value = ask(("GET", &format!("{TEMPLATES}/t")), "").json();
    let processed = ask(("POST", &TEMPLATES.replace("templates", "processedtemplates")), &stored.to_string());
    assert_eq!((processed.status, &processed.json()["objects"][0]["a"]), (201, &json!("b")));
    for other in ["/api/v1/namespaces/jobs/secrets", "/apis/apps/v1", "/apis", "/openapi/v3", "/version"] {
        assert_eq!(ask(("GET", other), "").status, 404, "{other}");
    }
}

#[test]
fn nobody_else_is_let_in() {
    let (authority, api) = start();
    let call = ("GET", TEMPLATES);
    let nameless = send(&api, authority.client(&api), call, &[("Authorization", "Bearer x")], "").unwrap();
    assert_eq!(nameless.status, 403);
    assert!(nameless.body.contains("system:anonymous"), "{}", nameless.body);
    let without = trusting(api.ca_pem()).with_no_client_auth();
    assert!(send(&api, without, call, &[USER], "").is_none(), "no certificate");
    let foreign = Authority::new().client(&api);
    assert!(send(&api, foreign, call, &[USER], "").is_none(), "from another authority");
    assert!(TemplateApi::start("no certificate", &[]).is_err());
}
