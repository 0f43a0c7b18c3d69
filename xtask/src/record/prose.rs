//! Masks sentences: messages, hints, notes, reasons, help texts and manual pages.
//!
//! Codes, places, source excerpts, verdicts, queries, runs, options and counts remain. A masked sentence becomes `…`,
//! and sentences of several lines become one.

use serde_json::Value;

/// The place of a masked sentence.
const SENTENCE: &str = "…";

/// Keys of JSON whose texts are sentences.
const KEYS: [&str; 16] = [
    "declined",
    "message",
    "hint",
    "hints",
    "note",
    "notes",
    "reason",
    "description",
    "title",
    "text",
    "caveats",
    "summary",
    "page",
    "shortDescription",
    "fullDescription",
    "help",
];

/// Masks the sentences of a stream or file that a command line produced.
pub fn masked(command: &str, product: &str, text: &str) -> String {
    let start = text.trim_start();
    if start.starts_with(['{', '['])
        && let Ok(mut value) = serde_json::from_str::<Value>(text)
    {
        mask_value(&mut value);
        return format!("{value:#}\n");
    }
    if start.starts_with("<!DOCTYPE html") || start.starts_with("<!doctype html") {
        return page(text);
    }
    if start.starts_with("<svg") {
        return elements(text, &["title", "desc"]);
    }
    let arguments: Vec<&str> =
        command.split_whitespace().skip_while(|word| *word != "tempora").skip(1).collect();
    let is_help = text.lines().any(|line| line.starts_with("Usage:"))
        || arguments.iter().any(|word| matches!(*word, "--help" | "-h" | "-help" | "help"));
    let subcommand = arguments.first().copied().unwrap_or_default();
    match (product, subcommand) {
        ("status", _) => text.to_owned(),
        ("stdout", "ecdar") if text.starts_with("-help") => by_line(text, help_line),
        (file, _) if file.ends_with(".mmd") || file.ends_with(".puml") => by_line(text, chart_line),
        _ if is_help => by_line(text, help_line),
        ("stdout", "inspect") if !arguments.contains(&"--ir") => inspection(text),
        ("stdout", "verifyta") => by_line(text, verifyta_line),
        ("stdout", "explain") => manual(text),
        ("stderr", _) | ("stdout", "check" | "lint" | "verify-certificate") => by_line(text, report_line),
        (file, _) if file.ends_with(".txt") => by_line(text, report_line),
        _ => text.to_owned(),
    }
}

fn mask_value(value: &mut Value) {
    match value {
        Value::Array(values) => values.iter_mut().for_each(mask_value),
        Value::Object(members) => {
            for (key, member) in members {
                if KEYS.contains(&key.as_str()) {
                    mask_texts(member);
                } else if key == "choices" {
                    mask_choices(member);
                } else {
                    mask_value(member);
                }
            }
        }
        Value::String(text) => {
            if let Some(choice) = choice(text) {
                *text = choice;
            }
        }
        _ => {}
    }
}

/// Masks a text, or all texts of a list; an object such as SARIF's `message` is masked by its own keys.
fn mask_texts(value: &mut Value) {
    match value {
        Value::String(text) if !text.is_empty() => SENTENCE.clone_into(text),
        Value::Array(values) if values.iter().all(Value::is_string) && !values.is_empty() => {
            *value = Value::String(SENTENCE.to_owned());
        }
        Value::Object(members) if members.values().all(Value::is_string) => {
            *value = Value::String(SENTENCE.to_owned());
        }
        other => mask_value(other),
    }
}

/// Masks the steps of a strategy or a derivation.
fn mask_choices(value: &mut Value) {
    let Value::Array(steps) = value else { return };
    for step in steps {
        if let Value::String(text) = step {
            *text = choice(text).unwrap_or_else(|| facts_and_quotes(text));
        }
    }
}

/// Masks each line; adjacent lines without anything but a sentence become one.
fn by_line(text: &str, mut mask: impl FnMut(&str) -> String) -> String {
    let mut lines: Vec<String> = Vec::new();
    for line in text.lines() {
        let line = mask(line);
        if line.trim() != SENTENCE || lines.last().is_none_or(|last| last.trim() != SENTENCE) {
            lines.push(line);
        }
    }
    lines.join("\n") + "\n"
}

