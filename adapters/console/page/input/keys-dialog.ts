/** The dialog of all keys. It is loaded when it's opened, with its styles. */
import { element } from "../drawing/element.ts";
import { loadStyle } from "../look/load-style.ts";

const isApple = /Mac|iPhone|iPad/.test(navigator.platform);
const command = isApple ? "⌘" : "Ctrl";

/** What the keys are for, and what each of them does. */
const groups: readonly (readonly [string, readonly (readonly [readonly string[], string])[]])[] = [
  [
    "Writing",
    [
      [["Enter"], "Send"],
      [["Shift", "Enter"], "New line"],
      [["/"], "Commands"],
      [["Tab"], "Accept the suggestion"],
      [["↑"], "Edit your last question"],
      [[command, "V"], "Attach copied files"],
    ],
  ],
  [
    "Reading",
    [
      [["Esc"], "Stop your running answer"],
      [[command, "K"], "Search conversations"],
      [["?"], "Show these keys"],
    ],
  ],
];

function drawKeys(keys: readonly string[]): HTMLElement {
  return element("dt", {}, ...keys.flatMap((key, index) => [index > 0 ? " + " : "", element("kbd", {}, key)]));
}

export async function openKeys(): Promise<void> {
  await loadStyle("styles/keys.css");
  // Pressed twice while it was loading.
  if (document.querySelector("dialog[open]") !== null) return;
  const dialog: HTMLDialogElement = element(
    "dialog.keys-dialog",
    { "aria-labelledby": "keys-title", close: () => dialog.remove() },
    element(
      "form",
      { method: "dialog" },
      element("h2", { id: "keys-title" }, "Keys"),
      ...groups.flatMap(([title, keys]) => [
        element("h3", {}, title),
        element("dl", {}, ...keys.map(([names, does]) => element("div", {}, drawKeys(names), element("dd", {}, does)))),
      ]),
      element("div.form-actions", {}, element("button.action.is-primary", { type: "submit" }, "Close")),
    ),
  );
  document.body.append(dialog);
  dialog.showModal();
}
