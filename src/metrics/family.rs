//! Families of counters, gauges and histograms whose labels have few values, all known beforehand.
//!
//! Every combination exists from the beginning, with 0, so that a rate includes its first event. Counting is an atomic
//! addition: it takes no lock and allocates nothing.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};

use prometheus_client::encoding::{EncodeMetric, MetricEncoder, NoLabelSet};
use prometheus_client::metrics::MetricType;

/// A label's name and its values.
pub(super) type Label = (&'static str, Vec<&'static str>);

/// The units per 1 in which a histogram's sum is kept.
const PARTS: f64 = 1e6;

/// One cell for each combination of the labels' values.
#[derive(Debug)]
struct Cells<const K: usize, C> {
    labels: [Label; K],
    cells: Vec<C>,
}

impl<const K: usize, C> Cells<K, C> {
    fn new(labels: [Label; K], make: impl Fn() -> C) -> Cells<K, C> {
        let number: usize = labels.iter().map(|(_, values)| values.len()).product();
        Cells { cells: (0..number).map(|_| make()).collect(), labels }
    }

    /// The cell of these values; `None` for unknown values, which is a bug.
    fn at(&self, values: [&str; K]) -> Option<&C> {
        let mut place = 0;
        for ((name, known), value) in self.labels.iter().zip(values) {
            let Some(found) = known.iter().position(|known| *known == value) else {
                debug_assert!(false, "{value} is no value of the label {name}");
                return None;
            };
            place = place * known.len() + found;
        }
        self.cells.get(place)
    }

    /// Passes every cell with its labels to `each`.
    fn encode(
        &self,
        mut encoder: MetricEncoder<'_>,
        mut each: impl FnMut(MetricEncoder<'_>, &C) -> fmt::Result,
    ) -> fmt::Result {
        // Without labels there are no braces.
        if let ([cell], 0) = (self.cells.as_slice(), K) {
            return each(encoder, cell);
        }
        for (place, cell) in self.cells.iter().enumerate() {
            let mut rest = place;
            let mut labels: Vec<(&str, &str)> = Vec::with_capacity(K);
            for (name, values) in self.labels.iter().rev() {
                labels.push((name, values[rest % values.len()]));
                rest /= values.len();
            }
            labels.reverse();
            each(encoder.encode_family(&labels)?, cell)?;
        }
        Ok(())
    }
}

/// Counters, which only grow.
#[derive(Debug, Clone)]
pub struct Counters<const K: usize>(Arc<Cells<K, AtomicU64>>);

impl<const K: usize> Counters<K> {
    pub(super) fn new(labels: [Label; K]) -> Counters<K> {
        Counters(Arc::new(Cells::new(labels, AtomicU64::default)))
    }

    /// Adds `number` to the counter with these label values.
    pub fn add(&self, values: [&str; K], number: u64) {
        if let Some(cell) = self.0.at(values) {
            cell.fetch_add(number, Ordering::Relaxed);
        }
    }

    /// Counts one more.
    pub fn count(&self, values: [&str; K]) {
        self.add(values, 1);
    }
}

impl<const K: usize> EncodeMetric for Counters<K> {
    fn encode(&self, encoder: MetricEncoder<'_>) -> fmt::Result {
        self.0.encode(encoder, |mut encoder, cell| {
            encoder.encode_counter::<NoLabelSet, u64, f64>(&cell.load(Ordering::Relaxed), None)
        })
    }

    fn metric_type(&self) -> MetricType {
        MetricType::Counter
    }
}

/// Gauges, which go up and down.
#[derive(Debug, Clone)]
pub struct Gauges<const K: usize>(Arc<Cells<K, AtomicI64>>);

impl<const K: usize> Gauges<K> {
    pub(super) fn new(labels: [Label; K]) -> Gauges<K> {
        Gauges(Arc::new(Cells::new(labels, AtomicI64::default)))
    }

    /// Sets the present value.
    pub fn set(&self, values: [&str; K], number: u64) {
        if let Some(cell) = self.0.at(values) {
            cell.store(i64::try_from(number).unwrap_or(i64::MAX), Ordering::Relaxed);
        }
    }

    /// The present value; 0 where there is none.
    #[must_use]
    pub fn get(&self, values: [&str; K]) -> u64 {
        let value = self.0.at(values).map_or(0, |cell| cell.load(Ordering::Relaxed));
        u64::try_from(value).unwrap_or(0)
    }

    /// Adds one until the returned guard is dropped.
    #[must_use]
    pub fn hold(&self, values: [&'static str; K]) -> Held<K> {
        self.move_by(values, 1);
        Held { gauges: self.clone(), values }
    }

    fn move_by(&self, values: [&str; K], number: i64) {
        if let Some(cell) = self.0.at(values) {
            cell.fetch_add(number, Ordering::Relaxed);
        }
    }
}

/// A guard: the gauge counts one more as long as it lives.
#[derive(Debug)]
pub struct Held<const K: usize> {
    gauges: Gauges<K>,
    values: [&'static str; K],
}

impl<const K: usize> Drop for Held<K> {
    fn drop(&mut self) {
        self.gauges.move_by(self.values, -1);
    }
}

impl<const K: usize> EncodeMetric for Gauges<K> {
    fn encode(&self, encoder: MetricEncoder<'_>) -> fmt::Result {
        self.0.encode(encoder, |mut encoder, cell| encoder.encode_gauge(&cell.load(Ordering::Relaxed)))
    }

