//! Plots: their columns, by name or by value.

use crate::evidence::Use;
use crate::follow::Follower;
use crate::follow::arguments::Given;
use crate::follow::value::{FrameId, Value};

/// Plots of seaborn and plotly whose second axis is a number.
const OF_NUMBERS: [&str; 18] = [
    "scatterplot",
    "lineplot",
    "regplot",
    "lmplot",
    "boxplot",
    "violinplot",
    "barplot",
    "distplot",
    "histplot",
    "kdeplot",
    "jointplot",
    "scatter",
    "line",
    "bar",
    "boxenplot",
    "stripplot",
    "swarmplot",
    "residplot",
];

impl Follower {
    /// Functions of plotting libraries.
    pub(super) fn plots(&mut self, module: &str, name: &str, given: &Given) -> Value {
        match name {
            "savefig" | "write_html" | "imsave" => {
                self.writes(given.first());
                return Value::Nothing;
            }
            "imread" => return Value::Unknown,
            _ => {}
        }
        let frame = given.all().find_map(|value| match value {
            Value::Frame(frame) => Some(*frame),
            _ => None,
        });
        if let Some(frame) = frame {
            self.plotted_frame(frame, name, given);
        }
        let is_of_values = matches!(
            name,
            "plot" | "scatter" | "hist" | "boxplot" | "fill_between" | "semilogy" | "loglog" | "hist2d" | "hexbin"
        ) || module.ends_with("seaborn") && OF_NUMBERS.contains(&name);
        for value in given.all().filter(|value| matches!(value, Value::Column(_))).cloned().collect::<Vec<_>>() {
            let how = if is_of_values { Use::RatherNumber } else { Use::Named };
            self.note(&value, &how, "plotted");
        }
        match name {
            "countplot" => self.axis(frame, given, 0, "x", &Use::Category),
            "heatmap" => frame.into_iter().for_each(|frame| self.whole_frame(frame, "plotted")),
            _ => {}
        }
        Value::Unknown
    }

    fn plotted_frame(&mut self, frame: FrameId, name: &str, given: &Given) {
        self.names_beside(frame, given);
        let places = given.places.iter().filter(|value| matches!(value, Value::Text(_))).cloned().collect::<Vec<_>>();
        // `sns.boxplot("a", "b", data=df)`, `g.map(plt.hist, "a")`
        for value in &places {
            self.named_columns(frame, Some(value), "plotted");
        }
        if OF_NUMBERS.contains(&name) {
            self.axis(Some(frame), given, 1, "y", &Use::RatherNumber);
            if matches!(
                name,
                "scatterplot" | "regplot" | "lmplot" | "histplot" | "distplot" | "kdeplot" | "jointplot" | "scatter"
            ) {
                self.axis(Some(frame), given, 0, "x", &Use::RatherNumber);
            }
        }
        for argument in ["hue", "style", "col", "row"] {
            self.axis(Some(frame), given, usize::MAX, argument, &Use::Category);
        }
        if let Some(columns) = given.named("vars").cloned() {
            for name in columns.texts() {
                let column = self.column(frame, &name, "plotted");
                self.note(&column, &Use::RatherNumber, "plotted");
            }
        }
    }

    fn axis(&mut self, frame: Option<FrameId>, given: &Given, place: usize, name: &str, how: &Use) {
        let (Some(frame), Some(value)) = (frame, given.get(place, name).cloned()) else { return };
        for name in value.texts() {
            let column = self.column(frame, &name, "plotted");
            self.note(&column, how, "plotted");
        }
        self.note(&value, how, "plotted");
    }

    /// `df.plot(x="a", y="b")`, `df.plot.scatter("a", "b")`, `df.hist(column="a", by="b")`, `df.a.plot()`.
    pub(super) fn plot_of(&mut self, owner: &Value, given: &Given) -> Value {
        match owner {
            Value::Frame(frame) => {
                self.names_beside(*frame, given);
                for value in given
                    .places
                    .iter()
                    .filter(|value| matches!(value, Value::Text(_) | Value::List(_)))
                    .cloned()
                    .collect::<Vec<_>>()
                {
                    let ids = self.named_columns(*frame, Some(&value), "plotted");
                    let column = Value::Column(crate::follow::value::Column::raw(ids));
                    self.note(&column, &Use::RatherNumber, "plotted");
                }
                self.axis(Some(*frame), given, usize::MAX, "y", &Use::RatherNumber);
                self.axis(Some(*frame), given, usize::MAX, "column", &Use::RatherNumber);
                if let Some(chosen) = self.frames[*frame].chosen.clone() {
                    for name in chosen {
                        let column = self.column(*frame, &name, "plotted");
                        self.note(&column, &Use::RatherNumber, "plotted");
                    }
                }
            }
            column => self.plotted(column),
        }
        Value::Unknown
    }

    pub(super) fn plotted(&mut self, column: &Value) {
        self.note(column, &Use::RatherNumber, "plotted");
    }
}
