//! An UPPAAL document: its elements, and the place of each editable part in the file.
//!
//! Invariant: the file itself is the document. The elements refer to ranges of it, so unknown content is preserved, and
//! an edit replaces one range. Texts are decoded into embedded files, whose places lead back to the file.

use tempora_source::{Diagnostic, Diagnostics, FileId, Files, Span, decode_xml_text};

use super::codes::{XML_ATTRIBUTE, XML_STRUCTURE};
use super::markup::{Attribute, Element, ElementId, Markup, read_markup};

/// A document.
#[derive(Clone, Debug)]
pub struct XmlDocument {
    /// Its file.
    pub file: FileId,
    /// The global declarations.
    pub declaration: Option<Text>,
    /// The templates in order.
    pub templates: Vec<Template>,
    /// Live sequence charts, which are kept and ignored.
    pub scenarios: Vec<Span>,
    /// The instantiations of old files.
    pub instantiation: Option<Text>,
    /// Declarations, instantiations and the system line.
    pub system: Option<Text>,
    /// The rows of the query list.
    pub queries: Vec<QueryRow>,
    /// Options for all queries.
    pub options: Vec<QueryOption>,
}

/// The text of an element.
#[derive(Clone, Copy, Debug)]
pub struct Text {
    /// The element.
    pub element: Span,
    /// The raw content between its tags.
    pub content: Span,
    /// The decoded content.
    pub file: FileId,
}

/// A coordinate.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Coordinate {
    /// The number.
    pub value: f64,
    /// Its place, without the quotes.
    pub span: Span,
}

/// The position of an element in the diagram.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Position {
    /// The distance from the left.
    pub x: Option<Coordinate>,
    /// The distance from the top.
    pub y: Option<Coordinate>,
}

/// A template.
#[derive(Clone, Debug)]
pub struct Template {
    /// Its name.
    pub name: Option<Text>,
    /// Its parameters.
    pub parameter: Option<Text>,
    /// Its declarations.
    pub declaration: Option<Text>,
    /// Its locations.
    pub locations: Vec<LocationElement>,
    /// Its branch points.
    pub branchpoints: Vec<BranchpointElement>,
    /// The id of its initial location, with the element.
    pub initial: Option<(Option<Attribute>, Span)>,
    /// Its edges.
    pub transitions: Vec<TransitionElement>,
    /// The element.
    pub span: Span,
}

/// A location.
#[derive(Clone, Debug)]
pub struct LocationElement {
    /// Its id.
    pub id: Option<Attribute>,
    /// The position of its circle.
    pub position: Position,
    /// Its colour.
    pub colour: Option<Attribute>,
    /// Its name.
    pub name: Option<Text>,
    /// The position of its name.
    pub name_position: Position,
    /// Its labels.
    pub labels: Vec<LabelElement>,
    /// The mark of an urgent location.
    pub urgent: Option<Span>,
    /// The mark of a committed location.
    pub committed: Option<Span>,
    /// The element.
    pub span: Span,
    /// Its first tag, to point at.
    pub tag: Span,
}

/// A branch point.
#[derive(Clone, Debug)]
pub struct BranchpointElement {
    /// Its id.
    pub id: Option<Attribute>,
    /// Its position.
    pub position: Position,
    /// The element.
    pub span: Span,
    /// Its first tag, to point at.
    pub tag: Span,
}

/// An edge.
#[derive(Clone, Debug)]
pub struct TransitionElement {
    /// The id of its source.
    pub source: Option<Attribute>,
    /// The id of its target.
    pub target: Option<Attribute>,
    /// Whether the environment controls it.
    pub is_uncontrollable: bool,
    /// Its colour.
    pub colour: Option<Attribute>,
    /// Its labels.
    pub labels: Vec<LabelElement>,
    /// Its bends.
    pub nails: Vec<Position>,
    /// The element.
    pub span: Span,
    /// Its first tag, to point at.
    pub tag: Span,
}

/// A label.
#[derive(Clone, Copy, Debug)]
pub struct LabelElement {
    /// Its kind; `None` if the kind is unknown.
    pub kind: Option<LabelKind>,
    /// The place of the kind.
    pub kind_span: Span,
    /// Its position.
    pub position: Position,
    /// Its text.
    pub text: Text,
}

