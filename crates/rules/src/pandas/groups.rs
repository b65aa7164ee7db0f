//! Group-by and resampling.

use nbrevive_pysource::ast::{Expr, ExprCall, ExprDict, Stmt};
use nbrevive_pysource::edits::Edit;
use nbrevive_pysource::parse::Parsed;
use nbrevive_pysource::text_size::{Ranged, TextRange};

use crate::call::{CallEdit, receiver_text};
use crate::change::{Change, insertion, replacement};
use crate::kind::Kind;
use crate::receiver::On;
use crate::rule::{Rewrite, Rule, Trigger, example};
use crate::signature::sig;
use crate::view::View;
use crate::walk::Surroundings;
use crate::{shape, walk};

pub(super) static RULES: &[Rule] = &[
    Rule::new(
        "pandas-group-columns",
        ("pandas", "2.0.0"),
        "several columns of a group-by are chosen by a list",
        Trigger::Error(&[sig("ValueError", "Cannot subset columns with a tuple with more than one element")]),
        Rewrite::Code(group_columns),
        example(
            "r = df.groupby('c')['a', 'b'].sum()\n",
            ("ValueError", "Cannot subset columns with a tuple with more than one element. Use a list instead."),
            "r = df.groupby('c')[['a', 'b']].sum()\n",
        ),
    )
    .certain(),
    Rule::new(
        "pandas-nested-renamer",
        ("pandas", "1.0.0"),
        "agg with a dict of new names takes them as keywords",
        Trigger::Error(&[sig("SpecificationError", "nested renamer is not supported")]),
        Rewrite::Code(nested_renamer),
        example(
            "import pandas as pd\na = df.groupby('c')['b'].agg({'total': 'sum', 'avg': 'mean'})\nb = df.groupby('c').agg({'b': {'total': 'sum'}, 'd': 'max'})\n",
            ("SpecificationError", "nested renamer is not supported"),
            "import pandas as pd\na = df.groupby('c')['b'].agg(**{'total': 'sum', 'avg': 'mean'})\nb = df.groupby('c').agg(**{'b total': ('b', 'sum'), 'd max': ('d', 'max')}).set_axis(pd.MultiIndex.from_tuples([('b', 'total'), ('d', 'max')]), axis=1)\n",
        ),
    ),
    Rule::new(
        "pandas-group-axis",
        ("pandas", "3.0.0"),
        "groupby has no axis; the transposed frame is grouped",
        Trigger::Error(&[sig("TypeError", "groupby() got an unexpected keyword argument 'axis'")]),
        Rewrite::Code(group_axis),
        example(
            "r = df.groupby(k, axis=1).sum()\n",
            ("TypeError", "DataFrame.groupby() got an unexpected keyword argument 'axis'"),
            "r = df.T.groupby(k).sum().T\n",
        ),
    )
    .certain(),
    Rule::new(
        "pandas-resample-how",
        ("pandas", "0.25.0"),
        "resample has no how; the statistic is a method",
        Trigger::Error(&[sig("TypeError", "resample() got an unexpected keyword argument 'how'")]),
        Rewrite::Code(resample_how),
        example(
            "r = s.resample('D', how='sum')\n",
            ("TypeError", "NDFrame.resample() got an unexpected keyword argument 'how'"),
            "r = s.resample('D').sum()\n",
        ),
    )
    .certain(),
    Rule::new(
        "pandas-resample-fillna",
        ("pandas", "3.0.0"),
        "what is resampled has no fillna; each way to fill is a method",
        Trigger::Error(&[sig("AttributeError", "Resampler' object has no attribute 'fillna'")]),
        Rewrite::Code(resample_fillna),
        example(
            "a = s.resample('720min').fillna('pad')\nb = s.resample('720min').fillna(method='backfill', limit=1)\n",
            ("AttributeError", "'DatetimeIndexResampler' object has no attribute 'fillna'"),
            "a = s.resample('720min').ffill()\nb = s.resample('720min').bfill(limit=1)\n",
        ),
    ),
    Rule::new(
        "pandas-group-fillna",
        ("pandas", "3.0.0"),
        "a group-by has no fillna; within groups it is a transform",
        Trigger::Error(&[sig("AttributeError", "GroupBy' object has no attribute 'fillna'")]),
        Rewrite::Code(group_fillna),
        example(
            "x = df.groupby('c')['b'].fillna(0.0)\n",
            ("AttributeError", "'SeriesGroupBy' object has no attribute 'fillna'"),
            "x = df.groupby('c')['b'].transform(lambda group: group.fillna(0.0))\n",
        ),
    ),
    Rule::new(
        "pandas-group-apply-columns",
        ("pandas", "3.0.0"),
        "apply no longer sees the columns of the groups' keys",
        Trigger::Error(&[sig("KeyError", ""), sig("AttributeError", "'DataFrame' object has no attribute")]),
        Rewrite::Code(group_apply),
        example(
            "import pandas as pd\ndf = pd.read_csv('a.csv')\nr = df.groupby('c').apply(lambda g: g['c'].iloc[0])\n",
            ("KeyError", "'c'"),
            "import pandas as pd\ndf = pd.read_csv('a.csv')\nr = df.groupby('c')[list(df.columns)].apply(lambda g: g['c'].iloc[0])\n",
        ),
    ),
    Rule::new(
        "pandas-group-single-key",
        ("pandas", "2.0.0"),
        "groups by a list of one key are named by tuples; by the key alone they have plain names",
        Trigger::Silent,
        Rewrite::Code(single_key),
        example(
            "for name, group in df.groupby(['c']):\n    print(name)\ng = df.groupby(['c']).get_group('x')\n",
            ("", ""),
            "for name, group in df.groupby('c'):\n    print(name)\ng = df.groupby('c').get_group('x')\n",
        ),
    ),
];

