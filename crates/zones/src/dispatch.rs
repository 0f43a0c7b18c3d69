//! Runtime dispatch of the kernels: AVX2 if the processor supports it, otherwise plain x86-64.
//!
//! Invariant: a function compiled for AVX2 is called only after a check that the processor supports AVX2. This is the
//! crate's only unsafe code; decision note 002 gives the reason. Both versions are compiled from the same source,
//! `kernel.rs`, so they compute the same.

#![expect(unsafe_code, reason = "docs/decisions/002-zone-kernels.md: calls of functions compiled for AVX2")]

use crate::kernel;

/// Defines a function that forwards to the kernel of the same name, in the best version for the processor.
macro_rules! multiversioned {
    ($($(#[$attribute:meta])* fn $name:ident($($argument:ident: $type:ty),*) $(-> $result:ty)? $(, kernel $kernel:ident)?;)*) => {$(
        $(#[$attribute])*
        #[inline]
        pub(crate) fn $name($($argument: $type),*) $(-> $result)? {
            #[cfg(target_arch = "x86_64")]
            {
                #[target_feature(enable = "avx2")]
                fn for_avx2($($argument: $type),*) $(-> $result)? {
                    multiversioned!(@kernel $name $($kernel)?)($($argument),*)
                }
                if std::arch::is_x86_feature_detected!("avx2") {
                    // SAFETY: the line above has checked that the processor supports AVX2.
                    return unsafe { for_avx2($($argument),*) };
                }
            }
            baseline::$name($($argument),*)
        }
    )*
        /// The kernels compiled for every x86-64, not inlined into their callers.
        pub(crate) mod baseline {
            use super::*;
            $(
                #[inline(never)]
                pub(crate) fn $name($($argument: $type),*) $(-> $result)? {
                    multiversioned!(@kernel $name $($kernel)?)($($argument),*)
                }
            )*
        }
    };
    (@kernel $name:ident) => { kernel::$name };
    (@kernel $name:ident $kernel:ident) => { kernel::$kernel };
}

multiversioned! {
    /// See [`kernel::tighten`].
    fn tighten(entries: &mut [i32], stride: usize, left: usize, right: usize, raw: i32);
    /// See [`kernel::close`].
    fn close(entries: &mut [i32], stride: usize) -> bool;
    /// See [`kernel::lower_reference_row`].
    fn lower_reference_row(entries: &mut [i32], stride: usize, size: usize);
    /// See [`kernel::largest_magnitude`].
    fn largest_magnitude(entries: &[i32]) -> i32;
    /// See [`kernel::is_subset`].
    fn is_subset(left: &[i32], right: &[i32]) -> bool;
    /// See [`kernel::is_subset`]; for 16-bit entries.
    fn is_subset_narrow(left: &[i16], right: &[i16]) -> bool, kernel is_subset;
    /// See [`kernel::inclusions`].
    fn inclusions(left: &[i32], right: &[i32]) -> (bool, bool);
    /// See [`kernel::is_covered`].
    fn is_covered(stride: usize, covered: &[i32], covering: &[i32], lower: &[i32], upper: &[i32]) -> bool;
    /// See [`kernel::is_covered`]; for 16-bit entries.
    fn is_covered_narrow(stride: usize, covered: &[i16], covering: &[i16], lower: &[i16], upper: &[i16]) -> bool, kernel is_covered;
    /// See [`kernel::is_covered_packed`].
    fn is_covered_packed(size: usize, covered: &[i16], covering: &[i16], lower: &[i16], upper: &[i16]) -> bool;
    /// See [`kernel::pack`].
    fn pack(size: usize, entries: &[i32], packed: &mut [i16], limit: i32) -> bool;
    /// See [`kernel::unpack`].
    fn unpack(size: usize, packed: &[i16], entries: &mut [i32]) -> i32;
    /// See [`kernel::raise_upper_bounds`].
    fn raise_upper_bounds(entries: &mut [i32], stride: usize, bounds: &[i32]);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bound::{RAW_INFINITY, RAW_LE_ZERO};

    /// Returns a matrix of the given size with small pseudo-random bounds; not closed, possibly empty.
    fn matrix(size: usize, stride: usize, seed: u64) -> Vec<i32> {
        let mut state = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1;
        let mut next = move || {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            (state >> 33) as i32
        };
        let mut entries = vec![RAW_INFINITY; size * stride];
        for row in 0..size {
            for column in 0..size {
                entries[row * stride + column] = match next() % 4 {
                    _ if row == column => RAW_LE_ZERO,
                    _ if row == 0 => RAW_LE_ZERO,
                    0 => RAW_INFINITY,
                    _ => next() % 41 - 3,
                };
            }
        }
        entries
    }

    /// On machines without AVX2 this compares the baseline with itself.
    #[test]
    fn avx2_and_baseline_agree() {
        let mut closed = 0;
        for size in 1..40usize {
            let stride = size.next_multiple_of(4);
            for seed in 0..8 {
                let open = matrix(size, stride, seed * 100 + size as u64);
                let (mut fast, mut plain, mut checked) = (open.clone(), open.clone(), open);
                let nonempty = close(&mut fast, stride);
                assert_eq!(nonempty, baseline::close(&mut plain, stride));
                assert_eq!(Ok(nonempty), kernel::close_checked(&mut checked, stride));
                if !nonempty {
                    continue;
                }
                closed += 1;
                assert_eq!(fast, plain);
                assert_eq!(fast, checked);
                let before = fast.clone();
                let (left, right) = (size / 2, size - 1);
                let raw = fast[left * stride + right].min(60) - 1;
                if left != right && fast[right * stride + left] + raw > 1 {
                    tighten(&mut fast, stride, left, right, raw);
                    baseline::tighten(&mut plain, stride, left, right, raw);
                    checked[left * stride + right] = raw;
                    assert_eq!(kernel::close_checked(&mut checked, stride), Ok(true));
                    assert_eq!(fast, plain);
                    assert_eq!(fast, checked, "size {size} seed {seed} {left} {right} {raw}");
                    assert!(is_subset(&fast, &before) && !is_subset(&before, &fast));
                    assert_eq!(inclusions(&fast, &before), (true, false));
                }
                lower_reference_row(&mut fast, stride, size);
                baseline::lower_reference_row(&mut plain, stride, size);
                assert_eq!(fast, plain);
                assert_eq!(largest_magnitude(&fast), baseline::largest_magnitude(&fast));
                let mut packed = vec![0; size * stride];
                assert!(pack(size, &fast, &mut packed, 1000));
                let mut unpacked = vec![RAW_INFINITY; size * stride];
                assert_eq!(unpack(size, &packed, &mut unpacked), largest_magnitude(&fast));
                assert_eq!(fast, unpacked);
                let mut other = vec![-1; size * stride];
                assert!(pack(size, &before, &mut other, 1000));
                let mut narrow = vec![i16::MIN; stride];
                narrow[..size].fill(8);
                let mut wide = vec![i32::MIN; stride];
                wide[..size].fill(8);
                for (first, second, wide_first, wide_second) in
                    [(&packed, &other, &fast, &before), (&other, &packed, &before, &fast)]
                {
                    let expected = is_covered(stride, wide_first, wide_second, &wide, &wide);
                    assert_eq!(is_covered_packed(size, first, second, &narrow, &narrow), expected);
                    assert_eq!(baseline::is_covered_packed(size, first, second, &narrow, &narrow), expected);
                }
                let bounds = vec![8; stride];
                assert_eq!(
                    is_covered(stride, &before, &fast, &bounds, &bounds),
                    baseline::is_covered(stride, &before, &fast, &bounds, &bounds)
                );
            }
        }
        assert!(closed > 50, "only {closed} matrices were not empty");
    }
}
