use proptest::prelude::*;

use super::*;

/// The definition: every pair is compared, and what is connected is found step by step.
fn by_all_pairs(values: &[String], above: Similarity) -> Vec<usize> {
    let sets: Vec<Vec<String>> = values.iter().map(|value| word_set(value)).collect();
    let alike = |a: &Vec<String>, b: &Vec<String>| {
        let common = a.iter().filter(|word| b.contains(word)).count();
        let all = a.len() + b.len() - common;
        all == 0 || common * above.denominator > above.numerator * all
    };
    let mut cluster: Vec<Option<usize>> = vec![None; sets.len()];
    let mut clusters = 0;
    for start in 0..sets.len() {
        if cluster[start].is_some() {
            continue;
        }
        let mut reached = vec![start];
        cluster[start] = Some(clusters);
        while let Some(from) = reached.pop() {
            for to in 0..sets.len() {
                if cluster[to].is_none() && alike(&sets[from], &sets[to]) {
                    cluster[to] = Some(clusters);
                    reached.push(to);
                }
            }
        }
        clusters += 1;
    }
    cluster.into_iter().flatten().collect()
}

proptest! {
    #[test]
    fn the_same_components_as_all_pairs(
        sets in prop::collection::vec(prop::collection::vec(0_u8..14, 0..9), 0..40),
        numerator in 1_usize..10,
    ) {
        let word = |number: &u8| char::from(b'a' + number).to_string().repeat(2);
        let values: Vec<String> = sets.iter().map(|set| set.iter().map(word).collect::<Vec<_>>().join(" ")).collect();
        let above = Similarity { numerator, denominator: 10 };
        prop_assert_eq!(clusters(values.iter().map(String::as_str), above), by_all_pairs(&values, above));
    }
}

#[test]
fn a_pair_at_the_threshold_is_not_connected() {
    // 7 of 10 words are common.
    let values = ["a b c d e f g h", "a b c d e f g i j", "a b c d e f g h x"];
    assert_eq!(clusters(values, PAPER_SIMILARITY), [0, 1, 0]);
}

#[test]
fn empty_values_are_equal() {
    assert_eq!(clusters(["'a'", "b is x", "", "17"], PAPER_SIMILARITY), [0, 1, 0, 0]);
}
