//! What the footer of a parquet file says, before it is believed: whoever reads makes room for as many values as it promises.

use polars_io::parquet::read::FileMetadata;

/// What a footer says that cannot be, in a file of so many bytes whose tables are flat.
pub(super) fn contradiction(footer: &FileMetadata, bytes: u64) -> Option<String> {
    let mut rows = 0_usize;
    for (number, group) in footer.row_groups.iter().enumerate() {
        rows = rows.saturating_add(group.num_rows());
        for column in group.parquet_columns() {
            let name = column.descriptor().path_in_schema.join(".");
            let values = column.num_values();
            if usize::try_from(values) != Ok(group.num_rows()) {
                let rows = group.num_rows();
                return Some(format!("row group {number} has {rows} rows and {values} values of column `{name}`"));
            }
            let begins = column.dictionary_page_offset().unwrap_or(column.data_page_offset());
            let ends = begins.checked_add(column.compressed_size());
            let inside = |place: i64| u64::try_from(place).is_ok_and(|place| place <= bytes);
            if !inside(begins) || !ends.is_some_and(|ends| ends >= begins && inside(ends)) {
                return Some(format!("column `{name}` of row group {number} stands outside of the file"));
            }
        }
    }
    (rows != footer.num_rows).then(|| format!("its row groups have {rows} rows, it says {}", footer.num_rows))
}
