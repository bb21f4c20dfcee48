/** Literal text with its bold words, times and links. */
import type { ComponentChildren } from "preact";
import type { Inline, Span } from "../../../../src/core/document.ts";
import { targetOf } from "./markdown.ts";
import { WithThumbs } from "./thumbs.tsx";
import { Time, WithTimes } from "./times.tsx";

const tags = { bold: "strong", italic: "em", code: "code" } as const;

/** A link out of the page. Opens in a new tab that cannot reach this one. An address that isn't one of the web is no link. */
export function OutLink({
  url,
  look,
  children,
}: {
  readonly url: string;
  readonly look?: string | undefined;
  readonly children: ComponentChildren;
}) {
  const href = targetOf(url)?.href;
  if (href === undefined) return <>{children}</>;
  return (
    <a class={look} href={href} target="_blank" rel="noopener noreferrer" title={href}>
      {children}
    </a>
  );
}

function Styled({ span: { text, style } }: { readonly span: Span }) {
  if (style === "code") return <code>{text}</code>;
  const words = <WithThumbs text={text} draw={(piece) => <WithTimes text={piece} />} />;
  if (style === undefined) return words;
  const Tag = tags[style];
  return <Tag>{words}</Tag>;
}

export function Words({ spans }: { readonly spans: Inline }) {
  return (
    <>
      {spans.map((span, at) => {
        const { moment, url } = span;
        // Spans are pieces of one line, in their order.
        if (moment !== undefined) return <Time key={at} atMs={moment.atMs} unit={moment.unit} />;
        if (url === undefined) return <Styled key={at} span={span} />;
        return (
          <OutLink key={at} url={url}>
            <Styled span={span} />
          </OutLink>
        );
      })}
    </>
  );
}
