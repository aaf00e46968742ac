//! Reads the few properties of inline styles that a page keeps, as classes of its own stylesheet.

use std::fmt::Write as _;

/// Declarations of one style that are read.
const DECLARATIONS_MAX: usize = 60;

/// The classes that HTML of others may have; `web/assets/style.css` says what they mean.
pub(super) const CLASSES: [&str; 26] = [
    "attribution",
    "bare",
    "blue",
    "bold",
    "center",
    "end",
    "green",
    "grid",
    "h",
    "h1",
    "h2",
    "h3",
    "indent",
    "italic",
    "justify",
    "marked",
    "mono",
    "no-image",
    "preline",
    "quote",
    "red",
    "scroll",
    "signed",
    "strike",
    "tight",
    "underline",
];

/// The part of the style of an element that is kept.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Style {
    classes: Vec<&'static str>,
    /// Whether nothing of the element is shown.
    pub(super) is_hidden: bool,
    /// Whether it has a border on a side.
    pub(super) has_border: bool,
    /// Whether its border and padding are those that Outlook puts over the message that is answered.
    pub(super) is_original_head: bool,
    /// Whether it is moved to the right without a border, as programs do for indentation.
    pub(super) is_indented: bool,
    /// Whether its text runs from right to left, or is said not to.
    pub(super) direction: Option<&'static str>,
}

impl Style {
    /// Reads a `style` attribute.
    pub(super) fn of(css: &str) -> Style {
        let mut style = Style::default();
        let mut seen = Seen::default();
        for declaration in css.split(';').take(DECLARATIONS_MAX) {
            let Some((name, value)) = declaration.split_once(':') else { continue };
            let (name, value) = (name.trim().to_ascii_lowercase(), value.trim().to_ascii_lowercase());
            style.take(&name, value.trim_end_matches("!important").trim(), &mut seen);
        }
        style.is_original_head = seen.has_top_border && seen.pads_top && style.has_border;
        style.is_indented = seen.moves_right && !style.has_border;
        style.is_hidden |= seen.is_flat && seen.cuts;
        style
    }

    /// Adds a class.
    pub(super) fn add(&mut self, class: &'static str) {
        debug_assert!(CLASSES.contains(&class));
        if !self.classes.contains(&class) {
            self.classes.push(class);
        }
    }

    /// The `class` attribute with a blank in front; empty if there are no classes.
    pub(super) fn attribute(&self) -> String {
        let mut attribute = String::new();
        for class in &self.classes {
            // Writing into a String cannot fail.
            let _ = write!(attribute, "{}{class}", if attribute.is_empty() { " class=\"" } else { " " });
        }
        if !attribute.is_empty() {
            attribute.push('"');
        }
        attribute
    }

    fn take(&mut self, name: &str, value: &str, seen: &mut Seen) {
        match name {
            "display" => self.is_hidden |= value == "none",
            "visibility" => self.is_hidden |= value == "hidden",
            "mso-hide" => self.is_hidden |= value == "all",
            "font-size" => self.is_hidden |= is_zero(value),
            "max-height" | "height" => seen.is_flat |= is_zero(value),
            "overflow" => seen.cuts |= value == "hidden",
            "text-align" => self.align(value),
            "direction" => self.direction = ["rtl", "ltr"].into_iter().find(|known| *known == value),
            "font-weight" => {
                let is_bold = value == "bold"
                    || value == "bolder"
                    || value.parse::<u32>().is_ok_and(|weight| weight >= 600);
                self.add_if(is_bold, "bold");
            }
            "font-style" => self.add_if(value == "italic" || value == "oblique", "italic"),
            "text-decoration" | "text-decoration-line" => {
                self.add_if(value.contains("underline"), "underline");
                self.add_if(value.contains("line-through"), "strike");
            }
            "font-family" | "font" => {
                let is_mono =
                    ["mono", "courier", "consolas", "menlo"].iter().any(|face| value.contains(face));
                self.add_if(is_mono, "mono");
            }
            "white-space" => self.add_if(value.starts_with("pre"), "preline"),
            "color" => self.color(value),
            "background" | "background-color" => self.add_if(is_marker(value), "marked"),
            "margin" => {
                let sides: Vec<&str> = value.split_whitespace().collect();
                self.add_if(is_zero(sides.first().unwrap_or(&"x")) && sides.len() < 4, "tight");
                // Nothing above, on the right and below, something on the left.
                seen.moves_right |= sides.len() == 4 && !is_zero(sides[3]) && is_zero(sides[1]);
            }
            "margin-bottom" => self.add_if(is_zero(value), "tight"),
            "margin-left" => seen.moves_right |= !is_zero(value),
            "padding" => seen.pads_top |= value.starts_with("3.0pt 0") || value.starts_with("3pt 0"),
            _ if name.starts_with("border")
                && !name.contains("collapse")
                && !name.contains("radius")
                && !name.contains("spacing") =>
            {
                let is_border = ["solid", "dotted", "dashed", "double", "ridge", "groove"]
                    .iter()
                    .any(|kind| value.contains(kind));
                self.has_border |= is_border && !value.starts_with('0');
                seen.has_top_border |= is_border && name == "border-top";
            }
            _ => {}
        }
    }

