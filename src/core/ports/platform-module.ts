/** What a platform's folder provides: its settings, id format, connection and doctor checks. */
import type { RequestListener } from "node:http";
import type { Hono } from "hono";
import type { z } from "zod";
import type { RoleLists } from "../access.ts";
import type { Audit } from "../audit.ts";
import type { CommandDefinition } from "../commands.ts";
import type { CheckAskedAlone, Forget } from "../conversations.ts";
import type { Document } from "../document.ts";
import type { AdapterMetrics } from "../metrics.ts";
import type { ChartPictures } from "../model/chart.ts";
import type { Actor, Place, PlatformName } from "../model/place.ts";
import type { Thumb, Turn } from "../model/turn.ts";
import type { ChatPlatform } from "./chat-platform.ts";
import type { Clock } from "./clock.ts";
import type { CollectionFactory } from "./collection.ts";
import type { Log } from "./log.ts";
import type { Overview } from "./overview.ts";
import type { Claims, Coordinator, KeyValueFactory } from "./state.ts";
import type { Works } from "./storage/works.ts";

/** What a platform can ask about the other settings. */
export type SettingContext = {
  readonly host: string;
  /** Only this machine can reach HOST. */
  readonly isLoopback: boolean;
  /** Without a list, the default of its role. */
  readonly roles: RoleLists;
  /** Ids of this platform in WORKSPACES; "*" for all; undefined when WORKSPACES names none. */
  readonly workspaces: "*" | readonly string[] | undefined;
  /** Whether another platform is switched on. */
  readonly hasOthers: boolean;
  /** Whether it is set, valid or not. */
  readonly isGiven: (setting: string) => boolean;
  /** Reports a missing or contradictory setting; the process then exits with that sentence. */
  readonly report: (setting: string, why: string) => void;
};

/** A person's vote on the answer of a Turn there, or a browser's. Rejects with state_unavailable. */
export type OwnVote = (turnId: string, place: Place, voter: string) => Promise<Thumb | undefined>;

/** The question that this event asked; undefined while it isn't stored. Rejects with state_unavailable. */
export type TurnOf = (eventKey: string) => Promise<Turn | undefined>;

type Reader = { readonly actor: Actor; readonly place: Place };

/** Untrusted. `text` is the whole passage. */
export type FoundPassages = {
  readonly base: string;
  readonly passages: readonly {
    readonly text: string;
    readonly title: string;
    readonly url?: string | undefined;
    readonly updatedAtMs?: number | undefined;
  }[];
};

/** A document of a knowledge base. Untrusted. */
export type ReadableDocument = {
  readonly id: string;
  readonly title: string;
  readonly url?: string | undefined;
  readonly readAtMs: number;
  /** False: the agent service read it itself, and only it knows its text. */
  readonly hasText: boolean;
};
export type ReadDocument = ReadableDocument & { readonly text: string };

/**
 * Knowledge bases as a person reaches them in a place, for programs that read more than a message shows. Each rejects with
 * the ParleyError of a command that is refused. Each call of `search` and `read` counts as a command of that person.
 */
export type KnowledgeReading = {
  /** Undefined: no knowledge base is set there. */
  readonly search: (
    who: Reader,
    query: { readonly words: string; readonly base?: string | undefined; readonly limit: number },
  ) => Promise<FoundPassages | undefined>;
  /** Newest first, from the number `from` (0: the newest). */
  readonly documents: (
    who: Reader,
    base: string,
    page: { readonly from: number; readonly count: number },
  ) => Promise<{ readonly documents: readonly ReadableDocument[]; readonly total: number }>;
  readonly read: (who: Reader, base: string, id: string) => Promise<ReadDocument>;
};

