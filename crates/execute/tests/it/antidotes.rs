//! Antidotes in kernels of old libraries.

use nbrevive_environment::Environment;
use nbrevive_execute::Antidotes;
use nbrevive_notebook::PythonVersion;

use crate::kernel::{kernel_in, notebook, run_by, settings};
use crate::trial::environment;

/// What the last cell prints in two runs with the paper's antidotes.
fn printed(environment: &Environment, cells: &[&str]) -> [String; 2] {
    [1, 2].map(|run| {
        let kernel = Antidotes::paper().given_to(&kernel_in(environment), run);
        let ran = run_by(&kernel, &notebook(cells), &settings()).execution;
        assert!(ran.is_error_free(), "{:?}", ran.first_error());
        format!("{:?}", ran.notebook.cells[cells.len() - 1].outputs())
    })
}

#[test]
fn numpy_has_its_seed_in_python_2() {
    let Some(environment) = environment(PythonVersion::new(2, 7), &[("numpy", "1.15.0", "")]) else { return };
    let [first, second] = printed(&environment, &["import numpy\nprint(numpy.random.rand())"]);
    assert_eq!(first, second);
    // numpy.random.seed(100); numpy.random.rand()
    assert!(first.contains("0.543404941791"), "{first}");
}

#[test]
fn numpy_has_its_seed_in_python_3() {
    let Some(environment) = environment(PythonVersion::new(3, 7), &[("numpy", "1.16.4", "")]) else { return };
    let [first, second] = printed(&environment, &["import numpy\nprint(numpy.random.rand())"]);
    assert_eq!(first, second);
    assert!(first.contains("0.5434049417909654"), "{first}");
}

#[test]
fn tensorflow_of_before_it_had_a_module_for_it_has_its_seed() {
    let Some(environment) = environment(PythonVersion::new(3, 7), &[("numpy", "1.16.4", "")]) else { return };
    let like =
        "%%writefile tensorflow.py\ngiven = None\ndef set_random_seed(seed):\n    global given\n    given = seed";
    let [first, _] = printed(&environment, &[like, "import tensorflow\nprint('given', tensorflow.given)"]);
    assert!(first.contains("given 100"), "{first}");
}
