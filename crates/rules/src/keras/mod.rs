//! What changed in Keras, whether it is imported as `keras` or as `tensorflow.keras`.
//!
//! `modules` is what moved, `parameters` are arguments, `methods` is what models are asked, `inner` what their layers are, `backend` are
//! functions on tensors, `tensors` those of TensorFlow while a model is put together, `merge` put them together, `optimizers` is how a model
//! learns and `losses` what for, `stateful` is what goes from batch to batch, `wrapper` makes models estimators of scikit-learn.

mod backend;
mod inner;
mod losses;
mod merge;
mod methods;
mod modules;
mod optimizers;
mod parameters;
mod stateful;
mod tensors;
mod wrapper;

use crate::rule::Rule;

pub(crate) static TABLES: &[&[Rule]] = &[
    wrapper::RULES,
    merge::RULES,
    modules::RULES,
    parameters::RULES,
    optimizers::RULES,
    losses::RULES,
    stateful::RULES,
    methods::RULES,
    inner::RULES,
    backend::RULES,
    tensors::RULES,
];
