/**
 * Remembers what people do before the page's modules are there: Enter, files and buttons. The page's head loads it, and it
 * is no module, because modules run later.
 */
(() => {
  const files = [];
  let isSent = false;
  let pressed;

  const find = (id) => document.getElementById(id);
  const hasFiles = ({ dataTransfer }) => dataTransfer?.types.includes("Files") === true;
  const say = (text) => {
    find("connection").textContent = `The page is still loading. ${text}`;
  };

  function send() {
    const box = find("box");
    // The page says what to do about an empty one.
    if (box.value.trim() === "" && files.length === 0 && find("files").files.length === 0) {
      pressed = "send";
      return;
    }
    isSent = true;
    // What is typed from here on would be part of it.
    box.readOnly = true;
    say("Your message will be sent as soon as it's ready.");
  }

  function add(given) {
    files.push(...given);
    say("Your files will be attached as soon as it's ready.");
  }

  const listeners = {
    keydown: (event) => {
      const { target, key, shiftKey, isComposing, keyCode } = event;
      // As in composer.js: the Enter that ends an input method's composition is its own.
      if (target.id !== "box" || key !== "Enter" || shiftKey || isComposing || keyCode === 229) return;
      event.preventDefault();
      send();
    },
    // Without this the browser would load the page again, with the text in its address.
    submit: (event) => {
      event.preventDefault();
      send();
    },
    click: ({ target }) => {
      const button = target.closest?.("button[id]:not([type='submit'])");
      // Only a click may open the browser's list of files.
      if (button?.id === "attach") find("files").click();
      else if (button) pressed = button.id;
    },
    dragover: (event) => {
      if (hasFiles(event)) event.preventDefault();
    },
    // Without this the browser would open the file instead of the page.
    drop: (event) => {
      if (!hasFiles(event)) return;
      event.preventDefault();
      add(event.dataTransfer.files);
    },
    paste: (event) => {
      const given = event.clipboardData?.files ?? [];
      // A spreadsheet copies its cells as text and as a picture.
      if (given.length === 0 || event.clipboardData.getData("text/plain") !== "") return;
      event.preventDefault();
      add(given);
    },
  };
  for (const [type, listener] of Object.entries(listeners)) addEventListener(type, listener);

  /**
   * What happened until now, once: `{ text, files, pressed }`. `text`: what was sent, which leaves the box; undefined:
   * nothing was. `pressed`: the id of the button that was pressed last.
   */
  window.takeEarly = () => {
    for (const [type, listener] of Object.entries(listeners)) removeEventListener(type, listener);
    const [box, chosen] = [find("box"), find("files")];
    const text = isSent ? box.value : undefined;
    if (isSent) box.value = "";
    box.readOnly = false;
    const all = [...files, ...chosen.files];
    chosen.value = "";
    find("connection").textContent = "";
    return { text, files: all, pressed };
  };
})();
