/**
 * Tables that become lists on a phone, with sorting by the server and "Show more" by cursor. A column says what it is on
 * a phone: "title" (the first line), "aside" (at the right of it), "line" (one of the quiet words below) or "hidden".
 */
import { type Signal, signal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { Button } from "./button.tsx";
import { KeepsFocus } from "./keeps-focus.tsx";
import { EmptyState, type Nothing, ProblemState } from "./state.tsx";

export type Column<Line> = {
  /** Empty: of what can be done, whose buttons say it. */
  readonly title: string;
  readonly cell: (line: Line) => ComponentChildren;
  readonly isNumber?: boolean;
  readonly narrow?: "title" | "aside" | "line" | "hidden";
  /** Words around the value that only a phone needs: "questions". */
  readonly before?: string;
  readonly after?: string;
};

type TableProps<Line> = {
  readonly columns: readonly Column<Line>[];
  readonly rows: readonly Line[];
  readonly label: string;
  readonly keyOf: (line: Line, index: number) => string | number;
  readonly hrefOf?: (line: Line) => string;
  /** A heading above the rows that share it ("Yesterday"). */
  readonly groupOf?: (line: Line) => string;
};

/** Roles are written out, since a row that is laid out as a block is no row for screen readers. */
export function Table<Line>({ columns, rows, label, keyOf, hrefOf, groupOf }: TableProps<Line>) {
  return (
    <table class="table" role="table" aria-label={label}>
      <thead role="rowgroup">
        <tr role="row">
          {columns.map(({ title, isNumber }) => (
            <th key={title} class={isNumber ? "is-number" : undefined} role="columnheader" scope="col">
              {title === "" ? <span class="hidden">Actions</span> : title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody role="rowgroup">
        {rows.map((line, index) => {
          const before = rows[index - 1];
          const group = groupOf?.(line);
          const isNew = group !== undefined && (before === undefined || groupOf?.(before) !== group);
          const row = <TableRow key={keyOf(line, index)} line={line} columns={columns} to={hrefOf?.(line)} />;
          return isNew ? [<GroupRow key={`group ${group}`} title={group} width={columns.length} />, row] : row;
        })}
      </tbody>
    </table>
  );
}

function GroupRow({ title, width }: { readonly title: string; readonly width: number }) {
  return (
    <tr class="group" role="row">
      <th role="rowheader" scope="rowgroup" colspan={width}>
        {title}
      </th>
    </tr>
  );
}

function TableRow<Line>({
  line,
  columns,
  to,
}: {
  readonly line: Line;
  readonly columns: readonly Column<Line>[];
  readonly to: string | undefined;
}) {
  return (
    <tr class={to === undefined ? undefined : "is-link"} role="row">
      {columns.map(({ title, cell, narrow = "line", isNumber, before, after }, index) => {
        const value = cell(line);
        const look = `on-phone-${narrow}${isNumber ? " is-number" : ""}${value === "–" ? " is-nothing" : ""}`;
        return (
          <td key={title} class={look} role="cell" data-before={before}>
            {to !== undefined && index === 0 ? (
              <a class="row-link" href={to}>
                {value}
              </a>
            ) : (
              value
            )}
            {after === undefined ? undefined : <span class="only-phone"> {after}</span>}
          </td>
        );
      })}
    </tr>
  );
}

type Page<Line> = { readonly rows: readonly Line[]; readonly next?: string | undefined };

type Read<Line> = {
  readonly rows: readonly Line[];
  readonly next: string | undefined;
  /** Where the keyboard continues: at the row of that number. */
  readonly continuesAt?: number;
  /** Why the next rows can't be read. */
  readonly problem?: unknown;
};

/** What a list knows of its rows. */
type Known<Line> = "nothing yet" | { readonly failed: unknown } | Read<Line>;

export type Listing<Line> = {
  readonly known: Signal<Known<Line>>;
  readonly isReading: Signal<boolean>;
  /** Reads it again from its beginning, as after a changed filter. */
  readonly show: () => Promise<void>;
  readonly readMore: () => Promise<void>;
};

/** A list that is read page by page. */
export function createListing<Line>({
  readPage,
  signal: ending,
  announce = () => {},
}: {
  readonly readPage: (cursor: string | undefined) => Promise<Page<Line>>;
  /** Ends with the page. */
  readonly signal: AbortSignal;
  readonly announce?: (text: string) => void;
}): Listing<Line> {
  const known = signal<Known<Line>>("nothing yet");
  const isReading = signal(false);
  let reading = 0;
  const isOver = (mine: number) => mine !== reading || ending.aborted;

  async function show(): Promise<void> {
    reading += 1;
    const mine = reading;
    isReading.value = true;
    try {
      const { rows, next } = await readPage(undefined);
      if (!isOver(mine)) known.value = { rows, next };
    } catch (failed) {
      if (!isOver(mine)) known.value = { failed };
    } finally {
      if (mine === reading) isReading.value = false;
    }
  }

  async function readMore(): Promise<void> {
    const mine = reading;
    const before = known.value;
    if (before === "nothing yet" || "failed" in before) return;
    const { rows } = before;
    try {
      const page = await readPage(before.next);
      if (isOver(mine)) return;
      known.value = { rows: [...rows, ...page.rows], next: page.next, continuesAt: rows.length };
      announce(`${page.rows.length} more`);
    } catch (problem) {
      if (!isOver(mine)) known.value = { rows, next: before.next, problem };
    }
  }

  return { known, isReading, show, readMore };
}

/** `empty` is what an empty list shows. */
export function List<Line>({
  listing,
  empty,
  children,
}: {
  readonly listing: Listing<Line>;
  readonly empty: () => Nothing;
  readonly children: (rows: readonly Line[]) => ComponentChildren;
}) {
  const known = listing.known.value;
  const box = useRef<HTMLDivElement>(null);
  const read = known === "nothing yet" || "failed" in known ? undefined : known;
  useLayoutEffect(() => {
    if (read?.continuesAt === undefined) return;
    const first = box.current?.querySelectorAll("tbody tr:not(.group), .entry")[read.continuesAt];
    first?.querySelector<HTMLElement>("a, button")?.focus({ preventScroll: true });
  }, [read]);
  return (
    <KeepsFocus box={box}>
      <div class="listing" ref={box} aria-busy={listing.isReading.value ? "true" : undefined}>
        {known !== "nothing yet" && "failed" in known ? (
          <ProblemState thrown={known.failed} again={listing.show} />
        ) : undefined}
        {read === undefined ? undefined : read.rows.length === 0 ? <EmptyState {...empty()} /> : children(read.rows)}
        {read?.next === undefined ? undefined : (
          <p class="more">
            <Button press={listing.readMore} look="plain">
              Show more
            </Button>
          </p>
        )}
        {read?.problem === undefined ? undefined : <ProblemState thrown={read.problem} again={listing.readMore} />}
      </div>
    </KeepsFocus>
  );
}
