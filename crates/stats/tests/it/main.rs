//! Every statistic against a reference that others computed, and as it is documented.

mod documented;
mod reference;
