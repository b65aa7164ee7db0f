//! Which rules fire for a request, and what they amount to.

use std::sync::{Mutex, MutexGuard};

use nbrevive_loopback::{Delivery, Request, lock};

use crate::faults::{Fault, FaultRule, Layout, Quirks, When};
use crate::random::Purpose;
use nbrevive_loopback::RandomStream;

/// The rules in force, with what each has seen.
#[derive(Debug)]
pub(crate) struct Switchboard {
    seed: u64,
    armed: Mutex<Vec<Armed>>,
}

#[derive(Debug)]
struct Armed {
    rule: FaultRule,
    seen: u64,
}

/// What the rules that fired do together.
#[derive(Debug, Clone, Default)]
pub(crate) struct Effects {
    /// The fault whose answer takes the place of the real one.
    pub(crate) instead: Option<Fault>,
    pub(crate) delivery: Delivery,
    pub(crate) quirks: Quirks,
    pub(crate) layout: Layout,
    pub(crate) has_overlay: bool,
    /// Changes of the finished answer.
    pub(crate) transforms: Vec<Fault>,
}

impl Switchboard {
    pub(crate) fn new(seed: u64) -> Self {
        Self { seed, armed: Mutex::new(Vec::new()) }
    }

    fn lock(&self) -> MutexGuard<'_, Vec<Armed>> {
        lock(&self.armed)
    }

    pub(crate) fn add(&self, rule: FaultRule) {
        self.lock().push(Armed { rule, seen: 0 });
    }

    pub(crate) fn clear(&self) {
        self.lock().clear();
    }

    pub(crate) fn rules(&self) -> Vec<FaultRule> {
        self.lock().iter().map(|armed| armed.rule.clone()).collect()
    }

    pub(crate) fn effects(&self, request: &Request, has_session: bool) -> Effects {
        let mut effects = Effects::default();
        for (place, armed) in self.lock().iter_mut().enumerate() {
            let rule = &armed.rule;
            let is_meant = request.target.starts_with(&rule.path)
                && rule.method.as_deref().is_none_or(|method| method == request.method)
                && !(has_session && rule.fault == Fault::LoginWall);
            if !is_meant {
                continue;
            }
            armed.seen += 1;
            if fires(rule.when, armed.seen - 1, self.seed, place) {
                effects.take(&rule.fault);
            }
            if effects.instead.is_some() {
                break;
            }
        }
        effects
    }
}

/// Whether the request with this number, from 0, is disturbed.
fn fires(when: When, number: u64, seed: u64, place: usize) -> bool {
    match when {
        When::Always => true,
        When::Times { skip, count } => (skip..skip.saturating_add(count)).contains(&number),
        When::Chance { probability } => {
            RandomStream::of(seed, Purpose::Fault, ((place as u64) << 40) + number).chance(probability)
        }
        When::Burst { every, length } => number % every.max(1) < length,
    }
}

impl Effects {
    fn take(&mut self, fault: &Fault) {
        match fault {
            Fault::Unauthorized
            | Fault::Forbidden { .. }
            | Fault::RulesNotAccepted
            | Fault::NotFound
            | Fault::TooManyRequests { .. }
            | Fault::ServerError { .. }
            | Fault::StatusInBody { .. }
            | Fault::HtmlInsteadOfJson
            | Fault::LoginWall => self.instead = Some(fault.clone()),
            Fault::ResetInHeaders => self.delivery = Delivery::ResetInHeaders,
            Fault::ResetInBody => self.delivery = Delivery::ResetInBody,
            Fault::CutShort => self.delivery = Delivery::CutShort,
            Fault::Stall => self.delivery = Delivery::Stall,
            Fault::StallInBody => self.delivery = Delivery::StallInBody,
            Fault::SlowDrip { bytes_per_second } => self.delivery = Delivery::Drip((*bytes_per_second).max(1)),
            Fault::TruncatedJson | Fault::WrongTypes | Fault::HostileSlug | Fault::HugeNotebook { .. } => {
                self.transforms.push(fault.clone());
            }
            Fault::ChangedLayout => self.layout = Layout::Changed,
            Fault::EmbeddedState => self.layout = Layout::Embedded,
            Fault::Overlay => self.has_overlay = true,
            Fault::EndlessPages => self.quirks.is_endless = true,
            Fault::DuplicatedPages => self.quirks.is_duplicated = true,
            Fault::ReorderedPages => self.quirks.is_reordered = true,
        }
    }
}
