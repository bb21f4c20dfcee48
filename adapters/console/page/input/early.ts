/**
 * Remembers what people do before the page's modules are there: Enter, files and buttons. The page's head loads it, and it
 * is no module, because modules run later.
 */
type Early = {
  /** What was sent, which leaves the box; undefined: nothing was. */
  readonly text: string | undefined;
  readonly files: readonly File[];
  /** The id of the button that was pressed last. */
  readonly pressed: string | undefined;
};

declare global {
  interface Window {
    takeEarly: () => Early;
  }
}

export type { Early };

(() => {
  const files: File[] = [];
  let isSent = false;
  let pressed: string | undefined;

  // They are there: nothing happens on a page before its body.
  const box = () => document.getElementById("box") as HTMLTextAreaElement;
  const chosen = () => document.getElementById("files") as HTMLInputElement;
  const hasFiles = ({ dataTransfer }: DragEvent) => dataTransfer?.types.includes("Files") === true;
  const tell = (text: string) => {
    const line = document.getElementById("connection");
    if (line !== null) line.textContent = text;
  };
  const say = (text: string) => tell(`The page is still loading. ${text}`);

  function send(): void {
    // The page says what to do about an empty one.
    if (box().value.trim() === "" && files.length === 0 && (chosen().files?.length ?? 0) === 0) {
      pressed = "send";
      return;
    }
    isSent = true;
    // What is typed from here on would be part of it.
    box().readOnly = true;
    say("Your message will be sent as soon as it's ready.");
  }

  function add(given: Iterable<File>): void {
    files.push(...given);
    say("Your files will be attached as soon as it's ready.");
  }

  const listeners = {
    keydown: (event: KeyboardEvent) => {
      const { target, key, shiftKey, isComposing, keyCode } = event;
      // As in composer.ts: the Enter that ends an input method's composition is its own.
      if (
        !(target instanceof Element) ||
        target.id !== "box" ||
        key !== "Enter" ||
        shiftKey ||
        isComposing ||
        keyCode === 229
      )
        return;
      event.preventDefault();
      send();
    },
    // Without this the browser would load the page again, with the text in its address.
    submit: (event: SubmitEvent) => {
      event.preventDefault();
      send();
    },
    click: ({ target }: MouseEvent) => {
      const button = target instanceof Element ? target.closest("button[id]:not([type='submit'])") : null;
      // Only a click may open the browser's list of files.
      if (button?.id === "attach") chosen().click();
      else if (button !== null) pressed = button.id;
    },
    dragover: (event: DragEvent) => {
      if (hasFiles(event)) event.preventDefault();
    },
    // Without this the browser would open the file instead of the page.
    drop: (event: DragEvent) => {
      if (!hasFiles(event)) return;
      event.preventDefault();
      add(event.dataTransfer?.files ?? []);
    },
    paste: (event: ClipboardEvent) => {
      const given = event.clipboardData?.files ?? [];
      // A spreadsheet copies its cells as text and as a picture.
      if (given.length === 0 || event.clipboardData?.getData("text/plain") !== "") return;
      event.preventDefault();
      add(given);
    },
  };
  const all = Object.entries(listeners) as [string, EventListener][];
  for (const [type, listener] of all) addEventListener(type, listener);

  /** What happened until now, once. */
  window.takeEarly = () => {
    for (const [type, listener] of all) removeEventListener(type, listener);
    const text = isSent ? box().value : undefined;
    if (isSent) box().value = "";
    box().readOnly = false;
    const attached = [...files, ...(chosen().files ?? [])];
    chosen().value = "";
    tell("");
    return { text, files: attached, pressed };
  };
})();
