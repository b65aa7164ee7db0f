//! The tests walk the catalogue: every example is rewritten, and rewritten code is left alone.

use std::collections::{BTreeMap, BTreeSet};

use nbrevive_notebook::{Cell, Notebook};

use crate::engine::{act, rewritten};
use crate::rule::{Rewrite, Rule, Trigger};
use crate::view::{Code, Source};
use crate::{CellFeedback, Feedback};
use crate::{Rules, catalogue, moved_to};

fn notebook(cells: &[&str]) -> Notebook {
    Notebook::from_cells(cells.iter().map(|source| Cell::code(*source)).collect())
}

/// An error that blames every line of a cell.
fn errors_on_every_line(cell: usize, source: &str, (ename, evalue): (&str, &str)) -> Vec<CellFeedback> {
    let lines = source.lines().count().max(1);
    (1..=lines)
        .map(|line| CellFeedback {
            cell,
            ename: ename.to_owned(),
            evalue: evalue.to_owned(),
            traceback: String::new(),
            line: u32::try_from(line).ok(),
        })
        .collect()
}

fn feedback<'a>(
    notebook: &'a Notebook,
    errors: Vec<CellFeedback>,
    packages: &'a BTreeMap<String, String>,
) -> Feedback<'a> {
    Feedback { submitted: Some(jiff::civil::date(2017, 6, 1)), ..Feedback::of_errors(notebook, errors, packages) }
}

/// Runs one rule on one cell until it has nothing more to do.
fn rewrite(rule: &'static Rule, source: &str, error: (&str, &str)) -> String {
    let packages = BTreeMap::new();
    let mut text = source.to_owned();
    for _ in 0..6 {
        let notebook = notebook(&[&text]);
        let errors = if error.0.is_empty() { Vec::new() } else { errors_on_every_line(0, &text, error) };
        let feedback = feedback(&notebook, errors, &packages);
        let cells = [Source::new(0, &text)];
        let code = Code::of(&cells);
        let matched: Vec<&CellFeedback> = match rule.trigger {
            Trigger::Error(signatures) | Trigger::Switch { errors: signatures, .. } => {
                feedback.errors.iter().filter(|one| signatures.iter().any(|signature| signature.matches(one))).collect()
            }
            _ => Vec::new(),
        };
        if matches!(rule.trigger, Trigger::Error(_) | Trigger::Switch { .. }) {
            assert!(!matched.is_empty(), "{}: its example's error does not match its signatures", rule.id);
        }
        let finished = act(rule, &code, &matched);
        match finished.texts.into_iter().next() {
            Some((_, new)) => text = new,
            None => break,
        }
        if !finished.again {
            break;
        }
    }
    text
}

