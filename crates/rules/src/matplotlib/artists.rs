//! What changed in matplotlib's artists: lists of them, contour sets; how colour maps are made known to it, and dates.

use nbrevive_pysource::ast::{Expr, ExprCall, Stmt};
use nbrevive_pysource::text_size::Ranged;

use crate::call::CallEdit;
use crate::change::Change;
use crate::rule::{Rewrite, Rule, Trigger, example};
use crate::shape;
use crate::signature::sig;
use crate::stand_ins::{StandIn, write_out};
use crate::view::{Place, View};
use crate::walk::{self, Surroundings};

/// The function `strpdate2num` under a name, before what follows it.
macro_rules! strpdate2num {
    ($name:literal, $rest:literal) => {
        concat!(
            "def ",
            $name,
            "(fmt):\n",
            "    \"\"\"What matplotlib had before 3.3: a function that reads dates of a format.\"\"\"\n",
            "    import datetime\n",
            "    from matplotlib.dates import date2num\n",
            "    return lambda text: date2num(datetime.datetime.strptime(text, fmt))\n",
            $rest
        )
    };
}

/// The functions of dates that are gone.
const CONVERTERS: [(&str, &str); 4] = [
    ("strpdate2num", strpdate2num!("{name}", "")),
    (
        "bytespdate2num",
        "def {name}(fmt, encoding='utf-8'):\n    \"\"\"What matplotlib had before 3.3: a function that reads dates of a format.\"\"\"\n    import datetime\n    from matplotlib.dates import date2num\n    return lambda text: date2num(datetime.datetime.strptime(text.decode(encoding), fmt))\n",
    ),
    (
        "epoch2num",
        "def {name}(e):\n    \"\"\"What matplotlib had before 3.5: seconds since 1970 as days.\"\"\"\n    import numpy\n    from matplotlib.dates import date2num\n    return numpy.asarray(e) / 86400 + date2num(numpy.datetime64('1970-01-01'))\n",
    ),
    (
        "num2epoch",
        "def {name}(d):\n    \"\"\"What matplotlib had before 3.5: days as seconds since 1970.\"\"\"\n    import numpy\n    from matplotlib.dates import date2num\n    return (numpy.asarray(d) - date2num(numpy.datetime64('1970-01-01'))) * 86400\n",
    ),
];

fn date_converters(view: &View<'_>, change: &mut Change<'_>) {
    let functions = CONVERTERS.map(|(name, definition)| StandIn { module: "matplotlib.dates", name, definition });
    write_out(&functions, view, change);
}

