//! Which distribution an import means, from the tables and from what files of the date contain.

use std::collections::BTreeMap;

use super::*;
use crate::history::History;
use crate::index::IndexEntry;
use crate::metadata::{Metadata, MetadataSource};
use crate::versions::is_name;

const THREE_SIX: PythonVersion = PythonVersion::new(3, 6);
const THREE_TWELVE: PythonVersion = PythonVersion::new(3, 12);
const TWO_SEVEN: PythonVersion = PythonVersion::new(2, 7);

fn context(minor: PythonVersion, date: &str) -> ImportContext<'static> {
    ImportContext { minor, date: instant(date), local: &[] }
}

/// A day's first instant, or an instant.
fn instant(date: &str) -> Timestamp {
    if date.contains('T') { date.parse().unwrap() } else { format!("{date}T00:00:00Z").parse().unwrap() }
}

/// The provider in one line, by the tables and this index.
fn told(module: &str, date: &str, index: &Index) -> String {
    match provider(module, &context(THREE_SIX, date), index).unwrap() {
        ImportProvider::Distribution { name, how: NameSource::Contents { file } } => format!("{name} by {file}"),
        ImportProvider::Distribution { name, .. } => name,
        ImportProvider::Nothing(skip) => format!("{skip:?}"),
        ImportProvider::Unresolved(unresolved) => format!("? {unresolved}"),
    }
}

fn named(module: &str, date: &str) -> String {
    told(module, date, &Index::fixed(Vec::new()))
}

