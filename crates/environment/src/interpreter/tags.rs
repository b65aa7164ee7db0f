//! Which wheels an interpreter on Linux takes (PEP 425, 427, 600).

use nbrevive_notebook::PythonVersion;

use super::Interpreter;

/// Whether any combination of the dotted tag sets fits.
pub(crate) fn fit(interpreter: &Interpreter, tags: &str) -> bool {
    let mut sets = tags.split('-');
    let (Some(pythons), Some(abis), Some(platforms)) = (sets.next(), sets.next(), sets.next()) else { return false };
    let code = pythons.split('.').any(|python| abis.split('.').any(|abi| code_fits(interpreter, python, abi)));
    code && platforms.split('.').any(|platform| platform_fits(interpreter, platform))
}

fn code_fits(interpreter: &Interpreter, python: &str, abi: &str) -> bool {
    let here = interpreter.minor();
    if let Some(version) = python.strip_prefix("py") {
        return abi == "none"
            && spelled(version).is_some_and(|(major, minor)| major == here.major && minor.unwrap_or(0) <= here.minor);
    }
    let Some((major, Some(minor))) = python.strip_prefix("cp").and_then(spelled) else {
        // `cp3-none-any` and other implementations.
        return abi == "none" && python == format!("cp{}", here.major);
    };
    let built_for = PythonVersion { major, minor };
    match abi {
        "abi3" => major == here.major && built_for <= here,
        "none" => built_for == here,
        own => built_for == here && own == own_abi(interpreter),
    }
}

/// The name of the interpreter's own binary interface.
fn own_abi(interpreter: &Interpreter) -> String {
    let here = interpreter.minor();
    let flags = match here {
        PythonVersion { major: 2, .. } if interpreter.wide_unicode => "mu",
        PythonVersion { major: 2, .. } | PythonVersion { major: 3, minor: ..=7 } => "m",
        _ => "",
    };
    format!("cp{}{}{flags}", here.major, here.minor)
}

/// `3`, `27`, `310` as major and minor.
fn spelled(text: &str) -> Option<(u32, Option<u32>)> {
    let (major, minor) = text.split_at_checked(1)?;
    let minor = if minor.is_empty() { None } else { Some(minor.parse().ok()?) };
    Some((major.parse().ok()?, minor))
}

fn platform_fits(interpreter: &Interpreter, platform: &str) -> bool {
    if platform == "any" {
        return true;
    }
    let Some(rest) = platform.strip_suffix(&interpreter.machine) else { return false };
    let Some(glibc) = interpreter.glibc else { return rest == "linux_" };
    match rest {
        "linux_" => true,
        "manylinux1_" => glibc >= (2, 5),
        "manylinux2010_" => glibc >= (2, 12),
        "manylinux2014_" => glibc >= (2, 17),
        other => numbered(other).is_some_and(|needed| glibc >= needed),
    }
}

/// The glibc of `manylinux_2_28_`.
fn numbered(text: &str) -> Option<(u32, u32)> {
    let (major, minor) = text.strip_prefix("manylinux_")?.strip_suffix('_')?.split_once('_')?;
    Some((major.parse().ok()?, minor.parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn interpreter(version: &str) -> Interpreter {
        Interpreter {
            path: "python".into(),
            version: version.parse().unwrap(),
            prefix: "prefix".into(),
            machine: "x86_64".into(),
            glibc: Some((2, 31)),
            wide_unicode: true,
        }
    }

    #[test]
    fn wheels_fit_their_interpreter() {
        let cases = [
            ("2.7.18", "cp27-cp27mu-manylinux1_x86_64", true),
            ("2.7.18", "cp27-cp27m-manylinux1_x86_64", false),
            ("2.7.18", "py2.py3-none-any", true),
            ("3.6.15", "cp36-cp36m-manylinux1_x86_64.manylinux_2_5_x86_64", true),
            ("3.7.16", "cp36-cp36m-manylinux1_x86_64", false),
            ("3.8.18", "cp38-cp38-manylinux2014_aarch64", false),
            ("3.8.18", "cp36-abi3-manylinux2010_x86_64", true),
            ("3.6.15", "cp37-abi3-manylinux2010_x86_64", false),
            ("3.10.13", "cp310-cp310-manylinux_2_28_x86_64", true),
            ("3.10.13", "cp310-cp310-manylinux_2_34_x86_64", false),
            ("3.10.13", "cp310-cp310-musllinux_1_1_x86_64", false),
            ("3.10.13", "py3-none-manylinux2014_x86_64", true),
            ("3.13.0", "cp313-cp313t-manylinux_2_17_x86_64", false),
            ("3.12.1", "pp310-pypy310_pp73-manylinux_2_17_x86_64", false),
            ("3.12.1", "cp312-cp312-win_amd64", false),
            ("3.12.1", "nonsense", false),
        ];
        for (version, tags, expected) in cases {
            assert_eq!(interpreter(version).fits(tags), expected, "{version} {tags}");
        }
    }
}
