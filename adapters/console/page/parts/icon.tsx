/** A small drawing by its name, which screen readers skip. */
import { type Shape, shapes } from "./shapes.ts";

export function Icon({ name }: { readonly name: Shape }) {
  return (
    <svg viewBox="0 0 16 16" aria-hidden="true" class={`icon icon-${name}`}>
      <path d={shapes[name]} />
    </svg>
  );
}
