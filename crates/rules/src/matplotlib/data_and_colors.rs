//! Data and colours that drawing functions took in more shapes than today: numbers for sequences, one origin for many arrows, columns
//! for samples, letters for colours, limits beside a norm, halves for numbers of rows.

use nbrevive_pysource::ast::{Expr, ExprCall, Operator};
use nbrevive_pysource::text_size::{Ranged, TextRange};

use super::passed_over::drawn;
use crate::call::CallEdit;
use crate::change::{Change, replacement};
use crate::rule::{Rewrite, Rule, Trigger, example};
use crate::shape;
use crate::signature::sig;
use crate::view::{Place, View};

pub(super) static RULES: &[Rule] = &[
    Rule::new(
        "matplotlib-point-of-line",
        ("matplotlib", "3.9"),
        "the data of a line are sequences, also of a single point",
        Trigger::Error(&[
            sig("RuntimeError", "x must be a sequence"),
            sig("RuntimeError", "y must be a sequence"),
        ]),
        Rewrite::Code(point_of_line),
        example(
            "import numpy as np\nimport matplotlib.pyplot as plt\npoint, = plt.plot([], [], 'o')\nx, y = 1.0, 2.0\npoint.set_data(x, y)\n",
            ("RuntimeError", "x must be a sequence"),
            "import numpy as np\nimport matplotlib.pyplot as plt\npoint, = plt.plot([], [], 'o')\nx, y = 1.0, 2.0\npoint.set_data(np.atleast_1d(x), np.atleast_1d(y))\n",
        ),
    ),
    Rule::new(
        "matplotlib-one-origin",
        ("matplotlib", "3.4"),
        "quiver takes as many origins as arrows; one was enough for all",
        Trigger::Error(&[sig("ValueError", "which does not match 1, the number of arrow positions")]),
        Rewrite::Code(one_origin),
        example(
            "import numpy as np\nimport matplotlib.pyplot as plt\nq = plt.quiver(0, 0, [1, 2], [2, 1], color=['r', 'b'], scale=9)\n",
            ("ValueError", "Argument U has a size 2 which does not match 1, the number of arrow positions"),
            "import numpy as np\nimport matplotlib.pyplot as plt\nq = plt.quiver(*np.broadcast_arrays(0, 0, [1, 2], [2, 1]), color=['r', 'b'], scale=9)\n",
        ),
    ),
    Rule::new(
        "matplotlib-samples-of-columns",
        ("matplotlib", "3.1"),
        "samples in a list are sequences of numbers; columns were flattened where they differ in length",
        Trigger::Error(&[
            sig("ValueError", "X must have 2 or fewer dimensions"),
            sig("ValueError", "x must have 2 or fewer dimensions"),
        ]),
        Rewrite::Code(samples_of_columns),
        example(
            "import numpy as np\nimport matplotlib.pyplot as plt\nb = plt.boxplot([np.ones((3, 1)), np.ones(4)])\n",
            ("ValueError", "X must have 2 or fewer dimensions"),
            "import numpy as np\nimport matplotlib.pyplot as plt\nb = plt.boxplot([np.ravel(sample) for sample in [np.ones((3, 1)), np.ones(4)]])\n",
        ),
    ),
    Rule::new(
        "matplotlib-flat-shading",
        ("matplotlib", "3.5"),
        "flat shading takes a row and a column less than there are corners; those too many were left out",
        Trigger::Error(&[sig("TypeError", "should be one smaller than X(*) and Y(*) while using shading='flat'")]),
        Rewrite::Code(flat_shading),
        example(
            "import numpy as np\nimport matplotlib.pyplot as plt\nx, y = np.meshgrid([0, 1, 2], [0, 1, 2])\nm = plt.pcolormesh(x, y, x + y, shading='flat')\n",
            ("TypeError", "Dimensions of C (3, 3) should be one smaller than X(3) and Y(3) while using shading='flat' see help(pcolormesh)"),
            "import numpy as np\nimport matplotlib.pyplot as plt\nx, y = np.meshgrid([0, 1, 2], [0, 1, 2])\nm = plt.pcolormesh(x, y, np.asanyarray(x + y)[:-1, :-1], shading='flat')\n",
        ),
    ),
    Rule::new(
        "matplotlib-letters-for-colours",
        ("matplotlib", "3.4"),
        "several colours are a list, and no text of their letters",
        Trigger::Error(&[
            sig("ValueError", "'facecolor' or 'color' argument must be a valid color or sequence of colors"),
            sig("ValueError", "'c' argument must be a color*not '"),
            sig("ValueError", "'color' kwarg must be a color or sequence of color specs"),
            sig("ValueError", "is not a valid color value."),
            sig("ValueError", "Invalid color "),
        ]),
        Rewrite::Code(letters_for_colours),
        example(
            "import matplotlib.pyplot as plt\nb = plt.bar([1, 2, 3], [1, 2, 3], color='rgb')\n",
            ("ValueError", "'facecolor' or 'color' argument must be a valid color or sequence of colors."),
            "import matplotlib.pyplot as plt\nb = plt.bar([1, 2, 3], [1, 2, 3], color=['r', 'g', 'b'])\n",
        ),
    ),
    Rule::new(
        "matplotlib-colours-of-points",
        ("matplotlib", "3.1"),
        "there must be as many colours as points; they were repeated, and those too many left out",
        Trigger::Error(&[sig("ValueError", "argument has * elements, which is inconsistent with 'x' and 'y' with size")]),
        Rewrite::Code(colours_of_points),
        example(
            "import matplotlib.pyplot as plt\nx = [1, 2, 3]\ns = plt.scatter(x, [3, 1, 2], c=['r', 'g'])\n",
            ("ValueError", "'c' argument has 2 elements, which is inconsistent with 'x' and 'y' with size 3."),
            "import matplotlib.pyplot as plt\nx = [1, 2, 3]\ns = plt.scatter(x, [3, 1, 2], c=(list(['r', 'g']) * len(x))[:len(x)])\n",
        ),
    ),
    Rule::new(
        "matplotlib-limits-of-norm",
        ("matplotlib", "3.5"),
        "the limits of colours are told to the norm where there is one",
        Trigger::Error(&[sig("ValueError", "Passing a Normalize instance simultaneously with vmin/vmax is not supported")]),
        Rewrite::Code(limits_of_norm),
        example(
            "import matplotlib.pyplot as plt\nfrom matplotlib.colors import LogNorm\nm = plt.imshow([[1, 2], [3, 4]], norm=LogNorm(), vmin=1, vmax=9)\n",
            ("ValueError", "Passing a Normalize instance simultaneously with vmin/vmax is not supported.  Please pass vmin/vmax as arguments to the norm object when creating it"),
            "import matplotlib.pyplot as plt\nfrom matplotlib.colors import LogNorm\nm = plt.imshow([[1, 2], [3, 4]], norm=LogNorm(vmin=1, vmax=9))\n",
        ),
    ),
    Rule::new(
        "matplotlib-whole-subplots",
        ("matplotlib", "3.3"),
        "rows, columns and place of a subplot are whole numbers; others were cut off",
        Trigger::Error(&[
            sig("ValueError", "Number of rows must be a positive integer, not *."),
            sig("ValueError", "Number of columns must be a positive integer, not *."),
            sig("ValueError", "num must be an integer with 1 <= num <= *, not *."),
        ]),
        Rewrite::Code(whole_subplots),
        example(
            "import matplotlib.pyplot as plt\nn = 4\nax = plt.subplot(n / 2, 2, 3)\n",
            ("ValueError", "Number of rows must be a positive integer, not 2.0"),
            "import matplotlib.pyplot as plt\nn = 4\nax = plt.subplot(int(n / 2), 2, 3)\n",
        ),
    ),
    Rule::new(
        "matplotlib-stem-formats",
        ("matplotlib", "3.5"),
        "the formats of a stem plot must be named",
        Trigger::Error(&[sig("TypeError", "stem() takes 1-3 positional arguments but")]),
        Rewrite::Code(stem_formats),
        example(
            "import matplotlib.pyplot as plt\ns = plt.stem([1, 2], [3, 4], 'b-', 'ro', 'k-')\n",
            ("TypeError", "stem() takes 1-3 positional arguments but 5 were given"),
            "import matplotlib.pyplot as plt\ns = plt.stem([1, 2], [3, 4], linefmt='b-', markerfmt='ro', basefmt='k-')\n",
        ),
    )
    .certain(),
    Rule::new(
        "matplotlib-histogram-of-truths",
        ("numpy", "1.13"),
        "a histogram takes no truth values; they counted as 0 and 1",
        Trigger::Error(&[sig("TypeError", "numpy boolean subtract, the `-` operator, is not supported")]),
        Rewrite::Code(histogram_of_truths),
        example(
            "import numpy as np\nimport matplotlib.pyplot as plt\nh = plt.hist(np.array([True, False, True]))\n",
            ("TypeError", "numpy boolean subtract, the `-` operator, is not supported, use the bitwise_xor, the `^` operator, or the logical_xor function instead."),
            "import numpy as np\nimport matplotlib.pyplot as plt\nh = plt.hist(np.asarray(np.array([True, False, True])).astype(int))\n",
        ),
    ),
];

