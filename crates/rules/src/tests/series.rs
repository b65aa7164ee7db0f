//! Rules of statsmodels, and of names that numpy, scipy and imbalanced-learn took away, beyond their examples.

use super::*;

const GONE: (&str, &str) = ("AttributeError", "module 'statsmodels.tsa.api' has no attribute 'ARMA'");

#[test]
fn a_model_is_told_of_a_constant_where_it_is_made() {
    let source =
        "import statsmodels.api as sm\nm = sm.tsa.ARMA(y, order=(2, 2))\nr = m.fit(trend='nc', disp=-1, maxiter=50)\n";
    insta::assert_snapshot!(mended(source, GONE).unwrap(), @"
    import statsmodels.api as sm
    m = sm.tsa.ARIMA(y, order=(2, 0, 2), trend='n')
    r = m.fit(method_kwargs={'maxiter': 50})
    ");
    let removed =
        ("NotImplementedError", "statsmodels.tsa.arima_model.ARMA and statsmodels.tsa.arima_model.ARIMA have");
    let source = "from statsmodels.tsa.arima_model import ARIMA, ARMAResults\na = ARIMA(y, (1, 1, 1), freq='D').fit()\nb = ARIMA(y, order=order).fit(disp=0)\nc = ARIMA(y, order=(1, d, 1)).fit(trend='nc')\n";
    insta::assert_snapshot!(mended(source, removed).unwrap(), @"
    from statsmodels.tsa.arima.model import ARIMA, ARIMAResults as ARMAResults
    a = ARIMA(y, order=(1, 1, 1), freq='D', trend='t').fit()
    b = ARIMA(y, order=order, trend=[0] * order[1] + [1]).fit()
    c = ARIMA(y, order=(1, d, 1), trend='n').fit()
    ");
}

#[test]
fn models_of_today_are_left_alone() {
    let source = "import statsmodels.api as sm\nm = sm.tsa.ARIMA(y, order=(2, 1, 2)).fit(method='innovations_mle')\nn = sm.tsa.ARMA(y, (1, 0)).fit()\nsmooth = sm.tsa.Holt(y, initialization_method='estimated').fit()\nf = smooth.forecast(3)[0]\n";
    insta::assert_snapshot!(mended(source, GONE).unwrap(), @"
    import statsmodels.api as sm
    m = sm.tsa.ARIMA(y, order=(2, 1, 2)).fit(method='innovations_mle')
    n = sm.tsa.ARIMA(y, order=(1, 0, 0)).fit()
    smooth = sm.tsa.Holt(y, initialization_method='estimated').fit()
    f = smooth.forecast(3)[0]
    ");
}

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

#[test]
fn tests_of_ljung_and_box_are_arrays_where_they_are_told_apart() {
    let source = "from statsmodels.stats.diagnostic import acorr_ljungbox\np = acorr_ljungbox(e, lags=5)[1]\nboth = acorr_ljungbox(e, lags=5)\nq = both[1]\ntable = acorr_ljungbox(e, lags=5)\nprint(table, table[0])\n";
    insta::assert_snapshot!(mended_silently(source).unwrap(), @"
    from statsmodels.stats.diagnostic import acorr_ljungbox
    p = acorr_ljungbox(e, lags=5).to_numpy().T[1]
    both = acorr_ljungbox(e, lags=5).to_numpy().T
    q = both[1]
    table = acorr_ljungbox(e, lags=5)
    print(table, table[0])
    ");
}