/** What a platform needs to connect. */
export type PlatformParts = {
  readonly keyValue: KeyValueFactory;
  readonly collection: CollectionFactory;
  /** Defined before the start, done after it. */
  readonly works: Works;
  readonly claims: Claims;
  readonly coordinator: Coordinator;
  /** Forgets a conversation, as /parley forget does. */
  readonly forget: Forget;
  /** Deletes everything that Parley stores about that workspace. Can be repeated. */
  readonly forgetWorkspace: (workspace: string) => Promise<void>;
  readonly checkAskedAlone: CheckAskedAlone;
  /** Forgets everything that is set for a channel, such as who answers there. */
  readonly unbind: (place: Place) => Promise<void>;
  readonly commands: {
    /** All of them, whatever the agent service has: platforms register these. */
    readonly definitions: readonly CommandDefinition[];
    /** Those that the service has something for now. */
    readonly shown: () => readonly CommandDefinition[];
    /** One line about each group of commands. */
    readonly groups: Readonly<Record<string, string>>;
    /** COMMAND_PREFIX, "" without one. */
    readonly prefix: string;
  };
  /** Ids of the channels in that workspace that have an agent or mode set. */
  readonly boundChannels: (workspace: string) => Promise<readonly string[]>;
  /** What an empty conversation shows a person there. Within half a second; never rejects. */
  readonly firstView: (actor: Actor, place: Place) => Promise<Document>;
  readonly ownVote: OwnVote;
  readonly turnOf: TurnOf;
  readonly readKnowledge: KnowledgeReading;
  readonly pictures: ChartPictures;
  /** For the pages of those who run Parley. */
  readonly overview: Overview;
  readonly audit: Audit;
  /** Parley's own. */
  readonly version: string;
  /** Absent: nothing is counted. */
  readonly metrics?: AdapterMetrics;
  /** NOTIFY_AFTER_SECONDS, in ms: longer answers are worth a notification. 0: none is. */
  readonly notifyAfterMs: number;
  readonly http: {
    /** Routes are added before the server listens. */
    readonly app: Hono;
    /** For libraries that bring their own listener. The path is compared exactly. */
    readonly handleNode: (path: string, listener: RequestListener) => void;
    /** PUBLIC_URL, else the server's address on this machine; without a slash at the end. */
    readonly baseUrl: string;
    /** PUBLIC_URL, without a slash at the end. It may have a path. */
    readonly publicUrl?: string;
    /** TRUSTED_PROXY, as CIDRs. */
    readonly trustedProxy?: readonly string[] | undefined;
    /** HOST. */
    readonly host: string;
  };
  /** Time in ms after which conversations expire. */
  readonly retentionMs: number;
  readonly clock: Clock;
  readonly log: Log;
};

/** A finding of the doctor. `says` follows the platform's name and includes what to do if something is wrong. */
export type PlatformFinding = { readonly isOk: boolean; readonly says: string };

/** A platform that is switched on. */
export type ConfiguredPlatform = {
  readonly name: PlatformName;
  /** Loads the platform's libraries and connects, but accepts no events before `ChatPlatform.start`. */
  readonly connect: (parts: PlatformParts) => Promise<ChatPlatform>;
  /** Rejects with ParleyError when the platform is unreachable. */
  readonly examine: (parts: Pick<PlatformParts, "clock" | "log">) => Promise<readonly PlatformFinding[]>;
};

export type PlatformModule = {
  readonly name: PlatformName;
  /** Name in the doctor's findings. */
  readonly label: string;
  /** Heading of its settings in the documents. */
  readonly title: string;
  /** Each member says what it is with `meta`, as in src/config/settings.ts. */
  readonly settings: z.ZodObject;
  /** Ids in MANAGERS, WORKSPACES and similar lists that do not match are refused, because they could never apply. */
  readonly idPattern: RegExp;
  /** Whether these lists can contain `name:role:id`. */
  readonly hasRoles: boolean;
  /** Everyone who can reach it is an admin (the page: loopback or its token). */
  readonly isTrusted?: true;
  /** It decides itself which workspaces are served. */
  readonly checksWorkspaces?: true;
  /** What the doctor says when it is switched off. Absent: nothing. */
  readonly whenOff?: string;
  /** Undefined when the settings switch it off. */
  readonly configure: (values: Record<string, unknown>, context: SettingContext) => ConfiguredPlatform | undefined;
};

/** Infers the type of the values that `configure` receives from the settings. */
export function platformModule<T extends z.ZodObject>(
  module: Omit<PlatformModule, "settings" | "configure"> & {
    readonly settings: T;
    readonly configure: (values: z.infer<T>, context: SettingContext) => ConfiguredPlatform | undefined;
  },
): PlatformModule {
  // config.ts parses the values with the same schema, so they have these types.
  return module as unknown as PlatformModule;
}
