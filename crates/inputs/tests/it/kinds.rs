//! Kinds of code that decide what a file must hold, each in all the ways in which it can be written.

use nbrevive_inputs::{InputFile, InputFormat, InputKind, InputRecipe, InputTable};
use nbrevive_notebook::CellFeedback;

use crate::golden::notebook;

fn recipe(code: &str) -> InputRecipe {
    InputRecipe::of(
        &notebook(&["import os, glob\nimport numpy as np\nimport pandas as pd\nfrom pathlib import Path", code]),
        false,
    )
}

fn file<'a>(recipe: &'a InputRecipe, path: &str) -> &'a InputFile {
    recipe.files.iter().find(|file| file.path == path).unwrap_or_else(|| panic!("no {path}: {}", recipe.to_json()))
}

fn table<'a>(recipe: &'a InputRecipe, path: &str) -> &'a InputTable {
    &file(recipe, path).tables[0]
}

fn kind(table: &InputTable, name: &str) -> Option<InputKind> {
    table.columns.iter().find(|column| column.name == name).map(|column| column.kind)
}

#[test]
fn files_of_a_loop_are_read_whichever_list_holds_them() {
    let gathered = [
        "parts = []\nfor name in ['a', 'b']:\n    parts.append(pd.read_csv(f'{name}.csv'))\nall = pd.concat(parts)",
        "parts = []\nfor name in ('a', 'b'):\n    part = pd.read_csv(name + '.csv')\n    parts.append(part)\nall = pd.concat(parts, ignore_index=True)",
        "all = pd.concat([pd.read_csv('%s.csv' % name) for name in ['a', 'b']])",
        "all = pd.concat(map(lambda name: pd.read_csv('{}.csv'.format(name)), ['a', 'b']))",
        "def read():\n    parts = []\n    for name in ['a', 'b']:\n        parts.extend([pd.read_csv(name + '.csv')])\n    return pd.concat(parts)\nall = read()",
        "all = pd.DataFrame()\nfor name in ['a', 'b']:\n    all = pd.concat([all, pd.read_csv(name + '.csv')])",
    ];
    for code in gathered {
        let recipe = recipe(&format!("{code}\nall['price'].mean() / 2\nall[all['town'] == 'Bern']"));
        for path in ["a.csv", "b.csv"] {
            let table = table(&recipe, path);
            assert_eq!(kind(table, "price"), Some(InputKind::Number), "{code}: {path}");
            assert_eq!(kind(table, "town"), Some(InputKind::Category), "{code}: {path}");
        }
    }
}

#[test]
fn a_column_of_joined_tables_belongs_to_the_one_that_has_it_elsewhere() {
    let joins =
        ["pd.merge(a, b, on='key')", "pd.merge(a, b)", "a.merge(b, on='key')", "a.merge(b)", "a.merge(b, how='left')"];
    for join in joins {
        for later in ["b['town'].str.lower()", "b.town.str.lower()", "b[['town', 'key']].head()\nb['town'].str.lower()"]
        {
            let code = format!(
                "a = pd.read_csv('a.csv')\nb = pd.read_csv('b.csv')\na['key'], b['key']\nboth = {join}\nboth.groupby('town')['x'].sum()\n{later}"
            );
            let recipe = recipe(&code);
            assert_eq!(kind(table(&recipe, "a.csv"), "town"), None, "{code}");
            assert!(kind(table(&recipe, "b.csv"), "town").is_some(), "{code}");
            let keys = ["a.csv", "b.csv"].map(|path| kind(table(&recipe, path), "key"));
            assert_eq!(keys, [Some(InputKind::Integer); 2], "{code}");
        }
    }
}

