//! What changed in Keras, whether it is imported as `keras` or as `tensorflow.keras`.
//!
//! `modules` is what moved, `parameters` are arguments, `methods` is what models are asked, `backend` are functions on
//! tensors, `merge` put them together, `stateful` is what goes from batch to batch, `wrapper` makes models estimators of scikit-learn.

mod backend;
mod merge;
mod methods;
mod modules;
mod parameters;
mod stateful;
mod wrapper;

use crate::rule::Rule;

pub(crate) static TABLES: &[&[Rule]] =
    &[wrapper::RULES, merge::RULES, modules::RULES, parameters::RULES, stateful::RULES, methods::RULES, backend::RULES];
