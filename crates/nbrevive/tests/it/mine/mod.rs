//! Mining and selecting through the real program, against a server that behaves like Kaggle, on good days and on bad ones.

mod bench;
mod disturbed;
mod hub;
mod lists;
mod pages;
mod refused;
mod selected;
