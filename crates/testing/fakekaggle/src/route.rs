//! Which part of the site answers a request.

use nbrevive_loopback::{Reply, Request};

use crate::faults::Effects;
use crate::refusal::Generation;
use crate::shared::Shared;
use crate::{api, control, internal, pages};

/// Where other processes add rules and read the log.
const CONTROL: &str = "/_control";

pub(crate) fn is_control(request: &Request) -> bool {
    request.path == CONTROL
}

pub(crate) fn answer(shared: &Shared, request: &Request, effects: &Effects) -> Reply {
    if is_control(request) {
        return control::answer(shared, request);
    }
    match Generation::of(request) {
        Generation::Legacy => api::legacy(shared, request, effects),
        Generation::Modern => api::modern(shared, request, effects),
        Generation::Internal => internal::answer(shared, request, effects),
        Generation::Page => pages::answer(shared, request, effects),
    }
}
