//! Tables, of HTML and of plain text, and the documents that they stand in.

mod grid;
mod html;
mod text;

pub use html::{HtmlPart, HtmlTable, html_parts};
pub(crate) use html::{has_table, same_html};
pub(crate) use text::same_text_table;
