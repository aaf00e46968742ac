//! Why the server cannot start.

use crate::migrate::OpenError;
use crate::net::tls::TlsError;
use crate::store::StoreError;

/// The reason why the server cannot start.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    /// Some addresses cannot be listened on; each has its reason.
    #[error("{}", problems.join("\n"))]
    Bind {
        /// At least one.
        problems: Vec<String>,
    },
    /// The data file cannot be used.
    #[error(transparent)]
    Open(#[from] OpenError),
    /// The data file failed while the server was starting.
    #[error("the data file failed: {0}")]
    Store(#[from] StoreError),
    /// The certificate or its key cannot be used.
    #[error("the certificate for mail's TLS cannot be used: {0}")]
    Tls(#[from] TlsError),
    /// A file of the certificate cannot be read.
    #[error("{file} cannot be read: {error}")]
    TlsFile {
        /// Its path.
        file: String,
        /// The error of the operating system.
        error: std::io::Error,
    },
    /// The local socket for commands cannot be made.
    #[error("the control socket in {folder} cannot be made: {error}")]
    Control {
        /// The data folder.
        folder: String,
        /// The error of the operating system.
        error: std::io::Error,
    },
}
