//! What every HTTP edge of the server shares: whose request it is.
//!
//! It knows no path and no body: those belong to `api` and `web`.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};

use axum::extract::ConnectInfo;
use axum::http::Extensions;

/// The address from which a request came; the unspecified one where no network was involved.
#[must_use]
pub fn client_addr(extensions: &Extensions) -> IpAddr {
    let peer = extensions.get::<ConnectInfo<SocketAddr>>();
    peer.map_or(IpAddr::V4(Ipv4Addr::UNSPECIFIED), |ConnectInfo(peer)| peer.ip().to_canonical())
}
