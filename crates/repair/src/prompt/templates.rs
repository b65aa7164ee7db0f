//! The files in `prompts/`, and how their places are filled.

/// A template and its name.
pub(crate) struct Template {
    pub(crate) name: &'static str,
    pub(crate) text: &'static str,
}

macro_rules! templates {
    ($($constant:ident = $file:literal;)+) => {
        $(pub(super) const $constant: Template = Template {
            name: $file,
            text: include_str!(concat!("../../prompts/", $file)),
        };)+

        /// Every template, in a fixed order.
        const ALL: &[Template] = &[$($constant,)+];
    };
}

templates! {
    SYSTEM = "system.md";
    SHARED = "shared.md";
    ERROR_REPAIR = "error-repair.md";
    RUNTIME_REDUCTION = "runtime-reduction.md";
    SCORE_CALIBRATION = "score-calibration.md";
    CELL_ERROR_REPAIR = "cell-error-repair.md";
    PROTOCOL = "protocol.md";
    PROTOCOL_CELL = "protocol-cell.md";
    SHARED_EDITS = "shared-edits.md";
    PROTOCOL_EDITS = "protocol-edits.md";
    AGAIN = "again.md";
    REFUSED = "refused.md";
}

/// Hexadecimal digits of a version: enough to tell apart all templates that will ever be written.
const VERSION_DIGITS: usize = 16;

/// The version of the templates: the beginning of a BLAKE3 hash over their names and texts.
#[must_use]
pub fn template_version() -> String {
    version_of(ALL)
}

/// The same of any templates.
pub(crate) fn version_of(templates: &[Template]) -> String {
    let mut hasher = blake3::Hasher::new();
    for template in templates {
        hasher.update(template.name.as_bytes());
        hasher.update(&(template.text.len() as u64).to_le_bytes());
        hasher.update(template.text.as_bytes());
    }
    hasher.finalize().to_hex()[..VERSION_DIGITS].to_owned()
}

impl Template {
    /// The text with each `{{name}}` replaced. One pass: what is put in is not read again, so that foreign text cannot
    /// fill a place of its own. A place without a value is left out.
    pub(crate) fn fill(&self, values: &[(&str, &str)]) -> String {
        let mut filled = String::with_capacity(self.text.len());
        let mut rest = self.text.trim_end();
        while let Some((before, after)) = rest.split_once("{{") {
            filled.push_str(before);
            let Some((name, behind)) = after.split_once("}}") else {
                rest = after;
                break;
            };
            let value = values.iter().find(|(known, _)| *known == name).map_or("", |(_, value)| value);
            debug_assert!(values.iter().any(|(known, _)| *known == name), "{}: no value for {name}", self.name);
            filled.push_str(value);
            rest = behind;
        }
        filled.push_str(rest);
        filled
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_put_in_is_not_read_again() {
        let template = Template { name: "x", text: "a {{one}} b {{two}}\n" };
        assert_eq!(template.fill(&[("one", "{{two}}"), ("two", "2")]), "a {{two}} b 2");
    }

    #[test]
    fn the_version_is_a_hash_of_all_texts() {
        let version = template_version();
        assert_eq!(version.len(), VERSION_DIGITS);
        assert!(version.bytes().all(|digit| digit.is_ascii_hexdigit()));
        assert_eq!(ALL.len(), std::fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/prompts")).unwrap().count());
    }
}
