//! Mail that the server writes itself: queued with its cause, limited where a stranger could order it.

pub(in crate::ops) mod backscatter;
pub mod link_secrets;
pub mod system_mails;
pub(in crate::ops) mod template_values;
