//! Several triggers in one cell: a library's repaired ones, three at a time, each with variables of its own.

use std::collections::BTreeMap;

use nbrevive_pysource::ast::Stmt;
use nbrevive_pysource::parse::parse;

use crate::trial::form::renamed;
use crate::walk;

/// Triggers in one cell.
const SIZE: usize = 3;

/// The members (by number) of a cell with several triggers, and the notebook.
#[derive(Debug, Clone)]
pub(super) struct Together {
    pub(super) members: Vec<usize>,
    pub(super) cells: Vec<String>,
}

/// The variable that holds the value of a member.
pub(super) fn value_name(member: usize) -> String {
    format!("r_{member}")
}

/// Puts triggers (number, library, code) together; the order within a library decides. What is no Python 3, binds
/// functions, or imports the same local name for something else stays out.
pub(super) fn together<'a>(triggers: impl Iterator<Item = (usize, &'a str, &'a str)>) -> Vec<Together> {
    let mut groups: Vec<Together> = Vec::new();
    let mut open: BTreeMap<&str, Waiting> = BTreeMap::new();
    for (number, library, code) in triggers {
        let Some((own, imports)) = separate(number, code) else { continue };
        let Waiting { members, known } = open.entry(library).or_default();
        if imports.iter().any(|(local, full)| known.get(local).is_some_and(|other| other != full)) {
            continue;
        }
        known.extend(imports);
        members.push((number, own));
        if members.len() == SIZE {
            groups.push(one_cell(&std::mem::take(members)));
            known.clear();
        }
    }
    groups
}

/// Triggers of a library that wait for others, and what their imports bind.
#[derive(Default)]
struct Waiting {
    members: Vec<(usize, String)>,
    known: BTreeMap<String, String>,
}

fn one_cell(members: &[(usize, String)]) -> Together {
    let numbers: Vec<usize> = members.iter().map(|(number, _)| *number).collect();
    let pairs: Vec<String> = numbers
        .iter()
        .map(|number| value_name(*number))
        .map(|name| format!("'{name}': globals().get('{name}')"))
        .collect();
    Together {
        cells: vec![members.iter().map(|(_, code)| code.as_str()).collect(), format!("r = {{{}}}\n", pairs.join(", "))],
        members: numbers,
    }
}

/// The code with every variable named after its number, and what its imports bind.
fn separate(number: usize, code: &str) -> Option<(String, BTreeMap<String, String>)> {
    let parsed = parse(code);
    let mut imports = BTreeMap::new();
    let mut fits = true;
    walk::statements(parsed.body(), &mut |statement, _| match statement {
        Stmt::FunctionDef(_) | Stmt::ClassDef(_) => fits = false,
        Stmt::Import(import) => {
            for alias in &import.names {
                let local = alias.asname.as_ref().unwrap_or(&alias.name).to_string();
                imports.insert(local.split('.').next().unwrap_or_default().to_owned(), alias.name.to_string());
            }
        }
        Stmt::ImportFrom(import) => {
            let module = import.module.as_ref().map(ToString::to_string).unwrap_or_default();
            for alias in &import.names {
                let local = alias.asname.as_ref().unwrap_or(&alias.name).to_string();
                fits &= local != "*" && module != "__future__";
                imports.insert(local, format!("{module}.{}", alias.name.as_str()));
            }
        }
        _ => {}
    });
    let own = renamed(code, |name| Some(format!("{name}_{number}")))?;
    fits.then_some((own, imports))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn three_of_a_library_share_a_cell_under_names_of_their_own() {
        let code = ["import a\nx = a.f()\nr = x\n", "import a\nr = 2\n", "import b as a\nr = 3\n", "import a\nr = 4\n"];
        let found = together(code.iter().enumerate().map(|(number, code)| (number, "a", *code)));
        assert_eq!(found.len(), 1);
        insta::assert_snapshot!(found[0].cells.join("# %%\n"), @"
        import a
        x_0 = a.f()
        r_0 = x_0
        import a
        r_1 = 2
        import a
        r_3 = 4
        # %%
        r = {'r_0': globals().get('r_0'), 'r_1': globals().get('r_1'), 'r_3': globals().get('r_3')}
        ");
    }
}
