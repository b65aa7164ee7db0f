//! What changed in OpenCV.

use nbrevive_pysource::ast::{Comprehension, Expr, ExprCall, Stmt};
use nbrevive_pysource::text_size::{Ranged, TextRange};

use crate::change::{Change, replacement};
use crate::rule::{Rewrite, Rule, Trigger, example};
use crate::shape;
use crate::signature::sig;
use crate::view::{Place, View};
use crate::walk;

pub(crate) static TABLES: &[&[Rule]] = &[RULES];

static RULES: &[Rule] = &[
    Rule::new(
        "opencv-contours",
        ("opencv-python", "4.0"),
        "findContours gives contours and their hierarchy, and no picture before them",
        Trigger::Error(&[sig("ValueError", "not enough values to unpack (expected 3, got 2)")]),
        Rewrite::Code(contours),
        example(
            "import cv2\n_, contours, tree = cv2.findContours(mask, cv2.RETR_TREE, cv2.CHAIN_APPROX_SIMPLE)\n",
            ("ValueError", "not enough values to unpack (expected 3, got 2)"),
            "import cv2\ncontours, tree = cv2.findContours(mask, cv2.RETR_TREE, cv2.CHAIN_APPROX_SIMPLE)\n",
        ),
    ),
    Rule::new(
        "opencv-first-names",
        ("opencv-python", "3.0"),
        "names of OpenCV 2 have no CV_ in front, and SIFT is in the main module",
        Trigger::Error(&[
            sig("AttributeError", "module 'cv2* has no attribute 'CV_"),
            sig("AttributeError", "module 'cv2* has no attribute 'cv'"),
            sig("AttributeError", "module 'cv2* has no attribute 'xfeatures2d'"),
            sig("AttributeError", "module 'cv2* has no attribute 'SIFT"),
        ]),
        Rewrite::Code(first_names),
        example(
            "import cv2\ni = cv2.imread('a.png', cv2.CV_LOAD_IMAGE_GRAYSCALE)\ng = cv2.cvtColor(i, cv2.cv.CV_BGR2GRAY)\ns = cv2.xfeatures2d.SIFT_create()\n",
            ("AttributeError", "module 'cv2' has no attribute 'CV_LOAD_IMAGE_GRAYSCALE'"),
            "import cv2\ni = cv2.imread('a.png', cv2.IMREAD_GRAYSCALE)\ng = cv2.cvtColor(i, cv2.COLOR_BGR2GRAY)\ns = cv2.SIFT_create()\n",
        ),
    ),
    Rule::new(
        "opencv-detectors",
        ("opencv-python", "3.0"),
        "what finds features is made by a function; the class itself is empty, and ends the kernel when it is asked",
        Trigger::Silent,
        Rewrite::Code(detectors),
        example(
            "import cv2\ns = cv2.SIFT(100)\no = cv2.ORB()\n",
            ("", ""),
            "import cv2\ns = cv2.SIFT_create(100)\no = cv2.ORB_create()\n",
        ),
    ),
    Rule::new(
        "opencv-output-layers",
        ("opencv-python", "4.5.4"),
        "getUnconnectedOutLayers gives numbers, not arrays of one number",
        Trigger::Error(&[
            sig("IndexError", "invalid index to scalar variable"),
            sig("TypeError", "'int' object is not subscriptable"),
            sig("TypeError", "'numpy.int32' object is not subscriptable"),
        ]),
        Rewrite::Code(output_layers),
        example(
            "import cv2\nlast = [names[i[0] - 1] for i in net.getUnconnectedOutLayers()]\n",
            ("IndexError", "invalid index to scalar variable."),
            "import cv2\nlast = [names[i - 1] for i in net.getUnconnectedOutLayers()]\n",
        ),
    ),
    Rule::new(
        "opencv-whole-coordinates",
        ("opencv-python", "3.0"),
        "points, sizes and radii are whole numbers",
        Trigger::Error(&[
            sig("error", "Can't parse '*'. Sequence item with index "),
            sig("error", "Argument '*' is required to be an integer"),
            sig("TypeError", "integer argument expected, got float"),
        ]),
        Rewrite::Code(whole_coordinates),
        example(
            "import cv2\ncv2.circle(img, (w / 2, y), r / 2, (0, 255, 0), 2)\nsmall = cv2.resize(img, (w / 2, 50))\n",
            (
                "error",
                "OpenCV(4.8.0) :-1: error: (-5:Bad argument) in function 'circle'\n> Overload resolution failed:\n>  - Can't parse 'center'. Sequence item with index 0 has a wrong type\n",
            ),
            "import cv2\ncv2.circle(img, (int(w / 2), int(y)), int(r / 2), (0, 255, 0), 2)\nsmall = cv2.resize(img, (int(w / 2), 50))\n",
        ),
    ),
];

