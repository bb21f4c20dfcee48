/** A small menu below a button: by mouse, touch and keyboard. One is open at a time. */
import { createPortal } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { Icon } from "../parts/icon.tsx";
import type { Shape } from "../parts/shapes.ts";

const gapPx = 4;
const edgePx = 8;

export type MenuItem = {
  readonly label: string;
  readonly shape: Shape;
  readonly isDanger?: boolean;
  readonly act: () => unknown;
};

/** Closes the one that is open. */
let closeOpen: (() => void) | undefined;

/** A button that opens a menu. */
export function MenuButton({ label, items }: { readonly label: string; readonly items: readonly MenuItem[] }) {
  const button = useRef<HTMLButtonElement>(null);
  const [isOpen, setOpen] = useState(false);
  const close = () => {
    closeOpen = undefined;
    setOpen(false);
    button.current?.focus({ preventScroll: true });
  };
  const toggle = () => {
    if (isOpen) return close();
    closeOpen?.();
    closeOpen = close;
    setOpen(true);
  };
  return (
    <>
      <button
        type="button"
        class="icon-button more"
        aria-label={label}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        onClick={toggle}
        ref={button}
      >
        <Icon name="more" />
      </button>
      {isOpen && button.current !== null
        ? createPortal(<Menu label={label} items={items} button={button.current} close={close} />, document.body)
        : undefined}
    </>
  );
}

function Menu({
  label,
  items,
  button,
  close,
}: {
  readonly label: string;
  readonly items: readonly MenuItem[];
  readonly button: HTMLButtonElement;
  readonly close: () => void;
}) {
  const menu = useRef<HTMLDivElement>(null);
  const entries = () => [...(menu.current?.querySelectorAll<HTMLElement>(".menu-entry") ?? [])];

  useLayoutEffect(() => {
    const { current } = menu;
    if (current === null) return undefined;
    const at = button.getBoundingClientRect();
    const { offsetWidth, offsetHeight } = current;
    const isAbove = at.bottom + gapPx + offsetHeight > innerHeight;
    // Through the object model: the policy forbids style attributes only.
    current.style.left = `${Math.max(edgePx, Math.min(at.right - offsetWidth, innerWidth - offsetWidth - edgePx))}px`;
    current.style.top = `${isAbove ? Math.max(edgePx, at.top - gapPx - offsetHeight) : at.bottom + gapPx}px`;
    entries()[0]?.focus();

    const closeOutside = ({ target }: PointerEvent) => {
      if (!(target instanceof Node && (current.contains(target) || button.contains(target)))) close();
    };
    document.addEventListener("pointerdown", closeOutside, true);
    addEventListener("resize", close);
    document.addEventListener("scroll", close, true);
    return () => {
      document.removeEventListener("pointerdown", closeOutside, true);
      removeEventListener("resize", close);
      document.removeEventListener("scroll", close, true);
    };
  }, []);

  const focusOn = (at: number) => {
    const all = entries();
    all[(at + all.length) % all.length]?.focus();
  };
  const here = () => entries().indexOf(document.activeElement as HTMLElement);
  const keys: Readonly<Record<string, () => void>> = {
    ArrowDown: () => focusOn(here() + 1),
    ArrowUp: () => focusOn(here() - 1),
    Home: () => focusOn(0),
    End: () => focusOn(-1),
    Escape: close,
    Tab: close,
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const act = keys[event.key];
    if (act === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    act();
  };
  return (
    <div class="popup-menu" role="menu" aria-label={label} tabindex={-1} onKeyDown={onKeyDown} ref={menu}>
      {items.map(({ label: text, shape, isDanger, act }) => (
        <button
          key={text}
          type="button"
          class={`menu-entry${isDanger === true ? " is-danger" : ""}`}
          role="menuitem"
          tabindex={-1}
          onClick={() => {
            close();
            act();
          }}
        >
          <Icon name={shape} />
          {text}
        </button>
      ))}
    </div>
  );
}