#[test]
fn what_lies_in_a_listed_folder_is_what_is_read_from_it() {
    let listings = [
        "for name in os.listdir('in'):\n    READ(os.path.join('in', name))",
        "for name in sorted(os.listdir('in')):\n    if name.endswith('.x'):\n        READ('in/' + name)",
        "paths = [os.path.join('in', name) for name in os.listdir('in')]\nfor path in paths:\n    READ(path)",
        "for path in Path('in').iterdir():\n    READ(path)",
        "for entry in os.scandir('in'):\n    READ(entry.path)",
        "for folder, _, names in os.walk('in'):\n    for name in names:\n        READ(os.path.join(folder, name))",
        "for path in glob.glob('in/*'):\n    READ(path)",
    ];
    let readers = [
        ("pd.read_csv", InputFormat::Csv, "in/1.csv"),
        ("pd.read_excel", InputFormat::Excel, "in/1.xlsx"),
        ("np.load", InputFormat::Npy, "in/1.npy"),
        ("plt.imread", InputFormat::Image, "in/1.png"),
        ("open", InputFormat::Text, "in/1.txt"),
    ];
    for listing in listings {
        for (reader, format, path) in readers {
            let code = listing.replace("READ", reader);
            let recipe = recipe(&code);
            assert_eq!(file(&recipe, path).format, format, "{code}");
            assert!(recipe.files.iter().filter(|file| file.path.starts_with("in/")).count() >= 3, "{code}");
            assert!(recipe.files.iter().all(|file| file.path != "in"), "{code}: no folder of pictures lies there too");
        }
    }
}

#[test]
fn a_row_that_becomes_a_picture_has_as_many_columns_as_it_has_points() {
    for (shape, points) in [("28, 28, 1", 784), ("8, 8", 64), ("3, 4, 5", 60), ("1568", 1568)] {
        for array in ["X.values", "X.to_numpy()", "np.array(X)", "X.values / 255"] {
            for call in [format!("({array}).reshape(-1, {shape})"), format!("np.reshape({array}, (-1, {shape}))")] {
                let code = format!("df = pd.read_csv('a.csv')\nX = df.drop('label', axis=1)\n{call}");
                let recipe = recipe(&code);
                assert_eq!(table(&recipe, "a.csv").columns.len(), points + 1, "{code}");
            }
        }
    }
    let code = "df = pd.read_csv('a.csv')\nx = df.values.reshape(-1, 1000000, 1000000, 1000000, 1000000)";
    assert!(table(&recipe(code), "a.csv").columns.len() <= 2_000);
}

#[test]
fn beside_columns_of_values_all_others_are_numbers() {
    let dummies = [
        "d = pd.get_dummies(df['kind'], prefix='k')\nX = pd.concat([df, d], axis=1).drop(columns=['kind', 'y'])",
        "d = pd.get_dummies(df.kind)\nX = pd.concat([df.drop('kind', axis=1), d], axis='columns').drop('y', axis=1)",
        "X = pd.get_dummies(df, columns=['kind']).drop('y', axis=1)",
        "X = pd.get_dummies(data=df, columns=['kind'], drop_first=True).drop(['y'], axis=1)",
    ];
    for code in dummies {
        for fit in ["LinearRegression().fit(X, df['y'])", "X - X.mean()", "StandardScaler().fit_transform(X)"] {
            let code = format!(
                "from sklearn.linear_model import LinearRegression\nfrom sklearn.preprocessing import StandardScaler\ndf = pd.read_csv('a.csv')\ndf['sex'].value_counts()\n{code}\n{fit}"
            );
            let recipe = recipe(&code);
            let table = table(&recipe, "a.csv");
            assert_eq!(kind(table, "kind"), Some(InputKind::Category), "{code}");
            let sex = table.columns.iter().find(|column| column.name == "sex").expect("it is named");
            assert!(sex.values.iter().all(|value| value.parse::<f64>().is_ok()), "{code}: {:?}", sex.values);
        }
    }
}

