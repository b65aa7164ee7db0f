//! What changed in OpenCV.

use nbrevive_pysource::ast::{Expr, Stmt};
use nbrevive_pysource::text_size::{Ranged, TextRange};

use crate::change::Change;
use crate::rule::{Rewrite, Rule, Trigger, example};
use crate::shape;
use crate::signature::sig;
use crate::view::{Place, View};
use crate::walk;

pub(crate) static TABLES: &[&[Rule]] = &[RULES];

static RULES: &[Rule] = &[Rule::new(
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
)];

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
