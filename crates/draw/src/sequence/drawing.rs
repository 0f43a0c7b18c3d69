//! Draws a sequence chart as a scene.
//!
//! The longest text between two lifelines determines their distance. Invariant: rows do not overlap, so that the order
//! from top to bottom is the order of time.

use super::{SequenceChart, SequenceEvent, SequenceStep};
use crate::element_ref::{ChartPart, ElementRef};
use crate::geometry::{Point, Rectangle};
use crate::path::{Path, Segment};
use crate::scene::{Anchor, Part, Scene, SceneElement, Shape, TextBlock};
use crate::text_metrics::{LABEL_SIZE, LINE_PITCH, drawn_lines, line_width};

/// The scale of delays.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub enum TimeScale {
    /// All delays have the same height.
    #[default]
    Compressed,
    /// The height of a delay is this many pixels per unit of time, within bounds.
    Proportional(f64),
}

const HEAD_HEIGHT: f64 = 28.0;
/// The distance between rows with the names of the lifelines.
const HEAD_DISTANCE: f64 = 900.0;
const BOX_HEIGHT: f64 = 20.0;
const BOX_PADDING: f64 = 8.0;
const COLUMN_GAP: f64 = 28.0;
const ROW_GAP: f64 = 10.0;
const TEXT_HEIGHT: f64 = LABEL_SIZE * LINE_PITCH;
const DELAY_HEIGHT: f64 = 22.0;
const MOST_DELAY_HEIGHT: f64 = 600.0;
const ARROW: Point = Point::new(8.0, 4.0);

/// The vertical distance between the start and the end of an arrow of a broadcast.
const FAN_DROP: f64 = 14.0;
const LOOP_WIDTH: f64 = 26.0;
const LOOP_HEIGHT: f64 = 14.0;

/// Draws a chart as a scene.
pub fn draw_sequence(chart: &SequenceChart, scale: TimeScale) -> Scene {
    let columns = Columns::of_chart(chart);
    let mut painter = Painter { columns: &columns, chart, y: HEAD_HEIGHT + ROW_GAP, elements: Vec::new() };
    painter.boxes(&ElementRef::Chart(ChartPart::Start), &chart.start);
    // The names are repeated, because names at the top are not visible far below.
    let mut heads = vec![0.0];
    for step in &chart.steps {
        if painter.y - heads.last().copied().unwrap_or(0.0) > HEAD_DISTANCE {
            heads.push(painter.y);
            painter.y += HEAD_HEIGHT + ROW_GAP;
        }
        painter.step(step, scale);
    }
    let bottom = painter.y + ROW_GAP;
    let mut elements = painter.elements;
    for (lifeline, (&x, &width)) in
        chart.all_lifelines().iter().zip(columns.middles.iter().zip(&columns.head_widths))
    {
        for top in &heads {
            let head = Rectangle::around(Point::new(x, top + HEAD_HEIGHT / 2.0), width, HEAD_HEIGHT);
            let shape = Shape::Rectangle { sides: head, corner_radius: 4.0 };
            elements.push(
                SceneElement::new(&lifeline.element, Part::LifelineHead, shape)
                    .with_tooltip(lifeline.name.as_str()),
            );
            let text = TextBlock::centred(head.centre(), LABEL_SIZE, lifeline.name.trim());
            elements.push(SceneElement::new(&lifeline.element, Part::LifelineName, Shape::Text(text)));
        }
        let line = Path::straight(&[Point::new(x, HEAD_HEIGHT), Point::new(x, bottom)]);
        elements
            .push(SceneElement::new(&lifeline.element, Part::LifelineLine, Shape::Path(line)).dashed(true));
    }
    if !chart.title.trim().is_empty() {
        let corner = Point::new(columns.left, -TEXT_HEIGHT - 14.0);
        let text = TextBlock::at_corner(corner, 14.0, vec![chart.title.trim().to_owned()]);
        elements.push(SceneElement::new(
            &ElementRef::Chart(ChartPart::Whole),
            Part::FrameTitle,
            Shape::Text(text),
        ));
    }
    Scene::new(&chart.title, elements)
}

/// The horizontal positions of lifelines.
struct Columns {
    left: f64,
    right: f64,
    middles: Vec<f64>,
    head_widths: Vec<f64>,
}