/// Masks a line of answers, findings, runs or diagnostics.
fn report_line(line: &str) -> String {
    let trimmed = line.trim_start();
    let indentation = line.len() - trimmed.len();
    if trimmed.is_empty() || trimmed.starts_with("--> ") || trimmed.starts_with("::: ") {
        return line.to_owned();
    }
    if let Some(head) = diagnostic_head(trimmed) {
        return format!("{head}: {SENTENCE}");
    }
    if let Some(excerpt) = excerpt(line) {
        return excerpt;
    }
    for mark in ["= hint: ", "= note: ", "= help: "] {
        if trimmed.starts_with(mark) {
            return format!("{mark}{SENTENCE}");
        }
    }
    if trimmed.starts_with("[possible values") || trimmed.starts_with("<") && trimmed.ends_with('>') {
        return line.to_owned();
    }
    if indentation == 0 {
        return match trimmed.split_once(": ") {
            // A verdict and its query.
            Some((verdict, _))
                if verdict.bytes().all(|byte| byte.is_ascii_lowercase()) && !verdict.is_empty() =>
            {
                line.to_owned()
            }
            _ => facts(trimmed),
        };
    }
    if trimmed.starts_with("engine ") {
        return line.to_owned();
    }
    if trimmed.starts_with("note: ") {
        return format!("  note: {}", facts(trimmed.trim_start_matches("note: ")));
    }
    if let Some(choice) = choice(trimmed) {
        return format!("  {choice}");
    }
    if let Some((node, step)) = trimmed.split_once(": the step (")
        && let Some((step, _)) = step.split_once(") ")
    {
        return format!("  {node}: … ({step}) …");
    }
    let is_step = indentation == 2 && line.len() > 10 && trimmed.contains(" -> ");
    let is_state = indentation == 10 && trimmed.contains(" = ");
    if is_step || is_state || trimmed.starts_with("start   ") || trimmed.contains(" start: ") {
        return line.to_owned();
    }
    if let Some(end) = trimmed.strip_prefix("end ") {
        return format!(
            "  end {}",
            if end.contains(" = ") { end.trim_start().to_owned() } else { facts(end) }
        );
    }
    facts(trimmed)
}

/// Masks the headings of an inspection that are sentences with the constructs below them, the reasons of engines, and
/// the absence of senders or receivers.
fn inspection(text: &str) -> String {
    let mut is_below_sentence = false;
    by_line(text, |line| {
        if !line.starts_with(' ') {
            is_below_sentence = line.contains(' ');
        }
        if is_below_sentence {
            return SENTENCE.to_owned();
        }
        let line = match line.split_once("  (no engine: ") {
            Some((query, _)) => format!("{query}  (no engine: {SENTENCE})"),
            None => line.to_owned(),
        };
        let Some((channel, templates)) = line.split_once("): from ") else { return line };
        let templates: Vec<&str> = templates
            .split(" to ")
            .map(|list| if matches!(list, "nobody" | "no template") { SENTENCE } else { list })
            .collect();
        format!("{channel}): from {}", templates.join(" to "))
    })
}

/// Masks the reasons of missing verdicts.
fn verifyta_line(line: &str) -> String {
    let mark = " -- No verdict: ";
    if line.starts_with(mark) { format!("{mark}{SENTENCE}") } else { line.to_owned() }
}

/// Masks the notes of sequence charts.
fn chart_line(line: &str) -> String {
    let is_note = ["Note ", "note ", "rnote "].iter().any(|mark| line.trim_start().starts_with(mark));
    match line.split_once(": ").filter(|_| is_note) {
        Some((place, note)) => format!("{place}: {}", facts(&note.replace("<br/>", " ").replace("\\n", " "))),
        None => line.to_owned(),
    }
}

/// Returns `error[code]` or `error` of a line that begins a diagnostic.
fn diagnostic_head(line: &str) -> Option<&str> {
    let (head, _) = line.split_once(": ")?;
    let severity = head.split('[').next()?;
    let is_severity = matches!(severity, "error" | "warning" | "info" | "help");
    let is_head = head.len() == severity.len() || head.ends_with(']') && !head.contains(' ');
    (is_severity && is_head).then_some(head)
}

