//! What changed in imbalanced-learn.

use nbrevive_pysource::ast::{Expr, Stmt};
use nbrevive_pysource::text_size::Ranged;

use crate::call::CallEdit;
use crate::change::{Change, replacement};
use crate::keywords::{Fate, keyword};
use crate::methods::renamed;
use crate::positional::positional;
use crate::receiver::{Callee, On};
use crate::rule::{Rewrite, Rule, Trigger, example};
use crate::shape;
use crate::signature::sig;
use crate::stand_ins::{StandIn, write_out};
use crate::view::{Place, View};
use crate::{moves, walk};

pub(crate) static TABLES: &[&[Rule]] = &[RULES];

const fn imblearn(name: &'static str) -> Callee {
    Callee::Function("imblearn", name)
}

/// The sampler under a name, before what follows it.
macro_rules! easy_ensemble {
    ($name:literal, $rest:literal) => {
        concat!(
            "class ",
            $name,
            ":\n",
            "    \"\"\"What imbalanced-learn had before 0.6: several samples without the surplus of the larger classes.\"\"\"\n",
            "\n",
            "    def __init__(self, sampling_strategy='auto', return_indices=False, random_state=None, replacement=False, n_subsets=10, ratio=None):\n",
            "        self.options = {'sampling_strategy': sampling_strategy if ratio is None else ratio, 'replacement': replacement}\n",
            "        self.return_indices, self.random_state, self.n_subsets = return_indices, random_state, n_subsets\n",
            "\n",
            "    def fit_resample(self, X, y):\n",
            "        import numpy as np\n",
            "        from imblearn.under_sampling import RandomUnderSampler\n",
            "        from sklearn.utils import check_random_state\n",
            "        random, drawn, indices = check_random_state(self.random_state), [], []\n",
            "        for _ in range(self.n_subsets):\n",
            "            sampler = RandomUnderSampler(random_state=random.randint(np.iinfo(np.int32).max), **self.options)\n",
            "            drawn.append(sampler.fit_resample(np.asarray(X), np.asarray(y)))\n",
            "            indices.append(sampler.sample_indices_)\n",
            "        self.sample_indices_ = np.array(indices)\n",
            "        samples = np.array([x for x, _ in drawn]), np.array([y for _, y in drawn])\n",
            "        return samples + (self.sample_indices_,) if self.return_indices else samples\n",
            "\n",
            "    fit_sample = fit_resample",
            $rest
        )
    };
}

static RULES: &[Rule] = &[
    Rule::new(
        "imblearn-fit-sample",
        ("imbalanced-learn", "0.8"),
        "fit_sample is fit_resample",
        Trigger::Error(&[sig("AttributeError", "object has no attribute 'fit_sample'")]),
        Rewrite::Method(&[renamed(On::Any, "fit_sample", "fit_resample")]),
        example(
            "a, b = sampler.fit_sample(X, y)\n",
            ("AttributeError", "'SMOTE' object has no attribute 'fit_sample'"),
            "a, b = sampler.fit_resample(X, y)\n",
        ),
    )
    .certain(),
    Rule::new(
        "imblearn-sample-indices",
        ("imbalanced-learn", "0.6"),
        "samplers return two things, and keep the indices of the samples as sample_indices_",
        Trigger::Error(&[sig("ValueError", "not enough values to unpack (expected 3, got 2)")]),
        Rewrite::Code(sample_indices),
        example(
            "a, b, kept = tl.fit_resample(X, y)\n",
            ("ValueError", "not enough values to unpack (expected 3, got 2)"),
            "a, b = tl.fit_resample(X, y); kept = tl.sample_indices_\n",
        ),
    ),
    Rule::new(
        "imblearn-smote-kinds",
        ("imbalanced-learn", "0.6"),
        "the kinds of SMOTE are classes",
        Trigger::Error(&[sig("TypeError", "SMOTE.__init__() got an unexpected keyword argument")]),
        Rewrite::Code(smote_kinds),
        example(
            "from imblearn.over_sampling import SMOTE\ns = SMOTE(kind='borderline1', random_state=0)\nt = SMOTE(kind='svm')\n",
            ("TypeError", "SMOTE.__init__() got an unexpected keyword argument 'kind'"),
            "from imblearn.over_sampling import BorderlineSMOTE\nfrom imblearn.over_sampling import SVMSMOTE\nfrom imblearn.over_sampling import SMOTE\ns = BorderlineSMOTE(kind='borderline-1', random_state=0)\nt = SVMSMOTE()\n",
        ),
    )
    .certain(),
    Rule::new(
        "imblearn-parameters",
        ("imbalanced-learn", "0.6"),
        "parameters of samplers were renamed or removed",
        Trigger::Error(&[sig("TypeError", "__init__() got an unexpected keyword argument")]),
        Rewrite::Keyword(&[
            keyword(imblearn("*"), "ratio", Fate::Renamed("sampling_strategy")),
            keyword(imblearn("*"), "return_indices", Fate::Removed),
            keyword(imblearn("SMOTE"), "n_jobs", Fate::Removed),
            keyword(imblearn("SMOTE"), "kind", Fate::RemovedWhen("regular")),
            keyword(imblearn("*"), "base_estimator", Fate::Renamed("estimator")),
            keyword(imblearn("TomekLinks"), "random_state", Fate::Removed),
            keyword(imblearn("NearMiss"), "random_state", Fate::Removed),
            keyword(imblearn("NearMiss"), "ver3_samp_ngh", Fate::Removed),
            keyword(imblearn("EditedNearestNeighbours"), "random_state", Fate::Removed),
            keyword(imblearn("RepeatedEditedNearestNeighbours"), "random_state", Fate::Removed),
            keyword(imblearn("AllKNN"), "random_state", Fate::Removed),
            keyword(imblearn("NeighbourhoodCleaningRule"), "random_state", Fate::Removed),
            keyword(imblearn("SMOTE"), "m_neighbors", Fate::Removed),
        ]),
        example(
            "from imblearn.over_sampling import SMOTE\ns = SMOTE(ratio=1.0, kind='regular', n_jobs=2)\n",
            ("TypeError", "SMOTE.__init__() got an unexpected keyword argument 'ratio'"),
            "from imblearn.over_sampling import SMOTE\ns = SMOTE(sampling_strategy=1.0)\n",
        ),
    )
    .certain(),
    Rule::new(
        "imblearn-positional",
        ("imbalanced-learn", "0.12.2"),
        "parameters of samplers must be named",
        Trigger::Error(&[sig("TypeError", "takes 1 positional argument but")]),
        Rewrite::Positional(&[
            positional(imblearn("SMOTE"), &["sampling_strategy", "random_state", "k_neighbors"], 0),
            positional(imblearn("RandomOverSampler"), &["sampling_strategy", "random_state"], 0),
            positional(imblearn("RandomUnderSampler"), &["sampling_strategy", "random_state"], 0),
        ]),
        example(
            "from imblearn.over_sampling import SMOTE\ns = SMOTE('minority')\n",
            ("TypeError", "SMOTE.__init__() takes 1 positional argument but 2 were given"),
            "from imblearn.over_sampling import SMOTE\ns = SMOTE(sampling_strategy='minority')\n",
        ),
    )
    .certain(),
    Rule::new(
        "imblearn-ensembles",
        ("imbalanced-learn", "0.6"),
        "EasyEnsemble, which drew several samples, was removed; it is one sampler several times",
        Trigger::Error(&[
            sig("ImportError", "from 'imblearn.ensemble'"),
            sig("AttributeError", "module 'imblearn.ensemble' has no attribute"),
        ]),
        Rewrite::Code(ensembles),
        example(
            "from imblearn.ensemble import EasyEnsemble, BalanceCascade\ne = EasyEnsemble(n_subsets=3)\n",
            ("ImportError", "cannot import name 'EasyEnsemble' from 'imblearn.ensemble' (__init__.py)"),
            easy_ensemble!("EasyEnsemble", "\ne = EasyEnsemble(n_subsets=3)\n"),
        ),
    )
    .certain(),
];

