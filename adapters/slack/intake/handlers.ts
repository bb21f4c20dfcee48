/**
 * What one workspace's events do: translate, look up the author, pass to the bridge, acknowledge as the bridge says.
 * Nothing here decides or waits for an agent. A trigger opens one modal within 3 s. Slack has no "is thinking…";
 * Parley's placeholder follows within a second.
 */
import { type Choice, type Completion, completions } from "../../../src/core/document.ts";
import type { Actor, Place } from "../../../src/core/model/place.ts";
import type { Acknowledgement, InboundPort, Responder } from "../../../src/core/ports/chat-platform.ts";
import { withTimeout } from "../../../src/core/tools/timeout.ts";
import { errorDocument } from "../../../src/presentation/drawing.ts";
import { noticeSentences } from "../../../src/presentation/sentences.ts";
import { isReply } from "../catch-up/missed.ts";
import type { Watermarks } from "../catch-up/watermarks.ts";
import type { Clients } from "../connection/clients.ts";
import { type Delivery, localDelivery } from "../connection/receiver.ts";
import { formCallback, formMetadata, formView, suggestFreeAction, suggestions } from "../drawing/forms.ts";
import { eventKey, isDirectChannel, orderAt, pendingThread, placeOf, type Self } from "../ids.ts";
import { maxPressAckMs, maxSuggestionMs } from "../limits.ts";
import type { SlackParts } from "../parts.ts";
import type { MessageLookups } from "../reading/lookups.ts";
import type { Lookups } from "../reading/read-message.ts";
import { slackCode } from "../writing/api-errors.ts";
import type { DirectMessages } from "../writing/direct-messages.ts";
import type { Asker, Respond } from "../writing/responder.ts";
import { statedOrganisation, topLevelOf, translateAction, translateCommand, translateShortcut } from "./actions.ts";
import { type Actors, botActor } from "./actors.ts";
import type {
  SlackActions,
  SlackCommand,
  SlackEvent,
  SlackMessage,
  SlackMessageShortcut,
  SlackSubmission,
  SlackSuggestion,
  SlackView,
} from "./events.ts";
import { attachmentOf } from "./files.ts";
import { formFiles, formValues, viewErrors } from "./form-values.ts";
import { type Translated, translateEvent } from "./inbound.ts";
import { mentions } from "./inbound-text.ts";

/** Passes on a message that was read. Resolves with false if it could not be stored. */
export type PassOnMissed = (self: Self, channel: string, message: SlackMessage) => Promise<boolean>;

/** How an event came. */
type Arrival = {
  readonly delivery: Delivery;
  /** Slack sent it before. */
  readonly isRetry: boolean;
};

export type Handler<T> = (parsed: T, self: Self, arrival: Arrival) => Promise<unknown>;

/** By what Slack sends. What one gets stays unacknowledged, and comes again, until it or the bridge acknowledges it. */
export type Handlers = {
  readonly event: Handler<SlackEvent>;
  readonly command: Handler<SlackCommand>;
  readonly action: Handler<SlackActions>;
  readonly shortcut: Handler<SlackMessageShortcut>;
  readonly view: Handler<SlackSubmission>;
  readonly options: Handler<SlackSuggestion>;
  readonly missed: PassOnMissed;
};

/** Ways to answer that an event brings along. */
type AnswerWays = Partial<Pick<Asker, "responseUrl" | "modalTrigger" | "replacesSource" | "isHome">> & {
  readonly triggerId?: string;
  readonly submitted?: SlackView;
};

