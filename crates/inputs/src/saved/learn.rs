//! From what is shown of a frame to the columns of the files that it comes from.

use crate::evidence::{ColumnFacts, ColumnId, ColumnKey, Findings, Shown, TableId, keep};
use crate::follow::{About, Followed, Value};
use crate::recipe::UsedAt;
use crate::saved::ShownFrame;
use crate::saved::text::{InfoBlock, elements, series, shape};

/// Values kept of what is shown.
const VALUES_KEPT: usize = 500;
/// What pandas shows for what is missing.
const MISSING: [&str; 5] = ["NaN", "NaT", "None", "<NA>", "nan"];

impl Followed {
    /// The column of a file behind a name of a frame, where its values are the file's.
    fn behind(&mut self, frame: usize, name: &str) -> Option<ColumnId> {
        use crate::follow::origin::{Behind, behind};
        let found = self.frames.get(frame)?;
        let key = match behind(found, name) {
            Behind::Made => return None,
            Behind::Of(id) => return Some(id),
            Behind::Key(key) => key,
        };
        let table = match (found.tables.as_slice(), &key) {
            ([table], _) => *table,
            (several, ColumnKey::Named(name)) if !found.is_stacked => {
                several.iter().copied().find(|table| self.findings.known(*table, name).is_some())?
            }
            ([first, ..], _) => *first,
            ([], _) => return None,
        };
        Some(self.findings.id_of(table, &key))
    }

    /// The table of a frame whose columns are all those of it, those that code made apart.
    fn whole_table(&self, frame: usize) -> Option<TableId> {
        let found = self.frames.get(frame)?;
        let is_whole = found.chosen.is_none() && found.dropped.is_empty() && found.is_of_rows && found.first == 0;
        match found.tables.as_slice() {
            [table] if is_whole => Some(*table),
            _ => None,
        }
    }

    fn see(&mut self, cell: usize, id: ColumnId) -> &mut Shown {
        let facts = self.findings.column_mut(id);
        keep(&mut facts.used, &UsedAt { cell, line: 0, how: "saved output".to_owned() });
        &mut facts.shown
    }

    pub(super) fn learn_frame(&mut self, cell: usize, value: &Value, shown: &ShownFrame) {
        match value {
            Value::Frame(frame) => self.learn_rows(cell, *frame, shown),
            Value::About(of, About::Describe) => {
                if let Value::Frame(frame) = **of {
                    self.learn_summary(cell, frame, shown);
                }
            }
            _ => {}
        }
    }

    fn learn_rows(&mut self, cell: usize, frame: usize, shown: &ShownFrame) {
        let found = &self.frames[frame];
        if found.is_opaque || found.is_dummies || !found.columns_are.is_empty() || found.is_made && !found.is_of_rows {
            return;
        }
        let is_of_rows = found.is_of_rows;
        let index = found.index.clone();
        let mut order = Vec::new();
        for (place, name) in shown.names.iter().enumerate() {
            let Some(id) = self.behind(frame, name) else { continue };
            order.push(id);
            if is_of_rows {
                let values = shown.rows.iter().filter_map(|row| row.1.get(place));
                self.see(cell, id).take(values);
            } else {
                self.see(cell, id);
            }
        }
        if let ([label], true) = (index.as_slice(), is_of_rows) {
            let values = shown.rows.iter().map(|row| &row.0);
            self.see(cell, *label).take(values);
        }
        if let Some(table) = self.whole_table(frame).filter(|_| !shown.is_cut) {
            self.findings.complete(table, index.into_iter().chain(order));
        }
        // A frame that is shown without its size is shown to its end.
        let found = &self.frames[frame];
        let is_to_end = found.is_whole && shown.shape.is_none() && !shown.rows.is_empty() && !shown.has_gap;
        let shape = shown.shape.or_else(|| is_to_end.then_some((shown.rows.len(), 0)));
        if let (Some(table), Some((rows, _))) = (found.tables.first().filter(|_| is_of_rows), shape) {
            let known = &mut self.findings.tables[*table].shown_rows;
            *known = Some(known.map_or(rows, |known| known.max(rows)));
        }
    }

    /// What `describe()` shows: columns of numbers, the least and the greatest.
    fn learn_summary(&mut self, cell: usize, frame: usize, shown: &ShownFrame) {
        let row = |label: &str| shown.rows.iter().find(|row| row.0 == label).map(|row| &row.1);
        let (Some(low), Some(high)) = (row("min").cloned(), row("max").cloned()) else { return };
        if self.frames.get(frame).is_none_or(|frame| frame.is_opaque || frame.is_dummies) {
            return;
        }
        for (place, name) in shown.names.iter().enumerate() {
            let number = |values: &[String]| values.get(place).and_then(|text| text.parse::<f64>().ok());
            let Some((low, high)) = number(&low).zip(number(&high)) else { continue };
            if let Some(id) = self.behind(frame, name) {
                let known = self.see(cell, id);
                known.dtype.get_or_insert_with(|| "number".to_owned());
                (known.low, known.high) = (Some(low), Some(high));
            }
        }
    }