/// Whether a call is one of a drawing function of these names, and blamed by an error.
fn is_blamed(view: &View<'_>, place: Place, call: &ExprCall, names: &[&str]) -> bool {
    drawn(view, call).is_some_and(|name| names.contains(&&*name)) && view.at_fault(place, call.range())
}

fn point_of_line(view: &View<'_>, change: &mut Change<'_>) {
    view.calls(|place, call, _| {
        if !is_blamed(view, place, call, &["set_data", "set_xdata", "set_ydata"]) || shape::has_stars(call) {
            return;
        }
        let values = match (&call.arguments.args[..], call.func.as_ref()) {
            // `set_data([x, y])`
            ([both], Expr::Attribute(method)) if method.attr.as_str() == "set_data" => shape::elements(both),
            (values, _) => Some(values),
        };
        let parsed = view.parsed(place);
        let (mut edits, function) = (Vec::new(), change.spell(place, "numpy.atleast_1d"));
        for value in values.unwrap_or_default() {
            let is_sequence = shape::elements(value).is_some()
                || matches!(value, Expr::Call(one) if parsed.text(one.func.range()) == function);
            if !is_sequence {
                edits.push(replacement(value.range(), format!("{function}({})", parsed.text(value.range()))));
            }
        }
        change.edit(place, call.start(), edits);
    });
}

