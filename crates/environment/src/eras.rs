//! What belongs to the time of an interpreter: its pip, its setuptools, and what is never built from source.

use nbrevive_notebook::PythonVersion;

/// The installer's packages that a virtual environment of that time carries. They are part of every planned
/// environment, since many packages of old import `pkg_resources` without saying so.
pub(crate) struct Seeds {
    /// Requirement lines.
    pub(crate) lines: &'static [&'static str],
    /// Whether the lenient pip comes first: old metadata (`pytz (>=2011k)`) makes uv resolve to ancient versions,
    /// and on these minors most notebooks need such distributions.
    pub(crate) pip_first: bool,
}

/// Seeds by minor. The pips are the last ones that support the minor or, where that is later, that still read
/// legacy versions and specifiers (before 24.1); setuptools 57.5 is the last to translate Python 2 sources, and
/// 3.12 came without any.
#[must_use]
pub(crate) fn seeds(minor: PythonVersion) -> Seeds {
    let lines: &[&str] = match (minor.major, minor.minor) {
        // Carried by the virtualenv that makes the environment.
        (2, _) | (3, ..=5) => &[],
        (3, 6) => &["pip==21.3.1", "setuptools==57.5.0", "wheel==0.37.1"],
        (3, 7..=9) => &["pip==22.3.1", "setuptools==57.5.0", "wheel==0.38.4"],
        (3, 10..=11) => &["pip==22.3.1", "setuptools==65.5.1", "wheel==0.38.4"],
        _ => &["pip==24.0"],
    };
    Seeds { lines, pip_first: minor <= PythonVersion::new(3, 7) }
}

/// The pip of an interpreter's time, which installs what uv cannot.
#[must_use]
pub(crate) fn pip(minor: PythonVersion) -> &'static str {
    let seed = seeds(minor).lines.iter().find_map(|line| line.strip_prefix("pip=="));
    // The last one for Python 2.7 and 3.5.
    seed.unwrap_or("20.3.4")
}

/// Compiled distributions that are only taken as wheels: their sources do not build with compilers, Cythons and
/// numpys of today, or build for longer than an environment may take (xgboost before 0.72 had no wheels).
pub(crate) const NEVER_FROM_SOURCE: [&str; 22] = [
    "catboost",
    "grpcio",
    "h5py",
    "lightgbm",
    "llvmlite",
    "matplotlib",
    "numba",
    "numpy",
    "opencv-contrib-python",
    "opencv-python",
    "opencv-python-headless",
    "pandas",
    "pillow",
    "pyarrow",
    "scikit-image",
    "scikit-learn",
    "scipy",
    "statsmodels",
    "tensorflow",
    "tokenizers",
    "torch",
    "xgboost",
];

/// Distributions that are only of use with a GPU although others require them on every Linux: xgboost pulls in
/// 300 MB of NVIDIA's collective communication, loaded when several GPUs train together.
pub(crate) const GPU_ONLY: [&str; 2] = ["nvidia-nccl-cu12", "nvidia-nccl-cu13"];

/// Whether this machine has an NVIDIA GPU.
pub(crate) fn has_gpu() -> bool {
    std::path::Path::new("/dev/nvidiactl").exists()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seeds_follow_the_minor() {
        let of = |minor: u32| seeds(PythonVersion::new(3, minor));
        assert_eq!(of(6).lines[0], "pip==21.3.1");
        assert!(of(7).pip_first && !of(8).pip_first);
        assert_eq!(of(13).lines, ["pip==24.0"]);
        assert!(seeds(PythonVersion::new(2, 7)).lines.is_empty());
    }
}
