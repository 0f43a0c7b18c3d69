//! Measures reading a large UPPAAL document, compared with parsing its XML alone by another library.
//!
//! Invariant: the document is generated, and the same each time. Only ratios within one run are meaningful.
#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a benchmark stops at the first error, and prints its results"
)]

use std::fmt::Write as _;
use std::time::Instant;

use tempora_frontends::{read_model, recognise_language};
use tempora_source::{Files, Origins};

const TEMPLATES: usize = 50;
const LOCATIONS: usize = 120;
const EDGES: usize = 240;
const ROUNDS: usize = 5;

fn main() {
    let text = document();
    println!("a document of {:.1} MB", text.len() as f64 / 1e6);
    let markup = best(|| {
        let elements = roxmltree::Document::parse(&text).unwrap().descendants().count();
        assert!(elements > TEMPLATES * EDGES);
    });
    let whole = best(|| {
        let (mut files, mut origins) = (Files::new(), Origins::new());
        let file = files.add("large.xml", text.clone()).unwrap();
        let language = recognise_language("large.xml", files.text(file));
        let read = read_model(language, &mut files, &mut origins, file, None);
        assert_eq!(read.network.unwrap().processes.len(), TEMPLATES);
    });
    println!("roxmltree, the XML alone: {markup:.3} s");
    println!("read, typed and elaborated: {whole:.3} s, {:.1} times as long", whole / markup);
}

/// Returns the shortest of several rounds, in seconds.
fn best(mut run: impl FnMut()) -> f64 {
    let mut best = f64::INFINITY;
    for _ in 0..ROUNDS {
        let start = Instant::now();
        run();
        best = best.min(start.elapsed().as_secs_f64());
    }
    best
}

fn document() -> String {
    let mut text = String::from(
        "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<nta>\n<declaration>clock x; int a[100]; chan c[100];\n",
    );
    for number in 0..2000 {
        writeln!(text, "int v{number} = {}; // variable number {number}", number % 7).unwrap();
        writeln!(text, "void f{number}() {{ v{number} = v{number} + 1; a[{}] = v{number}; }}", number % 100)
            .unwrap();
    }
    text.push_str("</declaration>\n");
    for template in 0..TEMPLATES {
        write!(text, "<template><name>T{template}</name><declaration>clock y;</declaration>").unwrap();
        for location in 0..LOCATIONS {
            writeln!(
                text,
                "<location id=\"id{location}\" x=\"{location}\" y=\"7\"><name x=\"1\" y=\"2\">L{location}</name>\
                 <label kind=\"invariant\" x=\"3\" y=\"4\">y &lt;= {} &amp;&amp; x &lt;= 100</label></location>",
                location + 3
            )
            .unwrap();
        }
        text.push_str("<init ref=\"id0\"/>");
        for edge in 0..EDGES {
            let (source, target) = (edge * 7 % LOCATIONS, edge * 11 % LOCATIONS);
            let (element, side) = (edge % 100, if edge % 2 == 0 { '!' } else { '?' });
            writeln!(
                text,
                "<transition><source ref=\"id{source}\"/><target ref=\"id{target}\"/>\
                 <label kind=\"guard\" x=\"1\" y=\"2\">x &gt;= {edge} &amp;&amp; v{edge} == 1 &amp;&amp; a[{element}] &lt; 10</label>\
                 <label kind=\"synchronisation\" x=\"1\" y=\"2\">c[{element}]{side}</label>\
                 <label kind=\"assignment\" x=\"1\" y=\"2\">f{edge}(), y = 0, v{edge} = 2</label><nail x=\"1\" y=\"2\"/></transition>"
            )
            .unwrap();
        }
        text.push_str("</template>\n");
    }
    let names: Vec<String> = (0..TEMPLATES).map(|template| format!("T{template}")).collect();
    writeln!(text, "<system>system {};</system>\n</nta>", names.join(", ")).unwrap();
    text
}
