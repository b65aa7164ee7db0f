//! What no rule may do: touch a call that is none of its library's, or give an argument that is there already.
//!
//! The cases are made from the catalogue: each row of a table on receivers that it does not speak of, and each example with the
//! arguments that its rule gives.

use std::collections::BTreeSet;

use nbrevive_pysource::ast::{Expr, ExprCall};
use nbrevive_pysource::parse::parse;
use nbrevive_pysource::text_size::Ranged;

use crate::change::repeats_keyword;
use crate::engine::rewritten;
use crate::keywords::Fate;
use crate::kind::Kind;
use crate::receiver::{Callee, On};
use crate::rule::{Rewrite, Rule};
use crate::view::{Code, Source};
use crate::{CellFeedback, catalogue, shape, walk};

/// What a rule makes of a cell when an error like its example's blames every line.
fn rewrite(rule: &Rule, source: &str) -> Option<String> {
    let (ename, evalue) = rule.example.error;
    let blamed = (1..=source.lines().count()).map(|line| CellFeedback {
        cell: 0,
        ename: ename.to_owned(),
        evalue: evalue.to_owned(),
        traceback: String::new(),
        line: u32::try_from(line).ok(),
    });
    let errors: Vec<CellFeedback> = blamed.collect();
    let cells = [Source::new(0, source)];
    let code = Code::of(&cells);
    rewritten(rule, &code, &errors.iter().collect::<Vec<_>>()).texts.into_iter().next().map(|(_, text)| text)
}

/// A use of what a row speaks of: whose it is, its name, and how it is called.
struct Use {
    on: On,
    name: &'static str,
    arguments: String,
}

/// The methods and properties of which a rule's table speaks.
fn uses(rule: &Rule) -> Vec<Use> {
    let of = |callee, arguments: String| match callee {
        Callee::Method(on, name) => Some(Use { on, name, arguments }),
        Callee::Function(..) => None,
    };
    match rule.rewrite {
        Rewrite::Method(table) => {
            table.iter().map(|row| Use { on: row.on, name: row.old, arguments: "1".to_owned() }).collect()
        }
        Rewrite::Keyword(table) => {
            table.iter().filter_map(|row| of(row.callee, format!("{}=1", row.keyword))).collect()
        }
        Rewrite::Positional(table) => {
            let numbers = |still| vec!["1"; still + 1].join(", ");
            table.iter().filter_map(|row| of(row.callee, numbers(row.still))).collect()
        }
        Rewrite::Move(_) | Rewrite::Code(_) => Vec::new(),
    }
}

fn all_uses() -> impl Iterator<Item = (&'static Rule, Use)> {
    catalogue().flat_map(|rule| uses(rule).into_iter().map(move |one| (rule, one)))
}

/// Values whose kind is plain from the text.
const VALUES: [(&str, Kind); 6] = [
    ("pd.DataFrame()", Kind::Frame),
    ("pd.Series()", Kind::Series),
    ("np.zeros(3)", Kind::Array),
    ("'a b'", Kind::Text),
    ("{}", Kind::Dict),
    ("{1}", Kind::Set),
];

#[test]
fn a_method_that_the_notebook_defines_is_its_own() {
    let mut touched = BTreeSet::new();
    let mut cases = 0;
    for (rule, Use { name, arguments, .. }) in all_uses() {
        let parameters = arguments.split(", ").enumerate().map(|(number, one)| match one.split_once('=') {
            Some((keyword, _)) => format!("{keyword}=None"),
            None => format!("p{number}=None"),
        });
        let parameters: Vec<String> = parameters.collect();
        let source = format!(
            "import pandas as pd\nclass Own:\n    def {name}(self, {}):\n        return 1\n    def all(self):\n        return self.{name}({arguments})\nown = Own()\nr = own.{name}({arguments})\ns = Own().{name}({arguments})\n",
            parameters.join(", ")
        );
        cases += 1;
        if let Some(after) = rewrite(rule, &source) {
            touched.insert(format!("{} {name}: {after}", rule.id));
        }
    }
    assert!(cases > 100, "{cases}");
    assert!(touched.is_empty(), "{} of {cases}:\n{touched:#?}", touched.len());
}

