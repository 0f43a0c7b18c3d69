//! Decodes the bytes of a file to text, and encodes text to bytes.
//!
//! Invariant: if [`decode_bytes`] finds no fault, encoding the text with the detected encoding gives the same bytes.
//! With a fault, the text can be shown to the user but not written back.

use std::ops::Range;

use crate::codes::encoding::{INVALID_UTF8, INVALID_UTF16, UNSUPPORTED_ENCODING};
use crate::span::to_offset;
use crate::{Diagnostic, FileId, Span};

/// The encoding of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Encoding {
    /// The mapping between bytes and characters.
    pub charset: Charset,
    /// Whether the file starts with a byte order mark, which is not part of the text.
    pub byte_order_mark: bool,
}

/// A mapping between bytes and characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Charset {
    /// UTF-8, and so also ASCII.
    Utf8,
    /// ISO-8859-1: every byte is the character of that number.
    Latin1,
    /// Windows-1252: as ISO-8859-1, with printable characters from 0x80 to 0x9F. The five bytes that Windows leaves
    /// undefined stand for the control characters of the same number, so that every file survives.
    Windows1252,
    /// UTF-16, low byte first.
    Utf16LittleEndian,
    /// UTF-16, high byte first.
    Utf16BigEndian,
}

/// The text of a file with its encoding.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decoded {
    /// The text, without byte order mark; U+FFFD stands for bytes that could not be decoded.
    pub text: String,
    /// The detected encoding.
    pub encoding: Encoding,
    /// The first fault.
    pub fault: Option<DecodeFault>,
}

/// The first place at which bytes could not be decoded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DecodeFault {
    /// The kind of the fault.
    pub kind: DecodeFaultKind,
    /// The range of the place in the decoded text.
    pub range: Range<usize>,
    /// The number of further places of this kind.
    pub further: usize,
}

/// The reason why bytes could not be decoded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DecodeFaultKind {
    /// Bytes that are not valid UTF-8; holds the first of them.
    InvalidUtf8(u8),
    /// Half of a surrogate pair, or half of a unit at the end.
    InvalidUtf16,
    /// The file declares an unsupported encoding.
    UnsupportedEncoding(String),
}

/// A character that an encoding has no bytes for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unencodable {
    /// Its byte offset in the text.
    pub offset: usize,
    /// The character.
    pub character: char,
}

/// Detects the encoding of `bytes` and decodes them.
///
/// The encoding follows from a byte order mark; without one, from the first characters of an XML declaration in UTF-16;
/// then from the encoding that an XML declaration names; otherwise it is UTF-8. A declaration that is readable byte by
/// byte but claims UTF-16 is ignored, and so is an unknown encoding if all bytes are ASCII.
pub fn decode_bytes(bytes: &[u8]) -> Decoded {
    let unmarked = |charset| Encoding { charset, byte_order_mark: false };
    let marked = |charset| Encoding { charset, byte_order_mark: true };
    match bytes {
        [0xFF, 0xFE, 0, 0, ..] | [0, 0, 0xFE, 0xFF, ..] => {
            let mut decoded = decode_utf8(bytes, unmarked(Charset::Utf8));
            let kind = DecodeFaultKind::UnsupportedEncoding("UTF-32".to_owned());
            decoded.fault = Some(DecodeFault { kind, range: 0..0, further: 0 });
            decoded
        }
        [0xEF, 0xBB, 0xBF, rest @ ..] => decode_utf8(rest, marked(Charset::Utf8)),
        [0xFF, 0xFE, rest @ ..] => decode_utf16(rest, marked(Charset::Utf16LittleEndian)),
        [0xFE, 0xFF, rest @ ..] => decode_utf16(rest, marked(Charset::Utf16BigEndian)),
        [b'<', 0, b'?', 0, ..] => decode_utf16(bytes, unmarked(Charset::Utf16LittleEndian)),
        [0, b'<', 0, b'?', ..] => decode_utf16(bytes, unmarked(Charset::Utf16BigEndian)),
        _ => decode_as_declared(bytes),
    }
}

impl Encoding {
    /// UTF-8 without byte order mark.
    pub const UTF8: Encoding = Encoding { charset: Charset::Utf8, byte_order_mark: false };

