//! One spelling for an enum everywhere: command line, database, JSON, parquet and tables.

/// A word that is not one of an enum's spellings.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("unknown {kind} `{word}`: expected one of {expected}{}", self.nearest())]
pub struct UnknownWord {
    /// What the word should have been, for example `condition`.
    pub kind: &'static str,
    /// The word as it was given.
    pub word: String,
    /// The spellings that are known, joined by commas.
    pub expected: String,
}

/// A word so alike counts as one that was meant: a letter or two of an average word.
const ALIKE: f64 = 0.6;

impl UnknownWord {
    /// The known word that is most like it, as the end of a sentence; nothing where none is.
    #[must_use]
    pub fn nearest(&self) -> String {
        let alike = |known: &&str| strsim::normalized_damerau_levenshtein(known, &self.word);
        let nearest = self.expected.split(", ").max_by(|one, other| alike(one).total_cmp(&alike(other)));
        nearest.filter(|word| alike(word) >= ALIKE).map_or_else(String::new, |word| format!("; did you mean `{word}`?"))
    }
}

/// What is said of a file by who reads it, with the word that was meant where a key or a variant is none that serde knows.
#[must_use]
pub fn with_nearest(told: &str) -> String {
    let told = told.trim_end();
    let unknown = ["unknown field `", "unknown variant `"].into_iter().find_map(|begin| told.rsplit_once(begin));
    let nearest = unknown.and_then(|(_, rest)| rest.split_once('`')).map(|(word, rest)| {
        // Every second piece stands between two of them.
        let known: Vec<&str> = rest.split('`').skip(1).step_by(2).collect();
        UnknownWord { kind: "word", word: word.to_owned(), expected: known.join(", ") }.nearest()
    });
    format!("{told}{}", nearest.unwrap_or_default())
}

/// Defines an enum whose variants have exactly one spelling each. Crates that use it depend on serde.
///
/// Of an enum with a type behind its kind, each variant has a row of that type: all that is known of it, for its method `about`.
///
/// ```
/// nbrevive_spelling::string_enum! {
///     /// Where eggs come from.
///     pub enum Bird ("bird"): u8 {
///         /// Two a month.
///         Hen => "hen", 2;
///         /// None.
///         Cuckoo => "cuckoo", 0;
///     }
/// }
/// assert_eq!(Bird::ALL.iter().map(|bird| *bird.about()).collect::<Vec<_>>(), [2, 0]);
/// ```
///
/// One without a row does not compile:
///
/// ```compile_fail
/// nbrevive_spelling::string_enum! {
///     /// Where eggs come from.
///     pub enum Bird ("bird"): u8 {
///         /// Two a month.
///         Hen => "hen", 2;
///         /// None.
///         Cuckoo => "cuckoo";
///     }
/// }
/// ```
#[macro_export]
macro_rules! string_enum {
    ($(#[$meta:meta])* pub enum $name:ident ($kind:literal): $about:ty {
        $($(#[$vmeta:meta])* $variant:ident => $text:literal, $row:expr;)+
    }) => {
        $crate::string_enum! { $(#[$meta])* pub enum $name ($kind) { $($(#[$vmeta])* $variant => $text,)+ } }

        impl $name {
            /// What is known of it.
            const fn about(self) -> &'static $about {
                match self { $($name::$variant => const { &$row },)+ }
            }
        }
    };
    ($(#[$meta:meta])* pub enum $name:ident ($kind:literal) { $($(#[$vmeta:meta])* $variant:ident => $text:literal,)+ }) => {
        $(#[$meta])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum $name { $($(#[$vmeta])* $variant,)+ }

        impl $name {
            /// Every variant, in the order in which tables show them.
            pub const ALL: &'static [$name] = &[$($name::$variant,)+];

            /// The one spelling of this word.
            #[must_use]
            pub const fn as_str(self) -> &'static str {
                match self { $($name::$variant => $text,)+ }
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.pad(self.as_str())
            }
        }

        impl std::str::FromStr for $name {
            type Err = $crate::UnknownWord;

            fn from_str(text: &str) -> Result<Self, Self::Err> {
                match text {
                    $($text => Ok($name::$variant),)+
                    _ => Err($crate::UnknownWord {
                        kind: $kind,
                        word: text.to_owned(),
                        expected: [$($text,)+].join(", "),
                    }),
                }
            }
        }

        impl serde::Serialize for $name {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(self.as_str())
            }
        }

        impl<'de> serde::Deserialize<'de> for $name {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let text = String::deserialize(deserializer)?;
                text.parse().map_err(serde::de::Error::custom)
            }
        }
    };
}

#[cfg(test)]
#[expect(unreachable_pub, reason = "the words that the macro makes are public")]
mod tests {
    string_enum! {
        /// Where eggs come from.
        pub enum Bird ("bird") {
            /// Two a month.
            Hen => "hen",
            /// None.
            Cuckoo => "cuckoo",
        }
    }

    #[test]
    fn every_word_parses_back_to_itself() {
        for bird in Bird::ALL {
            assert_eq!(bird.as_str().parse(), Ok(*bird));
        }
    }

    #[test]
    fn an_unknown_word_names_what_is_known() {
        let error = "cuckou".parse::<Bird>().unwrap_err().to_string();
        assert_eq!(error, "unknown bird `cuckou`: expected one of hen, cuckoo; did you mean `cuckoo`?");
        let error = "frobnicate".parse::<Bird>().unwrap_err().to_string();
        assert!(error.ends_with("hen, cuckoo"), "{error}");
    }

    #[test]
    fn a_key_that_serde_does_not_know_is_told_with_the_nearest() {
        for (told, nearest) in [
            ("unknown field `colour`, expected one of `size`, `color`, `name`\n", "; did you mean `color`?"),
            ("line 3\nunknown field `nam`, expected `name`", "; did you mean `name`?"),
            ("unknown variant `dat`, expected `paper` or `dated`", "; did you mean `dated`?"),
            ("unknown field `x`, there are no fields", ""),
            ("unknown field `frobnicate`, expected `a` or `b`", ""),
            ("missing field `name`", ""),
        ] {
            assert_eq!(crate::with_nearest(told), format!("{}{nearest}", told.trim_end()));
        }
    }
}
