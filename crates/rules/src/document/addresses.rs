//! Files that a notebook asks the network for, and that lie with it.

use nbrevive_pysource::ast::{Expr, Stmt};
use nbrevive_pysource::text_size::Ranged as _;

use super::paths::finder;
use crate::change::Change;
use crate::rule::{Rewrite, Rule, Trigger, example};
use crate::shape;
use crate::signature::sig;
use crate::view::View;
use crate::walk;

pub(super) static RULES: &[Rule] = &[Rule::new(
    "notebook-address-of-file",
    ("python", "3.0"),
    "what the network does not give is read from the file of its name that lies with the notebook",
    Trigger::Error(&[
        sig("URLError", "urlopen error"),
        sig("HTTPError", "HTTP Error"),
        sig("ConnectionError", "Max retries exceeded"),
        sig("TimeoutError", "timed out"),
    ]),
    Rewrite::Code(addresses),
    example(
        "import pandas as pd\nurl = 'https://example.org/data/crime.csv'\ncrime = pd.read_csv(url, sep=',')\n",
        ("URLError", "<urlopen error [Errno -2] Name or service not known>"),
        concat!(
            finder!(),
            "\n",
            "import pandas as pd\n",
            "url = 'https://example.org/data/crime.csv'\n",
            "crime = pd.read_csv(find_file(url), sep=',')\n",
        ),
    ),
)
.shift("the file may be of another day than what stands at the address")];

fn addresses(view: &View<'_>, change: &mut Change<'_>) {
    view.calls(|place, call, _| {
        let Some(argument) = call.arguments.args.first() else { return };
        let reads = view.qualified(&call.func).is_some_and(|name| reads_either(&name));
        let name = address_of(view, argument).and_then(|address| Some(address.rsplit_once('/')?.1.to_lowercase()));
        let Some(name) = name.filter(|name| name.contains('.')) else { return };
        let may_be_there = view.code.files.is_none_or(|files| files.contains(&name));
        if reads && may_be_there && view.at_fault(place, call.range()) {
            let text = view.parsed(place).text(argument.range());
            if change.replace(place, argument.range(), format!("find_file({text})")) {
                change.need_import(place, finder!());
            }
        }
    });
}

/// Whether a function takes a path where it takes an address.
fn reads_either(name: &str) -> bool {
    let last = name.rsplit('.').next().unwrap_or_default();
    name.starts_with("pandas.read_") || matches!(last, "loadtxt" | "genfromtxt" | "imread")
}

/// The address that an expression is, or that the notebook binds to it.
fn address_of<'a>(view: &View<'a>, expression: &'a Expr) -> Option<&'a str> {
    let is_address = |text: &&str| ["http://", "https://", "ftp://"].iter().any(|scheme| text.starts_with(scheme));
    if let Some(text) = shape::text(expression) {
        return Some(text).filter(is_address);
    }
    let name = shape::name(expression)?;
    let mut found = None;
    for source in view.code.cells {
        walk::statements(source.parsed.body(), &mut |statement, _| {
            let Stmt::Assign(assign) = statement else { return };
            if assign.targets.iter().any(|target| shape::name(target) == Some(name)) {
                found = shape::text(&assign.value).filter(is_address);
            }
        });
    }
    found
}
