//! A real DNS server that knows what a test tells it.

use std::net::SocketAddr;
use std::sync::Arc;

use hickory_server::Server;
use hickory_server::net::runtime::TokioRuntimeProvider;
use hickory_server::proto::rr::rdata::{A, AAAA, CNAME, MX, SOA};
use hickory_server::proto::rr::{Name, RData, Record};
use hickory_server::store::in_memory::InMemoryZoneHandler;
use hickory_server::zone_handler::{AxfrPolicy, Catalog, ZoneType};
use tokio::net::UdpSocket;

fn record(line: &str) -> Record {
    let words: Vec<&str> = line.split_whitespace().collect();
    let name = |text: &str| Name::from_ascii(format!("{}.", text.trim_end_matches('.'))).unwrap();
    let data = match words[1..] {
        ["MX", preference, exchange] => RData::MX(MX::new(preference.parse().unwrap(), name(exchange))),
        ["A", address] => RData::A(A(address.parse().unwrap())),
        ["AAAA", address] => RData::AAAA(AAAA(address.parse().unwrap())),
        ["CNAME", target] => RData::CNAME(CNAME(name(target))),
        _ => panic!("no record: {line}"),
    };
    Record::from_rdata(name(words[0]), 60, data)
}

/// A server that knows `zone` and refuses all else: a record a line, `name type data`, all below `test.`.
pub(crate) async fn start(zone: &str) -> (Server<Catalog>, SocketAddr) {
    let origin = Name::from_ascii("test.").unwrap();
    let mut records: InMemoryZoneHandler<TokioRuntimeProvider> =
        InMemoryZoneHandler::empty(origin.clone(), ZoneType::Primary, AxfrPolicy::Deny);
    let soa = SOA::new(origin.clone(), origin.clone(), 1, 60, 60, 60, 60);
    records.upsert_mut(Record::from_rdata(origin.clone(), 60, RData::SOA(soa)), 1);
    for line in zone.lines().filter(|line| !line.trim().is_empty()) {
        records.upsert_mut(record(line), 1);
    }
    let mut catalog = Catalog::new();
    catalog.upsert(origin.into(), vec![Arc::new(records)]);
    let socket = UdpSocket::bind("127.0.0.1:0").await.unwrap();
    let address = socket.local_addr().unwrap();
    let mut server = Server::new(catalog);
    server.register_socket(socket);
    (server, address)
}
