/**
 * Sends a payload with the blocks that its workspace accepts, and finds out which kinds these are.
 * A refused message is sent once more, without what could be refused again. Afterwards, Slack's validator says
 * of each suspect whether the workspace refuses that kind, for a day, or the content was at fault.
 */

import { webApi } from "@slack/bolt";
import { LRUCache } from "lru-cache";
import type { AdapterMetrics } from "../../../src/core/metrics.ts";
import type { WebClient } from "../connection/clients.ts";
import type { SlackPayload } from "../drawing/render.ts";
import { type ChosenBlock, chosenBlocks, type NewerKind, newerKinds, type SlackBlock } from "../drawing/slots.ts";
import type { SlackParts } from "../parts.ts";
import { slackCode } from "./api-errors.ts";
import { examineKind } from "./block-samples.ts";
import { type Refusals, rememberedMs } from "./refusals.ts";

export type AcceptedBlocks = ReturnType<typeof createAcceptedBlocks>;

/** A kind that the validator accepted is not examined again for this long. */
const examinedForMs = 600_000;
/** The validator may not know what a workspace has: so many refused messages outweigh it, while none is accepted. */
const maxStrikes = 3;
const maxWorkspaces = 1_000;
const blockRefusals: readonly (string | undefined)[] = ["invalid_blocks", "invalid_blocks_format"];

/** What this process has seen in one workspace. */
type Seen = {
  /** When a message with that kind was last accepted, in ms since the epoch. */
  readonly acceptedMs: Map<NewerKind, number>;
  /** Being examined: not used meanwhile. */
  readonly suspects: Set<NewerKind>;
  readonly examinedMs: Map<NewerKind, number>;
  readonly strikes: Map<NewerKind, number>;
};