/// Where nothing reads the picture.
fn contours(view: &View<'_>, change: &mut Change<'_>) {
    for (position, source) in view.code.cells.iter().enumerate() {
        walk::statements(source.parsed.body(), &mut |statement, _| {
            let Stmt::Assign(assign) = statement else { return };
            let (Expr::Call(call), [target]) = (assign.value.as_ref(), &assign.targets[..]) else { return };
            let Some([picture, contours, _]) = shape::elements(target) else { return };
            if view.qualified(&call.func).as_deref() == Some("cv2.findContours") && !is_read(view, picture) {
                change.replace(Place(position), TextRange::new(picture.start(), contours.start()), "");
            }
        });
    }
}

/// Whether a name, or what is no name, is read anywhere.
fn is_read(view: &View<'_>, target: &Expr) -> bool {
    let Some(name) = shape::name(target) else { return true };
    let mut read = false;
    view.expressions(|_, expression, _| {
        read |= matches!(expression, Expr::Name(one) if one.ctx.is_load() && one.id.as_str() == name);
    });
    read
}

/// Names that are not what is left without `CV_`.
const RENAMED: [(&str, &str); 12] = [
    ("CV_LOAD_IMAGE_GRAYSCALE", "IMREAD_GRAYSCALE"),
    ("CV_LOAD_IMAGE_COLOR", "IMREAD_COLOR"),
    ("CV_LOAD_IMAGE_UNCHANGED", "IMREAD_UNCHANGED"),
    ("CV_LOAD_IMAGE_ANYDEPTH", "IMREAD_ANYDEPTH"),
    ("CV_LOAD_IMAGE_ANYCOLOR", "IMREAD_ANYCOLOR"),
    ("CV_AA", "LINE_AA"),
    ("CV_FOURCC", "VideoWriter_fourcc"),
    ("CV_TERMCRIT_EPS", "TERM_CRITERIA_EPS"),
    ("CV_TERMCRIT_ITER", "TERM_CRITERIA_MAX_ITER"),
    ("FOURCC", "VideoWriter_fourcc"),
    ("BoxPoints", "boxPoints"),
    ("CV_FILLED", "FILLED"),
];

/// What is left without `CV_`, by its beginning.
const KEPT: [&str; 9] =
    ["CAP_PROP_", "HOUGH_", "INTER_", "RETR_", "CHAIN_APPROX_", "THRESH_", "DIST_", "TM_", "FONT_HERSHEY_"];

/// What is made by a function of its own: features that are found, in OpenCV 2 by calling the class.
const DETECTORS: [&str; 6] = ["SIFT", "ORB", "BRISK", "KAZE", "AKAZE", "MSER"];

fn detectors(view: &View<'_>, change: &mut Change<'_>) {
    view.calls(|place, call, _| {
        let Expr::Attribute(class) = call.func.as_ref() else { return };
        let is_class = |name: &&&str| view.qualified(&call.func).is_some_and(|dotted| dotted == format!("cv2.{name}"));
        if let Some(name) = DETECTORS.iter().find(is_class) {
            change.edit(place, call.start(), vec![replacement(class.attr.range(), format!("{name}_create"))]);
        }
    });
}

fn first_names(view: &View<'_>, change: &mut Change<'_>) {
    view.expressions(|place, expression, _| {
        let Expr::Attribute(attribute) = expression else { return };
        let Some(dotted) = view.qualified(expression) else { return };
        let Some(old) = dotted.strip_prefix("cv2.").map(|name| name.strip_prefix("cv.").unwrap_or(name)) else {
            return;
        };
        let new = match old {
            "xfeatures2d.SIFT_create" => Some("SIFT_create".to_owned()),
            _ => modern_name(old, dotted.starts_with("cv2.cv.")),
        };
        if let Some(new) = new.filter(|_| attribute.ctx.is_load()) {
            let name = change.spell(place, &format!("cv2.{new}"));
            change.replace(place, expression.range(), name);
        }
    });
}

/// What a constant of OpenCV 2 is called; `inner` where it was one of the module `cv2.cv`.
fn modern_name(old: &str, inner: bool) -> Option<String> {
    if let Some((_, new)) = RENAMED.iter().find(|(name, _)| *name == old && (inner || old.starts_with("CV_"))) {
        return Some((*new).to_owned());
    }
    let bare = old.strip_prefix("CV_")?;
    if KEPT.iter().any(|kept| bare.starts_with(kept)) {
        return Some(bare.to_owned());
    }
    // `CV_BGR2GRAY`, and not `CV_8UC1`, which is there as it was.
    let is_colour = bare.split_once('2').is_some_and(|(from, to)| {
        let is_name =
            |text: &str| !text.is_empty() && text.chars().all(|letter| letter.is_ascii_alphanumeric() || letter == '_');
        from.starts_with(char::is_alphabetic) && is_name(from) && is_name(to) && to.starts_with(char::is_alphabetic)
    });
    is_colour.then(|| format!("COLOR_{bare}"))
}

