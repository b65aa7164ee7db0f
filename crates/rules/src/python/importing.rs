//! Modules that are read from files by what `imp` had, which is gone.

use crate::change::Change;
use crate::rule::{Rewrite, Rule, Trigger, example};
use crate::signature::sig;
use crate::stand_ins::{StandIn, write_out};
use crate::view::View;

/// The function `load_source` under a name, before what follows it.
macro_rules! load_source {
    ($name:literal, $rest:literal) => {
        concat!(
            "def ",
            $name,
            "(name, path):\n",
            "    \"\"\"What imp had before Python 3.12: a module out of a file.\"\"\"\n",
            "    import importlib.machinery\n",
            "    import importlib.util\n",
            "    import sys\n",
            "    loader = importlib.machinery.SourceFileLoader(name, path)\n",
            "    module = importlib.util.module_from_spec(importlib.util.spec_from_file_location(name, path, loader=loader))\n",
            "    sys.modules[name] = module\n",
            "    loader.exec_module(module)\n",
            "    return module\n",
            $rest
        )
    };
}

pub(super) static RULES: &[Rule] = &[Rule::new(
    "python-load-source",
    ("python", "3.12"),
    "imp is gone, and with it load_source; importlib does the same in several steps",
    Trigger::Error(&[
        sig("ModuleNotFoundError", "No module named 'imp'"),
        sig("AttributeError", "module 'importlib' has no attribute 'load_source'"),
        sig("ImportError", "cannot import name 'load_source' from 'importlib'"),
    ]),
    Rewrite::Code(load_source),
    example(
        "from imp import load_source\nhelper = load_source('helper', 'helper.py')\n",
        ("ModuleNotFoundError", "No module named 'imp'"),
        load_source!("load_source", "helper = load_source('helper', 'helper.py')\n"),
    ),
)
.certain()];

fn load_source(view: &View<'_>, change: &mut Change<'_>) {
    let of = |module| StandIn { module, name: "load_source", definition: load_source!("{name}", "") };
    write_out(&["imp", "importlib"].map(of), view, change);
}
