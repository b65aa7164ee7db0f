use proptest::prelude::*;

use super::*;

fn item(number: usize) -> Item {
    // Unequal strata: half of the versions in one competition, a few in the last one.
    let competition = ["titanic", "titanic", "titanic", "titanic", "digits", "digits", "house-prices", "rare"];
    let outcome = Outcome::ALL[(number * 7 / 3) % Outcome::ALL.len()];
    Item {
        key: format!("owner-{}/notebook-{number}#1", number % 13),
        competition: Some(competition[number * 5 / 3 % 8].to_owned()),
        year: (!number.is_multiple_of(11)).then(|| 2016 + i16::try_from(number % 9).unwrap()),
        outcome: Some(outcome),
        run_seconds: (!number.is_multiple_of(5)).then_some((number * 37 % 600) as f64),
    }
}

fn items(count: usize) -> Vec<Item> {
    (0..count).map(item).collect()
}

fn request(size: usize, by: &[By], seed: u64) -> SampleRequest {
    SampleRequest { by: by.to_vec(), seed, ..SampleRequest::of(size) }
}

#[test]
fn a_sample_tells_its_strata() {
    let sample = stratified(&items(200), &request(20, &[By::Competition], 1)).unwrap();
    insta::assert_snapshot!(sample, @r#"
    stratum       population  sample
    digits                49       5
    house-prices          25       3
    rare                  24       2
    titanic              102      10
    "#);
    assert_eq!(sample.keys.len(), 20);
    let several = stratified(&items(200), &request(60, &[By::Competition, By::Year], 1)).unwrap();
    assert!(several.strata.iter().any(|stratum| stratum.name == "titanic / 2019"), "{several}");
    assert!(several.strata.iter().any(|stratum| stratum.name.ends_with(" / unknown")), "{several}");
    assert!(several.strata.iter().all(|stratum| stratum.sample > 0));
}

#[test]
fn another_seed_gives_another_sample() {
    let draw = |seed| stratified(&items(500), &request(50, &[By::Outcome], seed)).unwrap();
    assert_eq!(draw(1), draw(1));
    assert_ne!(draw(1).keys, draw(2).keys);
    assert_eq!(draw(1).strata, draw(2).strata);
}

#[test]
fn a_version_that_stands_twice_is_named() {
    let mut twice = items(3);
    twice.push(item(1));
    let expected = DrawError::Duplicate { key: "owner-1/notebook-1#1".to_owned() };
    assert_eq!(stratified(&twice, &SampleRequest::of(2)), Err(expected.clone()));
    assert_eq!(smoke(&twice, 2), Err(expected));
}

#[test]
fn a_smoke_subset_takes_the_quickest_of_each_competition_first() {
    let one = |key: &str, competition: &str, run_seconds| Item {
        key: key.to_owned(),
        competition: Some(competition.to_owned()),
        run_seconds,
        ..Item::default()
    };
    let corpus = [
        one("a1", "a", Some(5.0)),
        one("a2", "a", Some(1.0)),
        one("a3", "a", Some(2.0)),
        one("b1", "b", Some(300.0)),
        one("b2", "b", None),
        one("c1", "c", Some(f64::NAN)),
    ];
    assert_eq!(smoke(&corpus, 1).unwrap(), ["a2"]);
    assert_eq!(smoke(&corpus, 2).unwrap(), ["a2", "b1"]);
    assert_eq!(smoke(&corpus, 3).unwrap(), ["a2", "b1", "c1"]);
    assert_eq!(smoke(&corpus, 4).unwrap(), ["a2", "a3", "b1", "c1"]);
    assert_eq!(smoke(&corpus, 99).unwrap().len(), 6);
}

#[test]
fn a_corpus_that_grows_by_a_twentieth_changes_its_sample_by_about_as_much() {
    let by = [By::Competition, By::Year];
    let before: BTreeSet<String> = stratified(&items(2000), &request(200, &by, 3)).unwrap().keys.into_iter().collect();
    let after = stratified(&items(2100), &request(200, &by, 3)).unwrap().keys;
    let stayed = after.iter().filter(|key| before.contains(*key)).count();
    assert!(stayed >= 180, "{stayed} of 200 stayed");
}

fn stratifications() -> impl Strategy<Value = Vec<By>> {
    prop::sample::subsequence(By::ALL.to_vec(), 0..=3)
}

proptest! {
    #[test]
    fn the_order_of_the_input_does_not_matter(
        shuffled in Just(items(120)).prop_shuffle(),
        by in stratifications(),
        size in 0..150_usize,
        seed in any::<u64>(),
    ) {
        let request = request(size, &by, seed);
        prop_assert_eq!(stratified(&shuffled, &request).unwrap(), stratified(&items(120), &request).unwrap());
        prop_assert_eq!(smoke(&shuffled, size).unwrap(), smoke(&items(120), size).unwrap());
    }

    /// A version leaves the sample only for a new one of its stratum, or because its stratum gives fewer.
    #[test]
    fn growth_drives_out_only_as_many_as_it_must(
        count in 1..150_usize,
        more in 0..30_usize,
        by in stratifications(),
        size in 0..60_usize,
        seed in any::<u64>(),
    ) {
        let grown = items(count + more);
        let before = stratified(&grown[..count], &request(size, &by, seed)).unwrap();
        let after = stratified(&grown, &request(size, &by, seed)).unwrap();
        for stratum in &before.strata {
            let of_stratum = |key: &&String| {
                grown.iter().any(|item| item.key == **key && stratum_name(item, &by) == stratum.name)
            };
            let left = before.keys.iter().filter(of_stratum).filter(|key| !after.keys.contains(*key)).count();
            let is_new = |key: &&String| !grown[..count].iter().any(|item| item.key == **key);
            let came = after.keys.iter().filter(of_stratum).filter(is_new).count();
            let now = after.strata.iter().find(|other| other.name == stratum.name).unwrap().sample;
            prop_assert!(left <= came + stratum.sample.saturating_sub(now), "{}: {left} left, {came} came", stratum.name);
        }
    }
}
