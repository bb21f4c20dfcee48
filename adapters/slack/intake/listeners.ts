/**
 * Registers Bolt's listeners: parse, translate, look up the author, pass to the bridge.
 * Nothing here decides or waits for an agent. An event is claimed before the first wait, so that only the bridge
 * acknowledges it.
 */
import type { App } from "@slack/bolt";
import { type Choice, type Completion, completions } from "../../../src/core/document.ts";
import type { Actor, Place } from "../../../src/core/model/place.ts";
import type { InboundPort } from "../../../src/core/ports/chat-platform.ts";
import { withTimeout } from "../../../src/core/tools/timeout.ts";
import { isReply } from "../catch-up/missed.ts";
import type { Watermarks } from "../catch-up/watermarks.ts";
import type { Clients } from "../connection/clients.ts";
import { formCallback, formMetadata, suggestFreeAction, suggestions } from "../drawing/forms.ts";
import { eventKey, isDirectChannel, orderAt, pendingThread, placeOf, type Self } from "../ids.ts";
import { maxPressAckMs, maxSuggestionMs } from "../limits.ts";
import type { SlackParts } from "../parts.ts";
import type { MessageLookups } from "../reading/lookups.ts";
import type { Lookups } from "../reading/read-message.ts";
import type { DirectMessages } from "../writing/direct-messages.ts";
import type { Asker, Respond } from "../writing/responder.ts";
import { createAcknowledge, type EventAck, eventAckOf, localAck } from "./acknowledge.ts";
import { statedOrganisation, topLevelOf, translateAction, translateCommand, translateShortcut } from "./actions.ts";
import { type Actors, botActor } from "./actors.ts";
import { createReaders, type SlackEvent, type SlackMessage, type SlackView } from "./events.ts";
import { attachmentOf } from "./files.ts";
import { formFiles, formValues } from "./form-values.ts";
import { type Translated, translateEvent } from "./inbound.ts";
import { mentions } from "./inbound-text.ts";

export type ListenerDeps = SlackParts & {
  readonly port: InboundPort;
  readonly clients: Clients;
  readonly actors: Actors;
  readonly lookups: MessageLookups;
  readonly respond: Respond;
  /** Rejects until Slack has returned Parley's ids: events stay unacknowledged and come again. */
  readonly self: () => Promise<Self>;
  readonly directMessages: DirectMessages;
  /** A person gave the thread's session a title. */
  readonly sessionRenamed: (place: Place) => void;
  /** Whether the app may read the files that people give to a form. */
  readonly readsFiles: () => boolean;
  readonly watermarks: Pick<Watermarks, "heard" | "wasHeard" | "joined">;
  /** Resolves when the missed messages of that channel have been passed on, or after a short while. */
  readonly before: (channel: string) => Promise<void>;
};

/** Passes on a message that was read. Resolves with false if it could not be stored. */
export type PassOnMissed = (self: Self, channel: string, message: SlackMessage) => Promise<boolean>;

/** Ways to answer that an event brings along. */
type AnswerWays = Partial<Pick<Asker, "responseUrl" | "modalTrigger" | "replacesSource" | "isHome">> & {
  readonly triggerId?: string;
  readonly submitted?: SlackView;
};

