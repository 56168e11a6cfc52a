//! HTTP/1.1 on a loopback socket: a thread per connection, keep-alive, TLS if wanted.

use std::collections::HashMap;
use std::io::{self, Read, Write};
use std::net::{Ipv4Addr, Shutdown, SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::SystemTime;

use rustls::{ServerConfig, ServerConnection, StreamOwned};

use crate::http::{Request, Response};
use crate::time;

/// The longest request head that is read.
const MAX_HEAD: usize = 64 * 1024;
/// The longest request body that is read.
const MAX_BODY: usize = 16 * 1024 * 1024;

/// What becomes of one request.
pub(crate) enum Outcome {
    /// An answer goes out.
    Answer(Response),
    /// The connection is closed without one.
    Cut,
}

/// Answers requests, or has their connection cut.
pub(crate) type Serve = dyn Fn(&Request) -> Outcome + Send + Sync;

/// A running server; dropping it closes its socket and all connections.
pub(crate) struct Server {
    address: SocketAddr,
    open: Arc<Connections>,
    accept: Option<JoinHandle<()>>,
}

#[derive(Default)]
struct Connections {
    stopped: AtomicBool,
    // Kept to shut them down from outside: their threads sit in a read.
    streams: Mutex<HashMap<u64, TcpStream>>,
}

impl Server {
    /// Listens on 127.0.0.1 at a free port.
    pub(crate) fn start(tls: Option<Arc<ServerConfig>>, serve: Arc<Serve>) -> io::Result<Self> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?;
        let address = listener.local_addr()?;
        let open = Arc::new(Connections::default());
        let shared = Arc::clone(&open);
        let accept = thread::Builder::new().name("devcloud-accept".into()).spawn(move || {
            for (number, stream) in listener.incoming().enumerate() {
                if shared.stopped.load(Ordering::SeqCst) {
                    return;
                }
                let Ok(stream) = stream else { continue };
                let (tls, serve, shared) = (tls.clone(), Arc::clone(&serve), Arc::clone(&shared));
                // A connection that cannot get a thread is dropped, that is, closed.
                let _ = thread::Builder::new()
                    .name("devcloud-connection".into())
                    .spawn(move || shared.run(number as u64, stream, tls, &*serve));
            }
        })?;
        Ok(Self { address, open, accept: Some(accept) })
    }

    /// `127.0.0.1:<port>`.
    pub(crate) fn address(&self) -> SocketAddr {
        self.address
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.open.stopped.store(true, Ordering::SeqCst);
        // Wakes the accept loop; if that fails, its listener is gone already.
        let _ = TcpStream::connect(self.address);
        if let Some(accept) = self.accept.take() {
            let _ = accept.join();
        }
        for stream in self.open.streams.lock().unwrap_or_else(PoisonError::into_inner).values() {
            let _ = stream.shutdown(Shutdown::Both);
        }
    }
}

impl Connections {
    fn run(&self, number: u64, stream: TcpStream, tls: Option<Arc<ServerConfig>>, serve: &Serve) {
        let Ok(handle) = stream.try_clone() else { return };
        let mut streams = self.streams.lock().unwrap_or_else(PoisonError::into_inner);
        streams.insert(number, handle);
        drop(streams);
        // Registered first, looked at second: a stop in between still finds the stream.
        if !self.stopped.load(Ordering::SeqCst) {
            // A client that breaks off is no event of interest.
            let _ = converse(stream, tls, serve);
        }
        let removed = self.streams.lock().unwrap_or_else(PoisonError::into_inner).remove(&number);
        if let Some(stream) = removed {
            let _ = stream.shutdown(Shutdown::Both);
        }
    }
}

fn converse(stream: TcpStream, tls: Option<Arc<ServerConfig>>, serve: &Serve) -> io::Result<()> {
    stream.set_nodelay(true)?;
    match tls {
        None => serve_requests(stream, serve),
        Some(config) => {
            let connection = ServerConnection::new(config).map_err(io::Error::other)?;
            serve_requests(StreamOwned::new(connection, stream), serve)
        }
    }
}

fn serve_requests<S: Read + Write>(mut stream: S, serve: &Serve) -> io::Result<()> {
    let mut buffer = Vec::new();
    while let Some((request, close)) = read_request(&mut stream, &mut buffer)? {
        match serve(&request) {
            Outcome::Cut => return Ok(()),
            Outcome::Answer(response) => {
                stream.write_all(&encode(&response, request.method == "HEAD", close))?;
                stream.flush()?;
            }
        }
        if close {
            return Ok(());
        }
    }
    Ok(())
}

