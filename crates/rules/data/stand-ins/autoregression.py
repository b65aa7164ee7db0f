    """What statsmodels had before 0.13: an autoregression, of as many lags as a rule of thumb says."""

    def __init__(self, endog, dates=None, freq=None, missing='none'):
        self.endog, self.options = endog, {'missing': missing}

    def fit(self, maxlag=None, method='cmle', ic=None, trend='c', **options):
        from statsmodels.tsa.ar_model import AutoReg, ar_select_order
        trend = trend.replace('nc', 'n')
        lags = maxlag or int(round(12 * (len(self.endog) / 100) ** 0.25))
        if ic is not None:
            lags = len(ar_select_order(self.endog, lags, ic=ic, trend=trend, **self.options).ar_lags or ())
        fitted = AutoReg(self.endog, lags, trend=trend, **self.options).fit()
        fitted.k_ar = lags
        return fitted
