// Shows findings beside diagrams: a finding marks its elements, and a step of its run marks the edges and locations of the step.
//
// Invariant: text of a model is inserted as text, never as markup.
"use strict";
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const list = document.getElementById("findings");
  const panel = document.getElementById("run");
  const live = document.getElementById("live");

  const make = (tag, className, text) => {
    const element = document.createElement(tag);
    if (className) element.className = className;
    if (text !== undefined) element.textContent = text;
    return element;
  };

  const parts = new Map();
  for (const part of document.querySelectorAll("[data-element]")) {
    const id = part.getAttribute("data-element");
    if (!parts.has(id)) parts.set(id, []);
    parts.get(id).push(part);
  }

  const mark = (ids, className) => {
    for (const part of document.querySelectorAll("." + className)) part.classList.remove(className);
    let first = null;
    for (const id of ids) {
      for (const part of parts.get(id) || []) {
        part.classList.add(className);
        first = first || part;
      }
    }
    if (first) first.closest("figure").scrollIntoView({ block: "nearest" });
  };

  const pairs = (values) => values.map(([name, value]) => name + " = " + value).join(", ");

  const showRun = (finding) => {
    panel.replaceChildren();
    const trace = finding.trace;
    if (!trace) {
      panel.append(make("p", "quiet", "This finding has no run."));
      return;
    }
    panel.append(make("h2", "", "Run, replayed"));
    const steps = make("ol", "steps");
    const add = (text, detail, ids) => {
      const item = make("li");
      const button = make("button", "step", text);
      button.type = "button";
      if (detail) button.append(make("span", "detail", detail));
      button.addEventListener("click", () => {
        for (const other of steps.querySelectorAll(".current")) other.classList.remove("current");
        button.classList.add("current");
        mark(ids, "shown-step");
        live.textContent = text;
      });
      item.append(button);
      steps.append(item);
      return button;
    };
    const start = add("at 0: start", trace.initial.locations.map(([p, l]) => p + "." + l).join(", "), finding.start_elements);
    trace.steps.forEach((step, number) => {
      const moves = step.moves.map((move) =>
        move.process + ": " + move.from + " → " + move.to + (move.synchronisation ? "  " + move.synchronisation : ""));
      const changes = step.changes.map((change) => change.name + " = " + change.after).join(", ");
      const cycle = trace.cycle_start === number ? "cycle, repeated for ever: " : "";
      add(cycle + "at " + step.time + ": " + moves.join("; "), changes, finding.step_elements[number] || []);
    });
    const end = trace.error ? trace.error.message : trace.ending + ", in " + trace.last.locations.map(([p, l]) => p + "." + l).join(", ");
    panel.append(steps);
    panel.append(make("p", "ending", "end: " + end));
    panel.append(make("p", "quiet", pairs(trace.last.variables.concat(trace.last.clocks))));
    steps.addEventListener("keydown", (event) => {
      const buttons = [...steps.querySelectorAll("button")];
      const at = buttons.indexOf(document.activeElement);
      const next = event.key === "ArrowDown" ? at + 1 : event.key === "ArrowUp" ? at - 1 : -1;
      if (at >= 0 && buttons[next]) {
        event.preventDefault();
        buttons[next].focus();
        buttons[next].click();
      }
    });
    start.click();
  };

  data.findings.forEach((finding) => {
    const item = make("li", "finding " + finding.severity);
    const button = make("button", "finding-button");
    button.type = "button";
    const glyph = finding.severity === "error" ? "✕" : finding.severity === "warning" ? "!" : "i";
    button.append(make("span", "glyph", glyph), make("span", "message", finding.message));
    const where = finding.file === null ? "" : finding.file + ":" + finding.line + ":" + finding.column + "  ";
    button.append(make("span", "detail", where + "[" + finding.code + "]" + (finding.certainty === "definite" ? "" : "  " + finding.certainty)));
    item.append(button);
    const more = make("div", "more");
    for (const note of finding.notes) more.append(make("p", "", note));
    if (finding.hint) more.append(make("p", "hint", "hint: " + finding.hint));
    item.append(more);
    button.addEventListener("click", () => {
      for (const other of list.querySelectorAll(".chosen")) other.classList.remove("chosen");
      item.classList.add("chosen");
      mark([], "shown-step");
      mark(finding.elements, "shown-finding");
      showRun(finding);
      live.textContent = finding.message;
    });
    list.append(item);
  });
  const first = list.querySelector("button");
  if (first) first.click();
})();
