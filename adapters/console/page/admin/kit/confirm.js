/** Asks before something that can't be undone. */
import { element } from "../../drawing/element.ts";

/** Resolves true if it was confirmed. `text` says what will happen, `confirm` is the button's word. */
export function confirmed({ title, text, confirm, isDangerous = false }) {
  return new Promise((resolve) => {
    const cancel = element("button.action", { type: "submit", value: "" }, "Cancel");
    const dialog = element(
      "dialog.dialog",
      { "aria-labelledby": "confirm-title", close: () => done() },
      element(
        "form",
        { method: "dialog" },
        element("h2", { id: "confirm-title" }, title),
        element("p", { dir: "auto" }, text),
        element(
          "div.dialog-buttons",
          {},
          cancel,
          element(`button.action.is-${isDangerous ? "danger" : "primary"}`, { type: "submit", value: "yes" }, confirm),
        ),
      ),
    );
    const done = () => {
      dialog.remove();
      resolve(dialog.returnValue === "yes");
    };
    document.body.append(dialog);
    dialog.showModal();
    cancel.focus();
  });
}
