//! Parses the elements of an XML text, with the place of every part.
//!
//! Invariant: spans refer to the original text, so that replacing a span leaves the rest of the file unchanged. Every
//! text gives a tree, however malformed it is: errors are reported, and the elements around them are kept.
//!
//! No entity is fetched or expanded: the document type is skipped, whatever it declares. Model files need no more of
//! XML; namespaces are ignored in names of elements and attributes.

use tempora_source::{Diagnostic, Diagnostics, FileId, Files, Span, decode_xml_attribute};

use super::codes::{XML_ATTRIBUTE, XML_STRUCTURE, XML_UNCLOSED};

/// The largest depth of nested elements.
const DEPTH_LIMIT: usize = 100;

/// The largest number of attributes of an element.
const ATTRIBUTE_LIMIT: usize = 200;

/// The largest number of errors that are reported.
const FAULT_LIMIT: usize = 50;

/// The number of an element.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct ElementId(u32);

/// An element.
#[derive(Clone, Debug)]
pub struct Element {
    /// The name in its tag.
    pub name: Span,
    /// The attributes in the order of the text.
    pub attributes: Vec<Attribute>,
    /// From the start of the first tag to the end of the last.
    pub span: Span,
    /// Its first tag.
    pub tag: Span,
    /// The content between its tags; empty, after the tag, if there is only one.
    pub content: Span,
    /// The child elements.
    pub children: Vec<ElementId>,
}

/// An attribute.
#[derive(Clone, Copy, Debug)]
pub struct Attribute {
    /// Its name.
    pub name: Span,
    /// Its value, without the quotes.
    pub value: Span,
}

/// All elements of a text.
#[derive(Clone, Debug)]
pub struct Markup {
    elements: Vec<Element>,
    /// The outermost element, if there is one.
    pub root: Option<ElementId>,
}

impl std::ops::Index<ElementId> for Markup {
    type Output = Element;

    fn index(&self, id: ElementId) -> &Element {
        &self.elements[id.0 as usize]
    }
}

impl Markup {
    /// Returns the child elements of an element with this name.
    pub fn children_named<'markup>(
        &'markup self,
        files: &'markup Files,
        parent: ElementId,
        name: &'markup str,
    ) -> impl Iterator<Item = &'markup Element> {
        self[parent].children.iter().map(|child| &self[*child]).filter(move |child| child.is(files, name))
    }
}

impl Element {
    /// Returns whether it has this name.
    pub fn is(&self, files: &Files, name: &str) -> bool {
        files.text_at(self.name) == name
    }

    /// Returns the attribute with this name.
    pub fn attribute(&self, files: &Files, name: &str) -> Option<Attribute> {
        self.attributes.iter().find(|attribute| files.text_at(attribute.name) == name).copied()
    }
}

impl Attribute {
    /// Returns the decoded value.
    pub fn text(self, files: &Files) -> String {
        let raw = files.text_at(self.value);
        if raw.contains(['&', '\n', '\t', '\r']) {
            decode_xml_attribute(files, self.value).0.text().to_owned()
        } else {
            raw.to_owned()
        }
    }
}

/// Reads the elements of a file.
pub fn read_markup(files: &Files, file: FileId) -> (Markup, Diagnostics) {
    let text = files.text(file);
    let mut reader = Reader {
        text,
        file,
        position: 0,
        markup: Markup { elements: Vec::new(), root: None },
        open: Vec::new(),
        diagnostics: Diagnostics::new(),
    };
    reader.document();
    (reader.markup, reader.diagnostics)
}

struct Reader<'text> {
    text: &'text str,
    file: FileId,
    position: usize,
    markup: Markup,
    open: Vec<ElementId>,
    diagnostics: Diagnostics,
}

impl<'text> Reader<'text> {
    fn document(&mut self) {
        loop {
            let before = self.position;
            let Some(length) = self.rest().find('<') else {
                self.outer_text(before, self.text.len());
                self.position = self.text.len();
                break;
            };
            self.position += length;
            self.outer_text(before, self.position);
            let rest = self.rest();
            if rest.starts_with("<!--") {
                self.skip("<!--", "-->", "comment");
            } else if rest.starts_with("<![CDATA[") {
                self.skip("<![CDATA[", "]]>", "CDATA section");
            } else if rest.starts_with("<?") {
                self.skip("<?", "?>", "processing instruction");
            } else if rest.starts_with("<!") {
                self.document_type();
            } else if rest.starts_with("</") {
                self.closing_tag();
            } else {
                self.opening_tag();
            }
            if self.diagnostics.len() > FAULT_LIMIT {
                break;
            }
        }
        let end = self.text.len();
        while let Some(unclosed) = self.open.pop() {
            let name = self.markup[unclosed].name;
            let message = format!("the element `{}` is never closed", self.at(name));
            self.fault(&XML_UNCLOSED, name, message, "the end of the file may be missing");
            self.close(unclosed, end, end);
        }
        if self.markup.root.is_none() && self.diagnostics.is_empty() {
            let whole = self.span(0, 0);
            self.fault(
                &XML_STRUCTURE,
                whole,
                "the file has no element".to_owned(),
                "a model is an element `nta`",
            );
        }
    }

