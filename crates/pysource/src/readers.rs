//! What is read out of one cell after the other, and put together by [`survey`](crate::survey).

pub(crate) mod dialect;
pub(crate) mod imports;
pub(crate) mod requirements;
