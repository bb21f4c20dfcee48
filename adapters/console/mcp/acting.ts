/**
 * What a person does through an MCP client: the commands, buttons and forms of the page, as that person, in the channel
 * where their conversations begin. So who may do it, how often, and what the audit log says is decided where it always is.
 */
import { randomUUID } from "node:crypto";
import type { Block, Completion, Document, FieldErrors, Form, FormValues } from "../../../src/core/document.ts";
import { ParleyError } from "../../../src/core/errors.ts";
import { type Place, workspaceKey } from "../../../src/core/model/place.ts";
import type { Inbound, InboundPort } from "../../../src/core/ports/chat-platform.ts";
import type { Clock } from "../../../src/core/ports/clock.ts";
import { byWhom } from "../../../src/core/tools/ids.ts";
import { documentText } from "../../../src/presentation/markdown.ts";
import { actorAt } from "../admin/act.ts";
import type { Channels } from "../channels/channels.ts";
import { placeOf } from "../intake/inbound.ts";
import { actorOf, type Visitor } from "../people/visitor.ts";

/** What Parley said to it, to that person alone. */
export type Said = {
  /** The last one. Absent: nothing. */
  readonly document?: Document;
  readonly form?: Form;
  readonly errors?: FieldErrors;
};

export type Deed =
  | { readonly kind: "command"; readonly path: string; readonly options: Readonly<Record<string, string>> }
  | { readonly kind: "action"; readonly action: string; readonly value: string }
  | { readonly kind: "form"; readonly formId: string; readonly values: FormValues; readonly context: string };

/** Of what that person does under that id: another person with the same id means another event. */
export const eventKeyOf = ({ id: person }: Visitor, id: string) =>
  `${workspaceKey(placeOf("", ""))}/mcp/${byWhom(person, id)}`;

export type Acting = ReturnType<typeof createActing>;

export function createActing({
  channels,
  port,
  baseUrl,
  clock,
}: {
  readonly channels: Pick<Channels, "listFor">;
  /** Undefined before the start and after the end. */
  readonly port: () => InboundPort | undefined;
  /** URL of the page, without a trailing slash. */
  readonly baseUrl: string;
  readonly clock: Pick<Clock, "now">;
}) {
  function portNow(): InboundPort {
    const found = port();
    if (found === undefined) throw new ParleyError("state_unavailable");
    return found;
  }

  /** A new conversation begins in the first one: their own, if they have one. */
  async function channelFor(visitor: Visitor): Promise<string> {
    const [first] = await channels.listFor(visitor);
    if (first === undefined) throw new ParleyError("place_gone");
    return first.id;
  }

  return {
    channelFor,

    /** A document without its buttons, which a client can't press, and with links that lead to the page from elsewhere. */
    textOf: ({ blocks }: Pick<Document, "blocks">): string => {
      const read = blocks.filter(({ kind }) => kind !== "actions" && kind !== "divider");
      return documentText({ tone: "info", blocks: withWholeLinks(read, baseUrl), actions: [], summary: "" });
    },

    /** Resolves when Parley has said everything to that person. Throws state_unavailable. */
    act: async (visitor: Visitor, deed: Deed, where?: Place, id: string = randomUUID()): Promise<Said> => {
      // What it says to everyone, such as the end of a job, begins a conversation.
      const place = where ?? placeOf(await channelFor(visitor), id);
      let said: Said = {};
      const base = {
        eventKey: eventKeyOf(visitor, id),
        order: String(clock.now()).padStart(16, "0"),
        place,
        conversation: place,
        actor: actorAt(visitor, place),
        ack: async (how: Parameters<Inbound["ack"]>[0]) => {
          if (how.kind === "form") said = { ...said, form: how.form };
          if (how.kind === "form-errors") said = { ...said, errors: how.errors };
        },
        reply: {
          send: async (document: Document) => {
            said = { ...said, document };
          },
        },
      };
      await portNow().handle(inboundOf(deed, base));
      return said;
    },

    /** Names that this person reaches there, at most 25. */
    names: async (visitor: Visitor, completes: Completion, typed = ""): Promise<readonly string[]> => {
      const place = placeOf(await channelFor(visitor), "");
      const found = await portNow().complete({ completes, typed, place, actor: actorOf(visitor) });
      return found.map(({ value }) => value);
    },
  };
}

type Base = Pick<Inbound, "eventKey" | "order" | "place" | "actor" | "ack" | "reply"> & {
  readonly conversation: Place;
};

function inboundOf(deed: Deed, base: Base): Inbound {
  switch (deed.kind) {
    case "command": {
      const { path, options } = deed;
      return { ...base, kind: "command", input: { kind: "structured", path, options }, attachments: [] };
    }
    case "action":
      return { ...base, kind: "action", action: deed.action, value: deed.value };
    case "form": {
      const { formId, values, context } = deed;
      return { ...base, kind: "form", formId, values, context };
    }
    default:
      return deed satisfies never;
  }
}

/** On the page, links to Parley's own pages have no host. */
function withWholeLinks(blocks: readonly Block[], baseUrl: string): readonly Block[] {
  return JSON.parse(JSON.stringify(blocks), function (this: { readonly kind?: unknown }, key: string, value: unknown) {
    if (typeof value !== "string") return value;
    if (key === "url" && /^\/(?!\/)/.test(value)) return `${baseUrl}${value}`;
    return key === "text" && this.kind === "markdown" ? value.replace(/\]\(\/(?!\/)/g, `](${baseUrl}/`) : value;
  });
}
