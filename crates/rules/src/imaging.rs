//! What changed in Pillow and scikit-image.

use nbrevive_pysource::ast::{Expr, Stmt};
use nbrevive_pysource::text_size::Ranged;

use crate::call::{CallEdit, receiver_text};
use crate::change::{Change, insertion};
use crate::keywords::{Fate, KeywordChange, change_items, change_one, keyword};
use crate::moves;
use crate::positional::positional;
use crate::receiver::Callee;
use crate::rule::{Rewrite, Rule, Trigger, example};
use crate::shape;
use crate::signature::sig;
use crate::stand_ins::{StandIn, write_out};
use crate::view::View;

pub(crate) static TABLES: &[&[Rule]] = &[RULES];

const fn skimage(name: &'static str) -> Callee {
    Callee::Function("skimage", name)
}

/// The function `threshold_adaptive` under a name, before what follows it.
macro_rules! threshold {
    ($name:literal, $rest:literal) => {
        concat!(
            "def ",
            $name,
            "(image, block_size, method='gaussian', offset=0, mode='reflect', param=None):\n",
            "    \"\"\"What scikit-image had before 0.15: where a picture is above the threshold of its surroundings.\"\"\"\n",
            "    from skimage.filters import threshold_local\n",
            "    return image > threshold_local(image, block_size, method, offset, mode, param)\n",
            $rest
        )
    };
}

fn threshold_adaptive(view: &View<'_>, change: &mut Change<'_>) {
    let name = "threshold_adaptive";
    let of = |module| StandIn { module, name, definition: threshold!("{name}", "") };
    write_out(&["skimage.filters", "skimage.filter"].map(of), view, change);
}

