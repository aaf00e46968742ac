//! A real DNS server that knows what a test tells it.

use std::net::SocketAddr;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use data_encoding::{BASE64, HEXLOWER};
use hickory_server::Server;
use hickory_server::dnssec::NxProofKind;
use hickory_server::net::runtime::TokioRuntimeProvider;
use hickory_server::proto::dnssec::crypto::Ed25519SigningKey;
use hickory_server::proto::dnssec::rdata::DNSKEY;
use hickory_server::proto::dnssec::{DnssecSigner, PublicKey as _, SigningKey as _};
use hickory_server::proto::rr::rdata::{A, AAAA, CNAME, MX, NS, PTR, SOA, TLSA, TXT};
use hickory_server::proto::rr::{LowerName, Name, RData, Record, RrKey};
use hickory_server::store::in_memory::InMemoryZoneHandler;
use hickory_server::zone_handler::{AxfrPolicy, Catalog, DnssecZoneHandler as _, ZoneType};
use tokio::net::UdpSocket;
use tokio::task::JoinHandle;

/// The zone of a server that signs which itself is not signed.
const UNSIGNED: &str = "free.test";
/// How long signatures last: no test takes a day.
const SIGNED_FOR: Duration = Duration::from_hours(24);

type Handler = InMemoryZoneHandler<TokioRuntimeProvider>;

/// What a server knows, which a test may change while it answers.
pub(crate) struct Zone {
    known: Arc<Handler>,
    /// What of it is not signed, where the rest is.
    unsigned: Option<Arc<Handler>>,
}

impl Zone {
    /// Replaces the records of the lines' names and types.
    pub(crate) async fn set(&self, lines: &str) {
        self.forge(lines).await;
        if self.unsigned.is_some() {
            self.known.secure_zone().await.expect("a zone can be signed");
        }
    }

    /// The same without signing them anew.
    pub(crate) async fn forge(&self, lines: &str) {
        for record in records(lines) {
            let key = RrKey::new(LowerName::new(&record.name), record.record_type());
            self.handler(&record).records_mut().await.remove(&key);
        }
        for record in records(lines) {
            self.handler(&record).upsert(record, 1).await;
        }
    }

    fn handler(&self, record: &Record) -> &Handler {
        match &self.unsigned {
            Some(unsigned) if is_unsigned(record) => unsigned,
            _ => &self.known,
        }
    }
}

/// A record of each line, `name type data`, with a time to live in seconds behind the name where it is not 60.
fn records(lines: &str) -> impl Iterator<Item = Record> {
    lines.lines().filter(|line| !line.trim().is_empty()).map(record)
}

fn record(line: &str) -> Record {
    let mut words: Vec<&str> = line.split_whitespace().collect();
    let given_ttl = words[1].parse().ok();
    let ttl_s = given_ttl.unwrap_or(60);
    if given_ttl.is_some() {
        words.remove(1);
    }
    let name = |text: &str| Name::from_ascii(format!("{}.", text.trim_end_matches('.'))).unwrap();
    let data = match words[1..] {
        ["MX", preference, exchange] => RData::MX(MX::new(preference.parse().unwrap(), name(exchange))),
        ["A", address] => RData::A(A(address.parse().unwrap())),
        ["AAAA", address] => RData::AAAA(AAAA(address.parse().unwrap())),
        ["NS", host] => RData::NS(NS(name(host))),
        ["TLSA", usage, selector, matching, data] => {
            let number = |text: &str| text.parse::<u8>().unwrap();
            let data = HEXLOWER.decode(data.as_bytes()).unwrap();
            let (usage, selector) = (number(usage).into(), number(selector).into());
            RData::TLSA(TLSA::new(usage, selector, number(matching).into(), data))
        }
        ["PTR", target] => RData::PTR(PTR(name(target))),
        ["CNAME", target] => RData::CNAME(CNAME(name(target))),
        ["TXT", ..] => {
            let text = words[2..].join(" ");
            let strings = text.as_bytes().chunks(255).map(|chunk| String::from_utf8(chunk.to_vec()).unwrap());
            RData::TXT(TXT::new(strings.collect()))
        }
        _ => panic!("no record: {line}"),
    };
    Record::from_rdata(name(words[0]), ttl_s, data)
}

