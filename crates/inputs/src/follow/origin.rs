//! From the name of a column in a frame to the file that it comes from.

use crate::evidence::{ColumnId, ColumnKey};
use crate::follow::value::{Frame, Origin, Value};

/// What lies behind a name.
pub(crate) enum Behind {
    /// Code made it.
    Made,
    /// A column of a file under another name, with its own values.
    Of(ColumnId),
    /// A column of one of the frame's tables.
    Key(ColumnKey),
}

/// Looks behind a name of a frame.
pub(crate) fn behind(frame: &Frame, name: &str) -> Behind {
    match frame.names.get(name) {
        Some(Origin::Made(Value::Column(column))) if column.is_raw => match column.ids.as_slice() {
            [id] => Behind::Of(*id),
            _ => Behind::Made,
        },
        Some(Origin::Made(_)) => Behind::Made,
        Some(Origin::Named(old)) => Behind::Key(ColumnKey::Named(old.clone())),
        Some(Origin::At(place)) => Behind::Key(ColumnKey::At(*place)),
        None if frame.is_by_place => match name.parse::<isize>() {
            Ok(place) => Behind::Key(ColumnKey::At(place + frame.first)),
            Err(_) => Behind::Made,
        },
        None => Behind::Key(ColumnKey::Named(name.to_owned())),
    }
}
