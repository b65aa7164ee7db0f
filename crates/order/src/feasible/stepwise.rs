//! Orders drawn cell by cell, for notebooks of which they cannot be counted.

use std::collections::HashSet;

use nbrevive_stats::Random;

/// Orders that are drawn for each that is kept.
pub(super) const TRIED: usize = 32;

/// Step by step, each cell that can run equally likely; of many such orders those are kept that the inverse of their chance draws
/// (importance resampling; Efraimidis and Spirakis, "Weighted random sampling with a reservoir", 2006). `needs` is what each cell lacks: for each
/// name, who gives it.
pub(super) fn weighted(needs: &[Vec<Vec<u32>>], wanted: usize, seed: u64) -> Vec<Vec<u32>> {
    let (mut drawn, mut seen) = (Vec::new(), HashSet::new());
    let takers = Takers::of(needs);
    for number in 0..wanted.saturating_mul(TRIED) as u64 {
        let mut random = Random::stream(seed, number);
        let (mut order, mut ln_weight) = (Vec::with_capacity(needs.len()), 0.0);
        let mut waiting = Waiting::of(&takers);
        while let Some((cell, of)) = waiting.next(&mut random) {
            ln_weight += (of as f64).ln();
            order.push(cell);
        }
        let key = (-random.fraction().ln()).ln() - ln_weight;
        if seen.insert(order.clone()) {
            drawn.push((key, order));
        }
    }
    drawn.sort_by(|(one, _): &(f64, Vec<u32>), (other, _)| one.total_cmp(other));
    drawn.into_iter().take(wanted).map(|(_, order)| order).collect()
}

/// Who waits for whom: the same for every order that is drawn step by step.
struct Takers {
    /// By cell, the names that it gives, by their numbers.
    gives: Vec<Vec<u32>>,
    /// By name, the cell that lacks it.
    taker: Vec<u32>,
    /// Names that each cell lacks.
    lacks: Vec<u32>,
}

impl Takers {
    fn of(needs: &[Vec<Vec<u32>>]) -> Self {
        let (mut gives, mut taker) = (vec![Vec::new(); needs.len()], Vec::new());
        for (cell, names) in needs.iter().enumerate() {
            for givers in names {
                givers.iter().for_each(|giver| gives[*giver as usize].push(taker.len() as u32));
                taker.push(cell as u32);
            }
        }
        Takers { gives, taker, lacks: needs.iter().map(|names| names.len() as u32).collect() }
    }
}

/// What can run, as cells run.
struct Waiting<'a> {
    takers: &'a Takers,
    lacks: Vec<u32>,
    given: Vec<bool>,
    ready: Vec<u32>,
}

impl<'a> Waiting<'a> {
    fn of(takers: &'a Takers) -> Self {
        let lacks = takers.lacks.clone();
        let ready = (0..lacks.len() as u32).filter(|cell| lacks[*cell as usize] == 0).collect();
        Waiting { takers, lacks, given: vec![false; takers.taker.len()], ready }
    }

    /// The next cell, and of how many it was chosen.
    fn next(&mut self, random: &mut Random) -> Option<(u32, usize)> {
        let of = self.ready.len();
        if of == 0 {
            return None;
        }
        let cell = self.ready.remove(random.below(of as u64) as usize);
        for name in &self.takers.gives[cell as usize] {
            if !std::mem::replace(&mut self.given[*name as usize], true) {
                let taker = self.takers.taker[*name as usize];
                self.lacks[taker as usize] -= 1;
                if self.lacks[taker as usize] == 0 {
                    self.ready.push(taker);
                }
            }
        }
        Some((cell, of))
    }
}
