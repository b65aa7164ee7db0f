//! How many versions each stratum gives: proportional allocation by largest remainder (the method of Hare and Niemeyer), in whole
//! numbers throughout so that no rounding can tip a tie.

/// The share of each stratum. They sum up to `size`, or to the whole population where that is smaller, and none is larger than its
/// stratum. With `at_least_one` each stratum that has any version gives one, if `size` is at least their number; the strata whose
/// proportion is smaller than one give exactly one then, and the others share the rest in proportion.
pub(super) fn shares(populations: &[usize], size: usize, at_least_one: bool) -> Vec<usize> {
    let filled = populations.iter().filter(|population| **population > 0).count();
    let size = size.min(populations.iter().sum());
    let mut fixed = vec![false; populations.len()];
    if at_least_one && size >= filled {
        while fix_small(populations, size, &mut fixed) {}
    }
    let ones = fixed.iter().filter(|fixed| **fixed).count();
    let free: Vec<usize> =
        populations.iter().zip(&fixed).map(|(count, fixed)| if *fixed { 0 } else { *count }).collect();
    let mut shares = by_largest_remainder(&free, size - ones);
    for (share, _) in shares.iter_mut().zip(&fixed).filter(|(_, fixed)| **fixed) {
        *share = 1;
    }
    shares
}

/// Fixes at one version every stratum whose proportion of what is left is smaller; whether there was any.
fn fix_small(populations: &[usize], size: usize, fixed: &mut [bool]) -> bool {
    let left = size - fixed.iter().filter(|fixed| **fixed).count();
    let total: usize = populations.iter().zip(fixed.iter()).filter(|(_, fixed)| !**fixed).map(|(count, _)| count).sum();
    let mut any = false;
    for (population, fixed) in populations.iter().zip(fixed.iter_mut()) {
        let small = *population > 0 && (*population as u128) * (left as u128) < total as u128;
        if small && !*fixed {
            *fixed = true;
            any = true;
        }
    }
    any
}

/// `size` split in proportion to `populations`: the whole part of each quota, and one more for the largest remainders. Among equal
/// remainders the larger stratum comes first, then the one that stands first.
fn by_largest_remainder(populations: &[usize], size: usize) -> Vec<usize> {
    let total = populations.iter().sum::<usize>() as u128;
    if total == 0 {
        return vec![0; populations.len()];
    }
    let quota = |population: usize| (population as u128) * (size as u128);
    // A quota is at most the population, which is a usize.
    let mut shares: Vec<usize> = populations.iter().map(|population| (quota(*population) / total) as usize).collect();
    let missing = size.saturating_sub(shares.iter().sum());
    let mut order: Vec<usize> = (0..populations.len()).collect();
    order.sort_by_key(|&index| {
        std::cmp::Reverse((quota(populations[index]) % total, populations[index], std::cmp::Reverse(index)))
    });
    for &index in order.iter().take(missing) {
        shares[index] += 1;
    }
    shares
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn shares_by_hand() {
        let cases: [(&[usize], usize, bool, &[usize]); 8] = [
            (&[80, 20], 10, true, &[8, 2]),
            (&[50, 30, 20], 7, true, &[4, 2, 1]),
            (&[97, 2, 1], 10, true, &[8, 1, 1]),
            (&[97, 2, 1], 10, false, &[10, 0, 0]),
            (&[97, 2, 1], 2, true, &[2, 0, 0]),
            (&[1, 1, 1], 2, true, &[1, 1, 0]),
            (&[3, 0, 1], 10, true, &[3, 0, 1]),
            (&[], 5, true, &[]),
        ];
        for (populations, size, at_least_one, expected) in cases {
            assert_eq!(shares(populations, size, at_least_one), expected, "{populations:?} {size}");
        }
    }

    proptest! {
        #[test]
        fn shares_fill_the_size_and_no_stratum_gives_more_than_it_has(
            populations in prop::collection::vec(0..500_usize, 0..40),
            size in 0..3000_usize,
            at_least_one in any::<bool>(),
        ) {
            let shares = shares(&populations, size, at_least_one);
            prop_assert_eq!(shares.iter().sum::<usize>(), size.min(populations.iter().sum()));
            prop_assert!(shares.iter().zip(&populations).all(|(share, population)| share <= population));
            let filled = populations.iter().filter(|population| **population > 0).count();
            if at_least_one && size >= filled {
                prop_assert!(shares.iter().zip(&populations).all(|(share, population)| *population == 0 || *share > 0));
            }
        }

        #[test]
        fn without_a_minimum_no_share_is_a_whole_version_from_its_quota(
            populations in prop::collection::vec(1..500_usize, 1..40),
            size in 0..300_usize,
        ) {
            let total: usize = populations.iter().sum();
            let size = size.min(total);
            for (share, population) in shares(&populations, size, false).iter().zip(&populations) {
                let quota = *population as f64 * size as f64 / total as f64;
                prop_assert!((*share as f64 - quota).abs() < 1.0, "{} of {}", share, quota);
            }
        }
    }
}
