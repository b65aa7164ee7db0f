//! Damaged notebooks: every rule of the schema broken in every way, one at a time, and several at once.

use serde_json::{Map, Value, json};

/// A notebook of format 4.5 with everything that the schema knows.
pub(super) fn whole() -> Value {
    json!({
        "nbformat": 4, "nbformat_minor": 5,
        "metadata": {
            "kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"},
            "language_info": {
                "name": "python", "codemirror_mode": {"name": "ipython", "version": 3}, "file_extension": ".py",
                "mimetype": "text/x-python", "pygments_lexer": "ipython3", "version": "3.12.1",
            },
            "title": "Title", "authors": [{"name": "Ada"}], "kaggle": {"accelerator": "none"},
        },
        "cells": [
            {
                "id": "raw-1", "cell_type": "raw", "source": ["x"], "attachments": {"a.png": {"image/png": "aGk="}},
                "metadata": {"format": "text/html", "jupyter": {"source_hidden": true}, "name": "first", "tags": ["a", "b"]},
            },
            {
                "id": "text-1", "cell_type": "markdown", "source": ["# T\n", "t"],
                "attachments": {"a.svg": {"image/svg+xml": ["<svg>\n", "</svg>"]}},
                "metadata": {"jupyter": {"source_hidden": false}, "name": "second", "tags": []},
            },
            {
                "id": "code-1", "cell_type": "code", "source": ["1 / 0"], "execution_count": 3,
                "metadata": {
                    "jupyter": {"source_hidden": false, "outputs_hidden": true}, "collapsed": false, "scrolled": "auto", "name": "third",
                    "tags": ["raises-exception"], "execution": {"iopub.status.busy": "2026-11-24T23:00:00.1Z"},
                },
                "outputs": [
                    {"output_type": "stream", "name": "stdout", "text": ["a\n", "b"]},
                    {"output_type": "display_data", "metadata": {"image/png": {"width": 3}},
                     "data": {"image/png": "aGk=", "text/plain": ["<Figure>"], "application/json": {"a": [1, null]}}},
                    {"output_type": "execute_result", "execution_count": 3, "metadata": {},
                     "data": {"text/plain": ["1"], "application/vnd.x+json": [1.5]}},
                    {"output_type": "error", "ename": "E", "evalue": "v", "traceback": ["t", "u"]},
                ],
            },
        ],
    })
}

/// A notebook of format 3.
fn old() -> Value {
    json!({
        "nbformat": 3, "nbformat_minor": 0, "orig_nbformat": 2, "metadata": {"name": "n", "signature": "s"},
        "worksheets": [{"metadata": {}, "cells": [
            {"cell_type": "heading", "level": 2, "metadata": {}, "source": ["h"]},
            {"cell_type": "html", "metadata": {}, "source": "<b>"},
            {"cell_type": "code", "language": "python", "collapsed": true, "prompt_number": 4, "metadata": {}, "input": ["print 1"],
             "outputs": [
                {"output_type": "stream", "stream": "stdout", "text": ["1\n"]},
                {"output_type": "pyout", "prompt_number": 4, "text": ["2"], "html": "<b>", "json": "[1]", "metadata": {"png": {"w": 3}}},
                {"output_type": "display_data", "png": "aGk=", "svg": ["<svg>"]},
                {"output_type": "pyerr", "ename": "E", "evalue": "v", "traceback": ["t"]},
             ]},
        ]}],
    })
}

/// What can stand anywhere by mistake.
fn oddities() -> Vec<Value> {
    let long = "x".repeat(70);
    let mut odd = vec![
        json!(null),
        json!(true),
        json!(false),
        json!(0),
        json!(1),
        json!(-1),
        json!(1.5),
        json!(1e300),
        json!(u64::MAX),
    ];
    odd.extend(
        ["", "text", "a,b", "a\nb", "\n", ",", "auto", "true", "ä b", "code-1", "pyout", "code", "7", &long]
            .map(Value::from),
    );
    odd.extend([
        json!([]),
        json!(["a", "a", "b\n"]),
        json!(["a", 7, null, ["b"]]),
        json!([{"name": 3}]),
        json!([[["a"]], {}]),
    ]);
    odd.extend([
        json!({}),
        json!({"a": 1}),
        json!({"": null, "a\nb": 3}),
        json!({"name": 5}),
        json!({"text/plain": 5, "x": [7]}),
    ]);
    odd.push(json!({"cell_type": "code"}));
    odd
}

