/**
 * Takes the words of private places out of what is exported about a person. What isn't known to be public counts as
 * private, and of a private record only what is known to hold no words stays.
 */

import type { App } from "../app.ts";
import type { KeptRecord } from "../core/content/privacy.ts";
import { type Place, type Visibility, workspaceKey } from "../core/model/place.ts";
import { withTimeout } from "../core/tools/timeout.ts";

/** Pages at /admin show these whole to people who manage; they hold names and no words of a conversation. */
const shownWhole: ReadonlySet<string> = new Set(["audit", "knowledge", "sign-ins"]);

/** Members whose text says who, where, when or which, and nothing that people wrote. */
const wordless: ReadonlySet<string> = new Set([
  ...["id", "ref", "version", "platform", "workspace", "channel", "thread", "messageId", "askedMessageId", "turnId"],
  ...["state", "visibility", "thumb", "voter", "actorId", "project", "knowledgeBase", "via", "way", "mode"],
]);

/** A platform that doesn't say in time who can read a place leaves it private. */
const visibilityMs = 500;

/** For one export: each place is asked about once. */
export function createPrivateWords(app: App) {
  const { clock } = app;
  const { turns } = app.state;
  const asked = new Map<string, Promise<Visibility | undefined>>();

  /** A thread is as public as when it was opened. */
  function visibilityNow({ platform, workspace, channel }: Place): Promise<Visibility | undefined> {
    const key = `${workspaceKey({ platform, workspace })} ${channel}`;
    const asking = asked.get(key) ?? withTimeout(askNow({ platform, workspace, channel }), visibilityMs, clock);
    asked.set(key, asking);
    return asking;
  }
  const askNow = async (place: Place) => app.sites.get(place.platform)?.platform.visibility?.(place);

  async function isPublic(value: unknown, needsThen: boolean): Promise<boolean> {
    if (needsThen && !(isObject(value) && value["visibility"] === "public")) return false;
    const places = [...placesIn(value)];
    if (places.length === 0 || saysPrivate(value)) return false;
    const now = await Promise.all(places.map(visibilityNow));
    return now.every((visibility) => visibility === "public");
  }

  /** A vote is as public as the question that it is about. */
  async function isPublicVote(record: unknown): Promise<boolean> {
    const turnId = isObject(record) ? record["turnId"] : undefined;
    const turn = typeof turnId === "string" ? await turns.get(turnId) : undefined;
    return turn !== undefined && isPublic(turn, true);
  }

  return async ({ kind, record }: KeptRecord): Promise<KeptRecord> => {
    if (shownWhole.has(kind)) return { kind, record };
    if (kind === "votes") return { kind, record: (await isPublicVote(record)) ? record : facts(record) };
    if (kind === "gaps" && isObject(record) && Array.isArray(record["askers"])) {
      // People ask the same in several places.
      const askers = record["askers"].map(async (asker) => ((await isPublic(asker, true)) ? asker : facts(asker)));
      return { kind, record: { ...record, askers: await Promise.all(askers) } };
    }
    const isShown = await isPublic(record, kind === "questions");
    return { kind, record: isShown ? record : facts(record) };
  };
}

type Members = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Members => typeof value === "object" && value !== null;

/** Every place that the record names. */
function* placesIn(value: unknown): Generator<Place> {
  if (!isObject(value)) return;
  const { platform, workspace, channel } = value;
  if (typeof platform === "string" && typeof workspace === "string" && typeof channel === "string") {
    yield { platform, workspace, channel };
  }
  for (const member of Object.values(value)) yield* placesIn(member);
}

function saysPrivate(value: unknown): boolean {
  if (!isObject(value)) return false;
  const { isPrivate, visibility } = value;
  if (isPrivate === true || (visibility !== undefined && visibility !== "public")) return true;
  return Object.values(value).some(saysPrivate);
}

function facts(record: unknown): object {
  return { ...(isObject(record) ? withoutWords(record) : {}), wordsLeftOut: true };
}

function withoutWords(record: Members): Members {
  const kept = (name: string, value: unknown): readonly [string, unknown][] => {
    if (typeof value === "number" || typeof value === "boolean") return [[name, value]];
    if (typeof value === "string") return wordless.has(name) ? [[name, value]] : [];
    if (Array.isArray(value)) return [[name, value.filter(isObject).map(withoutWords)]];
    return isObject(value) ? [[name, withoutWords(value)]] : [];
  };
  return Object.fromEntries(Object.entries(record).flatMap(([name, value]) => kept(name, value)));
}
