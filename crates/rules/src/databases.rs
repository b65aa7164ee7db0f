//! What changed in SQLAlchemy.

use nbrevive_pysource::ast::{Expr, ExprCall, ExprList, Stmt};
use nbrevive_pysource::edits::Edit;
use nbrevive_pysource::parse::Parsed;
use nbrevive_pysource::text_size::{Ranged, TextRange, TextSize};

use crate::call::{CallEdit, receiver_text};
use crate::change::{Change, insertion, replacement};
use crate::kind::{CONNECTION, ENGINE, Kind};
use crate::receiver::On;
use crate::rule::{Rewrite, Rule, Trigger, example};
use crate::shape;
use crate::signature::sig;
use crate::view::{Place, View};
use crate::walk::{self, Surroundings};

pub(crate) static TABLES: &[&[Rule]] = &[RULES];

static RULES: &[Rule] = &[
    Rule::new(
        "sqlalchemy-engine-methods",
        ("sqlalchemy", "2.0"),
        "an engine names no tables: inspect does",
        Trigger::Error(&[
            sig("AttributeError", "'Engine' object has no attribute 'table_names'"),
            sig("AttributeError", "'Engine' object has no attribute 'has_table'"),
        ]),
        Rewrite::Code(inspection),
        example(
            "from sqlalchemy import create_engine\nengine = create_engine('sqlite://')\nnames = engine.table_names()\n",
            ("AttributeError", "'Engine' object has no attribute 'table_names'"),
            "from sqlalchemy import inspect\nfrom sqlalchemy import create_engine\nengine = create_engine('sqlite://')\nnames = inspect(engine).get_table_names()\n",
        ),
    )
    .certain(),
    Rule::new(
        "sqlalchemy-engine-execute",
        ("sqlalchemy", "2.0"),
        "a connection executes, and commits by itself when it is told to",
        Trigger::Error(&[sig("AttributeError", "'Engine' object has no attribute 'execute'")]),
        Rewrite::Code(engine_execute),
        example(
            "from sqlalchemy import create_engine\nengine = create_engine('sqlite://')\nengine.execute('CREATE TABLE t (a int)')\n",
            ("AttributeError", "'Engine' object has no attribute 'execute'"),
            "from sqlalchemy import create_engine\nengine = create_engine('sqlite://')\nengine.connect().execution_options(isolation_level='AUTOCOMMIT').exec_driver_sql('CREATE TABLE t (a int)')\n",
        ),
    )
    .certain(),
    Rule::new(
        "sqlalchemy-text",
        ("sqlalchemy", "2.0"),
        "execute takes no text; exec_driver_sql does, and what it changes is committed where the connection does so",
        Trigger::Error(&[
            sig("ObjectNotExecutableError", "Not an executable object: "),
            sig("ArgumentError", "should be explicitly declared as text("),
        ]),
        Rewrite::Code(text),
        example(
            "from sqlalchemy import create_engine\nc = create_engine('sqlite://').connect()\nc.execute('CREATE TABLE t (a int)')\nrows = c.execute('SELECT a FROM t').fetchall()\n",
            ("ObjectNotExecutableError", "Not an executable object: 'CREATE TABLE t (a int)'"),
            "from sqlalchemy import create_engine\nc = create_engine('sqlite://').connect().execution_options(isolation_level='AUTOCOMMIT')\nc.exec_driver_sql('CREATE TABLE t (a int)')\nrows = c.exec_driver_sql('SELECT a FROM t').fetchall()\n",
        ),
    )
    .certain(),
    Rule::new(
        "sqlalchemy-select-lists",
        ("sqlalchemy", "2.0"),
        "select and case take their elements one by one",
        Trigger::Error(&[
            sig("ArgumentError", "Column expression, FROM clause, or other columns clause element expected, got ["),
            sig("ArgumentError", "The \"whens\" argument to case()"),
        ]),
        Rewrite::Code(select_lists),
        example(
            "from sqlalchemy import select\nq = select([t.c.a, t.c.b]).where(t.c.a > 1)\n",
            (
                "ArgumentError",
                "Column expression, FROM clause, or other columns clause element expected, got [Column('a', Integer())]. Did you mean to say select(Column('a', Integer()))?",
            ),
            "from sqlalchemy import select\nq = select(t.c.a, t.c.b).where(t.c.a > 1)\n",
        ),
    )
    .certain(),
    Rule::new(
        "sqlalchemy-rows",
        ("sqlalchemy", "2.0"),
        "a row is a tuple; its columns have their names in _mapping",
        Trigger::Error(&[
            sig("TypeError", "tuple indices must be integers or slices, not str"),
            sig("TypeError", "cannot convert dictionary update sequence element #0 to a sequence"),
            sig("ValueError", "dictionary update sequence element #0 has length"),
            sig("AttributeError", "Could not locate column in row for column 'keys'"),
            sig("AttributeError", "Could not locate column in row for column 'items'"),
            sig("AttributeError", "Could not locate column in row for column 'values'"),
        ]),
        Rewrite::Code(rows),
        example(
            "from sqlalchemy import create_engine\nc = create_engine(url).connect()\nfor row in c.execute(query):\n    print(row['a'], row[0], dict(row), row.keys())\n",
            ("TypeError", "tuple indices must be integers or slices, not str"),
            "from sqlalchemy import create_engine\nc = create_engine(url).connect()\nfor row in c.execute(query):\n    print(row._mapping['a'], row[0], dict(row._mapping), row._mapping.keys())\n",
        ),
    ),
    Rule::new(
        "sqlalchemy-bound-metadata",
        ("sqlalchemy", "2.0"),
        "metadata is bound to no engine: what reads or makes tables is given it",
        Trigger::Error(&[
            sig("TypeError", "MetaData.__init__() got an unexpected keyword argument 'bind'"),
            sig("ArgumentError", "expected schema argument to be a string, got <class 'sqlalchemy.engine"),
            sig("TypeError", "MetaData.*() missing 1 required positional argument: 'bind'"),
            sig("TypeError", "got 'autoload'"),
            sig("ArgumentError", "got 'autoload'"),
            sig("TypeError", "unexpected keyword argument 'autoload'"),
        ]),
        Rewrite::Code(bound_metadata),
        example(
            "from sqlalchemy import create_engine, MetaData, Table\nengine = create_engine('sqlite:///m.db')\nmeta = MetaData(bind=engine)\nt = Table('t', meta, autoload=True)\nmeta.create_all()\n",
            ("TypeError", "MetaData.__init__() got an unexpected keyword argument 'bind'"),
            "from sqlalchemy import create_engine, MetaData, Table\nengine = create_engine('sqlite:///m.db')\nmeta = MetaData()\nt = Table('t', meta, autoload_with=engine)\nmeta.create_all(engine)\n",
        ),
    )
    .certain(),
];