    /// Encodes a text, with the byte order mark if the encoding has one.
    pub fn encode(self, text: &str) -> Result<Vec<u8>, Unencodable> {
        let mut bytes = Vec::with_capacity(text.len() + 3);
        if self.byte_order_mark {
            self.encode_character('\u{FEFF}', &mut bytes);
        }
        for (offset, character) in text.char_indices() {
            if !self.encode_character(character, &mut bytes) {
                return Err(Unencodable { offset, character });
            }
        }
        Ok(bytes)
    }

    fn encode_character(self, character: char, bytes: &mut Vec<u8>) -> bool {
        match self.charset {
            Charset::Utf8 => bytes.extend_from_slice(character.encode_utf8(&mut [0; 4]).as_bytes()),
            Charset::Utf16LittleEndian => {
                bytes.extend(character.encode_utf16(&mut [0; 2]).iter().flat_map(|unit| unit.to_le_bytes()));
            }
            Charset::Utf16BigEndian => {
                bytes.extend(character.encode_utf16(&mut [0; 2]).iter().flat_map(|unit| unit.to_be_bytes()));
            }
            Charset::Latin1 => match u8::try_from(character) {
                Ok(byte) => bytes.push(byte),
                Err(_) => return false,
            },
            Charset::Windows1252 => match windows_1252_byte(character) {
                Some(byte) => bytes.push(byte),
                None => return false,
            },
        }
        true
    }
}

impl DecodeFault {
    pub(crate) fn diagnostic(&self, file: FileId) -> Diagnostic {
        let span = Span::new(file, to_offset(self.range.start), to_offset(self.range.end));
        let diagnostic = match &self.kind {
            DecodeFaultKind::InvalidUtf8(byte) => {
                Diagnostic::error(&INVALID_UTF8, format!("the byte 0x{byte:02X} is not valid UTF-8"))
                    .with_primary(span, "cannot be decoded")
                    .with_hint("save the file as UTF-8, or name its encoding in an XML declaration, such as `<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?>`")
            }
            DecodeFaultKind::InvalidUtf16 => {
                Diagnostic::error(&INVALID_UTF16, "the file starts as UTF-16 but has an incomplete character")
                    .with_primary(span, "cannot be decoded")
                    .with_hint("save the file as UTF-8")
            }
            DecodeFaultKind::UnsupportedEncoding(name) => {
                Diagnostic::error(&UNSUPPORTED_ENCODING, format!("the encoding `{name}` is not supported"))
                    .with_primary(span, "")
                    .with_hint("save the file as UTF-8, and update its XML declaration if it has one")
            }
        };
        match self.further {
            0 => diagnostic,
            1 => diagnostic.with_note("there is one more such place"),
            further => diagnostic.with_note(format!("there are {further} more such places")),
        }
    }
}

fn decode_as_declared(bytes: &[u8]) -> Decoded {
    let Some(name) = declared_encoding(bytes) else {
        return decode_utf8(bytes, Encoding::UTF8);
    };
    let label = String::from_utf8_lossy(&bytes[name.clone()]).to_ascii_lowercase();
    match label.as_str() {
        "iso-8859-1" | "iso8859-1" | "iso_8859-1" | "latin1" | "latin-1" | "l1" => {
            decode_single_bytes(bytes, Charset::Latin1, char::from)
        }
        "windows-1252" | "cp1252" | "cp-1252" | "x-cp1252" => {
            decode_single_bytes(bytes, Charset::Windows1252, windows_1252_character)
        }
        "utf-8" | "utf8" | "us-ascii" | "ascii" | "utf-16" | "utf-16le" | "utf-16be" => {
            decode_utf8(bytes, Encoding::UTF8)
        }
        _ => {
            let mut decoded = decode_utf8(bytes, Encoding::UTF8);
            if !bytes.is_ascii() {
                // The text before the name is ASCII, so byte and text offsets agree.
                let kind = DecodeFaultKind::UnsupportedEncoding(label);
                decoded.fault = Some(DecodeFault { kind, range: name, further: 0 });
            }
            decoded
        }
    }
}

