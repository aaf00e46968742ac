//! Mail that the server itself writes: queued in the job of its cause, and limited if a stranger could cause it.

pub(crate) mod backscatter;
pub mod link_secrets;
pub mod system_mails;
pub(in crate::ops) mod template_values;
