//! A bench with a judge and a memory.

use std::collections::HashMap;
use std::rc::Rc;
use std::time::{Duration, Instant};

use nbrevive_compare::{Agreement, OutputComparer};
use serde::Serialize;

use crate::bench::Bench;
use crate::judge::{JudgedStep, OrderVerdict, judge};
use crate::subject::TracedNotebook;

/// What may be spent.
#[derive(Debug, Clone, Copy)]
pub struct TraceBudget {
    /// Runs of cells.
    pub executions: usize,
    /// Wall clock.
    pub time: Duration,
}

/// What was spent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub struct Spent {
    /// Runs of cells that were carried out.
    pub executions: usize,
    /// Runs of cells that orders would have taken one by one, each from a fresh start.
    pub asked: usize,
    /// Whether the budget was used up.
    pub is_all: bool,
}

/// Asks a bench, and remembers.
pub struct Tracer<'s, B> {
    /// The notebook.
    pub subject: &'s TracedNotebook<'s>,
    /// From which level on outputs are as saved.
    pub level: Agreement,
    bench: B,
    comparer: OutputComparer,
    known: HashMap<Vec<usize>, Rc<JudgedStep>>,
    budget: TraceBudget,
    until: Instant,
    asked: usize,
    is_spent: bool,
}

impl<'s, B: Bench> Tracer<'s, B> {
    /// A tracer that knows nothing yet.
    pub fn new(subject: &'s TracedNotebook<'s>, bench: B, level: Agreement, budget: TraceBudget) -> Self {
        let until = Instant::now() + budget.time;
        let (comparer, known) = (OutputComparer::default(), HashMap::new());
        Self { subject, level, bench, comparer, known, budget, until, asked: 0, is_spent: false }
    }

    /// What a cell gives after others; none when the budget is spent.
    ///
    /// # Errors
    /// As [`Bench::steps`].
    pub fn step(&mut self, before: &[usize], cell: usize, then: &[usize]) -> Result<Option<Rc<JudgedStep>>, B::Error> {
        let mut key: Vec<usize> = before.iter().copied().chain([cell]).collect();
        if let Some(known) = self.known.get(&key) {
            return Ok(Some(Rc::clone(known)));
        }
        self.is_spent |= self.bench.executed() >= self.budget.executions || Instant::now() >= self.until;
        if self.is_spent {
            return Ok(None);
        }
        self.asked += key.len();
        let mut first = None;
        for (place, step) in self.bench.steps(before, cell, then)?.into_iter().enumerate() {
            if place > 0 {
                key.push(then[place - 1]);
            }
            let judged = Rc::new(judge(self.subject, &self.comparer, key[key.len() - 1], step));
            first.get_or_insert_with(|| Rc::clone(&judged));
            self.known.insert(key.clone(), judged);
        }
        Ok(first)
    }

    /// Runs an order past its errors. Of one that ended early, or was not finished within the budget, there are fewer steps than cells.
    ///
    /// # Errors
    /// As [`Bench::steps`].
    pub fn run(&mut self, order: &[usize]) -> Result<Vec<Rc<JudgedStep>>, B::Error> {
        let mut steps: Vec<Rc<JudgedStep>> = Vec::with_capacity(order.len());
        for (position, cell) in order.iter().enumerate() {
            match self.step(&order[..position], *cell, &order[position + 1..])? {
                Some(step) => steps.push(step),
                None => break,
            }
            if steps.last().is_some_and(|step| step.step.ended.is_some()) {
                break;
            }
        }
        Ok(steps)
    }

    /// Runs an order and says what it came to; none when the budget did not suffice.
    ///
    /// # Errors
    /// As [`Bench::steps`].
    pub fn verdict(&mut self, order: &[usize]) -> Result<Option<OrderVerdict>, B::Error> {
        let steps = self.run(order)?;
        let has_ended = steps.last().is_some_and(|step| step.step.ended.is_some());
        Ok((steps.len() == order.len() || has_ended).then(|| OrderVerdict::of(self.subject, order, &steps)))
    }

    /// What was spent so far.
    pub fn spent(&self) -> Spent {
        Spent { executions: self.bench.executed(), asked: self.asked, is_all: self.is_spent }
    }

    /// Who runs cells.
    pub fn bench(&self) -> &B {
        &self.bench
    }
}