/// A release: version, day, files, each with the modules it says it contains.
type Listed<'text> = (&'text str, &'text str, &'text [(&'text str, &'text [&'text str])]);

fn entry(name: &str, releases: &[Listed<'_>]) -> IndexEntry {
    let file = |file: &str, day: &str| serde_json::json!({"name": file, "uploaded": instant(day)});
    let release = |(version, day, files): &Listed<'_>| {
        let files: Vec<_> = files.iter().map(|(name, _)| file(name, day)).collect();
        serde_json::json!({"version": version, "text": version, "uploaded": instant(day), "files": files})
    };
    let releases: Vec<_> = releases.iter().map(|listed| (release(listed), listed.2)).collect();
    let mut metadata = BTreeMap::new();
    for (file, modules) in releases.iter().flat_map(|(_, files)| files.iter()) {
        let mut said = Metadata::new(Vec::new(), MetadataSource::Wheel);
        said.modules = modules.iter().map(ToString::to_string).collect();
        metadata.insert((*file).to_owned(), said);
    }
    let releases: Vec<_> = releases.into_iter().map(|(release, _)| release).collect();
    let history: History = serde_json::from_value(serde_json::json!({"name": name, "releases": releases})).unwrap();
    IndexEntry { history, metadata }
}

#[test]
fn the_table_knows_names_that_differ() {
    let day = "2019-06-01";
    for (module, distribution) in [
        ("sklearn.model_selection", "scikit-learn"),
        ("PIL.Image", "pillow"),
        ("cv2", "opencv-python"),
        ("skimage.io", "scikit-image"),
        ("keras.layers", "keras"),
        ("tensorflow.keras.layers", "tensorflow"),
        ("plotly.express", "plotly"),
        ("imblearn.over_sampling", "imbalanced-learn"),
        ("bayes_opt", "bayesian-optimization"),
        ("ml_metrics", "ml-metrics"),
        ("scikitplot.metrics", "scikit-plot"),
        ("MySQLdb", "mysqlclient"),
    ] {
        assert_eq!(named(module, day), distribution, "{module}");
    }
}

#[test]
fn the_longest_prefix_decides_in_namespace_packages() {
    let day = "2021-06-01";
    for (module, distribution) in [
        ("mpl_toolkits.mplot3d.axes3d", "matplotlib"),
        ("mpl_toolkits.basemap.pyproj", "basemap"),
        ("google.cloud.bigquery.client", "google-cloud-bigquery"),
        ("google.cloud.storage", "google-cloud-storage"),
        ("google.protobuf.message", "protobuf"),
        ("google.oauth2.service_account", "google-auth"),
        ("ruamel.yaml.clib", "ruamel-yaml-clib"),
        ("ruamel.yaml.main", "ruamel-yaml"),
        ("zope.interface", "zope-interface"),
        ("backports.zoneinfo", "backports-zoneinfo"),
        ("azure.storage.blob.aio", "azure-storage-blob"),
        ("pyramid.arima.auto", "pyramid-arima"),
    ] {
        assert_eq!(named(module, day), distribution, "{module}");
    }
}

#[test]
fn names_that_changed_hands_switch_at_their_day() {
    for (module, before, day, after) in [
        ("chess.pgn", "python-chess", "2020-10-26", "chess"),
        ("igraph", "python-igraph", "2021-10-29", "igraph"),
        ("Levenshtein", "python-levenshtein", "2021-01-09", "levenshtein"),
        ("dicom", "pydicom", "2018-02-26", "dicom"),
        ("Crypto.Cipher", "pycrypto", "2014-06-24", "pycryptodome"),
    ] {
        assert_eq!(named(module, day), before, "{module} at the first instant of {day}");
        assert_eq!(named(module, &format!("{day}T00:00:01Z")), after, "{module} during {day}");
        assert_eq!(named(module, "2024-01-01"), after, "{module}");
    }
    for (old, new, day) in [
        ("fbprophet", "prophet", "2021-03-27"),
        ("pandas_profiling", "ydata_profiling", "2023-01-31"),
        ("kerastuner", "keras_tuner", "2021-08-26"),
    ] {
        assert!(!named(old, "2018-01-01").starts_with('?'), "{old}");
        assert_eq!(named(old, "2018-01-01"), named(old, day), "{old} stays what it was");
        assert!(from_tables(new, &context(THREE_SIX, "2018-01-01")).is_none(), "{new} was unknown");
        assert!(
            matches!(from_tables(new, &context(THREE_SIX, day)), Some(ImportProvider::Distribution { .. })),
            "{new}"
        );
    }
}

#[test]
fn a_name_of_later_is_another_project_before() {
    let index = Index::fixed(vec![
        entry(
            "prophet",
            &[
                ("0.1.1", "2014-04-01", &[("prophet-0.1.1.tar.gz", &["prophet"])]),
                ("1.0", "2021-03-26", &[("prophet-1.0.tar.gz", &["prophet"])]),
            ],
        ),
        entry(
            "plotly-express",
            &[("0.1", "2019-03-20", &[("plotly_express-0.1-py2.py3-none-any.whl", &["plotly_express"])])],
        ),
        entry("pydicom", &[("0.9.9", "2014-12-01", &[("pydicom-0.9.9.tar.gz", &["dicom"])])]),
    ]);
    insta::assert_snapshot!(
        [
            told("prophet", "2018-01-01", &index),
            told("prophet", "2021-06-01", &index),
            told("plotly_express", "2019-01-01", &index),
            told("plotly_express", "2019-06-01", &index),
            told("pydicom", "2016-01-01", &index),
        ].join("\n"), @"
    prophet by prophet-0.1.1.tar.gz
    prophet
    ? the index had plotly-express only from 2019-03-20 on; perhaps plotly-express (from 2019-03-20 on)
    plotly-express
    ? pydicom-0.9.9.tar.gz of that name contains other modules; perhaps pydicom (from 2018-02-26 on)
    ");
}

#[test]
fn own_files_shadow_everything() {
    let local = ["sklearn".to_owned(), "helper_code".to_owned(), "random".to_owned()];
    let context = ImportContext { local: &local, ..context(THREE_SIX, "2019-01-01") };
    for module in ["sklearn.svm", "helper_code", "random", ".helpers", "..package.module"] {
        assert_eq!(from_tables(module, &context), Some(ImportProvider::Nothing(Skip::Local)), "{module}");
    }
}

#[test]
fn the_standard_library_depends_on_the_minor() {
    assert!(is_standard("os.path", THREE_SIX) && is_standard("cPickle", TWO_SEVEN));
    let skipped = |module, minor| from_tables(module, &context(minor, "2024-01-01"));
    let standard = Some(ImportProvider::Nothing(Skip::StandardLibrary));
    for backported in ["enum", "typing", "pathlib", "dataclasses", "statistics", "concurrent.futures", "configparser"] {
        assert_eq!(skipped(backported, THREE_TWELVE), standard, "{backported}");
        let old = if backported == "dataclasses" { THREE_SIX } else { TWO_SEVEN };
        assert!(matches!(skipped(backported, old), Some(ImportProvider::Distribution { .. })), "{backported}");
    }
    for (module, minor) in
        [("cPickle", THREE_SIX), ("urllib2", THREE_SIX), ("ConfigParser", THREE_SIX), ("imp", THREE_TWELVE)]
    {
        let Some(ImportProvider::Unresolved(unresolved)) = skipped(module, minor) else {
            panic!("{module} needs nothing")
        };
        assert_eq!(unresolved.to_string(), "standard library of another Python", "{module}");
    }
}

#[test]
fn what_no_index_has_is_told_with_its_reason() {
    assert_eq!(named("kaggle_secrets", "2020-01-01"), "? exists only in Kaggle's image");
    assert_eq!(named("google.colab.files", "2020-01-01"), "? exists only in Colab's image");
    assert_eq!(named("IPython.display", "2020-01-01"), "Kernel");
}

#[test]
fn names_of_own_files_are_never_distributions() {
    // The index has every one of them, each containing the module.
    let names =
        ["utils", "helper", "config", "model", "dataset", "train", "my_lib", "my_model_utils", "Utils", "losses"];
    let file = "x-1.0-py3-none-any.whl";
    let entries = names.map(|name| entry(&normalise(name), &[("1.0", "2015-01-01", &[(file, &["utils", "model"])])]));
    let index = Index::fixed(entries.to_vec());
    for name in names {
        let text = told(name, "2020-01-01", &index);
        assert!(text.starts_with("? a name for ") && !text.contains("perhaps"), "{name}: {text}");
    }
    let before = told("datasets", "2019-01-01", &index);
    assert!(before.ends_with("never taken for a distribution; perhaps datasets (from 2020-09-10 on)"), "{before}");
    assert_eq!(told("datasets", "2021-01-01", &index), "datasets");
}

#[test]
fn a_distribution_of_the_same_name_must_contain_the_module() {
    let index = Index::fixed(vec![
        entry(
            "toolbelt",
            &[
                ("1.0", "2016-01-01", &[("toolbelt-1.0.tar.gz", &["belt"])]),
                (
                    "2.0",
                    "2018-01-01",
                    &[("toolbelt-2.0-cp36-cp36m-win_amd64.whl", &[]), ("toolbelt-2.0-py3-none-any.whl", &["toolbelt"])],
                ),
                ("3.0rc1", "2018-06-01", &[("toolbelt-3.0rc1-py3-none-any.whl", &["elsewhere"])]),
            ],
        ),
        entry("empty-history", &[]),
        entry("silent", &[("1.0", "2016-01-01", &[("silent-1.0.tar.gz", &[])])]),
        entry(
            "google-maps-thing",
            &[("1.0", "2017-01-01", &[("google_maps_thing-1.0-py3-none-any.whl", &["google.maps.thing"])])],
        ),
        entry("google-maps", &[]),
        entry("google-maps-thing-client", &[]),
    ]);
    insta::assert_snapshot!(
        [
            told("toolbelt.tool", "2015-06-01", &index),
            told("toolbelt.tool", "2017-06-01", &index),
            told("toolbelt.tool", "2019-06-01", &index),
            told("empty_history", "2019-06-01", &index),
            told("silent", "2019-06-01", &index),
            told("google.maps.thing.client", "2019-06-01", &index),
            told("google.maps", "2019-06-01", &index),
            told("google", "2019-06-01", &index),
        ].join("\n"), @"
    ? the index had toolbelt only from 2016-01-01 on; perhaps toolbelt (same name)
    ? toolbelt-1.0.tar.gz of that name contains other modules
    toolbelt by toolbelt-2.0-py3-none-any.whl
    ? no installable release on the index
    ? what silent-1.0.tar.gz of that name contains is unknown; perhaps silent (same name)
    google-maps-thing by google_maps_thing-1.0-py3-none-any.whl
    ? no installable release on the index
    ? a namespace of several distributions, such as google-cloud-storage
    ");
}

#[test]
fn names_that_could_be_paths_or_options_are_no_distributions() {
    for module in ["--index-url", "_private", "a/b", "../x", "-r", "with space", "x\u{0}y", "naïve"] {
        let text = named(module, "2020-01-01");
        assert!(text == "? no distribution can bear this name" || module.starts_with('.'), "{module:?}: {text}");
    }
}

#[test]
fn an_unread_file_leaves_the_import_unresolved_but_a_missing_index_is_an_error() {
    let mut unread = entry("gadget", &[("1.0", "2016-01-01", &[("gadget-1.0.tar.gz", &["gadget"])])]);
    unread.metadata.clear();
    let index = Index::fixed(vec![unread]);
    assert_eq!(
        told("gadget", "2019-01-01", &index),
        "? what gadget-1.0.tar.gz of that name contains is unknown; perhaps gadget (same name)"
    );
    assert!(provider("another_gadget", &context(THREE_SIX, "2019-01-01"), &index).is_err());
}

#[test]
fn the_source_of_a_name_is_recorded() {
    let how = |module| match from_tables(module, &context(THREE_SIX, "2022-01-01")) {
        Some(ImportProvider::Distribution { how, .. }) => how.to_string(),
        other => panic!("{other:?}"),
    };
    insta::assert_snapshot!([how("sklearn"), how("chess")].join("\n"), @"
    table of import names (top-level names of scikit-learn 1.7.2 in pigar 2.2.0)
    table of import names, from 2020-10-26 (upload of chess 1.0.0, its first release)
    ");
}

#[test]
fn hints_tell_where_a_module_came_or_went() {
    let bounds = |module: &str| {
        let hint = version_hint(module)?;
        let text = |bound: &Option<pep440_rs::Version>| bound.as_ref().map(ToString::to_string).unwrap_or_default();
        Some(format!("{} {}..{}", hint.distribution, text(&hint.at_least), text(&hint.below)))
    };
    assert_eq!(bounds("sklearn.cross_validation").unwrap(), "scikit-learn ..0.20");
    assert_eq!(bounds("sklearn.externals.joblib.parallel").unwrap(), "scikit-learn ..0.23");
    assert_eq!(bounds("pandas.plotting").unwrap(), "pandas 0.20..");
    assert_eq!(bounds("keras.utils.np_utils").unwrap(), "keras ..2.13");
    assert_eq!(bounds("plotly.express").unwrap(), "plotly 4.0..");
    assert_eq!(bounds("sklearn.svm"), None);
}

#[test]
fn every_row_of_the_tables_is_usable() {
    assert!(names::NAMES.len() > 1000 && standard::STANDARD.len() > 350);
    let importable = |name: &str| {
        name.split('.').all(|part| !part.is_empty() && part.chars().all(|c| c.is_ascii_alphanumeric() || c == '_'))
    };
    for (import, rows) in names::NAMES.iter() {
        assert!(importable(import) && !UNAVAILABLE.contains_key(import), "{import}");
        for row in rows {
            assert!(is_name(row.distribution) && !row.source.is_empty(), "{import}: {row:?}");
            assert!(row.from.zip(row.until).is_none_or(|(from, until)| from < until), "{import}: {row:?}");
        }
        // In their order the rows follow each other without gap or overlap.
        for pair in rows.windows(2) {
            assert!(pair[0].until.is_some() && pair[0].until == pair[1].from, "{import}: {pair:?}");
        }
    }
    assert!(UNAVAILABLE.iter().all(|(name, why)| importable(name) && !why.is_empty()));
    assert!(contents::NAMESPACES.iter().all(|(name, example)| importable(name) && is_name(example)));
    for (name, why) in &generic::GENERIC.names {
        assert!(importable(name) && !why.is_empty() && name.to_ascii_lowercase() == *name, "{name}");
    }
    for (module, hint) in module_versions::HINTS.iter() {
        assert!(importable(module) && *module == hint.module && !hint.source.is_empty(), "{module}");
        assert!(hint.at_least.is_some() || hint.below.is_some(), "{module}");
        assert!(hint.at_least.as_ref().zip(hint.below.as_ref()).is_none_or(|(from, to)| from < to), "{module}");
        assert_eq!(normalise(hint.distribution), hint.distribution, "{module}");
        let known = names::ever(module);
        assert!(known.iter().any(|row| normalise(row.distribution) == hint.distribution), "{module}: {known:?}");
    }
}