/// Returns the range of the encoding name in an XML declaration at the start.
fn declared_encoding(bytes: &[u8]) -> Option<Range<usize>> {
    // A declaration is short; the bound keeps the search fast on hostile files.
    let head = &bytes[..bytes.len().min(1024)];
    let head = &head[..head.iter().position(|byte| !byte.is_ascii()).unwrap_or(head.len())];
    let head = std::str::from_utf8(head).ok()?;
    if !head.trim_start().starts_with("<?xml") {
        return None;
    }
    let declaration = &head[..head.find("?>")?];
    let after_keyword = declaration.find("encoding")? + "encoding".len();
    let after_equals = after_keyword + declaration[after_keyword..].find('=')? + 1;
    let value = declaration[after_equals..].trim_start();
    let quote = value.chars().next().filter(|first| matches!(first, '"' | '\''))?;
    let start = declaration.len() - value.len() + 1;
    let length = declaration[start..].find(quote)?;
    Some(start..start + length)
}

fn decode_single_bytes(bytes: &[u8], charset: Charset, character: fn(u8) -> char) -> Decoded {
    let text = bytes.iter().map(|&byte| character(byte)).collect();
    Decoded { text, encoding: Encoding { charset, byte_order_mark: false }, fault: None }
}

fn decode_utf8(bytes: &[u8], encoding: Encoding) -> Decoded {
    let mut decoded = Decoded { text: String::with_capacity(bytes.len()), encoding, fault: None };
    for chunk in bytes.utf8_chunks() {
        decoded.text.push_str(chunk.valid());
        if let Some(&first) = chunk.invalid().first() {
            decoded.replace(DecodeFaultKind::InvalidUtf8(first));
        }
    }
    decoded
}

fn decode_utf16(bytes: &[u8], encoding: Encoding) -> Decoded {
    let mut decoded = Decoded { text: String::with_capacity(bytes.len() / 2), encoding, fault: None };
    let big_endian = encoding.charset == Charset::Utf16BigEndian;
    let pairs = bytes.chunks_exact(2);
    let has_half_unit = !pairs.remainder().is_empty();
    let units = pairs.map(|pair| {
        let pair = [pair[0], pair[1]];
        if big_endian { u16::from_be_bytes(pair) } else { u16::from_le_bytes(pair) }
    });
    for character in char::decode_utf16(units) {
        match character {
            Ok(character) => decoded.text.push(character),
            Err(_) => decoded.replace(DecodeFaultKind::InvalidUtf16),
        }
    }
    if has_half_unit {
        decoded.replace(DecodeFaultKind::InvalidUtf16);
    }
    decoded
}

impl Decoded {
    fn replace(&mut self, kind: DecodeFaultKind) {
        let start = self.text.len();
        self.text.push(char::REPLACEMENT_CHARACTER);
        let range = start..self.text.len();
        match &mut self.fault {
            Some(fault) => fault.further += 1,
            None => self.fault = Some(DecodeFault { kind, range, further: 0 }),
        }
    }
}

/// The characters of the bytes from 0x80 to 0x9F.
const WINDOWS_1252_HIGH: [char; 32] = [
    '€', '\u{81}', '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', '\u{8D}', 'Ž', '\u{8F}', //
    '\u{90}', '‘', '’', '“', '”', '•', '–', '—', '˜', '™', 'š', '›', 'œ', '\u{9D}', 'ž', 'Ÿ',
];

fn windows_1252_character(byte: u8) -> char {
    match byte {
        0x80..=0x9F => WINDOWS_1252_HIGH[usize::from(byte - 0x80)],
        _ => char::from(byte),
    }
}

fn windows_1252_byte(character: char) -> Option<u8> {
    if let Some(position) = WINDOWS_1252_HIGH.iter().position(|&high| high == character) {
        return u8::try_from(0x80 + position).ok();
    }
    u8::try_from(character).ok().filter(|byte| !(0x80..=0x9F).contains(byte))
}

#[cfg(test)]
mod tests {
    use super::{Charset, DecodeFaultKind, Encoding, decode_bytes};

    fn declared(encoding: &str, rest: &[u8]) -> Vec<u8> {
        [format!("<?xml version='1.0' encoding=\"{encoding}\"?>").as_bytes(), rest].concat()
    }