/// The kinds of labels.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[expect(missing_docs, reason = "the names of the file format")]
pub enum LabelKind {
    Invariant,
    ExponentialRate,
    Select,
    Guard,
    Synchronisation,
    Assignment,
    Probability,
    Comments,
    /// Code for generated tests, which has no effect on the model.
    TestCode,
    /// `message`, `condition` and `update` of scenarios.
    Scenario,
}

/// A row of the query list.
#[derive(Clone, Debug)]
pub struct QueryRow {
    /// The query; blank in rows that are only comments.
    pub formula: Text,
    /// The author's comment.
    pub comment: Option<Text>,
    /// Options for this query.
    pub options: Vec<QueryOption>,
    /// The expected result.
    pub expectation: Option<Recorded>,
    /// The results that a tool recorded.
    pub results: Vec<Recorded>,
    /// The element.
    pub span: Span,
}

/// An option of a query.
#[derive(Clone, Copy, Debug)]
pub struct QueryOption {
    /// Its name.
    pub key: Option<Attribute>,
    /// Its value.
    pub value: Option<Attribute>,
}

/// An expectation or a recorded result.
#[derive(Clone, Copy, Debug)]
pub struct Recorded {
    /// `success`, `failure` and so on.
    pub outcome: Option<Attribute>,
    /// `quality`, `quantity` and so on.
    pub kind: Option<Attribute>,
    /// A number.
    pub value: Option<Attribute>,
    /// The time of the record.
    pub timestamp: Option<Attribute>,
    /// The element.
    pub span: Span,
}

/// Reads a document.
pub fn read_document(files: &mut Files, file: FileId) -> (XmlDocument, Diagnostics) {
    let (markup, diagnostics) = read_markup(files, file);
    let mut reader = Reader { files, markup: &markup, diagnostics };
    let document = reader.document(file);
    (document, reader.diagnostics)
}

struct Reader<'files, 'markup> {
    files: &'files mut Files,
    markup: &'markup Markup,
    diagnostics: Diagnostics,
}