/// A server that knows `zone` and refuses all else: a record a line, `name type data`, all below `test.`.
pub(crate) async fn start(zone: &str) -> (Server<Catalog>, SocketAddr) {
    let (server, address, _) = serve("test.", zone).await;
    (server, address)
}

/// A server that knows `zone` and says of everything else below `origin` that it does not exist.
pub(crate) async fn serve(origin: &str, zone: &str) -> (Server<Catalog>, SocketAddr, Zone) {
    let socket = UdpSocket::bind("127.0.0.1:0").await.unwrap();
    serve_at(socket, origin, zone)
}

/// The same at a socket that was there before.
pub(crate) fn serve_at(socket: UdpSocket, origin: &str, zone: &str) -> (Server<Catalog>, SocketAddr, Zone) {
    let origin = Name::from_ascii(origin).unwrap();
    let known = handler(&origin, records(zone), None);
    let zone = Zone { known: Arc::new(known), unsigned: None };
    let mut catalog = Catalog::new();
    catalog.upsert(origin.into(), vec![zone.known.clone()]);
    let address = socket.local_addr().unwrap();
    let mut server = Server::new(catalog);
    server.register_socket(socket);
    (server, address, zone)
}

/// How a [`Line`] is disturbed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Trouble {
    /// Every question is answered with SERVFAIL.
    Fails,
    /// No question is answered.
    IsSilent,
    /// Nobody is there.
    IsGone,
}

/// The line to a DNS server, which a test may disturb. It ends with the runtime that it is started on.
pub(crate) struct Line {
    address: SocketAddr,
    server: Arc<Mutex<Option<SocketAddr>>>,
    task: Mutex<Option<JoinHandle<()>>>,
}

impl Line {
    /// One that leads nowhere yet. At this address, no other server of a test takes the port while nobody is there.
    pub(crate) fn new() -> Line {
        let socket = std::net::UdpSocket::bind("127.77.0.1:0").unwrap();
        Line { address: socket.local_addr().unwrap(), server: Arc::default(), task: Mutex::default() }
    }

    /// Where to ask instead of at `server`; nobody is disturbed.
    pub(crate) fn to(&self, server: SocketAddr) -> SocketAddr {
        *self.server.lock().unwrap() = Some(server);
        self.serve(None);
        self.address
    }

    pub(crate) async fn disturb(&self, trouble: Trouble) {
        self.end().await;
        if trouble != Trouble::IsGone {
            self.serve(Some(trouble));
        }
    }

    pub(crate) async fn mend(&self) {
        self.end().await;
        self.serve(None);
    }

    /// When this is over, nobody has the port.
    async fn end(&self) {
        let task = self.task.lock().unwrap().take();
        if let Some(task) = task {
            task.abort();
            let _ = task.await;
        }
    }

    fn serve(&self, trouble: Option<Trouble>) {
        let server = self.server.lock().unwrap().expect("it leads to a server");
        // Who asks some question may have the port at all addresses, for as long as that takes.
        let mut tries = std::iter::repeat_with(|| std::net::UdpSocket::bind(self.address));
        let socket = tries.find_map(Result::ok).expect("it is tried until it is there");
        socket.set_nonblocking(true).unwrap();
        let socket = UdpSocket::from_std(socket).unwrap();
        let answers = async move {
            let mut packet = [0; 4096];
            while let Ok((length, client)) = socket.recv_from(&mut packet).await {
                let question = &mut packet[..length];
                match trouble {
                    None => pass_on(question, server, &socket, client).await,
                    Some(Trouble::Fails) => fail(question, &socket, client).await,
                    Some(Trouble::IsSilent | Trouble::IsGone) => {}
                }
            }
        };
        *self.task.lock().unwrap() = Some(tokio::spawn(answers));
    }
}

/// Answers SERVFAIL (RFC 1035 4.1.1).
async fn fail(question: &mut [u8], socket: &UdpSocket, client: SocketAddr) {
    question[2] |= 0x80;
    question[3] = question[3] & 0xf0 | 2;
    socket.send_to(question, client).await.unwrap();
}

