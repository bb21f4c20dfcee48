/**
 * The message box: the page's one text field at rest. A draft is kept per conversation until it is sent, so that neither
 * a reload nor a look at another conversation loses it.
 */
const draftPrefix = "parley.draft.";

export function createComposer({ form, box, problem, completion, onSend }) {
  let key = "";

  function adjustHeight() {
    // Grows with its text; the style sheet sets how far.
    box.rows = 1;
    const lineHeight = Number.parseFloat(getComputedStyle(box).lineHeight) || 24;
    const padding = box.offsetHeight - lineHeight;
    box.rows = Math.max(1, Math.min(12, Math.round((box.scrollHeight - padding) / lineHeight)));
  }

  function keepDraft() {
    try {
      if (box.value === "") localStorage.removeItem(draftPrefix + key);
      else localStorage.setItem(draftPrefix + key, box.value);
    } catch {}
  }

  function send() {
    if (box.value.trim() === "") {
      problem.textContent = "Write a question first.";
      box.focus();
      return;
    }
    const text = box.value;
    box.value = "";
    keepDraft();
    adjustHeight();
    completion.close();
    onSend(text);
    box.focus();
  }

  box.addEventListener("input", () => {
    problem.textContent = "";
    keepDraft();
    adjustHeight();
    completion.update();
  });
  box.addEventListener("keydown", (event) => {
    if (completion.onKey(event)) return event.preventDefault();
    // Enter that ends an input method's composition is not for us.
    if (event.key !== "Enter" || event.shiftKey || event.isComposing || event.keyCode === 229) return;
    event.preventDefault();
    send();
  });
  box.addEventListener("blur", () => completion.close());
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    send();
  });

  return {
    /** Another conversation is shown: its own draft comes back. */
    open: (newKey) => {
      if (key === newKey) return;
      key = newKey;
      problem.textContent = "";
      try {
        box.value = localStorage.getItem(draftPrefix + key) ?? "";
      } catch {
        box.value = "";
      }
      adjustHeight();
    },
    /** Puts text that could not be sent back, before whatever was typed since. */
    giveBack: (text, why) => {
      box.value = box.value === "" ? text : `${text}\n${box.value}`;
      problem.textContent = why;
      keepDraft();
      adjustHeight();
      box.focus();
    },
    adjustHeight,
    focus: () => box.focus(),
  };
}