static RULES: &[Rule] = &[
    Rule::new(
        "pillow-filters",
        ("pillow", "10.0.0"),
        "ANTIALIAS, LINEAR and CUBIC are LANCZOS, BILINEAR and BICUBIC",
        Trigger::Error(&[
            sig("AttributeError", "module 'PIL.Image' has no attribute"),
            sig("ImportError", "cannot import name '*' from 'PIL.Image'"),
        ]),
        Rewrite::Move(&[
            ("PIL.Image.ANTIALIAS", "PIL.Image.LANCZOS"),
            ("PIL.Image.LINEAR", "PIL.Image.BILINEAR"),
            ("PIL.Image.CUBIC", "PIL.Image.BICUBIC"),
        ]),
        example(
            "from PIL import Image\nsmall = Image.open('a.png').resize((2, 2), Image.ANTIALIAS)\n",
            ("AttributeError", "module 'PIL.Image' has no attribute 'ANTIALIAS'"),
            "from PIL import Image\nsmall = Image.open('a.png').resize((2, 2), Image.LANCZOS)\n",
        ),
    )
    .certain(),
    Rule::new(
        "pillow-text-size",
        ("pillow", "10.0.0"),
        "getsize and textsize are the last two numbers of a bounding box",
        Trigger::Error(&[
            sig("AttributeError", "object has no attribute 'getsize'"),
            sig("AttributeError", "object has no attribute 'textsize'"),
        ]),
        Rewrite::Code(text_size),
        example(
            "w, h = draw.textsize('a', font=font)\nsize = font.getsize('a')\n",
            ("AttributeError", "'ImageDraw' object has no attribute 'textsize'"),
            "w, h = draw.textbbox((0, 0), 'a', font=font)[2:]\nsize = font.getbbox('a')[2:]\n",
        ),
    ),
    Rule::new(
        "skimage-moved-functions",
        ("scikit-image", "0.18"),
        "functions moved to metrics, segmentation and measure, and grey became gray",
        Trigger::Error(&[
            sig("ImportError", "cannot import name '*' from 'skimage"),
            sig("ModuleNotFoundError", "No module named 'skimage."),
            sig("AttributeError", "module 'skimage* has no attribute"),
        ]),
        Rewrite::Move(&[
            ("skimage.measure.compare_ssim", "skimage.metrics.structural_similarity"),
            ("skimage.measure.compare_psnr", "skimage.metrics.peak_signal_noise_ratio"),
            ("skimage.measure.compare_mse", "skimage.metrics.mean_squared_error"),
            ("skimage.measure.compare_nrmse", "skimage.metrics.normalized_root_mse"),
            ("skimage.feature.greycomatrix", "skimage.feature.graycomatrix"),
            ("skimage.feature.greycoprops", "skimage.feature.graycoprops"),
            ("skimage.morphology.watershed", "skimage.segmentation.watershed"),
            ("skimage.morphology.label", "skimage.measure.label"),
            ("skimage.filter", "skimage.filters"),
            ("skimage.future.graph", "skimage.graph"),
            ("skimage.future.graph.rag", "skimage.graph"),
            ("skimage.feature.register_translation", "skimage.registration.phase_cross_correlation"),
            ("skimage.feature.register_translation.register_translation", "skimage.registration.phase_cross_correlation"),
            (
                "skimage.feature.register_translation._upsampled_dft",
                "skimage.registration._phase_cross_correlation._upsampled_dft",
            ),
            ("skimage.util.pad", "numpy.pad"),
        ]),
        example(
            "from skimage.measure import compare_ssim, label\nfrom skimage.morphology import watershed\n",
            ("ImportError", "cannot import name 'compare_ssim' from 'skimage.measure' (__init__.py)"),
            "from skimage.measure import label; from skimage.metrics import structural_similarity as compare_ssim\nfrom skimage.segmentation import watershed\n",
        ),
    )
    .certain(),
    Rule::new(
        "skimage-threshold-adaptive",
        ("scikit-image", "0.15"),
        "threshold_adaptive compared with what threshold_local gives",
        Trigger::Error(&[
            sig("AttributeError", "attribute threshold_adaptive"),
            sig("AttributeError", "module 'skimage* has no attribute 'threshold_adaptive'"),
            sig("ImportError", "cannot import name 'threshold_adaptive' from 'skimage.filters'"),
            sig("ModuleNotFoundError", "No module named 'skimage.filter'"),
        ]),
        Rewrite::Code(threshold_adaptive),
        example(
            "from skimage import filters\nb = filters.threshold_adaptive(a, 3, offset=1)\n",
            ("AttributeError", "No skimage.filters attribute threshold_adaptive"),
            threshold!("threshold_adaptive", "from skimage import filters\nb = threshold_adaptive(a, 3, offset=1)\n"),
        ),
    )
    .certain(),
    Rule::new(
        "skimage-similarity-range",
        ("scikit-image", "0.19"),
        "structural_similarity of floats must be told their range, which was taken to be from -1 to 1",
        Trigger::Error(&[sig("ValueError", "you must specify the data_range parameter")]),
        Rewrite::Code(similarity_range),
        example(
            "from skimage.metrics import structural_similarity\nv = structural_similarity(a, b)\n",
            ("ValueError", "Since image dtype is floating point, you must specify the data_range parameter."),
            "from skimage.metrics import structural_similarity\nv = structural_similarity(a, b, data_range=2)\n",
        ),
    ),
    Rule::new(
        "skimage-small-objects",
        ("scikit-image", "0.26"),
        "min_size and area_threshold count what is as large as they say among the small; max_size is one less",
        Trigger::Silent,
        Rewrite::Keyword(&[
            keyword(skimage("remove_small_objects"), "min_size", Fate::Written("max_size={} - 1")),
            keyword(skimage("remove_small_holes"), "area_threshold", Fate::Written("max_size={} - 1")),
        ]),
        example(
            "from skimage.morphology import remove_small_objects\nb = remove_small_objects(a, min_size=3)\n",
            ("", ""),
            "from skimage.morphology import remove_small_objects\nb = remove_small_objects(a, max_size=3 - 1)\n",
        ),
    ),
    Rule::new(
        "skimage-keywords",
        ("scikit-image", "0.19"),
        "multichannel, selem and visualise are channel_axis, footprint and visualize",
        Trigger::Error(&[
            sig("TypeError", "got an unexpected keyword argument 'multichannel'"),
            sig("TypeError", "got an unexpected keyword argument 'selem'"),
            sig("TypeError", "got an unexpected keyword argument 'visualise'"),
            sig("TypeError", "got an unexpected keyword argument 'as_grey'"),
            sig("TypeError", "got an unexpected keyword argument 'bc'"),
            sig("TypeError", "remove_small_holes() got an unexpected keyword argument 'min_size'"),
            sig("TypeError", "got an unexpected keyword argument 'max_iter'"),
            sig("TypeError", "got an unexpected keyword argument 'n_iter_max'"),
            sig("TypeError", "got an unexpected keyword argument 'iterations'"),
        ]),
        Rewrite::Keyword(&[
            keyword(skimage("*"), "multichannel", Fate::RemovedWhen("False")),
            keyword(skimage("*"), "multichannel", Fate::WrittenWhen("True", "channel_axis=-1")),
            keyword(skimage("*"), "selem", Fate::Renamed("footprint")),
            keyword(skimage("*"), "visualise", Fate::Renamed("visualize")),
            keyword(skimage("*"), "as_grey", Fate::Renamed("as_gray")),
            keyword(skimage("remove_small_holes"), "min_size", Fate::Written("max_size={} - 1")),
            keyword(skimage("active_contour"), "bc", Fate::Renamed("boundary_condition")),
            keyword(skimage("active_contour"), "max_iterations", Fate::Renamed("max_num_iter")),
            keyword(skimage("*"), "max_iter", Fate::Renamed("max_num_iter")),
            keyword(skimage("*"), "n_iter_max", Fate::Renamed("max_num_iter")),
            keyword(skimage("*"), "iterations", Fate::Renamed("num_iter")),
        ]),
        example(
            "from skimage.filters import gaussian\nsmooth = gaussian(image, sigma=1, multichannel=True)\n",
            ("TypeError", "gaussian() got an unexpected keyword argument 'multichannel'"),
            "from skimage.filters import gaussian\nsmooth = gaussian(image, sigma=1, channel_axis=-1)\n",
        ),
    )
    .certain(),
    Rule::new(
        "skimage-random-numbers",
        ("scikit-image", "0.23"),
        "seeds are told as rng",
        Trigger::Error(&[
            sig("ValueError", "seed keyword not in allowed keywords"),
            sig("TypeError", "got an unexpected keyword argument 'seed'"),
            sig("TypeError", "got an unexpected keyword argument 'random_seed'"),
            sig("TypeError", "got an unexpected keyword argument 'random_state'"),
        ]),
        Rewrite::Keyword(&[
            keyword(skimage("random_noise"), "seed", Fate::Renamed("rng")),
            keyword(skimage("binary_blobs"), "seed", Fate::Renamed("rng")),
            keyword(skimage("random_shapes"), "random_seed", Fate::Renamed("rng")),
            keyword(skimage("ransac"), "random_state", Fate::Renamed("rng")),
            keyword(skimage("unsupervised_wiener"), "random_state", Fate::Renamed("rng")),
        ]),
        example(
            "from skimage.util import random_noise\nnoisy = random_noise(image, var=0.01, seed=3)\n",
            ("ValueError", "seed keyword not in allowed keywords ['mean', 'var']"),
            "from skimage.util import random_noise\nnoisy = random_noise(image, var=0.01, rng=3)\n",
        ),
    )
    .shift("a seed leads to other numbers"),
    Rule::new(
        "skimage-peaks-mask",
        ("scikit-image", "0.20"),
        "peak_local_max gives coordinates, and gave a mask with indices=False",
        Trigger::Error(&[sig("TypeError", "peak_local_max() got an unexpected keyword argument 'indices'")]),
        Rewrite::Code(peaks_mask),
        example(
            "import numpy as np\nfrom skimage.feature import peak_local_max\nm = peak_local_max(d, indices=False, min_distance=2)\n",
            ("TypeError", "peak_local_max() got an unexpected keyword argument 'indices'"),
            "import numpy as np\nfrom skimage.feature import peak_local_max\nm = np.isin(np.arange(d.size).reshape(d.shape), np.ravel_multi_index(peak_local_max(d, min_distance=2).T, d.shape))\n",
        ),
    )
    .certain(),
    Rule::new(
        "skimage-circle",
        ("scikit-image", "0.19"),
        "draw.circle is draw.disk, which takes the centre as a pair",
        Trigger::Error(&[
            sig("ImportError", "cannot import name 'circle' from 'skimage.draw"),
            sig("AttributeError", "module 'skimage.draw' has no attribute 'circle'"),
        ]),
        Rewrite::Code(circle),
        example(
            "from skimage.draw import circle\nrr, cc = circle(4, 5, 3, (9, 9))\n",
            ("ImportError", "cannot import name 'circle' from 'skimage.draw' (__init__.py)"),
            "from skimage.draw import disk as circle\nrr, cc = circle((4, 5), 3, shape=(9, 9))\n",
        ),
    )
    .certain(),
    Rule::new(
        "skimage-plot-matches",
        ("scikit-image", "0.25"),
        "plot_matches is plot_matched_features, which takes the axes by name",
        Trigger::Error(&[
            sig("ImportError", "cannot import name 'plot_matches' from 'skimage.feature'"),
            sig("AttributeError", "module 'skimage.feature' has no attribute 'plot_matches'"),
        ]),
        Rewrite::Code(plot_matches),
        example(
            "from skimage.feature import plot_matches\nplot_matches(ax, a, b, p, q, matches)\n",
            ("ImportError", "cannot import name 'plot_matches' from 'skimage.feature' (__init__.py)"),
            "from skimage.feature import plot_matched_features as plot_matches\nplot_matches(a, b, keypoints0=p, keypoints1=q, matches=matches, ax=ax)\n",
        ),
    )
    .certain(),
    Rule::new(
        "skimage-translation-arguments",
        ("scikit-image", "0.17"),
        "phase_cross_correlation takes all but the images by name",
        Trigger::Error(&[sig("TypeError", "phase_cross_correlation() takes 2 positional arguments")]),
        Rewrite::Positional(&[
            positional(skimage("phase_cross_correlation"), &["reference_image", "moving_image", "upsample_factor"], 2),
        ]),
        example(
            "from skimage.registration import phase_cross_correlation as register\nshift, error, phase = register(a, b, 100)\n",
            ("TypeError", "phase_cross_correlation() takes 2 positional arguments but 3 were given"),
            "from skimage.registration import phase_cross_correlation as register\nshift, error, phase = register(a, b, upsample_factor=100)\n",
        ),
    ),
    Rule::new(
        "skimage-no-channels",
        ("scikit-image", "0.19"),
        "a gray image has no axis of channels, and functions that expect one must be told so",
        Trigger::Error(&[sig("ValueError", "channel_axis=-1 indicates multichannel, which is not supported")]),
        Rewrite::Code(no_channels),
        example(
            "from skimage.segmentation import slic\ns = slic(gray, 2, 0.1)\n",
            ("ValueError", "channel_axis=-1 indicates multichannel, which is not supported for a two-dimensional image"),
            "from skimage.segmentation import slic\ns = slic(gray, 2, 0.1, channel_axis=None)\n",
        ),
    ),
    Rule::new(
        "skimage-marching-cubes",
        ("scikit-image", "0.19"),
        "marching cubes are one function; the classic method gave corners and faces alone",
        Trigger::Error(&[
            sig("AttributeError", "attribute marching_cubes_"),
            sig("AttributeError", "module 'skimage* has no attribute 'marching_cubes_"),
            sig("ImportError", "cannot import name 'marching_cubes_*' from 'skimage.measure"),
            sig("ValueError", "too many values to unpack (expected 2"),
        ]),
        Rewrite::Code(marching_cubes),
        example(
            "from skimage import measure\nv, f, n, w = measure.marching_cubes_lewiner(a, 0.5, (1, 1, 2))\n",
            ("AttributeError", "No skimage.measure attribute marching_cubes_lewiner"),
            "from skimage import measure\nv, f, n, w = measure.marching_cubes(a, 0.5, spacing=(1, 1, 2))\n",
        ),
    )
    .shift("the classic method puts the same surface together of other triangles"),
    Rule::new(
        "skimage-options",
        ("scikit-image", "0.19"),
        "multichannel is channel_axis, also among the options that a function hands on",
        Trigger::Error(&[sig("TypeError", "got an unexpected keyword argument 'multichannel'")]),
        Rewrite::Code(options),
        example(
            "from skimage.restoration import cycle_spin, denoise_tv_chambolle\noptions = dict(multichannel=False, weight=0.1)\nb = cycle_spin(a, func=denoise_tv_chambolle, max_shifts=1, func_kw=options)\n",
            ("TypeError", "denoise_tv_chambolle() got an unexpected keyword argument 'multichannel'"),
            "from skimage.restoration import cycle_spin, denoise_tv_chambolle\noptions = dict(weight=0.1)\nb = cycle_spin(a, func=denoise_tv_chambolle, max_shifts=1, func_kw=options)\n",
        ),
    ),
    Rule::new(
        "skimage-gray-is-gray",
        ("scikit-image", "0.19"),
        "rgb2gray takes images with colours only, and no longer lets gray ones pass",
        Trigger::Error(&[sig("ValueError", "the input array must have size 3 along `channel_axis`, got")]),
        Rewrite::Code(gray_is_gray),
        example(
            "from skimage import color\na = color.rgb2gray(image)\nb = color.rgb2gray(load('x.png'))\n",
            ("ValueError", "the input array must have size 3 along `channel_axis`, got (303, 384)"),
            "from skimage import color\na = (color.rgb2gray(image) if image.ndim > 2 else image)\nb = (lambda image: color.rgb2gray(image) if image.ndim > 2 else image)(load('x.png'))\n",
        ),
    ),
];

