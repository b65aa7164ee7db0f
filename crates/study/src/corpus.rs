//! What a study is about: competitions and their data, versions of notebooks and what they find around them.

pub(crate) mod around;
pub(crate) mod competition_rows;
pub(crate) mod exclusion_list;
pub(crate) mod files_beside;
pub(crate) mod import;
pub(crate) mod kaggle_folders;
pub(crate) mod looked_at;
pub(crate) mod prepare;
pub(crate) mod selection;
pub(crate) mod source_file;
pub(crate) mod targets;
pub(crate) mod version_rows;
