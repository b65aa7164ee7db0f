//! Recipes of notebooks as people write them.

use std::fmt::Write as _;

use nbrevive_inputs::{InputColumn, InputRecipe};
use nbrevive_notebook::{Cell, Notebook};

pub(crate) fn notebook(cells: &[&str]) -> Notebook {
    Notebook::from_cells(cells.iter().map(|source| Cell::code(*source)).collect())
}

/// A recipe in lines: a file, its tables, their columns.
fn summary(cells: &[&str]) -> String {
    let recipe = InputRecipe::of(&notebook(cells), false);
    let mut text = String::new();
    for file in &recipe.files {
        let separator = file.options.separator.as_deref().map_or(String::new(), |one| format!(" {one:?}"));
        let headless = if file.options.headless { " headless" } else { "" };
        let _ = writeln!(text, "{} {}{separator}{headless} {}", file.path, file.format, file.parts.join(" "));
        for table in &file.tables {
            let _ = writeln!(text, "  {} rows {}", table.name.as_deref().unwrap_or("-"), table.rows);
            table.columns.iter().for_each(|column| text.push_str(&line(column)));
        }
    }
    for folder in &recipe.folders {
        let _ = writeln!(text, "folder {folder}");
    }
    for one in &recipe.not_made {
        let _ = writeln!(text, "not made {}: {}", one.path, one.why);
    }
    text
}

fn line(column: &InputColumn) -> String {
    let mut text = format!("    {}: {}", column.name, column.kind);
    if !column.values.is_empty() {
        let _ = write!(text, " {:?}", column.values);
    }
    if let (Some(low), Some(high)) = (&column.low, &column.high) {
        let _ = write!(text, " {low}..{high}");
    }
    for (word, is_so) in [("unique", column.unique), ("missing", column.missing)] {
        if is_so {
            let _ = write!(text, " {word}");
        }
    }
    for (word, value) in [("format", &column.format), ("pattern", &column.pattern)] {
        if let Some(value) = value {
            let _ = write!(text, " {word} {value}");
        }
    }
    if !column.separators.is_empty() {
        let _ = write!(text, " cut at {:?}", column.separators);
    }
    if let Some(affixes) = &column.affixes {
        let _ = write!(text, " within {affixes:?}");
    }
    text + "\n"
}

#[test]
fn a_competition() {
    insta::assert_snapshot!(summary(&[
        "import numpy as np, pandas as pd\nimport matplotlib.pyplot as plt, seaborn as sns\n%matplotlib inline",
        "train = pd.read_csv('../input/train.csv')\ntest = pd.read_csv('../input/test.csv')\ntrain.head()",
        "train['Age'].fillna(train.Age.median(), inplace=True)\nsns.countplot(x='Survived', hue='Sex', data=train)",
        "full = [train, test]\nfor df in full:\n    df['Title'] = df.Name.str.extract(r' ([A-Za-z]+)\\.', expand=False)\n    df['Sex'] = df['Sex'].map({'male': 0, 'female': 1})\n    df['Family'] = df['SibSp'] + df['Parch'] + 1",
        "for df in full:\n    df.loc[df['Fare'] <= 7.91, 'Band'] = 0\n    df['Embarked'] = df['Embarked'].replace(['S', 'C', 'Q'], [0, 1, 2])\n    df.drop(['Name', 'Ticket'], axis=1, inplace=True)",
        "from sklearn.ensemble import RandomForestClassifier\nX = train.drop(['Survived', 'PassengerId', 'Title'], axis=1)\ny = train['Survived']\nmodel = RandomForestClassifier().fit(X, y)\nout = pd.DataFrame({'PassengerId': test['PassengerId'], 'Survived': model.predict(test[X.columns])})\nout.to_csv('out/submission.csv', index=False)",
    ]));
}

#[test]
fn paths_of_many_makes() {
    insta::assert_snapshot!(summary(&[
        "import os\nfrom pathlib import Path\nimport pandas as pd\nROOT = Path('data')\nBASE = '../input/'\n%cd work",
        "def load(name, folder=BASE):\n    return pd.read_csv(folder + name + '.csv', index_col=0)\na = load('users')\nfor year in [2001, 2002]:\n    b = pd.read_csv(f'{BASE}sales_{year}.csv')",
        "c = pd.read_csv(ROOT / 'c.tsv', sep='\\t')\nd = pd.read_csv(os.path.join(BASE, 'sub', 'd.csv'))\ne = pd.read_csv('%s/e-%02d.csv' % ('x', 3))",
        "f = pd.read_csv('/home/me/f.csv')\ng = pd.read_csv('https://example.org/g.csv')\nh = pd.read_csv('~/h.csv')\ni = pd.read_csv('/etc/i.csv')",
        "a.to_csv('made.csv')\nj = pd.read_csv('made.csv')\nimport glob\nk = [pd.read_csv(p) for p in glob.glob('parts/*.csv')]",
    ]));
}

#[test]
fn frames_are_followed() {
    insta::assert_snapshot!(summary(&[
        "import pandas as pd\norders = pd.read_csv('orders.csv', parse_dates=['placed'])\npeople = pd.read_excel('people.xlsx', sheet_name='all')",
        "both = orders.merge(people, left_on='buyer', right_on='id')\nboth = both.rename(columns={'sum': 'total'})\nboth['month'] = both['placed'].dt.month",
        "both.groupby('town')['total'].mean().sort_values().plot(kind='bar')\nboth.groupby('town').get_group('Bern')\nboth[both.kind == 'gift']",
        "both.query('total > 50 and rank < @limit')\nboth.pivot_table(index='month', columns='kind', values='weight')['loan']",
        "both['price'].str.replace('$', '').astype(float)\nboth[['first', 'last']] = both['name'].str.split(' ', expand=True)\nboth.apply(lambda row: row['a'] * row['b'], axis=1)",
        "import statsmodels.formula.api as smf\nsmf.ols('total ~ C(town) + age + np.log(size)', data=both).fit()\nboth.set_index('placed').resample('M').sum()['2014-03']",
    ]));
}

#[test]
fn files_without_frames() {
    insta::assert_snapshot!(summary(&[
        "import csv, json, sqlite3, numpy as np\nwith open('rows.csv') as f:\n    for row in csv.DictReader(f):\n        x = float(row['height'])",
        "data = json.load(open('tree.json'))\nfor item in data['items']:\n    print(item['name'], data['meta']['version'])",
        "db = sqlite3.connect('base.db')\nimport pandas as pd\np = pd.read_sql_query('SELECT name, age FROM people WHERE age > 3', db)",
        "x, y = np.loadtxt('points.txt', delimiter=',', usecols=(0, 2), unpack=True)\nd = np.loadtxt('grid.dat')\nd[:, 4].mean()",
        "for line in open('log.txt'):\n    user, score = line.split('|')\n    total = int(score)",
        "import matplotlib.pyplot as plt\nimage = plt.imread('a/b.png')\nwords = open('book.txt').read().split()\nplt.savefig('plots/x.png')",
        "names = ['sepal', 'petal', 'class']\niris = pd.read_csv('iris.data', header=None, names=names)\niris.iloc[:, 0:2].values",
    ]));
}