const AN_ENGINE: On = On::Instance("Engine");
const COMMITS: &str = ".execution_options(isolation_level='AUTOCOMMIT')";

fn inspection(view: &View<'_>, change: &mut Change<'_>) {
    view.calls(|place, call, _| {
        let Some((attribute, method)) = shape::method(call) else { return };
        let new = match method {
            "table_names" => "get_table_names",
            "has_table" => "has_table",
            _ => return,
        };
        // The inspector that this makes has a method of that name.
        let is_told = view
            .errors
            .iter()
            .any(|error| error.evalue.contains(&format!("'Engine' object has no attribute '{method}'")));
        let is_engine = view.receiver_is_certain(AN_ENGINE, &attribute.value)
            || is_told && view.kinds(&attribute.value).is_empty() && view.at_fault(place, call.range());
        if !is_engine {
            return;
        }
        let inspect = match view.code.names.bound("inspect") {
            Some(bound) if bound != "sqlalchemy.inspect" => {
                change.need_import(place, "import sqlalchemy");
                "sqlalchemy.inspect".to_owned()
            }
            _ => change.spell(place, "sqlalchemy.inspect"),
        };
        let engine = receiver_text(view.parsed(place), attribute);
        let head = TextRange::new(call.start(), call.func.end());
        change.replace(place, head, format!("{inspect}({engine}).{new}"));
    });
}

/// What a call executes: its only statement and at most one group of parameters, as both interfaces take them.
fn executed(call: &ExprCall) -> Option<&Expr> {
    match &call.arguments.args[..] {
        [statement] | [statement, _] if call.arguments.keywords.is_empty() && !shape::has_stars(call) => {
            Some(statement)
        }
        _ => None,
    }
}