export function createAcceptedBlocks(
  options: SlackParts & {
    readonly client: WebClient;
    readonly refusals: Refusals;
    readonly metrics?: AdapterMetrics | undefined;
  },
) {
  const { client, refusals, metrics, clock, log } = options;
  const workspaces = new LRUCache<string, Seen>({ max: maxWorkspaces });

  function seenIn(workspace: string): Seen {
    const known = workspaces.get(workspace);
    if (known !== undefined) return known;
    const fresh: Seen = {
      acceptedMs: new Map(),
      suspects: new Set(),
      examinedMs: new Map(),
      strikes: new Map(),
    };
    workspaces.set(workspace, fresh);
    return fresh;
  }

  async function refusedIn(workspace: string): Promise<ReadonlySet<NewerKind>> {
    const names = await refusals.of(workspace);
    const { suspects } = seenIn(workspace);
    return new Set(newerKinds.filter((kind) => suspects.has(kind) || names.has(refusedName(kind))));
  }

  function accepted(workspace: string, sent: readonly ChosenBlock[]): void {
    const { acceptedMs, strikes } = seenIn(workspace);
    for (const kind of kindsOf(sent)) {
      acceptedMs.set(kind, clock.now());
      strikes.delete(kind);
    }
  }

  function isTried(workspace: string, kind: NewerKind): boolean {
    return clock.now() - (seenIn(workspace).acceptedMs.get(kind) ?? Number.NEGATIVE_INFINITY) < rememberedMs;
  }

  /** Never rejects. */
  async function examine(workspace: string, suspects: readonly NewerKind[], says: string): Promise<void> {
    const seen = seenIn(workspace);
    for (const kind of suspects) {
      const examinedMs = seen.examinedMs.get(kind) ?? Number.NEGATIVE_INFINITY;
      const isKnown = clock.now() - examinedMs < examinedForMs;
      const verdict = isKnown ? "accepted" : await examineKind(client, kind);
      const strikes = (seen.strikes.get(kind) ?? 0) + 1;
      const isOutweighed = strikes >= maxStrikes && !isTried(workspace, kind);
      if (verdict === "accepted" && !isOutweighed) {
        if (!isKnown)
          log.warn({ workspace, kind, says }, "Slack refused the content of a message, not its kind of block");
        if (!isKnown) seen.examinedMs.set(kind, clock.now());
        seen.strikes.set(kind, strikes);
      } else {
        refusals.remember(workspace, refusedName(kind), says);
        seen.strikes.delete(kind);
        metrics?.onBlocksRefused(kind);
      }
      seen.suspects.delete(kind);
    }
  }

  return {
    /**
     * Calls `write` with the blocks to send, and once more with safe ones if Slack refuses these blocks. Should Slack
     * refuse even what it accepted before, having named only a part of it, the plainest blocks are sent.
     */
    send: async <T>(
      workspace: string,
      { slots }: Pick<SlackPayload, "slots">,
      write: (blocks: SlackBlock[]) => Promise<T>,
    ): Promise<T> => {
      const seen = seenIn(workspace);
      const toExamine = new Set<NewerKind>();
      let avoided = await refusedIn(workspace);
      let says: string | undefined;
      for (;;) {
        const sent = chosenBlocks(slots, avoided);
        try {
          const written = await write(blocksOf(sent));
          accepted(workspace, sent);
          if (says !== undefined) void examine(workspace, [...toExamine], says);
          return written;
        } catch (thrown) {
          const isRefused = blockRefusals.includes(slackCode(thrown));
          if (!isRefused || kindsOf(sent).length === 0) {
            // Refused in its plainest form, the content is at fault.
            if (isRefused) for (const kind of toExamine) seen.suspects.delete(kind);
            else if (says !== undefined) void examine(workspace, [...toExamine], says);
            throw thrown;
          }
          const reasons = reasonsOf(thrown);
          const { suspects, isSure } = suspectsOf(sent, reasons);
          const isSecond = says !== undefined;
          // Another alternative may need a kind that was not tried yet.
          avoided = new Set(
            newerKinds.filter(
              (kind) =>
                avoided.has(kind) || isSecond || !isSure || suspects.includes(kind) || !isTried(workspace, kind),
            ),
          );
          says ??= reasons[0] ?? "no reason";
          for (const kind of suspects.filter((one) => !seen.suspects.has(one))) {
            seen.suspects.add(kind);
            toExamine.add(kind);
          }
        }
      }
    },
  };
}

function refusedName(kind: NewerKind): string {
  return `blocks/${kind}`;
}

function blocksOf(chosen: readonly ChosenBlock[]): SlackBlock[] {
  return chosen.map(({ block }) => block);
}

function kindsOf(chosen: readonly ChosenBlock[]): readonly NewerKind[] {
  const needs = new Set(chosen.flatMap((one) => one.needs));
  return newerKinds.filter((kind) => needs.has(kind));
}

/** `isSure`: Slack has named each block that it refuses. Else these are the newest kinds of the message. */
function suspectsOf(
  sent: readonly ChosenBlock[],
  says: readonly string[],
): { readonly suspects: readonly NewerKind[]; readonly isSure: boolean } {
  const named = says.map((reason) => sent[Number(/json-pointer:\/blocks\/(\d{1,3})\b/.exec(reason)?.[1])]);
  const blamed = named.filter((one) => one !== undefined && one.needs.length > 0) as readonly ChosenBlock[];
  if (blamed.length > 0) return { suspects: kindsOf(blamed), isSure: blamed.length === says.length };
  const all = kindsOf(sent);
  const newest = all.filter((kind) => newerKinds.indexOf(kind) < newerKinds.indexOf("plan"));
  return { suspects: newest.length > 0 ? newest : all, isSure: false };
}

/** Slack's own words, each with a pointer to what it refuses. */
function reasonsOf(thrown: unknown): readonly string[] {
  if (!(thrown instanceof webApi.WebAPIPlatformError)) return [];
  return thrown.data.response_metadata?.messages ?? [];
}