impl<'markup> Reader<'_, 'markup> {
    fn document(&mut self, file: FileId) -> XmlDocument {
        let mut document = XmlDocument {
            file,
            declaration: None,
            templates: Vec::new(),
            scenarios: Vec::new(),
            instantiation: None,
            system: None,
            queries: Vec::new(),
            options: Vec::new(),
        };
        let Some(root) = self.markup.root else { return document };
        let markup = self.markup;
        if !markup[root].is(self.files, "nta") && !markup[root].is(self.files, "project") {
            let name = self.files.text_at(markup[root].name).to_owned();
            let message = format!("`{name}` is not an UPPAAL model");
            self.fault(
                &XML_STRUCTURE,
                markup[root].name,
                &message,
                "the outermost element of a model is `nta`",
            );
            return document;
        }
        for &child in &markup[root].children {
            let element = &markup[child];
            match self.name(element) {
                "declaration" => self.single(&mut document.declaration, element, "declarations"),
                "template" => document.templates.push(self.template(child)),
                "lsc" => document.scenarios.push(element.span),
                "instantiation" => self.single(&mut document.instantiation, element, "instantiations"),
                "system" => self.single(&mut document.system, element, "system"),
                "queries" => self.queries(child, &mut document),
                "imports" => {
                    if !self.files.text_at(element.content).trim().is_empty() {
                        self.unknown(element, "imported documents are not read");
                    }
                }
                _ => self.unknown(element, "it is kept, but has no effect on the model"),
            }
        }
        document
    }

    /// Reads an element that may occur at most once.
    fn single(&mut self, place: &mut Option<Text>, element: &Element, what: &str) {
        let text = self.text(element, what);
        if place.replace(text).is_some() {
            let message = format!("duplicate element `{}`", self.name(element));
            self.fault(&XML_STRUCTURE, element.name, &message, "merge them into one");
        }
    }

    fn template(&mut self, id: ElementId) -> Template {
        let markup = self.markup;
        let mut template = Template {
            name: None,
            parameter: None,
            declaration: None,
            locations: Vec::new(),
            branchpoints: Vec::new(),
            initial: None,
            transitions: Vec::new(),
            span: markup[id].span,
        };
        let title = markup
            .children_named(self.files, id, "name")
            .next()
            .map_or_else(String::new, |name| self.files.text_at(name.content).trim().to_owned());
        for &child in &markup[id].children {
            let element = &markup[child];
            match self.name(element) {
                "name" => self.single(&mut template.name, element, "name of a template"),
                "parameter" => {
                    self.single(&mut template.parameter, element, &format!("parameters of `{title}`"));
                }
                "declaration" => {
                    self.single(&mut template.declaration, element, &format!("declarations of `{title}`"));
                }
                "location" => template.locations.push(self.location(child, &title)),
                "branchpoint" => template.branchpoints.push(BranchpointElement {
                    id: element.attribute(self.files, "id"),
                    position: self.position(element),
                    span: element.span,
                    tag: element.tag,
                }),
                "init" => {
                    let reference = element.attribute(self.files, "ref");
                    if template.initial.replace((reference, element.tag)).is_some() {
                        let message = format!("`{title}` has more than one initial location");
                        self.fault(&XML_STRUCTURE, element.tag, &message, "keep one element `init`");
                    }
                }
                "transition" => template.transitions.push(self.transition(child, &title)),
                _ => self.unknown(element, "it is kept, but has no effect on the model"),
            }
        }
        template
    }

    fn location(&mut self, id: ElementId, template: &str) -> LocationElement {
        let markup = self.markup;
        let element = &markup[id];
        let mut location = LocationElement {
            id: element.attribute(self.files, "id"),
            position: self.position(element),
            colour: element.attribute(self.files, "color"),
            name: None,
            name_position: Position::default(),
            labels: Vec::new(),
            urgent: None,
            committed: None,
            span: element.span,
            tag: element.tag,
        };
        for &child in &element.children {
            let part = &markup[child];
            match self.name(part) {
                "name" => {
                    location.name_position = self.position(part);
                    self.single(&mut location.name, part, &format!("name of a location of `{template}`"));
                }
                "label" => location.labels.push(self.label(part, "a location", template)),
                "urgent" => location.urgent = Some(part.span),
                "committed" => location.committed = Some(part.span),
                _ => self.unknown(part, "it is kept, but has no effect on the model"),
            }
        }
        location
    }

    fn transition(&mut self, id: ElementId, template: &str) -> TransitionElement {
        let markup = self.markup;
        let element = &markup[id];
        let controllable = element.attribute(self.files, "controllable");
        let mut transition = TransitionElement {
            source: None,
            target: None,
            is_uncontrollable: controllable.is_some_and(|attribute| attribute.text(self.files) == "false"),
            colour: element.attribute(self.files, "color"),
            labels: Vec::new(),
            nails: Vec::new(),
            span: element.span,
            tag: element.tag,
        };
        for &child in &element.children {
            let part = &markup[child];
            match self.name(part) {
                "source" => transition.source = part.attribute(self.files, "ref"),
                "target" => transition.target = part.attribute(self.files, "ref"),
                "label" => transition.labels.push(self.label(part, "an edge", template)),
                "nail" => transition.nails.push(self.position(part)),
                _ => self.unknown(part, "it is kept, but has no effect on the model"),
            }
        }
        transition
    }

    fn label(&mut self, element: &Element, what: &str, template: &str) -> LabelElement {
        let attribute = element.attribute(self.files, "kind");
        let kind_text = attribute.map(|attribute| attribute.text(self.files)).unwrap_or_default();
        let kind_span = attribute.map_or(element.tag, |attribute| attribute.value);
        let kind = match kind_text.as_str() {
            "invariant" => Some(LabelKind::Invariant),
            "exponentialrate" => Some(LabelKind::ExponentialRate),
            "select" => Some(LabelKind::Select),
            "guard" => Some(LabelKind::Guard),
            "synchronisation" => Some(LabelKind::Synchronisation),
            "assignment" => Some(LabelKind::Assignment),
            "probability" => Some(LabelKind::Probability),
            "comments" => Some(LabelKind::Comments),
            "testcode" | "testcodeEnter" | "testcodeExit" => Some(LabelKind::TestCode),
            "message" | "condition" | "update" => Some(LabelKind::Scenario),
            _ => None,
        };
        let text = self.text(element, &format!("{kind_text} of {what} of `{template}`"));
        LabelElement { kind, kind_span, position: self.position(element), text }
    }

    fn queries(&mut self, id: ElementId, document: &mut XmlDocument) {
        let markup = self.markup;
        for &child in &markup[id].children {
            let element = &markup[child];
            match self.name(element) {
                "option" => document.options.push(self.option(element)),
                "query" => document.queries.extend(self.query(child)),
                _ => self.unknown(element, "it is kept, but has no effect on the queries"),
            }
        }
    }

    fn query(&mut self, id: ElementId) -> Option<QueryRow> {
        let markup = self.markup;
        let (mut formula, mut comment, mut expectation) = (None, None, None);
        let (mut options, mut results) = (Vec::new(), Vec::new());
        for &child in &markup[id].children {
            let element = &markup[child];
            match self.name(element) {
                "formula" => self.single(&mut formula, element, "query"),
                "comment" => self.single(&mut comment, element, "comment on a query"),
                "option" => options.push(self.option(element)),
                "expect" => expectation = Some(self.recorded(element)),
                "result" => results.push(self.recorded(element)),
                _ => {}
            }
        }
        let span = markup[id].span;
        Some(QueryRow { formula: formula?, comment, options, expectation, results, span })
    }

    fn option(&mut self, element: &Element) -> QueryOption {
        QueryOption {
            key: element.attribute(self.files, "key"),
            value: element.attribute(self.files, "value"),
        }
    }

    fn recorded(&mut self, element: &Element) -> Recorded {
        Recorded {
            outcome: element.attribute(self.files, "outcome"),
            kind: element.attribute(self.files, "type"),
            value: element.attribute(self.files, "value"),
            timestamp: element.attribute(self.files, "timestamp"),
            span: element.span,
        }
    }

    /// Reads the text of an element; nested elements are errors.
    fn text(&mut self, element: &Element, what: &str) -> Text {
        let (embedded, faults) = decode_xml_text(self.files, element.content);
        self.diagnostics.extend(faults);
        let file = self.files.add_embedded(what, embedded);
        Text { element: element.span, content: element.content, file }
    }

    fn position(&mut self, element: &Element) -> Position {
        Position { x: self.coordinate(element, "x"), y: self.coordinate(element, "y") }
    }

    fn coordinate(&mut self, element: &Element, name: &str) -> Option<Coordinate> {
        let attribute = element.attribute(self.files, name)?;
        let text = attribute.text(self.files);
        match text.trim().parse::<f64>() {
            Ok(value) if value.is_finite() => Some(Coordinate { value, span: attribute.value }),
            _ if text.trim().is_empty() => None,
            _ => {
                let message = format!("`{text}` is not a coordinate");
                let diagnostic = Diagnostic::warning(&XML_ATTRIBUTE, message)
                    .with_primary(attribute.value, "")
                    .with_hint("write a number; without it the position is chosen automatically");
                self.diagnostics.push(diagnostic);
                None
            }
        }
    }

    fn name(&self, element: &Element) -> &'markup str {
        // The format has few names, and other names are never compared again.
        const NAMES: &[&str] = &[
            "branchpoint",
            "comment",
            "committed",
            "declaration",
            "expect",
            "formula",
            "imports",
            "init",
            "instantiation",
            "label",
            "location",
            "lsc",
            "nail",
            "name",
            "option",
            "parameter",
            "queries",
            "query",
            "result",
            "source",
            "system",
            "target",
            "template",
            "transition",
            "urgent",
        ];
        let name = self.files.text_at(element.name);
        NAMES.binary_search(&name).map_or("", |index| NAMES[index])
    }

    fn unknown(&mut self, element: &Element, hint: &str) {
        let message = format!("unknown element `{}`", self.files.text_at(element.name));
        let diagnostic =
            Diagnostic::warning(&XML_STRUCTURE, message).with_primary(element.name, "").with_hint(hint);
        self.diagnostics.push(diagnostic);
    }

    fn fault(&mut self, code: &'static tempora_source::Code, place: Span, message: &str, hint: &str) {
        self.diagnostics.push(Diagnostic::error(code, message).with_primary(place, "").with_hint(hint));
    }
}
