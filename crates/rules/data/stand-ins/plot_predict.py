def plot_arima_predict(fitted, start=None, end=None, exog=None, dynamic=False, alpha=0.05, plot_insample=True, ax=None):
    """What statsmodels had before 0.13: predictions, the bounds of those beyond the series, and the series."""
    import numpy as np
    from statsmodels.graphics.tsaplots import plot_predict
    options = {} if exog is None else {'exog': exog}
    figure = plot_predict(fitted, start, end, dynamic=dynamic, alpha=None, ax=ax, **options)
    axes = figure.axes[0] if ax is None else ax
    x = axes.get_lines()[-1].get_xdata()
    first, last, beyond, _ = fitted.model._get_prediction_index(start, end)
    if beyond:
        bounds = fitted.get_prediction(start, end, dynamic=dynamic, **options).conf_int(alpha=alpha)
        low, high = np.asarray(bounds)[-beyond:].T
        axes.fill_between(x[-beyond:], low, high, color='gray', alpha=0.5, label='{0:.0%} confidence interval'.format(1 - alpha))
    if plot_insample:
        series = np.ravel(fitted.model.endog)[first:last + 1]
        axes.plot(x[:len(series)], series, label=fitted.model.endog_names)
    axes.legend(loc='best')
    return figure
