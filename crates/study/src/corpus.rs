//! What a study is about: competitions and their data, versions of notebooks and what they find around them.

pub(crate) mod around;
pub(crate) mod competition_rows;
pub(crate) mod import;
pub(crate) mod prepare;
pub(crate) mod prompt_facts;
pub(crate) mod selection;
pub(crate) mod source_file;
pub(crate) mod targets;