    fn metric_type(&self) -> MetricType {
        MetricType::Gauge
    }
}

/// Histograms, which count values in buckets with upper bounds.
#[derive(Debug, Clone)]
pub struct Histograms<const K: usize>(Arc<Cells<K, Buckets>>);

#[derive(Debug)]
struct Buckets {
    /// Upper bounds; the last bucket has none.
    bounds: &'static [f64],
    counts: Vec<AtomicU64>,
    /// The sum of all values, in units of 1/[`PARTS`].
    sum: AtomicU64,
}

impl<const K: usize> Histograms<K> {
    pub(super) fn new(labels: [Label; K], bounds: &'static [f64]) -> Histograms<K> {
        let make = || Buckets {
            bounds,
            counts: (0..=bounds.len()).map(|_| AtomicU64::default()).collect(),
            sum: AtomicU64::default(),
        };
        Histograms(Arc::new(Cells::new(labels, make)))
    }

    /// Counts a value, which is not negative.
    pub fn observe(&self, values: [&str; K], value: f64) {
        let Some(Buckets { bounds, counts, sum }) = self.0.at(values) else { return };
        let place = bounds.partition_point(|bound| *bound < value);
        counts[place].fetch_add(1, Ordering::Relaxed);
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "values are small")]
        let parts = (value * PARTS) as u64;
        sum.fetch_add(parts, Ordering::Relaxed);
    }
}

impl<const K: usize> EncodeMetric for Histograms<K> {
    fn encode(&self, encoder: MetricEncoder<'_>) -> fmt::Result {
        self.0.encode(encoder, |mut encoder, Buckets { bounds, counts, sum }| {
            let bounds = bounds.iter().copied().chain([f64::INFINITY]);
            let counts = counts.iter().map(|count| count.load(Ordering::Relaxed));
            let buckets: Vec<(f64, u64)> = bounds.zip(counts).collect();
            let count = buckets.iter().map(|(_, count)| count).sum();
            #[expect(clippy::cast_precision_loss, reason = "a sum for people")]
            let sum = sum.load(Ordering::Relaxed) as f64 / PARTS;
            encoder.encode_histogram::<NoLabelSet>(sum, count, &buckets, None)
        })
    }

    fn metric_type(&self) -> MetricType {
        MetricType::Histogram
    }
}

#[cfg(test)]
mod tests {
    use prometheus_client::encoding::text::encode;
    use prometheus_client::registry::Registry;

    use super::*;

    #[track_caller]
    fn check(metric: impl prometheus_client::registry::Metric, expected: &[&str]) {
        let mut registry = Registry::default();
        registry.register("it", "It", metric);
        let mut text = String::new();
        encode(&mut text, &registry).unwrap();
        let lines: Vec<&str> = text.lines().filter(|line| !line.starts_with('#')).collect();
        assert_eq!(lines, expected, "{text}");
    }

    #[test]
    fn every_combination_of_labels_is_there_from_the_beginning() {
        let counters = Counters::new([("kind", vec!["a", "b"]), ("end", vec!["x", "y"])]);
        counters.add(["b", "x"], 3);
        counters.count(["b", "x"]);
        counters.count(["a", "y"]);
        let expected = [
            r#"it_total{kind="a",end="x"} 0"#,
            r#"it_total{kind="a",end="y"} 1"#,
            r#"it_total{kind="b",end="x"} 4"#,
            r#"it_total{kind="b",end="y"} 0"#,
        ];
        check(counters, &expected);
    }

    #[test]
    fn a_gauge_counts_what_is_held() {
        let gauges = Gauges::new([("kind", vec!["a"])]);
        let (first, second) = (gauges.hold(["a"]), gauges.hold(["a"]));
        drop(first);
        check(gauges.clone(), &[r#"it{kind="a"} 1"#]);
        drop(second);
        check(gauges, &[r#"it{kind="a"} 0"#]);
    }

    #[test]
    fn a_histogram_counts_what_is_at_most_so_large() {
        let histograms = Histograms::new([("kind", vec!["a"])], &[0.5, 2.0]);
        for value in [0.5, 0.75, 3.0] {
            histograms.observe(["a"], value);
        }
        let expected = [
            r#"it_sum{kind="a"} 4.25"#,
            r#"it_count{kind="a"} 3"#,
            r#"it_bucket{le="0.5",kind="a"} 1"#,
            r#"it_bucket{le="2.0",kind="a"} 2"#,
            r#"it_bucket{le="+Inf",kind="a"} 3"#,
        ];
        check(histograms, &expected);
    }
}