impl Columns {
    fn of_chart(chart: &SequenceChart) -> Columns {
        let lifelines = chart.all_lifelines();
        let head_widths: Vec<f64> = lifelines
            .iter()
            .map(|lifeline| line_width(lifeline.name.trim(), LABEL_SIZE) * 1.1 + BOX_PADDING * 2.0)
            .collect();
        let mut widths = head_widths.clone();
        let entered = chart.steps.iter().flat_map(|step| &step.entered).chain(&chart.start);
        for (lifeline, name) in entered {
            let width = &mut widths[chart.place_of(*lifeline)];
            *width = width.max(box_width(name));
        }
        // The start column and the width of each text, by its end column.
        let mut needs: Vec<Vec<(usize, f64)>> = vec![Vec::new(); lifelines.len()];
        let mut first_margin: f64 = 0.0;
        for step in &chart.steps {
            match &step.event {
                SequenceEvent::Delay { .. } => {}
                SequenceEvent::Internal { lifeline, label } => {
                    let place = chart.place_of(*lifeline);
                    if let Some(next) = needs.get_mut(place + 1) {
                        next.push((place, line_width(label, LABEL_SIZE) + LOOP_WIDTH + COLUMN_GAP));
                    }
                }
                SequenceEvent::Synchronisation { sender, receivers, label } => {
                    let width = line_width(label, LABEL_SIZE) + COLUMN_GAP;
                    let Some(sender) = sender.map(|sender| chart.place_of(sender)) else {
                        first_margin = first_margin.max(width);
                        continue;
                    };
                    let Some(nearest) = nearest_receiver(chart, sender, receivers) else { continue };
                    needs[sender.max(nearest)].push((sender.min(nearest), width));
                }
            }
        }
        let mut middles: Vec<f64> = Vec::with_capacity(lifelines.len());
        for (place, width) in widths.iter().enumerate() {
            let beside_last = match place.checked_sub(1) {
                Some(last) => middles[last] + (widths[last] + width) / 2.0 + COLUMN_GAP,
                None => first_margin + width / 2.0,
            };
            let for_texts = needs[place]
                .iter()
                .map(|&(from, need)| if from < place { middles[from] + need } else { beside_last });
            middles.push(for_texts.fold(beside_last, f64::max).round());
        }
        let right = middles.last().zip(widths.last()).map_or(0.0, |(middle, width)| middle + width / 2.0);
        Columns { left: 0.0, right, middles, head_widths }
    }
}

fn nearest_receiver(
    chart: &SequenceChart,
    sender: usize,
    receivers: &[super::LifelineIndex],
) -> Option<usize> {
    let places = receivers.iter().map(|receiver| chart.place_of(*receiver));
    places.filter(|&place| place != sender).min_by_key(|place| place.abs_diff(sender))
}

fn box_width(name: &str) -> f64 {
    line_width(name.trim(), LABEL_SIZE) + BOX_PADDING * 2.0
}

struct Painter<'a> {
    columns: &'a Columns,
    chart: &'a SequenceChart,
    /// The top of the next row.
    y: f64,
    elements: Vec<SceneElement>,
}

