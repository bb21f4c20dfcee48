/** Scenes of bench/jobs/bench.ts. */
import { quantile } from "../bots/answers.ts";
import type { Measure } from "../measure.ts";
import { playNamed, type Scenes } from "../scenes.ts";
import { openJobsRoom } from "./room.ts";
import type { Report, WorldOptions } from "./world.ts";

const world: WorldOptions = { version: "25.9.1.2", agents: 1, insertMs: 5, sites: 40, pageKilobytes: 80 };
const addresses = 1_000;
/** By then everything has been loaded and done once; what grows later grows with the addresses. */
const warmAfter = 200;
const agents = 5_000;
const patientMinutes = 12;
/** Between two edits of a Job's message, but for the last one, which shows the end at once. Timers may be a bit early. */
const minEditMs = 2_900;

type Way = "parley" | "service";

export const scenes = {
  parley: () => thousand("parley"),
  service: () => thousand("service"),

  completion: async () => {
    const room = await openJobsRoom({ ...world, agents, sites: 0 });
    const typed = ["", "a", "agent", "agent_4", "agent_49", "agent_499", "agent_4999", "4999", "gent_00", "t_4"];
    // Twenty seconds, so that the list is read anew in the middle.
    const tookMs = await room.complete([...typed, ...typed, ...typed, ...typed, ...typed], 400);
    await room.close();
    const name = `suggestions out of ${agents.toLocaleString("en")} agents`;
    return [
      { name: `${name}, median`, value: quantile(tookMs, 0.5), unit: "ms" },
      { name: `${name}, slowest`, value: Math.max(...tookMs), target: { atMost: 300 }, unit: "ms" },
    ];
  },
} satisfies Scenes;

/** As long as it says: not among those that are played every time. */
const slowScenes = {
  patience: async () => (await Promise.all([patience("parley"), patience("service")])).flat(),
} satisfies Scenes;

async function thousand(way: Way): Promise<Measure[]> {
  const room = await openJobsRoom(world);
  const urls = Array.from({ length: addresses }, (_, at) => `${room.sites[at % room.sites.length]}/page${at}`);
  const samples: { readonly inserted: number; readonly memory: number }[] = [];
  const startedAtMs = Date.now();
  await room.ingest(urls, `by ${way}`);
  const { text, writesAtMs, mostAtOnce, leastSpacingMs } = await room.until(async (seen) => {
    samples.push({ inserted: seen.inserted, memory: await room.memory() });
    return isOver(seen);
  });
  const seconds = (Date.now() - startedAtMs) / 1_000;
  await room.close();

  const name = `${addresses.toLocaleString("en")} addresses by ${way}`;
  const most = (isMeant: (inserted: number) => boolean) =>
    Math.max(...samples.filter(({ inserted }) => isMeant(inserted)).map(({ memory }) => memory));
  const grown = most((inserted) => inserted >= addresses - warmAfter) - most((inserted) => inserted <= warmAfter);
  const edits = writesAtMs.slice(1);
  const gaps = edits.slice(1, -1).map((atMs, index) => atMs - (edits[index] ?? 0));
  const done = Number(/([\d,]+) of/.exec(text)?.[1]?.replace(",", ""));
  return [
    { name: `${name}: done`, value: done, target: { atLeast: addresses }, unit: "addresses" },
    { name: `${name}: took`, value: seconds, unit: "s" },
    { name: `${name}: memory, most`, value: most(() => true), target: { atMost: 350 }, unit: "MB" },
    { name: `${name}: memory, the last 200 more than the first`, value: grown, target: { atMost: 20 }, unit: "MB" },
    { name: `${name}: edits`, value: edits.length, target: { atMost: seconds / 3 + 1 }, unit: "edits" },
    { name: `${name}: two edits apart`, value: Math.min(...gaps), target: { atLeast: minEditMs }, unit: "ms" },
    { name: `${name}: inserts at once`, value: mostAtOnce, target: { atMost: 1 }, unit: "inserts" },
    ...(way === "parley"
      ? [{ name: `${name}: two pages of a host apart`, value: leastSpacingMs, target: { atLeast: 490 }, unit: "ms" }]
      : []),
  ];
}

/** The service says nothing for twelve minutes, then that all is in. */
async function patience(way: Way): Promise<Measure[]> {
  const room = await openJobsRoom({ ...world, sites: 1, insertMs: patientMinutes * 60_000 });
  const startedAtMs = Date.now();
  await room.ingest([`${room.sites[0]}/page`], `by ${way}`);
  const { text, inserts, writesAtMs } = await room.until(isOver);
  const minutes = (Date.now() - startedAtMs) / 60_000;
  await room.close();
  const name = `an insert of ${patientMinutes} minutes, by ${way}`;
  return [
    { name: `${name}: took`, value: minutes, target: { atLeast: patientMinutes }, unit: "minutes" },
    { name: `${name}: done`, value: text.includes("1 of 1 done") ? 1 : 0, target: { atLeast: 1 }, unit: "addresses" },
    { name: `${name}: inserts`, value: inserts, target: { atMost: 1 }, unit: "inserts" },
    { name: `${name}: writes of the message`, value: writesAtMs.length, unit: "posts and edits" },
  ];
}

function isOver({ text }: Report): boolean {
  return / of [\d,]+ done/.test(text) && !text.includes("Cancel");
}

if (import.meta.main) await playNamed({ ...scenes, ...slowScenes });
