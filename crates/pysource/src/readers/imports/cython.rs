//! Imports of `%%cython` cells. Cython is no Python: its statements are read line by line.

use super::{How, Import, linewise};

/// Packages whose declarations come with Cython itself (its `Includes` folder).
const OWN: [&str; 7] = ["cython", "Cython", "libc", "libcpp", "cpython", "posix", "openmp"];

/// Cython itself, and what the body imports, at compile time (`cimport numpy`) or when it runs. Lines are those of the
/// body, from 1; the magic stands on line 0.
pub(super) fn collect(body: &str) -> Vec<Import> {
    let own = Import { module: "Cython".to_owned(), names: Vec::new(), level: 0, cell: 0, line: 0, how: How::Cython };
    // As long as the word that it takes the place of.
    let plain = body.replace("cimport ", "import  ");
    let inner = linewise::collect(&plain).into_iter();
    let is_foreign = |import: &Import| !OWN.contains(&import.module.split('.').next().unwrap_or(""));
    let inner = inner.filter(is_foreign).map(|import| Import { how: How::Cython, ..import });
    std::iter::once(own).chain(inner).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bodies_are_read_without_what_cython_brings() {
        let body = "\
# distutils: language=c++
cimport cython
cimport numpy as np
import scipy.special
from libc.math cimport sin, cos
from scipy.linalg.cython_blas cimport (dgemm,
    ddot)
cdef int f(double[:, ::1] x) nogil:
    return 1
def g():
    import a
";
        let found: Vec<String> =
            collect(body).iter().map(|import| format!("{} {}", import.line, import.module)).collect();
        assert_eq!(found, ["0 Cython", "3 numpy", "4 scipy.special", "6 scipy.linalg.cython_blas", "11 a"]);
    }
}
