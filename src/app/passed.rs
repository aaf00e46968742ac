//! Listening sockets that a service manager bound and passed to this process, as systemd does for its socket units.
//!
//! Each has the name of a listener. `app` takes a passed socket in place of binding the address of the flag, so a
//! process without privileges listens on ports below 1024, and connections wait in the socket while the server starts
//! again.

use std::io;
use std::net::TcpListener;
use std::os::unix::net::UnixListener;

use listenfd::ListenFd;

/// The names that passed sockets may have: those of the listeners.
pub const NAMES: [&str; 5] = ["http", "https", "smtp", "submission", "lmtp"];

/// A socket that was passed.
#[derive(Debug)]
enum Socket {
    Tcp(TcpListener),
    Unix(UnixListener),
}

/// A socket that a listener took.
#[derive(Debug)]
pub(super) enum Taken {
    /// One with an Internet address.
    Tcp(tokio::net::TcpListener),
    /// One with a path.
    Unix(tokio::net::UnixListener),
}

/// The sockets that were passed and that no listener has taken yet.
#[derive(Debug, Default)]
pub struct PassedSockets {
    sockets: Vec<(String, Socket)>,
    problems: Vec<String>,
}

impl PassedSockets {
    /// Takes the sockets that this process's environment announces (`LISTEN_FDS`, `LISTEN_FDNAMES`), and removes the
    /// announcement: it must be called before other threads run. What is wrong with them is told where the listeners
    /// are bound.
    #[must_use]
    pub fn from_environment() -> PassedSockets {
        let names = std::env::var("LISTEN_FDNAMES").unwrap_or_default();
        let mut announced = ListenFd::from_env();
        let names = names.split(':').chain(std::iter::repeat("")).take(announced.len());
        let mut passed = PassedSockets::default();
        for (place, name) in names.enumerate() {
            match take(&mut announced, place) {
                Ok(Some(socket)) => passed.add(name, socket),
                Ok(None) => {}
                Err(error) => {
                    passed.problems.push(format!("the passed socket {name:?} cannot be used: {error}"));
                }
            }
        }
        passed
    }

    fn add(&mut self, name: &str, socket: Socket) {
        if !NAMES.contains(&name) {
            self.problems.push(format!(
                "a socket with the name {name:?} was passed, which no listener has: its unit needs FileDescriptorName=, \
                 one of {}",
                NAMES.join(", ")
            ));
        } else if self.sockets.iter().any(|(known, _)| known == name) {
            self.problems.push(format!(
                "two sockets with the name {name} were passed, and a listener has one: [::]:PORT takes IPv4, too"
            ));
        } else {
            self.sockets.push((name.to_owned(), socket));
        }
    }

    /// Takes the socket of a listener, if one was passed.
    pub(super) fn take(&mut self, name: &str) -> Option<Taken> {
        let place = self.sockets.iter().position(|(known, _)| known == name)?;
        let taken = match self.sockets.swap_remove(place).1 {
            Socket::Tcp(listener) => {
                let made = listener.set_nonblocking(true);
                made.and_then(|()| tokio::net::TcpListener::from_std(listener)).map(Taken::Tcp)
            }
            Socket::Unix(listener) => {
                let made = listener.set_nonblocking(true);
                made.and_then(|()| tokio::net::UnixListener::from_std(listener)).map(Taken::Unix)
            }
        };
        taken
            .map_err(|error| self.problems.push(format!("the passed socket {name} cannot be used: {error}")))
            .ok()
    }

    /// Takes the socket of a listener that needs an Internet address, if one was passed.
    pub(super) fn take_tcp(&mut self, name: &str) -> Option<tokio::net::TcpListener> {
        match self.take(name)? {
            Taken::Tcp(listener) => Some(listener),
            Taken::Unix(_) => {
                self.problems
                    .push(format!("the passed socket {name} has a path, but needs an Internet address"));
                None
            }
        }
    }

    /// Everything that is wrong with the passed sockets.
    pub(super) fn into_problems(self) -> Vec<String> {
        self.problems
    }
}

/// Takes the socket at a place, of either kind.
fn take(announced: &mut ListenFd, place: usize) -> io::Result<Option<Socket>> {
    if let Ok(socket) = announced.take_unix_listener(place) {
        return Ok(socket.map(Socket::Unix));
    }
    Ok(announced.take_tcp_listener(place)?.map(Socket::Tcp))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tcp() -> Socket {
        Socket::Tcp(TcpListener::bind("127.0.0.1:0").unwrap())
    }

    #[tokio::test]
    async fn a_socket_without_a_listener_or_with_another_ones_name_is_a_problem() {
        let mut passed = PassedSockets::default();
        for name in ["smtp", "smtp", "imap", ""] {
            passed.add(name, tcp());
        }
        assert!(passed.take("smtp").is_some() && passed.take("smtp").is_none());
        let problems = passed.into_problems();
        assert_eq!(problems.len(), 3, "{problems:?}");
        assert!(problems[0].contains("two sockets with the name smtp"), "{problems:?}");
        assert!(
            problems[1].contains("\"imap\"") && problems[1].contains("FileDescriptorName="),
            "{problems:?}"
        );
    }

    #[tokio::test]
    async fn a_socket_with_a_path_is_no_listener_of_smtp() {
        let folder = tempfile::tempdir().unwrap();
        let mut passed = PassedSockets::default();
        passed.add("smtp", Socket::Unix(UnixListener::bind(folder.path().join("s")).unwrap()));
        assert!(passed.take_tcp("smtp").is_none());
        assert!(passed.into_problems()[0].contains("needs an Internet address"));
    }
}
