//! Images of `scipy.misc`, which went to Pillow for all of them.

use nbrevive_pysource::text_size::Ranged as _;

use crate::call::CallEdit;
use crate::change::Change;
use crate::receiver::Callee;
use crate::rule::{Rewrite, Rule, Trigger, example};
use crate::shape;
use crate::signature::sig;
use crate::stand_ins::{StandIn, write_out};
use crate::view::View;

/// `bytescale` under a name, between what goes before and after it.
macro_rules! bytescale {
    ($before:literal, $name:literal, $after:literal) => {
        concat!($before, "def ", $name, include_str!("../../data/stand-ins/bytescale.py"), $after)
    };
}

pub(super) static RULES: &[Rule] = &[
    Rule::new(
        "scipy-misc-images",
        ("scipy", "1.3.0"),
        "functions for arrays as images were removed; by Pillow they are a few lines",
        Trigger::Error(&[
            sig("ImportError", "cannot import name '*' from 'scipy.misc'"),
            sig("ImportError", "cannot import name 'misc' from 'scipy'"),
            sig("ModuleNotFoundError", "No module named 'scipy.misc'"),
            sig("AttributeError", "'scipy.misc' has no attribute"),
        ]),
        Rewrite::Code(images),
        example(
            "import numpy as np\nfrom scipy.misc import bytescale\nb = bytescale(np.arange(4.0))\n",
            ("ImportError", "cannot import name 'bytescale' from 'scipy.misc'"),
            bytescale!("import numpy as np\n", "bytescale", "b = bytescale(np.arange(4.0))\n"),
        ),
    )
    .certain(),
    Rule::new(
        "scipy-imread-flatten",
        ("scipy", "1.2.0"),
        "imread took flatten for an image in shades of grey",
        Trigger::Error(&[sig("TypeError", "unexpected keyword argument 'flatten'")]),
        Rewrite::Code(flatten),
        example(
            "from imageio.v2 import imread\na = imread('a.png', flatten=True)\n",
            ("TypeError", "PillowPlugin.read() got an unexpected keyword argument 'flatten'"),
            "from imageio.v2 import imread\na = imread('a.png', mode='F')\n",
        ),
    )
    .certain(),
];

fn images(view: &View<'_>, change: &mut Change<'_>) {
    write_out(&FUNCTIONS, view, change);
}

fn flatten(view: &View<'_>, change: &mut Change<'_>) {
    view.calls(|place, call, _| {
        let mut edit = CallEdit::new(view.parsed(place), call);
        let Some(number) = edit.find("flatten") else { return };
        if view.is_call_of(Callee::Function("imageio", "imread"), place, call) {
            match shape::boolean(edit.value(number)) {
                Some(false) => edit.remove(number),
                _ => edit.set(number, "mode='F'"),
            }
            change.edit(place, call.range().start(), edit.finish());
        }
    });
}

/// A function of a few lines that makes an image of an array first, scaled to bytes unless it holds bytes, as `toimage` did.
macro_rules! of_image {
    ($name:literal, $parameters:literal, $does:literal, $($body:literal),+) => {
        StandIn {
            module: "scipy.misc",
            name: $name,
            definition: concat!(
                "def {name}(",
                $parameters,
                "):\n    \"\"\"What SciPy had before 1.3: ",
                $does,
                ".\"\"\"\n",
                include_str!("../../data/stand-ins/image.py"),
                "\n",
                $($body),+
            ),
        }
    };
}

static FUNCTIONS: [StandIn; 5] = [
    of_image!(
        "imresize",
        "arr, size, interp='bilinear', mode=None",
        "an array as an image of another size: a share, per cent, or rows and columns",
        "    picture = image(arr, mode=mode)\n",
        "    if isinstance(size, (float, np.floating)):\n",
        "        size = [int(side * size) for side in picture.size]\n",
        "    elif isinstance(size, (int, np.integer)):\n",
        "        size = [int(side * (size / 100.0)) for side in picture.size]\n",
        "    else:\n",
        "        size = (size[1], size[0])\n",
        "    filters = {'nearest': 0, 'lanczos': 1, 'bilinear': 2, 'bicubic': 3, 'cubic': 3}\n",
        "    return np.array(picture.resize(size, resample=filters[interp]))"
    ),
    of_image!(
        "imrotate",
        "arr, angle, interp='bilinear'",
        "an array as an image, turned by degrees against the clock",
        "    filters = {'nearest': 0, 'bilinear': 2, 'bicubic': 3, 'cubic': 3}\n",
        "    return np.array(image(arr).rotate(angle, resample=filters[interp]))"
    ),
    of_image!(
        "imsave",
        "name, arr, format=None",
        "writes an array as an image",
        "    image(arr, channel_axis=2).save(name, format)"
    ),
    of_image!(
        "toimage",
        "arr, high=255, low=0, cmin=None, cmax=None, mode=None, channel_axis=None",
        "an image of an array",
        "    return image(arr, high, low, cmin, cmax, mode, channel_axis)"
    ),
    StandIn { module: "scipy.misc", name: "bytescale", definition: bytescale!("", "{name}", "") },
];
