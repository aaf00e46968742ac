//! Pages for people: server-rendered, nothing loaded from elsewhere, all of it without JavaScript.
//!
//! [`table`] lists every page; `serve` takes a request through the same steps to the handler of its page, which gets
//! all that it may need as one [`Context`](context::Context). `frame` is what stands around every page, `error` is every
//! way to fail. Handlers parse, call one operation, and show its result; texts stand in catalogues ([`crate::locale`]).

mod assets;
pub mod context;
mod cookies;
mod devices;
mod error;
mod form;
mod frame;
mod home;
mod members;
mod moderation;
mod password;
mod reference;
mod serve;
mod site;
pub mod table;
mod user_agent;

use axum::Router;

pub use assets::{STYLE, style_path};
pub use cookies::{csrf_token, session_cookie};
pub use error::PageError;
pub use reference::reference;
pub use serve::router_of;

use crate::http::bodies::Bodies;
use crate::ops::Core;

/// The pages of the server. `bodies` reads the forms that requests bring.
pub fn router(core: Core, bodies: Bodies) -> Router {
    router_of(core, bodies, table::PAGES)
}
