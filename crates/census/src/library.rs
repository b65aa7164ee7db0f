//! The distributions that the census reads by default, and the modules that they bring.

/// A distribution and what notebooks import of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CensusLibrary {
    /// Normalised name of the distribution.
    pub name: &'static str,
    /// Its modules; the packages below them are read, and no others.
    pub modules: &'static [&'static str],
}

const fn library(name: &'static str, modules: &'static [&'static str]) -> CensusLibrary {
    CensusLibrary { name, modules }
}

/// What data notebooks import most. Distributions whose one module bears another name stand here for that name.
pub const LIBRARIES: &[CensusLibrary] = &[
    library("bokeh", &["bokeh"]),
    library("catboost", &["catboost"]),
    library("cufflinks", &["cufflinks"]),
    library("dask", &["dask"]),
    library("folium", &["folium"]),
    library("gensim", &["gensim"]),
    library("geopandas", &["geopandas"]),
    library("geopy", &["geopy"]),
    library("imbalanced-learn", &["imblearn"]),
    library("ipython", &["IPython"]),
    library("ipywidgets", &["ipywidgets"]),
    library("keras", &["keras"]),
    library("lightgbm", &["lightgbm"]),
    library("matplotlib", &["matplotlib", "mpl_toolkits", "pylab"]),
    library("mlxtend", &["mlxtend"]),
    library("networkx", &["networkx"]),
    library("nltk", &["nltk"]),
    library("numpy", &["numpy"]),
    library("pandas", &["pandas"]),
    library("pandas-datareader", &["pandas_datareader"]),
    library("pillow", &["PIL"]),
    library("plotly", &["plotly"]),
    library("requests", &["requests"]),
    library("scikit-image", &["skimage"]),
    library("scikit-learn", &["sklearn"]),
    library("scipy", &["scipy"]),
    library("seaborn", &["seaborn"]),
    library("setuptools", &["setuptools", "pkg_resources"]),
    library("shap", &["shap"]),
    library("spacy", &["spacy"]),
    library("statsmodels", &["statsmodels"]),
    library("sympy", &["sympy"]),
    library("textblob", &["textblob"]),
    library("wordcloud", &["wordcloud"]),
    library("xgboost", &["xgboost"]),
    library("yellowbrick", &["yellowbrick"]),
];

/// The distribution that a module belongs to.
#[must_use]
pub fn library_of(module: &str) -> Option<&'static CensusLibrary> {
    LIBRARIES.iter().find(|library| library.modules.contains(&module))
}

/// The modules of a distribution: those of the table, else one of the distribution's own name.
#[must_use]
pub fn modules_of(name: &str) -> Vec<String> {
    match LIBRARIES.iter().find(|library| library.name == name) {
        Some(library) => library.modules.iter().map(|module| (*module).to_owned()).collect(),
        None => vec![name.replace('-', "_")],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn modules_lead_to_their_distribution() {
        assert_eq!(library_of("sklearn").map(|library| library.name), Some("scikit-learn"));
        assert_eq!(library_of("pylab").map(|library| library.name), Some("matplotlib"));
        assert_eq!(library_of("os"), None);
        assert_eq!(modules_of("some-thing"), ["some_thing"]);
        assert!(LIBRARIES.is_sorted_by_key(|library| library.name));
    }
}
