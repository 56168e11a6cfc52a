//! A name server on a loopback address, over UDP and TCP (RFC 1035): as much of one as a stub resolver needs.

use std::io::{Read, Write};
use std::net::{Ipv4Addr, TcpListener, TcpStream, UdpSocket};
use std::sync::atomic::{AtomicU8, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

const TYPE_A: u16 = 1;
/// A response; recursion is available.
const RESPONSE: [u8; 2] = [0x80, 0x80];
const TRUNCATED: u8 = 0x02;
const NO_SUCH_NAME: u8 = 3;

/// A name server that knows some names, all of them at 127.0.0.1, and nothing else. It runs until the test ends.
pub(crate) struct Dns {
    address: Ipv4Addr,
    asked: Arc<Mutex<Vec<String>>>,
}

struct Zone {
    names: Vec<String>,
    /// Every answer with an address is said to be too long for UDP.
    tcp_only: bool,
}

impl Dns {
    /// Starts one at port 53 (resolvers know no other) of a loopback address of its own.
    ///
    /// # Panics
    /// If that port cannot be had, which takes root.
    pub(crate) fn start(names: &[&str], tcp_only: bool) -> Self {
        static LAST: AtomicU8 = AtomicU8::new(0);
        let address = Ipv4Addr::new(127, 53, 0, LAST.fetch_add(1, Ordering::Relaxed) + 1);
        let zone = Arc::new(Zone { names: names.iter().map(|name| (*name).to_owned()).collect(), tcp_only });
        let asked = Arc::new(Mutex::new(Vec::new()));
        let taken = |error| panic!("port 53 of {address} cannot be had: {error}");
        let udp = UdpSocket::bind((address, 53)).unwrap_or_else(taken);
        let tcp = TcpListener::bind((address, 53)).unwrap_or_else(|error| panic!("{address}: {error}"));
        let (ours, log) = (Arc::clone(&zone), Arc::clone(&asked));
        thread::spawn(move || serve_udp(&udp, &ours, &log));
        let log = Arc::clone(&asked);
        thread::spawn(move || tcp.incoming().flatten().for_each(|stream| serve_tcp(stream, &zone, &log)));
        Self { address, asked }
    }

    /// A `resolv.conf` that names it, with more lines.
    pub(crate) fn resolv_conf(&self, more: &str) -> String {
        format!("nameserver {}\n{more}", self.address)
    }

    /// The questions so far, as `udp <name>`, without their types.
    pub(crate) fn asked(&self) -> Vec<String> {
        self.asked.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

fn serve_udp(socket: &UdpSocket, zone: &Zone, log: &Mutex<Vec<String>>) {
    let mut buffer = [0; 512];
    while let Ok((length, peer)) = socket.recv_from(&mut buffer) {
        let Some(answer) = zone.answer(&buffer[..length], false, log) else { continue };
        // A resolver that is gone has its answer from elsewhere.
        let _ = socket.send_to(&answer, peer);
    }
}

/// One question, with its length before it.
fn serve_tcp(mut stream: TcpStream, zone: &Zone, log: &Mutex<Vec<String>>) {
    let mut length = [0; 2];
    while stream.read_exact(&mut length).is_ok() {
        let mut query = vec![0; usize::from(u16::from_be_bytes(length))];
        if stream.read_exact(&mut query).is_err() {
            return;
        }
        let Some(answer) = zone.answer(&query, true, log) else { return };
        let length = u16::try_from(answer.len()).expect("a short answer").to_be_bytes();
        if stream.write_all(&[&length, &answer[..]].concat()).is_err() {
            return;
        }
    }
}

impl Zone {
    /// `None` if it is no question.
    fn answer(&self, query: &[u8], over_tcp: bool, log: &Mutex<Vec<String>>) -> Option<Vec<u8>> {
        let (name, question) = question(query)?;
        let transport = if over_tcp { "tcp" } else { "udp" };
        log.lock().unwrap_or_else(PoisonError::into_inner).push(format!("{transport} {name}"));
        let known = self.names.contains(&name);
        let wanted = u16::from_be_bytes([question[question.len() - 4], question[question.len() - 3]]);
        // A name that has no AAAA is not an unknown name.
        let has_address = known && wanted == TYPE_A;
        let cut = has_address && self.tcp_only && !over_tcp;
        let mut answer = query[..2].to_vec();
        let recursion_desired = query[2] & 1;
        answer.push(RESPONSE[0] | recursion_desired | if cut { TRUNCATED } else { 0 });
        answer.push(RESPONSE[1] | if known { 0 } else { NO_SUCH_NAME });
        // One question, so many answers, nothing more.
        answer.extend([0, 1, 0, u8::from(has_address && !cut), 0, 0, 0, 0]);
        answer.extend(question);
        if has_address && !cut {
            // The name of the question (at 12), class IN, to be kept for no time, four bytes.
            answer.extend([0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 0, 0, 4]);
            answer.extend(Ipv4Addr::LOCALHOST.octets());
        }
        Some(answer)
    }
}

/// The name that is asked for, in lower case, and the question as it was sent.
fn question(query: &[u8]) -> Option<(String, &[u8])> {
    let (mut at, mut labels) = (12, Vec::new());
    loop {
        let length = usize::from(*query.get(at)?);
        at += 1;
        if length == 0 {
            break;
        }
        labels.push(String::from_utf8_lossy(query.get(at..at + length)?).to_lowercase());
        at += length;
    }
    Some((labels.join("."), query.get(12..at + 4)?))
}
