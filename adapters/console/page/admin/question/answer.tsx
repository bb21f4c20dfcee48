/** What was answered, or what went wrong: a question's first panels. */
import type { Source, Table } from "../../../../../src/core/model/turn.ts";
import type { SeenTexts } from "../../../../../src/core/overview/questions.ts";
import type { ShownQuestion } from "../../../admin/questions.ts";
import { root } from "../../connection/address.ts";
import { Markdown } from "../../drawing/drawn-markdown.ts";
import { plain } from "../../drawing/element.ts";
import { OutLink } from "../../drawing/inline.tsx";
import { Panel } from "../../parts/panel.tsx";
import { href } from "../kit/address.ts";
import { dateText } from "../kit/dates.ts";
import { countText, numberText } from "../kit/numbers.ts";
import { platformName } from "../kit/where.tsx";

/** For those who run Parley: what the person was told to do, such as asking an admin, is no advice here. */
export function ErrorPanel({ seen: { listed, texts, failedAlike = 1 } }: { readonly seen: ShownQuestion }) {
  const { code, what } = listed.state === "ended" ? listed : { code: undefined, what: undefined };
  if (code === undefined && texts?.error === undefined) return null;
  return (
    <Panel title="What went wrong" kind="is-bad">
      <p dir="auto">{plain(texts?.error?.what ?? what ?? "It failed.")}</p>
      {code === undefined ? undefined : (
        <p>
          <span class="code">{code}</span> <a href={new URL("docs/errors.md", root).href}>Where it comes from</a>
        </p>
      )}
      <p class="soft">
        In Parley's log: the lines with <span class="code">{listed.ref}</span>.
      </p>
      {failedAlike < 2 ? undefined : (
        <p class="soft">
          {`${countText(failedAlike, "question")} failed like this in seven days. `}
          <a href={href("questions", { query: { outcome: "failed", days: 7 } })}>Show what failed</a>
        </p>
      )}
    </Panel>
  );
}

export function PrivatePanel({ seen: { listed, stepCount, sourceCount } }: { readonly seen: ShownQuestion }) {
  const { kind, platform, isOff } = listed.askedIn;
  const where =
    kind === "direct"
      ? "in a direct message"
      : isOff
        ? `on ${platformName(platform)}, which is off, and Parley can't tell who may read it there`
        : "where not everyone can read it";
  return (
    <Panel title="Answer and steps">
      <p>
        {`This was asked ${where}, so its question, answer and steps aren't shown here. `}
        Set LOG_PRIVATE=true to show them.
      </p>
      <p class="soft">{`${countText(stepCount, "step")}, ${countText(sourceCount, "source")}`}</p>
    </Panel>
  );
}

export function AnswerPanel({ texts, isEnded }: { readonly texts: SeenTexts; readonly isEnded: boolean }) {
  const { answer, table, sources, isPartial, answerOmittedChars } = texts;
  if (answer === undefined && table === undefined) {
    if (isEnded) return null;
    return (
      <Panel title="Answer">
        <p class="soft">Not yet.</p>
      </Panel>
    );
  }
  const numbered = sources.map(({ url }, index) => ({ number: index + 1, ...(url === undefined ? {} : { url }) }));
  return (
    <Panel title="Answer">
      {answer ? <Markdown text={answer} sources={numbered} /> : undefined}
      {table === undefined ? undefined : <Result table={table} />}
      {isPartial ? <p class="soft">The stream broke, so this may be incomplete.</p> : undefined}
      {answerOmittedChars === undefined ? undefined : (
        <p class="soft">{`${numberText(answerOmittedChars)} more characters are not stored.`}</p>
      )}
      {sources.length === 0 ? undefined : <Sources sources={sources} />}
    </Panel>
  );
}

function Result({ table: { columns, rows, omittedRows } }: { readonly table: Table }) {
  const cells = (Tag: "th" | "td", values: readonly string[]) =>
    values.map((value, at) => (
      <Tag key={columns[at]} dir="auto">
        {plain(value)}
      </Tag>
    ));
  return (
    <div class="result" tabindex={0} role="group" aria-label="Result">
      <table>
        <thead>
          <tr>{cells("th", columns)}</tr>
        </thead>
        <tbody>
          {rows.map((row, at) => (
            // Rows can be equal.
            <tr key={at}>{cells("td", row)}</tr>
          ))}
        </tbody>
      </table>
      {omittedRows === undefined ? undefined : <p class="soft">{countText(omittedRows, "more row")}</p>}
    </div>
  );
}

function Sources({ sources }: { readonly sources: readonly Source[] }) {
  return (
    <div class="sources">
      <b>Sources</b>
      <ol>
        {sources.map((source, at) => (
          // A source's number is its place.
          <li key={at} dir="auto">
            <SourceTitle source={source} />
            <span class="soft">{sourceAge(source)}</span>
          </li>
        ))}
      </ol>
    </div>
  );
}

/** Its title, as a link out of the page where it has an address. */
export function SourceTitle({ source: { title, url } }: { readonly source: Source }) {
  const label = plain(title) || "Untitled";
  return <span>{url === undefined ? label : <OutLink url={url}>{label}</OutLink>}</span>;
}

function sourceAge({ updatedAtMs, addedBy }: Source): string {
  const by = addedBy === undefined ? "" : ` · added by ${plain(addedBy.name)}`;
  return `${updatedAtMs === undefined ? "" : ` · from ${dateText(updatedAtMs)}`}${by}`;
}
