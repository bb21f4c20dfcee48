/** What a conversation without messages shows: who answers there, questions to ask, and next steps; or that it is gone. */
import type { ConsolePayload } from "../../writing/messages.ts";
import { hrefOf } from "../conversations/address.ts";
import type { Missing } from "../conversations/missing.ts";
import type { Press } from "./buttons.tsx";
import { ShownBlock } from "./card.tsx";
import { Words } from "./inline.tsx";

/** An empty conversation. */
export function Welcome({ payload, press }: { readonly payload: ConsolePayload; readonly press: Press }) {
  const context = { tone: payload.tone, sources: [], charts: [], press };
  return (
    <section class="welcome">
      {payload.blocks.map((block, at) =>
        block.kind === "headline" ? (
          // Blocks of one message, in their order.
          <h2 key={at}>
            <Words spans={block.text} />
          </h2>
        ) : (
          <ShownBlock key={at} block={block} context={context} />
        ),
      )}
    </section>
  );
}

/** An address that leads nowhere: what it names was deleted, or belongs to someone else. */
export function Gone({ what, channel }: { readonly what: Missing; readonly channel: string }) {
  return (
    <section class="gone">
      <h2>{`This ${what} no longer exists or isn’t yours.`}</h2>
      <p class="soft">It may have been deleted, or it may have expired.</p>
      <a class="action is-primary begin" href={hrefOf({ channel })}>
        New conversation
      </a>
    </section>
  );
}
