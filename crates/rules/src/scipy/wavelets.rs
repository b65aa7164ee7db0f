//! Wavelets, which SciPy left to others.

use crate::change::Change;
use crate::rule::{Rewrite, Rule, Trigger, example};
use crate::signature::sig;
use crate::stand_ins::{StandIn, write_out};
use crate::view::View;

/// The wavelet that is the second derivative of a Gaussian, under a name.
macro_rules! ricker {
    ($name:literal) => {
        concat!(
            "def ", $name, "(points, a):\n",
            "    \"\"\"What SciPy had before 1.15: the second derivative of a Gaussian of width a, upside down.\"\"\"\n",
            "    import numpy as np\n",
            "    square = ((np.arange(points) - (points - 1) / 2) / a) ** 2\n",
            "    return 2 / (np.sqrt(3 * a) * np.pi ** 0.25) * (1 - square) * np.exp(-square / 2)",
        )
    };
}

/// The transform: one convolution for each width, with a wavelet of ten times that length at most.
macro_rules! cwt {
    ($name:literal) => {
        concat!(
            "def ",
            $name,
            "(data, wavelet, widths, dtype=None, **kwargs):\n",
            "    \"\"\"What SciPy had before 1.15: the data folded with a wavelet of each width.\"\"\"\n",
            "    import numpy as np\n",
            "    waves = [wavelet(int(np.minimum(10 * width, len(data))), width, **kwargs) for width in widths]\n",
            "    return np.array([np.convolve(data, np.conj(wave[::-1]), mode='same') for wave in waves], dtype=dtype)",
        )
    };
}

/// A complex exponential under a Gaussian.
macro_rules! morlet {
    ($name:literal) => {
        concat!(
            "def ", $name, "(M, w=5.0, s=1.0, complete=True):\n",
            "    \"\"\"What SciPy had before 1.15: a complex exponential under a Gaussian, from -2 pi s to 2 pi s.\"\"\"\n",
            "    import numpy as np\n",
            "    x = np.linspace(-s * 2 * np.pi, s * 2 * np.pi, M)\n",
            "    wave = np.exp(1j * w * x) - (np.exp(-0.5 * w ** 2) if complete else 0)\n",
            "    return wave * np.exp(-0.5 * x ** 2) * np.pi ** -0.25",
        )
    };
}

/// The same with a width, as the transform asks for.
macro_rules! morlet2 {
    ($name:literal) => {
        concat!(
            "def ",
            $name,
            "(M, s, w=5):\n",
            "    \"\"\"What SciPy had before 1.15: a complex exponential under a Gaussian of width s.\"\"\"\n",
            "    import numpy as np\n",
            "    x = (np.arange(M) - (M - 1) / 2) / s\n",
            "    return np.exp(1j * w * x) * np.exp(-0.5 * x ** 2) * np.pi ** -0.25 * np.sqrt(1 / s)",
        )
    };
}

pub(super) static RULES: &[Rule] = &[Rule::new(
    "scipy-wavelets",
    ("scipy", "1.15.0"),
    "cwt, ricker, morlet and morlet2 were removed; they are a few lines each",
    Trigger::Error(&[
        sig("ImportError", "cannot import name '*' from 'scipy.signal'"),
        sig("AttributeError", "odule 'scipy.signal' has no attribute"),
    ]),
    Rewrite::Code(wavelets),
    example(
        "from scipy.signal import cwt, ricker\nc = cwt(x, ricker, [1, 2, 4])\n",
        ("ImportError", "cannot import name 'cwt' from 'scipy.signal'"),
        concat!(cwt!("cwt"), "\n", ricker!("ricker"), "\nc = cwt(x, ricker, [1, 2, 4])\n"),
    ),
)
.certain()];

fn wavelets(view: &View<'_>, change: &mut Change<'_>) {
    const WAVELETS: [(&str, &str); 4] = [
        ("cwt", cwt!("{name}")),
        ("ricker", ricker!("{name}")),
        ("morlet", morlet!("{name}")),
        ("morlet2", morlet2!("{name}")),
    ];
    for module in ["scipy.signal", "scipy.signal.wavelets"] {
        write_out(&WAVELETS.map(|(name, definition)| StandIn { module, name, definition }), view, change);
    }
}
