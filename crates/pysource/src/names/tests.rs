use super::*;

mod flows;
mod hostile;
mod magics;
mod oracle;
mod scopes;

/// What cells do, a word an act: `x` read, `x()` called, `x!` changed, `x=` bound, `-x` deleted; `?` where it may not happen,
/// `^` where a missing name does no harm, `*` where it is not known what happens. Bodies follow in braces.
fn told(source: &str) -> String {
    let cell = names(&[source]).cells.remove(0);
    let bodies = cell.bodies.iter().map(|body| {
        let class = body.class.as_ref().map_or_else(String::new, |class| format!("{class}."));
        let bound = if body.binding.is_some() { "" } else { "~" };
        format!("{bound}{class}{}{{{}}}", body.name.as_deref().unwrap_or("lambda"), acts(&body.acts))
    });
    std::iter::once(acts(&cell.acts)).filter(|acts| !acts.is_empty()).chain(bodies).collect::<Vec<_>>().join(" ")
}

fn acts(acts: &Acts) -> String {
    let mut words = Vec::new();
    for (at, event) in acts.events.iter().enumerate() {
        words.extend(unknown(acts, |after| after == at));
        words.push(word(event));
    }
    words.extend(unknown(acts, |after| after >= acts.events.len()));
    words.join(" ")
}

fn unknown(acts: &Acts, is_here: impl Fn(usize) -> bool) -> Vec<String> {
    acts.unknown.iter().filter(|found| is_here(found.after)).map(|found| format!("*({})", found.cause)).collect()
}

fn word(event: &NameEvent) -> String {
    let name = match &event.part {
        None => event.name.clone(),
        Some(Part::Item(key)) => format!("{}[{key}]", event.name),
        Some(Part::Attribute(attribute)) => format!("{}.{attribute}", event.name),
        Some(Part::Method(method)) => format!("{}.{method}()", event.name),
    };
    let word = match event.act {
        NameAct::Read => name,
        NameAct::Call => format!("{name}()"),
        NameAct::Change => format!("{name}!"),
        NameAct::Bind(_) => format!("{name}="),
        NameAct::Delete => format!("-{name}"),
    };
    format!("{word}{}{}", if event.is_maybe { "?" } else { "" }, if event.is_guarded { "^" } else { "" })
}

#[test]
fn every_event_says_where_it_stands() {
    let source = ">>> a = 1\n>>> b = (a +\n...      c)\n";
    let found = names(&[source]).cells.remove(0);
    let places: Vec<(&str, u32)> =
        found.acts.events.iter().map(|event| (&source[event.span.clone()], event.line)).collect();
    assert_eq!(places, [("a", 1), ("a", 2), ("c", 3), ("b", 2)]);
}

#[test]
fn what_a_statement_gives_in_any_case_is_told_with_its_text() {
    let source = "x, y = 1, a\nif x:\n    z = 1\n@d\ndef f(b=c):\n    v = g\nw = l.pop()\nx += 1";
    let acts = names(&[source]).cells.remove(0).acts;
    let told = |given: &GivenValue| {
        let used: Vec<String> = acts.events[given.events.clone()].iter().map(word).collect();
        (given.text.clone(), used.join(" "))
    };
    let given: Vec<_> = acts.given.iter().map(told).collect();
    let expected = [("x, y = 1, a", "a x= y="), ("@d\ndef f(b=c):\n    v = g", "d c f=")];
    assert_eq!(given, expected.map(|(text, used)| (text.to_owned(), used.to_owned())));
}

#[test]
fn what_is_not_python_3_is_said() {
    let cells = [
        "print 'a'\nx = 1",
        "x = = 1",
        "if a:\nx = 1",
        "a = 1\n  b = 2",
        "  a = 1",
        "%%bash\nls",
        "",
        "%%python\nx = 1",
    ];
    let states: Vec<String> = names(&cells)
        .cells
        .into_iter()
        .map(|cell| {
            assert!(cell.state == CellState::Python || cell.acts == Acts::default() && cell.bodies.is_empty());
            format!("{:?}", cell.state)
        })
        .collect();
    insta::assert_snapshot!(states.join("\n"), @r#"
    Python2 { line: 1, why: "print statement" }
    Broken { line: 1, why: "Expected an expression", is_indentation: false }
    Broken { line: 2, why: "Expected an indented block after `if` statement", is_indentation: true }
    Broken { line: 2, why: "Unexpected indentation", is_indentation: true }
    Python
    Opaque { magic: "bash" }
    Python
    Opaque { magic: "python" }
    "#);
}
