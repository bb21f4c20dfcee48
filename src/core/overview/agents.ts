/** The port to who answers where: channels with what is set for them, and agents with what they look in. */
import type { Mode, Place } from "../model/place.ts";
import type { PlaceName } from "./places.ts";

/** A name as people write it. "gone": the service no longer has it. */
export type NamedThing = { readonly name: string; readonly isGone?: true };

/** What became of lines that were said to nobody in a channel, in the last seven days. */
export type HeardCounts = {
  readonly answered: number;
  readonly quiet: number;
  /** Answers that were sent away. */
  readonly notForYou: number;
  /** Lines that Parley kept quiet about and a person replied to, in their thread. */
  readonly personBelow: number;
};

export type ChannelLine = PlaceName & {
  /** `channel`: "" for the workspace as a whole. */
  readonly place: Place;
  /** One person's direct messages: nobody else changes them. */
  readonly isDirect: boolean;
  /** Parley is no longer connected to the platform; what is set there can only be removed. */
  readonly isOff?: true;
  /** Who answers there. Absent: nobody, or people choose each time. */
  readonly agent?: NamedThing;
  /** What decides that. Absent: nothing does. */
  readonly from?: "channel" | "workspace" | "settings" | "only-agent";
  readonly mode: Mode;
  readonly knowledgeBase?: NamedThing;
  /** What its agent gets before each question there. */
  readonly instructions?: string;
  /** Absent: nothing was said to nobody. */
  readonly heard?: HeardCounts;
};

export type CheckLine = {
  readonly platform: string;
  readonly workspace: string;
  /** Answered questions that can be asked again. */
  readonly questions: number;
  /** The last time. */
  readonly last?: {
    readonly jobId: string;
    readonly atMs: number;
    readonly isRunning: boolean;
    /** How many answers held, of how many that were asked. */
    readonly held: number;
    readonly asked: number;
    readonly failed: number;
  };
};

export type AgentLine = {
  readonly name: string;
  readonly model?: string;
  readonly knowledgeBases: readonly NamedThing[];
  readonly tables: readonly string[];
  readonly instructions?: string;
  /** Channels and workspaces that name it themselves. */
  readonly places: number;
  readonly checks: readonly CheckLine[];
};

export type AgentsAndChannels = {
  readonly channels: readonly ChannelLine[];
  readonly agents: readonly AgentLine[];
  /** Names to choose from. */
  readonly knowledgeBases: readonly string[];
  /** Agents can be created, changed and deleted here, not only where the service is set up. */
  readonly canChange: boolean;
  /** The service could not say which agents there are. */
  readonly isServiceDown?: true;
};

export type AgentsReader = { readonly read: () => Promise<AgentsAndChannels> };
