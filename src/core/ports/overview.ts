/** The port to the pages for those who run Parley, as what serves them mounts them below `/api/admin`. */
import type { Actor, Place } from "../model/place.ts";

/** One request. The page's server has already checked that they may see the page. */
export type Asked = {
  readonly viewer: Actor;
  /** The query and the parts of the path or, of a POST, its JSON. Each page parses what it uses. */
  readonly input: unknown;
};

/** A file that is written while it is read, however long it is. */
export type AdminFile = { readonly name: string; readonly type: string; readonly text: AsyncIterable<string> };

/** `Given`: what the functions of a page get before that; those that are mounted have it already. */
export type AdminPage<Given extends readonly unknown[] = []> = {
  /** In URLs: "gaps" is `/admin/gaps`, `/api/admin/gaps`, `/api/admin/gaps/…` and `/api/admin/gaps.csv`. */
  readonly name: string;
  /** Who may see it. Each role includes the lower ones. */
  readonly least: "manage" | "ingest";
  /** It shows Parley as a whole, so people who manage only some workspaces don't see it. */
  readonly isOfAll?: true;
  /** Not a page of its own: it has routes, but no entry in the sidebar. */
  readonly isHidden?: true;
  /** The number beside its entry in the sidebar; 0 and undefined show none. */
  readonly count?: (...given: [...Given, viewer: Actor]) => Promise<number | undefined>;
  /** By what follows its name in the URL, such as "" and "/:question". What they resolve to is sent as JSON. */
  readonly get?: Readonly<Record<string, (...given: [...Given, asked: Asked]) => Promise<object>>>;
  readonly post?: Readonly<Record<string, (...given: [...Given, asked: Asked]) => Promise<object>>>;
  readonly files?: Readonly<Record<string, (...given: [...Given, asked: Asked]) => AdminFile>>;
};

export type Overview = {
  /** In the order of the sidebar. */
  readonly pages: readonly AdminPage[];
  /** LOG_PRIVATE: people who manage read what was asked in private. */
  readonly showsPrivate: boolean;
  /** "unknown": no platform of that name is connected. "own": Parley's page. "direct": one person's messages. */
  readonly kindOf: (place: Place) => "unknown" | "own" | "direct" | "shared";
  /** Known to be open to everyone in the workspace; a workspace as a whole isn't a channel, so it isn't. */
  readonly isPublic: (place: Place) => Promise<boolean>;
};
