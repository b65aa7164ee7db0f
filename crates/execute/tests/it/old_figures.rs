//! Figures of libraries that are older than the kernel.

use nbrevive_environment::Environment;
use nbrevive_execute::Execution;
use nbrevive_notebook::{Output, PythonVersion};

use crate::kernel::{kernel_in, notebook, run_by, settings};
use crate::trial::environment;

/// What drew figures in 2016.
const OF_2016: [(&str, &str, &str); 7] = [
    ("cycler", "0.10.0", ""),
    ("matplotlib", "1.5.3", ""),
    ("numpy", "1.11.3", ""),
    ("pyparsing", "2.1.10", ""),
    ("python-dateutil", "2.6.0", ""),
    ("pytz", "2016.10", ""),
    ("six", "1.10.0", ""),
];

/// What drew them in 2019, when Jupyter chose their size.
const OF_2019: [(&str, &str, &str); 7] = [
    ("cycler", "0.10.0", ""),
    ("kiwisolver", "1.1.0", ""),
    ("matplotlib", "3.1.0", ""),
    ("numpy", "1.16.4", ""),
    ("pyparsing", "2.4.0", ""),
    ("python-dateutil", "2.8.0", ""),
    ("six", "1.12.0", ""),
];

fn run(environment: &Environment, cells: &[&str]) -> Execution {
    run_by(&kernel_in(environment), &notebook(cells), &settings()).execution
}

#[test]
fn a_figure_of_matplotlib_1_is_shown_although_the_kernel_asks_for_functions_of_2() {
    let Some(environment) = environment(PythonVersion::new(2, 7), &OF_2016) else { return };
    let cells = [
        "%matplotlib inline\nimport matplotlib.pyplot as plt",
        "plt.plot([1, 2, 3]);",
        "import matplotlib\nassert not hasattr(matplotlib.colors, 'to_rgba')",
    ];
    let ran = run(&environment, &cells);
    assert!(ran.is_error_free(), "{:?}", ran.first_error());
    let outputs = ran.notebook.cells[1].outputs();
    assert!(matches!(outputs, [Output::DisplayData { data, .. }] if data.contains_key("image/png")), "{outputs:?}");
}

#[test]
fn a_figure_has_the_size_that_jupyter_gave_it_in_its_time() {
    let Some(environment) = environment(PythonVersion::new(3, 7), &OF_2019) else { return };
    let cells = [
        "%matplotlib inline\nimport matplotlib.pyplot as plt\nplt.rcParams['figure.figsize'], plt.rcParams['figure.dpi']",
    ];
    let ran = run(&environment, &cells);
    let outputs = ran.notebook.cells[0].outputs();
    let told = |data: &serde_json::Map<String, serde_json::Value>| data["text/plain"] == "([6.0, 4.0], 72.0)";
    assert!(matches!(outputs, [Output::ExecuteResult { data, .. }] if told(data)), "{outputs:?}");
}
