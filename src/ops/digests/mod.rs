//! Digests of posts, one a day for each list: when one begins, who gets which posts, and the mail itself.
//!
//! The upkeep [begins](begin) a digest when it is due: the posts that wait become one row, in one job. The scheduler
//! [expands](expand) that row through the members as it expands a post. Most members get the digest of all posts, which
//! is [built](build) once; for those who switched since, one is built of the posts that are theirs. A form for delivery
//! is made in [`outgoing`]: of what was built, or, after a moderator changed one of the posts, of those that are left. What waits for the next digest is kept by [`queue`](crate::ops::queue).

pub mod begin;
pub mod build;
pub mod expand;
pub mod outgoing;