/// The arguments from the first on that hold the four of positions and arrows; what has a star is two of them.
fn four(call: &ExprCall) -> Option<&[Expr]> {
    let mut count = 0;
    for (number, argument) in call.arguments.args.iter().enumerate() {
        count += if argument.is_starred_expr() { 2 } else { 1 };
        if count >= 4 {
            return (count == 4).then(|| &call.arguments.args[..=number]);
        }
    }
    None
}

fn one_origin(view: &View<'_>, change: &mut Change<'_>) {
    view.calls(|place, call, _| {
        if !is_blamed(view, place, call, &["quiver"]) {
            return;
        }
        let Some([first, .., last]) = four(call) else { return };
        let range = TextRange::new(first.start(), last.end());
        let text = view.parsed(place).text(range);
        if !text.contains("broadcast_arrays(") {
            let function = change.spell(place, "numpy.broadcast_arrays");
            change.replace(place, range, format!("*{function}({text})"));
        }
    });
}

fn samples_of_columns(view: &View<'_>, change: &mut Change<'_>) {
    view.calls(|place, call, _| {
        let first = call.arguments.args.first().or_else(|| shape::keyword(call, "x").map(|keyword| &keyword.value));
        let Some(samples) = first.filter(|_| is_blamed(view, place, call, &["boxplot", "violinplot", "hist"])) else {
            return;
        };
        let text = view.parsed(place).text(samples.range());
        if !samples.is_starred_expr() && !text.contains("ravel(") {
            let function = change.spell(place, "numpy.ravel");
            change.replace(place, samples.range(), format!("[{function}(sample) for sample in {text}]"));
        }
    });
}

