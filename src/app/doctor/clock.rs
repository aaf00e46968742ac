//! Compares the clock with a time server (SNTP, RFC 4330).

use std::time::Duration;

use tokio::net::UdpSocket;
use tokio::time::timeout;

use super::{Check, Subject};
use crate::clock::Clock;

/// A clock that is off by more is a fault: signatures, one-time codes and greylisting depend on it.
const OFF_MAX_MS: i64 = 5_000;
/// How long the time server may take.
const PATIENCE: Duration = Duration::from_secs(5);
const NTP_PORT: u16 = 123;
const PACKET_BYTES: usize = 48;
/// Version 4, and the mode of a client.
const QUESTION: u8 = 4 << 3 | 3;
const MODE_SERVER: u8 = 4;
/// From 1900, where NTP begins to count, to 1970, in seconds.
const ERA_S: i64 = 2_208_988_800;
/// Where the time stands at which the server answered.
const TRANSMITTED: usize = 40;
/// Where the time of the question stands in the answer.
const ORIGIN: std::ops::Range<usize> = 24..32;

pub(super) async fn clock(subject: &Subject, clock: &Clock) -> Check {
    let Some(server) = &subject.time_server else {
        let note = "not compared: --time-server HOST names a server to compare it with";
        return Check::of("clock", &[], note);
    };
    let faults = match timeout(PATIENCE, ask(server, clock)).await {
        Err(_) => vec![format!("the time server {server} does not answer: name another with --time-server")],
        Ok(Err(reason)) => vec![format!("the time server {server} cannot be asked: {reason}")],
        Ok(Ok(off_ms)) if off_ms.abs() <= OFF_MAX_MS => Vec::new(),
        Ok(Ok(off_ms)) => {
            let way = if off_ms < 0 { "behind" } else { "ahead of" };
            let seconds = off_ms.unsigned_abs().div_ceil(1000);
            vec![format!(
                "the clock of this machine is {seconds} s {way} {server}: let systemd-timesyncd or chrony set it, since \
                 signatures, codes for signing in and certificates depend on the time"
            )]
        }
    };
    Check::of("clock", &faults, format!("it agrees with {server}"))
}

/// Returns by how many milliseconds this machine's clock is ahead.
async fn ask(server: &str, clock: &Clock) -> Result<i64, String> {
    let words = |error: std::io::Error| error.to_string();
    let place = if server.parse::<std::net::SocketAddr>().is_ok() || has_port(server) {
        server.to_owned()
    } else {
        match server.parse::<std::net::IpAddr>() {
            Ok(ip) => std::net::SocketAddr::new(ip, NTP_PORT).to_string(),
            Err(_) => format!("{server}:{NTP_PORT}"),
        }
    };
    let mut addresses = tokio::net::lookup_host(&place).await.map_err(words)?;
    let address = addresses.next().ok_or("it has no address")?;
    let own = if address.is_ipv6() { "[::]:0" } else { "0.0.0.0:0" };
    let socket = UdpSocket::bind(own).await.map_err(words)?;
    socket.connect(address).await.map_err(words)?;
    let sent = clock.now().ms();
    let mut question = [0; PACKET_BYTES];
    question[0] = QUESTION;
    // The server repeats it, so that no other packet is taken for the answer.
    question[TRANSMITTED..].copy_from_slice(&sent.to_be_bytes());
    socket.send(&question).await.map_err(words)?;
    let mut answer = [0; PACKET_BYTES];
    loop {
        let length = socket.recv(&mut answer).await.map_err(words)?;
        if length == PACKET_BYTES && answer[0] & 7 == MODE_SERVER && answer[ORIGIN] == question[TRANSMITTED..]
        {
            break;
        }
    }
    let received = clock.now().ms();
    let stratum = answer[1];
    if stratum == 0 {
        return Err("it does not want to be asked".to_owned());
    }
    Ok(i64::midpoint(sent, received) - ms_of(&answer[TRANSMITTED..]))
}

fn has_port(server: &str) -> bool {
    server.rsplit_once(':').is_some_and(|(host, port)| !host.contains(':') && port.parse::<u16>().is_ok())
}

/// Reads a time of NTP: seconds and their fraction, 32 bits each. Below the middle of the range, seconds belong to the
/// era that begins in 2036.
fn ms_of(bytes: &[u8]) -> i64 {
    let half = |at: usize| bytes[at..at + 4].iter().fold(0_i64, |sum, octet| sum << 8 | i64::from(*octet));
    let (seconds, fraction) = (half(0), half(4));
    let seconds = if seconds < 1 << 31 { seconds + (1 << 32) } else { seconds };
    (seconds - ERA_S) * 1000 + ((fraction * 1000) >> 32)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_of_both_eras_are_read() {
        // 2004-09-27T03:18:03.5Z, and the first second behind the range, in 2036.
        assert_eq!(ms_of(&[0xc5, 0x02, 0x03, 0x8b, 0x80, 0, 0, 0]) % 1000, 500);
        assert_eq!(ms_of(&[0x83, 0xaa, 0x7e, 0x80, 0, 0, 0, 0]), 0);
        assert_eq!(ms_of(&[0, 0, 0, 1, 0, 0, 0, 0]), 2_085_978_497_000);
    }
}