/// Keeps a source line, and the marks below one without their label.
fn excerpt(line: &str) -> Option<String> {
    let (number, rest) = line.split_once('|')?;
    let number = number.trim();
    if !number.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    if !number.is_empty() {
        return Some(format!("{number} |{rest}"));
    }
    let end = rest.find(|character: char| !" ^-~|".contains(character)).unwrap_or(rest.len());
    Some(format!("|{}", rest[..end].trim_end()))
}

/// Keeps the words of a sentence that have a digit, are paths, or name a location of a process.
fn facts(sentence: &str) -> String {
    let is_fact = |word: &str| {
        let inner = word.trim_end_matches(['.', ',', ';', ':', ')']).trim_start_matches('(');
        let is_name = inner.split_once('.').is_some_and(|(process, location)| {
            !process.is_empty() && location.starts_with(|character: char| character.is_alphabetic())
        });
        inner.contains('#')
            || word.bytes().any(|byte| byte.is_ascii_digit())
            || is_name
            || inner.contains('/')
    };
    kept(sentence, is_fact)
}

/// Keeps what [`facts`] keeps, and everything in backquotes.
fn facts_and_quotes(sentence: &str) -> String {
    let parts = sentence.split('`').enumerate();
    parts.map(|(index, part)| if index % 2 == 1 { format!("`{part}`") } else { facts(part) }).collect()
}

/// Masks a choice in a play about specifications, such as ``at 2: the left side chooses `tea!` ``.
fn choice(line: &str) -> Option<String> {
    let (time, choice) = line.strip_prefix("at ")?.split_once(": ")?;
    let is_time = time.bytes().all(|byte| byte.is_ascii_digit() || b"./".contains(&byte));
    is_time.then(|| format!("at {time}: {}", moves(choice)))
}

/// Keeps the actions and the moves `A -> B` of a choice in a play about specifications.
fn moves(sentence: &str) -> String {
    let words: Vec<&str> = sentence.split_whitespace().collect();
    let is_move = |index: usize| {
        words.get(index) == Some(&"->")
            || words.get(index + 1) == Some(&"->")
            || index > 0 && words.get(index - 1) == Some(&"->")
            || words.get(index + 2) == Some(&"->")
    };
    let mut parts: Vec<&str> = Vec::new();
    for (index, word) in words.iter().enumerate() {
        let part = if is_move(index) || word.starts_with('`') {
            word.trim_end_matches([',', ';'])
        } else {
            SENTENCE
        };
        if part != SENTENCE || parts.last() != Some(&SENTENCE) {
            parts.push(part);
        }
    }
    parts.join(" ")
}

fn kept(sentence: &str, is_kept: impl Fn(&str) -> bool) -> String {
    let mut parts: Vec<&str> = Vec::new();
    for word in sentence.split_whitespace() {
        let part = if is_kept(word) { word.trim_end_matches([',', ';', ':']) } else { SENTENCE };
        if part != SENTENCE || parts.last() != Some(&SENTENCE) {
            parts.push(part);
        }
    }
    parts.join(" ")
}

/// Keeps usage, options, values and commands of a help text.
fn help_line(line: &str) -> String {
    let trimmed = line.trim_start();
    let indentation = line.len() - trimmed.len();
    let is_heading = indentation == 0 && trimmed.ends_with(':') && !trimmed.contains("error");
    let is_argument = trimmed.starts_with('[') && trimmed.contains("  ");
    if trimmed.is_empty()
        || trimmed.starts_with("Usage:")
        || trimmed.starts_with('[') && !is_argument
        || is_heading
    {
        return line.to_owned();
    }
    if let Some(head) = diagnostic_head(trimmed) {
        return format!("{head}: {SENTENCE}");
    }
    if let Some((value, _)) = trimmed.strip_prefix("- ").and_then(|rest| rest.split_once(':')) {
        return format!("- {value}: {SENTENCE}");
    }
    let is_listed = trimmed.starts_with('-') || trimmed.starts_with('<') || trimmed.starts_with('[');
    match trimmed.split_once("  ") {
        Some((name, rest)) if is_listed || indentation == 2 => {
            let default = rest.find(" [").map_or("", |start| &rest[start..]);
            format!("{name} {SENTENCE}{default}")
        }
        None if is_listed => trimmed.to_owned(),
        _ => SENTENCE.to_owned(),
    }
}