fn marching_cubes(view: &View<'_>, change: &mut Change<'_>) {
    let new = "skimage.measure.marching_cubes";
    moves::apply(
        &[("skimage.measure.marching_cubes_lewiner", new), ("skimage.measure.marching_cubes_classic", new)],
        view,
        change,
    );
    view.calls(|place, call, around| {
        let dotted = view.qualified(&call.func).filter(|dotted| dotted.starts_with("skimage."));
        let is_of_two = || match around.statement() {
            Stmt::Assign(assign) => {
                let [target] = &assign.targets[..] else { return false };
                let are_two = shape::elements(target).is_some_and(|names| names.len() == 2);
                are_two && assign.value.range() == call.range() && view.at_fault(place, call.range())
            }
            _ => false,
        };
        let is_classic = match dotted.as_deref().and_then(|dotted| dotted.rsplit('.').next()) {
            Some("marching_cubes_lewiner") => false,
            Some("marching_cubes_classic") => true,
            Some("marching_cubes") if is_of_two() => true,
            _ => return,
        };
        let mut edit = CallEdit::new(view.parsed(place), call);
        let names = ["spacing", "gradient_direction", "step_size", "allow_degenerate", "use_classic", "mask"];
        for (number, name) in edit.positional().into_iter().skip(2).zip(names) {
            edit.name(number, name);
        }
        if is_classic && edit.find("method").is_none() {
            edit.append("method='lorensen'");
        } else if let Some(number) = edit.find("use_classic") {
            match shape::boolean(edit.value(number)) {
                Some(true) => edit.set(number, "method='lorensen'"),
                _ => edit.remove(number),
            }
        }
        let mut edits = edit.finish();
        if is_classic {
            edits.push(insertion(call.end(), "[:2]"));
        }
        change.edit(place, call.start(), edits);
    });
}

