/** Opens and closes the sidebar where it is a drawer: on a phone. */
export function createDrawer({ button, veil, first }: Readonly<Record<"button" | "veil" | "first", HTMLElement>>) {
  function set(isOpen: boolean): void {
    document.body.classList.toggle("has-menu", isOpen);
    veil.hidden = !isOpen;
    button.setAttribute("aria-expanded", String(isOpen));
  }

  button.addEventListener("click", () => {
    const isOpen = !document.body.classList.contains("has-menu");
    set(isOpen);
    if (isOpen) first.focus();
  });
  veil.addEventListener("click", () => set(false));
  addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || !document.body.classList.contains("has-menu")) return;
    // A dialog over it closes first, and gives the focus back to the drawer.
    if (document.querySelector("dialog[open]") !== null) return;
    set(false);
    button.focus();
  });

  return { close: () => set(false) };
}