export function createHandlers(
  deps: SlackParts & {
    readonly port: Promise<InboundPort>;
    readonly clients: Clients;
    readonly actors: Actors;
    readonly lookups: MessageLookups;
    readonly respond: Respond;
    readonly directMessages: DirectMessages;
    /** A person gave the thread's session a title. */
    readonly sessionRenamed: (place: Place) => void;
    /** Whether the app may read the files that people give to a form. */
    readonly readsFiles: () => boolean;
    readonly watermarks: Watermarks;
    /** Resolves when the missed messages of that channel have been passed on, or after a short while. */
    readonly before: (channel: string) => Promise<void>;
  },
): Handlers {
  const { clients, actors, clock, log } = deps;

  const passOn = async (
    delivery: Delivery,
    self: Self,
    { author, inbound }: Translated,
    ways: AnswerWays = {},
  ): Promise<Actor> => {
    const actor =
      author.kind === "bot"
        ? botActor(self, author.message)
        : await actors.person(self, author.id, author.organisation);
    const { triggerId: _trigger, submitted: _view, ...asked } = ways;
    const publicPlace = ("conversation" in inbound ? inbound.conversation : undefined) ?? inbound.place;
    const reply = deps.respond({ userId: actor.id, place: inbound.place, publicPlace, ...asked });
    // A question about a message belongs in that message's thread, even if it does not exist yet.
    const where = inbound.kind === "shortcut" ? inbound.conversation : inbound.place;
    const ack = (how: Acknowledgement) => acknowledge(how, { delivery, reply, where, ways });
    const port = await deps.port;
    await port.handle({ ...inbound, actor, ack, reply });
    return actor;
  };

  const acknowledge = async (
    how: Acknowledgement,
    about: {
      readonly delivery: Delivery;
      readonly reply: Responder;
      readonly where: Place;
      readonly ways: AnswerWays;
    },
  ): Promise<void> => {
    const { delivery, reply, where, ways } = about;
    const { triggerId, submitted } = ways;
    switch (how.kind) {
      case "none":
      case "defer":
      case "defer-private":
        return delivery.acknowledge();
      case "form": {
        const { responseUrl, isHome, replacesSource } = ways;
        const replaces = replacesSource === true ? (true as const) : undefined;
        const opened = { channel: where.channel, thread: where.thread, responseUrl, isHome, replacesSource: replaces };
        const view = formView(how.form, opened, deps.readsFiles());
        if (submitted !== undefined) return delivery.acknowledge({ response_action: "update", view });
        await Promise.all([delivery.acknowledge(), openForm(how.form.id, view, triggerId, reply)]);
        return;
      }
      case "form-errors": {
        const errors = submitted === undefined ? {} : viewErrors(how.errors, submitted);
        if (Object.keys(errors).length === 0) return delivery.acknowledge();
        return delivery.acknowledge({ response_action: "errors", errors });
      }
      default:
        return how satisfies never;
    }
  };

  const openForm = async (
    form: string,
    view: ReturnType<typeof formView>,
    triggerId: string | undefined,
    reply: Responder,
  ) => {
    if (triggerId === undefined) {
      log.error({ form }, "A form cannot be opened from this kind of Slack event");
      return;
    }
    try {
      await clients.final.views.open({ trigger_id: triggerId, view });
    } catch (thrown) {
      log.warn({ code: slackCode(thrown), err: thrown, form }, "A form could not be opened in Slack");
      await reply.send(errorDocument(noticeSentences.formTooLate), "private");
    }
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

  /** Of messages that are probably answered; in all others ids stay ids. */
  const lookUp = async (self: Self, event: SlackEvent): Promise<Lookups> => {
    if (event.type !== "message" && event.type !== "app_mention") return deps.lookups.known;
    const message = event.message ?? event;
    const isMeant = mentions(message.text ?? "", self.userId).own || isDirectChannel(event.channel) || isReply(message);
    if (!isMeant || !deps.lookups.needs(self, message)) return deps.lookups.known;
    return deps.lookups.of(self, [message]);
  };

  return {
    event: async (event, self, { delivery, isRetry }) => {
      const translated = translateEvent(event, self, await lookUp(self, event));
      if (event.type === "agent_session_title_changed") {
        deps.sessionRenamed(placeOf(self.teamId, event.channel, event.thread_ts));
      }
      if (translated === undefined) {
        noteHeard(event);
        return delivery.acknowledge();
      }
      const { author, inbound } = translated;
      if (event.type === "app_home_opened") {
        await deps.directMessages.opened(placeOf(self.teamId, event.user), event.channel);
      }
      const isRepeated = inbound.kind === "message" && isRetry;
      // Only replies: any other message starts its own conversation.
      if (inbound.kind === "message" && inbound.place.thread !== undefined) {
        await deps.before(inbound.place.channel);
        if (deps.watermarks.wasHeard(inbound.place.channel, inbound.messageId)) return delivery.acknowledge();
      }
      const actor = await passOn(delivery, self, {
        author,
        inbound: isRepeated ? { ...inbound, isRepeated } : inbound,
      });
      if (!delivery.isAcknowledged()) return;
      noteAsked(inbound, actor);
      noteHeard(event);
    },

    command: (command, self, { delivery }) => {
      const { trigger_id: triggerId, response_url: responseUrl } = command;
      const translated = translateCommand(command, self, clock.now(), actors.knownName);
      return passOn(delivery, self, translated, { triggerId, responseUrl });
    },

    action: async (pressed, self, { delivery }) => {
      // Slack sends no press again. A late acknowledgement would only show a warning while the press has its effect.
      clock.after(maxPressAckMs, () => void delivery.acknowledge());
      const isHome = pressed.view?.type === "home";
      const direct = isHome ? await deps.directMessages.resolve(placeOf(self.teamId, pressed.user.id)) : undefined;
      const translated = translateAction(pressed, self, clock.now(), direct?.channel);
      if (translated === undefined) return delivery.acknowledge();
      const { trigger_id: triggerId, response_url: responseUrl, container } = pressed;
      const opensModal = isHome || (translated.inbound.kind === "action" && translated.inbound.action === "raw-steps");
      return passOn(delivery, self, translated, {
        triggerId,
        modalTrigger: opensModal ? triggerId : undefined,
        responseUrl,
        replacesSource: container.is_ephemeral === true,
        ...(isHome ? { isHome } : {}),
      });
    },

    shortcut: async (shortcut, self, { delivery }) => {
      // The form shows the name of the message's author.
      const { user } = shortcut.message;
      const [lookups] = await Promise.all([
        deps.lookups.of(self, [shortcut.message]),
        user === undefined ? undefined : actors.person(self, user),
      ]);
      const translated = translateShortcut(shortcut, self, clock.now(), lookups);
      if (translated === undefined) return delivery.acknowledge();
      const { trigger_id: triggerId, response_url: responseUrl } = shortcut;
      return passOn(delivery, self, translated, { triggerId, responseUrl });
    },

    view: async (submission, self, { delivery }) => {
      const { view, user, trigger_id: triggerId } = submission;
      const about = view.callback_id === formCallback ? formMetadata(view) : undefined;
      if (about === undefined) return delivery.acknowledge();
      const inbound = {
        kind: "form" as const,
        // Equal for each submission of the form: a person who sees no reaction in time submits again. A form shown with
        // errors was not accepted and can be submitted again.
        eventKey: eventKey(self.teamId, "form", view.id, about.form),
        order: orderAt(clock.now()),
        place: placeOf(self.teamId, about.channel, about.thread),
        // A question asked by the form needs its own thread.
        conversation: placeOf(self.teamId, about.channel, about.thread ?? pendingThread(triggerId ?? view.id)),
        ...topLevelOf(about.channel, about.thread),
        formId: about.form,
        context: about.context,
        values: formValues(view, about.keep ?? []),
        attachments: formFiles(view).map(attachmentOf),
      };
      const { responseUrl, isHome, replacesSource } = about;
      return passOn(
        delivery,
        self,
        { author: { kind: "person", id: user.id, organisation: statedOrganisation(submission, self) }, inbound },
        { submitted: view, triggerId, responseUrl, isHome, replacesSource },
      );
    },

    options: async (asked, self, { delivery }) => {
      const about = asked.view === undefined ? undefined : formMetadata(asked.view);
      if (about === undefined) return delivery.acknowledge();
      const completes = completionOf(asked.action_id);
      const find = async (): Promise<readonly Choice[]> => {
        if (completes === undefined) return [];
        const actor = await actors.person(self, asked.user.id, statedOrganisation(asked, self));
        const place = placeOf(self.teamId, about.channel, about.thread);
        const port = await deps.port;
        return port.complete({ completes, typed: asked.value, place, actor });
      };
      // Slack shows nothing at all after 3 s; an empty list at least shows that there are no options.
      const choices = (await withTimeout(find(), maxSuggestionMs, clock)) ?? [];
      const options = suggestions(choices, asked.value, asked.action_id.startsWith(suggestFreeAction));
      return delivery.acknowledge({ options });
    },

    missed: async (self, channel, message) => {
      const lookups = await deps.lookups.of(self, [message]);
      const translated = translateEvent({ ...message, type: "message", channel }, self, lookups);
      if (translated === undefined) return true;
      const { author, inbound } = translated;
      const delivery = localDelivery();
      const actor = await passOn(delivery, self, {
        author,
        inbound: inbound.kind === "message" ? { ...inbound, isRepeated: true } : inbound,
      });
      if (!delivery.isAcknowledged()) return false;
      noteAsked(inbound, actor);
      deps.watermarks.heard(channel, message.ts, message.thread_ts);
      return true;
    },
  };
}

/** "suggest-free:table" */
function completionOf(actionId: string): Completion | undefined {
  const named = actionId.split(":")[1];
  return completions.find((completion) => completion === named);
}
