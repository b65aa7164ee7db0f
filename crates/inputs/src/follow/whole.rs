//! What is done with a frame as a whole: given to a model, reshaped, turned; and which columns it has.

use std::collections::BTreeSet;

use crate::evidence::{ColumnKey, TableId, Use};
use crate::follow::Follower;
use crate::follow::value::{FrameId, Origin, Value};

impl Follower {
    /// `reshape(-1, 28, 28, 1)`: a row has as many columns as each picture has points.
    pub(super) fn reshaped(&mut self, frame: FrameId, sizes: &[Value]) {
        let sizes = if let [Value::List(sizes)] = sizes { sizes.as_slice() } else { sizes };
        let Some((first, of_row)) = sizes.split_first() else { return };
        let width =
            of_row.iter().try_fold(1_usize, |width, size| width.checked_mul(usize::try_from(size.whole()?).ok()?));
        let (Some(width @ 2..), [table]) = (width, self.frames[frame].tables.as_slice()) else { return };
        let is_of_rows = first.whole().is_none_or(|rows| rows < 0);
        let found = &self.frames[frame];
        if !is_of_rows || found.is_opaque || found.is_dummies || found.rest.is_some() || found.chosen.is_some() {
            return;
        }
        let (table, gone) = (*table, found.dropped.len());
        self.findings.tables[table].exactly.get_or_insert(width + gone);
    }

    /// Says that all the columns are reckoned with.
    pub(super) fn whole_frame(&mut self, frame: FrameId, what: &str) {
        let mut found = self.frames[frame].clone();
        if let Some(rest) = found.rest {
            let all = std::mem::replace(&mut found, self.frames[rest].clone());
            found.dropped.extend(all.dropped);
            found.names.extend(all.names);
        }
        if found.is_opaque || found.is_dummies || found.is_made {
            return;
        }
        if let Some(chosen) = found.chosen {
            for name in chosen.into_iter().filter(|name| !found.dropped.contains(name)) {
                if let column @ Value::Column(_) = self.column(frame, &name, what) {
                    self.note(&column, &Use::Number, what);
                }
            }
            return;
        }
        let mut but = found.dropped.clone();
        but.extend(
            found.names.iter().filter(|(_, origin)| matches!(origin, Origin::Made(_))).map(|(name, _)| name.clone()),
        );
        for table in found.tables {
            let facts = &mut self.findings.tables[table];
            facts.features_but = Some(match facts.features_but.take() {
                Some(known) => known.intersection(&but).cloned().collect(),
                None => but.clone(),
            });
        }
    }

    /// Whether a table had this column on its own when the notebook was followed before.
    pub(super) fn is_own(&self, table: TableId, name: &str) -> bool {
        self.own_of(table).is_some_and(|own| own.contains(name))
    }

    pub(super) fn own_of(&self, table: TableId) -> Option<&BTreeSet<String>> {
        let facts = &self.findings.tables[table];
        if self.own.is_empty() {
            return None;
        }
        self.own.get(&(self.findings.files[facts.file].path.clone(), facts.name.clone()))
    }

    /// The names that a frame is known to have.
    pub(super) fn names_of(&self, frame: FrameId) -> BTreeSet<String> {
        let frame = &self.frames[frame];
        let of_table = |table: &TableId| {
            let columns = self.findings.tables[*table].columns.iter();
            let named = columns.filter_map(|column| match &column.key {
                ColumnKey::Named(name) => Some(name.clone()),
                ColumnKey::At(_) => None,
            });
            named.chain(self.own_of(*table).into_iter().flatten().cloned()).collect::<Vec<_>>()
        };
        let names = match &frame.chosen {
            Some(chosen) => chosen.iter().cloned().collect(),
            None => frame.tables.iter().flat_map(of_table).chain(frame.names.keys().cloned()).collect::<BTreeSet<_>>(),
        };
        names.into_iter().filter(|name| !frame.dropped.contains(name)).collect()
    }

    /// Rows become columns: they are called what labelled the rows.
    pub(super) fn transposed(&mut self, frame: FrameId) -> Value {
        self.derived(frame, |frame| {
            frame.columns_are = std::mem::take(&mut frame.index);
            frame.is_opaque = frame.columns_are.is_empty();
            (frame.is_of_rows, frame.is_made, frame.chosen) = (false, true, None);
            frame.names.clear();
        })
    }
}
