//! The one form of the HTML of mails that the server writes: a sheet in the looks of the pages, in light and in dark.
//!
//! Digests and notices set their rows between [`head`] and [`TAIL`]. Nothing in it comes from elsewhere or runs, and
//! styles stand where mail programs look for them.

use super::text::escape_html;
use crate::model::Language;

/// The type of what belongs to the tool, and not to the text.
pub(super) const SANS: &str =
    "font-family: system-ui, -apple-system, 'Segoe UI', sans-serif; font-size: 14px";
/// The colours of a dark screen.
pub(super) const DARK: &str = ".page { background: #141817 !important; color: #e6e9e6 !important; } \
    .soft { color: #a8b1ac !important; } \
    .link { color: #82d0d2 !important; } \
    .rule { border-color: #363f3c !important; }";
/// The end of a mail, behind its last row.
pub(super) const TAIL: &str = "</table>\n</td></tr>\n</table>\n</div>\n</body>\n</html>\n";

/// The beginning of a mail, inside its first cell: the name of its sender and its heading. `dark` are colours of a dark
/// screen beside [`DARK`].
pub(super) fn head(language: Language, title: &str, sender: &str, heading: &str, dark: &str) -> String {
    format!(
        "<!doctype html>\n<html lang=\"{lang}\" dir=\"ltr\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"color-scheme\" content=\"light dark\">\n\
         <meta name=\"supported-color-schemes\" content=\"light dark\">\n\
         <title>{title}</title>\n\
         <style>@media (prefers-color-scheme: dark) {{ {DARK}{dark} }}</style>\n</head>\n\
         <body class=\"page\" style=\"margin: 0; padding: 0; background: #fcfcfa; color: #1a1f1d;\">\n\
         <div role=\"main\">\n<table role=\"presentation\" class=\"page\" width=\"100%\" cellpadding=\"0\" \
         cellspacing=\"0\" style=\"background: #fcfcfa; color: #1a1f1d; border-collapse: collapse;\">\n\
         <tr><td align=\"center\" style=\"padding: 24px 16px 40px;\">\n\
         <table role=\"presentation\" width=\"600\" cellpadding=\"0\" cellspacing=\"0\" style=\"width: 100%; \
         max-width: 600px; border-collapse: collapse; font-family: Charter, Georgia, serif; font-size: 17px; \
         line-height: 1.55; text-align: start; overflow-wrap: anywhere;\">\n\
         <tr><td style=\"padding: 0 0 20px; border-top: 4px solid #0b5c63;\">\n\
         <p class=\"soft\" dir=\"auto\" style=\"margin: 20px 0 4px; {SANS}; color: #535c57;\">{sender}</p>\n\
         <h1 dir=\"auto\" style=\"margin: 0 0 8px; font-size: 26px; line-height: 1.2; \
         font-weight: 700;\">{heading}</h1>\n",
        lang = language.word(),
        title = escape_html(title),
        sender = escape_html(sender),
        heading = escape_html(heading),
    )
}
