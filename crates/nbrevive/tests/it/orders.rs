//! A study of the orders in which cells run.

use std::path::Path;

use serde_json::json;

use crate::support::{nbrevive, scratch};

const SETTINGS: &str = "name = \"orders\"\ntitle = \"Orders\"\njudge = \"outputs\"\nnotebooks = \"notebooks\"\n\
                        environments = \"environments\"\nbaseline = \"bare\"\nlimits.disk_mib = 256\nseed = 3\n\
                        [[condition]]\nname = \"counter\"\nrole = \"baseline\"\ncells = \"counter\"\n\
                        [[condition]]\nname = \"document\"\n\
                        [[condition]]\nname = \"graph\"\ncells = \"graph\"\nsamples = 3\n\
                        [[condition]]\nname = \"gaps\"\ncells = \"gaps\"\nsamples = 5\n\
                        [[condition]]\nname = \"counter-twice\"\ncells = \"counter\"\nrepetitions = 2\nantidotes = []\n\
                        debug = true\n\
                        [[condition]]\nname = \"counter-still\"\ncells = \"counter\"\nrepetitions = 2\n\
                        antidotes = [\"seeds\", \"clock\", \"inline\"]\n\
                        [[condition]]\nname = \"graph-still\"\ncells = \"graph\"\nsamples = 2\nrepetitions = 2\n\
                        antidotes = [\"seeds\", \"clock\", \"inline\"]\n";

/// A notebook of cells with their counts and what they printed once.
fn notebook(cells: &[(&str, u32, &str)]) -> String {
    let cell = |(source, count, printed): &(&str, u32, &str)| {
        let outputs = match *printed {
            "" => json!([]),
            text => json!([{"output_type": "stream", "name": "stdout", "text": text}]),
        };
        json!({"cell_type": "code", "metadata": {}, "source": source, "outputs": outputs, "execution_count": count})
    };
    let cells: Vec<_> = cells.iter().map(cell).collect();
    json!({"nbformat": 4, "nbformat_minor": 4, "metadata": {}, "cells": cells}).to_string()
}

fn study(folder: &Path, settings: &str) {
    let put = |name: &str, text: &str| {
        let path = folder.join(name);
        std::fs::create_dir_all(path.parent().expect("it is below the folder")).expect("a folder can be made");
        std::fs::write(path, text).expect("a file can be written");
    };
    put("study.toml", settings);
    put("environments/bare.lock", "# python: 3.12\n");
    let mut list = "belongs = \"nothing\"\n".to_owned();
    for (slug, cells) in [
        // Only where the second cell runs first.
        ("moved", &[("print(a)", 2_u32, "1\n"), ("a = 1", 1, ""), ("'text'", 3, "")] as &[(&str, u32, &str)]),
        ("moody", &[("import random", 1, ""), ("print(random.random())", 2, "0.5\n")]),
        ("shared", &[("s = {'a', 'b', 'c', 'd', 'e', 'f', 'g'}\nprint(s)", 1, "{'a'}\n")]),
        // The keys are seen by the sharper graph.
        ("keys", &[("d = {}", 1, ""), ("d['k'] = 2", 2, ""), ("print(d['k'])", 3, "2\n"), ("print(3)", 4, "3\n")]),
        // The second cell ran twice.
        ("again", &[("a = 1", 1, ""), ("a += 1", 3, ""), ("print(a)", 4, "3\n")]),
        ("broken", &[("print(nowhere)", 1, "1\n")]),
    ] {
        put(&format!("notebooks/all/{slug}.ipynb"), &notebook(cells));
        list += &format!(
            "[[version]]\nslug = \"{slug}\"\ntitle = \"T\"\nsubmitted = \"2022-05-01T00:00:00Z\"\nfile = \"{slug}.ipynb\"\n"
        );
    }
    put("notebooks/all/versions.toml", &list);
}

#[test]
fn notebooks_run_in_the_orders_that_a_study_asks_for() {
    let folder = scratch();
    study(folder.path(), SETTINGS);
    let run = || {
        let mut command = nbrevive();
        let store = folder.path().join("store");
        command.args(["study", "run"]).arg(folder.path().join("study.toml")).arg("--store").arg(store);
        String::from_utf8_lossy(&command.assert().success().get_output().stderr).into_owned()
    };
    run();
    assert!(run().contains(" 0 to run"), "all is done");
    let mut tables = nbrevive();
    tables.arg("tables").arg("--data").arg(folder.path().join("store/data")).arg("--out").arg(folder.path());
    tables.assert().success();
    let table = |name: &&str| {
        let text = std::fs::read_to_string(folder.path().join(format!("tables/{name}.csv"))).expect("it is there");
        let kept = |line: &str| line.split(',').take(5).collect::<Vec<_>>().join(",");
        format!("{name}\n{}", text.lines().map(kept).collect::<Vec<_>>().join("\n"))
    };
    let names = ["matches", "matches-by-python", "mismatch-causes", "soundness", "order-sets", "debugger"];
    insta::assert_snapshot!("tables_of_orders", names.iter().map(table).collect::<Vec<_>>().join("\n\n"));
    let figure = |name: &str| {
        let text =
            std::fs::read_to_string(folder.path().join(format!("figures/figure{name}.json"))).expect("it is there");
        serde_json::from_str::<serde_json::Value>(&text).expect("it is JSON")
    };
    // Of six notebooks one runs by no strategy, and one, which needs what stands below, not from the top.
    let run = figure("7");
    assert_eq!(
        (&run["groups"], &run["rows"][0]["counts"]),
        (&json!(["none", "C D G", "C G"]), &json!([1, 4, 1])),
        "{run}"
    );
    assert_eq!(figure("3a")["rows"][0]["summary"]["n"], 6);
    // `moody` alone does not show the same twice.
    let unrepeatable = figure("9");
    assert_eq!(unrepeatable["rows"][1]["summary"]["n"], 1, "{unrepeatable}");
    let largest = figure("3b");
    assert_eq!(largest["rows"][0]["summary"]["quartiles"][4], 4.0, "{largest}");
}

#[test]
fn orders_that_cannot_be_are_refused_with_their_line() {
    let own = |keys: &str| format!("{}[[condition]]\nname = \"own\"\n{keys}", SETTINGS.split("[[").next().unwrap());
    for (keys, told) in [
        ("cells = \"grahp\"\n", "did you mean `graph`?"),
        ("samples = 3\n", "line 11: `samples` is for orders that are drawn"),
        ("cells = \"graph\"\nrepair = \"rules\"\n", "line 11: `own` draws orders, and repairs or prepares"),
        ("cells = \"graph\"\nsamples = 0\n", "line 12"),
        ("debug = true\nrepair = \"rules\"\n", "line 11: `own` debugs, and repairs or prepares"),
        ("antidotes = [\"sedes\"]\n", "did you mean `seeds`?"),
    ] {
        let folder = scratch();
        study(folder.path(), &own(keys));
        let mut command = nbrevive();
        command.args(["study", "run", "--list"]).arg(folder.path().join("study.toml"));
        let assert = command.arg("--store").arg(folder.path().join("store")).assert().code(3);
        let said = String::from_utf8_lossy(&assert.get_output().stderr).into_owned();
        assert!(said.contains(told), "{keys}: {said}");
    }
}
