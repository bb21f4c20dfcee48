/** Buttons, links that look like them, and a switch between a few choices. */
import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { copy, saysForMs } from "../drawing/copying/copy.ts";
import { plain } from "../drawing/element.ts";
import { Icon } from "./icon.tsx";
import type { Shape } from "./shapes.ts";
import { useOnce } from "./use-once.ts";

type Look = "primary" | "plain" | "danger";

const lookOf = (look: Look | undefined) => `action${look === undefined ? "" : ` is-${look}`}`;

export type ButtonProps = {
  readonly press: () => unknown;
  readonly look?: Look | undefined;
  readonly icon?: Shape;
  readonly label?: string | undefined;
  readonly isSmall?: boolean;
  /** Of what it unfolds: whether it is shown, and its id. */
  readonly isOpen?: boolean;
  readonly controls?: string;
  readonly children?: ComponentChildren;
};

/** A button. It is busy until what it does has ended, so that nobody presses it twice. */
export function Button({ press, look, icon, label, isSmall = false, isOpen, controls, children }: ButtonProps) {
  const { isBusy, press: onClick } = useOnce(press);
  return (
    <button
      type="button"
      class={`${lookOf(look)}${isSmall ? " is-small" : ""}`}
      aria-label={label === undefined ? undefined : plain(label)}
      aria-disabled={isBusy ? "true" : undefined}
      aria-expanded={isOpen}
      aria-controls={controls}
      onClick={onClick}
    >
      {icon === undefined ? undefined : <Icon name={icon} />}
      {children}
    </button>
  );
}

/** A link that looks like a button. */
export function LinkButton({
  href,
  look,
  icon,
  children,
}: {
  readonly href: string;
  readonly look?: Look;
  readonly icon?: Shape;
  readonly children: ComponentChildren;
}) {
  return (
    <a class={lookOf(look)} href={href}>
      {icon === undefined ? undefined : <Icon name={icon} />}
      {children}
    </a>
  );
}

/** A button that copies. `look` "icon": its label is a drawing, and what came of a press is said in words. */
export function CopyButton({
  label,
  look,
  read,
  onCopied,
}: {
  readonly label: string;
  readonly look?: "plain" | "icon";
  readonly read: () => string | Promise<string>;
  readonly onCopied?: () => void;
}) {
  const [says, setSays] = useState(label);
  const press = async () => {
    const done = await copy(read);
    if (done.isCopied) onCopied?.();
    setSays(done.says);
    setTimeout(() => setSays(label), saysForMs);
  };
  const isIcon = look === "icon" && says === label;
  return (
    <button
      type="button"
      class={`${lookOf(look === undefined ? undefined : "plain")}${isIcon ? " is-icon" : ""}`}
      data-action="copy"
      title={isIcon ? label : undefined}
      onClick={press}
    >
      {isIcon || look === undefined ? <Icon name="copy" /> : undefined}
      <span class={isIcon ? "hidden" : undefined}>{says}</span>
    </button>
  );
}

/** Opens the form again that was refused, with what was typed. */
export function FormAgain({ press }: { readonly press: () => void }) {
  return (
    <Button press={press} isSmall>
      Edit and retry
    </Button>
  );
}

/** A choice of a few. */
export function Choice<Value extends string | number>({
  label,
  options,
  chosen,
  choose,
}: {
  readonly label: string;
  readonly options: readonly (readonly [Value, string])[];
  readonly chosen: Value;
  readonly choose: (value: Value) => void;
}) {
  return (
    <div class="switch" role="group" aria-label={label}>
      {options.map(([value, text]) => (
        <button
          key={value}
          type="button"
          aria-pressed={value === chosen}
          onClick={() => value !== chosen && choose(value)}
        >
          {text}
        </button>
      ))}
    </div>
  );
}
