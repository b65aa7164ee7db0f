//! The places in one cell where something is installed.

use std::ops::Range;

use super::command::{Install, install, pip};
use super::shell::{Pipeline, pipelines};
use super::{Tool, calls};
use crate::magics::{CellMagic, Escape, EscapeKind, SplitCell, module::with_module, split};

/// A place to rewrite, with what it installs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Site {
    /// The escape, the statement or the pipeline.
    pub(super) range: Range<usize>,
    pub(super) line: u32,
    pub(super) last_line: u32,
    pub(super) kind: SiteKind,
    pub(super) installs: Vec<Install>,
    /// The function around it when what it installs is an argument of that function.
    pub(super) installer: Option<String>,
}

/// How a place is rewritten.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum SiteKind {
    /// A line that only installs: `!pip install x`, `%pip install x`.
    Escape {
        /// As in `log = !pip install x`.
        assigned: bool,
    },
    /// Parts of a line that does more: `!cd x && pip install .`.
    EscapeParts(Vec<Range<usize>>),
    /// A pipeline in a cell of shell commands.
    ShellCell {
        /// Nothing else stands on its lines.
        whole_line: bool,
    },
    /// A call that is a statement of its own.
    Statement,
    /// A call whose value is used; its command, a text or a list, is replaced.
    Command {
        /// The argument that holds the command.
        argument: Range<usize>,
        /// The argument is a list.
        is_list: bool,
    },
    /// A call whose value is used and that runs no program.
    Value(Range<usize>),
}

impl Site {
    /// Whether the range does nothing but install.
    pub(super) fn is_alone(&self) -> bool {
        match self.kind {
            SiteKind::Escape { assigned } => !assigned,
            SiteKind::ShellCell { .. } | SiteKind::Statement => true,
            SiteKind::EscapeParts(_) | SiteKind::Command { .. } | SiteKind::Value(_) => false,
        }
    }
}

/// Finds the install sites of a cell.
pub(super) fn find(source: &str) -> Vec<Site> {
    let cell = split(source);
    let is_suspect = !cell.is_opaque() && cell.python.contains("install");
    let walk = || with_module(&cell.python, |module| calls::find(&cell.python, module.suite())).unwrap_or_default();
    let calls = if is_suspect { walk() } else { Vec::new() };
    in_cell(source, &cell, calls)
}

/// The install sites of a cell taken apart, in source order; `calls` are those of its Python.
pub(super) fn in_cell(source: &str, cell: &SplitCell, calls: Vec<Site>) -> Vec<Site> {
    let mut sites: Vec<Site> = cell.escapes.iter().filter_map(|escape| of_escape(source, escape)).collect();
    if let Some(body) = cell.opaque_body.as_ref().filter(|_| cell.magic().is_some_and(runs_shell)) {
        sites.extend(of_shell_body(source, body));
    }
    sites.extend(calls);
    sites.sort_by_key(|site| site.range.start);
    sites
}

fn runs_shell(magic: &CellMagic) -> bool {
    match magic.name.as_str() {
        "bash" | "sh" | "!" | "sx" | "system" => true,
        "script" => magic.arguments.split_whitespace().any(|word| matches!(word, "bash" | "sh" | "zsh")),
        _ => false,
    }
}

/// What the pipeline installs; a pipeline may feed an install (`yes | conda install x`).
pub(super) fn installs_of(pipeline: &Pipeline) -> Vec<Install> {
    pipeline.commands.iter().filter_map(|command| install(command)).collect()
}

/// What a whole command line installs.
pub(super) fn installs_in(text: &str) -> Vec<Install> {
    pipelines(text).iter().flat_map(installs_of).collect()
}

fn of_escape(source: &str, escape: &Escape) -> Option<Site> {
    let (kind, installs) = match (escape.kind, escape.name.as_str()) {
        (EscapeKind::Shell, _) | (EscapeKind::LineMagic, "sx" | "system") => of_command_line(source, escape)?,
        (EscapeKind::LineMagic | EscapeKind::Automagic, "pip" | "conda" | "mamba" | "micromamba") => {
            let installs = installs_in(&format!("{} {}", escape.name, escape.body));
            (SiteKind::Escape { assigned: escape.assigned }, installs)
        }
        _ => return None,
    };
    (!installs.is_empty()).then(|| Site {
        range: escape.range.clone(),
        line: escape.line,
        last_line: escape.last_line,
        kind,
        installs,
        installer: None,
    })
}

fn of_command_line(source: &str, escape: &Escape) -> Option<(SiteKind, Vec<Install>)> {
    let text = &source[escape.range.clone()];
    let signs = text.len() - text.trim_start_matches('!').len();
    let start = if signs > 0 { signs } else { 1 + escape.name.len() };
    let text = text.get(start..)?;
    let lines = pipelines(text);
    let installs: Vec<Vec<Install>> = lines.iter().map(installs_of).collect();
    let kind = if installs.iter().all(|installs| !installs.is_empty()) {
        SiteKind::Escape { assigned: escape.assigned }
    } else {
        let base = escape.range.start + start;
        let parts = lines.iter().zip(&installs).filter(|(_, installs)| !installs.is_empty());
        SiteKind::EscapeParts(parts.map(|(line, _)| base + line.range.start..base + line.range.end).collect())
    };
    Some((kind, installs.into_iter().flatten().collect()))
}

fn of_shell_body(source: &str, body: &Range<usize>) -> Vec<Site> {
    let lines = crate::magics::module::Lines::of(source);
    let site = |pipeline: &Pipeline| {
        let installs = installs_of(pipeline);
        let range = body.start + pipeline.range.start..body.start + pipeline.range.end;
        let before = source[..range.start].rsplit('\n').next().unwrap_or("");
        let after = source[range.end..].split('\n').next().unwrap_or("").trim();
        let whole_line = before.trim().is_empty() && (after.is_empty() || after.starts_with('#'));
        (!installs.is_empty()).then(|| Site {
            line: lines.line(range.start),
            last_line: lines.line(range.end.saturating_sub(1).max(range.start)),
            kind: SiteKind::ShellCell { whole_line },
            installs,
            installer: None,
            range,
        })
    };
    pipelines(&source[body.clone()]).iter().filter_map(site).collect()
}

/// The install of literal names by a function of the notebook.
pub(super) fn install_of_names(names: &[String]) -> Option<Install> {
    let words: Vec<super::shell::Word> = std::iter::once("install")
        .map(super::shell::Word::new)
        .chain(names.iter().map(|name| super::shell::Word::new(name)))
        .collect();
    pip(&words).filter(|install| install.tool == Tool::Pip && !install.requirements.is_empty())
}
