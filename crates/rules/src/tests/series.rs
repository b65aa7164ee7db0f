//! Rules of statsmodels, and of names that numpy, scipy and imbalanced-learn took away, beyond their examples.

use super::*;

#[test]
fn what_scipy_never_had_is_not_asked_of_numpy() {
    let error = ("AttributeError", "Module 'scipy' has no attribute 'face'");
    assert_eq!(mended("import scipy as sp\nf = sp.face(gray=True)\n", error), None);
    let error = ("AttributeError", "Module 'scipy' has no attribute 'hstack'");
    assert!(mended("import scipy as sp\nf = sp.hstack([a, b])\n", error).is_some());
}

#[test]
fn types_are_asked_for_by_what_numpy_keeps() {
    let error = ("AttributeError", "`np.cast` was removed in the NumPy 2.0 release.");
    let source = "import numpy as np\na = np.cast['f'](x)\nb = np.nbytes[np.int32]\nc = np.find_common_type([], [np.int8, float])\nnp.disp('done')\nt = np.fastCopyAndTranspose(a)\n";
    insta::assert_snapshot!(mended(source, error).unwrap(), @"
    import numpy as np
    a = np.asarray(x).astype('f')
    b = np.dtype(np.int32).itemsize
    c = np.result_type(*[], *[np.int8, float])
    print('done')
    t = np.transpose(a).copy()
    ");
    let both = mended("import numpy as np\nc = np.find_common_type([np.float32], [np.int64])\n", error).unwrap();
    assert!(both.ends_with("c = numpy_find_common_type([np.float32], [np.int64])\n"), "{both}");
}

#[test]
fn windows_are_found_however_they_are_reached() {
    let error = ("AttributeError", "Module 'scipy.signal' has no attribute 'tukey'");
    let source = "import scipy.signal\nfrom scipy import signal\nfrom scipy.signal import parzen, welch\na = scipy.signal.tukey(5)\nb = signal.general_gaussian(5, 1, 2)\n";
    insta::assert_snapshot!(mended(source, error).unwrap(), @"
    import scipy.signal
    from scipy import signal
    from scipy.signal import welch; from scipy.signal.windows import parzen
    a = signal.windows.tukey(5)
    b = signal.windows.general_gaussian(5, 1, 2)
    ");
}

#[test]
fn kinds_that_are_told_by_a_name_are_chosen_when_it_runs() {
    let error = ("TypeError", "SMOTE.__init__() got an unexpected keyword argument 'kind'");
    let source = "from imblearn.over_sampling import SMOTE\nsm = [SMOTE(kind=k, random_state=0) for k in kinds]\n";
    let after = mended(source, error).unwrap();
    assert!(after.ends_with("sm = [smote_of_kind(kind=k, random_state=0) for k in kinds]\n"), "{after}");
}
