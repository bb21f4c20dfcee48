/**
 * A bar of filters whose values are in the address, so that a filtered list can be bookmarked and sent to others.
 * Selects are the browser's own: they work with keyboards, screen readers and thumbs.
 */
import { nowMs } from "../../connection/clock.ts";
import { element } from "../../drawing/element.ts";
import { dayOf } from "./dates.js";
import { icon } from "./icons.js";
import { button } from "./parts.js";

const typingMs = 300;

/**
 * `fields`: `{ name, label, kind, … }`.
 * - "select": `any` is the text of no choice, `options` are `[value, text]`. A value of the address that isn't among them
 *   is shown as it is: what it named may be gone.
 * - "text": `placeholder`.
 * - "period": days back, or from one day to another.
 * `onChange(query)` gets all values once one has changed. `update(fields)` replaces the options.
 */
export function filterBar({ view, fields, onChange }) {
  const bar = element("form.filters", {
    role: "search",
    "aria-label": "Filters",
    submit: (event) => event.preventDefault(),
  });
  const values = { ...view.address.query };
  let timer;

  function set(changes) {
    Object.assign(values, changes);
    for (const name of Object.keys(values)) if (values[name] === "" || values[name] === undefined) delete values[name];
    view.setQuery(values);
    draw();
    onChange({ ...values });
  }

  function select({ name, label, any, options }) {
    const chosen = values[name] ?? "";
    const known = options.some(([value]) => value === chosen) || chosen === "";
    const all = [["", any], ...options, ...(known ? [] : [[chosen, chosen]])];
    return element(
      `span.filter${chosen === "" ? "" : ".is-set"}`,
      {},
      element(
        "select",
        { "aria-label": label, name, change: (event) => set({ [name]: event.target.value }) },
        ...all.map(([value, text]) => element("option", { value, selected: value === chosen }, text)),
      ),
    );
  }

  function text({ name, label, placeholder }) {
    const input = element("input", {
      type: "search",
      "aria-label": label,
      name,
      placeholder,
      value: values[name] ?? "",
      autocomplete: "off",
      spellcheck: "false",
      input: () => {
        clearTimeout(timer);
        timer = setTimeout(() => set({ [name]: input.value.trim() }), typingMs);
      },
    });
    return element(`span.filter.has-text${values[name] ? ".is-set" : ""}`, {}, icon("search"), input);
  }

  function period({ label }) {
    const isOwn = values.from !== undefined || values.until !== undefined || values.days === "own";
    const chosen = isOwn ? "own" : (values.days ?? "");
    const options = [
      ["", "Any time"],
      ["1", "Today"],
      ["7", "Last 7 days"],
      ["30", "Last 30 days"],
      ["own", "Between days…"],
    ];
    const day = (name, title) =>
      element("input", {
        type: "date",
        "aria-label": title,
        name,
        value: values[name] ?? "",
        change: (event) => set({ [name]: event.target.value }),
      });
    return element(
      "span.filter-group",
      {},
      element(
        `span.filter${chosen === "" ? "" : ".is-set"}`,
        {},
        element(
          "select",
          {
            "aria-label": label,
            name: "days",
            change: (event) => set({ days: event.target.value, from: undefined, until: undefined }),
          },
          ...options.map(([value, words]) => element("option", { value, selected: value === chosen }, words)),
        ),
      ),
      ...(isOwn ? [element("span.filter.is-set", {}, day("from", "From"), "–", day("until", "Until"))] : []),
    );
  }

  const kinds = { select, text, period };

  function draw() {
    const focused = bar.contains(document.activeElement) ? document.activeElement : undefined;
    const names = fields.flatMap(({ name, kind }) => (kind === "period" ? ["days", "from", "until"] : [name]));
    const isSet = names.some((name) => values[name] !== undefined);
    const clear = () => set(Object.fromEntries(names.map((name) => [name, undefined])));
    bar.replaceChildren(
      ...fields.map((field) => kinds[field.kind](field)),
      ...(isSet ? [button("Clear", clear, { look: "plain" })] : []),
    );
    const again = focused?.name ? bar.querySelector(`[name="${CSS.escape(focused.name)}"]`) : null;
    again?.focus();
    if (again?.type === "search") again.setSelectionRange(again.value.length, again.value.length);
  }

  draw();
  return {
    bar,
    query: () => ({ ...values }),
    set,
    update: (changed) => {
      fields = changed;
      draw();
    },
  };
}

/** The period of a query as times: `{ from, until }` in ms, undefined where it has no limit. Days are the reader's. */
export function periodOf({ days, from, until }) {
  const dayAfter = (atMs, count) => new Date(atMs).setDate(new Date(atMs).getDate() + count);
  const beginning = (date) => {
    const atMs = /^\d{4}-\d{2}-\d{2}$/.test(date ?? "") ? new Date(`${date}T00:00`).getTime() : Number.NaN;
    return Number.isNaN(atMs) ? undefined : atMs;
  };
  const back = /^\d{1,3}$/.test(days ?? "") ? Number(days) : undefined;
  const last = beginning(until);
  return {
    from: beginning(from) ?? (back === undefined ? undefined : dayAfter(dayOf(nowMs()), 1 - back)),
    until: last === undefined ? undefined : dayAfter(last, 1),
  };
}