/// Whether an expression is text for certain.
fn is_text(view: &View<'_>, expression: &Expr) -> bool {
    match expression {
        Expr::BinOp(joined) => is_text(view, &joined.left) || is_text(view, &joined.right),
        Expr::Call(call) if matches!(shape::method(call), Some((text, "format")) if is_text(view, &text.value)) => true,
        other => {
            let kinds = view.kinds(other);
            !kinds.is_empty() && kinds.iter().all(|kind| *kind == Kind::Text)
        }
    }
}

fn engine_execute(view: &View<'_>, change: &mut Change<'_>) {
    view.calls(|place, call, _| {
        let Some((attribute, "execute")) = shape::method(call) else { return };
        let is_told =
            view.errors.iter().any(|error| error.evalue.contains("'Engine' object has no attribute 'execute'"));
        let is_engine = view.receiver_is_certain(AN_ENGINE, &attribute.value)
            || is_told && view.kinds(&attribute.value).is_empty() && view.at_fault(place, call.range());
        let Some(statement) = executed(call).filter(|_| is_engine) else { return };
        let method = if is_text(view, statement) { "exec_driver_sql" } else { "execute" };
        let text = format!("connect(){COMMITS}.{method}");
        change.edit(place, call.start(), vec![replacement(attribute.attr.range(), text)]);
    });
}

fn text(view: &View<'_>, change: &mut Change<'_>) {
    let mut changing = Vec::new();
    let made = connections(view);
    view.calls(|place, call, around| {
        let Some((attribute, "execute")) = shape::method(call) else { return };
        let Some(statement) = executed(call) else { return };
        if is_session(view, &attribute.value) {
            let is_told = view.errors.iter().any(|error| error.evalue.contains("explicitly declared as text("));
            if is_told && view.at_fault(place, call.range()) {
                let function = change.spell(place, "sqlalchemy.text");
                let edits = vec![insertion(statement.start(), format!("{function}(")), insertion(statement.end(), ")")];
                change.edit(place, call.start(), edits);
            }
            return;
        }
        let is_known = is_connection(view, &attribute.value) && is_text(view, statement);
        let is_blamed = || {
            let is_open = view.kinds(&attribute.value).is_empty() || is_connection(view, &attribute.value);
            is_open && view.at_fault(place, call.range())
        };
        if !is_known && !is_blamed() {
            return;
        }
        let mut edits = vec![replacement(attribute.attr.range(), "exec_driver_sql")];
        if !only_reads(view, place, statement) {
            let name = shape::name(&attribute.value).unwrap_or_default();
            let receiver = receiver_text(view.parsed(place), attribute);
            if made.iter().any(|(known, ..)| *known == name) {
                changing.push(name.to_owned());
            } else if matches!(around.statement(), Stmt::Expr(alone) if alone.value.range() == call.range())
                && !is_in_transaction(around)
                && !ends_transactions(view, &[receiver])
            {
                edits.push(insertion(call.end(), format!("; {receiver}.commit()")));
            }
        }
        change.edit(place, call.start(), edits);
    });
    commit(&changing, &made, (view, change));
}

/// Whether a value is a connection of SQLAlchemy, and none of another interface.
fn is_connection(view: &View<'_>, receiver: &Expr) -> bool {
    view.kinds(receiver) == [Kind::Instance(CONNECTION.to_owned())]
}

/// Sessions execute texts by another function alone.
fn is_session(view: &View<'_>, receiver: &Expr) -> bool {
    shape::dotted(receiver)
        .is_some_and(|chain| chain.last().is_some_and(|name| name.to_lowercase().contains("session")))
        || view.class_of(receiver).is_some_and(|class| class.ends_with("Session"))
}

/// Whether a statement of SQL changes nothing, as far as its first word tells.
fn only_reads(view: &View<'_>, place: Place, statement: &Expr) -> bool {
    let literal = match statement {
        Expr::Name(name) => view.only_value(name.id.as_str()),
        other => Some((place, other)),
    };
    let Some((place, literal)) = literal else { return false };
    let source = view.parsed(place).text(literal.range()).to_lowercase();
    let words = source.trim_start_matches(|letter: char| !letter.is_alphabetic() || matches!(letter, 'r' | 'f' | 'u'));
    ["select", "elect", "with", "pragma", "show", "explain", "describe"].iter().any(|word| words.starts_with(word))
}

