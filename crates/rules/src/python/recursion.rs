//! Functions that call themselves through a cache: since 3.12 what is written in C has a limit of its own, which `sys.setrecursionlimit` does
//! not raise.

use crate::change::Change;
use crate::rule::{Rewrite, Rule, Trigger, example};
use crate::signature::sig;
use crate::stand_ins::{StandIn, write_out};
use crate::view::View;

/// The cache in Python; its calls need two frames each, for which there is room.
macro_rules! cache {
    ($name:literal, $parameters:literal, $given:literal) => {
        concat!(
            "def ",
            $name,
            "(",
            $parameters,
            "):\n",
            "    \"\"\"functools has it in C, which has a limit of its own for recursion since Python 3.12.\"\"\"\n",
            "    import functools\n",
            "    import sys\n",
            "    sys.setrecursionlimit(max(sys.getrecursionlimit(), 100000))\n",
            "    def remembering(function):\n",
            "        answers = {}\n",
            "        @functools.wraps(function)\n",
            "        def asked(*args, **kwargs):\n",
            "            key = args, tuple(sorted(kwargs.items()))\n",
            "            if key not in answers:\n",
            "                answers[key] = function(*args, **kwargs)\n",
            "            return answers[key]\n",
            "        asked.cache_clear = answers.clear\n",
            "        return asked\n",
            "    return ",
            $given,
        )
    };
}

static CACHES: [StandIn; 2] = [
    StandIn {
        module: "functools",
        name: "lru_cache",
        definition: cache!(
            "{name}",
            "maxsize=128, typed=False",
            "remembering(maxsize) if callable(maxsize) else remembering"
        ),
    },
    StandIn { module: "functools", name: "cache", definition: cache!("{name}", "function", "remembering(function)") },
];

pub(super) static RULES: &[Rule] = &[Rule::new(
    "python-cache-recursion",
    ("python", "3.12"),
    "a cache in Python, under which functions may call themselves as often as before",
    Trigger::Error(&[sig("RecursionError", "maximum recursion depth exceeded")]),
    Rewrite::Code(caches),
    example(
        "import sys\nfrom functools import lru_cache\nsys.setrecursionlimit(50000)\n@lru_cache(None)\ndef ways(n):\n    return 1 if n < 2 else ways(n - 1) + ways(n - 2)\nr = ways(2500) % 1000\n",
        ("RecursionError", "maximum recursion depth exceeded in comparison"),
        concat!(
            "import sys\n",
            cache!(
                "lru_cache",
                "maxsize=128, typed=False",
                "remembering(maxsize) if callable(maxsize) else remembering"
            ),
            "\nsys.setrecursionlimit(50000)\n@lru_cache(None)\ndef ways(n):\n    return 1 if n < 2 else ways(n - 1) + ways(n - 2)\nr = ways(2500) % 1000\n"
        ),
    ),
)];

fn caches(view: &View<'_>, change: &mut Change<'_>) {
    // What it counts and evicts, ours does not.
    let mut is_asked = false;
    view.expressions(|_, expression, _| {
        is_asked |=
            matches!(expression, nbrevive_pysource::ast::Expr::Attribute(at) if at.attr.as_str() == "cache_info");
    });
    if !is_asked {
        write_out(&CACHES, view, change);
    }
}
