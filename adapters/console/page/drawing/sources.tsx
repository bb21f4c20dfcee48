/** What an answer rests on: numbered sources, and the passages that a step found. */
import { useLayoutEffect, useRef } from "preact/hooks";
import type { Block } from "../../../../src/core/document.ts";
import type { Source } from "../../../../src/core/model/turn.ts";
import { OutLink, Words } from "./inline.tsx";
import { leadsTo } from "./markdown.ts";
import { showsPassage } from "./passage.ts";

type SourcesBlock = Extract<Block, { readonly kind: "sources" }>;
type Numbered = SourcesBlock["sources"][number];

/** "refunds · example.com": a title made of its address. */
function endsWithHost(title: string, url: string): boolean {
  const words = title.replace(/ \(from [^()]*\)$/, "");
  return words === leadsTo(url) || words.endsWith(` · ${leadsTo(url)}`);
}

function Title({ source: { title, url } }: { readonly source: Pick<Source, "title" | "url"> }) {
  if (url === undefined) return <>{title}</>;
  return (
    <>
      <OutLink url={url}>{title}</OutLink>
      {endsWithHost(title, url) ? undefined : <span class="leads">{leadsTo(url)}</span>}
    </>
  );
}

/** The number of a source, which shows the beginning of its passage. */
function PassageButton({ label, excerpt }: { readonly label: string; readonly excerpt: string }) {
  const button = useRef<HTMLButtonElement>(null);
  useLayoutEffect(() => {
    if (button.current !== null) showsPassage(button.current, excerpt);
  }, []);
  return (
    <button type="button" class="number" ref={button}>
      {label}
    </button>
  );
}

/** `isUnfolded`: there is room for the passages, so nobody has to point at a number. */
export function Sources({
  block: { sources },
  isUnfolded,
}: {
  readonly block: SourcesBlock;
  readonly isUnfolded: boolean;
}) {
  const number = ({ number: own, excerpt }: Numbered) =>
    excerpt === undefined || isUnfolded ? (
      <span class="number">{`[${own}]`}</span>
    ) : (
      <PassageButton label={`[${own}]`} excerpt={excerpt} />
    );
  return (
    <div class={`sources${isUnfolded ? " is-unfolded" : ""}`} role="group" aria-label="Sources">
      <span class="sources-name" aria-hidden="true">
        Sources
      </span>
      <ol role="list">
        {sources.map((source) => (
          <li key={source.number}>
            {number(source)} <Title source={source} />
            {source.from === undefined ? undefined : (
              <span class="said-by">
                {" · "}
                <Words spans={source.from} />
              </span>
            )}
            {isUnfolded && source.excerpt !== undefined ? (
              <blockquote class="excerpt" dir="auto">
                {source.excerpt}
              </blockquote>
            ) : undefined}
          </li>
        ))}
      </ol>
    </div>
  );
}

/** Titles alone: the passages stand with the sources of the answer. */
export function StepSources({ sources = [] }: { readonly sources?: readonly Source[] | undefined }) {
  if (sources.length === 0) return null;
  return (
    <ul class="step-sources" role="list" aria-label="Found">
      {sources.map((source, at) => (
        // Two passages can be of one page.
        <li key={at}>
          <Title source={source} />
          {source.addedBy === undefined ? undefined : <span class="said-by">{` · from ${source.addedBy.name}`}</span>}
        </li>
      ))}
    </ul>
  );
}
