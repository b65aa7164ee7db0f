//! Data sets that statsmodels comes with, which were arrays and are frames.

use nbrevive_pysource::text_size::Ranged;

use crate::call::CallEdit;
use crate::change::{Change, insertion};
use crate::rule::{Rewrite, Rule, Trigger, example};
use crate::shape;
use crate::signature::sig;
use crate::view::View;

/// What makes arrays of a data set, before what follows it.
macro_rules! as_arrays {
    ($rest:literal) => {
        concat!(
            "def as_arrays(dataset):\n",
            "    \"\"\"What statsmodels loaded before 0.12: arrays and records in the place of frames.\"\"\"\n",
            "    import numpy as np\n",
            "    for name in ('endog', 'exog'):\n",
            "        if dataset.get(name) is not None:\n",
            "            dataset[name] = np.asarray(dataset[name])\n",
            "    dataset.data = dataset.data.to_records(index=False)\n",
            "    return dataset",
            $rest
        )
    };
}

pub(super) static RULES: &[Rule] = &[Rule::new(
    "statsmodels-datasets",
    ("statsmodels", "0.14.0"),
    "data sets are loaded as frames; they were arrays and records",
    Trigger::Error(&[
        sig("TypeError", "load() got an unexpected keyword argument 'as_pandas'"),
        sig("TypeError", "Passing a DataFrame to DataFrame.from_records is not supported"),
    ]),
    Rewrite::Code(as_arrays),
    example(
        "import statsmodels.api as sm\ndata = sm.datasets.spector.load(as_pandas=False)\n",
        ("TypeError", "load() got an unexpected keyword argument 'as_pandas'"),
        as_arrays!("\nimport statsmodels.api as sm\ndata = as_arrays(sm.datasets.spector.load())\n"),
    ),
)];

fn as_arrays(view: &View<'_>, change: &mut Change<'_>) {
    // Said of a frame by a notebook that was written for records.
    let is_taken_for_records = view.errors.iter().any(|error| error.evalue.contains("from_records"));
    view.calls(|place, call, around| {
        let is_load = view.qualified(&call.func).is_some_and(|dotted| {
            dotted.starts_with("statsmodels.") && dotted.contains("datasets.") && dotted.ends_with(".load")
        });
        let is_done = around.parent().and_then(|parent| parent.as_call_expr());
        if !is_load || is_done.is_some_and(|call| shape::name(&call.func) == Some("as_arrays")) {
            return;
        }
        let mut edit = CallEdit::new(view.parsed(place), call);
        let told = edit.find("as_pandas");
        let of_arrays = match told.map(|number| shape::boolean(edit.value(number))) {
            None => is_taken_for_records,
            Some(Some(frames)) => !frames,
            Some(None) => return,
        };
        if let Some(number) = told {
            edit.remove(number);
        }
        let mut edits = edit.finish();
        if of_arrays {
            change.need_import(place, as_arrays!(""));
            edits.extend([insertion(call.start(), "as_arrays("), insertion(call.end(), ")")]);
        }
        change.edit(place, call.start(), edits);
    });
}