/// Keys that a place may have too many.
const FURTHER: [&str; 12] = [
    "extra",
    "",
    "a\nb",
    "id",
    "name",
    "data",
    "text",
    "outputs",
    "attachments",
    "metadata",
    "orig_nbformat",
    "application/x\n+json",
];

/// The places of everything in a value, as JSON pointers, itself left out.
fn places(value: &Value, at: &str, found: &mut Vec<String>) {
    let parts: Vec<(String, &Value)> = match value {
        Value::Object(map) => map.iter().map(|(key, part)| (key.replace('~', "~0").replace('/', "~1"), part)).collect(),
        Value::Array(items) => items.iter().enumerate().map(|(index, part)| (index.to_string(), part)).collect(),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => Vec::new(),
    };
    for (key, part) in parts {
        let place = format!("{at}/{key}");
        places(part, &place, found);
        found.push(place);
    }
}

/// One way to damage what stands at a place.
enum Way {
    Replace(Value),
    Remove,
    Further(&'static str, Value),
    Twice,
}

fn damage(notebook: &mut Value, place: &str, way: Way) {
    let (parent, key) = place.rsplit_once('/').expect("a place below the top");
    let key = key.replace("~1", "/").replace("~0", "~");
    match (way, notebook.pointer_mut(parent)) {
        (Way::Replace(odd), _) => notebook.pointer_mut(place).into_iter().for_each(|value| *value = odd.clone()),
        (Way::Further(further, odd), _) => {
            let map = notebook.pointer_mut(place).and_then(Value::as_object_mut);
            map.into_iter().for_each(|map: &mut Map<String, Value>| drop(map.insert(further.to_owned(), odd.clone())));
        }
        (Way::Remove, Some(Value::Object(map))) => drop(map.remove(&key)),
        (Way::Remove, Some(Value::Array(items))) => drop(items.remove(key.parse().expect("an index"))),
        (Way::Twice, Some(Value::Array(items))) => {
            let index: usize = key.parse().expect("an index");
            items.insert(index, items[index].clone());
        }
        _ => {}
    }
}

fn ways(oddities: &[Value]) -> Vec<Way> {
    let mut ways: Vec<Way> = oddities.iter().cloned().map(Way::Replace).collect();
    ways.extend([Way::Remove, Way::Twice]);
    ways.extend(
        FURTHER.iter().enumerate().map(|(index, key)| Way::Further(key, oddities[index * 3 % oddities.len()].clone())),
    );
    ways
}

/// Every place of both notebooks, damaged in every way, one at a time.
pub(super) fn one_at_a_time() -> Vec<Value> {
    let oddities = oddities();
    let mut damaged = Vec::new();
    for notebook in [whole(), old()] {
        let mut found = Vec::new();
        places(&notebook, "", &mut found);
        for place in found {
            for way in ways(&oddities) {
                let mut copy = notebook.clone();
                damage(&mut copy, &place, way);
                if copy != notebook {
                    damaged.push(copy);
                }
            }
        }
    }
    damaged
}

/// Notebooks with up to ten damages each, drawn by numbers that are always the same.
pub(super) fn several_at_once(count: usize) -> Vec<Value> {
    let oddities = oddities();
    let mut state = 1_u64;
    let mut below = |bound: usize| {
        // Knuth's MMIX generator; its high bits are the random ones.
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % bound
    };
    let draw = |_| {
        let mut notebook = if below(4) == 0 { old() } else { whole() };
        for _ in 0..1 + below(10) {
            let mut found = Vec::new();
            places(&notebook, "", &mut found);
            let mut ways = ways(&oddities);
            let way = ways.swap_remove(below(ways.len()));
            if let Some(place) = found.get(below(found.len().max(1))) {
                damage(&mut notebook, place, way);
            }
        }
        notebook
    };
    (0..count).map(draw).collect()
}