/// Where a row and a column are too many, which the error says by numbers.
fn flat_shading(view: &View<'_>, change: &mut Change<'_>) {
    let number = |text: &str| text.trim().parse::<usize>().ok();
    let is_both = view.errors.iter().any(|error| {
        let numbers: Vec<usize> = error.evalue.split(['(', ')', ',']).filter_map(number).collect();
        matches!(numbers[..], [rows, columns, across, down, ..] if rows == down && columns == across)
    });
    view.calls(|place, call, _| {
        if !is_both || shape::has_stars(call) || !is_blamed(view, place, call, &["pcolor", "pcolormesh"]) {
            return;
        }
        let [_, _, colours, ..] = &call.arguments.args[..] else { return };
        let text = view.parsed(place).text(colours.range());
        if !text.ends_with("[:-1, :-1]") {
            let function = change.spell(place, "numpy.asanyarray");
            change.replace(place, colours.range(), format!("{function}({text})[:-1, :-1]"));
        }
    });
}

const COLOURED: [&str; 8] = ["bar", "barh", "scatter", "hlines", "vlines", "hist", "plot", "LineCollection"];
const COLOURS: [&str; 7] = ["c", "color", "colors", "facecolor", "facecolors", "edgecolor", "edgecolors"];

/// Whether a text is several one-letter names of colours.
fn is_letters(text: &str) -> bool {
    text.len() > 1 && text.bytes().all(|letter| b"bgrcmykw".contains(&letter))
}

fn letters_for_colours(view: &View<'_>, change: &mut Change<'_>) {
    view.calls(|place, call, _| {
        // `series.plot.bar(color='rgb')` is a method as well.
        if !is_blamed(view, place, call, &COLOURED) {
            return;
        }
        for keyword in COLOURS.iter().filter_map(|name| shape::keyword(call, name)) {
            let letters = shape::name(&keyword.value).and_then(|name| view.only_value(name));
            let text = match (shape::text(&keyword.value), letters) {
                (Some(text), _) if is_letters(text) => {
                    let each: Vec<String> = text.chars().map(|letter| format!("'{letter}'")).collect();
                    format!("[{}]", each.join(", "))
                }
                (None, Some((_, value))) if shape::text(value).is_some_and(is_letters) => {
                    format!("list({})", view.parsed(place).text(keyword.value.range()))
                }
                _ => continue,
            };
            change.replace(place, keyword.value.range(), text);
        }
    });
}

fn colours_of_points(view: &View<'_>, change: &mut Change<'_>) {
    view.calls(|place, call, _| {
        let [x, ..] = &call.arguments.args[..] else { return };
        let is_simple = shape::is_primary(x) && !x.is_call_expr();
        if !is_simple || !is_blamed(view, place, call, &["scatter"]) {
            return;
        }
        let parsed = view.parsed(place);
        for keyword in ["c", "color"].iter().filter_map(|name| shape::keyword(call, name)) {
            let (colours, x) = (parsed.text(keyword.value.range()), parsed.text(x.range()));
            if !colours.starts_with("(list(") {
                change.replace(place, keyword.value.range(), format!("(list({colours}) * len({x}))[:len({x})]"));
            }
        }
    });
}

/// Where a norm takes its limits by position; `None` for those that take none so.
fn limits_from(norm: &str) -> Option<usize> {
    match norm {
        "Normalize" | "LogNorm" => Some(0),
        "PowerNorm" => Some(1),
        "SymLogNorm" => Some(2),
        _ => None,
    }
}

