/** Asks before something that can't be undone. */
import { useLayoutEffect, useRef } from "preact/hooks";
import { showDialog } from "../../parts/show-dialog.ts";

type Question = {
  readonly title: string;
  /** What will happen. */
  readonly text: string;
  /** The button's word. */
  readonly confirm: string;
  readonly isDangerous?: boolean;
};

function Confirm({
  title,
  text,
  confirm,
  isDangerous = false,
  onAnswer,
}: Question & { readonly onAnswer: (isMeant: boolean) => void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const cancel = useRef<HTMLButtonElement>(null);
  useLayoutEffect(() => {
    dialog.current?.showModal();
    cancel.current?.focus();
  }, []);
  return (
    <dialog
      class="dialog"
      aria-labelledby="confirm-title"
      ref={dialog}
      onClose={(event) => onAnswer(event.currentTarget.returnValue === "yes")}
    >
      <form method="dialog">
        <h2 id="confirm-title">{title}</h2>
        <p dir="auto">{text}</p>
        <div class="dialog-buttons">
          <button class="action" type="submit" value="" ref={cancel}>
            Cancel
          </button>
          <button class={`action is-${isDangerous ? "danger" : "primary"}`} type="submit" value="yes">
            {confirm}
          </button>
        </div>
      </form>
    </dialog>
  );
}

/** Resolves true if it was confirmed. */
export function confirmed(question: Question): Promise<boolean> {
  return new Promise((resolve) => {
    showDialog((onClosed) => {
      const onAnswer = (isMeant: boolean) => {
        onClosed();
        resolve(isMeant);
      };
      return <Confirm {...question} onAnswer={onAnswer} />;
    });
  });
}
