/** What the agent did for a question: each step with its passages, and what the service sent. */
import { element, plain } from "../../drawing/element.ts";
import { codeBlock } from "../../drawing/markdown.ts";
import { dateText, durationText } from "../kit/dates.js";
import { icon } from "../kit/icons.js";
import { countText } from "../kit/numbers.js";
import { button, panel } from "../kit/parts.js";
import { read } from "../kit/request.js";
import { sourceTitle } from "./answer.js";

const percent = (relevance) => `${Math.round(relevance * 100)}%`;

const stepMarks = { done: "check", failed: "cross", running: "refresh" };
const stepSays = { done: "Done", failed: "Failed", running: "Running" };

export function stepsPanel(view, { listed, texts }) {
  const { steps, omittedSteps } = texts;
  const empty = listed.state === "ended" ? "The agent used no tools." : "None yet.";
  return panel(
    { title: "Steps", note: steps.length === 0 ? undefined : countText(steps.length + omittedSteps, "step") },
    steps.length === 0 ? element("p.soft", {}, empty) : undefined,
    element("ol.steps", {}, ...steps.map((step, at) => stepNode(view, listed.id, step, at))),
    omittedSteps === 0 ? undefined : element("p.soft", {}, `${countText(omittedSteps, "further step")} not stored.`),
  );
}

function stepNode(view, id, step, at) {
  return element(
    `li.step.is-${step.state}`,
    {},
    element("span.step-mark", {}, icon(stepMarks[step.state]), element("span.hidden", {}, stepSays[step.state])),
    element(
      "div.step-body",
      {},
      element(
        "p.step-title",
        { dir: "auto" },
        ...step.title.map(({ text, style }) => element(style === "bold" ? "b" : "span", {}, plain(text))),
        step.found === undefined ? undefined : element("span.soft", {}, `: ${plain(step.found)}`),
      ),
      step.tookMs === undefined ? undefined : element("span.step-time", {}, durationText(step.tookMs)),
      ...step.passages.map(passageNode),
      step.hasRaw ? rawNode(view, id, at) : undefined,
    ),
  );
}

function passageNode(source) {
  return element(
    "div.found",
    { dir: "auto" },
    element(
      "p.found-title",
      {},
      sourceTitle(source),
      source.relevance === undefined ? undefined : element("span.soft", {}, percent(source.relevance)),
    ),
    source.excerpt ? element("p", {}, plain(source.excerpt)) : undefined,
    source.updatedAtMs === undefined ? undefined : element("p.soft", {}, `From ${dateText(source.updatedAtMs)}`),
  );
}

/** What the service sent, only once someone asks for it. */
function rawNode(view, id, at) {
  const box = element("div.raw", { id: `raw-${at}` });
  const toggle = button("Raw", async (node) => {
    const isOpen = node.getAttribute("aria-expanded") === "true";
    node.setAttribute("aria-expanded", String(!isOpen));
    if (isOpen) return box.replaceChildren();
    try {
      const raw = await read(`api/admin/questions/${encodeURIComponent(id)}/steps/${at}`, {}, view.signal);
      const parts = [
        ["Reason", raw.reason],
        ["Input", raw.input],
        ["Output", raw.output],
      ].filter(([, text]) => text.trim() !== "");
      box.replaceChildren(...parts.map(([name, text]) => codeBlock(text, name)));
    } catch (thrown) {
      box.replaceChildren(element("p.is-failure", { role: "alert" }, thrown.what ?? "That step can't be read now."));
    }
  });
  toggle.classList.add("is-small");
  toggle.setAttribute("aria-expanded", "false");
  toggle.setAttribute("aria-controls", box.id);
  return element("div.raw-part", {}, toggle, box);
}
