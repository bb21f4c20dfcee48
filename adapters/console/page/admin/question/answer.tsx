/** What was answered, or what went wrong: a question's first panels. */
import type { ComponentProps } from "preact";
import type { Source } from "../../../../../src/core/model/turn.ts";
import type { SeenTexts, ShownQuestion } from "../../../../../src/overview/pages/question.ts";
import { root } from "../../connection/address.ts";
import { Markdown } from "../../drawing/drawn-markdown.ts";
import { plain } from "../../drawing/element.ts";
import { OutLink } from "../../drawing/inline.tsx";
import { Sources } from "../../drawing/sources.tsx";
import { TableFigure } from "../../drawing/table.tsx";
import { dateText } from "../../parts/dates.ts";
import { countText, numberText } from "../../parts/numbers.ts";
import { Panel } from "../../parts/panel.tsx";
import { href } from "../kit/address.ts";
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
          <span class="mono">{code}</span> <a href={new URL("docs/errors.md", root).href}>Where it comes from</a>
        </p>
      )}
      <p class="soft">
        In Parley's log: the lines with <span class="mono">{listed.ref}</span>.
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
      {table === undefined ? undefined : <TableFigure table={table} name="Result" />}
      {isPartial ? <p class="soft">The stream broke, so this may be incomplete.</p> : undefined}
      {answerOmittedChars === undefined ? undefined : (
        <p class="soft">{`${numberText(answerOmittedChars)} more characters are not stored.`}</p>
      )}
      {sources.length === 0 ? undefined : <Sources block={sourcesOf(sources)} isUnfolded />}
    </Panel>
  );
}

/** As below an answer in the chat. */
function sourcesOf(sources: readonly Source[]): ComponentProps<typeof Sources>["block"] {
  const shown = sources.map((source, at) => {
    const { title, url, excerpt } = source;
    const from = sourceAge(source);
    return {
      ...{ number: at + 1, title: plain(title) || "Untitled" },
      ...(url === undefined ? {} : { url }),
      ...(from === undefined ? {} : { from: [{ text: from }] }),
      ...(excerpt ? { excerpt: plain(excerpt) } : {}),
    };
  });
  return { kind: "sources", sources: shown };
}

/** Its title, as a link out of the page where it has an address. */
export function SourceTitle({ source: { title, url } }: { readonly source: Source }) {
  const label = plain(title) || "Untitled";
  return <span>{url === undefined ? label : <OutLink url={url}>{label}</OutLink>}</span>;
}

function sourceAge({ updatedAtMs, addedBy }: Source): string | undefined {
  const age = updatedAtMs === undefined ? [] : [`from ${dateText(updatedAtMs)}`];
  const by = addedBy === undefined ? [] : [`added by ${plain(addedBy.name)}`];
  return age.length + by.length === 0 ? undefined : [...age, ...by].join(" · ");
}
