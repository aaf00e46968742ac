//! Pages for people: rendered on the server, without JavaScript, and with nothing loaded from other hosts.
//!
//! From above: [`table`] lists every page with its handler; `router` and `serve` take a request through the same steps to
//! that handler and give it one [`Context`](context::Context). `error_page` shows every failure, and `frame` is what
//! surrounds every page. Below them are the context, the errors ([`PageError`]), the pages as facts ([`page`]) and their
//! `paths`, which name no handler.
//!
//! Handlers parse, call one operation, and show its result. They look up no record themselves: what a page shows is read
//! by functions of [`ops`](crate::ops), of one snapshot that the context gives. Their texts are in catalogues
//! ([`crate::locale`]).

mod admin;
mod approval;
mod archive;
mod assets;
mod banner;
mod confirm;
pub mod context;
mod cookies;
mod decision_form;
mod devices;
mod directory;
mod error;
mod error_page;
mod form;
mod frame;
mod head;
mod heading;
mod home;
mod join;
mod leaving;
mod list;
mod login;
mod me;
mod me_admin;
mod moderation;
mod oauth;
mod old_host;
mod old_links;
mod onward;
pub mod page;
mod password;
mod paths;
pub mod reading;
mod reference;
mod resume;
mod router;
mod serve;
mod site;
pub mod table;
mod typed;
mod user_agent;

use axum::Router;

pub use assets::{STYLE, keys_path, style_path};
pub use cookies::{csrf_token, session_cookie};
pub use error::{PageError, PageResult};
pub use error_page::unreadable;
pub use old_host::{is_old_host, lead_on};
pub use reference::reference;
pub use router::router_of;

use crate::http::bodies::Bodies;
use crate::service::Core;

/// The router of all pages. `bodies` reads the forms that requests carry.
pub fn router(core: Core, bodies: Bodies) -> Router {
    router_of(core, bodies, table::PAGES)
}
