//! Rules of pandas, beyond their examples.

use super::*;

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
fn what_pandas_asked_by_place_is_iloc() {
    let source = "r = df.irow(0)\nc = df.icol(1)\nv = df.iget_value(2, 3)\n";
    let error = ("AttributeError", "'DataFrame' object has no attribute 'irow'");
    assert_eq!(mended(source, error).unwrap(), "r = df.iloc[0]\nc = df.iloc[:, 1]\nv = df.iloc[2, 3]\n");
}

#[test]
fn splits_of_estimators_and_lists_of_columns_are_left_alone() {
    let cells = [
        "from sklearn.model_selection import StratifiedKFold\nimport pandas as pd\ntrain = pd.read_csv('a.csv')\nkeys = ['a', 'b']\n",
        "t = names.split('-', 1)\nfor a, b in StratifiedKFold(3).split(X, y): pass\n",
        "r = train[keys]\nd = train[day]\n",
    ];
    let changed = |error| {
        let (notebook, packages) = (notebook(&cells), BTreeMap::new());
        let errors = (1..3).flat_map(|cell| errors_on_every_line(cell, cells[cell], error)).collect();
        let proposal = Rules.propose(&feedback(&notebook, errors, &packages)).unwrap();
        proposal.notebook.cells.into_iter().skip(1).map(|cell| cell.source).collect::<Vec<_>>()
    };
    let told = ("TypeError", "StringMethods.split() takes from 1 to 2 positional arguments but 3 were given");
    let named = "t = names.split('-', n=1)\nfor a, b in StratifiedKFold(3).split(X, y): pass\n";
    assert_eq!(changed(told), [named, cells[2]]);
    assert_eq!(changed(("KeyError", "'2016-05'")), [cells[1], "r = train[keys]\nd = train.loc[day]\n"]);
}

#[test]
fn positions_are_told_from_labels_where_the_code_tells() {
    let missing = ("AttributeError", "'DataFrame' object has no attribute 'ix'");
    let read = "import pandas as pd\ndf = pd.read_csv('a.csv', index_col='d', parse_dates=['d'])\n";
    let after = |line: &str| mended(&format!("{read}{line}\n"), missing).unwrap_or_default().replace(read, "");
    assert_eq!(after("x = df.ix[0]"), "x = df.iloc[0]\n");
    assert_eq!(after("df.ix[1, 'a':] = 2"), "df.iloc[1, df.columns.slice_indexer('a', None)] = 2\n");
    assert_eq!(after("x = df['a'].ix[:2]"), "x = df['a'].iloc[:2]\n");
    assert_eq!(after("x = df.ix['2019']"), "x = df.loc['2019']\n");
    // By label it would be a row more, and no error.
    let unknown = "df = load().set_index('k')\ndf.ix[0, 'a'] = 1\n";
    assert_eq!(mended(unknown, missing), None);
}

#[test]
fn what_has_no_equal_is_left() {
    let refused = ("ValueError", "Cannot convert from timedelta64[us] to timedelta64[D].");
    let arrays = "n = (d['a'].values - d['b'].values).astype('timedelta64[D]')\nm = d.values.astype('datetime64[D]')\n";
    assert_eq!(mended(arrays, refused), None);
    let gone = ("AttributeError", "module 'pandas' has no attribute 'Float64Index'");
    assert_eq!(mended("import pandas as pd\nx = isinstance(i, pd.Float64Index)\n", gone), None);
    let option = ("OptionError", "No such keys(s): 'mode.use_inf_as_na'");
    assert_eq!(mended("import pandas as pd\npd.set_option('mode.use_inf_as_na', True)\n", option), None);
}

#[test]
fn what_an_index_was_asked_is_asked_of_its_kind() {
    let categorical = ("AttributeError", "'CategoricalIndex' object has no attribute 'is_categorical'");
    let after = mended("import pandas as pd\nr = i.is_categorical()\n", categorical);
    assert_eq!(after.as_deref(), Some("import pandas as pd\nr = isinstance(i.dtype, pd.CategoricalDtype)\n"));
    let labels = ("AttributeError", "'MultiIndex' object has no attribute 'set_labels'");
    let after = mended("i = i.set_labels([1, 0], level=0)\n", labels);
    assert_eq!(after.as_deref(), Some("i = i.set_codes([1, 0], level=0)\n"));
}