    fn add_if(&mut self, holds: bool, class: &'static str) {
        if holds {
            self.add(class);
        }
    }

    /// Keeps an alignment.
    pub(super) fn align(&mut self, value: &str) {
        match value.trim().to_ascii_lowercase().as_str() {
            "center" | "-webkit-center" => self.add("center"),
            "right" | "end" => self.add("end"),
            "justify" => self.add("justify"),
            _ => {}
        }
    }

    /// Keeps a colour as one of three that can be read in light and dark; people answer in red between the lines.
    pub(super) fn color(&mut self, value: &str) {
        match rgb(value) {
            Some([red, green, blue]) if 170 <= red && green < 90 && blue < 90 => self.add("red"),
            Some([red, green, blue]) if 100 <= green && red < 90 && blue < 90 => self.add("green"),
            Some([red, green, blue]) if 180 <= blue && red < 90 && green < 140 => self.add("blue"),
            _ => {}
        }
    }
}

/// Properties that mean something together.
#[derive(Debug, Default)]
struct Seen {
    has_top_border: bool,
    pads_top: bool,
    moves_right: bool,
    is_flat: bool,
    cuts: bool,
}

/// Whether a length is nothing.
fn is_zero(value: &str) -> bool {
    let number = value.trim_end_matches(|c: char| c.is_ascii_alphabetic() || c == '%');
    number.parse::<f32>().is_ok_and(|number| number.abs() < 0.01)
}

/// Whether a background is that of a marker pen.
fn is_marker(value: &str) -> bool {
    matches!(rgb(value), Some([red, green, blue]) if 200 <= red && 200 <= green && blue < 140)
}

/// The parts of a colour that is written in one of the usual ways.
fn rgb(value: &str) -> Option<[u8; 3]> {
    let value = value.trim();
    let named = match value {
        "red" => Some([255, 0, 0]),
        "crimson" => Some([220, 20, 60]),
        "green" => Some([0, 128, 0]),
        "blue" => Some([0, 0, 255]),
        "yellow" => Some([255, 255, 0]),
        _ => None,
    };
    if named.is_some() {
        return named;
    }
    if let Some(digits) = value.strip_prefix('#') {
        let digits: Vec<u8> = digits
            .chars()
            .map_while(|c| c.to_digit(16))
            .filter_map(|digit| u8::try_from(digit).ok())
            .collect();
        return match digits.as_slice() {
            [red, green, blue] => Some([red * 17, green * 17, blue * 17]),
            six if six.len() == 6 => Some([0, 2, 4].map(|at| six[at] * 16 + six[at + 1])),
            _ => None,
        };
    }
    let inside = value.strip_prefix("rgb(").or_else(|| value.strip_prefix("rgba("))?;
    let mut parts = inside.trim_end_matches(')').split(',').map(|part| part.trim().parse::<u8>().ok());
    Some([parts.next()??, parts.next()??, parts.next()??])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(css: &str, expected: &str) {
        assert_eq!(Style::of(css).attribute().trim(), expected, "{css}");
    }

    #[test]
    fn a_short_list_of_properties_is_kept() {
        check("text-align: CENTER; font-weight:700;position:fixed", "class=\"center bold\"");
        check("color:#ff0000", "class=\"red\"");
        check("color: rgb(0, 128, 0) !important", "class=\"green\"");
        check("color:#1F497D;background:url(https://x)", "");
        check("background:yellow;font-family:'Courier New'", "class=\"marked mono\"");
        check("margin:0cm", "class=\"tight\"");
        check("x", "");
    }

    #[test]
    fn what_is_hidden_and_what_an_answer_stands_over_is_seen() {
        assert!(Style::of("display:none").is_hidden && Style::of("max-height:0px;overflow:hidden").is_hidden);
        assert!(!Style::of("max-height:0px").is_hidden);
        let head = "border:none;border-top:solid #E1E1E1 1.0pt;padding:3.0pt 0cm 0cm 0cm";
        assert!(Style::of(head).is_original_head);
        assert!(Style::of("margin:0 0 0 40px;border:none;padding:0px").is_indented);
        assert!(!Style::of("margin:0 0 0 .8ex;border-left:1px #ccc solid;padding-left:1ex").is_indented);
    }
}
