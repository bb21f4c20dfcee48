/** The dialog of all keys. It is loaded when it's opened, with its styles. */
import { Fragment } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { loadStyle } from "../look/load-style.ts";
import { showDialog } from "../parts/show-dialog.ts";

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

function Keys({ names }: { readonly names: readonly string[] }) {
  return (
    <dt>
      {names.map((name, index) => (
        <Fragment key={name}>
          {index > 0 ? " + " : ""}
          <kbd>{name}</kbd>
        </Fragment>
      ))}
    </dt>
  );
}

function KeysDialog({ onClosed }: { readonly onClosed: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog class="keys-dialog" aria-labelledby="keys-title" onClose={onClosed} ref={dialog}>
      <form method="dialog">
        <h2 id="keys-title">Keys</h2>
        {groups.map(([title, keys]) => (
          <Fragment key={title}>
            <h3>{title}</h3>
            <dl>
              {keys.map(([names, does]) => (
                <div key={does}>
                  <Keys names={names} />
                  <dd>{does}</dd>
                </div>
              ))}
            </dl>
          </Fragment>
        ))}
        <div class="form-actions">
          <button type="submit" class="action is-primary">
            Close
          </button>
        </div>
      </form>
    </dialog>
  );
}

export async function openKeys(): Promise<void> {
  await loadStyle("styles/keys.css");
  // Pressed twice while it was loading.
  if (document.querySelector("dialog[open]") !== null) return;
  showDialog((onClosed) => <KeysDialog onClosed={onClosed} />);
}