/// What became of the keyword that says whether there is an axis of channels.
static CHANNELS: [KeywordChange; 2] = [
    keyword(skimage("*"), "multichannel", Fate::RemovedWhen("False")),
    keyword(skimage("*"), "multichannel", Fate::WrittenWhen("True", "channel_axis=-1")),
];

fn options(view: &View<'_>, change: &mut Change<'_>) {
    let rows: Vec<&KeywordChange> = CHANNELS.iter().collect();
    view.calls(|place, call, _| {
        if !view.qualified(&call.func).is_some_and(|dotted| dotted.starts_with("skimage.")) {
            return;
        }
        for given in call.arguments.keywords.iter().filter(|keyword| keyword.arg.is_some()) {
            let named = shape::name(&given.value).and_then(|name| view.only_value(name));
            let (place, value) = named.unwrap_or((place, &given.value));
            match value {
                Expr::Dict(dict) => change_items(&rows, dict, place, view, change),
                Expr::Call(made) if shape::name(&made.func) == Some("dict") => {
                    let mut edit = CallEdit::new(view.parsed(place), made);
                    rows.iter().for_each(|row| change_one(row, &mut edit));
                    change.edit(place, made.start(), edit.finish());
                }
                _ => {}
            }
        }
    });
}

/// A mask of the image's shape, where the image has a name.
fn peaks_mask(view: &View<'_>, change: &mut Change<'_>) {
    view.calls(|place, call, _| {
        if !view.is_call_of(skimage("peak_local_max"), place, call) {
            return;
        }
        let parsed = view.parsed(place);
        let mut edit = CallEdit::new(parsed, call);
        let Some(number) = edit.find("indices") else { return };
        let gives_indices = shape::boolean(edit.value(number));
        edit.remove(number);
        match (gives_indices, call.arguments.args.first().and_then(shape::name)) {
            (Some(true), _) => {
                change.edit(place, call.start(), edit.finish());
            }
            (Some(false), Some(image)) => {
                let np =
                    ["isin", "arange", "ravel_multi_index"].map(|name| change.spell(place, &format!("numpy.{name}")));
                let peaks = format!("{}({})", parsed.text(call.func.range()), edit.render());
                let text = format!(
                    "{}({}({image}.size).reshape({image}.shape), {}({peaks}.T, {image}.shape))",
                    np[0], np[1], np[2]
                );
                change.replace(place, call.range(), text);
            }
            _ => {}
        }
    });
}

