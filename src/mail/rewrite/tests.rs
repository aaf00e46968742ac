//! What members receive, by example.
