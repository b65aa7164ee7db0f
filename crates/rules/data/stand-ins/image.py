    import numpy as np
    from PIL import Image

    def image(data, high=255, low=0, cmin=None, cmax=None, mode=None, channel_axis=None):
        data = np.asarray(data)
        if data.ndim == 3:
            channels = [axis for count in (3, 4) for axis in range(3) if data.shape[axis] == count]
            data = np.moveaxis(data, channels[0] if channel_axis is None else channel_axis, 2)
        if mode == 'F':
            return Image.fromarray(data.astype(np.float32))
        if data.dtype != np.uint8:
            least, most = data.min() if cmin is None else cmin, data.max() if cmax is None else cmax
            data = (data - least) * (float(high - low) / ((most - least) or 1)) + low
            data = (data.clip(low, high) + 0.5).astype(np.uint8)
        usual = 'L' if data.ndim == 2 else {3: 'RGB', 4: 'RGBA'}[data.shape[2]]
        return Image.frombytes(mode or usual, data.shape[1::-1], data.tobytes())