pub(super) static RULES: &[Rule] = &[
    Rule::new(
        "matplotlib-artist-lists",
        ("matplotlib", "3.7"),
        "artists are removed by themselves, not from their list, and added to their axes",
        Trigger::Error(&[
            sig("TypeError", "'ArtistList' object doesn't support item deletion"),
            sig("AttributeError", "'ArtistList' object has no attribute 'remove'"),
            sig("AttributeError", "'ArtistList' object has no attribute 'append'"),
            sig("AttributeError", "'ArtistList' object has no attribute 'pop'"),
            sig("AttributeError", "of 'Axes' object has no setter"),
        ]),
        Rewrite::Code(artist_lists),
        example(
            "del ax.lines[0]\nax.lines.remove(line)\nax.texts.pop()\n",
            ("TypeError", "'ArtistList' object doesn't support item deletion"),
            "ax.lines[0].remove()\nline.remove()\nax.texts[-1].remove()\n",
        ),
    )
    .certain(),
    Rule::new(
        "matplotlib-joined-axes",
        ("matplotlib", "3.8"),
        "axes are joined by themselves, not by what groups them",
        Trigger::Error(&[sig("AttributeError", "'GrouperView' object has no attribute 'join'")]),
        Rewrite::Code(joined_axes),
        example(
            "ax.get_shared_x_axes().join(ax, other)\n",
            ("AttributeError", "'GrouperView' object has no attribute 'join'"),
            "other.sharex(ax)\n",
        ),
    )
    .certain(),
    Rule::new(
        "matplotlib-subplot-of-text",
        ("matplotlib", "3.5"),
        "the three digits of a subplot are a number, not text",
        Trigger::Error(&[
            sig("ValueError", "argument to subplot must be a three-digit integer, not '"),
            sig("TypeError", "Bbox.from_bounds() missing 1 required positional argument: 'height'"),
        ]),
        Rewrite::Code(subplot_of_text),
        example(
            "import matplotlib.pyplot as plt\nplt.subplot('211')\n",
            ("ValueError", "Single argument to subplot must be a three-digit integer, not '211'"),
            "import matplotlib.pyplot as plt\nplt.subplot(211)\n",
        ),
    )
    .certain(),
    Rule::new(
        "matplotlib-contour-collections",
        ("matplotlib", "3.10"),
        "a contour set is one collection with a path for each level; it had a collection for each",
        Trigger::Error(&[sig("AttributeError", "ContourSet' object has no attribute 'collections'")]),
        Rewrite::Code(collections),
        example(
            "cs = plt.contour(z, levels=[0.5, 1.0])\nfor one in cs.collections:\n    one.set_alpha(0.5)\np = cs.collections[1].get_paths()[0]\n",
            ("AttributeError", "'QuadContourSet' object has no attribute 'collections'"),
            "cs = plt.contour(z, levels=[0.5, 1.0])\nfor one in [cs]:\n    one.set_alpha(0.5)\np = [cs.get_paths()[1]][0]\n",
        ),
    )
    .shift("what was said of one level is said of all; pieces of a level are one path"),
    Rule::new(
        "matplotlib-axis-of-space",
        ("matplotlib", "3.8"),
        "axis() of three-dimensional axes takes six limits; of four the first two axes got theirs",
        Trigger::Error(&[sig("TypeError", "first argument to axis() must be an iterable of the form [xmin, xmax, ymin, ymax, zmin")]),
        Rewrite::Code(limits_of_two),
        example(
            "import matplotlib.pyplot as plt\nbox = [0, 1, 0, 2]\nax.axis(box)\nplt.axis([0, 1, 0, 2])\n",
            (
                "TypeError",
                "The first argument to axis() must be an iterable of the form [xmin, xmax, ymin, ymax, zmin, zmax]",
            ),
            "import matplotlib.pyplot as plt\nbox = [0, 1, 0, 2]\nax.set(xlim=box[:2], ylim=box[2:])\nplt.gca().set(xlim=(0, 1), ylim=(0, 2))\n",
        ),
    ),
    Rule::new(
        "matplotlib-date-converters",
        ("matplotlib", "3.3"),
        "strpdate2num and its kin were removed; date2num takes the dates that datetime reads",
        Trigger::Error(&[
            sig("AttributeError", "module 'matplotlib.dates' has no attribute '"),
            sig("ImportError", "cannot import name '*' from 'matplotlib.dates'"),
        ]),
        Rewrite::Code(date_converters),
        example(
            "import matplotlib.dates as mdates\nconvert = mdates.strpdate2num('%Y-%m-%d')\n",
            ("AttributeError", "module 'matplotlib.dates' has no attribute 'strpdate2num'"),
            strpdate2num!("strpdate2num", "import matplotlib.dates as mdates\nconvert = strpdate2num('%Y-%m-%d')\n"),
        ),
    )
    .certain(),
    Rule::new(
        "matplotlib-register-colormap",
        ("matplotlib", "3.9"),
        "register_cmap is colormaps.register, which takes the map first",
        Trigger::Error(&[
            sig("AttributeError", "has no attribute 'register_cmap'"),
            sig("ImportError", "cannot import name 'register_cmap' from 'matplotlib"),
        ]),
        Rewrite::Code(register),
        example(
            "import matplotlib.pyplot as plt\nplt.register_cmap('mine', mine)\nplt.cm.register_cmap(cmap=other)\n",
            ("AttributeError", "module 'matplotlib.pyplot' has no attribute 'register_cmap'"),
            "from matplotlib import colormaps\nimport matplotlib.pyplot as plt\ncolormaps.register(name='mine', cmap=mine, force=True)\ncolormaps.register(cmap=other, force=True)\n",
        ),
    )
    .certain(),
];

/// Lists of axes, and the method that adds to each.
const LISTS: [(&str, &str); 6] = [
    ("lines", "add_line"),
    ("patches", "add_patch"),
    ("collections", "add_collection"),
    ("texts", "add_artist"),
    ("artists", "add_artist"),
    ("images", "add_image"),
];