#[test]
fn every_example_is_rewritten_as_the_table_says() {
    let mut wrong = Vec::new();
    for rule in catalogue() {
        let after = rewrite(rule, rule.example.before, rule.example.error);
        if after != rule.example.after {
            wrong.push(format!("{}:\n--- wanted\n{}\n--- got\n{after}", rule.id, rule.example.after));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}

#[test]
fn examples_parse_after_the_rewrite() {
    for rule in catalogue() {
        let parsed = nbrevive_pysource::parse::parse(rule.example.after);
        assert!(parsed.errors().is_empty(), "{}: {:?}", rule.id, parsed.errors());
    }
}

#[test]
fn ids_are_unique_and_there_are_enough_rules() {
    let ids: BTreeSet<&str> = catalogue().map(|rule| rule.id).collect();
    assert_eq!(ids.len(), catalogue().count());
    assert!(ids.len() >= 45, "{}", ids.len());
}

#[test]
fn code_without_a_trigger_is_left_alone() {
    let cells = [
        "import pandas as pd\ndf = pd.read_csv('a.csv')\n",
        "rows = []\nrows.append(1)\nprint(df.mean(numeric_only=True))\n",
    ];
    let notebook = notebook(&cells);
    let packages = BTreeMap::new();
    let errors = errors_on_every_line(1, cells[1], ("ZeroDivisionError", "division by zero"));
    assert!(Rules.propose(&feedback(&notebook, errors, &packages)).is_none());
}

#[test]
fn one_error_mends_all_places_of_all_cells() {
    let cells = [
        "import numpy as np\nimport pandas as pd\ntrain = pd.read_csv('a.csv')\n",
        "x = train.a.astype(np.float)\n",
        "def f(data):\n    return data.append(train)\ny = f(train)\n",
        "z = np.zeros(3, dtype=np.int)\n",
    ];
    let notebook = notebook(&cells);
    let packages = BTreeMap::new();
    let errors = errors_on_every_line(1, cells[1], ("AttributeError", "module 'numpy' has no attribute 'float'. `np"));
    let proposal = Rules.propose(&feedback(&notebook, errors, &packages)).unwrap();
    let sources: Vec<&str> = proposal.notebook.cells.iter().map(|cell| cell.source.as_str()).collect();
    assert_eq!(sources[1], "x = train.a.astype(float)\n");
    assert_eq!(sources[2], "def f(data):\n    return pd.concat([data, train])\ny = f(train)\n");
    assert_eq!(sources[3], "z = np.zeros(3, dtype=int)\n");
    assert!(proposal.applied.iter().any(|applied| applied.rule == "numpy-removed-names" && applied.cell == 3));
    assert!(proposal.plan.contains("numpy-removed-names"));
}

#[test]
fn an_import_whose_failure_is_provided_for_is_left_alone() {
    let cells = [
        "try:\n    from sklearn.impute import SimpleImputer\nexcept ImportError:\n    from sklearn.preprocessing import Imputer as SimpleImputer\n",
        "from sklearn.cross_validation import KFold\n",
    ];
    let notebook = notebook(&cells);
    let packages = BTreeMap::new();
    let missing = ("ModuleNotFoundError", "No module named 'sklearn.cross_validation'");
    let proposal = Rules.propose(&feedback(&notebook, errors_on_every_line(1, cells[1], missing), &packages));
    let proposal = proposal.unwrap();
    assert_eq!(proposal.notebook.cells[0].source, cells[0]);
    assert_eq!(proposal.notebook.cells[1].source, "from sklearn.model_selection import KFold\n");
}

#[test]
fn keywords_are_mended_where_the_dict_of_options_is_written() {
    let cells = [
        "import matplotlib.pyplot as plt\noptions = dict(alpha=0.5, normed=True)\nothers = {'normed': True}\nboth = dict(normed=True)\n",
        "plt.hist(x, **options)\nplt.hist(x, **others)\nplt.hist(x, **both)\ndraw(**both)\n",
    ];
    let notebook = notebook(&cells);
    let packages = BTreeMap::new();
    let unexpected = ("AttributeError", "Polygon.set() got an unexpected keyword argument 'normed'");
    let proposal = Rules.propose(&feedback(&notebook, errors_on_every_line(1, cells[1], unexpected), &packages));
    insta::assert_snapshot!(proposal.unwrap().notebook.cells[0].source, @"
    import matplotlib.pyplot as plt
    options = dict(alpha=0.5, density=True)
    others = {'density': True}
    both = dict(normed=True)
    ");
}

/// The first cell's text after one proposal, given an error that blames each of its lines.
fn mended(source: &str, error: (&str, &str)) -> Option<String> {
    let notebook = notebook(&[source]);
    let packages = BTreeMap::new();
    let proposal = Rules.propose(&feedback(&notebook, errors_on_every_line(0, source, error), &packages));
    proposal.map(|proposal| proposal.notebook.cells[0].source.clone())
}

/// The same where nothing raised, and the score is another one.
fn mended_silently(source: &str) -> Option<String> {
    let notebook = notebook(&[source]);
    let packages = BTreeMap::new();
    let feedback = Feedback { score: Some(0.4), target: Some(0.5), ..feedback(&notebook, Vec::new(), &packages) };
    Rules.propose(&feedback).map(|proposal| proposal.notebook.cells[0].source.clone())
}

/// The same, given an error that blames one line alone.
fn mended_in_line(source: &str, line: u32, error: (&str, &str)) -> Option<String> {
    let notebook = notebook(&[source]);
    let packages = BTreeMap::new();
    let errors = errors_on_every_line(0, source, error).into_iter().filter(|one| one.line == Some(line)).collect();
    let proposal = Rules.propose(&feedback(&notebook, errors, &packages));
    proposal.map(|proposal| proposal.notebook.cells[0].source.clone())
}

#[test]
fn an_attribute_that_no_error_names_is_left_alone_on_an_unknown_receiver() {
    let source = "x = frame.applymap(lambda day: day.week if day else 0)\n";
    let missing = ("AttributeError", "'DataFrame' object has no attribute 'applymap'");
    let after = mended(source, missing).unwrap();
    assert_eq!(after, "x = frame.map(lambda day: day.week if day else 0)\n");
    assert_eq!(mended(&after, ("AttributeError", "'datetime.date' object has no attribute 'month'")), None);
    let weeks = mended("w = days.dt.week\n", ("AttributeError", "'DatetimeProperties' object has no attribute 'week'"));
    assert_eq!(weeks.as_deref(), Some("w = days.dt.isocalendar().week.astype(int)\n"));
}

#[test]
fn one_error_names_the_axis_of_every_call_that_arrays_take_too() {
    let cells = ["def f(data):\n    return data.isnull().any(1)\n", "f(x)\n", "y = z.any(1)\n"];
    let notebook = notebook(&cells);
    let packages = BTreeMap::new();
    let told = ("TypeError", "DataFrame.any() takes 1 positional argument but 2 were given");
    let proposal = Rules.propose(&feedback(&notebook, errors_on_every_line(1, cells[1], told), &packages));
    let sources: Vec<String> = proposal.unwrap().notebook.cells.into_iter().map(|cell| cell.source).collect();
    assert_eq!(sources[0], "def f(data):\n    return data.isnull().any(axis=1)\n");
    assert_eq!(sources[2], "y = z.any(axis=1)\n");
}

#[test]
fn periods_keep_their_months() {
    let source = "import pandas as pd\nd = pd.date_range('2019', periods=3, freq='M')\np = pd.period_range('2019', '2020', freq='M')\nh = pd.Period('2019', freq='H')\n";
    insta::assert_snapshot!(mended(source, ("ValueError", "Invalid frequency: H. Did you mean h?")).unwrap(), @"
    import pandas as pd
    d = pd.date_range('2019', periods=3, freq='ME')
    p = pd.period_range('2019', '2020', freq='M')
    h = pd.Period('2019', freq='h')
    ");
    let after = mended("m = quarter.asfreq('ME')\n", ("ValueError", "for Period, please use 'M' instead of 'ME'"));
    assert_eq!(after, None, "no trigger of its own: such a message comes behind `Invalid frequency`");
    let told =
        ("ValueError", "Invalid frequency: ME. Failed with ValueError(\"for Period, please use 'M' instead of 'ME'\")");
    assert_eq!(mended("m = quarter.asfreq('ME')\n", told).as_deref(), Some("m = quarter.asfreq('M')\n"));
}

#[test]
fn levels_of_columns_are_grouped_in_the_transposed_frame() {
    let unexpected = ("TypeError", "DataFrame.mean() got an unexpected keyword argument 'level'");
    let after = mended("m = d.mean(axis=1, level='type')\nn = d.sum(level=0, axis=0)\n", unexpected);
    assert_eq!(after.as_deref(), Some("m = d.T.groupby(level='type').mean().T\nn = d.groupby(level=0).sum()\n"));
}

#[test]
fn groups_of_columns_are_turned_back_wherever_they_go() {
    let unexpected = ("TypeError", "DataFrame.groupby() got an unexpected keyword argument 'axis'");
    let after = |source| mended(source, unexpected);
    assert_eq!(after("r = d.groupby(k, axis='columns').mean()\n").as_deref(), Some("r = d.T.groupby(k).mean().T\n"));
    assert_eq!(after("r = d.groupby(k, axis=0)['a'].mean()\n").as_deref(), Some("r = d.groupby(k)['a'].mean()\n"));
    assert_eq!(
        after("r = d.groupby(k, axis=1).apply(f)\n").as_deref(),
        Some("r = d.T.groupby(k).apply(lambda group: (f)(group.T).T).T\n")
    );
    assert_eq!(
        after("for n, g in d.groupby(k, axis=1):\n    print(g)\n").as_deref(),
        Some("for n, g in ((name, group.T) for name, group in d.T.groupby(k)):\n    print(g)\n")
    );
    assert_eq!(after("n = d.groupby(k, axis=1).ngroups\nprint(d.groupby(k, axis=1), n)\n"), None);
}

#[test]
fn axes_are_joined_however_they_are_handed_over() {
    let error = ("AttributeError", "'GrouperView' object has no attribute 'join'");
    let after = |source| mended(source, error);
    assert_eq!(after("a.get_shared_y_axes().join(a, b, c)\n").as_deref(), Some("b.sharey(a); c.sharey(a)\n"));
    assert_eq!(
        after("a.get_shared_x_axes().join(*axes)\n").as_deref(),
        Some("[other.sharex(axes[0]) for other in axes[1:]]\n")
    );
    assert_eq!(after("a.get_shared_x_axes().join(a)\n"), None);
}

#[test]
fn an_artist_that_is_taken_from_its_list_for_use_is_left_alone() {
    let error = ("AttributeError", "'ArtistList' object has no attribute 'pop'");
    assert_eq!(mended("ax.lines.pop(0)\n", error).as_deref(), Some("ax.lines[0].remove()\n"));
    assert_eq!(mended("line = ax.lines.pop(0)\n", error), None);
}

#[test]
fn gaps_numbers_and_rows_of_dates_are_those_of_before_only_where_the_text_tells() {
    let head = "import pandas as pd\ndf = pd.read_csv('a.csv', parse_dates=['d'])\n";
    let with = |line: &str| format!("{head}{line}\n");
    for (line, new) in [
        ("r = df['c'].astype(str)", "r = df['c'].astype(str).fillna('nan')"),
        ("r = df.d.astype(int)", "r = df.d.astype('datetime64[ns]').astype(int)"),
        ("r = pd.to_numeric(df['d'])", "r = pd.to_numeric(df['d'].astype('datetime64[ns]'))"),
        ("r = df['d'].values.astype('int64')", "r = df['d'].astype('datetime64[ns]').values.astype('int64')"),
        ("r = df.pct_change()", "r = df.ffill().pct_change()"),
    ] {
        assert_eq!(mended_silently(&with(line)).as_deref(), Some(&with(new)[..]));
    }
    for line in [
        "r = df['e'].astype(int)",
        "r = x.astype(str)",
        "r = df.fillna(0).pct_change()",
        "r = df['c'].astype(str).fillna('')",
    ] {
        assert_eq!(mended_silently(&with(line)), None, "{line}");
    }
}

#[test]
fn groups_give_rows_with_keys_and_places_unless_the_code_was_written_without() {
    let with = |line: &str| format!("import pandas as pd\ndf = pd.read_csv('a.csv')\n{line}\n");
    for (line, new) in [
        (
            "r = df.groupby('c').apply(lambda g: g[g.a > 1])",
            "r = df.groupby('c')[list(df.columns)].apply(lambda g: g[g.a > 1])",
        ),
        (
            "r = df[df.a > 1].groupby(['c', 'k']).apply(lambda g: g.head(2)).reset_index(drop=True)",
            "r = df[df.a > 1].groupby(['c', 'k'])[list(df.columns)].apply(lambda g: g.head(2)).reset_index(drop=True)",
        ),
        (
            "df['r'] = df['a'].groupby(df['c']).apply(lambda s: s.rolling(2).mean())",
            "df['r'] = df['a'].groupby(df['c'], group_keys=False).apply(lambda s: s.rolling(2).mean())",
        ),
        (
            "g = df.groupby('c')\nr = g.apply(lambda rows: rows.sort_values('a'))\nn = g.size()",
            "g = df.groupby('c')\nr = g[list(g.obj.columns)].apply(lambda rows: rows.sort_values('a'))\nn = g.size()",
        ),
        (
            "g = df.groupby('c')['a']\nr = g.apply(lambda s: s - s.mean())\nq = g.apply(lambda s: s.cumsum())",
            "g = df.groupby('c', group_keys=False)['a']\nr = g.apply(lambda s: s - s.mean())\nq = g.apply(lambda s: s.cumsum())",
        ),
    ] {
        assert_eq!(mended_silently(&with(line)).as_deref(), Some(&with(new)[..]));
    }
    for line in [
        "r = df.groupby('c').apply(lambda g: g.head(2)).reset_index()",
        "r = df.groupby('c').apply(lambda g: g.head(2), include_groups=False)",
        "r = df.groupby('c').apply(lambda g: g['a'].max())",
        "r = df.groupby('c')['a'].apply(lambda s: s.cumsum()).reset_index(level=0, drop=True)",
        "r = df.groupby('c')['a'].apply(lambda s: s.cumsum()).droplevel(0)",
        "r = df.groupby('c', group_keys=True)['a'].apply(lambda s: s.cumsum())",
        "r = df.groupby('c')['a'].apply(lambda s: s.nlargest(2))",
        "g = df.groupby('c')['a']\nr = g.apply(lambda s: s - s.mean())\nq = g.apply(lambda s: s.nlargest(2))",
        "g = df.groupby('c')['a']\ng = df.groupby('b')['a']\nr = g.apply(lambda s: s - s.mean())",
        "g = df.groupby('c')\nr = df.a.map(lambda g: g.apply(lambda rows: rows.head(1)))",
    ] {
        assert_eq!(mended_silently(&with(line)), None, "{line}");
    }
}

#[test]
fn functions_of_numpy_are_named_wherever_pandas_is_given_them() {
    let with = |line: &str| format!("import numpy as np\nimport pandas as pd\ndf = pd.read_csv('a.csv')\n{line}\n");
    for (line, new) in [
        ("r = df.groupby('c')['b'].agg(np.std)", "r = df.groupby('c')['b'].agg('std')"),
        ("r = df.groupby('c').agg(m=('b', np.median))", "r = df.groupby('c').agg(m=('b', 'median'))"),
        ("r = df['b'].resample('D').apply(np.nanstd)", "r = df['b'].resample('D').apply('std')"),
        (
            "f = {'b': [np.var, np.nanvar]}\nr = df.groupby('c').agg(f)",
            "f = {'b': ['var', np.nanvar]}\nr = df.groupby('c').agg(f)",
        ),
        ("r = np.max(-df)", "r = (-df).max()"),
    ] {
        assert_eq!(mended_silently(&with(line)).as_deref(), Some(&with(new)[..]));
    }
    for line in [
        "r = df.groupby('c')['b'].agg(np.mean)",
        "r = df['b'].apply(np.std)",
        "r = np.std(df['b'])",
        "r = np.sum(df, axis=1)",
        "r = np.median(df)",
        "r = df.groupby('c')['b'].apply(np.mean)",
    ] {
        assert_eq!(mended_silently(&with(line)), None, "{line}");
    }
}

#[test]
fn defaults_of_a_notebook_known_to_be_older_come_back_with_its_repair() {
    let cells = ["import pandas as pd\ndf = pd.read_csv('a.csv')\nd = pd.get_dummies(df)\nd.ix[0]\n"];
    let packages = BTreeMap::new();
    let proposed = |notebook: &Notebook, date: Option<(i16, i8, i8)>| {
        let error = errors_on_every_line(
            0,
            &notebook.cells[0].source,
            ("AttributeError", "'DataFrame' object has no attribute 'ix'"),
        );
        let last_day = date.map(|(year, month, day)| jiff::civil::date(year, month, day));
        let feedback = Feedback { submitted: None, last_day, ..feedback(notebook, error, &packages) };
        Rules.propose(&feedback).unwrap().notebook.cells[0].source.contains("dtype='uint8'")
    };
    let mut notebook = notebook(&cells);
    assert!(!proposed(&notebook, None));
    assert!(!proposed(&notebook, Some((2023, 4, 3))));
    assert!(proposed(&notebook, Some((2023, 4, 2))));
    notebook.metadata.insert("language_info".to_owned(), serde_json::json!({ "name": "python", "version": "3.8.1" }));
    assert!(!proposed(&notebook, None));
    notebook.metadata.insert("language_info".to_owned(), serde_json::json!({ "name": "python", "version": "3.7.4" }));
    assert!(proposed(&notebook, None));
}

#[test]
fn text_is_kept_out_of_interpolation_whatever_it_is_called_on() {
    let error = ("NotImplementedError", "Categorical does not implement interpolate");
    assert_eq!(
        mended("r = df.resample('ME').first().interpolate('linear')\n", error).as_deref(),
        Some(
            "r = df.resample('ME').first().pipe(lambda table: table.select_dtypes('number').interpolate('linear')\
             .join(table.select_dtypes(exclude='number'))[table.columns])\n"
        )
    );
}

#[test]
fn what_floats_lack_is_mended_where_it_is_what_they_lack() {
    let source = "import numpy as np\nm = score(a).round(2)\nn = length(t).mean()\n";
    let lacks =
        |name: &str| mended(source, ("AttributeError", &format!("'float' object has no attribute '{name}'")[..]));
    insta::assert_snapshot!(lacks("round").unwrap(), @"
    import numpy as np
    m = np.round(score(a), 2)
    n = length(t).mean()
    ");
    assert_eq!(lacks("lower"), None);
}

#[test]
fn the_backend_that_tensorflow_keeps_and_rates_of_others_are_left_alone() {
    let error = ("AttributeError", "module 'keras.backend' has no attribute 'int_shape'");
    assert_eq!(mended("from tensorflow.keras import backend as K\ns = K.int_shape(x)\nm = K.mean(x)\n", error), None);
    let elsewhere = ("AttributeError", "'Run' object has no attribute 'rate'");
    assert_eq!(mended("r = run.optimizer.lr\nq = run.rate\n", elsewhere), None);
}

#[test]
fn sizes_of_samples_are_whole() {
    let float = ("TypeError", "'float' object cannot be interpreted as an integer");
    let source = "import numpy as np\na = np.random.rand(1e4, 1e2)\nb = np.random.normal(0.5, 1, 1e3)\nc = np.random.exponential(0.5, size=1e2)\n";
    insta::assert_snapshot!(mended(source, float).unwrap(), @"
    import numpy as np
    a = np.random.rand(int(1e4), int(1e2))
    b = np.random.normal(0.5, 1, int(1e3))
    c = np.random.exponential(0.5, size=int(1e2))
    ");
}

#[test]
fn a_grid_follows_the_model_that_was_wrapped() {
    let wrapped =
        ("ValueError", "Invalid parameter 'C' for estimator OneVsRestClassifier(estimator=LogisticRegression())");
    let source = "params = {\n    'tree': {'model': Tree(), 'grid': {'C': [9]}},\n    'logistic': {'model': OneVsRestClassifier(LogisticRegression()), 'grid': {'C': [1, 5]}},\n}\nsearch(params)\n";
    insta::assert_snapshot!(mended(source, wrapped).unwrap(), @"
    params = {
        'tree': {'model': Tree(), 'grid': {'C': [9]}},
        'logistic': {'model': OneVsRestClassifier(LogisticRegression()), 'grid': {'estimator__C': [1, 5]}},
    }
    search(params)
    ");
}

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
fn a_name_that_is_put_into_a_library_keeps_its_place() {
    let source = "import numpy, scipy\nscipy.interp = numpy.interp\ny = scipy.interp(1, [0, 2], [0, 2])\n";
    let missing = ("AttributeError", "module 'scipy' has no attribute 'interp'");
    insta::assert_snapshot!(mended(source, missing).unwrap(), @r"
    import numpy, scipy
    scipy.interp = numpy.interp
    y = numpy.interp(1, [0, 2], [0, 2])
    ");
}

#[test]
fn one_missed_position_tells_of_all_of_its_series_in_the_cell() {
    let source = "for index, row in df.iterrows():\n    print(row[0], row[1], row['c'])\nrow[7]\nother[0]\n";
    insta::assert_snapshot!(mended_in_line(source, 2, ("KeyError", "0")).unwrap(), @r"
    for index, row in df.iterrows():
        print(row.iloc[0], row.iloc[1], row['c'])
    row.iloc[7]
    other[0]
    ");
}

#[test]
fn numbers_that_are_labels_are_no_positions() {
    let source = "import pandas as pd\ns = pd.Series([5, 6])\nr = s[-1]\n";
    let notebook = notebook(&[source]);
    let packages = BTreeMap::new();
    for (traceback, is_mended) in [
        ("ValueError: -1 is not in range\n\nKeyError: -1", false),
        ("in pandas._libs.hashtable.Int64HashTable.get_item()\n\nKeyError: -1", false),
        ("in pandas._libs.hashtable.PyObjectHashTable.get_item()\n\nKeyError: -1", true),
    ] {
        let errors = errors_on_every_line(0, source, ("KeyError", "-1")).into_iter();
        let errors = errors.map(|one| CellFeedback { traceback: traceback.to_owned(), ..one }).collect();
        assert_eq!(Rules.propose(&feedback(&notebook, errors, &packages)).is_some(), is_mended, "{traceback}");
    }
}

#[test]
fn positions_that_are_computed_are_mended_on_what_is_a_series_for_certain() {
    let source = "import pandas as pd\ns = pd.Series([5, 6], index=['a', 'b'])\nr = [s[i] for i in range(2)]\nt = s[[0, 1]]\ns[-1] += 1\nu = d[i]\n";
    insta::assert_snapshot!(mended(source, ("KeyError", "0")).unwrap(), @r"
    import pandas as pd
    s = pd.Series([5, 6], index=['a', 'b'])
    r = [s.iloc[i] for i in range(2)]
    t = s[[0, 1]]
    s.iloc[-1] += 1
    u = d[i]
    ");
    let several = ("KeyError", "\"None of [Index([0, 1], dtype='int64')] are in the [index]\"");
    insta::assert_snapshot!(mended(source, several).unwrap(), @r"
    import pandas as pd
    s = pd.Series([5, 6], index=['a', 'b'])
    r = [s.iloc[i] for i in range(2)]
    t = s.iloc[[0, 1]]
    s.iloc[-1] += 1
    u = d[i]
    ");
    insta::assert_snapshot!(mended(source, ("KeyError", "-1")).unwrap(), @r"
    import pandas as pd
    s = pd.Series([5, 6], index=['a', 'b'])
    r = [s.iloc[i] for i in range(2)]
    t = s[[0, 1]]
    s.iloc[-1] += 1
    u = d[i]
    ");
}

#[test]
fn slices_of_a_chained_column_are_of_positions() {
    let source = "import pandas as pd\ndf = pd.read_csv('a.csv')\ndf.b[0:2] = 3\ndf['b'][1:] = 3\ndf.b.loc[0:2] = 3\n";
    insta::assert_snapshot!(mended(source, ("NameError", "name 'x' is not defined")).unwrap(), @r"
    import pandas as pd
    df = pd.read_csv('a.csv')
    df.loc[df.index[0:2], 'b'] = 3
    df.loc[df.index[1:], 'b'] = 3
    df.loc[0:2, 'b'] = 3
    ");
}

#[test]
fn arrays_that_may_be_written_to_are_copies() {
    let source = "import numpy as np\nimport pandas as pd\ndf = pd.read_csv('a.csv')\nX, y = df.iloc[:, 1:].values, df['b'].values.reshape(-1, 1)\nz = np.asarray(df['b'])\nm = df.values.mean()\nclean(df.values)\nprint(y.values)\ndef part(table):\n    return df['b'].values\ndf.values[0, 1] += 2\ndf.columns.values[[0, 1]] = ['p', 'q']\ndf.columns.values[i] = 'q'\ndf.columns.values[-1] = 'r'\n";
    insta::assert_snapshot!(mended(source, ("ValueError", "assignment destination is read-only")).unwrap(), @r"
    import numpy as np
    import pandas as pd
    df = pd.read_csv('a.csv')
    X, y = df.iloc[:, 1:].to_numpy(copy=True), df['b'].to_numpy(copy=True).reshape(-1, 1)
    z = np.array(df['b'])
    m = df.values.mean()
    clean(df.to_numpy(copy=True))
    print(y.values)
    def part(table):
        return df['b'].to_numpy(copy=True)
    df.iloc[0, 1] += 2
    df.rename(columns=dict(zip(df.columns[[0, 1]], ['p', 'q'])), inplace=True)
    df.columns.values[i] = 'q'
    df.columns = df.columns.delete(-1).insert(len(df.columns) - 1, 'r')
    ");
}

#[test]
fn two_imports_that_fail_do_not_pass_each_other_for_ever() {
    let packages = BTreeMap::new();
    let mut text = "import one\nimport numpy as np\nimport two\nx = np.zeros(one.n + two.n)\n".to_owned();
    for missing in ["one", "two", "one", "two"] {
        let notebook = notebook(&[&text]);
        let line = text.lines().position(|line| line.starts_with(&format!("import {missing}"))).unwrap();
        let error = CellFeedback {
            cell: 0,
            ename: "ModuleNotFoundError".to_owned(),
            evalue: format!("No module named '{missing}'"),
            traceback: String::new(),
            line: u32::try_from(line + 1).ok(),
        };
        if let Some(proposal) = Rules.propose(&feedback(&notebook, vec![error], &packages)) {
            text.clone_from(&proposal.notebook.cells[0].source);
        }
    }
    insta::assert_snapshot!(text, @"
    import numpy as np
    import two
    import one  # fails: moved behind what does not need it
    x = np.zeros(one.n + two.n)
    ");
}

#[test]
fn an_old_installed_version_keeps_the_old_form() {
    let cells = ["import pandas as pd\na = pd.read_csv('a.csv')\nb = a.append(a)\n", "x = undefined\n"];
    let notebook = notebook(&cells);
    let packages = BTreeMap::from([("pandas".to_owned(), "1.5.3".to_owned())]);
    let errors = errors_on_every_line(1, cells[1], ("NameError", "name 'undefined' is not defined"));
    assert!(Rules.propose(&feedback(&notebook, errors, &packages)).is_none());
}

#[test]
fn calibration_restores_silent_changes_before_defaults() {
    let cells = [
        "import pandas as pd\nfrom sklearn.ensemble import RandomForestClassifier\ndf = pd.read_csv('a.csv')\ndf['a'].fillna(0, inplace=True)\nm = RandomForestClassifier()\n",
    ];
    let first = notebook(&cells);
    let packages = BTreeMap::new();
    let proposal = Rules.propose(&feedback(&first, Vec::new(), &packages)).unwrap();
    let source = &proposal.notebook.cells[0].source;
    assert!(source.contains("df['a'] = df['a'].fillna(0)"), "{source}");
    assert!(source.contains("RandomForestClassifier()"), "{source}");
    let second = Rules.propose(&feedback(&proposal.notebook, Vec::new(), &packages)).unwrap();
    assert!(second.notebook.cells[0].source.contains("RandomForestClassifier(n_estimators=10)"));
    let mut recent = feedback(&proposal.notebook, Vec::new(), &packages);
    recent.submitted = Some(jiff::civil::date(2025, 1, 1));
    assert!(Rules.propose(&recent).is_none());
}

#[test]
fn a_rule_leaves_its_own_result_alone() {
    let mut wrong = Vec::new();
    for rule in catalogue().filter(|rule| !matches!(rule.trigger, Trigger::Slow { .. })) {
        let again = rewrite(rule, rule.example.after, rule.example.error);
        if again != rule.example.after {
            wrong.push(format!("{}:\n--- first\n{}\n--- again\n{again}", rule.id, rule.example.after));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}

/// Uses that an example does not show: keywords that reach a call as options, and names with another local name.
fn in_other_words(rule: &Rule) -> Vec<String> {
    let before = rule.example.before;
    let mut texts = vec![before.to_owned()];
    if let Some((import, rest)) = before.split_once('\n').filter(|(import, _)| import.starts_with("from ")) {
        let name = import.rsplit(' ').next().unwrap_or_default();
        texts.push(format!("{import} as local\n{}", rest.replace(name, "local")));
    }
    if let Rewrite::Keyword(table) = rule.rewrite {
        let keys: Vec<String> = table.iter().map(|row| format!("'{}': 1", row.keyword)).collect();
        let without =
            table.iter().fold(before.to_owned(), |text, row| text.replace(&format!("{}=", row.keyword), "other="));
        let (call, rest) = without.rsplit_once(')').unwrap_or_default();
        texts.push(format!("{call}, **options){rest}\noptions = {{{}}}\n", keys.join(", ")));
    }
    texts
}

/// What a table makes of the code when every line is blamed, with and without a look at the words before.
#[test]
fn words_keep_no_table_from_what_it_would_change() {
    let tables = || catalogue().filter(|rule| !matches!(rule.rewrite, Rewrite::Code(_)));
    let mut changed = 0;
    for text in tables().flat_map(in_other_words) {
        let errors = errors_on_every_line(0, &text, ("Error", ""));
        let errors: Vec<&CellFeedback> = errors.iter().collect();
        let cells = [Source::new(0, &text)];
        let code = Code::of(&cells);
        for rule in tables() {
            let texts = act(rule, &code, &errors).texts;
            assert_eq!(texts, rewritten(rule, &code, &errors).texts, "{}", rule.id);
            changed += texts.len();
        }
    }
    assert!(changed > tables().count(), "{changed}");
}

proptest::proptest! {
    #![proptest_config(proptest::test_runner::Config::with_cases(48))]

    #[test]
    fn no_text_makes_the_rules_panic(
        cell in "(df|x|np\\.float|print|\\.append|\\.ix|\\[|\\]|\\(|\\)|=|==|:|,|'| |\n|lambda|for|in|0|L|`|<>|é|\\.dtype|object|inplace=True|fillna|import numpy as np\n){0,40}",
        error in 0usize..6,
    ) {
        let errors = [
            ("SyntaxError", "invalid syntax"),
            ("AttributeError", "'DataFrame' object has no attribute 'append'"),
            ("AttributeError", "module 'numpy' has no attribute 'float'"),
            ("TypeError", "'float' object cannot be interpreted as an integer"),
            ("KeyError", "0"),
            ("ValueError", "could not convert string to float: 'x'"),
        ];
        let notebook = notebook(&[&cell, "# untouched é\n"]);
        let packages = BTreeMap::new();
        let errors = errors_on_every_line(0, &cell, errors[error]);
        let proposal = Rules.propose(&feedback(&notebook, errors, &packages));
        if let Some(proposal) = proposal {
            proptest::prop_assert_eq!(&proposal.notebook.cells[1].source, "# untouched é\n");
        }
    }
}

#[test]
fn a_module_is_known_where_it_lives_today() {
    assert_eq!(moved_to("sklearn.externals.joblib").as_deref(), Some("joblib"));
    assert_eq!(moved_to("sklearn.cross_validation").as_deref(), Some("sklearn.model_selection"));
    assert_eq!(moved_to("fbprophet").as_deref(), Some("prophet"));
    assert_eq!(moved_to("numpy.float"), None, "a built-in needs no import");
    assert_eq!(moved_to("numpy"), None);
}

#[test]
fn a_parameter_is_no_built_in_of_its_name() {
    let source = "def f(file, key=lambda long: long):\n    return file.read(), xrange(3)\n";
    let after = mended(source, ("NameError", "name 'xrange' is not defined")).unwrap();
    assert_eq!(after, "def f(file, key=lambda long: long):\n    return file.read(), range(3)\n");
}

#[test]
fn what_pandas_asked_by_place_is_iloc() {
    let source = "r = df.irow(0)\nc = df.icol(1)\nv = df.iget_value(2, 3)\n";
    let error = ("AttributeError", "'DataFrame' object has no attribute 'irow'");
    assert_eq!(mended(source, error).unwrap(), "r = df.iloc[0]\nc = df.iloc[:, 1]\nv = df.iloc[2, 3]\n");
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
