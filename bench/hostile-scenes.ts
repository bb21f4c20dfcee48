/** The scenes of bench/hostile.ts. */
import { hostileMarkdown } from "./hostile-markdown.ts";
import { questionScenes } from "./hostile-questions.ts";
import { type Suffered, suffer } from "./hostile-room.ts";
import { suffered } from "./hostile-targets.ts";
import type { PlatformName } from "./hostile-world.ts";
import type { Measure } from "./measure.ts";
import { playNamed, type Scenes } from "./scenes.ts";

const csvBytes = 10_000_000;

export const scenes: Scenes = {
  "page of <p>a": () =>
    told("page of <p>a", () =>
      suffer("slack", {}, (tell, url) => tell({ do: "say", text: `/kb ingest ${url}/elements into docs by parley` })),
    ),
  ...robots("many stars"),
  ...robots("many rules"),
  ...csv(2),
  ...csv(20_000),
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
  const order = (url: string) =>
    ({ do: "say", text: `/kb ingest ${url}/ into docs limit 20 depth 3 by parley` }) as const;
  return { [name]: () => told(name, () => suffer("slack", { robots: kind }, (tell, url) => tell(order(url)))) };
}

function csv(columns: number): Scenes {
  const name = `CSV of ${columns.toLocaleString("en")} columns`;
  const file = { name: "rows.csv", bytes: csvBytes, columns };
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
