//! Rules of numpy, scipy, matplotlib, scikit-learn and keras, beyond their examples.

use super::*;

#[test]
fn keywords_are_mended_where_the_dict_of_options_is_written() {
    let cells = [
        "import matplotlib.pyplot as plt\noptions = dict(alpha=0.5, normed=True)\nothers = {'normed': True}\nboth = dict(normed=True)\n",
        "plt.hist(x, **options)\nplt.hist(x, **others)\nplt.hist(x, **both)\ndraw(**both)\n",
    ];
    let notebook = notebook(&cells);
    let packages = BTreeMap::new();
    let unexpected = ("AttributeError", "Polygon.set() got an unexpected keyword argument 'normed'");
    let proposal = Rules.propose(&feedback(&notebook, errors_on_every_line(1, cells[1], unexpected), &packages));
    insta::assert_snapshot!(proposal.unwrap().notebook.cells[0].source, @"
    import matplotlib.pyplot as plt
    options = dict(alpha=0.5, density=True)
    others = {'density': True}
    both = dict(normed=True)
    ");
}

#[test]
fn axes_are_joined_however_they_are_handed_over() {
    let error = ("AttributeError", "'GrouperView' object has no attribute 'join'");
    let after = |source| mended(source, error);
    assert_eq!(after("a.get_shared_y_axes().join(a, b, c)\n").as_deref(), Some("b.sharey(a); c.sharey(a)\n"));
    assert_eq!(
        after("a.get_shared_x_axes().join(*axes)\n").as_deref(),
        Some("[other.sharex(axes[0]) for other in axes[1:]]\n")
    );
    assert_eq!(after("a.get_shared_x_axes().join(a)\n"), None);
}

#[test]
fn an_artist_that_is_taken_from_its_list_for_use_is_left_alone() {
    let error = ("AttributeError", "'ArtistList' object has no attribute 'pop'");
    assert_eq!(mended("ax.lines.pop(0)\n", error).as_deref(), Some("ax.lines[0].remove()\n"));
    assert_eq!(mended("line = ax.lines.pop(0)\n", error), None);
}

#[test]
fn what_floats_lack_is_mended_where_it_is_what_they_lack() {
    let source = "import numpy as np\nm = score(a).round(2)\nn = length(t).mean()\n";
    let lacks =
        |name: &str| mended(source, ("AttributeError", &format!("'float' object has no attribute '{name}'")[..]));
    insta::assert_snapshot!(lacks("round").unwrap(), @"
    import numpy as np
    m = np.round(score(a), 2)
    n = length(t).mean()
    ");
    assert_eq!(lacks("lower"), None);
}

#[test]
fn the_backend_that_tensorflow_keeps_and_rates_of_others_are_left_alone() {
    let error = ("AttributeError", "module 'keras.backend' has no attribute 'int_shape'");
    assert_eq!(mended("from tensorflow.keras import backend as K\ns = K.int_shape(x)\nm = K.mean(x)\n", error), None);
    let elsewhere = ("AttributeError", "'Run' object has no attribute 'rate'");
    assert_eq!(mended("r = run.optimizer.lr\nq = run.rate\n", elsewhere), None);
}

#[test]
fn sizes_of_samples_are_whole() {
    let float = ("TypeError", "'float' object cannot be interpreted as an integer");
    let source = "import numpy as np\na = np.random.rand(1e4, 1e2)\nb = np.random.normal(0.5, 1, 1e3)\nc = np.random.exponential(0.5, size=1e2)\n";
    insta::assert_snapshot!(mended(source, float).unwrap(), @"
    import numpy as np
    a = np.random.rand(int(1e4), int(1e2))
    b = np.random.normal(0.5, 1, int(1e3))
    c = np.random.exponential(0.5, size=int(1e2))
    ");
}

#[test]
fn a_grid_follows_the_model_that_was_wrapped() {
    let wrapped =
        ("ValueError", "Invalid parameter 'C' for estimator OneVsRestClassifier(estimator=LogisticRegression())");
    let source = "params = {\n    'tree': {'model': Tree(), 'grid': {'C': [9]}},\n    'logistic': {'model': OneVsRestClassifier(LogisticRegression()), 'grid': {'C': [1, 5]}},\n}\nsearch(params)\n";
    insta::assert_snapshot!(mended(source, wrapped).unwrap(), @"
    params = {
        'tree': {'model': Tree(), 'grid': {'C': [9]}},
        'logistic': {'model': OneVsRestClassifier(LogisticRegression()), 'grid': {'estimator__C': [1, 5]}},
    }
    search(params)
    ");
}

#[test]
fn a_name_that_is_put_into_a_library_keeps_its_place() {
    let source = "import numpy, scipy\nscipy.interp = numpy.interp\ny = scipy.interp(1, [0, 2], [0, 2])\n";
    let missing = ("AttributeError", "module 'scipy' has no attribute 'interp'");
    insta::assert_snapshot!(mended(source, missing).unwrap(), @r"
    import numpy, scipy
    scipy.interp = numpy.interp
    y = numpy.interp(1, [0, 2], [0, 2])
    ");
}

#[test]
fn a_model_that_a_function_is_handed_has_its_words_in_wv() {
    let source = "from gensim.models import word2vec\nm = word2vec.Word2Vec(s)\ndef f(model):\n    return set(model.index2word)\nf(m)\nv = m.wv.syn0\n";
    let after = mended(source, ("AttributeError", "'Word2Vec' object has no attribute 'index2word'")).unwrap();
    assert!(after.contains("set(model.wv.index_to_key)") && after.contains("v = m.wv.vectors"), "{after}");
}
