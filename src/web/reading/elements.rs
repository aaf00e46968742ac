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
    /// What somebody else wrote.
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

/// What the element of this name becomes: its kind, its name on the page, and a class.
pub(super) fn of(name: &str) -> (Kind, &'static str, Option<&'static str>) {
    use Kind::{
        Block, Caption, Cell, Dropped, Inline, Item, List, Paragraph, Quote, Row, Rows, Table, Transparent,
        Void,
    };
    match name {
        "a" => (Inline, "a", None),
        "b" | "strong" => (Inline, "b", None),
        "i" | "em" | "cite" | "var" | "dfn" => (Inline, "i", None),
        "u" => (Inline, "u", None),
        "s" | "strike" => (Inline, "s", None),
        "del" => (Inline, "del", None),
        "ins" => (Inline, "ins", None),
        "small" => (Inline, "small", None),
        "sub" => (Inline, "sub", None),
        "sup" => (Inline, "sup", None),
        "code" | "tt" => (Inline, "code", None),
        "kbd" => (Inline, "kbd", None),
        "samp" => (Inline, "samp", None),
        "q" => (Inline, "q", None),
        "mark" => (Inline, "mark", None),
        "bdo" | "bdi" => (Inline, "bdi", None),
        "ruby" => (Inline, "ruby", None),
        "rt" => (Inline, "rt", None),
        "rp" => (Inline, "rp", None),
        "span" | "font" | "big" | "abbr" | "acronym" => (Inline, "span", None),
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
        | "menu" | "legend" => (Block, "div", None),
        "pre" | "listing" => (Block, "pre", None),
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
        "applet" | "audio" | "canvas" | "datalist" | "embed" | "frameset" | "head" | "map" | "math"
        | "noscript" | "object" | "select" | "svg" | "template" | "video" => (Dropped, "", None),
        "area" | "base" | "basefont" | "bgsound" | "col" | "colgroup" | "command" | "frame" | "input"
        | "isindex" | "keygen" | "link" | "meta" | "param" | "source" | "track" => (Void, "", None),
        _ => (Transparent, "", None),
    }
}