/// Reads one request; `None` when the client has closed the connection between two of them.
fn read_request<S: Read + Write>(
    stream: &mut S,
    buffer: &mut Vec<u8>,
) -> io::Result<Option<(Request, bool)>> {
    loop {
        if let Some((mut request, head)) = parse_head(buffer)? {
            if request.header("transfer-encoding").is_some() {
                stream.write_all(&encode(&Response::empty(411), false, true))?;
                return Ok(None);
            }
            let length =
                request.header("content-length").and_then(|text| text.trim().parse().ok()).unwrap_or(0);
            if length > MAX_BODY {
                stream.write_all(&encode(&Response::empty(413), false, true))?;
                return Ok(None);
            }
            if request.header("expect").is_some_and(|text| text.eq_ignore_ascii_case("100-continue")) {
                stream.write_all(b"HTTP/1.1 100 Continue\r\n\r\n")?;
                stream.flush()?;
            }
            while buffer.len() < head + length {
                if !fill(stream, buffer)? {
                    return Err(io::ErrorKind::UnexpectedEof.into());
                }
            }
            request.body = buffer[head..head + length].to_vec();
            buffer.drain(..head + length);
            let close = request.header("connection").is_some_and(|text| text.eq_ignore_ascii_case("close"));
            return Ok(Some((request, close)));
        }
        if buffer.len() > MAX_HEAD {
            stream.write_all(&encode(&Response::empty(431), false, true))?;
            return Ok(None);
        }
        if !fill(stream, buffer)? {
            return Ok(None);
        }
    }
}

fn fill<S: Read>(stream: &mut S, buffer: &mut Vec<u8>) -> io::Result<bool> {
    let mut chunk = [0; 16 * 1024];
    let read = stream.read(&mut chunk)?;
    buffer.extend_from_slice(&chunk[..read]);
    Ok(read > 0)
}

fn parse_head(buffer: &[u8]) -> io::Result<Option<(Request, usize)>> {
    let mut headers = [httparse::EMPTY_HEADER; 64];
    let mut head = httparse::Request::new(&mut headers);
    match head.parse(buffer) {
        Err(error) => Err(io::Error::new(io::ErrorKind::InvalidData, error)),
        Ok(httparse::Status::Partial) => Ok(None),
        Ok(httparse::Status::Complete(length)) => {
            let headers = head
                .headers
                .iter()
                .map(|header| (header.name.to_owned(), String::from_utf8_lossy(header.value).into_owned()))
                .collect();
            let request = Request {
                method: head.method.unwrap_or_default().to_owned(),
                target: head.path.unwrap_or_default().to_owned(),
                headers,
                body: Vec::new(),
            };
            Ok(Some((request, length)))
        }
    }
}

/// Head and body in one buffer, so that they leave in one write.
fn encode(response: &Response, head_only: bool, close: bool) -> Vec<u8> {
    let mut out = format!("HTTP/1.1 {} {}\r\n", response.status, reason(response.status)).into_bytes();
    for (name, value) in &response.headers {
        out.extend_from_slice(format!("{name}: {value}\r\n").as_bytes());
    }
    out.extend_from_slice(format!("Date: {}\r\n", time::http_date(SystemTime::now())).as_bytes());
    if response.status != 204 {
        out.extend_from_slice(format!("Content-Length: {}\r\n", response.body.len()).as_bytes());
    }
    if close {
        out.extend_from_slice(b"Connection: close\r\n");
    }
    out.extend_from_slice(b"\r\n");
    if !head_only && response.status != 204 {
        out.extend_from_slice(&response.body);
    }
    out
}

fn reason(status: u16) -> &'static str {
    match status {
        200 => "OK",
        201 => "Created",
        204 => "No Content",
        300 => "Multiple Choices",
        400 => "Bad Request",
        401 => "Unauthorized",
        403 => "Forbidden",
        404 => "Not Found",
        405 => "Method Not Allowed",
        406 => "Not Acceptable",
        409 => "Conflict",
        410 => "Gone",
        411 => "Length Required",
        412 => "Precondition Failed",
        413 => "Request Entity Too Large",
        415 => "Unsupported Media Type",
        422 => "Unprocessable Entity",
        429 => "Too Many Requests",
        431 => "Request Header Fields Too Large",
        500 => "Internal Server Error",
        502 => "Bad Gateway",
        503 => "Service Unavailable",
        504 => "Gateway Timeout",
        _ => "Unknown",
    }
}
