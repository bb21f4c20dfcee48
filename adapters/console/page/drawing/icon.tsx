/** Small drawings by name, which screen readers skip. */
import { type Shape, shapes } from "./element.ts";

/** One whose shape isn't among the page's own. */
export function Drawing({ name, path }: { readonly name: string; readonly path: string }) {
  return (
    <svg viewBox="0 0 16 16" aria-hidden="true" class={`icon icon-${name}`}>
      <path d={path} />
    </svg>
  );
}

export function Icon({ name }: { readonly name: Shape }) {
  return <Drawing name={name} path={shapes[name]} />;
}