const LAYERS: &str = "getUnconnectedOutLayers";

fn output_layers(view: &View<'_>, change: &mut Change<'_>) {
    let of_layers =
        |iterable: &Expr| matches!(iterable, Expr::Call(call) if matches!(shape::method(call), Some((_, LAYERS))));
    let mut bare = |place: Place, name: &str, within: TextRange| {
        view.expressions(|at, expression, _| {
            let Expr::Subscript(subscript) = expression else { return };
            let is_it = at == place && within.contains_range(expression.range());
            if is_it && shape::name(&subscript.value) == Some(name) && shape::integer(&subscript.slice) == Some(0) {
                change.edit(place, expression.start(), vec![replacement(expression.range(), name)]);
            }
        });
    };
    view.expressions(|place, expression, _| {
        let generators: &[Comprehension] = match expression {
            Expr::ListComp(comprehension) => &comprehension.generators,
            Expr::Generator(comprehension) => &comprehension.generators,
            _ => return,
        };
        if let [one] = generators
            && of_layers(&one.iter)
            && let Some(name) = shape::name(&one.target)
        {
            bare(place, name, expression.range());
        }
    });
    for (position, source) in view.code.cells.iter().enumerate() {
        walk::statements(source.parsed.body(), &mut |statement, _| {
            if let Stmt::For(block) = statement
                && of_layers(&block.iter)
                && let Some(name) = shape::name(&block.target)
            {
                bare(Place(position), name, block.range());
            }
        });
    }
}

/// Functions with the names of the parameters that are points, sizes or whole numbers, and their positions.
const WHOLE: [(&str, &[(usize, &str)]); 9] = [
    ("circle", &[(1, "center"), (2, "radius")]),
    ("rectangle", &[(1, "pt1"), (2, "pt2")]),
    ("line", &[(1, "pt1"), (2, "pt2")]),
    ("arrowedLine", &[(1, "pt1"), (2, "pt2")]),
    ("ellipse", &[(1, "center"), (2, "axes")]),
    ("putText", &[(2, "org")]),
    ("drawMarker", &[(1, "position")]),
    ("resize", &[(1, "dsize")]),
    ("GaussianBlur", &[(1, "ksize")]),
];

fn whole_coordinates(view: &View<'_>, change: &mut Change<'_>) {
    view.calls(|place, call, _| {
        let Some(name) = view.qualified(&call.func) else { return };
        let Some(name) = name.strip_prefix("cv2.") else { return };
        let Some((_, parameters)) = WHOLE.iter().find(|(function, _)| *function == name) else { return };
        let is_blamed = view.at_fault(place, call.range());
        let parsed = view.parsed(place);
        let mut edits = Vec::new();
        for (position, parameter) in *parameters {
            let Some(value) = argument(call, *position, parameter) else { continue };
            let told = is_blamed && view.errors.iter().any(|error| error.evalue.contains(&format!("'{parameter}'")));
            match value {
                Expr::Tuple(tuple) => {
                    let parts = tuple.elts.iter().filter(|part| !part.is_starred_expr());
                    let parts = parts.filter(|part| is_blamed && !is_whole(part) || is_quotient(part));
                    edits.extend(
                        parts.map(|part| replacement(part.range(), format!("int({})", parsed.text(part.range())))),
                    );
                }
                // A point that is a name, or part of another value.
                Expr::Name(_) | Expr::Subscript(_) | Expr::Attribute(_) if told && *parameter != "radius" => {
                    let text = format!("tuple(int(part) for part in {})", parsed.text(value.range()));
                    edits.push(replacement(value.range(), text));
                }
                _ if *parameter == "radius" && (told && !is_whole(value) || is_quotient(value)) => {
                    edits.push(replacement(value.range(), format!("int({})", parsed.text(value.range()))));
                }
                _ => {}
            }
        }
        change.edit(place, call.start(), edits);
    });
}

fn argument<'a>(call: &'a ExprCall, position: usize, name: &str) -> Option<&'a Expr> {
    let has_stars = call.arguments.args.iter().any(Expr::is_starred_expr);
    let positional = call.arguments.args.get(position).filter(|_| !has_stars);
    positional.or_else(|| shape::keyword(call, name).map(|keyword| &keyword.value))
}

/// Whether a value is a whole number for certain: a literal, or what makes one.
fn is_whole(value: &Expr) -> bool {
    shape::integer(value).is_some()
        || matches!(value, Expr::Call(call) if matches!(shape::name(&call.func), Some("int" | "len")))
}

/// Whether a value is a quotient, of which Python 2 took the whole part.
fn is_quotient(value: &Expr) -> bool {
    matches!(value, Expr::BinOp(operation) if operation.op == nbrevive_pysource::ast::Operator::Div)
}