/// All calls or none: what is imported is one function for all of them.
fn circle(view: &View<'_>, change: &mut Change<'_>) {
    let (mut calls, mut is_all) = (Vec::new(), true);
    view.calls(|place, call, _| {
        if !view.is_call_of(skimage("circle"), place, call) {
            return;
        }
        let mut edit = CallEdit::new(view.parsed(place), call);
        let positional = edit.positional();
        let [row, column, _, ..] = positional[..] else { return is_all = false };
        let (centre, shape) = (format!("({}, {})", edit.value_text(row), edit.value_text(column)), positional.get(3));
        edit.set(row, centre);
        edit.remove(column);
        if let Some(shape) = shape {
            edit.name(*shape, "shape");
        }
        calls.push((place, call.range().start(), edit.finish()));
    });
    if is_all {
        moves::apply(&[("skimage.draw.circle", "skimage.draw.disk")], view, change);
        for (place, start, edits) in calls {
            change.edit(place, start, edits);
        }
    }
}

fn plot_matches(view: &View<'_>, change: &mut Change<'_>) {
    moves::apply(&[("skimage.feature.plot_matches", "skimage.feature.plot_matched_features")], view, change);
    view.calls(|place, call, _| {
        if !view.is_call_of(skimage("plot_matches"), place, call) {
            return;
        }
        let mut edit = CallEdit::new(view.parsed(place), call);
        let [axes, _, _, named @ ..] = &edit.positional()[..] else { return };
        let axes_text = format!("ax={}", edit.value_text(*axes));
        edit.remove(*axes);
        for (number, name) in
            named.iter().zip(["keypoints0", "keypoints1", "matches", "keypoints_color", "matches_color"])
        {
            edit.name(*number, name);
        }
        edit.append(axes_text);
        change.edit(place, call.range().start(), edit.finish());
    });
}