fn artist_lists(view: &View<'_>, change: &mut Change<'_>) {
    let list = |expression: &Expr| match expression {
        Expr::Attribute(one) => LISTS.iter().find(|(list, _)| *list == one.attr.as_str()).map(|(_, adder)| *adder),
        _ => None,
    };
    for (position, source) in view.code.cells.iter().enumerate() {
        walk::statements(source.parsed.body(), &mut |statement, _| {
            let text = match statement {
                Stmt::Delete(delete) => {
                    let [Expr::Subscript(target)] = &delete.targets[..] else { return };
                    if list(&target.value).is_none() || target.slice.is_slice_expr() {
                        return;
                    }
                    format!("{}.remove()", source.parsed.text(target.range()))
                }
                // `ax.patches = []`
                Stmt::Assign(assign) => {
                    let ([target], Some([])) = (&assign.targets[..], shape::elements(&assign.value)) else { return };
                    if list(target).is_none() || !view.at_fault(Place(position), statement.range()) {
                        return;
                    }
                    format!("[artist.remove() for artist in list({})]", source.parsed.text(target.range()))
                }
                _ => return,
            };
            change.replace(Place(position), statement.range(), text);
        });
    }
    view.calls(|place, call, around| {
        let Some((attribute, method)) = shape::method(call) else { return };
        let Some(adder) = list(&attribute.value).filter(|_| call.arguments.len() <= 1) else { return };
        let parsed = view.parsed(place);
        let artist = CallEdit::new(parsed, call).render();
        let text = match (method, attribute.value.as_ref()) {
            ("pop", artists) if is_alone(call, around) => {
                let number = if artist.is_empty() { "-1" } else { &artist };
                format!("{}[{number}].remove()", parsed.text(artists.range()))
            }
            _ if artist.is_empty() => return,
            ("remove", _) => format!("{artist}.remove()"),
            ("append", Expr::Attribute(list)) if view.at_fault(place, call.range()) => {
                format!("{}.{adder}({artist})", parsed.text(list.value.range()))
            }
            _ => return,
        };
        change.replace(place, call.range(), text);
    });
}

fn joined_axes(view: &View<'_>, change: &mut Change<'_>) {
    view.calls(|place, call, around| {
        let Some((attribute, "join")) = shape::method(call) else { return };
        let Expr::Call(grouper) = attribute.value.as_ref() else { return };
        let share = match shape::method(grouper) {
            Some((_, "get_shared_x_axes")) => "sharex",
            Some((_, "get_shared_y_axes")) => "sharey",
            _ => return,
        };
        if !is_alone(call, around) || !call.arguments.keywords.is_empty() {
            return;
        }
        let parsed = view.parsed(place);
        let text = match &call.arguments.args[..] {
            [Expr::Starred(all)] => {
                let all = parsed.text_of(all.value.as_ref());
                format!("[other.{share}({all}[0]) for other in {all}[1:]]")
            }
            [first, others @ ..] if !others.is_empty() && !shape::has_stars(call) => {
                let joined =
                    others.iter().map(|one| format!("{}.{share}({})", parsed.text_of(one), parsed.text_of(first)));
                joined.collect::<Vec<_>>().join("; ")
            }
            _ => return,
        };
        change.replace(place, call.range(), text);
    });
}

/// Whether a call is a statement of its own.
fn is_alone(call: &ExprCall, around: &Surroundings<'_, '_>) -> bool {
    matches!(around.statement(), Stmt::Expr(one) if one.value.range() == call.range())
}

fn is_number_already(expression: &Expr) -> bool {
    matches!(expression, Expr::NumberLiteral(_))
        || matches!(expression, Expr::Call(call) if shape::name(&call.func) == Some("int"))
}

/// Axes that are made where they are given: what `mpl_toolkits` call a subplot.
fn is_made_axes(expression: &Expr) -> bool {
    let Expr::Call(call) = expression else { return false };
    let name = shape::dotted(&call.func).and_then(|parts| parts.last().copied());
    name.is_some_and(|name| name.starts_with(char::is_uppercase))
}

