/** Larkmere, a made-up company that sells booking software to small hotels: its people, channels and agents. */
import { privateChannelOf } from "../../adapters/console/channels/reading.ts";
import type { Actor, Mode, Place, Visibility } from "../../src/core/model/place.ts";

/** Where its people talk. */
export type Company = {
  readonly channels: readonly Channel[];
  readonly peopleIn: (place: Place) => readonly Person[];
};

/** The project of the built-in service, and of most others. */
export const project = "mindsdb";

export const slackTeam = "T0LARKMERE";
export const discordGuild = "1143204418122301440";

export type Channel = {
  readonly place: Place;
  readonly name: string;
  readonly agent: string;
  readonly mode: Mode;
  readonly visibility: Visibility;
  /** Share of the questions. */
  readonly weight: number;
  readonly isGone?: true;
};

const slack = (channel: string): Place => ({ platform: "slack", workspace: slackTeam, channel });
const discord = (channel: string): Place => ({ platform: "discord", workspace: discordGuild, channel });
const page = (channel: string): Place => ({ platform: "console", workspace: "local", channel });

const channels: readonly Channel[] = [
  ...[
    { place: slack("C0FRONTDESK"), name: "front-desk", agent: "support", mode: "thread", weight: 38 } as const,
    { place: slack("C0REVENUE"), name: "revenue", agent: "sales", mode: "every", weight: 25 } as const,
    { place: discord("1143204419523198987"), name: "help", agent: "support", mode: "channel", weight: 17 } as const,
    { place: slack("C0ENGINEER"), name: "engineering", agent: "product_guide", mode: "mention", weight: 9 } as const,
    { place: page("general"), name: "general", agent: "support", mode: "thread", weight: 4 } as const,
    { place: page("random"), name: "random", agent: "support", mode: "thread", weight: 1 } as const,
    {
      place: discord("1143204419523198990"),
      name: "beta-hotels",
      agent: "product_guide",
      mode: "thread",
      weight: 3,
    } as const,
    {
      place: slack("C0PILOT26"),
      name: "pilot-2026",
      agent: "onboarding_old",
      mode: "mention",
      weight: 1,
      isGone: true,
    } as const,
  ].map((channel) => ({ ...channel, visibility: "public" as const })),
  { place: slack("C0PRICING"), name: "pricing-team", agent: "sales", mode: "thread", visibility: "private", weight: 4 },
];

export type Person = {
  readonly actor: Actor;
  /** Where they talk with Parley alone. */
  readonly alone?: Place;
  readonly role: "manage" | "ingest" | "ask";
  readonly weight: number;
};

function person(id: string, name: string, role: Person["role"], weight: number): Person {
  const actor = {
    ...{ id, workspace: slackTeam, name, isAdmin: role === "manage", isGuest: false, isExternal: false, isBot: false },
    roles: [],
  };
  return { actor, alone: slack(`D0${id.slice(2)}`), role, weight };
}

const people: readonly Person[] = [
  person("U0ANA", "Ana Ferreira", "manage", 6),
  person("U0THEO", "Theo Lindqvist", "manage", 5),
  person("U0MINA", "Mina Okafor", "ingest", 9),
  person("U0JONAS", "Jonas Weber", "ask", 11),
  person("U0PRIYA", "Priya Raman", "ask", 10),
  person("U0LUCIA", "Lucía Peña", "ask", 8),
  person("U0KENJI", "Kenji Mori", "ask", 7),
  person("U0SARAH", "Sarah O’Neill", "ask", 9),
  person("U0EMRE", "Emre Yıldız", "ask", 6),
  person("U0CHLOE", "Chloé Martin", "ask", 6),
  person("U0DAVID", "David Osei", "ask", 5),
  person("U0INGRID", "Ingrid Solberg", "ask", 4),
  person("U0TOMASZ", "Tomasz Nowak", "ask", 4),
  person("U0GRACE", "Grace Lin", "ask", 3),
];

/** Hotels that write on Discord. */
const guests: readonly Person[] = [
  ...[
    "harbourview",
    "villa_sole",
    "pension_anna",
    "the_old_mill",
    "casa_verde",
    "nordlys_inn",
    "kaya_suites",
    "moorland",
  ],
].map((name, index) => {
  const { actor, role, weight } = person(`11432044${40_000_000 + index * 7_919}`, name, "ask", 8 - index);
  return { role, weight, actor: { ...actor, workspace: discordGuild } };
});

/** On the page, without signing in. */
export const visitor: Person = {
  actor: { ...person("you", "You", "manage", 1).actor, workspace: "local" },
  role: "manage",
  weight: 1,
};

/** In Slack, with hotels on Discord; few use the page. */
export const onPlatforms: Company = {
  channels,
  peopleIn: ({ platform }) => (platform === "slack" ? people : platform === "discord" ? guests : [visitor]),
};

/** The same people, who sign in to the page and talk there alone. */
const onPagePeople: readonly Person[] = people.map(({ actor, ...rest }) => {
  const id = actor.id.slice(2).toLowerCase();
  return { ...rest, actor: { ...actor, id, workspace: "local" }, alone: page(privateChannelOf(id)) };
});

/** What they say there stands in channels that everybody on the page reads. */
export const onPage: Company = {
  channels: channels
    .filter(({ visibility }) => visibility === "public")
    .map((channel) => ({ ...channel, place: page(channel.name) })),
  peopleIn: () => onPagePeople,
};

export const bases = {
  handbook: { name: "handbook", about: "How we work with hotels" },
  helpCentre: { name: "help_centre", about: "The public help centre" },
  releases: { name: "release_notes", about: "What changed in each version" },
} as const;

export const agents = [
  { name: "support", bases: [bases.handbook.name, bases.helpCentre.name, bases.releases.name] },
  { name: "sales", bases: [bases.handbook.name] },
  { name: "product_guide", bases: [bases.releases.name, bases.helpCentre.name] },
] as const;