async fn pass_on(question: &[u8], server: SocketAddr, socket: &UdpSocket, client: SocketAddr) {
    let upstream = UdpSocket::bind("127.0.0.1:0").await.unwrap();
    upstream.send_to(question, server).await.unwrap();
    let mut answer = [0; 4096];
    let length = upstream.recv(&mut answer).await.unwrap();
    socket.send_to(&answer[..length], client).await.unwrap();
}

/// A server that passes questions on to `server`, and fails at those for records of `types`: as those do that never
/// heard of DNSSEC. `failed` counts them. It ends with the runtime that it is started on.
pub(crate) fn failing_at(server: SocketAddr, types: &'static [u16], failed: Arc<AtomicUsize>) -> SocketAddr {
    let socket = std::net::UdpSocket::bind("127.0.0.1:0").unwrap();
    socket.set_nonblocking(true).unwrap();
    let address = socket.local_addr().unwrap();
    let socket = UdpSocket::from_std(socket).unwrap();
    tokio::spawn(async move {
        let mut packet = [0; 4096];
        while let Ok((length, client)) = socket.recv_from(&mut packet).await {
            let question = &mut packet[..length];
            if types.contains(&question_type(question)) {
                failed.fetch_add(1, Ordering::SeqCst);
                fail(question, &socket, client).await;
            } else {
                pass_on(question, server, &socket, client).await;
            }
        }
    });
    address
}

/// What a question is for: the number behind its name.
fn question_type(packet: &[u8]) -> u16 {
    let mut at = 12;
    while packet[at] != 0 {
        at += 1 + usize::from(packet[at]);
    }
    u16::from_be_bytes([packet[at + 1], packet[at + 2]])
}

/// A server whose root knows `zone` and signs it, but for what is below `free.test`; with the key of the root.
pub(crate) async fn serve_signed(zone: &str) -> (Server<Catalog>, SocketAddr, Zone, String) {
    let der = Ed25519SigningKey::generate_pkcs8().unwrap();
    let key = Ed25519SigningKey::from_pkcs8(&der).unwrap();
    let public = DNSKEY::from_key(&key.to_public_key().unwrap());
    let root_key =
        format!(". 60 IN DNSKEY 257 3 15 {}", BASE64.encode(key.to_public_key().unwrap().public_bytes()));
    let (unsigned, signed): (Vec<Record>, Vec<Record>) = records(zone).partition(is_unsigned);
    let delegation = records("free.test NS ns.free.test\n");
    let mut known = handler(&Name::root(), signed.into_iter().chain(delegation), Some(NxProofKind::Nsec));
    known
        .add_zone_signing_key_mut(DnssecSigner::new(public, Box::new(key), Name::root(), SIGNED_FOR))
        .unwrap();
    known.secure_zone_mut().unwrap();
    let origin = Name::from_ascii("free.test.").unwrap();
    let unsigned = Arc::new(handler(&origin, unsigned.into_iter(), None));
    let zone = Zone { known: Arc::new(known), unsigned: Some(unsigned.clone()) };
    let mut catalog = Catalog::new();
    catalog.upsert(Name::root().into(), vec![zone.known.clone()]);
    catalog.upsert(origin.into(), vec![unsigned]);
    let socket = UdpSocket::bind("127.0.0.1:0").await.unwrap();
    let address = socket.local_addr().unwrap();
    let mut server = Server::new(catalog);
    server.register_socket(socket);
    (server, address, zone, root_key)
}

fn is_unsigned(record: &Record) -> bool {
    Name::from_ascii(format!("{UNSIGNED}.")).unwrap().zone_of(&record.name)
}

fn handler(origin: &Name, records: impl Iterator<Item = Record>, denial: Option<NxProofKind>) -> Handler {
    let mut known: Handler =
        InMemoryZoneHandler::empty(origin.clone(), ZoneType::Primary, AxfrPolicy::Deny, denial);
    let soa = SOA::new(origin.clone(), origin.clone(), 1, 60, 60, 60, 60);
    known.upsert_mut(Record::from_rdata(origin.clone(), 60, RData::SOA(soa)), 1);
    known.upsert_mut(Record::from_rdata(origin.clone(), 60, RData::NS(NS(origin.clone()))), 1);
    for record in records {
        known.upsert_mut(record, 1);
    }
    known
}
