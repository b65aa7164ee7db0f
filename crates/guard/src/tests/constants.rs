//! Tables and scores that are written into the code.

use super::*;

#[test]
fn no_table_of_answers_is_written_in() {
    let labels: Vec<String> = (0..60).map(|row| format!("'{}'", ["a", "b", "c"][row % 3])).collect();
    let lines: Vec<String> = (91..151).map(|id| format!("{id},Iris-setosa")).collect();
    let pairs: Vec<String> = (91..151).map(|id| format!("({id}, 2)")).collect();
    for source in [
        format!("labels = [{}]", labels.join(", ")),
        format!("labels = '{}'.split()", labels.join(" ").replace('\'', "")),
        format!("text = '''{}'''", lines.join("\n")),
        format!("labels = dict([{}])", pairs.join(", ")),
        format!("a = np.array([[{}], [{}]])", labels[..20].join(", "), labels[20..40].join(", ")),
    ] {
        refused(&breaches_with(&source), Breach::ConstantPredictions, &source);
    }
}

#[test]
fn a_table_that_the_author_wrote_may_stay_and_change_a_little() {
    let names: Vec<String> = (0..60).map(|column| format!("'feature_{column}'")).collect();
    let original = [format!("columns = [{}]", names.join(", "))];
    let patched = [format!("columns = ['extra', {}]\nmore = 1", names.join(", "))];
    let of = |cells: &[String]| cells.iter().map(String::clone).collect::<Vec<_>>();
    let (original, patched) = (of(&original), of(&patched));
    let original: Vec<&str> = original.iter().map(String::as_str).collect();
    let patched: Vec<&str> = patched.iter().map(String::as_str).collect();
    assert_eq!(breaches_of(&original, &patched), BTreeSet::new());
}

#[test]
fn small_numbers_of_the_authors_own_table_are_not_new() {
    let numbers = |change: fn(usize) -> usize| (0..60).map(|row| change(row * 7 % 60).to_string()).collect::<Vec<_>>();
    let table = |change: fn(usize) -> usize| format!("ages = {{'a': [{}], 'b': (1, 2)}}", numbers(change).join(", "));
    let original = table(|age| age);
    let with = |patched: &str| breaches_of(&[&original, "plot(b=True)"], &[patched, "plot(visible=True)"]);
    assert_eq!(with(&original), BTreeSet::new());
    assert_eq!(with(&table(|age| if age == 7 { 8 } else { age })), BTreeSet::new());
    let answers = table(|age| 59 - age);
    refused(&with(&answers), Breach::ConstantPredictions, &answers);
}

#[test]
fn the_score_to_reach_is_not_pasted() {
    for source in
        ["score = 0.96667", "score = 0.9667", "print('0.96667')", "score = .967", "s = 9.6667e-1", "s = -0.96667"]
    {
        refused(&breaches_with(source), Breach::TargetScore, source);
    }
    for source in ["threshold = 0.97", "n = 1", "learning_rate = 0.966", "rows = 967"] {
        assert_eq!(breaches_with(source), BTreeSet::new(), "{source}");
    }
    let own = ["best = 0.96667", "model.fit(X)"];
    assert_eq!(breaches_of(&own, &["best = 0.96667", "print(0.96667)\nmodel.fit(X)"]), BTreeSet::new());
}
