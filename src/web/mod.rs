//! Pages for people: rendered on the server, without JavaScript, and with nothing loaded from other hosts.
//!
//! [`table`] lists every page. `serve` takes a request through the same steps to the handler of its page and gives it
//! one [`Context`](context::Context). `frame` renders what surrounds every page, `error` every failure. Handlers parse,
//! call one operation, and show its result; they touch no storage themselves, and their texts are in catalogues
//! ([`crate::locale`]).

mod admin;
mod approval;
mod archive;
mod assets;
mod banner;
mod confirm;
pub mod context;
mod cookies;
mod devices;
mod directory;
mod error;
mod form;
mod frame;
mod home;
mod join;
mod leaving;
mod list;
mod login;
mod me;
mod me_admin;
mod moderation;
mod oauth;
mod password;
pub mod reading;
mod reference;
mod resume;
mod serve;
mod site;
pub mod table;
mod user_agent;

use axum::Router;

pub use admin::resume_imports;
pub use assets::{STYLE, keys_path, style_path};
pub use cookies::{csrf_token, session_cookie};
pub use error::{PageError, unreadable};
pub use reference::reference;
pub use serve::router_of;

use crate::http::bodies::Bodies;
use crate::service::Core;

/// The router of all pages. `bodies` reads the forms that requests carry.
pub fn router(core: Core, bodies: Bodies) -> Router {
    router_of(core, bodies, table::PAGES)
}