    /// Reports text outside all elements.
    fn outer_text(&mut self, start: usize, end: usize) {
        if !self.open.is_empty() {
            return;
        }
        let text = &self.text[start..end];
        if let Some(offset) = text.find(|character: char| !character.is_whitespace()) {
            let place = self.span(start + offset, start + text.trim_end().len());
            self.fault(
                &XML_STRUCTURE,
                place,
                "text outside the outermost element".to_owned(),
                "a file has exactly one outermost element",
            );
        }
    }

    fn skip(&mut self, opening: &str, closing: &str, what: &str) {
        let start = self.position;
        match self.text[start + opening.len()..].find(closing) {
            Some(length) => self.position = start + opening.len() + length + closing.len(),
            None => {
                let place = self.span(start, start + opening.len());
                let message = format!("the {what} is never closed");
                self.fault(&XML_UNCLOSED, place, message, &format!("write `{closing}` at its end"));
                self.position = self.text.len();
            }
        }
    }

    /// Skips `<!DOCTYPE nta PUBLIC '…' '…' [ … ]>`, with nested quotes and brackets.
    fn document_type(&mut self) {
        let start = self.position;
        let (mut depth, mut quote) = (0_usize, None);
        for (offset, byte) in self.rest().bytes().enumerate() {
            match (quote, byte) {
                (Some(open), _) if open == byte => quote = None,
                (None, b'"' | b'\'') => quote = Some(byte),
                (None, b'[') => depth += 1,
                (None, b']') => depth = depth.saturating_sub(1),
                (None, b'>') if depth == 0 => {
                    self.position = start + offset + 1;
                    return;
                }
                _ => {}
            }
        }
        let place = self.span(start, start + 2);
        let message = "the document type is never closed".to_owned();
        self.fault(&XML_UNCLOSED, place, message, "write `>` at its end");
        self.position = self.text.len();
    }

    fn closing_tag(&mut self) {
        let start = self.position;
        let name_start = start + 2;
        let name_end = name_start + name_length(&self.text[name_start..]);
        let Some(length) = self.text[name_end..].find('>') else {
            let place = self.span(start, name_end);
            let message = "the tag is never closed".to_owned();
            self.fault(&XML_UNCLOSED, place, message, "write `>` at its end");
            self.position = self.text.len();
            return;
        };
        let end = name_end + length + 1;
        self.position = end;
        let name = &self.text[name_start..name_end];
        let matching = self.open.iter().rposition(|open| self.at(self.markup[*open].name) == name);
        let place = self.span(start, end);
        let Some(matching) = matching else {
            let message = format!("`</{name}>` closes no element");
            return self.fault(&XML_STRUCTURE, place, message, "remove it, or open the element before it");
        };
        while self.open.len() > matching + 1 {
            let Some(unclosed) = self.open.pop() else { break };
            let inner = self.markup[unclosed].name;
            let message = format!("the element `{}` is not closed before `</{name}>`", self.at(inner));
            self.fault(&XML_UNCLOSED, inner, message, &format!("write `</{}>`", self.at(inner)));
            self.close(unclosed, start, start);
        }
        if let Some(closed) = self.open.pop() {
            self.close(closed, start, end);
        }
    }

    fn close(&mut self, id: ElementId, content_end: usize, end: usize) {
        let (content_end, end) = (offset(content_end), offset(end));
        let element = &mut self.markup.elements[id.0 as usize];
        element.content.end = content_end;
        element.span.end = end;
    }

