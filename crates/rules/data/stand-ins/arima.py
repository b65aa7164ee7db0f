    """What statsmodels had before 0.13: fitted values and predictions of the differenced series, forecasts with their errors and bounds."""

    def __init__(self, endog, order, exog=None, dates=None, freq=None, missing='none'):
        self.endog, self.order, self.exog = endog, tuple(order), exog

    def fit(self, start_params=None, trend='c', **options):
        import numpy as np
        import pandas as pd
        from statsmodels.graphics.tsaplots import plot_predict as draw
        from statsmodels.tsa.arima.model import ARIMA as Model
        p, d, q = self.order if len(self.order) == 3 else (self.order[0], 0, self.order[1])
        is_labelled = isinstance(self.endog, (pd.Series, pd.DataFrame))
        series = pd.Series(np.ravel(self.endog).astype(float), self.endog.index if is_labelled else None)
        fitted = Model(self.endog, self.exog, (p, d, q), trend=[0] * d + [1] if trend == 'c' else 'n').fit()

        def base(values):
            differences = pd.Series(values)
            for _ in range(d):
                differences = differences.diff()
            return np.asarray(values) - differences.to_numpy()

        def as_given(values):
            return values if is_labelled else values.to_numpy()

        class Fitted:
            fittedvalues = as_given((np.ravel(fitted.fittedvalues) - base(series) + 0 * series).iloc[d:])
            resid = as_given((series - np.ravel(fitted.fittedvalues)).iloc[d:])

            # The variance of the errors was no parameter.
            params, bse, tvalues, pvalues = fitted.params[:-1], fitted.bse[:-1], fitted.tvalues[:-1], fitted.pvalues[:-1]
            sigma2 = np.asarray(fitted.params)[-1]
            aic, bic, hqic, llf, nobs, model = fitted.aic, fitted.bic, fitted.hqic, fitted.llf, fitted.nobs, fitted.model
            arparams, maparams, conf_int, summary = fitted.arparams, fitted.maparams, fitted.conf_int, fitted.summary

            def forecast(self, steps=1, exog=None, alpha=0.05):
                shown = fitted.get_forecast(steps, exog=exog)
                return tuple(map(np.asarray, (shown.predicted_mean, shown.se_mean, shown.conf_int(alpha=alpha))))

            def predict(self, start=None, end=None, exog=None, typ='linear', dynamic=False):
                start = d if start is None else start
                levels = fitted.predict(start, end, exog=exog, dynamic=dynamic)
                if typ == 'levels' or d == 0:
                    return levels
                first = start if isinstance(start, int) else series.index.get_indexer([pd.Timestamp(start)])[0]
                first = first if first >= 0 else len(series)
                whole = np.concatenate([series, np.ravel(fitted.forecast(len(levels) + first))])
                return levels - base(whole)[first:first + len(levels)]

            def plot_predict(self, start=None, end=None, exog=None, dynamic=False, alpha=0.05, plot_insample=True, ax=None):
                figure = draw(fitted, start, end, dynamic=dynamic, alpha=alpha, ax=ax)
                if plot_insample:
                    figure.axes[0].plot(series.loc[start:] if is_labelled else series)
                return figure

        return Fitted()
