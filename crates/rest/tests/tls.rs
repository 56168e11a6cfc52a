//! The client against TLS servers with good and bad certificates.

mod support;

use std::net::TcpListener;
use std::time::Duration;

use rest::{Client, Error, Options, RETRY_BUDGET, Request, Retry, Roots, Secret};
use support::{Authority, Server, TestClock, ok, options};

fn trusting(authority: &Authority) -> Options {
    Options { roots: Roots::Only(authority.pem()), ..options() }
}

fn get(server: &Server, host: &str, options: Options) -> Result<String, Error> {
    let request = Request::get(server.url("https", host));
    let response = Client::new(options)?.send(&request, &Retry::never())?;
    Ok(response.text().into_owned())
}

/// The problem of a TLS error.
fn problem(outcome: Result<String, Error>) -> String {
    match outcome.unwrap_err() {
        Error::Tls { problem, .. } => problem,
        other => panic!("{other:?}"),
    }
}

#[test]
fn the_authority_of_the_bundle_is_trusted_by_name_and_by_address() {
    let authority = Authority::new("ours");
    for host in ["localhost", "127.0.0.1"] {
        let server = Server::https(&[ok("hello")], authority.server(host));
        assert_eq!(get(&server, host, trusting(&authority)).unwrap(), "hello");
    }
}

#[test]
fn a_bundle_may_hold_several_authorities() {
    let (authority, other) = (Authority::new("ours"), Authority::new("theirs"));
    let server = Server::https(&[ok("hello")], authority.server("localhost"));
    let bundle = [b"# two of them\n".to_vec(), other.pem(), authority.pem()].concat();
    let options = Options { roots: Roots::Only(bundle), ..options() };
    assert_eq!(get(&server, "localhost", options).unwrap(), "hello");
}

#[test]
fn bad_certificates_are_named_and_final() {
    let (authority, other) = (Authority::new("ours"), Authority::new("theirs"));
    for (server, client, expected) in [
        (
            authority.server("localhost"),
            trusting(&other),
            "the server's certificate is signed by an authority that is not trusted: configure its CA bundle",
        ),
        (
            authority.server("localhost"),
            trusting(&Authority::new("ours")),
            "the server's certificate is signed by another authority of the same name: is its CA bundle out of date?",
        ),
        (
            authority.server("elsewhere.example"),
            trusting(&authority),
            "the server's certificate is for another name",
        ),
        (authority.expired_server("localhost"), trusting(&authority), "the server's certificate has expired"),
    ] {
        let server = Server::https(&[], server);
        let clock = TestClock::new();
        let retry = Retry::new(RETRY_BUDGET, &[]).with_clock(clock.clone());
        let request = Request::get(server.url("https", "localhost"));
        let error = Client::new(client).unwrap().send(&request, &retry).unwrap_err();
        assert!(error.is_connect() && error.is_transport() && !error.is_timeout(), "{error:?}");
        assert!(clock.pauses().is_empty());
        let peer = format!("https://localhost:{}", server.address.port());
        assert_eq!(error.to_string(), format!("no TLS connection to {peer}: {expected}"));
    }
}

#[test]
fn the_systems_authorities_do_not_know_ours() {
    let authority = Authority::new("ours");
    let server = Server::https(&[], authority.server("localhost"));
    // On a machine without any authority the text is another one, but a TLS error all the same.
    let problem = problem(get(&server, "localhost", options()));
    assert!(problem.contains("authority") || problem.contains("CA certificates"), "{problem}");
}

#[test]
fn insecure_accepts_anything() {
    let authority = Authority::new("ours");
    let server = Server::https(&[ok("hello")], authority.expired_server("elsewhere.example"));
    let options = Options { insecure: true, ..options() };
    assert_eq!(get(&server, "localhost", options).unwrap(), "hello");
}