fn no_channels(view: &View<'_>, change: &mut Change<'_>) {
    view.calls(|place, call, _| {
        let is_told = shape::keyword(call, "channel_axis").is_some() || shape::has_stars(call);
        if !is_told && view.is_call_of(skimage("slic"), place, call) && view.at_fault(place, call.range()) {
            let mut edit = CallEdit::new(view.parsed(place), call);
            edit.append("channel_axis=None");
            change.edit(place, call.range().start(), edit.finish());
        }
    });
}

fn gray_is_gray(view: &View<'_>, change: &mut Change<'_>) {
    view.calls(|place, call, around| {
        let guarded = matches!(around.parent(), Some(Expr::If(_) | Expr::Lambda(_)));
        if guarded || !view.is_call_of(skimage("rgb2gray"), place, call) || !view.at_fault(place, call.range()) {
            return;
        }
        let [argument] = &call.arguments.args[..] else { return };
        if !call.arguments.keywords.is_empty() {
            return;
        }
        let parsed = view.parsed(place);
        let (function, value) = (parsed.text(call.func.range()), parsed.text(argument.range()));
        let text = match shape::name(argument) {
            Some(name) => format!("({function}({name}) if {name}.ndim > 2 else {name})"),
            None => format!("(lambda image: {function}(image) if image.ndim > 2 else image)({value})"),
        };
        change.replace(place, call.range(), text);
    });
}

fn similarity_range(view: &View<'_>, change: &mut Change<'_>) {
    view.calls(|place, call, _| {
        let is_it =
            view.is_call_of(skimage("structural_similarity"), place, call) && view.at_fault(place, call.range());
        if is_it && shape::keyword(call, "data_range").is_none() {
            let mut edit = CallEdit::new(view.parsed(place), call);
            edit.append("data_range=2");
            change.edit(place, call.range().start(), edit.finish());
        }
    });
}

fn text_size(view: &View<'_>, change: &mut Change<'_>) {
    view.calls(|place, call, _| {
        let Some((attribute, method)) = shape::method(call) else { return };
        let (new, origin) = match method {
            "getsize" => ("getbbox", ""),
            "textsize" => ("textbbox", "(0, 0), "),
            _ => return,
        };
        // `os.path.getsize` is another thing.
        if view.qualified(&call.func).is_some() || method == "getsize" && !view.at_fault(place, call.range()) {
            return;
        }
        let receiver = receiver_text(view.parsed(place), attribute);
        let rest = CallEdit::new(view.parsed(place), call).render();
        change.replace(place, call.range(), format!("{receiver}.{new}({origin}{rest})[2:]"));
    });
}