/// Whether a statement stands in a block that commits at its end.
fn is_in_transaction(around: &Surroundings<'_, '_>) -> bool {
    let begins = |context: &Expr| matches!(context, Expr::Call(call) if matches!(shape::method(call), Some((_, "begin" | "begin_nested"))));
    let is_block =
        |one: &&Stmt| matches!(one, Stmt::With(block) if block.items.iter().any(|item| begins(&item.context_expr)));
    around.statements.iter().any(is_block)
}

/// Whether transactions of one of these connections, as they are written, are ended by hand.
fn ends_transactions(view: &View<'_>, connections: &[&str]) -> bool {
    let mut found = false;
    view.calls(|place, call, _| {
        found |= shape::method(call).is_some_and(|(attribute, method)| {
            matches!(method, "begin" | "begin_nested" | "commit" | "rollback")
                && connections.contains(&receiver_text(view.parsed(place), attribute))
        });
    });
    found
}

/// The names that are bound to connections where they are made, and the calls that make them.
fn connections<'v>(view: &View<'v>) -> Vec<(&'v str, Place, &'v ExprCall)> {
    let mut found = Vec::new();
    for (position, source) in view.code.cells.iter().enumerate() {
        let mut note = |target: Option<&'v str>, value: &'v Expr| {
            let Expr::Call(call) = value else { return };
            let is_made = matches!(shape::method(call), Some((_, "connect"))) && is_connection(view, value);
            found.extend(target.filter(|_| is_made).map(|name| (name, Place(position), call)));
        };
        walk::statements(source.parsed.body(), &mut |statement, _| match statement {
            Stmt::Assign(assign) => assign.targets.iter().for_each(|target| note(shape::name(target), &assign.value)),
            Stmt::With(block) => block
                .items
                .iter()
                .for_each(|item| note(item.optional_vars.as_deref().and_then(shape::name), &item.context_expr)),
            _ => {}
        });
    }
    found
}

/// Connections that committed by themselves do so on. Who begins transactions commits them.
fn commit(names: &[String], made: &[(&str, Place, &ExprCall)], (view, change): (&View<'_>, &mut Change<'_>)) {
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    if ends_transactions(view, &names) {
        return;
    }
    for (name, place, call) in made {
        if names.contains(name) {
            change.edit(*place, call.start(), vec![insertion(call.end(), COMMITS)]);
        }
    }
}

fn select_lists(view: &View<'_>, change: &mut Change<'_>) {
    view.calls(|place, call, _| {
        let name = view.qualified(&call.func).filter(|name| name.starts_with("sqlalchemy."));
        let Some(name) = name.as_deref().and_then(|name| name.rsplit('.').next()) else { return };
        let parsed = view.parsed(place);
        let edits: Vec<Edit> = match (name, &call.arguments.args[..]) {
            ("select" | "case", [Expr::List(list)]) if !list.elts.is_empty() => {
                let (open, close) = brackets(parsed, list);
                vec![replacement(open, ""), replacement(close, "")]
            }
            ("select", [Expr::List(list), clause]) if !list.elts.is_empty() && call.arguments.keywords.is_empty() => {
                let (open, close) = brackets(parsed, list);
                let rest = TextRange::new(close.start(), call.end());
                vec![replacement(open, ""), replacement(rest, format!(").where({})", parsed.text(clause.range())))]
            }
            ("select", [columns]) if matches!(view.kinds(columns)[..], [Kind::List(_)]) => {
                vec![insertion(columns.start(), "*")]
            }
            _ => return,
        };
        change.edit(place, call.start(), edits);
    });
}

/// The brackets of a list, the last one with the comma that may stand before it.
fn brackets(parsed: &Parsed, list: &ExprList) -> (TextRange, TextRange) {
    let one = TextSize::new(1);
    let (open, close) = (TextRange::new(list.start(), list.start() + one), list.end() - one);
    let last = list.elts.last().map_or(open.end(), Ranged::end);
    let between = parsed.text(TextRange::new(last, close));
    let comma = between.trim_end().strip_suffix(',').map(str::len).and_then(|length| u32::try_from(length).ok());
    let from = comma.map_or(close, |length| last + TextSize::new(length));
    (open, TextRange::new(from, list.end()))
}