fn limits_of_norm(view: &View<'_>, change: &mut Change<'_>) {
    view.calls(|place, call, _| {
        let parsed = view.parsed(place);
        let mut edit = CallEdit::new(parsed, call);
        let Some(norm) = edit.find("norm").filter(|_| view.at_fault(place, call.range())) else { return };
        let Expr::Call(made) = edit.value(norm) else { return };
        let name = shape::dotted(&made.func).and_then(|parts| parts.last().copied()).unwrap_or_default();
        let Some(from) = limits_from(name).filter(|_| !shape::has_stars(made)) else { return };
        let mut inner = CallEdit::new(parsed, made);
        let by_position = inner.positional();
        let (mut is_told, mut added) = (false, Vec::new());
        for (order, limit) in ["vmin", "vmax"].into_iter().enumerate() {
            let Some(number) = edit.find(limit) else { continue };
            is_told = true;
            if !edit.value(number).is_none_literal_expr() {
                let text = edit.value_text(number);
                match (inner.find(limit), by_position.get(from + order)) {
                    (Some(named), _) => inner.set(named, format!("{limit}={text}")),
                    (None, Some(placed)) => inner.set(*placed, text),
                    (None, None) => added.push(format!("{limit}={text}")),
                }
            }
            edit.remove(number);
        }
        if is_told {
            added.into_iter().for_each(|text| inner.append(text));
            edit.set(norm, format!("norm={}({})", parsed.text(made.func.range()), inner.render()));
            change.edit(place, call.start(), edit.finish());
        }
    });
}

fn whole_subplots(view: &View<'_>, change: &mut Change<'_>) {
    let told = ["rows must be", "columns must be", "num must be"]
        .map(|start| view.errors.iter().any(|error| error.evalue.contains(start)));
    view.calls(|place, call, _| {
        if call.arguments.args.len() != 3 || !is_blamed(view, place, call, &["subplot", "add_subplot"]) {
            return;
        }
        let edits = call.arguments.args.iter().zip(told).filter_map(|(argument, is_told)| {
            let may_be = is_told && !matches!(argument, Expr::Tuple(_) | Expr::Starred(_)) || is_broken(argument);
            let is_whole = shape::integer(argument).is_some()
                || matches!(argument, Expr::Call(call) if shape::name(&call.func) == Some("int"));
            let text = view.parsed(place).text(argument.range());
            (may_be && !is_whole).then(|| replacement(argument.range(), format!("int({text})")))
        });
        change.edit(place, call.start(), edits.collect());
    });
}

/// Whether a number has a fraction, as its expression says: a quotient, or a literal with a point.
fn is_broken(argument: &Expr) -> bool {
    match argument {
        Expr::BinOp(both) => both.op == Operator::Div || is_broken(&both.left) || is_broken(&both.right),
        Expr::NumberLiteral(_) => shape::integer(argument).is_none(),
        _ => false,
    }
}

fn stem_formats(view: &View<'_>, change: &mut Change<'_>) {
    view.calls(|place, call, _| {
        let arguments = &call.arguments.args;
        if drawn(view, call).as_deref() != Some("stem") || arguments.len() < 4 || shape::has_stars(call) {
            return;
        }
        let data = if arguments.get(1).is_some_and(|second| shape::text(second).is_some()) { 1 } else { 2 };
        let mut edit = CallEdit::new(view.parsed(place), call);
        let formats = edit.positional().into_iter().skip(data);
        for (number, name) in formats.zip(["linefmt", "markerfmt", "basefmt", "bottom", "label"]) {
            edit.name(number, name);
        }
        change.edit(place, call.start(), edit.finish());
    });
}

fn histogram_of_truths(view: &View<'_>, change: &mut Change<'_>) {
    view.calls(|place, call, _| {
        let [values, ..] = &call.arguments.args[..] else { return };
        let text = view.parsed(place).text(values.range());
        let again = values.is_starred_expr() || text.ends_with("astype(int)");
        if !again && is_blamed(view, place, call, &["hist"]) {
            let function = change.spell(place, "numpy.asarray");
            change.replace(place, values.range(), format!("{function}({text}).astype(int)"));
        }
    });
}
