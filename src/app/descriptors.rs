//! Divides the file descriptors that the process may open among its parts.
//!
//! `app` calls it once at the start. Connections from outside never take the descriptors that the control socket, the
//! data file and deliveries need.

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

/// Descriptors for the data file, the log, listeners, the DNS, certificates and the operator's commands.
const KEPT: usize = 64;
/// Descriptors for deliveries: batches in flight, idle connections that are kept, and policies that are fetched.
const DELIVERY: usize = 640;
/// Most connections of one SMTP listener.
const SMTP_MAX: usize = 1000;
/// Most connections to `/metrics`.
const METRICS_MAX: usize = 16;
/// With fewer descriptors in all, the operator is warned in the log.
const ENOUGH: usize = 2048;

/// Raises the limit of open files as far as this process may, and returns it.
pub(super) fn raise() -> usize {
    let Rlimit { current, maximum } = getrlimit(Resource::Nofile);
    let raised = current == maximum
        || setrlimit(Resource::Nofile, Rlimit { current: maximum, maximum })
            .inspect_err(|error| tracing::warn!(error = %error, "The limit of open files cannot be raised"))
            .is_ok();
    let limit = if raised { maximum } else { current };
    // No number means that there is no limit.
    limit.map_or(usize::MAX, |limit| usize::try_from(limit).unwrap_or(usize::MAX))
}

/// Most connections of each part.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Shares {
    /// HTTP.
    pub(super) http: usize,
    /// Each of the listeners of mail.
    pub(super) smtp: usize,
    /// `/metrics`.
    pub(super) metrics: usize,
}

impl Shares {
    /// Divides `limit` descriptors, with this many listeners for mail.
    pub(super) fn of(limit: usize, http_max: usize, smtp_listeners: usize) -> Shares {
        let left = limit.saturating_sub(KEPT);
        let left = left - DELIVERY.min(left / 5 * 2);
        let metrics = METRICS_MAX.min(left / 16).max(1);
        let left = left.saturating_sub(metrics);
        let smtp = SMTP_MAX.min(left / 2 / smtp_listeners.max(1)).max(1);
        let http = http_max.min(left.saturating_sub(smtp * smtp_listeners)).max(1);
        if limit < ENOUGH {
            tracing::warn!(
                "This process may open only {limit} files: it takes up to {http} connections of HTTP and {smtp} \
                 of SMTP at a time. LimitNOFILE=65536 in its service, or ulimit -n, allows more"
            );
        }
        Shares { http, smtp, metrics }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn with_enough_descriptors_every_part_has_its_most() {
        let shares = Shares { http: 4096, smtp: 1000, metrics: 16 };
        for limit in [8192, 65_536, 1 << 30, usize::MAX] {
            assert_eq!(Shares::of(limit, 4096, 3), shares, "{limit}");
        }
    }

    #[test]
    fn descriptors_are_kept_back_for_deliveries_and_commands_whatever_the_limit() {
        for limit in (0..10_000).step_by(7) {
            for listeners in 1..=3 {
                let Shares { http, smtp, metrics } = Shares::of(limit, 4096, listeners);
                assert!(1 <= http && 1 <= smtp && 1 <= metrics, "{limit}");
                let taken = http + smtp * listeners + metrics;
                if 128 <= limit {
                    let kept = KEPT + DELIVERY.min((limit - KEPT) / 5 * 2);
                    assert!(taken + kept <= limit, "{limit}: {taken} and {kept}");
                    assert!(10 <= http, "{limit}: {http}");
                }
            }
        }
    }

    #[test]
    fn the_soft_limit_is_raised_to_the_hard_one() {
        let limit = raise();
        let Rlimit { current, maximum } = getrlimit(Resource::Nofile);
        assert_eq!(current, maximum);
        assert_eq!(current.map_or(usize::MAX, |limit| usize::try_from(limit).unwrap()), limit);
    }
}
