/** The parts that pages consist of: panels, rows, chips, figures, buttons and states. */
import { element, plain } from "../../drawing/element.ts";
import { icon } from "./icons.js";
import { numberText } from "./numbers.js";
import { Problem, urlOf } from "./request.js";

/** A card with a heading. `note` follows the title, `link` is `{ text, href }`, `extra` a node at the right. */
export function panel({ title, note, link, extra, kind }, ...children) {
  const header = element(
    "header",
    {},
    element("h2", {}, title),
    note === undefined ? undefined : element("span.soft", {}, note),
    extra,
    link === undefined ? undefined : element("a", { href: link.href }, link.text),
  );
  return element(`section.panel${kind === undefined ? "" : `.${kind}`}`, {}, header, ...children);
}

/** What matters, and below it what is quieter; on a phone both are one line. */
export function stacked(text, quiet = "") {
  return element("span.stacked", {}, text, quiet === "" ? undefined : element("span.under", {}, quiet));
}

/** A line of a list: what it is, what went wrong, a quieter line, and what can be done. */
export function row({ title, problem, line, actions = [], extra }) {
  return element(
    "li.entry",
    {},
    element(
      "div",
      {},
      element("p.entry-title", { dir: "auto" }, title),
      extra,
      problem === undefined ? undefined : element("p.entry-line.is-failure", { dir: "auto" }, problem),
      line === undefined ? undefined : element("p.entry-line", { dir: "auto" }, line),
    ),
    ...actions,
  );
}

export function rows(...entries) {
  return element("ul.rows", { role: "list" }, ...entries);
}

/** `tone`: "good", "warn", "bad", or none. */
export function chip(text, tone) {
  return element(`span.chip${tone === undefined ? "" : `.is-${tone}`}`, { dir: "auto" }, text);
}

const thumbLooks = { up: ["up", "thumbs up"], down: ["bad", "thumbs down"] };

/** Thumbs "up" or "down", and perhaps how many. Drawn, because not every system has a font with a thumb. */
export function thumbs(thumb, count) {
  const [shape, says] = thumbLooks[thumb];
  return element(
    "span.thumbs",
    { title: says },
    icon(shape),
    element("span.hidden", {}, `${says} `),
    count === undefined ? undefined : numberText(count),
  );
}

/** `tone`: "good", "warn", "bad" or "off". `says` is for those who don't see colours. */
export function lamp(tone, says) {
  return element(`span.lamp.is-${tone}`, {}, element("span.hidden", {}, says));
}

/** A button. It is busy until what it does has ended, so that nobody presses it twice. */
export function button(text, press, { look, icon: shape, label } = {}) {
  const node = element(
    `button.action${look === undefined ? "" : `.is-${look}`}`,
    {
      type: "button",
      "aria-label": label,
      click: async () => {
        if (node.getAttribute("aria-disabled") === "true") return;
        node.setAttribute("aria-disabled", "true");
        try {
          await press(node);
        } finally {
          node.removeAttribute("aria-disabled");
        }
      },
    },
    shape === undefined ? undefined : icon(shape),
    text,
  );
  return node;
}

/** A link that looks like a button. */
export function linkButton(text, href, { look, icon: shape } = {}) {
  return element(
    `a.action${look === undefined ? "" : `.is-${look}`}`,
    { href },
    shape === undefined ? undefined : icon(shape),
    text,
  );
}

/** Downloads `path` with the list's filters. */
export function csvLink(path, query) {
  return element("a.action", { href: urlOf(path, query), download: true }, icon("download"), "CSV");
}

export function copyButton(text, label = "Copy") {
  const node = button(label, async () => {
    try {
      await navigator.clipboard.writeText(text);
      node.lastChild.textContent = "Copied";
    } catch {
      // Without HTTPS browsers have no clipboard for pages.
      node.lastChild.textContent = "Can't copy here";
    }
    setTimeout(() => {
      node.lastChild.textContent = label;
    }, 2_000);
  });
  node.prepend(icon("copy"));
  return node;
}

/** A choice of a few: `options` are `[value, text]`. */
export function choice(label, options, chosen, choose) {
  return element(
    "div.switch",
    { role: "group", "aria-label": label },
    ...options.map(([value, text]) =>
      element(
        "button",
        { type: "button", "aria-pressed": String(value === chosen), click: () => value !== chosen && choose(value) },
        text,
      ),
    ),
  );
}

/** Terms and what they are: `[["Reference", node], …]`. */
export function facts(pairs) {
  return element(
    "dl.facts",
    {},
    ...pairs.flatMap(([name, value]) => [element("dt", {}, name), element("dd", {}, value)]),
  );
}

/** Where nothing is. `action` is a button or link. */
export function emptyState({ icon: shape = "inbox", title, text, action }) {
  return element(
    "div.state",
    {},
    icon(shape),
    element("h2", {}, title),
    text === undefined ? undefined : element("p", {}, text),
    action,
  );
}

export function loadingState() {
  return element(
    "div.loading",
    { "aria-busy": "true" },
    element("p.hidden", { role: "status" }, "Loading"),
    ...Array.from({ length: 5 }, () => element("span.ghost", { "aria-hidden": "true" })),
  );
}

/** What failed, and a button that tries again. */
export function problemState(thrown, again) {
  const isProblem = thrown instanceof Problem;
  const what = isProblem ? thrown.what : "This page couldn't be shown.";
  const hint = isProblem ? thrown.hint : "Reload it. If it keeps happening, look at Parley's log.";
  return element(
    "div.state",
    { role: "alert" },
    icon(thrown.status === 403 ? "lock" : "warn"),
    element("h2", {}, plain(what)),
    element("p", {}, plain(hint)),
    again === undefined ? undefined : button("Try again", again),
  );
}
