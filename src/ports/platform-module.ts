/**
 * What a platform's folder gives to the rest of Parley: its settings, the form of its ids, how to connect it, and what
 * `npm run doctor` checks.
 */
import type { RequestListener } from "node:http";
import type { Hono } from "hono";
import type { z } from "zod";
import type { ChatPlatform } from "./chat-platform.ts";
import type { Clock } from "./clock.ts";
import type { CommandDefinition } from "./command-contract.ts";
import type { Log } from "./log.ts";
import type { PlatformName } from "./model/place.ts";
import type { Coordinator, KeyValueFactory } from "./state.ts";

export type Setting = {
  readonly form: z.ZodType<unknown, string>;
  /** As text, in the same form as the value. */
  readonly default?: string;
  /** For the documents, where the default is not a single value. */
  readonly defaultWords?: string;
  readonly example: string;
  readonly about: string;
  readonly isSecret?: true;
  /** Also read under its lower-case name, as other programs do. */
  readonly hasLowerCaseTwin?: true;
};

export type SettingTable = Readonly<Record<string, Setting>>;

type Output<S> = S extends { readonly form: z.ZodType<infer Value, string> } ? Value : never;

/** Parsed values by name. Without a default, a setting that is not set is undefined. */
export type ValuesOf<T extends SettingTable> = {
  readonly [N in keyof T]: T[N] extends { readonly default: string } ? Output<T[N]> : Output<T[N]> | undefined;
};

/** What a platform can ask about the other settings. */
export type SettingContext = {
  readonly host: string;
  /** Only this machine can reach HOST. */
  readonly isLoopback: boolean;
  /** Ids of this platform in WORKSPACES; "*" for all; undefined when it names none of them. */
  readonly workspaces: "*" | readonly string[] | undefined;
  /** Whether another platform is switched on. */
  readonly hasOthers: boolean;
  /** Set, whether or not its value is valid. */
  readonly isGiven: (setting: string) => boolean;
  /** Reports a missing or contradicting setting: the process then ends with that sentence. */
  readonly report: (setting: string, why: string) => void;
};

/** What a platform is connected with. */
export type PlatformParts = {
  readonly keyValue: KeyValueFactory;
  readonly coordinator: Coordinator;
  readonly commands: {
    readonly definitions: readonly CommandDefinition[];
    /** One line about each group of commands. */
    readonly groups: Readonly<Record<string, string>>;
    /** COMMAND_PREFIX, "" without one. */
    readonly prefix: string;
  };
  /** Ids of the channels of that workspace for which an agent or mode is set. */
  readonly boundChannels: (workspace: string) => Promise<readonly string[]>;
  readonly http: {
    /** Routes are added before the server listens. */
    readonly app: Hono;
    /** For libraries that bring their own listener. The path is compared exactly. */
    readonly handleNode: (path: string, listener: RequestListener) => void;
    /** URL of the server without a slash at the end. */
    readonly baseUrl: string;
    /** HOST. */
    readonly host: string;
  };
  /** Ms after which conversations expire. */
  readonly retentionMs: number;
  readonly clock: Clock;
  readonly log: Log;
};

/** A sentence of the doctor; it follows the platform's name and says what to do if something is wrong. */
export type PlatformFinding = { readonly isOk: boolean; readonly says: string };

/** A platform that its settings switch on. */
export type ConfiguredPlatform = {
  readonly name: PlatformName;
  /** Loads the platform's libraries and connects it, but takes nothing in before `ChatPlatform.start`. */
  readonly connect: (parts: PlatformParts) => Promise<ChatPlatform>;
  /** Rejects with ParleyError when the platform cannot be reached. */
  readonly examine: (parts: Pick<PlatformParts, "clock" | "log">) => Promise<readonly PlatformFinding[]>;
};

export type PlatformModule = {
  readonly name: PlatformName;
  /** What the doctor calls it. */
  readonly label: string;
  /** Heading of its settings in the documents. */
  readonly title: string;
  readonly settings: SettingTable;
  /** An id in MANAGERS, WORKSPACES and the like that does not match is refused: it could never apply. */
  readonly idPattern: RegExp;
  /** Whether `name:role:id` is possible in these lists. */
  readonly hasRoles: boolean;
  /** People reach it only by being let in as an admin (the page: loopback or its token). */
  readonly isTrusted?: true;
  /** It checks by itself which workspaces are served. */
  readonly checksWorkspaces?: true;
  /** What the doctor says when it is switched off; silent without it. */
  readonly whenOff?: string;
  /** Undefined when the settings switch it off. */
  readonly configure: (values: ValuesOf<SettingTable>, context: SettingContext) => ConfiguredPlatform | undefined;
};

/** Types the values that `configure` receives by the settings. */
export function platformModule<const T extends SettingTable>(
  module: Omit<PlatformModule, "settings" | "configure"> & {
    readonly settings: T;
    readonly configure: (values: ValuesOf<T>, context: SettingContext) => ConfiguredPlatform | undefined;
  },
): PlatformModule {
  // The values that come are those of the module's own settings: config.ts parses them by the same table.
  return module as unknown as PlatformModule;
}
