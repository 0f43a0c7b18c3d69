//! Enumerates all combinations of choices.
//!
//! Invariant: combinations come in lexicographic order, the last choice changing fastest. They are built one at a time,
//! because they may not all fit into memory.

/// An iterator over the combinations of one number below each size.
#[derive(Clone, Debug)]
pub(crate) struct Combinations {
    sizes: Vec<usize>,
    next: Option<Vec<usize>>,
}

impl Combinations {
    /// Creates the iterator: no combination if a size is zero, a single empty one if there are no sizes.
    pub(crate) fn new(sizes: Vec<usize>) -> Combinations {
        let next = if sizes.contains(&0) { None } else { Some(vec![0; sizes.len()]) };
        Combinations { sizes, next }
    }
}

impl Iterator for Combinations {
    type Item = Vec<usize>;

    fn next(&mut self) -> Option<Vec<usize>> {
        let current = self.next.take()?;
        let mut following = current.clone();
        for position in (0..following.len()).rev() {
            following[position] += 1;
            if following[position] < self.sizes[position] {
                self.next = Some(following);
                break;
            }
            following[position] = 0;
        }
        Some(current)
    }
}

#[cfg(test)]
mod tests {
    use super::Combinations;

    #[test]
    fn combinations_come_in_order() {
        let all = |sizes: &[usize]| Combinations::new(sizes.to_vec()).collect::<Vec<_>>();
        assert_eq!(all(&[2, 3]), [[0, 0], [0, 1], [0, 2], [1, 0], [1, 1], [1, 2]]);
        assert_eq!(all(&[]), [[0usize; 0]]);
        assert!(all(&[2, 0]).is_empty());
        assert_eq!(Combinations::new(vec![usize::MAX; 9]).take(3).count(), 3);
    }
}
