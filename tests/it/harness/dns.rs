//! A real DNS server that knows what a test tells it.

use std::net::SocketAddr;
use std::sync::Arc;

use hickory_server::Server;
use hickory_server::net::runtime::TokioRuntimeProvider;
use hickory_server::proto::rr::rdata::{A, AAAA, CNAME, MX, SOA, TXT};
use hickory_server::proto::rr::{LowerName, Name, RData, Record, RrKey};
use hickory_server::store::in_memory::InMemoryZoneHandler;
use hickory_server::zone_handler::{AxfrPolicy, Catalog, ZoneType};
use tokio::net::UdpSocket;

/// What a server knows, which a test may change while it answers.
pub(crate) struct Zone(Arc<InMemoryZoneHandler<TokioRuntimeProvider>>);

impl Zone {
    /// Replaces the records of the lines' names and types.
    pub(crate) async fn set(&self, lines: &str) {
        for record in records(lines) {
            let key = RrKey::new(LowerName::new(&record.name), record.record_type());
            self.0.records_mut().await.remove(&key);
        }
        for record in records(lines) {
            self.0.upsert(record, 1).await;
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
    let mut known: InMemoryZoneHandler<TokioRuntimeProvider> =
        InMemoryZoneHandler::empty(origin.clone(), ZoneType::Primary, AxfrPolicy::Deny, None);
    let soa = SOA::new(origin.clone(), origin.clone(), 1, 60, 60, 60, 60);
    known.upsert_mut(Record::from_rdata(origin.clone(), 60, RData::SOA(soa)), 1);
    for record in records(zone) {
        known.upsert_mut(record, 1);
    }
    let zone = Zone(Arc::new(known));
    let mut catalog = Catalog::new();
    catalog.upsert(origin.into(), vec![zone.0.clone()]);
    let address = socket.local_addr().unwrap();
    let mut server = Server::new(catalog);
    server.register_socket(socket);
    (server, address, zone)
}