fn is_group(view: &View<'_>, value: &Expr) -> bool {
    let direct = matches!(value, Expr::Call(call) if shape::method(call).is_some_and(|(_, name)| name == "groupby"));
    direct || view.kinds(value) == [Kind::Grouped]
}

fn group_columns(view: &View<'_>, change: &mut Change<'_>) {
    view.expressions(|place, expression, _| {
        let Expr::Subscript(subscript) = expression else { return };
        let Expr::Tuple(tuple) = subscript.slice.as_ref() else { return };
        if is_group(view, &subscript.value) && !tuple.parenthesized && tuple.elts.len() > 1 {
            let edits = vec![insertion(tuple.range().start(), "["), insertion(tuple.end(), "]")];
            change.edit(place, expression.range().start(), edits);
        }
    });
}

fn nested_renamer(view: &View<'_>, change: &mut Change<'_>) {
    view.calls(|place, call, _| {
        let Some((groups, "agg" | "aggregate")) = shape::method(call) else { return };
        let [Expr::Dict(dict)] = &call.arguments.args[..] else { return };
        if !view.at_fault(place, call.range()) || !call.arguments.keywords.is_empty() {
            return;
        }
        let parsed = view.parsed(place);
        if dict.iter().any(|item| item.value.is_dict_expr()) {
            let Some(statistics) = named_statistics(parsed, dict) else { return };
            let parts = statistics.iter().enumerate().map(|(number, one)| one.part(number)).collect::<Vec<_>>();
            let mut edits = vec![replacement(dict.range(), format!("**{{{}}}", parts.join(", ")))];
            // There is no room for keys among columns of two levels.
            if !keeps_keys(&groups.value) {
                let names = statistics.iter().map(|one| format!("({}, {})", one.column, one.name)).collect::<Vec<_>>();
                let index = change.spell(place, "pandas.MultiIndex");
                edits.push(insertion(
                    call.end(),
                    format!(".set_axis({index}.from_tuples([{}]), axis=1)", names.join(", ")),
                ));
            }
            change.edit(place, call.range().start(), edits);
        } else if is_flat(dict) {
            change.edit(place, call.range().start(), vec![insertion(dict.range().start(), "**")]);
        }
    });
}

/// A statistic of a column, and its name: as text of the notebook.
struct NamedStatistic<'a> {
    column: &'a str,
    name: String,
    statistic: &'a str,
    /// What both names make one name of, where they are texts.
    joined: Option<String>,
}

impl NamedStatistic<'_> {
    /// As `agg` takes it, under a name that no other has.
    fn part(&self, number: usize) -> String {
        let name = self.joined.clone().unwrap_or_else(|| format!("{number}"));
        format!("'{name}': ({}, {})", self.column, self.statistic)
    }
}