    pub(super) fn learn_info(&mut self, cell: usize, value: &Value, info: &InfoBlock) {
        let Value::About(of, _) = value else { return };
        let Value::Frame(frame) = **of else { return };
        if self.frames.get(frame).is_none_or(|frame| frame.is_opaque || frame.is_dummies) {
            return;
        }
        let mut order = self.frames[frame].index.clone();
        for column in &info.columns {
            let Some(id) = self.behind(frame, &column.name) else { continue };
            order.push(id);
            let shown = self.see(cell, id);
            shown.dtype = Some(column.dtype.clone());
            shown.missing |= info.rows.zip(column.filled).is_some_and(|(rows, filled)| filled < rows);
        }
        if let Some(table) = self.whole_table(frame) {
            self.findings.tables[table].shown_rows = info.rows;
            self.findings.complete(table, order.into_iter());
        }
    }

    pub(super) fn learn_text(&mut self, cell: usize, value: &Value, text: &str) {
        match value {
            Value::About(of, about) => match (&**of, about) {
                (Value::Frame(frame), About::Shape) => {
                    if let (Some(table), Some((rows, columns))) = (self.whole_table(*frame), shape(text)) {
                        let made = self.frames[*frame].names.len();
                        let facts = &mut self.findings.tables[table];
                        facts.shown_rows = Some(rows);
                        if made == 0 {
                            facts.exactly = Some(columns + self.frames[*frame].index.len());
                        }
                    }
                }
                (Value::Frame(frame), About::Columns) => {
                    let names = elements(text).unwrap_or_default();
                    self.learn_names(cell, *frame, names.into_iter().map(|name| (name, None)));
                }
                (Value::Frame(frame), About::Dtypes) => {
                    let pairs = series(text).map(|(pairs, _)| pairs).unwrap_or_default();
                    self.learn_names(cell, *frame, pairs.into_iter().map(|(name, dtype)| (name, Some(dtype))));
                }
                (Value::Frame(frame), About::Missing) => {
                    let pairs = series(text).map(|(pairs, _)| pairs).unwrap_or_default();
                    self.learn_names(cell, *frame, pairs.into_iter().map(|(name, _)| (name, None)));
                }
                (Value::Column(column), About::Unique) if column.is_raw => {
                    if let ([id], Some(values)) = (column.ids.as_slice(), elements(text)) {
                        let shown = self.see(cell, *id);
                        shown.is_all = true;
                        shown.take(values.iter());
                    }
                }
                (Value::Column(column), About::Counts) if column.is_raw => {
                    if let ([id], Some((pairs, _))) = (column.ids.as_slice(), series(text)) {
                        let is_all = !text.contains("Length:");
                        let shown = self.see(cell, *id);
                        shown.is_all |= is_all;
                        shown.take(pairs.iter().map(|(label, _)| label));
                    }
                }
                _ => {}
            },
            Value::Column(column) if column.is_raw => {
                if let ([id], Some((pairs, dtype))) = (column.ids.as_slice(), series(text)) {
                    let shown = self.see(cell, *id);
                    shown.dtype = shown.dtype.take().or(dtype.filter(|dtype| !dtype.starts_with("datetime")));
                    shown.take(pairs.iter().map(|(_, value)| value));
                }
            }
            _ => {}
        }
    }

    fn learn_names(&mut self, cell: usize, frame: usize, names: impl Iterator<Item = (String, Option<String>)>) {
        if self.frames.get(frame).is_none_or(|frame| frame.is_opaque || frame.is_dummies) {
            return;
        }
        let mut order = self.frames[frame].index.clone();
        for (name, dtype) in names {
            let Some(id) = self.behind(frame, &name) else { continue };
            order.push(id);
            let shown = self.see(cell, id);
            shown.dtype = dtype.or(shown.dtype.take());
        }
        if let Some(table) = self.whole_table(frame)
            && order.len() > self.frames[frame].index.len()
        {
            self.findings.complete(table, order.into_iter());
        }
    }
}

impl Shown {
    /// Takes values that are shown; of more than one output those of the one that shows most.
    fn take<'a>(&mut self, values: impl Iterator<Item = &'a String>) {
        let mut taken = Vec::new();
        for value in values.take(VALUES_KEPT) {
            if MISSING.contains(&value.as_str()) || value.is_empty() {
                self.missing = true;
            } else if !value.ends_with("...") || value.len() > 10 {
                taken.push(value.clone());
            }
        }
        if self.is_all {
            self.values.extend(taken.into_iter().filter(|value| !self.values.contains(value)).collect::<Vec<_>>());
        } else if taken.len() > self.values.len() {
            self.values = taken;
        }
    }
}

impl Findings {
    /// Says which columns a table has, in order; what code makes of them is none.
    fn complete(&mut self, table: TableId, order: impl Iterator<Item = ColumnId>) {
        if self.tables[table].is_complete {
            return;
        }
        let mut ids: Vec<usize> = Vec::new();
        for id in order.filter(|id| id.table == table) {
            if !ids.contains(&id.column) {
                ids.push(id.column);
            }
        }
        if ids.is_empty() {
            return;
        }
        let facts = &mut self.tables[table];
        facts.is_complete = true;
        facts.order = ids;
    }
}

/// Whether a text is a number as pandas shows one.
pub(crate) fn is_number(text: &str) -> bool {
    text.parse::<f64>().is_ok_and(f64::is_finite)
}

impl ColumnFacts {
    /// Whether outputs show anything of it.
    pub(crate) fn is_shown(&self) -> bool {
        self.shown.dtype.is_some() || !self.shown.values.is_empty()
    }
}
