(data, cmin=None, cmax=None, high=255, low=0):
    """What SciPy had before 1.2: an array scaled to bytes."""
    import numpy as np
    if data.dtype == np.uint8:
        return data
    least, most = data.min() if cmin is None else cmin, data.max() if cmax is None else cmax
    data = (data - least) * (float(high - low) / ((most - least) or 1)) + low
    return (data.clip(low, high) + 0.5).astype(np.uint8)
