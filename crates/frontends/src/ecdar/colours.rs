//! Conversion between Ecdar's colour numbers and `#rrggbb`.
//!
//! Invariant: the number of a palette colour survives the conversion to `#rrggbb` and back.

/// Ecdar's numbered colours, from Material Design.
const PALETTE: [[u8; 3]; 10] = [
    [0x60, 0x7d, 0x8b],
    [0xff, 0x57, 0x22],
    [0xf4, 0x43, 0x36],
    [0xe9, 0x1e, 0x63],
    [0x9c, 0x27, 0xb0],
    [0x3f, 0x51, 0xb5],
    [0x21, 0x96, 0xf3],
    [0x00, 0xbc, 0xd4],
    [0x4c, 0xaf, 0x50],
    [0x79, 0x55, 0x48],
];

/// Returns the colour with this number, as `#rrggbb`.
pub(super) fn colour_of_number(number: Option<f64>) -> Option<String> {
    let position = PALETTE.iter().enumerate().find(|(position, _)| Some(*position as f64) == number)?;
    let [red, green, blue] = position.1;
    Some(format!("#{red:02x}{green:02x}{blue:02x}"))
}

/// Returns the number of the nearest palette colour; the first for a malformed colour.
pub(super) fn number_of_colour(colour: Option<&str>) -> usize {
    let part = |from: usize| {
        let digits = colour?.strip_prefix('#')?.get(from..from + 2)?;
        i32::from_str_radix(digits, 16).ok()
    };
    let (Some(red), Some(green), Some(blue)) = (part(0), part(2), part(4)) else { return 0 };
    let distance = |known: &[u8; 3]| -> i32 {
        let pairs = known.iter().zip([red, green, blue]);
        pairs.map(|(&known, wanted)| (i32::from(known) - wanted).pow(2)).sum()
    };
    let nearest = PALETTE.iter().enumerate().min_by_key(|(_, known)| distance(known));
    nearest.map_or(0, |(position, _)| position)
}
