/** Who reads which question of a gap: each kind of asker, each viewer, each place. docs/visibility.md shows it to people. */

import type { Asker, Gap } from "../../src/core/model/insight.ts";
import type { Place, Visibility } from "../../src/core/model/place.ts";
import type { GapFacts, GapViewer } from "../../src/insight/gaps/visibility.ts";

/** "wording": without who asked, and without the way to the thread. */
export type Sight = "listed" | "wording" | "counted" | "nothing";

const inWorkspace = (channel: string): Place => ({ platform: "slack", workspace: "T1", channel });
const general = inWorkspace("C-general");
const support = inWorkspace("C-support");
export const hr = inWorkspace("G-hr");
export const bensMessages = inWorkspace("D-ben");

type GivenAsker = Omit<Partial<Asker>, "visibility"> & { readonly visibility?: Visibility | undefined };

export const gapOf = (askers: readonly GivenAsker[], change: Partial<Gap> = {}): Gap => ({
  version: 1,
  id: "gap-1",
  platform: "slack",
  workspace: "T1",
  agent: { project: "demo", name: "support" },
  askers: askers.map(({ visibility, ...asker }, index) => ({
    turnId: `turn-${index}`,
    actor: { id: "U-ben", name: "Ben" },
    question: `wording ${index}`,
    place: general,
    visibility,
    signals: ["nothing"],
    atMs: index,
    ...asker,
  })),
  askerCount: askers.length,
  state: "open",
  createdAtMs: 0,
  lastAtMs: 0,
  ...change,
});

export type TableViewer = { readonly title: string; readonly viewer: GapViewer; readonly facts: GapFacts };

const ordinary: GapFacts = {
  mayIngest: true,
  readsPrivate: false,
  reachesAgent: true,
  visibilityNow: ({ channel }) => (channel.startsWith("C") ? "public" : channel.startsWith("D") ? "direct" : "private"),
  isMember: () => true,
};

type Reader = Extract<GapViewer, { kind: "person" }>["actor"];
const ana: Reader = { id: "U-ana" };
const person = (title: string, place: Place, facts: Partial<GapFacts> = {}, actor: Reader = ana): TableViewer => ({
  title,
  viewer: { kind: "person", actor, place },
  facts: { ...ordinary, ...facts },
});
const everyone = (title: string, place: Place): TableViewer => ({
  title,
  viewer: { kind: "channel", place },
  facts: { ...ordinary, mayIngest: false, isMember: () => false },
});

export const viewers: readonly TableViewer[] = [
  person("may add content, in #support", support),
  person("may add content, in #hr", hr),
  person("may add content, in #hr, not known to be a member", hr, { isMember: () => false }),
  person("may only ask, in #support", support, { mayIngest: false }),
  person("may only ask, in #hr", hr, { mayIngest: false }),
  person("the asker, may only ask", bensMessages, { mayIngest: false }, { id: "U-ben" }),
  person("doesn't reach the agent", hr, { reachesAgent: false }),
  person("in another workspace", { ...support, workspace: "T2" }),
  person("in a direct message outside any workspace", support, {}, { id: "U-ana", memberOf: ["T1"] }),
  everyone("everyone in #support", support),
  everyone("everyone in #hr", hr),
  person("manages, on the admin pages", inWorkspace(""), { isMember: () => false }),
  person("manages, on the admin pages with `LOG_PRIVATE=true`", inWorkspace(""), {
    isMember: () => false,
    // Its workspace may be served no longer; the list of questions shows them anyway.
    reachesAgent: false,
    readsPrivate: true,
  }),
];

export type VisibilityCase = {
  readonly title: string;
  readonly gap: Gap;
  /** What is known now, if it differs. */
  readonly now?: Partial<Pick<GapFacts, "visibilityNow">>;
  /** In the order of the viewers. */
  readonly sees: readonly Sight[];
};

const listed = "listed";
const wording = "wording";
const counted = "counted";
const nothing = "nothing";

/** A question that only members of #hr read, in #hr. */
const onlyInHr: readonly Sight[] = [
  ...[counted, listed, counted, nothing, nothing, nothing],
  ...[nothing, nothing, counted, counted, listed],
] as const;
const nobody: readonly Sight[] = [
  ...[counted, counted, counted, nothing, nothing, nothing],
  ...[nothing, nothing, counted, counted, counted],
] as const;

const cases: readonly VisibilityCase[] = [
  {
    title: "a public channel",
    gap: gapOf([{ visibility: "public" }]),
    sees: [listed, listed, listed, nothing, nothing, nothing, nothing, nothing, counted, listed, listed],
  },
  { title: "#hr, a private channel", gap: gapOf([{ place: hr, visibility: "private" }]), sees: onlyInHr },
  {
    title: "#hr, which was public then",
    gap: gapOf([{ place: hr, visibility: "public" }]),
    sees: onlyInHr,
  },
  {
    title: "#hr, which was private then and is public now",
    gap: gapOf([{ place: hr, visibility: "private" }]),
    now: { visibilityNow: () => "public" },
    sees: onlyInHr,
  },
  {
    title: "#hr, not known who could read it then",
    gap: gapOf([{ place: hr, visibility: undefined }]),
    sees: onlyInHr,
  },
  {
    title: "#hr, not known who can read it now",
    gap: gapOf([{ place: hr, visibility: "public" }]),
    now: { visibilityNow: () => undefined },
    sees: onlyInHr,
  },
  {
    title: "#hr, not known who could or can read it",
    gap: gapOf([{ place: hr, visibility: undefined }]),
    now: { visibilityNow: () => undefined },
    sees: nobody,
  },
  {
    title: "a direct message",
    gap: gapOf([{ place: bensMessages, visibility: "direct" }]),
    sees: [counted, counted, counted, nothing, nothing, listed, nothing, nothing, counted, counted, counted],
  },
  {
    title: "a direct message, shared in the form",
    gap: gapOf([{ place: bensMessages, visibility: "direct", isShared: true }]),
    sees: [wording, wording, wording, nothing, nothing, listed, nothing, nothing, counted, wording, wording],
  },
  {
    title: "a place that was forgotten",
    gap: gapOf([]),
    sees: nobody,
  },
];

/** On the admin pages people who manage read what everyone may, and with LOG_PRIVATE everything. */
export const visibilityTable: readonly VisibilityCase[] = cases.map((one) => ({
  ...one,
  sees: [...one.sees, one.sees[0] ?? nothing, one.gap.askers.length === 0 ? counted : listed],
}));
