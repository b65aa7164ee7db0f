//! Counting the pairs of a list that stand in the wrong order, by merge sort (Knight, JASA 61, 1966).

/// Parts that are sorted by insertion instead of merging.
const SHORT: usize = 16;

/// Sorts `values` by merging and counts the pairs that stood in the wrong order; equal values are not counted.
///
/// `buffer` is as long as `values`.
pub(crate) fn sort_counting_inversions(values: &mut [u64], buffer: &mut [u64]) -> u64 {
    // Items that are tied in the first sample stand in order of the second: long parts do where there are many ties.
    if values.is_sorted() {
        return 0;
    }
    if values.len() <= SHORT {
        return insert_counting_inversions(values);
    }
    let (left, right) = values.split_at_mut(values.len() / 2);
    let (left_buffer, right_buffer) = buffer.split_at_mut(left.len());
    let within = sort_counting_inversions(left, left_buffer) + sort_counting_inversions(right, right_buffer);
    let between = merge(left, right, buffer);
    values.copy_from_slice(buffer);
    within + between
}

fn insert_counting_inversions(values: &mut [u64]) -> u64 {
    let mut inversions = 0;
    for end in 1..values.len() {
        let value = values[end];
        let mut place = end;
        while place > 0 && values[place - 1] > value {
            values[place] = values[place - 1];
            place -= 1;
        }
        values[place] = value;
        inversions += (end - place) as u64;
    }
    inversions
}

/// Merges two sorted parts and counts the pairs of them in the wrong order: the smallest values from the front, the largest
/// from the back, and then what is left between.
///
/// No branch at the ends depends on the values, which a processor would guess wrong every other time, and the two ends do
/// not wait for each other. Within as many steps as the shorter part is long neither end can run out of it.
pub(crate) fn merge(left: &[u64], right: &[u64], merged: &mut [u64]) -> u64 {
    let steps = left.len().min(right.len());
    let (mut front_left, mut front_right) = (0, 0);
    let (mut back_left, mut back_right) = (left.len(), right.len());
    let mut inversions = 0;
    let (front, rest) = merged.split_at_mut(steps);
    let (between, back) = rest.split_at_mut(rest.len() - steps);
    for (front, back) in front.iter_mut().zip(back.iter_mut().rev()) {
        let (from_left, from_right) = (left[front_left], right[front_right]);
        let is_right = usize::from(from_right < from_left);
        *front = from_left.min(from_right);
        // A value of the right part stands before all that is left of the left part.
        inversions += (left.len() - front_left) * is_right;
        front_right += is_right;
        front_left += 1 - is_right;

        let (from_left, from_right) = (left[back_left - 1], right[back_right - 1]);
        let is_left = usize::from(from_right < from_left);
        *back = from_left.max(from_right);
        // A value of the left part stands behind all that is left of the right part …
        inversions += back_right * is_left;
        back_left -= is_left;
        back_right -= 1 - is_left;
    }
    for slot in between {
        let is_right = front_left == back_left || (front_right < back_right && right[front_right] < left[front_left]);
        *slot = if is_right { right[front_right] } else { left[front_left] };
        inversions += (left.len() - front_left) * usize::from(is_right);
        front_right += usize::from(is_right);
        front_left += usize::from(!is_right);
    }
    // … of which those that did not come from the back were counted where they came.
    (inversions - (left.len() - back_left) * back_right) as u64
}

#[cfg(test)]
mod tests {
    use super::sort_counting_inversions;

    /// The number by definition, by looking at every pair.
    fn by_definition(values: &[u64]) -> u64 {
        let inversions = |end: usize| values[..end].iter().filter(|&&before| before > values[end]).count() as u64;
        (0..values.len()).map(inversions).sum()
    }

    #[test]
    fn every_length_agrees_with_the_definition() {
        for length in 0..200_u64 {
            let mut values: Vec<u64> = (0..length).map(|value| value * 37 % 101 / (1 + length % 5)).collect();
            let expected = by_definition(&values);
            let mut buffer = vec![0; values.len()];
            assert_eq!(sort_counting_inversions(&mut values, &mut buffer), expected, "{length}");
            assert!(values.is_sorted());
        }
    }

    #[test]
    fn a_long_list_agrees_with_what_is_known() {
        // A reversed list has every pair in the wrong order, and equal values none between them.
        let length = 600_000_u64;
        let mut values: Vec<u64> = (0..length).rev().map(|value| value / 2).collect();
        let mut buffer = vec![0; values.len()];
        let pairs = length * (length - 1) / 2;
        assert_eq!(sort_counting_inversions(&mut values, &mut buffer), pairs - length / 2);
        assert!(values.is_sorted());
    }
}
