//! Figures 3, 6 and 10a of the paper: how versions flow from their outcome at baseline to that under another condition.

use nbrevive_corpus::{Condition, Outcome, Role, Roles};
use serde_json::{Value, json};

use super::canvas::Painting;
use super::draw::Picture;
use super::flow::Flow;
use super::list::Figure;
use crate::error::FigureError;
use crate::number_words::{plural, thousands};
use crate::published::{Printed, Published, PublishedFlow};
use crate::rows::Data;
use crate::source;

/// A flow figure.
pub(crate) struct FlowFigure {
    name: &'static str,
    title: &'static str,
    from: Condition,
    to: Condition,
    flow: Flow,
    source: String,
    study: Value,
    roles: Roles,
    published: Option<Value>,
    /// The published sides in words.
    beside: Option<String>,
}

impl FlowFigure {
    /// Figure 3: to backport.
    pub(super) fn to_backport(data: &Data, published: Option<&Published>) -> Self {
        let title = "Figure 3. Outcomes from baseline to backport";
        let flow = published.map(|published| (published, &published.figure3));
        FlowFigure::new("3", title, data.condition(Role::Backport), data, flow)
    }

    /// Figure 6: to modernize.
    pub(super) fn to_modernize(data: &Data, published: Option<&Published>) -> Self {
        let title = "Figure 6. Outcomes from baseline to modernize";
        let flow = published.map(|published| (published, &published.figure6));
        FlowFigure::new("6", title, data.condition(Role::Modernize), data, flow)
    }

    /// Figure 10a: to the cell level, where the study has it.
    pub(super) fn to_cell_level(data: &Data, published: Option<&Published>) -> Option<Self> {
        data.of(Role::Ablation).next()?;
        let title = "Figure 10a. Outcomes from baseline to modernize with error repair at cell level";
        let flow = published.and_then(|published| Some((published, published.figure10a.as_ref()?)));
        Some(FlowFigure::new("10a", title, data.condition(Role::Ablation), data, flow))
    }

    fn new(
        name: &'static str,
        title: &'static str,
        to: Condition,
        data: &Data,
        published: Option<(&Published, &PublishedFlow)>,
    ) -> Self {
        let from = data.condition(Role::Baseline);
        let flow = Flow::count(data, from, to);
        let source = source_line(data, to, &flow);
        let study = json!(data.study);
        FlowFigure {
            name,
            title,
            from,
            to,
            flow,
            source,
            study,
            roles: data.study.roles.clone(),
            published: published.map(|(published, flow)| published_json(published, flow)),
            beside: published.map(|(published, flow)| published_line(published, flow, from, to)),
        }
    }

    pub(super) fn picture(&self) -> Picture<'_> {
        Picture {
            title: self.title,
            source: &self.source,
            published: self.beside.as_deref(),
            description: self.description(),
            left: condition_label(&self.roles, self.from),
            right: condition_label(&self.roles, self.to),
            flow: &self.flow,
        }
    }

    /// The figure in words, for those who cannot see it.
    fn description(&self) -> String {
        if self.flow.total() == 0 {
            return format!("No version has an outcome at {} and at {}.", self.from, self.to);
        }
        let side = |condition: Condition, counts: [u64; 5]| {
            let parts = Outcome::ALL.iter().zip(counts).filter(|(_, count)| *count > 0);
            let parts: Vec<String> = parts
                .map(|(outcome, count)| format!("{} {}", thousands(count), outcome.label().to_lowercase()))
                .collect();
            format!("{}: {}.", condition_label(&self.roles, condition), parts.join(", "))
        };
        let link = |(from, to, count): (Outcome, Outcome, u64)| {
            let (from, to) = (from.label().to_lowercase(), to.label().to_lowercase());
            format!("{} from {from} to {to}", thousands(count))
        };
        let links: Vec<String> = self.flow.links().map(link).collect();
        format!(
            "{} {} Flows: {}. {}",
            side(self.from, self.flow.left()),
            side(self.to, self.flow.right()),
            links.join("; "),
            [Some(self.source.as_str()), self.beside.as_deref()].into_iter().flatten().collect::<Vec<_>>().join(" ")
        )
    }
}

impl Figure for FlowFigure {
    fn name(&self) -> &'static str {
        self.name
    }

    fn json(&self) -> Value {
        let side = |side: &str, condition: Condition, counts: [u64; 5]| -> Vec<Value> {
            let node = |(outcome, count): (&Outcome, u64)| {
                json!({
                    "id": format!("{condition}:{outcome}"),
                    "label": outcome.label(),
                    "side": side,
                    "condition": condition,
                    "outcome": outcome,
                    "count": count,
                })
            };
            Outcome::ALL.iter().zip(counts).map(node).collect()
        };
        let link = |(from, to, count): (Outcome, Outcome, u64)| json!({ "from": format!("{}:{from}", self.from), "to": format!("{}:{to}", self.to), "count": count });
        let mut nodes = side("left", self.from, self.flow.left());
        nodes.extend(side("right", self.to, self.flow.right()));
        json!({
            "figure": self.name,
            "title": self.title,
            "source": self.source,
            "study": self.study,
            "nodes": nodes,
            "links": self.flow.links().map(link).collect::<Vec<_>>(),
            "unpaired": self.flow.unpaired(),
            "published": self.published,
        })
    }

    fn svg(&self) -> Result<String, FigureError> {
        self.picture().svg()
    }

    fn png(&self) -> Result<Vec<u8>, FigureError> {
        self.picture().png()
    }
}

fn source_line(data: &Data, to: Condition, flow: &Flow) -> String {
    let counted = plural(flow.total(), "version");
    let unpaired = match flow.unpaired() {
        0 => String::new(),
        count => format!("; {} left out, with an outcome under only one of the two", plural(count, "version")),
    };
    format!("Ours: {counted} under baseline and {to}{unpaired}; {}.", source::study_line(&data.study))
}

fn published_json(published: &Published, flow: &PublishedFlow) -> Value {
    let side = |side: &str, counts: &std::collections::BTreeMap<Outcome, Printed>| -> Vec<Value> {
        let node = |(outcome, printed): (&Outcome, &Printed)| json!({ "outcome": outcome, "side": side, "printed": printed.text(), "count": printed.count() });
        counts.iter().map(node).collect()
    };
    let mut nodes = side("left", &flow.from);
    nodes.extend(side("right", &flow.to));
    json!({
        "source": source::published(&published.paper, &flow.section, &flow.population),
        "paper": published.paper,
        "section": flow.section,
        "nodes": nodes,
    })
}

/// The published sides of a flow in words.
fn published_line(published: &Published, flow: &PublishedFlow, from: Condition, to: Condition) -> String {
    let side = |condition: Condition, counts: &std::collections::BTreeMap<Outcome, Printed>| {
        let parts: Vec<String> = counts
            .iter()
            .map(|(outcome, printed)| format!("{} {}", printed.text(), outcome.label().to_lowercase()))
            .collect();
        format!("{condition} {}", parts.join(", "))
    };
    format!(
        "Published ({}, section {}): {}; {}.",
        published.paper.authors,
        flow.section,
        side(from, &flow.from),
        side(to, &flow.to)
    )
}

fn condition_label(roles: &Roles, condition: Condition) -> &'static str {
    match roles.role(condition) {
        Role::Baseline => "Baseline",
        Role::Backport => "Backport",
        Role::Modernize => "Modernize",
        Role::Ablation => "Modernize, cell level",
        Role::Further => condition.as_str(),
    }
}
