//! What the rules write must pass the guards, or the loop would refuse it: together with everything else that was
//! proposed at the same time.

use nbrevive_notebook::{Cell, Notebook};
use nbrevive_repair::{Breach, Contract, Guard, Rules, guard_of};
use nbrevive_rules::catalogue;

fn notebook(source: &str) -> Notebook {
    Notebook::from_cells(vec![Cell::code(source)])
}

#[test]
fn the_guards_admit_every_example() {
    let mut refused = Vec::new();
    for rule in catalogue() {
        let guard = Guard::new(&notebook(rule.example.before), Contract::default());
        let findings = guard.check(&notebook(rule.example.after));
        refused.extend(findings.iter().map(|finding| format!("{}: {finding}", rule.id)));
    }
    assert!(refused.is_empty(), "{}", refused.join("\n"));
}

/// What a notebook of Python 2 does it does as well when Python 3 can read it; what else a patch brings is new all the same.
#[test]
fn a_notebook_of_python_2_is_guarded_as_python_3_reads_it() {
    let original = notebook(
        "import commands, string\nprint commands.getoutput('ls')\nprint string.join(['a', 'b'], ''), 'abc'[::-1]\nmodel.fit(x, y)\n\
         frame.to_csv(model.predict(z))\nopen('log.txt', 'w').write('done')\n",
    );
    let reading = Rules.reading(&original);
    assert!(reading.cells[0].source.contains("print(commands.getoutput('ls'))"), "{}", reading.cells[0].source);
    let guard = guard_of(&original, Contract::default());
    assert_eq!(guard.check(&reading), []);
    assert!(!Guard::new(&original, Contract::default()).check(&reading).is_empty());
    let worse = notebook(&format!("{}\nimport os\nos.system('rm -r x')\n", reading.cells[0].source));
    let breaches: Vec<Breach> = guard.check(&worse).into_iter().map(|finding| finding.breach).collect();
    assert!(!breaches.is_empty() && breaches.iter().all(|breach| *breach == Breach::Process), "{breaches:?}");
}
