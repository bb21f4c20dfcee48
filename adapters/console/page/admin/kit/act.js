/**
 * Carries out a command, button or form of chat from an admin page. What Parley says is drawn as on the chat page, in a
 * panel at the edge; its buttons and forms work again in the same way.
 */
import { headersFor } from "../../connection/whose.ts";
import { element } from "../../drawing/element.ts";
import { loadStyle } from "../../look/load-style.ts";
import { root } from "./address.js";
import { rememberFocus } from "./focus.js";
import { button } from "./parts.js";
import { Problem, read } from "./request.js";

/** What was done and needs nothing more disappears after a while. */
const shownForMs = 9_000;
const unreachable = { what: "Parley can't be reached.", hint: "Check your connection, then try again." };
const broken = { what: "The connection was lost.", hint: "Reload the page to see what was done." };

/** Loaded with the first press, like their styles. */
const parts = () => Promise.all([import("../../drawing/message.ts"), import("../../input/dialog.js"), loadStyles()]);

/** Of dialogs, and of what Parley says. */
export function loadStyles() {
  return Promise.all(["styles/forms.css", "styles/files.css", "admin/styles/act.css"].map(loadStyle));
}

function newId() {
  return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Calls `onLine` for each line of the answer. Rejects with a Problem. */
async function send(request, onLine) {
  const body = JSON.stringify({ id: newId(), ...request });
  const response = await fetch(new URL("api/admin/act", root), {
    method: "POST",
    headers: headersFor(body),
    body,
  }).catch(() => {
    throw new Problem(unreachable);
  });
  if (response.status === 401) location.reload();
  if (!response.ok) {
    const { error } = (await response.json().catch(() => undefined)) ?? {};
    throw new Problem(error ?? unreachable, response.status);
  }
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  let isDone = false;
  for (;;) {
    const { value, done } = await reader.read().catch(() => ({ done: true }));
    if (done) break;
    const lines = (rest + value).split("\n");
    rest = lines.pop();
    for (const text of lines) {
      if (text === "") continue;
      const line = JSON.parse(text);
      isDone ||= line.kind === "done" || line.kind === "failed";
      onLine(line);
    }
  }
  if (!isDone) throw new Problem(broken);
}

// What Parley says.

let hideTimer;
/** Where the keyboard was before it went to the panel. */
let goBack = () => {};

function panelNode() {
  const known = document.getElementById("said");
  if (known !== null) return known;
  const node = element(
    "section.said",
    { id: "said", "aria-label": "What Parley says", tabindex: "-1" },
    element("div.said-parts", { role: "status" }),
    button("", () => hide(), { look: "plain", icon: "cross", label: "Close" }),
  );
  node.addEventListener("pointerenter", () => clearTimeout(hideTimer));
  node.addEventListener("focusin", () => clearTimeout(hideTimer));
  node.addEventListener("keydown", (event) => {
    if (event.key === "Escape") hide();
  });
  document.body.append(node);
  return node;
}

function hide() {
  clearTimeout(hideTimer);
  document.getElementById("said")?.remove();
  goBack();
}

/** `asks`: it has buttons, which the keyboard reaches at once, unless the person is busy elsewhere by now. */
function showNodes(nodes, { stays, asks = false, from = document.body }) {
  const node = panelNode();
  const isInPanel = node.contains(document.activeElement);
  node.querySelector(".said-parts").replaceChildren(...nodes);
  if (asks && (isInPanel || [from, document.body].includes(document.activeElement))) {
    if (!isInPanel) goBack = rememberFocus(document.getElementById("body"));
    node.focus({ preventScroll: true });
  } else if (isInPanel) {
    goBack();
  }
  clearTimeout(hideTimer);
  if (!stays) hideTimer = setTimeout(hide, shownForMs);
}

function showProblem(thrown) {
  const { what, hint } = thrown instanceof Problem ? thrown : broken;
  const card = element("div.card", {}, element("p.headline", {}, element("strong", {}, what)), element("p", {}, hint));
  showNodes([element("article", { "data-tone": "failed", role: "alert" }, card)], { stays: true });
}

/** Forms suggest names as on the chat page. */
function complete(completes, typed) {
  return read("api/complete", { completes, channel: "general", typed }).catch(() => []);
}

/**
 * `request`: `{ place, kind: "command", path, options }`, `{ place, kind: "action", action, value }` or `{ place, kind:
 * "form", formId, values, context }`. `onDone` is called when something was said and everything is done, with what was
 * said: perhaps what the page shows has changed. `about` is the title of the form that opens, if one does. Resolves then; never rejects.
 */
export async function act(request, onDone = () => {}) {
  try {
    await run(request, onDone);
  } catch (thrown) {
    await loadStyles();
    showProblem(thrown);
  }
}

async function run({ about, ...request }, onDone, onFirst = () => {}) {
  const { place } = request;
  const from = document.activeElement;
  const [{ updatePayload }, { openForm }] = await parts();
  let said = [];

  const press = async (action, pressed) => {
    if (pressed.getAttribute("aria-disabled") === "true") return;
    if (action.id === "dismiss") return hide();
    pressed.setAttribute("aria-disabled", "true");
    await act({ place, kind: "action", action: action.id, value: action.value }, onDone);
    pressed.removeAttribute("aria-disabled");
  };

  const say = (payloads) => {
    said = payloads;
    const drawn = payloads.map((payload) => {
      const article = element("article", {});
      updatePayload(article, payload, { press, pictureOf: () => undefined });
      return article;
    });
    const isShort = payloads.every(
      ({ tone, actions, blocks }) => tone !== "failed" && actions.length === 0 && blocks.length < 4,
    );
    const asks = payloads.some(({ actions }) => actions.length > 0);
    showNodes(drawn, { stays: !isShort, asks, from });
  };

  const showForm = (form) => {
    hide();
    openForm(about === undefined ? form : { ...form, title: about }, {
      complete,
      submit: (values, files) =>
        new Promise((resolve) => {
          const sent = { place, kind: "form", formId: form.id, values, context: form.context, files };
          run(sent, onDone, (line) => resolve(line.kind === "errors" ? { errors: line.errors } : undefined)).catch(
            (thrown) => resolve({ problem: thrown instanceof Problem ? `${thrown.what} ${thrown.hint}` : broken.what }),
          );
        }),
    });
  };

  await send(request, (line) => {
    if (line.kind === "beat") return;
    onFirst(line);
    if (line.kind === "form") showForm(line.form);
    if (line.kind === "shown") say(line.payloads);
    if (line.kind === "failed") showProblem(new Problem(line.error));
  });
  if (said.length > 0) onDone(said);
}

/** A button that acts. */
export function actButton(text, request, { onDone, look, label, icon } = {}) {
  return button(text, () => act(request, onDone), { look, label, icon });
}