/// The statistics of `{'b': {'total': 'sum'}, 'c': 'max'}`; those without a name have that of their function.
fn named_statistics<'a>(parsed: &'a Parsed, dict: &'a ExprDict) -> Option<Vec<NamedStatistic<'a>>> {
    let mut all = Vec::new();
    for item in dict.iter() {
        let column = item.key.as_ref()?;
        let mut add = |name: Option<&Expr>, statistic: &'a Expr| {
            let plain = name.map_or_else(|| function_name(statistic), |name| shape::text(name).map(str::to_owned));
            let text = name.map(|name| parsed.text_of(name).to_owned());
            let name = text.or_else(|| Some(format!("'{}'", plain.as_ref()?)))?;
            let is_plain = |text: &str| !text.contains(['\'', '\\', '\n']);
            let joined = shape::text(column).zip(plain).map(|(column, name)| format!("{column} {name}"));
            let joined = joined.filter(|joined| is_plain(joined));
            all.push(NamedStatistic {
                column: parsed.text_of(column),
                name,
                statistic: parsed.text_of(statistic),
                joined,
            });
            Some(())
        };
        match &item.value {
            Expr::Dict(inner) => {
                for entry in inner.iter() {
                    add(Some(entry.key.as_ref()?), &entry.value)?;
                }
            }
            Expr::List(list) => list.elts.iter().try_for_each(|statistic| add(None, statistic))?,
            statistic => add(None, statistic)?,
        }
    }
    Some(all)
}

/// The name that pandas gives to the result of a function.
pub(super) fn function_name(statistic: &Expr) -> Option<String> {
    match statistic {
        Expr::Lambda(_) => Some("<lambda>".to_owned()),
        statistic => shape::text(statistic).or_else(|| shape::dotted(statistic)?.last().copied()).map(str::to_owned),
    }
}

/// Whether groups keep their keys as columns.
fn keeps_keys(groups: &Expr) -> bool {
    matches!(groups, Expr::Call(group) if shape::keyword(group, "as_index").is_some_and(|told| shape::boolean(&told.value) == Some(false)))
}

fn is_flat(dict: &ExprDict) -> bool {
    dict.iter().all(|item| item.key.as_ref().and_then(shape::text).is_some() && !item.value.is_dict_expr())
}

fn group_axis(view: &View<'_>, change: &mut Change<'_>) {
    view.calls(|place, call, around| {
        let Some((attribute, "groupby")) = shape::method(call) else { return };
        let mut edit = CallEdit::new(view.parsed(place), call);
        let Some(number) = edit.find("axis") else { return };
        let axis = edit.value(number);
        edit.remove(number);
        let mut edits = edit.finish();
        match (shape::text(axis), shape::integer(axis)) {
            (Some("index" | "rows"), _) | (_, Some(0)) => {}
            (Some("columns"), _) | (_, Some(1)) => {
                let Some(back) = turned_back(call, around) else { return };
                edits.push(insertion(attribute.attr.range().start(), "T."));
                edits.extend(back);
            }
            _ => return,
        }
        change.edit(place, call.range().start(), edits);
    });
}

/// What turns the groups of a transposed frame back: `T` behind the method that is called on them, behind both sides of a
/// function that is applied to each, and for each that a loop goes through; none where they go anywhere else.
fn turned_back(call: &ExprCall, around: &Surroundings<'_, '_>) -> Option<Vec<Edit>> {
    let [.., Expr::Call(outer), Expr::Attribute(_)] = around.parents else {
        let turned = |iterated: &Expr| (iterated.range() == call.range()).then(|| each_turned(call));
        return match (around.parent(), around.statement()) {
            (None, Stmt::For(block)) => turned(&block.iter),
            (Some(Expr::ListComp(all)), _) => turned(&all.generators.first()?.iter),
            _ => None,
        };
    };
    let (_, method) = shape::method(outer)?;
    let mut edits = vec![insertion(outer.end(), ".T")];
    if method == "apply" {
        let ([function], []) = (&outer.arguments.args[..], &outer.arguments.keywords[..]) else { return None };
        edits.push(insertion(function.start(), "lambda group: ("));
        edits.push(insertion(function.end(), ")(group.T).T"));
    }
    Some(edits)
}

fn each_turned(groups: &ExprCall) -> Vec<Edit> {
    vec![insertion(groups.start(), "((name, group.T) for name, group in "), insertion(groups.end(), ")")]
}

fn resample_how(view: &View<'_>, change: &mut Change<'_>) {
    view.calls(|place, call, _| {
        let Some((_, "resample")) = shape::method(call) else { return };
        let mut edit = CallEdit::new(view.parsed(place), call);
        let Some(number) = edit.find("how") else { return };
        let after = match shape::text(edit.value(number)) {
            Some(name) => format!(".{name}()"),
            None => format!(".agg({})", edit.value_text(number)),
        };
        edit.remove(number);
        let mut edits = edit.finish();
        edits.push(insertion(call.end(), after));
        change.edit(place, call.range().start(), edits);
    });
}

