//! The elements of HTML mail: what each becomes on a page, and where it may stand.

/// How an element stands on a page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// In a line of text.
    Inline,
    /// A block, which ends an open paragraph.
    Block,
    /// A paragraph.
    Paragraph,
    /// A quote of somebody else.
    Quote,
    /// A list.
    List,
    /// An item of a list.
    Item,
    /// A table.
    Table,
    /// A group of rows.
    Rows,
    /// A row.
    Row,
    /// A cell.
    Cell,
    /// The title of a table.
    Caption,
    /// An element without content.
    Void,
    /// Not shown, with everything inside it.
    Dropped,
    /// Not shown; its content is.
    Transparent,
}

/// The form of the element of this name on a page: its kind, its name there, and a class.
pub(super) fn of(name: &str) -> (Kind, &'static str, Option<&'static str>) {
    match inline(name) {
        Some(inline) => (Kind::Inline, inline, None),
        None => block(name),
    }
}

/// The name on the page of an element in a line of text.
fn inline(name: &str) -> Option<&'static str> {
    Some(match name {
        "a" => "a",
        "b" | "strong" => "b",
        "i" | "em" | "cite" | "var" | "dfn" => "i",
        "u" => "u",
        "s" | "strike" => "s",
        "del" => "del",
        "ins" => "ins",
        "small" => "small",
        "sub" => "sub",
        "sup" => "sup",
        "code" | "tt" => "code",
        "kbd" => "kbd",
        "samp" => "samp",
        "q" => "q",
        "mark" => "mark",
        "bdo" | "bdi" => "bdi",
        "ruby" => "ruby",
        "rt" => "rt",
        "rp" => "rp",
        "span" | "font" | "big" | "abbr" | "acronym" => "span",
        _ => return None,
    })
}

/// The form on a page of an element that is no part of a line.
fn block(name: &str) -> (Kind, &'static str, Option<&'static str>) {
    use Kind::{
        Block, Caption, Cell, Dropped, Item, List, Paragraph, Quote, Row, Rows, Table, Transparent, Void,
    };
    match name {
        "p" => (Paragraph, "p", None),
        "center" => (Block, "div", Some("center")),
        "h1" => (Block, "div", Some("h1")),
        "h2" => (Block, "div", Some("h2")),
        "h3" => (Block, "div", Some("h3")),
        "h4" | "h5" | "h6" => (Block, "div", Some("h")),
        "dt" => (Block, "div", Some("bold")),
        "dd" => (Block, "div", Some("indent")),
        "div" | "address" | "article" | "aside" | "body" | "dl" | "fieldset" | "figcaption" | "figure"
        | "footer" | "header" | "hgroup" | "main" | "nav" | "section" | "form" | "details" | "dir"
        | "menu" | "legend" | "dialog" | "optgroup" | "option" | "search" | "summary" => (Block, "div", None),
        "pre" | "listing" | "plaintext" | "textarea" | "xmp" => (Block, "pre", None),
        "blockquote" => (Quote, "blockquote", None),
        "ul" => (List, "ul", None),
        "ol" => (List, "ol", None),
        "li" => (Item, "li", None),
        "table" => (Table, "table", None),
        "tbody" => (Rows, "tbody", None),
        "thead" => (Rows, "thead", None),
        "tfoot" => (Rows, "tfoot", None),
        "tr" => (Row, "tr", None),
        "td" => (Cell, "td", None),
        "th" => (Cell, "th", None),
        "caption" => (Caption, "caption", None),
        "br" => (Void, "br", None),
        "hr" => (Void, "hr", None),
        "wbr" => (Void, "wbr", None),
        "img" | "image" => (Void, "img", None),
        "applet" | "audio" | "canvas" | "datalist" | "embed" | "frameset" | "map" | "math" | "noscript"
        | "object" | "select" | "svg" | "template" | "video" => (Dropped, "", None),
        "area" | "base" | "basefont" | "bgsound" | "col" | "colgroup" | "command" | "frame" | "input"
        | "isindex" | "keygen" | "link" | "meta" | "param" | "source" | "track" => (Void, "", None),
        _ => (Transparent, "", None),
    }
}
