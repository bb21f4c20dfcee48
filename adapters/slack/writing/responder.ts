/**
 * Answers the person who caused a Slack event, privately or publicly.
 * A private answer takes the first way that works: a modal for raw steps, the response_url (5 uses in 30 minutes,
 * works even where the bot isn't a member), an ephemeral message, a direct message.
 */
import { webApi } from "@slack/bolt";
import type { Document } from "../../../src/core/document.ts";
import type { Place } from "../../../src/core/model/place.ts";
import type { Responder } from "../../../src/core/ports/chat-platform.ts";
import { createPause } from "../../../src/core/tools/pause.ts";
import { defaultRoom, drawWithin } from "../../../src/presentation/drawing.ts";
import { replacePosts } from "../../shared/posts.ts";
import { type Clients, retryAfterRateLimit, retryWhileBusy } from "../connection/clients.ts";
import { drawView } from "../drawing/document-modal.ts";
import { render, type SlackPayload } from "../drawing/render.ts";
import { isDirectChannel, placeOf, threadTs } from "../ids.ts";
import { maxResponseUses, platformLimits, responseUrlLifeMs } from "../limits.ts";
import type { SlackParts } from "../parts.ts";
import { slackCode, toPlatformError } from "./api-errors.ts";
import type { MessageApi } from "./message-api.ts";

export type Asker = {
  readonly userId: string;
  /** Where to show a private answer. */
  readonly place: Place;
  /** Where to show a public answer: the thread of the Conversation. */
  readonly publicPlace: Place;
  readonly responseUrl?: string;
  /** Set if a private answer is a document to read; it is then shown in a modal. */
  readonly modalTrigger?: string;
  /** Asked in the Home tab: what no modal shows is a lasting direct message, because nobody sees a fleeting one there. */
  readonly isHome?: boolean;
  /** The button was in a message that only this person sees: the answer replaces it. */
  readonly replacesSource?: boolean;
};

export type Respond = (asker: Asker) => Responder;

const responseTimeoutMs = 8_000;
const { answers: room = defaultRoom } = platformLimits;