fn resample_fillna(view: &View<'_>, change: &mut Change<'_>) {
    view.calls(|place, call, _| {
        let Some((attribute, "fillna")) = shape::method(call) else { return };
        if !view.at_fault(place, call.range()) {
            return;
        }
        let mut edit = CallEdit::new(view.parsed(place), call);
        let Some(number) = edit.find("method").or_else(|| edit.positional().first().copied()) else { return };
        let filled = match shape::text(edit.value(number)) {
            Some("pad" | "ffill") => "ffill",
            Some("backfill" | "bfill") => "bfill",
            Some("nearest") => "nearest",
            _ => return,
        };
        edit.remove(number);
        change.replace(place, attribute.attr.range(), filled);
        change.edit(place, call.range().start(), edit.finish());
    });
}

fn group_fillna(view: &View<'_>, change: &mut Change<'_>) {
    view.calls(|place, call, _| {
        let Some((attribute, "fillna")) = shape::method(call) else { return };
        if attribute.value.is_name_expr() && view.kinds(&attribute.value).is_empty() {
            return;
        }
        if view.receiver_is(On::Grouped, place, &attribute.value, call.range()) {
            let inner = CallEdit::new(view.parsed(place), call).render();
            let whole = TextRange::new(attribute.attr.range().start(), call.end());
            change.replace(place, whole, format!("transform(lambda group: group.fillna({inner}))"));
        }
    });
}

fn group_apply(view: &View<'_>, change: &mut Change<'_>) {
    view.calls(|place, call, _| {
        let Some((method, "apply")) = shape::method(call) else { return };
        let Expr::Call(group) = method.value.as_ref() else { return };
        let Some((attribute, "groupby")) = shape::method(group) else { return };
        let Some(by) = group.arguments.args.first() else { return };
        let keys = shape::elements(by).unwrap_or(std::slice::from_ref(by)).iter().filter_map(shape::text);
        let blamed = view.at_fault(place, call.range());
        let missing = keys
            .map(|key| format!("'{key}'"))
            .any(|key| view.errors.iter().any(|error| error.evalue == key || blamed && error.evalue.contains(&key)));
        if !missing || !shape::is_primary(&attribute.value) {
            return;
        }
        if view.receiver_is(On::Frame, place, &attribute.value, call.range()) {
            let frame = receiver_text(view.parsed(place), attribute);
            change.edit(place, call.range().start(), vec![insertion(group.end(), format!("[list({frame}.columns)]"))]);
        }
    });
}

/// Where the names of the groups are used: a loop with a plain name for them, or `get_group` with a plain key.
fn single_key(view: &View<'_>, change: &mut Change<'_>) {
    view.calls(|place, call, around| {
        let Some((_, "groupby")) = shape::method(call) else { return };
        let Some(Expr::List(list)) = call.arguments.args.first() else { return };
        let [key] = &list.elts[..] else { return };
        let looped = match around.statement() {
            Stmt::For(block) if block.iter.range() == call.range() => {
                let name = shape::elements(&block.target).and_then(|pair| pair.first()).and_then(shape::name);
                name.is_some_and(|name| !is_taken_apart(name, &block.body))
            }
            _ => comprehended(call, around).is_some_and(|taken_apart| !taken_apart),
        };
        let chosen = matches!(around.parent(), Some(Expr::Attribute(next)) if next.attr.as_str() == "get_group")
            && around.parents.iter().rev().nth(1).is_some_and(|outer| {
                matches!(outer, Expr::Call(get) if get.arguments.args.first().is_some_and(|name| shape::elements(name).is_none()))
            });
        if shape::text(key).is_some() && (looped || chosen) {
            change.replace(place, list.range(), view.parsed(place).text(key.range()));
        }
    });
}

/// For groups that a comprehension goes through: whether it takes their names apart.
fn comprehended(call: &ExprCall, around: &Surroundings<'_, '_>) -> Option<bool> {
    let generators = match around.parent()? {
        Expr::ListComp(all) => &all.generators,
        Expr::SetComp(all) => &all.generators,
        Expr::DictComp(all) => &all.generators,
        Expr::Generator(all) => &all.generators,
        _ => return None,
    };
    let goes = generators.iter().find(|one| one.iter.range() == call.range())?;
    let name = shape::elements(&goes.target)?.first().and_then(shape::name)?;
    let mut found = false;
    walk::expressions(std::slice::from_ref(around.statement()), &mut |expression, _| {
        found |= matches!(expression, Expr::Subscript(one) if shape::name(&one.value) == Some(name));
    });
    Some(found)
}

/// Whether a block reads `name[…]`, as code from after the change does.
fn is_taken_apart(name: &str, body: &[Stmt]) -> bool {
    let mut found = false;
    walk::expressions(body, &mut |expression, _| {
        found |= matches!(expression, Expr::Subscript(one) if shape::name(&one.value) == Some(name));
    });
    found
}
