/** A small menu below a button: by mouse, touch and keyboard. One is open at a time. */
import { element, icon, type Shape } from "../drawing/element.ts";

const gapPx = 4;

export type MenuItem = {
  readonly label: string;
  readonly shape: Shape;
  readonly isDanger?: boolean;
  readonly act: () => unknown;
};

/** A button that opens a menu with `items()`. */
export function menuButton(label: string, items: () => readonly MenuItem[]): HTMLElement {
  const button: HTMLElement = element(
    "button.icon-button.more",
    {
      type: "button",
      "aria-label": label,
      "aria-haspopup": "menu",
      "aria-expanded": "false",
      click: () => toggle(button, items()),
    },
    icon("more"),
  );
  return button;
}

type OpenMenu = { readonly button: HTMLElement; readonly close: () => void };

let open: OpenMenu | undefined;

function toggle(button: HTMLElement, items: readonly MenuItem[]): void {
  const wasOpen = open?.button === button;
  open?.close();
  if (!wasOpen) open = show(button, items);
}

function show(button: HTMLElement, items: readonly MenuItem[]): OpenMenu {
  const entries = items.map(({ label, shape, isDanger, act }) =>
    element(
      "button",
      {
        type: "button",
        class: `menu-entry${isDanger === true ? " is-danger" : ""}`,
        role: "menuitem",
        tabindex: -1,
        click: () => {
          close();
          act();
        },
      },
      icon(shape),
      label,
    ),
  );
  const menu = element(
    "div.popup-menu",
    { role: "menu", "aria-label": button.getAttribute("aria-label") ?? "" },
    ...entries,
  );

  function close(): void {
    menu.remove();
    button.setAttribute("aria-expanded", "false");
    document.removeEventListener("pointerdown", closeOutside, true);
    removeEventListener("resize", close);
    document.removeEventListener("scroll", close, true);
    open = undefined;
    if (button.isConnected) button.focus({ preventScroll: true });
  }
  function closeOutside({ target }: PointerEvent): void {
    if (!(target instanceof Node && (menu.contains(target) || button.contains(target)))) close();
  }
  function move(by: number): void {
    const at = entries.indexOf(document.activeElement as HTMLButtonElement);
    entries[(at + by + entries.length) % entries.length]?.focus();
  }
  const keys: Readonly<Record<string, () => void>> = {
    ArrowDown: () => move(1),
    ArrowUp: () => move(-1),
    Home: () => entries[0]?.focus(),
    End: () => entries.at(-1)?.focus(),
    Escape: close,
    Tab: close,
  };
  menu.addEventListener("keydown", (event) => {
    const act = keys[event.key];
    if (act === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    act();
  });

  document.body.append(menu);
  const at = button.getBoundingClientRect();
  const isAbove = at.bottom + gapPx + menu.offsetHeight > innerHeight;
  menu.style.left = `${Math.max(8, Math.min(at.right - menu.offsetWidth, innerWidth - menu.offsetWidth - 8))}px`;
  menu.style.top = `${isAbove ? Math.max(8, at.top - gapPx - menu.offsetHeight) : at.bottom + gapPx}px`;
  button.setAttribute("aria-expanded", "true");
  document.addEventListener("pointerdown", closeOutside, true);
  addEventListener("resize", close);
  document.addEventListener("scroll", close, true);
  entries[0]?.focus();
  return { button, close };
}
