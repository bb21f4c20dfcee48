/** Scenes of bench/hostile/bench.ts. */

import type { Measure } from "../measure.ts";
import { playNamed, type Scenes } from "../scenes.ts";
import { hostileMarkdown } from "./markdown.ts";
import { questionScenes } from "./questions.ts";
import { type Suffered, suffer } from "./room.ts";
import { suffered } from "./targets.ts";
import type { AttachedFile, PlatformName, Shown } from "./world.ts";

const csvBytes = 10_000_000;
const jsonBytes = 5_000_000;

export const scenes: Scenes = {
  ...page("page of <p>a, 10 MB", "elements"),
  ...page("page of <p>a, as many as are read", "most-elements"),
  ...page("page of one paragraph of 3 MB", "most-text"),
  ...page("page of nested lists", "nested-lists"),
  ...page("page of nested words", "nested-words"),
  ...page("page of 49,000 links", "most-links"),
  ...robots("many stars"),
  ...robots("many rules"),
  ...csv("2 columns", 2, 1),
  ...csv("20,000 columns", 20_000, 1),
  // These are taken.
  ...csv("2 columns of 50 characters", 2, 50),
  ...csv("400 columns", 400, 1),
  ...json("2 columns", 2, 1),
  ...json("2 columns of 20 characters", 2, 20),
  ...json("400 columns", 400, 1),
  "60 steps of 8 MB": () =>
    told("60 steps of 8 MB", () =>
      suffer("slack", { steps: { count: 60, megabytes: 8 } }, (tell) => tell({ do: "say", text: "What is it?" })),
    ),
  ...questionScenes,
  ...markdown("slack"),
  ...markdown("discord"),
};

function robots(kind: "many stars" | "many rules"): Scenes {
  const name = `robots.txt of ${kind}`;
  const limit = 20;
  const order = (url: string) =>
    ({ do: "say", text: `/kb ingest ${url}/ into docs limit ${limit} depth 3 by parley` }) as const;
  const play = async () => {
    let shown: Shown | undefined;
    const measures = await told(name, async () => {
      const seen = await suffer("slack", { robots: kind }, (tell, url) => tell(order(url)));
      shown = seen.shown;
      return seen;
    });
    // None of the rules is for a page of the site.
    const pages = Number(/"([\d,]+) pages?"/.exec(shown?.newest ?? "")?.[1] ?? 0);
    return [...measures, { name: `${name}: pages read`, value: pages, target: { atLeast: limit }, unit: "pages" }];
  };
  return { [name]: play };
}

function page(name: string, path: string): Scenes {
  const order = (url: string) => ({ do: "say", text: `/kb ingest ${url}/${path} into docs by parley` }) as const;
  return { [name]: () => told(name, () => suffer("slack", {}, (tell, url) => tell(order(url)))) };
}

/** 10 MB of lines; a cell has so many characters. */
function csv(what: string, columns: number, cell: number): Scenes {
  return attached(`CSV of ${what}`, { name: "rows.csv", bytes: csvBytes, columns, cell });
}

/** As much as is read. */
function json(what: string, columns: number, cell: number): Scenes {
  return attached(`JSON of ${what}`, { name: "rows.json", bytes: jsonBytes, columns, cell });
}

function attached(name: string, file: AttachedFile): Scenes {
  return {
    [name]: () => told(name, () => suffer("slack", {}, (tell) => tell({ do: "say", text: "/kb add into docs", file }))),
  };
}

function markdown(platform: PlatformName): Scenes {
  const named = Object.keys(hostileMarkdown).map((kind) => {
    const name = `1 MB on ${platform}: ${kind}`;
    const play = () =>
      told(name, () => suffer(platform, { markdown: kind }, (tell) => tell({ do: "say", text: "What is it?" })));
    return [name, play] as const;
  });
  return Object.fromEntries(named);
}

async function told(name: string, play: () => Promise<Suffered>): Promise<readonly Measure[]> {
  const seen = await play();
  // For whoever plays one scene: what people saw of it.
  if (process.send === undefined)
    process.stderr.write(`${seen.shown.messages} messages, the newest ${seen.shown.newest}\n`);
  return suffered(name, seen);
}

if (import.meta.main) await playNamed(scenes);
