//! Functions of interest and payments, which NumPy handed on to a distribution of their own: they are short, and are written out.

use crate::change::Change;
use crate::rule::{Rewrite, Rule, Trigger, example};
use crate::signature::sig;
use crate::stand_ins::{StandIn, write_out_after};
use crate::view::View;

/// The function `npv` under a name, before what follows it.
macro_rules! npv {
    ($name:literal, $rest:literal) => {
        concat!(
            "def ",
            $name,
            "(rate, values):\n",
            "    \"\"\"What NumPy had before 1.20: the net present value of a cash flow.\"\"\"\n",
            "    import numpy\n",
            "    return numpy.dot(values, (1 + rate) ** -numpy.arange(0.0, len(values)))\n",
            $rest
        )
    };
}

pub(super) static RULES: &[Rule] = &[Rule::new(
    "numpy-financial",
    ("numpy", "1.20"),
    "functions of interest and payments are a distribution of their own; here they are written out",
    Trigger::Error(&[
        sig("AttributeError", "module 'numpy' has no attribute '"),
        sig("RuntimeError", "In accordance with NEP 32, the function"),
        sig("ImportError", "cannot import name '*' from 'numpy'"),
    ]),
    Rewrite::Code(financial),
    example(
        "import numpy as np\nv = np.npv(0.1, [-100, 60, 60])\n",
        ("AttributeError", "module 'numpy' has no attribute 'npv'"),
        npv!("numpy_npv", "import numpy as np\nv = numpy_npv(0.1, [-100, 60, 60])\n"),
    ),
)
.certain()];

