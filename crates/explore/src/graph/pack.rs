//! Packing of discrete states into bytes.
//!
//! Invariant: two states have the same bytes exactly if their cells are equal; all states of a network have the same
//! number of bytes.

/// The encoding of cells as bytes.
pub(crate) struct Packer {
    /// For each cell the least value, the size of its range, and the number of bytes.
    cells: Vec<(i32, u32, u8)>,
    width: usize,
}

impl Packer {
    /// Creates a packer for cells with the given least and greatest values.
    pub(crate) fn new(ranges: &[(i32, i32)]) -> Packer {
        let cells: Vec<(i32, u32, u8)> = ranges
            .iter()
            .map(|&(least, greatest)| {
                let bytes = match i64::from(greatest) - i64::from(least) {
                    ..=0 => 0,
                    1..=0xFF => 1,
                    0x100..=0xFFFF => 2,
                    _ => 4,
                };
                (least, greatest.wrapping_sub(least) as u32, bytes)
            })
            .collect();
        let width = cells.iter().map(|(_, _, bytes)| usize::from(*bytes)).sum();
        Packer { cells, width }
    }

    /// Returns the number of bytes of a state.
    pub(crate) fn width(&self) -> usize {
        self.width
    }

    /// Writes the bytes of a state; returns false if a value is out of range, which is a defect of the caller.
    #[inline]
    pub(crate) fn pack(&self, values: &[i32], bytes: &mut Vec<u8>) -> bool {
        bytes.clear();
        let mut fits = true;
        for (&value, &(least, most, width)) in values.iter().zip(&self.cells) {
            let difference = value.wrapping_sub(least) as u32;
            fits &= difference <= most;
            match width {
                0 => {}
                1 => bytes.push(difference as u8),
                2 => bytes.extend_from_slice(&(difference as u16).to_le_bytes()),
                _ => bytes.extend_from_slice(&difference.to_le_bytes()),
            }
        }
        fits
    }

    #[inline]
    pub(crate) fn unpack(&self, bytes: &[u8], values: &mut [i32]) {
        let mut at = 0;
        for (value, &(least, _, width)) in values.iter_mut().zip(&self.cells) {
            let difference = match width {
                0 => 0,
                1 => u32::from(bytes[at]),
                2 => u32::from(u16::from_le_bytes([bytes[at], bytes[at + 1]])),
                _ => u32::from_le_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]]),
            };
            at += usize::from(width);
            *value = least.wrapping_add(difference as i32);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Packer;

    #[test]
    fn unpack_inverts_pack() {
        let packer = Packer::new(&[(0, 3), (5, 5), (-40, 300), (i32::MIN, i32::MAX), (-1, 254)]);
        assert_eq!(packer.width(), 1 + 2 + 4 + 1);
        let mut bytes = Vec::new();
        for cells in [[0, 5, -40, i32::MIN, -1], [3, 5, 300, i32::MAX, 254], [2, 5, 0, -7, 0]] {
            assert!(packer.pack(&cells, &mut bytes));
            assert_eq!(bytes.len(), packer.width());
            let mut read = [9; 5];
            packer.unpack(&bytes, &mut read);
            assert_eq!(read, cells);
        }
        assert!(!packer.pack(&[4, 5, 0, 0, 0], &mut bytes));
        assert!(!packer.pack(&[3, 5, -41, 0, 0], &mut bytes));
    }
}