#[test]
fn a_transformer_of_columns_says_what_each_of_them_is() {
    let made = [
        "ColumnTransformer([('n', StandardScaler(), numbers), ('c', OneHotEncoder(), words)])",
        "ColumnTransformer(transformers=[('n', Pipeline([('s', StandardScaler())]), numbers), ('c', OneHotEncoder(), words)], remainder='drop')",
        "make_column_transformer((StandardScaler(), numbers), (OneHotEncoder(), words))",
        "Pipeline([('pre', ColumnTransformer([('n', StandardScaler(), numbers), ('c', OneHotEncoder(), words)])), ('m', Ridge())])",
    ];
    for model in made {
        let code = format!(
            "from sklearn.compose import *\nfrom sklearn.preprocessing import *\nfrom sklearn.pipeline import Pipeline\nfrom sklearn.linear_model import Ridge\nfrom sklearn.compose import ColumnTransformer, make_column_transformer\nfrom sklearn.preprocessing import StandardScaler, OneHotEncoder\ndf = pd.read_csv('a.csv')\nnumbers = ['size', 'state']\nwords = ['rooms', 'town']\nmodel = {model}\nmodel.fit(df, df['y'])"
        );
        let recipe = recipe(&code);
        let table = table(&recipe, "a.csv");
        for name in ["rooms", "town"] {
            assert_eq!(kind(table, name), Some(InputKind::Category), "{code}: {name}");
        }
        assert_eq!(kind(table, "state"), Some(InputKind::Number), "{code}");
    }
}

#[test]
fn arrays_are_called_as_code_calls_them() {
    let opened = [
        ("d = np.load('a.npz')", "a.npz", InputFormat::Npz),
        ("import scipy.io\nd = scipy.io.loadmat('a.mat')", "a.mat", InputFormat::Mat),
        ("from scipy.io import loadmat\nd = loadmat('a.mat')", "a.mat", InputFormat::Mat),
        ("import h5py\nd = h5py.File('a.h5', 'r')", "a.h5", InputFormat::HdfArrays),
    ];
    for (open, path, format) in opened {
        let recipe = recipe(&format!("{open}\nX, y = d['X'], d['y_train']\nX[:, 4].mean()"));
        let file = file(&recipe, path);
        assert_eq!(file.format, format, "{open}");
        let sizes: Vec<_> = file.tables.iter().map(|table| (table.name.as_deref(), table.columns.len())).collect();
        assert_eq!(sizes, [(Some("X"), 5), (Some("y_train"), 1)], "{open}");
        assert!(recipe.check().is_ok());
    }
}

#[test]
fn what_is_taken_off_a_number_stands_around_it() {
    let affixes = |code: &str| {
        let recipe = recipe(&format!("df = pd.read_csv('a.csv')\n{code}"));
        let column = table(&recipe, "a.csv").columns[0].clone();
        (column.kind, column.affixes)
    };
    let around = |before: &str, behind: &str| Some((before.to_owned(), behind.to_owned()));
    assert_eq!(affixes("df['p'].str.replace('$', '').astype(float)"), (InputKind::Number, around("$", "")));
    assert_eq!(affixes("df['p'].str.replace(' min', '').astype(int)"), (InputKind::Integer, around("", " min")));
    assert_eq!(affixes("df['p'].str.rstrip('%').astype('float')"), (InputKind::Number, around("", "%")));
    let both = "df['p'].str.replace(' min', '').astype(int)\ndf['p'].str.replace(' Season', '').astype(int)";
    assert_eq!(affixes(both), (InputKind::Integer, around("0_", "")));
}

fn changed(code: &str, ename: &str, evalue: &str, line: u32) -> Vec<String> {
    let notebook = notebook(&["import pandas as pd", code]);
    let text = code.lines().nth(line as usize - 1).unwrap_or("");
    let traceback = format!("Cell In[2], line {line}\n----> {line} {text}");
    let error =
        CellFeedback { cell: 1, ename: ename.to_owned(), evalue: evalue.to_owned(), traceback, line: Some(line) };
    let corrected = InputRecipe::of(&notebook, false).corrected(&notebook, false, &[error]);
    corrected.map(|(_, made)| made.into_iter().map(|one| one.change).collect()).unwrap_or_default()
}

