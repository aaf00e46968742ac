//! Copies for members: who gets one, what it looks like, and what servers answered.

pub mod bounces;
pub mod deliveries;
pub mod outbound;
pub mod outgoing;
pub mod provider_blocks;