#[test]
fn a_receiver_of_another_kind_is_left_alone() {
    let mut touched = BTreeSet::new();
    let mut cases = 0;
    for (rule, Use { name, arguments, .. }) in all_uses() {
        let rows: Vec<On> = uses(rule).iter().filter(|one| one.name == name).map(|one| one.on).collect();
        let accept = |kind: &Kind| {
            rows.iter().any(|on| match on {
                On::AtFault | On::Told => !matches!(kind, Kind::Text | Kind::Dict | Kind::Set),
                on => on.accepts(kind),
            })
        };
        let wrong = VALUES.iter().filter(|(_, kind)| !accept(kind));
        for (value, _) in wrong {
            let source = format!("import numpy as np\nimport pandas as pd\nx = {value}\nr = x.{name}({arguments})\n");
            cases += 1;
            if let Some(after) = rewrite(rule, &source) {
                touched.insert(format!("{} {name} of {value}: {after}", rule.id));
            }
        }
    }
    assert!(cases > 100, "{cases}");
    assert!(touched.is_empty(), "{} of {cases}:\n{touched:#?}", touched.len());
}

/// The calls of a text with the name that is called, in order.
fn calls(text: &str, visit: &mut dyn FnMut(&str, &ExprCall)) {
    let parsed = parse(text);
    walk::expressions(parsed.body(), &mut |expression, _| {
        let Expr::Call(call) = expression else { return };
        let name = shape::name(&call.func).or_else(|| shape::method(call).map(|(_, name)| name));
        name.iter().for_each(|name| visit(name, call));
    });
}

/// The keywords that a rule gives in its example, each with its value: what stands after and not before.
fn given(rule: &Rule) -> BTreeSet<(String, String)> {
    let keywords = |text: &str| {
        let mut found = BTreeSet::new();
        let parsed = parse(text);
        calls(text, &mut |_, call| {
            for keyword in &call.arguments.keywords {
                let name = keyword.arg.as_ref().map(|arg| arg.to_string());
                found.extend(name.map(|name| (name, parsed.text_of(&keyword.value).to_owned())));
            }
        });
        found
    };
    let before = keywords(rule.example.before);
    keywords(rule.example.after).difference(&before).cloned().collect()
}

/// The example with an argument at the end of its call of that number.
fn with_argument(text: &str, number: usize, argument: &str) -> Option<String> {
    let mut ends = Vec::new();
    calls(text, &mut |_, call| {
        let list = call.arguments.range();
        let is_empty = call.arguments.args.is_empty() && call.arguments.keywords.is_empty();
        ends.push((usize::from(list.end()).saturating_sub(1), is_empty));
    });
    let (end, is_empty) = *ends.get(number)?;
    let comma = if is_empty { "" } else { ", " };
    Some(format!("{}{comma}{argument}{}", text.get(..end)?, text.get(end..)?))
}

#[test]
fn no_argument_is_given_twice() {
    let mut doubled = BTreeSet::new();
    let mut cases = 0;
    for rule in catalogue() {
        let tables: Vec<(String, String)> = match rule.rewrite {
            Rewrite::Keyword(table) => table.iter().filter_map(|row| written(row.fate)).collect(),
            _ => Vec::new(),
        };
        for (keyword, value) in given(rule).into_iter().chain(tables) {
            for number in 0.. {
                let argument = format!("{keyword}={value}");
                let Some(source) = with_argument(rule.example.before, number, &argument) else { break };
                if repeats_keyword(&parse(&source)) {
                    continue;
                }
                cases += 1;
                let after = rewrite(rule, &source).unwrap_or_default();
                if repeats_keyword(&parse(&after)) {
                    doubled.insert(format!("{}: {source}->\n{after}", rule.id));
                }
            }
        }
    }
    assert!(cases > 100, "{cases}");
    assert!(
        doubled.is_empty(),
        "{} of {cases}:\n{}",
        doubled.len(),
        doubled.into_iter().collect::<Vec<_>>().join("\n")
    );
}

/// The keywords with values that a row writes.
fn written(fate: Fate) -> Option<(String, String)> {
    let (Fate::Written(text) | Fate::WrittenWhen(_, text)) = fate else { return None };
    let last = text.rsplit(", ").next()?;
    let (keyword, value) = last.split_once('=')?;
    Some((keyword.to_owned(), value.replace("{}", "1")))
}
