    """What SciPy had before 1.14: a spline through values on a grid, or at points."""

    def __init__(self, x, y, z, kind='linear', copy=True, bounds_error=False, fill_value=None):
        import numpy as np
        from scipy.interpolate import RectBivariateSpline, bisplrep
        degree = {'linear': 1, 'cubic': 3, 'quintic': 5}[kind]
        x, y, z = np.ravel(x).astype(float), np.ravel(y).astype(float), np.asarray(z, float)
        if z.size == len(x) * len(y):
            by_x, by_y = np.argsort(x), np.argsort(y)
            x, y, z = x[by_x], y[by_y], z.reshape(len(y), len(x))[np.ix_(by_y, by_x)]
            self.tck = (*RectBivariateSpline(x, y, z.T, kx=degree, ky=degree).tck, degree, degree)
        else:
            self.tck = bisplrep(x, y, z.ravel(), kx=degree, ky=degree, s=0)
        self.x, self.y, self.z = x, y, z
        self.bounds_error, self.fill_value = bounds_error, fill_value

    def __call__(self, x, y, dx=0, dy=0, assume_sorted=False):
        import numpy as np
        from scipy.interpolate import bisplev
        x, y = np.atleast_1d(x), np.atleast_1d(y)
        if x.ndim != 1 or y.ndim != 1:
            raise ValueError('x and y should both be 1-D arrays')
        if not assume_sorted:
            x, y = np.sort(x), np.sort(y)
        beyond_x, beyond_y = ((of < all.min()) | (of > all.max()) for of, all in ((x, self.x), (y, self.y)))
        if self.bounds_error and (beyond_x.any() or beyond_y.any()):
            raise ValueError('Values out of range')
        values = np.atleast_2d(bisplev(x, y, self.tck, dx, dy)).T
        if self.fill_value is not None:
            values[:, beyond_x] = values[beyond_y, :] = self.fill_value
        return values[0] if len(values) == 1 else values