/// As NumPy 1.19 had them, in its order of arguments.
static FUNCTIONS: [(&str, &str); 10] = [
    ("npv", npv!("{name}", "")),
    (
        "pmt",
        "def {name}(rate, nper, pv, fv=0, when='end'):\n    \"\"\"What NumPy had before 1.20: the payment of a loan.\"\"\"\n    import numpy\n    when = {'begin': 1, 'b': 1, 'beginning': 1, 'start': 1, 'end': 0, 'e': 0, 'finish': 0}.get(when, when)\n    rate, nper, pv, fv, when = map(numpy.asarray, (rate, nper, pv, fv, when))\n    growth = (1 + rate) ** nper\n    safe = numpy.where(rate == 0, 1, rate)\n    factor = numpy.where(rate != 0, (1 + safe * when) * (growth - 1) / safe, nper)\n    return -(fv + pv * growth) / factor\n",
    ),
    (
        "pv",
        "def {name}(rate, nper, pmt, fv=0, when='end'):\n    \"\"\"What NumPy had before 1.20: the present value of payments.\"\"\"\n    import numpy\n    when = {'begin': 1, 'b': 1, 'beginning': 1, 'start': 1, 'end': 0, 'e': 0, 'finish': 0}.get(when, when)\n    rate, nper, pmt, fv, when = map(numpy.asarray, (rate, nper, pmt, fv, when))\n    growth = (1 + rate) ** nper\n    safe = numpy.where(rate == 0, 1, rate)\n    factor = numpy.where(rate == 0, nper, (1 + rate * when) * (growth - 1) / safe)\n    return -(fv + pmt * factor) / growth\n",
    ),
    (
        "fv",
        "def {name}(rate, nper, pmt, pv, when='end'):\n    \"\"\"What NumPy had before 1.20: the future value of payments.\"\"\"\n    import numpy\n    when = {'begin': 1, 'b': 1, 'beginning': 1, 'start': 1, 'end': 0, 'e': 0, 'finish': 0}.get(when, when)\n    rate, nper, pmt, pv, when = map(numpy.asarray, (rate, nper, pmt, pv, when))\n    growth = (1 + rate) ** nper\n    safe = numpy.where(rate == 0, 1, rate)\n    factor = numpy.where(rate == 0, nper, (1 + rate * when) * (growth - 1) / safe)\n    return -(pv * growth + pmt * factor)\n",
    ),
    (
        "nper",
        "def {name}(rate, pmt, pv, fv=0, when='end'):\n    \"\"\"What NumPy had before 1.20: the number of payments.\"\"\"\n    import numpy\n    when = {'begin': 1, 'b': 1, 'beginning': 1, 'start': 1, 'end': 0, 'e': 0, 'finish': 0}.get(when, when)\n    rate, pmt, pv, fv, when = map(numpy.asarray, (rate, pmt, pv, fv, when))\n    with numpy.errstate(divide='ignore', invalid='ignore'):\n        payment = pmt * (1 + rate * when) / rate\n        return numpy.where(rate == 0, (pv - fv) / pmt, numpy.log((-fv + payment) / (pv + payment)) / numpy.log(1 + rate))\n",
    ),
    (
        "rate",
        "def {name}(nper, pmt, pv, fv, when='end', guess=0.1, tol=1e-6, maxiter=100):\n    \"\"\"What NumPy had before 1.20: the rate of interest, by Newton's steps.\"\"\"\n    import numpy\n    when = {'begin': 1, 'b': 1, 'beginning': 1, 'start': 1, 'end': 0, 'e': 0, 'finish': 0}.get(when, when)\n    nper, pmt, pv, fv, when = map(numpy.asarray, (nper, pmt, pv, fv, when))\n    rate = guess\n    for _ in range(maxiter):\n        growth, before = (1 + rate) ** nper, (1 + rate) ** (nper - 1)\n        left = fv + growth * pv + pmt * (growth - 1) * (rate * when + 1) / rate\n        slope = nper * before * pv - pmt * (growth - 1) * (rate * when + 1) / rate ** 2\n        slope = slope + nper * pmt * before * (rate * when + 1) / rate + pmt * (growth - 1) * when / rate\n        step = left / slope\n        rate = rate - step\n        if numpy.all(abs(step) < tol):\n            return rate\n    return numpy.nan + rate\n",
    ),
    (
        "irr",
        "def {name}(values):\n    \"\"\"What NumPy had before 1.20: the internal rate of return.\"\"\"\n    import numpy\n    roots = numpy.roots(values[::-1])\n    roots = roots[(roots.imag == 0) & (roots.real > 0)].real\n    if len(roots) == 0:\n        return numpy.nan\n    rates = 1 / roots - 1\n    return rates.item(numpy.argmin(numpy.abs(rates)))\n",
    ),
    (
        "mirr",
        "def {name}(values, finance_rate, reinvest_rate):\n    \"\"\"What NumPy had before 1.20: the modified internal rate of return.\"\"\"\n    import numpy\n    values = numpy.asarray(values, dtype=float)\n    periods = numpy.arange(0.0, len(values))\n    gained = numpy.dot(values.clip(0), (1 + reinvest_rate) ** -periods)\n    spent = numpy.dot((-values).clip(0), (1 + finance_rate) ** -periods)\n    if gained == 0 or spent == 0:\n        return numpy.nan\n    return (gained / spent) ** (1 / (len(values) - 1)) * (1 + reinvest_rate) - 1\n",
    ),
    (
        "ipmt",
        "def {name}(rate, per, nper, pv, fv=0):\n    \"\"\"What NumPy had before 1.20: the part of a payment that is interest, where payments are due at the end.\"\"\"\n    import numpy\n    rate, per, nper, pv, fv = numpy.broadcast_arrays(rate, per, nper, pv, fv)\n    growth = (1 + rate) ** nper\n    safe = numpy.where(rate == 0, 1, rate)\n    payment = -(fv + pv * growth) / numpy.where(rate != 0, (growth - 1) / safe, nper)\n    before = (1 + rate) ** (per - 1)\n    return -(pv * before + payment * numpy.where(rate == 0, per - 1, (before - 1) / safe)) * rate\n",
    ),
    (
        "ppmt",
        "def {name}(rate, per, nper, pv, fv=0):\n    \"\"\"What NumPy had before 1.20: the part of a payment that pays back, where payments are due at the end.\"\"\"\n    import numpy\n    rate, per, nper, pv, fv = numpy.broadcast_arrays(rate, per, nper, pv, fv)\n    growth = (1 + rate) ** nper\n    safe = numpy.where(rate == 0, 1, rate)\n    payment = -(fv + pv * growth) / numpy.where(rate != 0, (growth - 1) / safe, nper)\n    before = (1 + rate) ** (per - 1)\n    return payment + (pv * before + payment * numpy.where(rate == 0, per - 1, (before - 1) / safe)) * rate\n",
    ),
];

fn financial(view: &View<'_>, change: &mut Change<'_>) {
    let functions = FUNCTIONS.map(|(name, definition)| StandIn { module: "numpy", name, definition });
    write_out_after(&functions, "numpy_", view, change);
}
