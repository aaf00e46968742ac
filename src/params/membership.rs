//! Reads the settings of memberships.

use super::Params;
use super::parse::As;
use super::shape::Shaped;
use crate::ops::people::memberships::{MemberSettings, MembershipInput};
use crate::ops::{Change, Wrong};

pub(crate) fn fields(params: &mut Params) {
    input(params);
}

pub(crate) fn input(params: &mut Params) -> MembershipInput {
    params.read_only(&["id"]);
    MembershipInput {
        contact: params.text("contact"),
        list: params.text("list"),
        settings: settings(params),
        overrides_opt_out: params.boolean("override_opt_out").unwrap_or(false),
        problems: params.take_problems(),
    }
}

/// Reads how a member gets the posts of a list.
pub(crate) fn settings(params: &mut Params) -> MemberSettings {
    MemberSettings { digest: digest(params), paused: params.boolean("paused") }
}

/// Reads the digest setting of a membership: `null`, `1`, `0` or a boolean.
fn digest(params: &mut Params) -> Change<Option<bool>> {
    let parse = |text: &str| match text {
        "1" | "true" => Ok(true),
        "0" | "false" => Ok(false),
        _ => Err(Wrong::DigestWord),
    };
    params.nullable("digest", As(Binary::shape, parse))
}

/// A boolean that is shown as 1 or 0.
pub(crate) struct Binary(pub(crate) bool);