/// Keeps the codes and the fenced examples of manual pages and of their list.
fn manual(text: &str) -> String {
    if let Some(title) = text.strip_prefix("# ") {
        let code = title.split(':').next().unwrap_or_default();
        let examples = crate::markdown::fences(text).into_iter().map(|fence| fence.content);
        return format!("# {code}\n{}", examples.collect::<Vec<_>>().join("\n"));
    }
    by_line(text, |line| format!("{} {SENTENCE}", line.split(' ').next().unwrap_or_default()))
}

/// Masks a page: its data as JSON, its diagrams as SVG; scripts, styles and other texts are dropped.
fn page(text: &str) -> String {
    let mut result = String::new();
    let mut rest = text;
    while let Some(start) = rest.find("<script type=\"application/json\"") {
        rest = &rest[start..];
        let Some((data, after)) = rest.split_once('>').and_then(|(_, inside)| inside.split_once("</script>"))
        else {
            break;
        };
        result.push_str(&masked("", "", data));
        rest = after;
    }
    let mut rest = text;
    while let Some(start) = rest.find("<svg") {
        let (picture, after) = match rest[start..].split_once("</svg>") {
            Some((picture, after)) => (picture, after),
            None => (&rest[start..], ""),
        };
        result.push_str(&elements(picture, &["title", "desc"]));
        result.push('\n');
        rest = after;
    }
    result
}

/// Masks the texts of elements with these names.
fn elements(text: &str, names: &[&str]) -> String {
    let mut text = text.to_owned();
    for name in names {
        let (open, close) = (format!("<{name}>"), format!("</{name}>"));
        let mut result = String::with_capacity(text.len());
        let mut rest = text.as_str();
        while let Some((before, after)) = rest.split_once(&open) {
            result.push_str(before);
            result.push_str(&open);
            match after.split_once(&close) {
                Some((_, after)) => {
                    result.push_str(SENTENCE);
                    result.push_str(&close);
                    rest = after;
                }
                None => rest = after,
            }
        }
        result.push_str(rest);
        text = result;
    }
    text
}

#[cfg(test)]
mod tests {
    use super::masked;

    const CHECK: &str = "tempora check a.xml";

    #[test]
    fn keeps_queries_and_templates_of_inspections() {
        let text = "not answered, because\n  native code\nqueries\n  A[] p  (no engine: why)\n  c (binary): from P to nobody\n";
        let expected = "…\nqueries\n  A[] p  (no engine: …)\n  c (binary): from P to …\n";
        assert_eq!(masked("tempora inspect a.net", "stdout", text), expected);
    }

    #[test]
    fn keeps_steps_of_strategies_and_notes() {
        let json = r#"{"choices": ["by obligation 1, it refines `A || B`"], "declined": ["why"]}"#;
        let value: serde_json::Value = serde_json::from_str(&masked("", "", json)).unwrap();
        assert_eq!(value["choices"][0], "… 1 …`A || B`");
        assert_eq!(value["declined"], "…");
        let note = "    Note right of L2: start of the cycle, W.z = 0\n";
        assert_eq!(masked("", "files/a.mmd", note), "    Note right of L2: … W.z … 0\n");
        let node = "  node 0: the step (P: A -> B) leads elsewhere\n";
        assert_eq!(masked("tempora verify-certificate", "stdout", node), "  node 0: … (P: A -> B) …\n");
        assert_eq!(masked("tempora verifyta", "stdout", " -- No verdict: why.\n"), " -- No verdict: …\n");
    }

    #[test]
    fn keeps_codes_and_places_of_diagnostics() {
        let text = "error[symbolic-name]: nothing is called `z` here\n --> model.xsts:4:17\n  |\n4 | z := 1;\n  | ^ unknown\n  |\n  = hint: declare it\n";
        let expected = "error[symbolic-name]: …\n --> model.xsts:4:17\n|\n4 | z := 1;\n| ^\n|\n= hint: …\n";
        assert_eq!(masked(CHECK, "stderr", text), expected);
        let reworded =
            text.replace("nothing is", "no variable is").replace("declare it", "add a declaration");
        assert_eq!(masked(CHECK, "stderr", &reworded), expected);
    }

