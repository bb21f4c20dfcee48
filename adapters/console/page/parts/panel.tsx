/** A card with a heading, and terms with what they are. */
import type { ComponentChildren } from "preact";

/** A card with a heading, or a `label` that is only heard. `note` follows the title, `extra` is at the right. */
export function Panel({
  title,
  label,
  note,
  link,
  extra,
  kind,
  children,
}: {
  readonly title?: string;
  readonly label?: string;
  readonly note?: ComponentChildren;
  readonly link?: { readonly text: string; readonly href: string };
  readonly extra?: ComponentChildren;
  readonly kind?: string;
  readonly children?: ComponentChildren;
}) {
  return (
    <section class={`panel${kind === undefined ? "" : ` ${kind}`}`} aria-label={label}>
      {title === undefined ? undefined : (
        <header>
          <h2>{title}</h2>
          {note === undefined ? undefined : <span class="soft">{note}</span>}
          {extra}
          {link === undefined ? undefined : <a href={link.href}>{link.text}</a>}
        </header>
      )}
      {children}
    </section>
  );
}

/** Terms and what they are; undefined ones are left out. */
export function Facts({ pairs }: { readonly pairs: readonly (readonly [ComponentChildren, ComponentChildren])[] }) {
  return (
    <dl class="facts">
      {pairs
        .filter(([, value]) => value !== undefined)
        .map(([name, value]) => [<dt key="name">{name}</dt>, <dd key="value">{value}</dd>])}
    </dl>
  );
}