/// The name of the only engine that the notebook makes.
fn only_engine(view: &View<'_>) -> Option<String> {
    let mut names: Vec<String> = Vec::new();
    view.expressions(|_, expression, _| {
        if let Expr::Name(name) = expression
            && name.ctx.is_store()
            && view.kinds(expression) == [Kind::Instance(ENGINE.to_owned())]
            && !names.iter().any(|one| one == name.id.as_str())
        {
            names.push(name.id.to_string());
        }
    });
    let [only] = &names[..] else { return None };
    Some(only.clone())
}

fn bound_metadata(view: &View<'_>, change: &mut Change<'_>) {
    let mut engine = None;
    view.calls(|place, call, _| {
        if let Some(bound) = bind_of(view, call) {
            engine = Some(view.parsed(place).text(bound.range()).to_owned()).filter(|_| shape::name(bound).is_some());
        }
    });
    let engine = engine.or_else(|| only_engine(view));
    let is_metadata = |receiver: &Expr| {
        view.class_of(receiver).is_some_and(|class| class == "sqlalchemy.MetaData")
            || matches!(receiver, Expr::Attribute(of) if of.attr.as_str() == "metadata")
    };
    view.calls(|place, call, _| {
        let mut edit = CallEdit::new(view.parsed(place), call);
        if bind_of(view, call).is_some() {
            let number = edit.find("bind").or_else(|| edit.positional().first().copied());
            number.into_iter().for_each(|number| edit.remove(number));
        } else if let Some(number) = edit.find("autoload").filter(|_| is_table(view, call)) {
            let is_on = shape::boolean(edit.value(number)) == Some(true);
            match (&engine, edit.find("autoload_with").is_some()) {
                (_, true) => edit.remove(number),
                (Some(engine), false) if is_on => edit.set(number, format!("autoload_with={engine}")),
                _ => return,
            }
        } else if let Some((attribute, "create_all" | "drop_all" | "reflect")) = shape::method(call)
            && is_metadata(&attribute.value)
            && call.arguments.args.is_empty()
            && edit.find("bind").is_none()
            && !shape::has_stars(call)
            && let Some(engine) = &engine
        {
            let named = if call.arguments.keywords.is_empty() { "" } else { "bind=" };
            edit.append(format!("{named}{engine}"));
        } else {
            return;
        }
        change.edit(place, call.start(), edit.finish());
    });
}

/// The engine to which metadata is bound where it is made.
fn bind_of<'a>(view: &View<'_>, call: &'a ExprCall) -> Option<&'a Expr> {
    let name = view.qualified(&call.func)?;
    if !name.starts_with("sqlalchemy.") || !name.ends_with(".MetaData") {
        return None;
    }
    let named = shape::keyword(call, "bind").map(|keyword| &keyword.value);
    let first = || call.arguments.args.first().filter(|first| view.kinds(first) == [Kind::Instance(ENGINE.to_owned())]);
    named.or_else(first)
}

fn is_table(view: &View<'_>, call: &ExprCall) -> bool {
    view.qualified(&call.func).is_some_and(|name| name.starts_with("sqlalchemy.") && name.ends_with(".Table"))
}

/// A row where it is taken for a mapping.
fn rows(view: &View<'_>, change: &mut Change<'_>) {
    let is_row = |expression: &Expr| view.receiver_is_certain(On::Instance("Row"), expression);
    view.expressions(|place, expression, around| {
        let row = match expression {
            Expr::Subscript(item) if shape::text(&item.slice).is_some() => item.value.as_ref(),
            Expr::Call(call) if shape::name(&call.func) == Some("dict") && call.arguments.keywords.is_empty() => {
                let [only] = &call.arguments.args[..] else { return };
                only
            }
            // A column of such a name is no method.
            Expr::Attribute(method) if matches!(method.attr.as_str(), "keys" | "items" | "values") => {
                let is_called =
                    matches!(around.parent(), Some(Expr::Call(call)) if call.func.range() == expression.range());
                if !is_called {
                    return;
                }
                method.value.as_ref()
            }
            _ => return,
        };
        // The same name may stand for something else in another place.
        let is_blamed = around.statements.first().is_some_and(|top| view.at_fault(place, top.range()));
        if is_blamed && is_row(row) && shape::is_primary(row) {
            change.edit(place, row.end(), vec![insertion(row.end(), "._mapping")]);
        }
    });
}
