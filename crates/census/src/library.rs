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
    library("altair", &["altair"]),
    library("beautifulsoup4", &["bs4"]),
    library("bokeh", &["bokeh"]),
    library("catboost", &["catboost"]),
    library("category-encoders", &["category_encoders"]),
    library("cufflinks", &["cufflinks"]),
    library("dask", &["dask"]),
    library("eli5", &["eli5"]),
    library("fbprophet", &["fbprophet"]),
    library("folium", &["folium"]),
    library("gensim", &["gensim"]),
    library("geopandas", &["geopandas"]),
    library("geopy", &["geopy"]),
    library("graphviz", &["graphviz"]),
    library("gym", &["gym"]),
    library("h5py", &["h5py"]),
    library("hmmlearn", &["hmmlearn"]),
    library("holoviews", &["holoviews"]),
    library("hyperopt", &["hyperopt"]),
    library("imbalanced-learn", &["imblearn"]),
    library("ipython", &["IPython"]),
    library("ipywidgets", &["ipywidgets"]),
    library("joblib", &["joblib"]),
    library("keras", &["keras"]),
    library("librosa", &["librosa"]),
    library("lifelines", &["lifelines"]),
    library("lightgbm", &["lightgbm"]),
    library("lime", &["lime"]),
    library("matplotlib", &["matplotlib", "mpl_toolkits", "pylab"]),
    library("missingno", &["missingno"]),
    library("mlxtend", &["mlxtend"]),
    library("networkx", &["networkx"]),
    library("nltk", &["nltk"]),
    library("numba", &["numba"]),
    library("numexpr", &["numexpr"]),
    library("numpy", &["numpy"]),
    library("optuna", &["optuna"]),
    library("pandas", &["pandas"]),
    library("pandas-datareader", &["pandas_datareader"]),
    library("pandas-profiling", &["pandas_profiling"]),
    library("patsy", &["patsy"]),
    library("pillow", &["PIL"]),
    library("plotly", &["plotly"]),
    library("plotnine", &["plotnine"]),
    library("prophet", &["prophet"]),
    library("pydot", &["pydot"]),
    library("pydotplus", &["pydotplus"]),
    library("pyldavis", &["pyLDAvis"]),
    library("pymc", &["pymc"]),
    library("pymc3", &["pymc3"]),
    library("python-dateutil", &["dateutil"]),
    library("pytz", &["pytz"]),
    library("requests", &["requests"]),
    library("scikit-image", &["skimage"]),
    library("scikit-learn", &["sklearn"]),
    library("scikit-plot", &["scikitplot"]),
    library("scipy", &["scipy"]),
    library("seaborn", &["seaborn"]),
    library("setuptools", &["setuptools", "pkg_resources"]),
    library("shap", &["shap"]),
    library("sklearn-pandas", &["sklearn_pandas"]),
    library("spacy", &["spacy"]),
    library("sqlalchemy", &["sqlalchemy"]),
    library("statsmodels", &["statsmodels"]),
    library("sympy", &["sympy"]),
    library("tensorflow", &["tensorflow"]),
    library("tensorflow-addons", &["tensorflow_addons"]),
    library("textblob", &["textblob"]),
    library("theano", &["theano"]),
    library("torch", &["torch"]),
    library("torchvision", &["torchvision"]),
    library("tqdm", &["tqdm"]),
    library("transformers", &["transformers"]),
    library("tweepy", &["tweepy"]),
    library("umap-learn", &["umap"]),
    library("wordcloud", &["wordcloud"]),
    library("xgboost", &["xgboost"]),
    library("yellowbrick", &["yellowbrick"]),
    library("yfinance", &["yfinance"]),
];

/// The distribution of which another one takes all names of a module, so that it cannot be read without it.
#[must_use]
pub fn lender_of(name: &str) -> Option<&'static str> {
    matches!(name, "matplotlib" | "scipy").then_some("numpy")
}

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
        assert!(
            LIBRARIES
                .iter()
                .all(|library| lender_of(library.name).is_none_or(|lender| modules_of(lender) == ["numpy"]))
        );
        assert!(LIBRARIES.is_sorted_by_key(|library| library.name));
    }
}
