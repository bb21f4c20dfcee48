/** Lines of a list. */
import type { ComponentChildren } from "preact";

/** What matters, and below it what is quieter; on a phone both are one line. */
export function Stacked({ text, quiet = "" }: { readonly text: string; readonly quiet?: string | undefined }) {
  return (
    <span class="stacked">
      {text}
      {quiet === "" ? undefined : <span class="under">{quiet}</span>}
    </span>
  );
}

/** A line of a list: what it is, what went wrong, a quieter line, and what can be done. */
export function Row({
  title,
  problem,
  line,
  actions,
  extra,
}: {
  readonly title: ComponentChildren;
  readonly problem?: string | undefined;
  readonly line?: ComponentChildren;
  readonly actions?: ComponentChildren;
  readonly extra?: ComponentChildren;
}) {
  return (
    <li class="entry">
      <div>
        <p class="entry-title" dir="auto">
          {title}
        </p>
        {extra}
        {problem === undefined ? undefined : (
          <p class="entry-line is-failure" dir="auto">
            {problem}
          </p>
        )}
        {line === undefined ? undefined : (
          <p class="entry-line" dir="auto">
            {line}
          </p>
        )}
      </div>
      {actions}
    </li>
  );
}

export function Rows({ children }: { readonly children: ComponentChildren }) {
  return (
    <ul class="rows" role="list">
      {children}
    </ul>
  );
}
