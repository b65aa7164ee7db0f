//! Rules of Python itself, beyond their examples.

use super::*;

#[test]
fn sequences_are_repeated_whole_times() {
    let told = ("TypeError", "can't multiply sequence by non-int of type 'float'");
    let source = "half = n / 2\na = [0] * (n / 2) + ['-' * half]\nb = n / 2.0\n";
    insta::assert_snapshot!(mended(source, told).unwrap(), @r"
    half = n // 2
    a = [0] * (n // 2) + ['-' * half]
    b = n / 2.0
    ");
}

#[test]
fn a_parameter_is_no_built_in_of_its_name() {
    let source = "def f(file, key=lambda long: long):\n    return file.read(), xrange(3)\n";
    let after = mended(source, ("NameError", "name 'xrange' is not defined")).unwrap();
    assert_eq!(after, "def f(file, key=lambda long: long):\n    return file.read(), range(3)\n");
}

#[test]
fn whole_numbers_are_told_from_others_by_all_that_a_name_holds() {
    let source = "print 1\nn = len(x)\nm = n + 1\nk = 3\nk = 0.5\ndef f(p):\n    return p / 2\na, b = n / 2, k / 2\n\
                  for i, y in enumerate(x):\n    c = i / m, y / m\nd = [j / 2 for j in range(m)]\nm += 2\n\
                  q = 2\nq **= -1\ne = q / 2\nimport numpy as np\ng = np.mean(x) / n\nrows, columns = x.shape\nh = rows / columns\n\
                  import math\nw = math.floor(g)\nw = w / 3\n";
    let after =
        mended(source, ("SyntaxError", "Missing parentheses in call to 'print'. Did you mean print(...)?")).unwrap();
    assert!(after.contains("return old_division(p, 2)\na, b = n // 2, old_division(k, 2)\n"), "{after}");
    assert!(after.contains("c = i // m, old_division(y, m)\nd = [j // 2 for j in range(m)]"), "{after}");
    assert!(after.contains("e = old_division(q, 2)\n"), "{after}");
    assert!(after.contains("g = np.mean(x) / n\n") && after.contains("h = rows // columns\n"), "{after}");
    assert!(after.contains("w = float(math.floor(g))\nw = w / 3\n"), "{after}");
    assert_eq!(after.matches("def old_division").count(), 1, "{after}");
}

#[test]
fn a_copy_to_a_device_waits_for_nothing_by_another_word() {
    let after = mended("t = t.cuda(0, async=True)\nf(async=True)\n", ("SyntaxError", "invalid syntax")).unwrap();
    assert_eq!(after, "t = t.cuda(0, non_blocking=True)\nf(async_=True)\n");
}

#[test]
fn names_that_everybody_knows_are_imported_as_the_notebook_would() {
    for (source, error, import) in [
        (
            "from keras.layers import Dense\nm.compile(SGD(0.1))\n",
            "name 'SGD' is not defined",
            "from keras.optimizers import SGD\n",
        ),
        ("m.compile(SGD(0.1))\n", "name 'SGD' is not defined", "from tensorflow.keras.optimizers import SGD\n"),
        (
            "a = list(combinations(x, 2))\n",
            "name 'combinations' is not defined",
            "from itertools import combinations\n",
        ),
        ("def f(x) -> List[int]: pass\n", "name 'List' is not defined", "from typing import List\n"),
        ("a = list(product(x, y))\n", "name 'product' is not defined", "from itertools import product\n"),
        ("import torch\ny = F.relu(x)\n", "name 'F' is not defined", "import torch.nn.functional as F\n"),
        ("@dataclass\nclass A: pass\n", "name 'dataclass' is not defined", "from dataclasses import dataclass\n"),
        ("a = PIL.Image.open(x)\n", "name 'PIL' is not defined", "import PIL.Image\n"),
    ] {
        assert_eq!(mended(source, ("NameError", error)), Some(format!("{import}{source}")));
    }
    for (source, error) in [
        ("a = product['price'].sum()\n", "name 'product' is not defined"),
        ("y = F * 2\n", "name 'F' is not defined"),
        ("a = sqrt(x)\n", "name 'sqrt' is not defined"),
    ] {
        assert_eq!(mended(source, ("NameError", error)), None, "{source}");
    }
}