/// An ensemble that was a sampler is written out. What learned from its own mistakes has nothing in its place.
fn ensembles(view: &View<'_>, change: &mut Change<'_>) {
    let sampler =
        StandIn { module: "imblearn.ensemble", name: "EasyEnsemble", definition: easy_ensemble!("{name}", "") };
    write_out(&[sampler], view, change);
    moves::apply(&[("imblearn.ensemble.BalanceCascade", "")], view, change);
}

fn sample_indices(view: &View<'_>, change: &mut Change<'_>) {
    for (position, source) in view.code.cells.iter().enumerate() {
        let place = Place(position);
        walk::statements(source.parsed.body(), &mut |statement, _| {
            let Stmt::Assign(assign) = statement else { return };
            let ([Expr::Tuple(targets)], Expr::Call(call)) = (&assign.targets[..], assign.value.as_ref()) else {
                return;
            };
            let ([first, second, kept], Some((attribute, "fit_resample" | "fit_sample"))) =
                (&targets.elts[..], shape::method(call))
            else {
                return;
            };
            // The sampler is asked again, so it must be a plain name.
            let Some(sampler) = shape::name(&attribute.value) else { return };
            if !view.at_fault(place, statement.range()) {
                return;
            }
            let text = |expression: &Expr| source.parsed.text(expression.range());
            let (first, second, kept) = (text(first), text(second), text(kept));
            let call = text(&assign.value);
            change.replace(
                place,
                statement.range(),
                format!("{first}, {second} = {call}; {kept} = {sampler}.sample_indices_"),
            );
        });
    }
}

/// Where the kind is told by a name.
const OF_KIND: &str = "def smote_of_kind(kind='regular', **options):
    \"\"\"What imbalanced-learn had before 0.6: one class for all kinds of SMOTE.\"\"\"
    from imblearn.over_sampling import SMOTE, SVMSMOTE, BorderlineSMOTE
    if kind.startswith('borderline'):
        return BorderlineSMOTE(kind='borderline-' + kind[-1], **options)
    return SVMSMOTE(**options) if kind == 'svm' else SMOTE(**options)";

/// `SMOTE(kind='borderline1')` is `BorderlineSMOTE(kind='borderline-1')`.
fn smote_kinds(view: &View<'_>, change: &mut Change<'_>) {
    view.calls(|place, call, _| {
        if !view.is_call_of(imblearn("SMOTE"), place, call) {
            return;
        }
        let mut edit = CallEdit::new(view.parsed(place), call);
        let Some(kind) = edit.find("kind") else { return };
        if edit.value(kind).is_name_expr() {
            change.need_import(place, OF_KIND);
            change.replace(place, call.func.range(), "smote_of_kind");
            return;
        }
        let class = match shape::text(edit.value(kind)) {
            Some("borderline1") => {
                edit.set(kind, "kind='borderline-1'");
                "BorderlineSMOTE"
            }
            Some("borderline2") => {
                edit.set(kind, "kind='borderline-2'");
                "BorderlineSMOTE"
            }
            Some("svm") => {
                edit.remove(kind);
                "SVMSMOTE"
            }
            _ => return,
        };
        let name = change.spell(place, &format!("imblearn.over_sampling.{class}"));
        let mut edits = vec![replacement(call.func.range(), name)];
        edits.extend(edit.finish());
        change.edit(place, call.range().start(), edits);
    });
}
