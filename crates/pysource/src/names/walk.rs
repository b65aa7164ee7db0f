//! The walk over a cell's tree in the order in which it runs.

mod expression;
mod statement;

use std::ops::Range;

use ruff_python_ast::visitor::Visitor;
use ruff_python_ast::{Comprehension, Expr, ExprContext, MatchCase, Pattern, Stmt};
use ruff_text_size::TextRange;

use super::bindings::{Bindings, bound_by_pattern};
use super::cell::Places;
use super::outside::{self, OutsideAct};
use super::scope::Scopes;
use super::{Acts, Binder, Body, FoundUnknown, GivenValue, NameAct, NameEvent, Part, UnknownCause};
use crate::magics::Escape;

/// What a walk has found, and where it stands.
pub(super) struct Walk<'a> {
    pub(super) places: &'a Places<'a>,
    /// Escapes that are still ahead, in order of their places.
    pub(super) escapes: &'a [Escape],
    /// Where the code stands that a `%timeit` just read runs in a function of its own.
    pub(super) timed: Range<usize>,
    pub(super) scopes: Scopes<'a>,
    pub(super) top: Acts,
    pub(super) bodies: Vec<Body>,
    /// The body that runs here, `None` where the cell does.
    pub(super) current: Option<usize>,
    /// How many branches, loops and the like are around.
    maybe: usize,
    /// How many of them catch a missing name.
    guarded: usize,
    /// Whether a future import keeps annotations from being evaluated.
    pub(super) defers_annotations: bool,
}

impl<'a> Walk<'a> {
    pub(super) fn new(places: &'a Places<'a>, escapes: &'a [Escape], defers_annotations: bool) -> Self {
        Self {
            places,
            escapes,
            timed: 0..0,
            scopes: Scopes::default(),
            top: Acts::default(),
            bodies: Vec::new(),
            current: None,
            maybe: 0,
            guarded: 0,
            defers_annotations,
        }
    }

    /// Walks code that runs in a function of its own as soon as the cell does, as `%%timeit` has it.
    pub(super) fn run_in_function(&mut self, body: &'a [Stmt]) {
        self.scopes.enter_function(Bindings::of_body(body));
        self.visit_body(body);
        self.scopes.leave();
    }

    pub(super) fn acts(&mut self) -> &mut Acts {
        match self.current {
            Some(body) => &mut self.bodies[body].acts,
            None => &mut self.top,
        }
    }

    /// Notes an act upon a name of the namespace.
    pub(super) fn push(&mut self, name: &str, act: NameAct, part: Option<Part>, range: TextRange) {
        let name = self.scopes.mangled(name).into_owned();
        let (line, span) = self.places.of(range);
        let (is_maybe, is_guarded) = (self.maybe > 0, self.guarded > 0);
        self.acts().events.push(NameEvent { name, act, part, is_maybe, is_guarded, line, span });
    }

    /// Notes that a name is looked up.
    pub(super) fn read(&mut self, name: &str, act: NameAct, part: Option<Part>, range: TextRange) {
        if self.scopes.reads(name) {
            self.push(name, act, part, range);
        } else if let (NameAct::Change, Some(body)) = (act, self.current) {
            self.bodies[body].changed.push(name.to_owned());
        }
    }

    /// Notes what happens to something that has no name.
    pub(super) fn outside(&mut self, found: impl IntoIterator<Item = OutsideAct>) {
        self.acts().outside.extend(found);
    }

    /// Notes that a target stands for a value that other names have, or for a part of it; `is_item` where it is each item in turn.
    pub(super) fn twins(&mut self, target: &'a Expr, value: &'a Expr, is_item: bool) {
        let is_whole = matches!(target, Expr::Name(_) | Expr::Tuple(_) | Expr::List(_));
        let holds = matches!(value, Expr::List(_) | Expr::Tuple(_) | Expr::Dict(_));
        let is_part = is_item || matches!(value, Expr::Attribute(_) | Expr::Subscript(_));
        let is_read = |walk: &Self, name: &str| walk.scopes.reads(name);
        for name in outside::roots(target).into_iter().filter(|name| is_read(self, name)).collect::<Vec<_>>() {
            let twins = if is_item { outside::item_roots(value) } else { outside::roots(value) };
            for twin in twins.into_iter().filter(|twin| is_read(self, twin)).collect::<Vec<_>>() {
                let (name, twin) = (name.to_owned(), twin.to_owned());
                let acts = self.acts();
                if is_whole && !holds {
                    acts.holders.push((name.clone(), twin.clone()));
                }
                if !is_part {
                    acts.holders.push((twin.clone(), name.clone()));
                }
                acts.twins.push((name, twin));
            }
        }
    }

    /// Notes that a name gets a value.
    pub(super) fn bind(&mut self, name: &'a str, binder: Binder, range: TextRange) {
        if self.scopes.binds(name) {
            self.push(name, NameAct::Bind(binder), None, range);
        }
    }

    pub(super) fn delete(&mut self, name: &'a str, range: TextRange) {
        if self.scopes.deletes(name) {
            self.push(name, NameAct::Delete, None, range);
        }
    }

