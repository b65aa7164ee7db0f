//! One spelling for an enum everywhere: command line, database, JSON, parquet and tables.

/// A word that is not one of an enum's spellings.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("unknown {kind} `{word}`: expected one of {expected}")]
pub struct UnknownWord {
    /// What the word should have been, for example `condition`.
    pub kind: &'static str,
    /// The word as it was given.
    pub word: String,
    /// The spellings that are known, joined by commas.
    pub expected: String,
}

/// Defines an enum whose variants have exactly one spelling each. Crates that use it depend on serde.
#[macro_export]
macro_rules! string_enum {
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

pub(crate) use string_enum;

#[cfg(test)]
mod tests {
    use crate::{Condition, Failure, FixType, Outcome};

    #[test]
    fn every_word_parses_back_to_itself() {
        for condition in Condition::ALL {
            assert_eq!(condition.as_str().parse(), Ok(*condition));
        }
        for outcome in Outcome::ALL {
            assert_eq!(outcome.as_str().parse(), Ok(*outcome));
        }
        for failure in Failure::ALL {
            assert_eq!(failure.as_str().parse(), Ok(*failure));
        }
        for fix in FixType::ALL {
            assert_eq!(fix.as_str().parse(), Ok(*fix));
        }
    }

    #[test]
    fn an_unknown_word_names_what_is_known() {
        let error = "basline".parse::<Condition>().unwrap_err();
        assert_eq!(
            error.to_string(),
            "unknown condition `basline`: expected one of baseline, backport, modernize, modernize-cell"
        );
    }
}