fn subplot_of_text(view: &View<'_>, change: &mut Change<'_>) {
    view.calls(|place, call, _| {
        // What mpl_toolkits make is told its figure first.
        let number = match shape::method(call) {
            Some((_, "subplot" | "add_subplot" | "host_subplot")) => 0,
            Some((_, "Subplot" | "SubplotHost" | "SubplotZero" | "HostAxes" | "FloatingSubplot")) => 1,
            _ => match view.qualified(&call.func) {
                Some(dotted) if dotted.starts_with("mpl_toolkits.") && dotted.ends_with("host_subplot") => 0,
                Some(dotted) if dotted.starts_with("mpl_toolkits.") && dotted.contains(".Subplot") => 1,
                _ => return,
            },
        };
        let Some(digits) = call.arguments.args.get(number) else { return };
        match shape::text(digits) {
            Some(text) if text.len() == 3 && text.bytes().all(|byte| byte.is_ascii_digit()) => {
                change.replace(place, digits.range(), text);
            }
            None if number == 0
                && view.at_fault(place, call.range())
                && call.arguments.len() == 1
                && !is_number_already(digits)
                && !is_made_axes(digits) =>
            {
                let text = format!("int({})", view.parsed(place).text_of(digits));
                change.replace(place, digits.range(), text);
            }
            _ => {}
        }
    });
}

fn collections(view: &View<'_>, change: &mut Change<'_>) {
    view.expressions(|place, expression, around| {
        let parsed = view.parsed(place);
        let contours = |expression: &Expr| match expression {
            Expr::Attribute(attribute) if attribute.attr.as_str() == "collections" => {
                let is_blamed = view.at_fault(place, expression.range()) && view.qualified(expression).is_none();
                is_blamed.then(|| parsed.text(attribute.value.range()).to_owned())
            }
            _ => None,
        };
        match expression {
            // `cs.collections[1].get_paths()`, whose paths are those of one level.
            Expr::Call(call) if call.arguments.is_empty() => {
                let Expr::Attribute(method) = call.func.as_ref() else { return };
                let Expr::Subscript(item) = method.value.as_ref() else { return };
                if let Some(set) = contours(&item.value).filter(|_| method.attr.as_str() == "get_paths") {
                    let level = parsed.text(item.slice.range());
                    change.replace(place, call.range(), format!("[{set}.get_paths()[{level}]]"));
                }
            }
            _ => {
                let Some(set) = contours(expression) else { return };
                let text = match around.parent() {
                    Some(Expr::Subscript(item)) if item.value.range() == expression.range() => {
                        format!("([{set}] * len({set}.levels))")
                    }
                    Some(Expr::Attribute(_)) => return,
                    _ => format!("[{set}]"),
                };
                change.replace(place, expression.range(), text);
            }
        }
    });
}

fn register(view: &View<'_>, change: &mut Change<'_>) {
    view.calls(|place, call, _| {
        let is_old = |dotted: &String| dotted.starts_with("matplotlib.") && dotted.ends_with(".register_cmap");
        if !view.qualified(&call.func).is_some_and(|dotted| is_old(&dotted)) {
            return;
        }
        let mut edit = CallEdit::new(view.parsed(place), call);
        for (number, name) in edit.positional().into_iter().zip(["name", "cmap"]) {
            edit.name(number, name);
        }
        if let (Some(data), Some(name)) = (edit.find("data"), edit.find("name")) {
            let made = change.spell(place, "matplotlib.colors.LinearSegmentedColormap");
            edit.set(data, format!("cmap={made}({}, {})", edit.value_text(name), edit.value_text(data)));
        } else if call.arguments.len() < 2 && edit.find("cmap").is_none() {
            return;
        }
        edit.append("force=True");
        let function = change.spell(place, "matplotlib:colormaps.register");
        change.replace(place, call.range(), format!("{function}({})", edit.render()));
    });
}

fn limits_of_two(view: &View<'_>, change: &mut Change<'_>) {
    view.calls(|place, call, _| {
        let (Some((attribute, "axis")), [limits]) = (shape::method(call), &call.arguments.args[..]) else { return };
        if !call.arguments.keywords.is_empty() || !view.at_fault(place, call.range()) {
            return;
        }
        let text = |expression: &Expr| view.parsed(place).text(expression.range());
        let two = match (shape::elements(limits), limits) {
            (Some([left, right, low, high]), _) => {
                format!("xlim=({}, {}), ylim=({}, {})", text(left), text(right), text(low), text(high))
            }
            (None, Expr::Name(name)) => format!("xlim={0}[:2], ylim={0}[2:]", name.id),
            _ => return,
        };
        let is_module = view.qualified(&call.func).is_some_and(|name| name.starts_with("matplotlib.pyplot"));
        let current = if is_module { ".gca()" } else { "" };
        change.replace(place, call.range(), format!("{}{current}.set({two})", text(&attribute.value)));
    });
}
