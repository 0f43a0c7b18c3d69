//! Colours that a file gives to locations, edges and components.
//!
//! Invariant: a colour is three bytes, so that a file cannot inject style text through it.

use std::fmt;

/// An opaque colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Colour {
    /// Red, from 0 to 255.
    pub red: u8,
    /// Green, from 0 to 255.
    pub green: u8,
    /// Blue, from 0 to 255.
    pub blue: u8,
}

impl Colour {
    /// Creates a colour from its components.
    pub const fn new(red: u8, green: u8, blue: u8) -> Colour {
        Colour { red, green, blue }
    }

    /// Parses `#rgb`, `#rrggbb` or `#aarrggbb` (UPPAAL writes both long forms); returns `None` for any other text.
    pub fn parse(text: &str) -> Option<Colour> {
        let digits = text.trim().strip_prefix('#')?;
        if !digits.bytes().all(|byte| byte.is_ascii_hexdigit()) {
            return None;
        }
        let number = u32::from_str_radix(digits, 16).ok()?;
        let [_, red, green, blue] = number.to_be_bytes();
        match digits.len() {
            3 => {
                let [.., high, low] = number.to_be_bytes();
                Some(Colour::new((high & 15) * 17, (low >> 4) * 17, (low & 15) * 17))
            }
            6 | 8 => Some(Colour::new(red, green, blue)),
            _ => None,
        }
    }

    /// Returns whether white text is more readable on it than black text.
    pub fn is_dark(self) -> bool {
        self.luma() < 128_000
    }

    /// Returns whether white text is unreadable on it.
    pub(crate) fn is_pale(self) -> bool {
        self.luma() > 190_000
    }

    /// Returns the luma by the weights of ITU-R BT.601, in thousandths.
    fn luma(self) -> u32 {
        u32::from(self.red) * 299 + u32::from(self.green) * 587 + u32::from(self.blue) * 114
    }
}

impl fmt::Display for Colour {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "#{:02x}{:02x}{:02x}", self.red, self.green, self.blue)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parses_three_forms_only() {
        assert_eq!(Colour::parse("#f00"), Some(Colour::new(255, 0, 0)));
        assert_eq!(Colour::parse(" #A5afCD "), Some(Colour::new(0xa5, 0xaf, 0xcd)));
        assert_eq!(Colour::parse("#ff102030"), Some(Colour::new(0x10, 0x20, 0x30)));
        for text in ["", "#", "red", "#12", "#12345", "#+12", "#fff;fill:url(x)", "#ffffffffff"] {
            assert_eq!(Colour::parse(text), None, "{text}");
        }
    }

    #[test]
    fn printed_colour_parses_to_itself() {
        let colour = Colour::new(1, 2, 255);
        assert_eq!(Colour::parse(&colour.to_string()), Some(colour));
    }
}