    #[test]
    fn keeps_verdicts_runs_and_counts_of_answers() {
        let text = "violated: A[] not deadlock\n  note: certified by 65 nodes with 120 transitions: made in # s\n  counterexample, replayed:\n  at 0    P(1): Idle -> Request  a.xml:29\n          owner = 1 (was 0)\n  end     delay forever: P(1).Wait P(2).Idle\n";
        let expected = "violated: A[] not deadlock\n  note: … 65 … 120 … # …\n…\n  at 0    P(1): Idle -> Request  a.xml:29\n          owner = 1 (was 0)\n  end … P(1).Wait P(2).Idle\n";
        assert_eq!(masked(CHECK, "stdout", text), expected);
        let other = text.replace("Idle -> Request", "Idle -> Wait");
        assert_ne!(masked(CHECK, "stdout", &other), expected);
        let choice = "  at 2: the left side chooses `tea!`; left: Machine: Ready -> Ready\n";
        assert_eq!(masked(CHECK, "stdout", choice), "  at 2: … `tea!` … Machine: Ready -> Ready\n");
    }

    #[test]
    fn masks_sentences_of_json_and_keeps_the_rest() {
        let text = r#"{"code": "zeno-run", "line": 3, "message": "a", "notes": ["b"], "labels": [{"column": 2, "text": "c"}]}"#;
        let result = masked(CHECK, "stdout", text);
        assert!(result.contains("\"code\": \"zeno-run\"") && result.contains("\"column\": 2"), "{result}");
        let reworded = text.replace("\"a\"", "\"x\"").replace("\"b\"", "\"y\"").replace("\"c\"", "\"z\"");
        assert_eq!(masked(CHECK, "stdout", &reworded), result);
        assert_ne!(masked(CHECK, "stdout", &text.replace(": 3", ": 4")), result);
        let play = r#"{"play": ["at 6: the left side chooses `patent!`, and the right side refuses it"]}"#;
        assert!(masked(CHECK, "stdout", play).contains("\"at 6: … `patent!` …\""));
    }

    #[test]
    fn masks_messages_of_sarif() {
        let text = r#"{"results": [{"level": "note", "ruleId": "zeno-run", "message": {"text": "a"}}]}"#;
        let result = masked("tempora lint a.xml", "stdout", text);
        assert!(
            result.contains("zeno-run") && result.contains("note") && !result.contains("\"a\""),
            "{result}"
        );
    }

    #[test]
    fn keeps_options_and_values_of_help_texts() {
        let text = "Answer queries\n\nUsage: tempora check <MODEL>\n\nOptions:\n      --query <QUERY>  A query [default: x]\n          In which order\n          of states\n          - auto: Breadth first\n";
        let expected =
            "…\n\nUsage: tempora check <MODEL>\n\nOptions:\n--query <QUERY> … [default: x]\n…\n- auto: …\n";
        assert_eq!(masked("tempora check --help", "stdout", text), expected);
    }

    #[test]
    fn keeps_codes_and_examples_of_manual_pages() {
        let page = "# zeno-run: title\n\ntext\n\n```net\nprocess P;\n```\n";
        assert_eq!(masked("tempora explain zeno-run", "stdout", page), "# zeno-run\nprocess P;\n");
        assert_eq!(masked("tempora explain", "stdout", "a-code   text\n"), "a-code …\n");
    }

    #[test]
    fn keeps_data_and_diagrams_of_pages() {
        let text = "<!DOCTYPE html><p>words</p><svg><title>words</title><path d=\"M1\"></path></svg><script type=\"application/json\" id=\"data\">{\"code\": \"c\", \"message\": \"words\"}</script>";
        let result = masked("tempora lint a.xml --output html", "stdout", text);
        assert!(
            result.contains("\"code\": \"c\"") && result.contains("M1") && !result.contains("words"),
            "{result}"
        );
    }

    #[test]
    fn leaves_models_and_statuses_alone() {
        let text = "process P {\n    init location A;\n}\n";
        assert_eq!(masked("tempora convert a.xml -", "stdout", text), text);
        assert_eq!(masked(CHECK, "files/a.xtr", text), text);
        assert_eq!(masked(CHECK, "status", "0\n"), "0\n");
    }
}
