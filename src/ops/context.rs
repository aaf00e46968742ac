//! What an operation is given beside its own input: who acts, the time, and the means to write mail.

use std::sync::Arc;

use crate::clock::Timestamp;
use crate::config::Config;
use crate::metrics::Metrics;
use crate::ops::Caller;
use crate::ops::domains::links::ServerLinks;
use crate::secret::Signer;

/// The facts that an operation gets beside its own input.
#[derive(Debug, Clone)]
pub struct OpContext {
    /// The actor on whose behalf it runs.
    pub caller: Arc<Caller>,
    /// The means to write mail.
    pub mail_context: MailContext,
    /// The present time.
    pub now: Timestamp,
}

/// The parts of the server that a write job needs to write mail with links.
#[derive(Debug, Clone)]
pub struct MailContext {
    /// Makes the links of every account.
    pub links: Arc<ServerLinks>,
    /// Signs the tokens of links.
    pub signer: Signer,
    /// The server's configuration: its own name, and the route that mail takes.
    pub config: Arc<Config>,
    /// Counts system mail.
    pub metrics: Arc<Metrics>,
}