#[test]
fn another_server_name_is_asked_for_and_checked() {
    let authority = Authority::new("ours");
    let options = |name: &str| Options { tls_server_name: Some(name.to_owned()), ..trusting(&authority) };
    let server = Server::https(&[ok("hello")], authority.server("kubernetes.example"));
    assert_eq!(get(&server, "127.0.0.1", options("kubernetes.example")).unwrap(), "hello");
    assert_eq!(server.names(), [Some("kubernetes.example".to_owned())]);
    let head = server.heads().remove(0);
    assert!(head.contains(&format!("host: 127.0.0.1:{}\r\n", server.address.port())), "{head}");

    let server = Server::https(&[], authority.server("127.0.0.1"));
    let wrong = problem(get(&server, "127.0.0.1", options("kubernetes.example")));
    assert_eq!(wrong, "the server's certificate is for another name");

    let server = Server::https(&[ok("hello")], authority.server("127.0.0.9"));
    assert_eq!(get(&server, "localhost", options("127.0.0.9")).unwrap(), "hello");
}

#[test]
fn a_client_certificate_is_shown() {
    let (authority, clients) = (Authority::new("ours"), Authority::new("theirs"));
    let config = || authority.server_for("localhost", &clients);
    let with = |identity| Options { identity, ..trusting(&authority) };

    let server = Server::https(&[ok("hello")], config());
    assert_eq!(get(&server, "localhost", with(Some(clients.client()))).unwrap(), "hello");

    let server = Server::https(&[], config());
    let error = get(&server, "localhost", with(None)).unwrap_err();
    assert!(error.is_transport(), "{error:?}");
}

#[test]
fn a_server_that_speaks_no_tls_is_found_out() {
    // Not the scripted server: that one waits for a line end, which a TLS hello need not have.
    let talker = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = talker.local_addr().unwrap().port();
    std::thread::spawn(move || {
        use std::io::{Read, Write};
        let (mut stream, _) = talker.accept().unwrap();
        let _ = stream.read(&mut [0; 512]);
        let _ = stream.write_all(b"HTTP/1.1 400 Bad Request\r\n\r\n");
        let _ = stream.read(&mut [0; 512]);
    });
    let request = Request::get(format!("https://127.0.0.1:{port}/"));
    let error = Client::new(options()).unwrap().send(&request, &Retry::never()).unwrap_err();
    let expected = "the server does not speak TLS: is its URL http instead of https?";
    assert!(error.to_string().ends_with(expected), "{error}");
}

#[test]
fn a_handshake_without_an_answer_is_a_connect_timeout() {
    let silent = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("https://127.0.0.1:{}/", silent.local_addr().unwrap().port());
    let client = Client::new(Options { connect_timeout: Duration::from_millis(50), ..options() }).unwrap();
    let error = client.send(&Request::get(url), &Retry::never()).unwrap_err();
    assert!(error.is_timeout() && error.is_connect(), "{error:?}");
}

#[test]
fn pem_that_cannot_be_used_is_named_and_not_quoted() {
    let begin = "-----BEGIN CERTIFICATE-----";
    let end = "-----END CERTIFICATE-----";
    let roots = |text: &str| Options { roots: Roots::Only(text.into()), ..options() };
    let identity = |text: String| Options { identity: Some(Secret::new(text)), ..options() };
    let authority = Authority::new("ours");
    let certificate = String::from_utf8(authority.pem()).unwrap();
    for (options, expected) in [
        (
            roots("hunter2"),
            "cannot use the CA bundle: it holds no PEM certificate (-----BEGIN CERTIFICATE-----)",
        ),
        (roots(&format!("{begin}\n!hunter2!\n{end}\n")), "cannot use the CA bundle: it is not valid PEM"),
        (
            roots(&format!("{begin}\nAAAA\n{end}\n")),
            "cannot use the CA bundle: it holds no certificate that can be read",
        ),
        (
            identity("hunter2".to_owned()),
            "cannot use the client certificate: there is no PEM certificate (-----BEGIN CERTIFICATE-----)",
        ),
        (
            identity(certificate),
            "cannot use the client certificate: there is no unencrypted PEM private key \
             (-----BEGIN PRIVATE KEY-----)",
        ),
        (
            Options { tls_server_name: Some("a b".to_owned()), ..roots("") },
            "cannot use the CA bundle: it holds no PEM certificate (-----BEGIN CERTIFICATE-----)",
        ),
        (
            Options { tls_server_name: Some("a b".to_owned()), insecure: true, ..roots("") },
            "cannot use the TLS server name: \"a b\" is neither a host name nor an address",
        ),
    ] {
        assert_eq!(Client::new(options).unwrap_err().to_string(), expected);
    }
}
