//! Copies for members: their recipients, their form, the outcome of each attempt, and its effect on addresses.

pub mod bounces;
pub mod deliveries;
pub mod figures;
pub mod lately;
pub mod outbound;
pub mod outgoing;
pub mod provider_blocks;
pub mod queue_view;
pub mod sample;
pub mod why_not;
