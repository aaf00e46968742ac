//! Small charts as SVG: bars for what happened in each month, a line for what there was. Each comes with a title that
//! says it in words, and its page shows the same figures as a table.

/// The size of a chart, and where its axis ends.
const WIDTH: f64 = 400.0;
const LEFT: f64 = 46.0;
const TOP: f64 = 10.0;
const BOTTOM: f64 = 124.0;
/// Lines across a chart.
const LINES: u64 = 4;
/// Labels below a chart.
const LABELS_MAX: usize = 4;

/// A chart, in the coordinates of its template.
#[derive(Debug, Clone, PartialEq)]
pub(in crate::web::admin) struct Chart {
    /// The `id` of the title.
    pub(in crate::web::admin) id: &'static str,
    /// Its meaning, in words.
    pub(in crate::web::admin) title: String,
    /// The lines across, with what they stand for.
    pub(in crate::web::admin) lines: Vec<(String, String)>,
    /// The bars: left, top, width and height.
    pub(in crate::web::admin) bars: Vec<[String; 4]>,
    /// The path of the line; blank for bars.
    pub(in crate::web::admin) path: String,
    /// The labels: where their middle is, and their words.
    pub(in crate::web::admin) labels: Vec<(String, String)>,
}

/// One value of a chart.
pub(in crate::web::admin) struct Point {
    /// The words below it.
    pub(in crate::web::admin) label: String,
    pub(in crate::web::admin) value: u64,
}

/// Whether values are bars or points of a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::web::admin) enum Kind {
    Bars,
    Line,
}

impl Chart {
    /// The chart of these values.
    pub(in crate::web::admin) fn new(id: &'static str, title: String, kind: Kind, points: &[Point]) -> Chart {
        let highest = points.iter().map(|point| point.value).max().unwrap_or(0);
        let lowest = points.iter().map(|point| point.value).min().unwrap_or(0);
        // A line that changes little is drawn from near its lowest value; bars stand on the ground.
        let (base, top) = match kind {
            Kind::Line if highest / 2 < lowest => ends_of(lowest, highest),
            Kind::Line | Kind::Bars => (0, top_of(highest)),
        };
        let height = |value: u64| float(value.saturating_sub(base)) / float(top - base) * (BOTTOM - TOP);
        let step = (WIDTH - LEFT) / float(points.len().max(1));
        let middle = |place: usize| LEFT + (float(place) + 0.5) * step;
        let lines = (0..=LINES).map(|line| {
            let value = base + (top - base) * line / LINES;
            (coordinate(BOTTOM - height(value)), value.to_string())
        });
        let bar = |(place, point): (usize, &Point)| {
            let (width, height) = (step * 0.64, height(point.value));
            let (left, top) = (middle(place) - width / 2.0, BOTTOM - height);
            [left, top, width, height].map(coordinate)
        };
        let node = |(place, point): (usize, &Point)| {
            format!("{} {}", coordinate(middle(place)), coordinate(BOTTOM - height(point.value)))
        };
        let nodes: Vec<String> = points.iter().enumerate().map(node).collect();
        let apart = points.len().div_ceil(LABELS_MAX).max(1);
        // Counted from the newest, which has a label.
        let is_labelled = |place: usize| (points.len() - 1 - place).is_multiple_of(apart);
        let labelled = points.iter().enumerate().filter(|(place, _)| is_labelled(*place));
        Chart {
            id,
            title,
            lines: lines.collect(),
            bars: match kind {
                Kind::Bars => points.iter().enumerate().map(bar).collect(),
                Kind::Line => Vec::new(),
            },
            path: if kind == Kind::Line { format!("M{}", nodes.join(" ")) } else { String::new() },
            labels: labelled.map(|(place, point)| (coordinate(middle(place)), point.label.clone())).collect(),
        }
    }
}

/// The lowest and the highest line around some values, with round numbers on the lines between them.
fn ends_of(lowest: u64, highest: u64) -> (u64, u64) {
    let mut unit: u64 = 1;
    loop {
        for factor in [1, 2, 5] {
            let step = unit.saturating_mul(factor);
            let base = lowest / step * step;
            let top = base.saturating_add(step.saturating_mul(LINES));
            if highest <= top {
                return (base, top);
            }
        }
        unit = unit.saturating_mul(10);
    }
}

/// The highest line: a number that divides well, at least as high as every value.
fn top_of(highest: u64) -> u64 {
    let mut unit: u64 = 1;
    loop {
        for factor in [4, 8, 12, 16, 20] {
            let top = unit.saturating_mul(factor);
            if highest <= top || top == u64::MAX {
                return top;
            }
        }
        unit = unit.saturating_mul(10);
    }
}

/// A number as a coordinate; charts are drawn of far smaller ones than `f64` can count.
fn float(number: impl TryInto<u32>) -> f64 {
    f64::from(number.try_into().unwrap_or(u32::MAX))
}

fn coordinate(value: f64) -> String {
    format!("{value:.1}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn points(values: &[u64]) -> Vec<Point> {
        values.iter().map(|value| Point { label: value.to_string(), value: *value }).collect()
    }

    #[test]
    fn bars_stand_on_the_axis_and_reach_no_higher_than_the_top_line() {
        let chart = Chart::new("x", String::new(), Kind::Bars, &points(&[0, 40, 80, 61]));
        let heights: Vec<&str> = chart.bars.iter().map(|bar| bar[3].as_str()).collect();
        assert_eq!(heights, ["0.0", "57.0", "114.0", "86.9"]);
        assert_eq!(
            chart.lines.iter().map(|(_, value)| value.as_str()).collect::<Vec<_>>(),
            ["0", "20", "40", "60", "80"]
        );
        assert_eq!(chart.lines[4].0, "10.0");
        assert_eq!(chart.labels.len(), 4);
    }

    #[test]
    fn a_line_goes_through_all_values_and_none_is_no_fault() {
        let chart = Chart::new("x", String::new(), Kind::Line, &points(&[3, 1]));
        assert_eq!(chart.path, "M134.5 38.5 311.5 95.5");
        let empty = Chart::new("x", String::new(), Kind::Line, &[]);
        assert_eq!((empty.path.as_str(), empty.labels.len()), ("M", 0));
        assert_eq!([0, 4, 5, 9, 21, 100, 1_000_000].map(top_of), [4, 4, 8, 12, 40, 120, 1_200_000]);
        let names = |chart: &Chart| chart.labels.iter().map(|(_, words)| words.clone()).collect::<Vec<_>>();
        let many =
            Chart::new("x", String::new(), Kind::Bars, &points(&[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]));
        assert_eq!(names(&many), ["3", "6", "9", "12"], "the newest has a label");
    }

    #[test]
    fn a_line_that_changes_little_is_drawn_between_round_numbers_around_it() {
        assert_eq!(ends_of(688, 741), (680, 760));
        assert_eq!(ends_of(25, 25), (25, 29));
        let chart = Chart::new("x", String::new(), Kind::Line, &points(&[688, 741]));
        let lines: Vec<&str> = chart.lines.iter().map(|(_, value)| value.as_str()).collect();
        assert_eq!(lines, ["680", "700", "720", "740", "760"]);
    }
}
