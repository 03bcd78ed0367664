//! Bar charts as self-contained SVG.

use super::highlight::escaped;

const WIDTH: f64 = 880.0;
/// The left edge of the bars, their largest length, and the height of a row, in pixels.
const LEFT: f64 = 170.0;
const LENGTH: f64 = 380.0;
const ROW: f64 = 20.0;
const BAR: f64 = 14.0;
/// The palette of Okabe and Ito, which colour-blind readers can distinguish, with grey in place of black.
const COLOURS: [&str; 8] = ["#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00", "#f0e442", "#7f7f7f"];

/// A chart of horizontal bars.
#[derive(Debug)]
pub(crate) struct Chart {
    title: String,
    /// The meaning of each colour. Empty if there is only one.
    legend: Vec<String>,
    rows: Vec<Bar>,
}

#[derive(Debug)]
struct Bar {
    label: String,
    /// The start and end of each piece, relative to the longest bar, and its colour.
    pieces: Vec<(f64, f64, usize)>,
    note: String,
}

impl Chart {
    /// A bar for each number, on a linear or logarithmic scale.
    pub(crate) fn bars(title: &str, is_logarithmic: bool, numbers: &[(String, usize)]) -> Chart {
        let length = |number: usize| if is_logarithmic { (number as f64).ln_1p() } else { number as f64 };
        let most = numbers.iter().map(|(_, number)| length(*number)).fold(f64::MIN_POSITIVE, f64::max);
        let row = |(label, number): &(String, usize)| Bar {
            label: label.clone(),
            pieces: vec![(0.0, length(*number) / most, 0)],
            note: number.to_string(),
        };
        let scale = if is_logarithmic { ", on a logarithmic scale" } else { "" };
        Chart { title: format!("{title}{scale}"), legend: Vec::new(), rows: numbers.iter().map(row).collect() }
    }

    /// A full-length bar for each row, divided by the counts of each item of the `legend`.
    pub(crate) fn shares(title: &str, legend: Vec<String>, counts: &[(String, Vec<usize>)]) -> Chart {
        let row = |(label, counts): &(String, Vec<usize>)| {
            let all: usize = counts.iter().sum();
            let mut so_far = 0;
            let piece = |(colour, count): (usize, &usize)| {
                let from = so_far;
                so_far += count;
                let part = |some: usize| some as f64 / all.max(1) as f64;
                (part(from), part(so_far), colour)
            };
            Bar {
                label: label.clone(),
                pieces: counts.iter().enumerate().map(piece).collect(),
                note: counts.iter().map(usize::to_string).collect::<Vec<_>>().join(" "),
            }
        };
        Chart { title: title.to_owned(), legend, rows: counts.iter().map(row).collect() }
    }

    /// A bar from the first to the third number, with a mark at the second.
    pub(crate) fn ranges(title: &str, ranges: &[(String, [usize; 3])]) -> Chart {
        const MARK: f64 = 0.006;
        let most = ranges.iter().map(|(_, [.., high])| *high).max().unwrap_or_default().max(1) as f64;
        let row = |(label, [low, middle, high]): &(String, [usize; 3])| {
            let [from, at, to] = [low, middle, high].map(|number| *number as f64 / most);
            Bar {
                label: label.clone(),
                pieces: vec![(from, to, 4), ((at - MARK).max(0.0), at, 0)],
                note: format!("{low} – {middle} – {high}"),
            }
        };
        Chart { title: title.to_owned(), legend: Vec::new(), rows: ranges.iter().map(row).collect() }
    }

    /// The chart as SVG.
    pub(crate) fn svg(&self) -> String {
        let top = if self.legend.is_empty() { 34.0 } else { 54.0 };
        let height = top + ROW * self.rows.len() as f64 + 10.0;
        let mut text = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {height}\" width=\"{WIDTH}\" \
             font-family=\"sans-serif\" font-size=\"12\">\n<rect width=\"{WIDTH}\" height=\"{height}\" fill=\"white\"/>\n\
             <text x=\"10\" y=\"20\" font-size=\"14\" font-weight=\"bold\">{}</text>\n",
            escaped(&self.title)
        );
        let mut x = LEFT;
        for (colour, name) in self.legend.iter().enumerate() {
            text += &rect(x, 32.0, 12.0, 12.0, colour);
            text += &words(x + 16.0, 42.0, "start", name);
            x += 34.0 + 7.0 * name.chars().count() as f64;
        }
        for (number, row) in self.rows.iter().enumerate() {
            let y = top + ROW * number as f64;
            text += &words(LEFT - 8.0, y + 11.0, "end", &row.label);
            for (from, to, colour) in &row.pieces {
                text += &rect(LEFT + LENGTH * from, y, LENGTH * (to - from), BAR, *colour);
            }
            let end = row.pieces.iter().map(|(_, to, _)| *to).fold(0.0, f64::max);
            text += &words(LEFT + LENGTH * end + 6.0, y + 11.0, "start", &row.note);
        }
        text + "</svg>\n"
    }
}

fn rect(x: f64, y: f64, width: f64, height: f64, colour: usize) -> String {
    let colour = COLOURS[colour % COLOURS.len()];
    format!("<rect x=\"{x:.1}\" y=\"{y:.1}\" width=\"{width:.1}\" height=\"{height:.1}\" fill=\"{colour}\"/>\n")
}

fn words(x: f64, y: f64, anchor: &str, words: &str) -> String {
    format!("<text x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"{anchor}\">{}</text>\n", escaped(words))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_text() {
        let svg = Chart::bars("a & b", false, &[("<script>".to_owned(), 1)]).svg();
        assert!(svg.contains("a &amp; b") && svg.contains("&lt;script&gt;") && !svg.contains("<script"), "{svg}");
    }

    #[test]
    fn bars_are_as_long_as_numbers_are_large() {
        let svg = Chart::bars("bars", false, &[("half".to_owned(), 1), ("full".to_owned(), 2)]).svg();
        assert!(svg.contains("width=\"190.0\"") && svg.contains("width=\"380.0\""), "{svg}");
        let none = Chart::bars("none", true, &[("zero".to_owned(), 0)]).svg();
        assert!(none.contains("width=\"0.0\"") && !none.contains("NaN"), "{none}");
    }

    #[test]
    fn shares_fill_the_bar() {
        let legend = vec!["a".to_owned(), "b".to_owned()];
        let svg =
            Chart::shares("shares", legend, &[("x".to_owned(), vec![1, 3]), ("none".to_owned(), vec![0, 0])]).svg();
        assert!(svg.contains("width=\"95.0\"") && svg.contains("width=\"285.0\"") && !svg.contains("NaN"), "{svg}");
    }
}
