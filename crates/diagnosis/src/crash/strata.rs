//! Proportional stratified sampling (section 3.3): how many crashes, how many of each stratum, and which.

use nbrevive_stats::Random;

/// The quantile of the normal distribution for 95 %, as tables of sample sizes have it.
const Z: f64 = 1.96;

/// How many of a population are drawn for a 95 % interval of a share that reaches `margin` to each side, at worst: Cochran's formula with
/// its correction for finite populations, rounded up.
#[must_use]
pub fn sample_size(population: usize, margin: f64) -> usize {
    let endless = (Z / margin).powi(2) / 4.0;
    let many = population as f64;
    (endless / (1.0 + (endless - 1.0) / many.max(1.0))).ceil().min(many) as usize
}

/// The strata of clusters: each of at least `least` crashes is one, in the order of the clusters, and the others together are the last.
#[must_use]
pub fn strata(cluster_of: &[usize], least: usize) -> Vec<Vec<usize>> {
    let mut members: Vec<Vec<usize>> = vec![Vec::new(); cluster_of.iter().max().map_or(0, |most| most + 1)];
    cluster_of.iter().enumerate().for_each(|(crash, cluster)| members[*cluster].push(crash));
    let (mut strata, rest): (Vec<_>, Vec<_>) = members.into_iter().partition(|members| members.len() >= least);
    let mut rest = rest.concat();
    rest.sort_unstable();
    if !rest.is_empty() {
        strata.push(rest);
    }
    strata
}

/// How many of each stratum: its part of `total`, rounded, and at least one, so that the sum is above `total` where many strata are small
/// (the paper's 360 became 390).
#[must_use]
pub fn allocate(sizes: &[usize], total: usize) -> Vec<usize> {
    let population: usize = sizes.iter().sum();
    let part = |&size: &usize| {
        let part = (size as f64 * total as f64 / population.max(1) as f64).round() as usize;
        part.clamp(size.min(1), size)
    };
    sizes.iter().map(part).collect()
}

/// Draws from each stratum without replacement; the same seed draws the same. Sorted.
#[must_use]
pub fn draw(strata: &[Vec<usize>], total: usize, seed: u64) -> Vec<usize> {
    let sizes: Vec<usize> = strata.iter().map(Vec::len).collect();
    let mut drawn = Vec::new();
    for ((number, members), many) in strata.iter().enumerate().zip(allocate(&sizes, total)) {
        let mut random = Random::stream(seed, number as u64);
        let mut members = members.clone();
        // The first places of a Fisher-Yates shuffle.
        for place in 0..many {
            let other = place + random.below((members.len() - place) as u64) as usize;
            members.swap(place, other);
        }
        drawn.extend_from_slice(&members[..many]);
    }
    drawn.sort_unstable();
    drawn
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_those_of_the_formula() {
        // The paper prints 360 and 332 for these populations; its own formula gives these.
        assert_eq!(sample_size(88_667, 0.05), 383);
        assert_eq!(sample_size(3_875, 0.05), 350);
        assert_eq!((sample_size(3, 0.05), sample_size(0, 0.05)), (3, 0));
    }

    #[test]
    fn every_stratum_gives_at_least_one() {
        let cluster_of: Vec<usize> = [vec![0; 500], vec![1; 20], vec![2; 10], vec![3; 3], vec![4]].concat();
        let strata = strata(&cluster_of, 10);
        assert_eq!(strata.iter().map(Vec::len).collect::<Vec<_>>(), [500, 20, 10, 4]);
        assert_eq!(allocate(&[500, 20, 10, 4], 50), [47, 2, 1, 1]);
        let drawn = draw(&strata, 50, 7);
        assert_eq!(drawn.len(), 51);
        assert!(drawn.windows(2).all(|pair| pair[0] < pair[1]) && drawn.iter().any(|crash| *crash >= 530));
        assert_eq!(drawn, draw(&strata, 50, 7));
        assert_ne!(drawn, draw(&strata, 50, 8));
    }
}
