//! Prints what repositories declare and import, a row a line, and the three plans for a day where `DATE` names one:
//! `DATE=2018-06-01 cargo run -p nbrevive-environment --example declarations FOLDER...`.

use std::io::Write as _;
use std::path::Path;

use nbrevive_environment::declared::{RepositoryDeclarations, RepositoryTree};
use nbrevive_environment::inferred::InferredNames;
use nbrevive_environment::repository::{RepositoryPlan, RepositoryRequest, RepositoryStrategy};
use nbrevive_environment::{Home, Index, IndexSettings, Interpreters};
use nbrevive_files::Folder;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut out = std::io::stdout().lock();
    for folder in std::env::args().skip(1) {
        let files = RepositoryTree::walk(Folder::open(Path::new(&folder))?)?;
        let declared = RepositoryDeclarations::read(&files);
        writeln!(out, "== {folder}: {} files, {} notebooks", files.paths().len(), files.notebooks().count())?;
        for file in &declared.files {
            writeln!(out, "file {} {} {}", file.path, file.kind, file.standing)?;
        }
        for row in &declared.requirements {
            writeln!(out, "{} {} [{}] {} {}", row.place(), row.requirement, row.standing, row.written, row.note)?;
        }
        for wish in &declared.pythons {
            writeln!(
                out,
                "python {}:{} {} ({}) [{}]",
                wish.file, wish.line, wish.specifiers, wish.written, wish.standing
            )?;
        }
        for package in &declared.system {
            writeln!(out, "system {}:{} {} {}", package.file, package.line, package.name, package.note)?;
        }
        for left in &declared.unread {
            writeln!(out, "unread {}:{} {:?} {} {}", left.file, left.line, left.piece, left.reason, left.detail)?;
        }
        let inferred = InferredNames::read(&files);
        let (notebooks, modules) = (inferred.notebooks, inferred.modules);
        writeln!(
            out,
            "imports of {notebooks} notebooks, {modules} modules; Python {}.{}+",
            inferred.major, inferred.minimum_minor
        )?;
        for name in inferred.beyond_standard("3.10".parse()?) {
            let first = &name.first;
            writeln!(
                out,
                "import {} {}:{:?}:{} x{} {}",
                name.module, first.file, first.cell, first.line, name.files, name.is_optional
            )?;
        }
        for held in &inferred.held {
            writeln!(out, "held {} {}", held.name, held.path)?;
        }
        for left in &inferred.unread {
            writeln!(out, "unread {} {}", left.file, left.why)?;
        }
        let Ok(day) = std::env::var("DATE") else { continue };
        let home = Home::from_environment()?;
        let (index, interpreters) = (Index::open(&home, IndexSettings::default()), Interpreters::of_machine(&home));
        for strategy in RepositoryStrategy::ALL.iter().copied() {
            let is_dated = strategy == RepositoryStrategy::Dated;
            let date = if is_dated { format!("{day}T00:00:00Z").parse()? } else { jiff::Timestamp::now() };
            let request = RepositoryRequest::new(&declared, &inferred, strategy, date);
            let plan = RepositoryPlan::make(&request, &index, &interpreters)?.plan;
            writeln!(out, "-- {strategy}\n{}", plan.table_text())?;
        }
    }
    Ok(())
}
