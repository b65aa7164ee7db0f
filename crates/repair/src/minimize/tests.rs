//! The least patch against made-up oracles.

use nbrevive_notebook::Cell;
use proptest::prelude::*;

use super::*;

fn notebook(cells: &[String]) -> Notebook {
    Notebook::from_cells(cells.iter().map(Cell::code).collect())
}

fn lines(count: usize, changed: &[usize]) -> Notebook {
    let line =
        |index: usize| if changed.contains(&index) { format!("new_{index}()") } else { format!("old_{index}()") };
    let cells: Vec<Vec<String>> = (0..count).map(line).collect::<Vec<_>>().chunks(4).map(<[String]>::to_vec).collect();
    notebook(&cells.iter().map(|cell| cell.join("\n")).collect::<Vec<_>>())
}

fn holds(notebook: &Notebook, needed: &[usize]) -> bool {
    let text = render(notebook);
    needed.iter().all(|index| text.contains(&format!("new_{index}()")))
}

#[test]
fn only_what_is_needed_stays() {
    let (before, after) = (lines(12, &[]), lines(12, &[0, 1, 2, 5, 6, 9, 11]));
    let mut asked = 0;
    let found = minimize(&before, &after, &MinimizeSettings::default(), &mut |notebook| {
        asked += 1;
        holds(notebook, &[2, 9])
    });
    let found = found.unwrap();
    assert_eq!((found.hunks_before, found.hunks_after, found.is_minimal), (7, 2, true));
    assert_eq!(found.executions, asked);
    assert!(found.patch.contains("+new_2()") && found.patch.contains("+new_9()") && !found.patch.contains("+new_5()"));
    assert!(holds(&found.notebook, &[2, 9]) && found.similarity_to_original > 0.9);
}

#[test]
fn a_patch_that_nothing_needs_shrinks_to_nothing() {
    let found = minimize(&lines(8, &[]), &lines(8, &[1, 4]), &MinimizeSettings::default(), &mut |_| true).unwrap();
    assert_eq!((found.hunks_after, found.patch.as_str(), found.is_minimal), (0, "", true));
    assert_eq!(found.notebook, lines(8, &[]));
}

#[test]
fn a_whole_patch_that_fails_is_an_error() {
    let (before, after) = (lines(8, &[]), lines(8, &[1]));
    let settings = MinimizeSettings::default();
    assert_eq!(minimize(&before, &after, &settings, &mut |_| false), Err(MinimizeError::WholePatchFails));
    let none = MinimizeSettings { max_executions: 0 };
    assert_eq!(minimize(&before, &after, &none, &mut |_| true), Err(MinimizeError::NoExecutions));
}

#[test]
fn the_cap_ends_the_search_with_what_is_known() {
    let all: Vec<usize> = (0..40).collect();
    let (before, after) = (lines(40, &[]), lines(40, &all));
    let mut asked = 0;
    let found = minimize(&before, &after, &MinimizeSettings { max_executions: 6 }, &mut |notebook| {
        asked += 1;
        holds(notebook, &[3, 17, 31])
    });
    let found = found.unwrap();
    assert!(!found.is_minimal && asked == 6 && found.executions == 6);
    assert!(holds(&found.notebook, &[3, 17, 31]));
}

#[test]
fn cells_that_come_and_go_are_hunks_too() {
    let before = notebook(&["a = 1".to_owned(), "b = old(a)".to_owned(), "print(b)".to_owned()]);
    let after = notebook(&[
        "import extra".to_owned(),
        "a = 1".to_owned(),
        "b = new(a)".to_owned(),
        "c = 0".to_owned(),
        "print(b)".to_owned(),
    ]);
    let found =
        minimize(&before, &after, &MinimizeSettings::default(), &mut |notebook| render(notebook).contains("new(a)"));
    let found = found.unwrap();
    assert_eq!((found.hunks_before, found.hunks_after), (3, 1));
    insta::assert_snapshot!(found.patch, @r"
    --- before
    +++ after
    @@ -2,7 +2,7 @@
     a = 1
     
     # %%
    -b = old(a)
    +b = new(a)
     
     # %%
     print(b)
    ");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// Oracles that no search can foresee: a set of hunks holds when it has one of some sets of needed ones.
    #[test]
    fn the_result_holds_and_no_hunk_can_be_removed(
        changed in prop::collection::btree_set(0_usize..24, 1..16),
        needed in prop::collection::vec(prop::collection::btree_set(0_usize..24, 0..5), 1..4),
    ) {
        let changed: Vec<usize> = changed.into_iter().collect();
        let needed: Vec<Vec<usize>> =
            needed.iter().map(|set| set.iter().copied().filter(|index| changed.contains(index)).collect()).collect();
        let oracle = |notebook: &Notebook| needed.iter().any(|set| holds(notebook, set));
        let (before, after) = (lines(24, &[]), lines(24, &changed));
        let settings = MinimizeSettings { max_executions: 10_000 };
        let found = minimize(&before, &after, &settings, &mut |notebook| oracle(notebook)).unwrap();
        prop_assert!(found.is_minimal && oracle(&found.notebook));
        let before_text = render(&before);
        let found_text = render(&found.notebook);
        let hunks = Hunks::between(&before_text, &found_text);
        prop_assert_eq!(hunks.len(), found.hunks_after);
        for left_out in 0..hunks.len() {
            let rest: Vec<usize> = (0..hunks.len()).filter(|hunk| *hunk != left_out).collect();
            let cells = percent::parse(&hunks.apply(&rest)).unwrap();
            prop_assert!(!oracle(&percent::apply(&before, cells)));
        }
    }

    #[test]
    fn the_oracle_is_never_asked_twice_about_one_set(changed in prop::collection::btree_set(0_usize..24, 1..16)) {
        let changed: Vec<usize> = changed.into_iter().collect();
        let mut texts = std::collections::BTreeSet::new();
        let mut twice = 0;
        let oracle = &mut |notebook: &Notebook| {
            twice += usize::from(!texts.insert(render(notebook)));
            holds(notebook, &changed[..1])
        };
        let settings = MinimizeSettings { max_executions: 10_000 };
        // The whole patch is tested once, and known from then on.
        minimize(&lines(24, &[]), &lines(24, &changed), &settings, oracle).unwrap();
        prop_assert_eq!(twice, 0);
    }
}