    #[test]
    fn encodings_are_detected_and_round_trip() {
        let every_byte: Vec<u8> = (0..=255).collect();
        // bytes, charset, byte order mark, end of the text
        let cases: &[(Vec<u8>, Charset, bool, &str)] = &[
            (b"".to_vec(), Charset::Utf8, false, ""),
            ("é\r\n".into(), Charset::Utf8, false, "é\r\n"),
            (b"\xEF\xBB\xBF<nta/>".to_vec(), Charset::Utf8, true, "<nta/>"),
            (b"\xEF\xBB\xBF".to_vec(), Charset::Utf8, true, ""),
            (declared("utf-8", "ü".as_bytes()), Charset::Utf8, false, "ü"),
            (declared("ISO-8859-1", b"\xFC\x80"), Charset::Latin1, false, "ü\u{80}"),
            (declared("windows-1252", b"\xFC\x80\x81"), Charset::Windows1252, false, "ü€\u{81}"),
            (declared("ISO-8859-1", &every_byte), Charset::Latin1, false, "þÿ"),
            (declared("CP1252", &every_byte), Charset::Windows1252, false, "þÿ"),
            (declared("utf-16", "ü".as_bytes()), Charset::Utf8, false, "ü"),
            (declared("koi8-r", b"plain"), Charset::Utf8, false, "plain"),
            (b"\xFF\xFEa\0=\xD8\0\xDE".to_vec(), Charset::Utf16LittleEndian, true, "a\u{1F600}"),
            (b"\xFE\xFF\0a\xD8=\xDE\0".to_vec(), Charset::Utf16BigEndian, true, "a\u{1F600}"),
            (b"<\0?\0".to_vec(), Charset::Utf16LittleEndian, false, "<?"),
            (b"\0<\0?".to_vec(), Charset::Utf16BigEndian, false, "<?"),
            (b"<?xml encoding='ISO-8859-1".to_vec(), Charset::Utf8, false, "ISO-8859-1"),
            (b"<?xml encoding = 'latin1' ?>\xE9".to_vec(), Charset::Latin1, false, "é"),
        ];
        for (bytes, charset, byte_order_mark, end) in cases {
            let decoded = decode_bytes(bytes);
            let encoding = Encoding { charset: *charset, byte_order_mark: *byte_order_mark };
            assert_eq!((decoded.encoding, &decoded.fault), (encoding, &None), "{bytes:?}");
            assert!(decoded.text.ends_with(end), "{bytes:?}: {:?}", decoded.text);
            assert_eq!(&encoding.encode(&decoded.text).unwrap(), bytes);
        }
    }

    #[test]
    fn decode_faults_have_ranges() {
        let cases: &[(Vec<u8>, DecodeFaultKind, &str, usize)] = &[
            (b"a\n\xE9b".to_vec(), DecodeFaultKind::InvalidUtf8(0xE9), "a\n", 0),
            (b"\xC3\xA9\xFF\xFF".to_vec(), DecodeFaultKind::InvalidUtf8(0xFF), "é", 1),
            (b"\xEF\xBB\xBFx\x80".to_vec(), DecodeFaultKind::InvalidUtf8(0x80), "x", 0),
            (b"\xFF\xFEa\0b".to_vec(), DecodeFaultKind::InvalidUtf16, "a", 0),
            (b"\xFF\xFE\0\xD8a\0\0\xDC".to_vec(), DecodeFaultKind::InvalidUtf16, "", 1),
            (
                declared("koi8-r", b"\xC0"),
                DecodeFaultKind::UnsupportedEncoding("koi8-r".into()),
                "<?xml version='1.0' encoding=\"",
                0,
            ),
            (b"\xFF\xFE\0\0".to_vec(), DecodeFaultKind::UnsupportedEncoding("UTF-32".into()), "", 0),
        ];
        for (bytes, kind, before, further) in cases {
            let decoded = decode_bytes(bytes);
            let fault = decoded.fault.expect("a fault");
            assert_eq!(
                (&fault.kind, fault.range.start, fault.further),
                (kind, before.len(), *further),
                "{bytes:?}"
            );
            assert!(decoded.text.starts_with(before) && decoded.text.get(fault.range).is_some(), "{bytes:?}");
        }
    }

    #[test]
    fn encoding_rejects_unencodable_characters() {
        for charset in [Charset::Latin1, Charset::Windows1252] {
            let fault = Encoding { charset, byte_order_mark: false }.encode("é日").unwrap_err();
            assert_eq!((fault.offset, fault.character), (2, '日'));
        }
        let windows = Encoding { charset: Charset::Windows1252, byte_order_mark: false };
        assert_eq!(windows.encode("\u{80}").unwrap_err().character, '\u{80}');
    }
}