export function createRespond(
  options: SlackParts & {
    readonly clients: Clients;
    readonly messages: MessageApi;
  },
): Respond {
  const { clients, messages, clock, log } = options;

  const openModal = async (trigger: string, document: Document): Promise<string | undefined> => {
    const view = await drawView(document, createPause(clock));
    if (view === undefined) return undefined;
    try {
      return (await clients.final.views.open({ trigger_id: trigger, view })).view?.id;
    } catch (thrown) {
      log.debug({ code: slackCode(thrown) ?? "unreachable" }, "A modal could not be opened in Slack");
      return undefined;
    }
  };

  return (asker) => {
    const startedMs = clock.now();
    let uses = 0;
    let viewId: string | undefined;
    let posted: readonly (string | undefined)[] = [];
    let answeredPrivately = false;

    const mayUseUrl = () =>
      asker.responseUrl !== undefined && uses < maxResponseUses && clock.now() - startedMs < responseUrlLifeMs;

    const viaUrl = async (payload: SlackPayload, type: "ephemeral" | "in_channel", replaces: boolean) => {
      // Without a message of its own, such as a menu's, nothing may be replaced: then it belongs into the thread, too.
      const isInPlace = replaces && asker.replacesSource === true;
      const thread = isInPlace ? undefined : threadTs(asker.place);
      await messages.send(asker.place.workspace, payload, async (blocks) => {
        uses += 1;
        await postResponse(asker.responseUrl ?? "", {
          response_type: type,
          replace_original: replaces,
          text: payload.text,
          blocks,
          thread_ts: thread,
        });
      });
    };

    const viaEphemeral = async (payload: SlackPayload) => {
      const { channel, workspace } = asker.place;
      const thread = threadTs(asker.place);
      await retryWhileBusy(clock, () =>
        messages.send(workspace, payload, (blocks) =>
          clients.final.chat.postEphemeral({
            channel,
            user: asker.userId,
            text: payload.text,
            blocks,
            thread_ts: thread,
          }),
        ),
      );
    };

    const viaDirectMessage = (payload: SlackPayload) =>
      retryAfterRateLimit(clock, () =>
        messages.post(clients.final, placeOf(asker.place.workspace, asker.userId), payload),
      );

    const sendPrivately = async (document: Document) => {
      if (viewId !== undefined) {
        const view = await drawView(document, createPause(clock));
        if (view !== undefined) await clients.final.views.update({ view_id: viewId, view });
        return;
      }
      if (asker.modalTrigger !== undefined && !answeredPrivately) {
        viewId = await openModal(asker.modalTrigger, document);
        if (viewId !== undefined) return;
      }
      const { payloads } = await drawWithin(document, room, render, createPause(clock));
      for (const [index, payload] of payloads.entries()) {
        const replaces = index === 0 && (answeredPrivately || asker.replacesSource === true);
        const ways = [
          ...(mayUseUrl() ? [() => viaUrl(payload, "ephemeral", replaces)] : []),
          ...(asker.isHome === true ? [] : [() => viaEphemeral(payload)]),
          () => viaDirectMessage(payload),
        ];
        await firstThatWorks(ways);
      }
      answeredPrivately = true;
    };

    /** Resolves with false if the message can't be edited any longer, so that the caller posts a new one. */
    const edited = async (ts: string, payload: SlackPayload): Promise<boolean> => {
      try {
        await retryWhileBusy(clock, () => messages.update(clients.final, asker.publicPlace, ts, payload));
        return true;
      } catch (thrown) {
        if (!["message_gone", "message_not_editable"].includes(toPlatformError(thrown).code)) throw thrown;
        return false;
      }
    };

    const sendPublicly = async (document: Document) => {
      const { payloads } = await drawWithin(document, room, render, createPause(clock));
      posted = await replacePosts(posted, payloads, {
        edit: edited,
        post: async (payload) => {
          try {
            return (await retryAfterRateLimit(clock, () => messages.post(clients.final, asker.publicPlace, payload)))
              .ts;
          } catch (thrown) {
            if (!mayUseUrl()) throw thrown;
            await viaUrl(payload, "in_channel", false);
            return undefined;
          }
        },
        remove: (ts) => messages.remove(clients.final, asker.publicPlace.channel, ts),
      });
    };

    return {
      hide: async () => {
        // Nobody else reads a private answer that came as a direct message.
        const isOwn = asker.replacesSource === true || isDirectChannel(asker.place.channel);
        if (!isOwn || !mayUseUrl()) return;
        uses += 1;
        await postResponse(asker.responseUrl ?? "", { delete_original: true }).catch((thrown: unknown) =>
          log.info({ code: slackCode(thrown) ?? "unreachable" }, "A private message could not be hidden in Slack"),
        );
      },
      send: async (document, visibility) => {
        try {
          await (visibility === "private" ? sendPrivately(document) : sendPublicly(document));
        } catch (thrown) {
          const error = toPlatformError(thrown);
          log.warn({ err: error, code: slackCode(thrown), visibility }, "A person could not be answered in Slack");
        }
      },
    };
  };
}

/** Posts to a response_url. Throws Slack's own code where it says one. */
export async function postResponse(url: string, body: Readonly<Record<string, unknown>>): Promise<void> {
  const response = await fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json; charset=utf-8" },
    body: JSON.stringify(body),
    redirect: "error",
    signal: AbortSignal.timeout(responseTimeoutMs),
  });
  const text = await response.text();
  if (response.ok && !text.includes('"ok":false')) return;
  const code = /[a-z]+(?:_[a-z]+)+/.exec(text)?.[0] ?? `http_${response.status}`;
  throw new webApi.WebAPIPlatformError({ ok: false, error: code });
}

async function firstThatWorks(ways: readonly (() => Promise<unknown>)[]): Promise<void> {
  let failure: unknown;
  for (const way of ways) {
    try {
      await way();
      return;
    } catch (thrown) {
      failure = thrown;
    }
  }
  throw failure;
}