impl Painter<'_> {
    fn step(&mut self, step: &SequenceStep, scale: TimeScale) {
        match &step.event {
            SequenceEvent::Delay { text, length } => self.delay(step, text, *length, scale),
            SequenceEvent::Internal { lifeline, label } => {
                let x = self.columns.middles[self.chart.place_of(*lifeline)];
                self.internal(step, x, label);
            }
            SequenceEvent::Synchronisation { sender, receivers, label } => {
                let from = sender.map(|sender| self.columns.middles[self.chart.place_of(sender)]);
                let mut to: Vec<f64> = receivers
                    .iter()
                    .map(|receiver| self.columns.middles[self.chart.place_of(*receiver)])
                    .collect();
                to.sort_by(f64::total_cmp);
                to.dedup();
                self.synchronisation(step, from, &to, label);
            }
        }
        self.boxes(&step.element, &step.entered);
        self.note(step);
    }

    fn delay(&mut self, step: &SequenceStep, text: &str, length: f64, scale: TimeScale) {
        let height = match scale {
            TimeScale::Compressed => DELAY_HEIGHT,
            TimeScale::Proportional(pixels) => {
                let height = length * pixels;
                if height.is_finite() { height.clamp(DELAY_HEIGHT, MOST_DELAY_HEIGHT) } else { DELAY_HEIGHT }
            }
        };
        let text = format!("delay {}", text.trim());
        let right = self.columns.right.max(line_width(&text, LABEL_SIZE) + BOX_PADDING * 2.0);
        let sides = Rectangle { left: self.columns.left, top: self.y, right, bottom: self.y + height };
        let band = Shape::Rectangle { sides, corner_radius: 3.0 };
        self.elements
            .push(SceneElement::new(&step.element, Part::DelayBand, band).with_tooltip(text.as_str()));
        let corner = Point::new(sides.left + BOX_PADDING, sides.centre().y - TEXT_HEIGHT / 2.0 + 1.0);
        let block = TextBlock::at_corner(corner, LABEL_SIZE, vec![text]);
        self.elements.push(SceneElement::new(&step.element, Part::DelayText, Shape::Text(block)));
        self.y += height + ROW_GAP;
    }

    fn internal(&mut self, step: &SequenceStep, x: f64, label: &str) {
        let top = self.y + 2.0;
        let bottom = top + LOOP_HEIGHT;
        let reach = x + LOOP_WIDTH;
        let path = Path {
            start: Point::new(x, top),
            segments: vec![Segment::Cubic(
                Point::new(reach, top - 3.0),
                Point::new(reach, bottom + 3.0),
                Point::new(x + 1.0, bottom),
            )],
        };
        self.arrow(step, path, Point::new(x + 1.0, bottom), 1.0, label);
        let corner = Point::new(reach, self.y + 1.0);
        self.message_text(step, TextBlock::at_corner(corner, LABEL_SIZE, one_line(label)));
        self.y += LOOP_HEIGHT + 4.0 + ROW_GAP;
    }

    fn synchronisation(&mut self, step: &SequenceStep, from: Option<f64>, to: &[f64], label: &str) {
        let top = self.y + TEXT_HEIGHT;
        let start = Point::new(from.unwrap_or(self.columns.left), top);
        let is_fan = to.len() > 1;
        let drop = if is_fan { FAN_DROP } else { 0.0 };
        for &x in to {
            if x == start.x {
                self.internal(step, x, "");
                continue;
            }
            let side = if x < start.x { 1.0 } else { -1.0 };
            let tip = Point::new(x, top + drop);
            self.arrow(step, Path::straight(&[start, tip]), tip, side, label);
        }
        if to.is_empty() {
            // Sent without a receiver.
            let tip = start + Point::new(LOOP_WIDTH, 0.0);
            self.arrow(step, Path::straight(&[start, tip]), tip, -1.0, label);
        }
        let nearest = to
            .iter()
            .copied()
            .filter(|&x| x != start.x)
            .min_by(|left, right| (left - start.x).abs().total_cmp(&(right - start.x).abs()))
            .unwrap_or(start.x + LOOP_WIDTH);
        let middle = (start.x + nearest) / 2.0;
        let text = TextBlock {
            position: Point::new(middle, top - 4.0),
            anchor: Anchor::Middle,
            size: LABEL_SIZE,
            lines: one_line(label),
        };
        self.message_text(step, text);
        self.y = top + drop + ROW_GAP;
    }

    /// Draws a line with an arrow head at its tip; `side` is 1 if the line comes from the right, and -1 from the left.
    fn arrow(&mut self, step: &SequenceStep, path: Path, tip: Point, side: f64, label: &str) {
        let line = SceneElement::new(&step.element, Part::EdgeLine, Shape::Path(path));
        self.elements.push(line.with_tooltip(label.trim()));
        let barbs =
            [tip + Point::new(side * ARROW.x, -ARROW.y), tip, tip + Point::new(side * ARROW.x, ARROW.y)];
        let head = Shape::Path(Path::straight(&barbs));
        self.elements.push(SceneElement::new(&step.element, Part::ArrowHead, head));
    }

    fn message_text(&mut self, step: &SequenceStep, text: TextBlock) {
        if !text.lines.is_empty() {
            self.elements.push(SceneElement::new(&step.element, Part::MessageText, Shape::Text(text)));
        }
    }

    fn boxes(&mut self, element: &ElementRef, entered: &[(super::LifelineIndex, String)]) {
        if entered.is_empty() {
            return;
        }
        for (lifeline, name) in entered {
            let x = self.columns.middles[self.chart.place_of(*lifeline)];
            let sides =
                Rectangle::around(Point::new(x, self.y + BOX_HEIGHT / 2.0), box_width(name), BOX_HEIGHT);
            let shape = Shape::Rectangle { sides, corner_radius: BOX_HEIGHT / 2.0 };
            self.elements
                .push(SceneElement::new(element, Part::LocationBox, shape).with_tooltip(name.trim()));
            let text = TextBlock::centred(sides.centre(), LABEL_SIZE, name.trim());
            self.elements.push(SceneElement::new(element, Part::LocationBoxText, Shape::Text(text)));
        }
        self.y += BOX_HEIGHT + ROW_GAP;
    }

    /// Draws a note at the right of the chart, beside its step.
    fn note(&mut self, step: &SequenceStep) {
        let lines = drawn_lines(&step.note);
        if lines.is_empty() {
            return;
        }
        let height = lines.len() as f64 * TEXT_HEIGHT;
        let corner = Point::new(self.columns.right + COLUMN_GAP, self.y - BOX_HEIGHT - ROW_GAP);
        let text = TextBlock::at_corner(corner, LABEL_SIZE, lines);
        self.elements.push(SceneElement::new(&step.element, Part::NoteText, Shape::Text(text)));
        self.y = self.y.max(corner.y + height + 2.0);
    }
}

fn one_line(text: &str) -> Vec<String> {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if line.is_empty() { Vec::new() } else { vec![line] }
}
