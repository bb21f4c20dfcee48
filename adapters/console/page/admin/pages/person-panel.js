/** Exports or erases what Parley stores about a person. A panel of the page System. */
import { element, plain } from "../../drawing/element.ts";
import { confirmed } from "../kit/confirm.js";
import { countText, numberText } from "../kit/numbers.js";
import { button, panel } from "../kit/parts.js";
import { send, urlOf } from "../kit/request.js";

const written = /^\s*[a-z]+:[^/\s]+\/\S+\s*$/;

function kindLine({ kind, removed, renamed }) {
  const parts = [
    removed > 0 ? `${numberText(removed)} removed` : "",
    renamed > 0 ? `${numberText(renamed)} without the name` : "",
  ];
  return element("li", {}, `${kind}: ${parts.filter((part) => part !== "").join(", ")}`);
}

/** What was removed, and what stays. */
function report({ kinds, stays, isComplete }) {
  if (kinds.length === 0) return [element("p", {}, "Parley stores nothing about this person.")];
  return [
    element("p", {}, isComplete ? "Erased:" : "Not finished. Erased so far:"),
    element("ul", {}, ...kinds.map(kindLine)),
    ...(stays.length === 0 ? [] : [element("p", {}, "What stays:")]),
    element("ul", {}, ...stays.map((one) => element("li", { dir: "auto" }, plain(one)))),
  ];
}

export function personPanel(view) {
  const result = element("div.person-result", { role: "status" });
  const box = element("input.search-input", {
    id: "person",
    type: "text",
    placeholder: "slack:T1/U123",
    autocomplete: "off",
    spellcheck: "false",
    value: view.address.query.person,
    "aria-describedby": "person-hint",
  });
  const say = (...children) => result.replaceChildren(...children);
  const problem = ({ what, hint }) => say(element("p.problem", {}, `${what} ${hint ?? ""}`));

  function person() {
    if (written.test(box.value)) return box.value.trim();
    problem({ what: "A person is written as platform:workspace/id.", hint: "For example slack:T1/U123." });
    box.focus();
    return undefined;
  }

  function exportPerson() {
    const who = person();
    if (who === undefined) return;
    say();
    // A download leaves the page as it is.
    location.assign(urlOf("api/admin/people/export", { person: who }));
  }

  async function erasePerson() {
    const who = person();
    if (who === undefined) return;
    const isMeant = await confirmed({
      title: `Erase ${who}?`,
      text: "Their questions, answers, votes and schedules are removed. Where their name is needed, it becomes “A former member”. This can't be undone.",
      confirm: "Erase",
      isDangerous: true,
    });
    if (!isMeant) return;
    say(element("p.soft", {}, "Erasing…"));
    try {
      const erasure = await send("POST", "api/admin/people/erase", { person: who }, view.signal);
      say(...report(erasure));
      view.announce(erasure.isComplete ? "Erased." : `Not finished: ${countText(erasure.stays.length, "thing")} left.`);
    } catch (thrown) {
      if (!view.signal.aborted) problem(thrown);
    }
  }

  return panel(
    { title: "A person's data" },
    element(
      "label.soft",
      { for: "person", id: "person-hint" },
      "Export or erase what Parley stores about one person, written as platform:workspace/id.",
    ),
    element(
      "div.person-form",
      {},
      box,
      button("Export", exportPerson),
      button("Erase", erasePerson, { look: "danger" }),
    ),
    result,
  );
}
