use proptest::prelude::*;

use super::*;

#[test]
fn counts_are_those_of_the_reference() {
    // Reference: the OpenAI Cookbook, "How to count tokens with tiktoken", section 5.
    let cases = [
        ("", 0, 0),
        ("antidisestablishmentarianism", 6, 6),
        ("2 + 2 = 4", 7, 7),
        ("お誕生日おめでとう", 8, 9),
        ("tiktoken is great!", 6, 6),
    ];
    for (text, o200k, cl100k) in cases {
        assert_eq!(Encoding::O200k.count(text), o200k, "{text:?}");
        assert_eq!(Encoding::Cl100k.count(text), cl100k, "{text:?}");
    }
}

#[test]
fn cutting_between_lines_changes_no_count() {
    let line = "model = RandomForestClassifier(n_estimators=100, random_state=0)\n";
    let long = line.repeat(300);
    assert!(long.len() > 4 * CHUNK);
    assert_eq!(Encoding::O200k.count(&long), Encoding::O200k.encoder().encode_ordinary(&long).len());
}

#[test]
fn an_embedded_picture_is_counted_in_reasonable_time() {
    let picture = "iVBORw0KGgoAAAANSUhEUgAA".repeat(20_000);
    assert!(Encoding::O200k.count(&picture) > 100_000);
    assert!(Encoding::O200k.count(&"a".repeat(300_000)) > 10_000);
}

#[test]
fn models_have_their_encoding() {
    assert_eq!(Encoding::of_model("gpt-4-turbo"), Encoding::Cl100k);
    assert_eq!(Encoding::of_model("gpt-4.1-mini"), Encoding::O200k);
    assert_eq!(Encoding::of_model("a-model-of-tomorrow"), Encoding::O200k);
    assert_eq!("cl100k_base".parse(), Ok(Encoding::Cl100k));
    assert!("p50k".parse::<Encoding>().unwrap_err().to_string().contains("o200k_base"));
}

proptest! {
    #[test]
    fn pieces_make_up_the_text(text in "[a-z \\n\u{e4}\u{4e2d}]{0,12000}") {
        prop_assert_eq!(pieces(&text).collect::<String>(), text);
    }
}