    fn opening_tag(&mut self) {
        let start = self.position;
        let name_start = start + 1;
        let name_end = name_start + name_length(&self.text[name_start..]);
        if name_start == name_end {
            let place = self.span(start, name_start);
            self.position = name_start;
            return self.fault(
                &XML_STRUCTURE,
                place,
                "`<` is not followed by the name of an element".to_owned(),
                "write `&lt;` for the character",
            );
        }
        self.position = name_end;
        let name = self.span(name_start, name_end);
        let (attributes, is_empty) = self.attributes(name);
        let end = self.position;
        let id = ElementId(offset(self.markup.elements.len()));
        let tag = self.span(start, end);
        let content = self.span(end, end);
        self.markup.elements.push(Element {
            name,
            attributes,
            span: tag,
            tag,
            content,
            children: Vec::new(),
        });
        match self.open.last() {
            Some(parent) => {
                let parent = parent.0 as usize;
                self.markup.elements[parent].children.push(id);
            }
            None if self.markup.root.is_none() => self.markup.root = Some(id),
            None => {
                let message = format!("`{}` follows the outermost element", self.at(name));
                self.fault(&XML_STRUCTURE, name, message, "a file has exactly one outermost element");
            }
        }
        if is_empty {
            return;
        }
        if self.open.len() >= DEPTH_LIMIT {
            let message = format!("elements are nested more than {DEPTH_LIMIT} levels deep");
            self.fault(&XML_STRUCTURE, name, message, "models need fewer than ten levels");
            self.position = self.text.len();
            return;
        }
        self.open.push(id);
    }

    /// Reads the attributes up to the end of the tag, and returns whether the tag closes its element.
    fn attributes(&mut self, element: Span) -> (Vec<Attribute>, bool) {
        let mut attributes: Vec<Attribute> = Vec::new();
        loop {
            self.skip_blanks();
            let rest = self.rest();
            if rest.starts_with("/>") {
                self.position += 2;
                return (attributes, true);
            }
            if rest.starts_with('>') {
                self.position += 1;
                return (attributes, false);
            }
            if rest.is_empty() || rest.starts_with('<') {
                let message = format!("the tag of `{}` is never closed", self.at(element));
                self.fault(&XML_UNCLOSED, element, message, "write `>` at its end");
                return (attributes, false);
            }
            let name_start = self.position;
            let length = name_length(rest);
            if length == 0 {
                let width = rest.chars().next().map_or(1, char::len_utf8);
                let place = self.span(name_start, name_start + width);
                self.position += width;
                let message = "expected an attribute".to_owned();
                self.fault(&XML_ATTRIBUTE, place, message, "write attributes as `name=\"value\"`");
                continue;
            }
            self.position += length;
            let name = self.span(name_start, self.position);
            self.skip_blanks();
            let quote =
                self.rest().strip_prefix('=').map(str::trim_start).and_then(|rest| rest.chars().next());
            let Some(quote @ ('"' | '\'')) = quote else {
                if self.rest().starts_with('=') {
                    self.position += 1;
                }
                let message = format!("the attribute `{}` has no value in quotes", self.at(name));
                self.fault(&XML_ATTRIBUTE, name, message, "write attributes as `name=\"value\"`");
                continue;
            };
            self.position += 1;
            self.skip_blanks();
            let value_start = self.position + 1;
            let Some(length) = self.text[value_start..].find(quote) else {
                let message = format!("the value of `{}` is never closed", self.at(name));
                self.fault(&XML_UNCLOSED, name, message, &format!("write `{quote}` at its end"));
                self.position = self.text.len();
                return (attributes, false);
            };
            let value_end = value_start + length;
            self.position = value_end + 1;
            if attributes.len() >= ATTRIBUTE_LIMIT {
                let message = format!("the element has more than {ATTRIBUTE_LIMIT} attributes");
                self.fault(&XML_ATTRIBUTE, name, message, "elements of models have fewer than ten");
                self.position = self.text.len();
                return (attributes, false);
            }
            if attributes.iter().any(|other| self.at(other.name) == self.at(name)) {
                let message = format!("the attribute `{}` is written twice", self.at(name));
                self.fault(&XML_ATTRIBUTE, name, message, "remove one of them");
                continue;
            }
            attributes.push(Attribute { name, value: self.span(value_start, value_end) });
        }
    }

    fn skip_blanks(&mut self) {
        let rest = self.rest();
        self.position += rest.len() - rest.trim_start().len();
    }

    fn rest(&self) -> &'text str {
        &self.text[self.position..]
    }

    fn at(&self, span: Span) -> &'text str {
        &self.text[span.start as usize..span.end as usize]
    }

    fn span(&self, start: usize, end: usize) -> Span {
        Span::new(self.file, offset(start), offset(end))
    }

    fn fault(&mut self, code: &'static tempora_source::Code, place: Span, message: String, hint: &str) {
        self.diagnostics.push(Diagnostic::error(code, message).with_primary(place, "").with_hint(hint));
    }
}

/// Converts a position to an offset; files are short enough for it.
fn offset(position: usize) -> u32 {
    u32::try_from(position).unwrap_or(u32::MAX)
}

fn name_length(text: &str) -> usize {
    let is_name = |character: char| {
        character.is_alphanumeric() || matches!(character, '_' | '-' | '.' | ':') || !character.is_ascii()
    };
    text.find(|character| !is_name(character)).unwrap_or(text.len())
}