export function listen(app: App, deps: ListenerDeps): PassOnMissed {
  const { port, clients, actors, clock, log } = deps;
  const read = createReaders(log);

  const passOn = async (
    eventAck: EventAck,
    self: Self,
    { author, inbound }: Translated,
    ways: AnswerWays = {},
  ): Promise<Actor> => {
    eventAck.claim();
    const actor =
      author.kind === "bot"
        ? botActor(self, author.message)
        : await actors.person(self, author.id, author.organisation);
    const { triggerId, submitted, ...asked } = ways;
    const publicPlace = ("conversation" in inbound ? inbound.conversation : undefined) ?? inbound.place;
    const reply = deps.respond({ userId: actor.id, place: inbound.place, publicPlace, ...asked });
    // A question about a message belongs in that message's thread, even if it does not exist yet.
    const { channel, thread } = inbound.kind === "shortcut" ? inbound.conversation : inbound.place;
    const ack = createAcknowledge({
      eventAck,
      client: clients.final,
      log,
      reply,
      takesFiles: deps.readsFiles(),
      where: {
        channel,
        thread,
        responseUrl: ways.responseUrl,
        isHome: ways.isHome,
        replacesSource: ways.replacesSource === true ? true : undefined,
      },
      triggerId,
      submitted,
    });
    await port.handle({ ...inbound, actor, ack, reply });
    return actor;
  };

  const noteHeard = (event: SlackEvent) => {
    const isSaid = event.type === "message" || event.type === "app_mention";
    if (isSaid && event.message === undefined && event.deleted_ts === undefined) {
      deps.watermarks.heard(event.channel, event.ts, event.thread_ts);
    }
  };

  /** Not for external people and bots, whose threads would all be read after an outage: Parley's post marks them. */
  const noteAsked = (inbound: Translated["inbound"], { isExternal, isBot }: Actor) => {
    if (isExternal || isBot || inbound.kind !== "message" || !(inbound.mentionsParley || inbound.isDirect)) return;
    const { channel, thread } = inbound.conversation;
    if (thread !== undefined) deps.watermarks.joined(channel, thread, inbound.messageId);
  };

  const ownIds = async (eventAck: EventAck): Promise<Self | undefined> => {
    try {
      return await deps.self();
    } catch {
      eventAck.claim();
      return undefined;
    }
  };

  /** Of messages that are probably answered; in all others ids stay ids. */
  const lookUp = async (eventAck: EventAck, self: Self, event: SlackEvent): Promise<Lookups> => {
    if (event.type !== "message" && event.type !== "app_mention") return deps.lookups.known;
    const message = event.message ?? event;
    const isMeant = mentions(message.text ?? "", self.userId).own || isDirectChannel(event.channel) || isReply(message);
    if (!isMeant || !deps.lookups.needs(self, message)) return deps.lookups.known;
    eventAck.claim();
    return deps.lookups.of(self, [message]);
  };

  app.event(/.*/, async ({ event: raw, context }) => {
    const event = read.event(raw);
    const eventAck = eventAckOf(context);
    const self = event === undefined ? undefined : await ownIds(eventAck);
    if (event === undefined || self === undefined) return;
    if (event.type === "agent_session_title_changed") {
      return deps.sessionRenamed(placeOf(self.teamId, event.channel, event.thread_ts));
    }
    const translated = translateEvent(event, self, await lookUp(eventAck, self, event));
    if (translated === undefined) {
      noteHeard(event);
      return eventAck.acknowledge();
    }
    const { author, inbound } = translated;
    if (event.type === "app_home_opened") {
      eventAck.claim();
      await deps.directMessages.opened(placeOf(self.teamId, event.user), event.channel);
    }
    const isRepeated = inbound.kind === "message" && (context.retryNum ?? 0) > 0;
    // Only replies: any other message starts its own conversation.
    if (inbound.kind === "message" && inbound.place.thread !== undefined) {
      eventAck.claim();
      await deps.before(inbound.place.channel);
      if (deps.watermarks.wasHeard(inbound.place.channel, inbound.messageId)) return eventAck.acknowledge();
    }
    const actor = await passOn(eventAck, self, { author, inbound: isRepeated ? { ...inbound, isRepeated } : inbound });
    if (!eventAck.isAcknowledged()) return;
    noteAsked(inbound, actor);
    noteHeard(event);
  });

  app.command(/.*/, async ({ body, context }) => {
    const command = read.command(body);
    const eventAck = eventAckOf(context);
    const self = command === undefined ? undefined : await ownIds(eventAck);
    if (command === undefined || self === undefined) return;
    const { trigger_id: triggerId, response_url: responseUrl } = command;
    const translated = translateCommand(command, self, clock.now(), actors.knownName);
    await passOn(eventAck, self, translated, { triggerId, responseUrl });
  });

  app.action(/.*/, async ({ body, context }) => {
    const pressed = read.actions(body);
    const eventAck = eventAckOf(context);
    const self = pressed === undefined ? undefined : await ownIds(eventAck);
    if (pressed === undefined || self === undefined) return;
    // Slack sends no press again. A late acknowledgement would only show a warning while the press has its effect.
    clock.after(maxPressAckMs, () => void eventAck.acknowledge());
    const isHome = pressed.view?.type === "home";
    if (isHome) eventAck.claim();
    const direct = isHome ? await deps.directMessages.resolve(placeOf(self.teamId, pressed.user.id)) : undefined;
    const translated = translateAction(pressed, self, clock.now(), direct?.channel);
    if (translated === undefined) return;
    const { trigger_id: triggerId, response_url: responseUrl, container } = pressed;
    const opensModal = isHome || (translated.inbound.kind === "action" && translated.inbound.action === "raw-steps");
    await passOn(eventAck, self, translated, {
      triggerId,
      modalTrigger: opensModal ? triggerId : undefined,
      responseUrl,
      replacesSource: container.is_ephemeral === true,
      ...(isHome ? { isHome } : {}),
    });
  });

  app.shortcut(/.*/, async ({ body, context }) => {
    const shortcut = read.shortcut(body);
    const eventAck = eventAckOf(context);
    const self = shortcut === undefined ? undefined : await ownIds(eventAck);
    if (shortcut === undefined || self === undefined) return;
    eventAck.claim();
    // The form shows the name of the message's author.
    const { user } = shortcut.message;
    const [lookups] = await Promise.all([
      deps.lookups.of(self, [shortcut.message]),
      user === undefined ? undefined : actors.person(self, user),
    ]);
    const translated = translateShortcut(shortcut, self, clock.now(), lookups);
    if (translated === undefined) return eventAck.acknowledge();
    const { trigger_id: triggerId, response_url: responseUrl } = shortcut;
    await passOn(eventAck, self, translated, { triggerId, responseUrl });
  });

  app.view(/.*/, async ({ body, context }) => {
    const submission = read.submission(body);
    const eventAck = eventAckOf(context);
    const about = submission === undefined ? undefined : formMetadata(submission.view);
    if (submission === undefined || about === undefined || submission.view.callback_id !== formCallback) return;
    const self = await ownIds(eventAck);
    if (self === undefined) return;
    const { view, user, trigger_id: triggerId } = submission;
    const place = placeOf(self.teamId, about.channel, about.thread);
    const inbound = {
      kind: "form" as const,
      // Equal for each submission of the form: a person who sees no reaction in time submits again. A form shown with
      // errors was not accepted and can be submitted again.
      eventKey: eventKey(self.teamId, "form", view.id, about.form),
      order: orderAt(clock.now()),
      place,
      // A question asked by the form needs its own thread.
      conversation: placeOf(self.teamId, about.channel, about.thread ?? pendingThread(triggerId ?? view.id)),
      ...topLevelOf(about.channel, about.thread),
      formId: about.form,
      context: about.context,
      values: formValues(view, about.keep ?? []),
      attachments: formFiles(view).map(attachmentOf),
    };
    await passOn(
      eventAck,
      self,
      { author: { kind: "person", id: user.id, organisation: statedOrganisation(submission, self) }, inbound },
      {
        submitted: view,
        triggerId,
        responseUrl: about.responseUrl,
        isHome: about.isHome,
        replacesSource: about.replacesSource,
      },
    );
  });

  app.options(/.*/, async ({ body, context }) => {
    const asked = read.suggestion(body);
    const eventAck = eventAckOf(context);
    const about = asked?.view === undefined ? undefined : formMetadata(asked.view);
    const self = asked === undefined ? undefined : await ownIds(eventAck);
    if (asked === undefined || about === undefined || self === undefined) return;
    eventAck.claim();
    const completes = completionOf(asked.action_id);
    const find = async (): Promise<readonly Choice[]> => {
      if (completes === undefined) return [];
      const actor = await actors.person(self, asked.user.id, statedOrganisation(asked, self));
      const place = placeOf(self.teamId, about.channel, about.thread);
      return port.complete({ completes, typed: asked.value, place, actor });
    };
    // Slack shows nothing at all after 3 s; an empty list at least shows that there are no options.
    const choices = (await withTimeout(find(), maxSuggestionMs, clock)) ?? [];
    const options = suggestions(choices, asked.value, asked.action_id.startsWith(suggestFreeAction));
    await eventAck.acknowledge({ options });
  });

  return async (self, channel, message) => {
    const lookups = await deps.lookups.of(self, [message]);
    const translated = translateEvent({ ...message, type: "message", channel }, self, lookups);
    if (translated === undefined) return true;
    const { author, inbound } = translated;
    const eventAck = localAck();
    const actor = await passOn(eventAck, self, {
      author,
      inbound: inbound.kind === "message" ? { ...inbound, isRepeated: true } : inbound,
    });
    if (!eventAck.isAcknowledged()) return false;
    noteAsked(inbound, actor);
    deps.watermarks.heard(channel, message.ts, message.thread_ts);
    return true;
  };
}

/** "suggest-free:table" */
function completionOf(actionId: string): Completion | undefined {
  const named = actionId.split(":")[1];
  return completions.find((completion) => completion === named);
}