#[test]
fn errors_say_widths_days_and_kinds() {
    let read = "a = pd.read_csv('a.csv')\n";
    let reshaped = format!("{read}b = f(a).reshape(-1, 8, 8)\ng(a, b.reshape(-1, 8, 8))");
    let width = changed(&reshaped, "ValueError", "cannot reshape array of size 600 into shape (8,8)", 3);
    assert_eq!(width, ["64 columns"]);
    let days =
        changed(&format!("{read}g(a)"), "ParserError", "Unknown string format: column_2 present at position 0", 2);
    assert_eq!(days, ["3 columns are named by days"]);
    let merged = format!("{read}b = pd.read_csv('b.csv')\na['k'].str.lower()\nm = f(a['k'], b['k'] * 2)");
    let said = "You are trying to merge on object and int64 columns. If you wish to proceed you should use pd.concat";
    assert_eq!(changed(&merged, "ValueError", said, 4), ["column `k` is integer"]);
    let missing = "[Errno 2] No such file or directory: 'conf/run.cfg'";
    assert_eq!(changed("f('x')", "FileNotFoundError", missing, 1), ["added, text"]);
    let folder = "[Errno 2] No such file or directory: 'conf/run'";
    assert_eq!(changed("f('x')", "FileNotFoundError", folder, 1), ["folder added"]);
}

#[test]
fn errors_say_what_else_tables_lack() {
    let read = "a = pd.read_csv('a.csv')\na['k'].str.split(',')\n";
    let unseen = "The feature names should match those that were passed during fit.\nFeature names seen at fit time, yet now missing:\n- colour\n";
    assert_eq!(changed(&format!("{read}m.predict(a)"), "ValueError", unseen, 3), ["column `colour` added, category"]);
    let few =
        changed(&format!("{read}a['k'].map(lambda k: k.split(',')[9])"), "IndexError", "list index out of range", 3);
    assert_eq!(few, ["texts of column `k` have 7 parts"]);
    let wide = changed(&format!("{read}t.fit(a)"), "ValueError", "all features must be in [0, 2] or [-3, 0]", 3);
    assert_eq!(wide, ["4 columns"]);
    let dates = "a = pd.read_csv('a.csv', index_col='when', parse_dates=True)\na.loc[day]";
    let day = changed(dates, "KeyError", "Timestamp('2031-04-05 00:00:00')", 2);
    assert_eq!(day, ["days of column `when` reach to 2031-04-05"]);
    let samples = "Found input variables with inconsistent numbers of samples: [150, 200]";
    assert_eq!(changed(&format!("{read}m.fit(b, a)"), "ValueError", samples, 3), ["150 rows"]);
}

#[test]
fn columns_are_called_by_what_code_calls_them() {
    let called = [
        "pd.read_csv('a.csv', names=['user_id', 'sex', 'age'])",
        "pd.read_csv('a.csv', header=None, names=('user_id', 'sex', 'age'))",
        "pd.read_csv('a.csv')\ndf.columns = ['user_id', 'sex', 'age']",
        "pd.read_csv('a.csv', header=None)\ndf.columns = ['user_id', 'sex', 'age']",
    ];
    for code in called {
        let recipe = recipe(&format!("df = {code}\ndf[df.sex == 'F'].groupby('age').size()"));
        let columns: Vec<_> =
            table(&recipe, "a.csv").columns.iter().map(|column| (column.name.as_str(), column.kind)).collect();
        let expected = [("user_id", InputKind::Integer), ("sex", InputKind::Category), ("age", InputKind::Integer)];
        assert_eq!(columns, expected, "{code}");
    }
}

#[test]
fn what_is_made_of_a_table_asks_nothing_of_it() {
    let read = "df = pd.read_csv('a.csv')\ndf['when'], df['sum'], df['town'], df['age']\n";
    let made = [
        "r = df.groupby('town').agg({'when': 'max', 'sum': 'mean'})\nr.columns = ['recency', 'money']",
        "t = df.groupby('town').sum().T\nt[['Bern', 'Basel']].plot()",
        "p = df.pivot_table(index='when', columns='town', values='sum')\np['Bern']",
        "df['group'] = pd.cut(df.age, [0, 10, 20, 90])\ndf.groupby('group')['sum'].mean()",
        "plt.scatter(df['age'], df['sum'], color='red', data=df, c='b')",
    ];
    for code in made {
        let recipe = recipe(&format!("{read}{code}"));
        let names: Vec<_> = table(&recipe, "a.csv").columns.iter().map(|column| column.name.as_str()).collect();
        assert_eq!(names, ["when", "sum", "town", "age"], "{code}");
    }
}

