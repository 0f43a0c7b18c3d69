//! The page of `tempora lint --output html`, opened in a real browser.
//!
//! Without Chromium, the tests are skipped; the builds of the project install it.

use std::process::{Command, Stdio};
use tempora_testkit::report_skipped;

use crate::support::{file, run};

/// Returns an installed browser.
fn browser() -> Option<&'static str> {
    ["chromium", "chromium-browser", "google-chrome"].into_iter().find(|name| {
        let version =
            Command::new(name).arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status();
        version.is_ok_and(|status| status.success())
    })
}

/// Returns the DOM of a page after its script has run.
fn opened(browser: &str, path: &str) -> String {
    let output = Command::new(browser)
        .args(["--headless", "--no-sandbox", "--disable-gpu", "--virtual-time-budget=5000", "--dump-dom"])
        .arg(format!("file://{path}"))
        .stderr(Stdio::null())
        .output()
        .unwrap();
    String::from_utf8(output.stdout).unwrap()
}

const MODEL: &[u8] = b"// </script><b>not bold</b>
chan a;
process Worker(const int[0,1] id) {
    clock x;
    init location Idle;
    location Busy { invariant x <= 3; }
    location Never;
    Idle -> Busy { guard id == 0; do x = 0; }
    Busy -> Idle { guard x >= 1 && x <= 2; }
    Busy -> Never { guard x > 5; }
    Idle -> Idle { guard id < 0; sync a!; }
}
system Worker;
";

#[test]
fn page_shows_findings_runs_and_marks() {
    let Some(browser) = browser() else {
        report_skipped("lint_page", "Chromium is not installed");
        return;
    };
    let model = file("lint-page.net", MODEL);
    let finished = run(&["lint", &model, "--output", "html"]);
    assert_eq!(finished.status, Some(1), "{finished:?}");
    let page = file("lint-page.html", finished.output.as_bytes());
    let opened = opened(browser, &page);
    let findings: serde_json::Value =
        serde_json::from_str(&run(&["lint", &model, "--output", "json"]).output).unwrap();
    // The script has created a button for each finding, selected the first, and shown its run or a note that it has
    // none.
    let count = findings["findings"].as_array().unwrap().len();
    assert!(count >= 4, "{findings:#}");
    assert_eq!(opened.matches("class=\"finding-button\"").count(), count, "{opened}");
    assert_eq!(
        opened.matches("finding warning chosen").count() + opened.matches("finding info chosen").count(),
        1
    );
    assert!(opened.contains("Run, replayed") || opened.contains("This finding has no run"), "{opened}");
    // The diagram has a halo at the unreachable location.
    assert!(opened.contains("data-element=\"Worker/location/2\""), "{opened}");
    assert!(opened.contains("finding-every"), "{opened}");
    assert!(!opened.contains("<b>not bold</b>"), "{opened}");
}

#[test]
fn step_of_run_marks_its_elements() {
    let Some(browser) = browser() else {
        report_skipped("lint_page", "Chromium is not installed");
        return;
    };
    let model = file("lint-page-run.net", MODEL);
    let finished = run(&["lint", &model, "--only", "deadlock,edge-never-taken,timelock", "--output", "html"]);
    // Click the last step, like a user.
    let click = "<script>document.querySelectorAll('.finding-button').forEach((b) => { if (b.textContent.includes('Busy -> Never')) b.click(); });\
                 [...document.querySelectorAll('.step')].pop().click();</script></body>";
    let page = file("lint-page-run.html", finished.output.replace("</body>", click).as_bytes());
    let opened = opened(browser, &page);
    let edge = opened.split("data-element=\"Worker/edge/0\"").next().unwrap_or_default();
    assert!(edge.rfind("shown-step") > edge.rfind('<'), "the edge of the step is not marked: {opened}");
    assert!(opened.contains("aria-live=\"polite\">at "), "{opened}");
}