    /// Notes that it cannot be told what happens to names.
    pub(super) fn unknown(&mut self, cause: UnknownCause, range: TextRange) {
        let (line, span) = self.places.of(range);
        let acts = self.acts();
        let after = acts.events.len();
        acts.unknown.push(FoundUnknown { cause, after, line, span });
    }

    /// Walks what may not run.
    pub(super) fn maybe(&mut self, walk: impl FnOnce(&mut Self)) {
        self.maybe += 1;
        walk(self);
        self.maybe -= 1;
    }

    /// Walks what may not run, and where a missing name does no harm.
    pub(super) fn guarded(&mut self, walk: impl FnOnce(&mut Self)) {
        self.guarded += 1;
        self.maybe(walk);
        self.guarded -= 1;
    }

    /// Walks what runs when a function is called: as a body of its own, or as part of that of the function around it.
    pub(super) fn body(&mut self, new: impl FnOnce(&Self) -> Body, walk: impl FnOnce(&mut Self)) {
        if self.current.is_some() {
            return self.maybe(walk);
        }
        let outside = (std::mem::take(&mut self.maybe), std::mem::take(&mut self.guarded));
        let body = new(self);
        self.current = Some(self.bodies.len());
        self.bodies.push(body);
        walk(self);
        self.current = None;
        (self.maybe, self.guarded) = outside;
    }

    /// Appends what a walk over another text found.
    pub(super) fn append(&mut self, top: Acts, bodies: Vec<Body>) {
        let is_top = self.current.is_none();
        let acts = self.acts();
        let before = acts.events.len();
        acts.events.extend(top.events);
        acts.unknown.extend(top.unknown.into_iter().map(|found| FoundUnknown { after: found.after + before, ..found }));
        acts.methods.extend(top.methods);
        acts.outside.extend(top.outside);
        acts.handed.extend(top.handed);
        acts.aliases.extend(top.aliases.into_iter().map(|event| event + before));
        acts.twins.extend(top.twins);
        acts.holders.extend(top.holders);
        let moved = |binding: usize| is_top.then_some(binding + before);
        self.bodies.extend(bodies.into_iter().map(|body| Body { binding: body.binding.and_then(moved), ..body }));
    }

    /// Notes what a statement gives whose acts begin at `before`.
    fn given(&mut self, statement: &Stmt, before: usize) {
        let gives =
            matches!(statement, Stmt::Assign(_) | Stmt::AnnAssign(_) | Stmt::FunctionDef(_) | Stmt::ClassDef(_));
        if !gives || self.maybe > 0 || self.current.is_some() || !self.scopes.is_namespace() {
            return;
        }
        let text = self.places.text(ruff_text_size::Ranged::range(statement).to_std_range());
        let is_change = |event: &NameEvent| event.act == NameAct::Change;
        if !(text.is_empty() || self.top.events[before..].iter().any(is_change)) {
            let events = before..self.top.events.len();
            self.top.given.push(GivenValue { text: text.to_owned(), events });
        }
    }

    fn sequence(&mut self, expressions: &'a [Expr]) {
        expressions.iter().for_each(|expression| self.visit_expr(expression));
    }
}

impl<'a> Visitor<'a> for Walk<'a> {
    fn visit_stmt(&mut self, statement: &'a Stmt) {
        self.escapes_in(statement);
        let before = self.top.events.len();
        self.statement(statement);
        self.given(statement, before);
    }

    fn visit_body(&mut self, mut body: &'a [Stmt]) {
        while let Some((statement, rest)) = body.split_first() {
            self.visit_stmt(statement);
            let timed = std::mem::take(&mut self.timed);
            let is_timed = |statement: &&Stmt| timed.contains(&self.places.offset(*statement));
            let (inside, after) = rest.split_at(rest.iter().take_while(is_timed).count());
            if !inside.is_empty() {
                self.run_in_function(inside);
            }
            body = after;
        }
    }

    fn visit_annotation(&mut self, annotation: &'a Expr) {
        if !self.defers_annotations {
            self.visit_expr(annotation);
        }
    }

    fn visit_expr(&mut self, expression: &'a Expr) {
        match expression {
            Expr::Name(name) => match name.ctx {
                ExprContext::Load => self.read(&name.id, NameAct::Read, None, name.range),
                ExprContext::Store => self.bind(&name.id, Binder::Value, name.range),
                ExprContext::Del => self.delete(&name.id, name.range),
                ExprContext::Invalid => {}
            },
            _ => self.expression(expression),
        }
    }

    fn visit_comprehension(&mut self, comprehension: &'a Comprehension) {
        self.visit_expr(&comprehension.iter);
        self.visit_expr(&comprehension.target);
        self.sequence(&comprehension.ifs);
    }

    fn visit_match_case(&mut self, case: &'a MatchCase) {
        self.maybe(|walk| ruff_python_ast::visitor::walk_match_case(walk, case));
    }

    fn visit_pattern(&mut self, pattern: &'a Pattern) {
        ruff_python_ast::visitor::walk_pattern(self, pattern);
        if let Some(name) = bound_by_pattern(pattern) {
            self.bind(name, Binder::Value, ruff_text_size::Ranged::range(pattern));
        }
    }
}
