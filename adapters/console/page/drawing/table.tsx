/** Tables: numbers to the right, addresses as links, columns to sort by, and the first of many rows, with more on request. */
import { useRef, useState } from "preact/hooks";
import type { Inline } from "../../../../src/core/document.ts";
import type { Table } from "../../../../src/core/model/turn.ts";
import { OutLink, Words } from "./inline.tsx";
import { isShort, numberColumns } from "./numbers.ts";
import { nextOrder } from "./sorting/headings.ts";
import type { Order } from "./sorting/order.ts";
import { shownTimes, WithTimes } from "./times.tsx";

/** A browser draws these at once. */
const firstRows = 100;
const moreRows = 500;

const counted = (count: number) => count.toLocaleString("en");

const address = /^https?:\/\/[^\s<>"]{1,2000}$/i;

const lookOf = (text: string, isNumber: boolean | undefined) =>
  `${isNumber ? "is-number " : ""}${isShort(shownTimes(text)) ? "is-short" : ""}`.trim() || undefined;

/** The address itself is the link's text, so nothing else can be claimed. */
function Cell({ text, isNumber }: { readonly text: string; readonly isNumber: boolean | undefined }) {
  const isAddress = address.test(text) && URL.canParse(text);
  return (
    <td class={lookOf(text, isNumber)} dir="auto">
      {isAddress ? (
        <OutLink url={text} look={text.length <= 60 ? undefined : "is-long"}>
          {text}
        </OutLink>
      ) : (
        <WithTimes text={text} />
      )}
    </td>
  );
}

type Sorting = { readonly column: number; readonly order: Order; readonly rows: readonly number[] };

export function TableFigure({
  table: { columns, rows, omittedRows = 0 },
  caption,
  name = "Table",
}: {
  readonly table: Table;
  readonly caption?: Inline | undefined;
  readonly name?: string;
}) {
  const [sorting, setSorting] = useState<Sorting>();
  const [count, setCount] = useState(firstRows);
  const scroll = useRef<HTMLDivElement>(null);
  const isNumbers = numberColumns(columns.length, rows);
  const order = sorting?.rows ?? rows.map((_, index) => index);
  const shown = order.slice(0, count);
  const left = rows.length - shown.length;

  const sortBy = async (column: number) => {
    const { sortedBy } = await import("./sorting/order.ts");
    const wanted = nextOrder[sorting?.column === column ? sorting.order : "none"];
    const cells = rows.map((row) => row[column] ?? "");
    setSorting({ column, order: wanted, rows: sortedBy(cells, wanted) });
  };
  const showMore = () => {
    setCount(count + moreRows);
    // The button goes with the last rows.
    if (left <= moreRows) scroll.current?.focus();
  };

  return (
    <figure class="table">
      {caption === undefined ? undefined : (
        <figcaption>
          <Words spans={caption} />
        </figcaption>
      )}
      <div class="scroll" tabindex={0} role="group" aria-label={name} ref={scroll}>
        <table>
          <thead>
            <tr>
              {columns.map((column, at) => {
                const isSortable = rows.length > 1 && column.trim() !== "";
                return (
                  <th
                    // Columns can have the same name.
                    key={at}
                    class={lookOf(column, isNumbers[at])}
                    scope="col"
                    aria-sort={isSortable ? (sorting?.column === at ? sorting.order : "none") : undefined}
                  >
                    {isSortable ? (
                      <button type="button" class="sort" onClick={() => sortBy(at)}>
                        {column}
                      </button>
                    ) : (
                      column
                    )}
                  </th>
                );
              })}
            </tr>
          </thead>
          <tbody>
            {shown.map((index) => (
              <tr key={index}>
                {rows[index]?.map((text, at) => (
                  <Cell key={at} text={text} isNumber={isNumbers[at]} />
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {rows.length > firstRows ? (
        <p class="table-more quiet">
          <span role="status">{`${counted(shown.length)} of ${counted(rows.length)} rows`}</span>
          {left === 0 ? undefined : (
            <button type="button" class="action is-plain" onClick={showMore}>
              {`Show ${Math.min(left, moreRows)} more`}
            </button>
          )}
        </p>
      ) : undefined}
      {omittedRows > 0 ? (
        <p class="quiet">{`${counted(omittedRows)} more ${omittedRows === 1 ? "row" : "rows"} not shown`}</p>
      ) : undefined}
    </figure>
  );
}