#[test]
fn labels_that_are_looked_up_are_there_once() {
    let looked_up = [
        "s = pd.Series(df.index, index=df['title'])\ns['Dune']",
        "d = df.set_index('title')\nd.loc['Dune', 'price']",
        "df.set_index('title', inplace=True)\ndf.loc['Dune']",
    ];
    for code in looked_up {
        let recipe = recipe(&format!("df = pd.read_csv('a.csv')\n{code}"));
        let title = table(&recipe, "a.csv").columns.iter().find(|column| column.name == "title").expect("it is named");
        assert!(title.unique && title.values.contains(&"Dune".to_owned()), "{code}: {title:?}");
    }
}

#[test]
fn rows_that_are_numbered_are_there() {
    let numbered = [
        "for i in range(0, 1234):\n    x = df['a'][i]",
        "for i in range(1234):\n    x = df.values[i, 0]",
        "array = df.values\nfor i in range(5, 1234):\n    for j in range(3):\n        x = array[i, j]",
    ];
    for code in numbered {
        let rows = table(&recipe(&format!("df = pd.read_csv('a.csv')\n{code}")), "a.csv").rows;
        assert!((1234..2000).contains(&rows), "{code}: {rows}");
    }
    let huge = "df = pd.read_csv('a.csv')\nfor i in range(900000000):\n    x = df['a'][i]";
    assert!(table(&recipe(huge), "a.csv").rows <= 20_000);
}

#[test]
fn pairs_that_are_pivoted_are_there_once() {
    for call in [
        "pivot('day', 'item', 'value')",
        "pivot(index='day', columns='item', values='value')",
        "pivot(index='item', columns='day')",
    ] {
        let recipe =
            recipe(&format!("df = pd.read_csv('a.csv')\ndf['day'] = pd.to_datetime(df['day'])\np = df.{call}"));
        let table = table(&recipe, "a.csv");
        let of = |name: &str| table.columns.iter().find(|column| column.name == name).expect("it is named").clone();
        let (day, item) = (of("day"), of("item"));
        assert!(item.cycle && day.each == Some(item.values.len()), "{call}: {day:?} {item:?}");
    }
    let both =
        recipe("df = pd.read_csv('a.csv')\np = df.pivot(index='country', columns='kind', values='x')\np['good']");
    let table = table(&both, "a.csv");
    let pairs: usize = table.columns.iter().take(2).map(|column| column.values.len()).product();
    assert_eq!(table.rows, pairs, "{table:?}");
}

#[test]
fn records_of_json_are_rows_of_a_frame() {
    let read = [
        "import json\nrecords = [json.loads(line) for line in open('a.json')]",
        "import json\nrecords = []\nfor line in open('a.json'):\n    records.append(json.loads(line))",
        "import json\nrecords = json.load(open('a.json'))",
    ];
    for code in read {
        let recipe = recipe(&format!(
            "{code}\nframe = pd.DataFrame(records)\nframe['zone'].str.lower()\nframe['size'].mean() / 2"
        ));
        let names: Vec<_> =
            table(&recipe, "a.json").columns.iter().map(|column| (column.name.as_str(), column.kind)).collect();
        assert_eq!(names, [("/*/zone", InputKind::Text), ("/*/size", InputKind::Number)], "{code}");
    }
}

#[test]
fn converters_and_ranges_say_what_values_are() {
    let code = "def whole(text):\n    return int(text.replace(',', ''))\ndf = pd.read_csv('a.csv', converters={'feet': whole})\npd.cut(df['pay'], bins=[0, 10, 20, np.inf])";
    let recipe = recipe(code);
    let table = table(&recipe, "a.csv");
    assert_eq!(kind(table, "feet"), Some(InputKind::Integer));
    let pay = table.columns.iter().find(|column| column.name == "pay").expect("it is named");
    let bound = |bound: &Option<String>| bound.as_ref().and_then(|text| text.parse::<f64>().ok()).expect("a number");
    assert!(bound(&pay.low) < 10.0 && bound(&pay.high) > 20.0, "{pay:?}");
}
