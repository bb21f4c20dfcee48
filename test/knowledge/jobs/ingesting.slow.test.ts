/** `/kb ingest` from the words to the passages, in both ways. */
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { ParleyError } from "../../../src/core/errors.ts";
import type { Insert } from "../../../src/core/ports/agent-service.ts";
import { withinDomains } from "../../../src/knowledge/jobs/url-work.ts";
import { article, type Site, startSite } from "../../doubles/network/site.ts";
import { general, project } from "../../doubles/people.ts";
import { createGate, openRoom, type Room } from "../room.ts";

let room: Room;
let site: Site;

beforeEach(async () => {
  room = await openRoom();
  await room.makeBase("docs");
  site = await startSite({
    "/a": article("Refunds", "Refunds take five days.", ["/b", "/c"]),
    "/b": article("Shipping", "Parcels leave at noon."),
    "/c": article("Warranty", "Warranty lasts two years."),
  });
});

afterEach(async () => {
  expect(room.platform.violations).toEqual([]);
  await room.close();
  await site.close();
});

describe.each(["service", "parley"])("an ingest by the %s", (by) => {
  it("ends with two done and one failed, and the good ones are found", async () => {
    const said = await room.say(`/kb ingest ${site.url}/a ${site.url}/b ${site.url}/missing into docs by ${by}`);
    const job = await room.over();

    expect(said.text).toContain("Adding 3 pages to docs");
    expect(job.state).toBe("done");
    expect(job.items.map(({ state, title, reason }) => [state, title ?? reason])).toEqual([
      ["done", "Refunds"],
      ["done", "Shipping"],
      ["failed", "page not found (404)"],
    ]);
    const [shown, ...others] = room.shown();
    expect(others).toEqual([]);
    expect(shown).toContain("2 of 3 done");
    expect(shown).toContain("page not found (404)");
    expect(shown).toContain(by === "service" ? "read by the agent service" : "read by Parley");
    expect((await room.passages("docs", "refunds five days"))[0]?.source).toMatchObject({
      title: "Refunds",
      url: `${site.url}/a`,
    });
    expect(JSON.stringify(await room.passages("docs", "not here"))).not.toContain("Not here");
  });

  it("follows links as deep as it is allowed", async () => {
    await room.say(`/kb ingest ${site.url}/a limit 2 depth 1 by ${by}`);
    await room.over();

    expect((await room.passages("docs", "parcels noon"))[0]?.source.url).toBe(`${site.url}/b`);
    expect(site.asked).not.toContain("/c");
  });

  it("replaces what the URL had added", async () => {
    await room.say(`/kb ingest ${site.url}/a by ${by}`);
    await room.over();
    site.set("/a", article("Refunds", "Refunds take nine days."));
    await room.say(`/kb ingest ${site.url}/a by ${by}`);
    await room.over();

    const found = (await room.passages("docs", "refunds days")).map(({ content }) => content).join("\n");
    expect(found).toContain("nine days");
    expect(found).not.toContain("five days");
  });

  it("is written to the audit log when it is over", async () => {
    await room.say(`/kb ingest ${site.url}/a ${site.url}/missing by ${by}`);
    await room.over();

    expect(await room.audit("kb ingest")).toMatchObject([
      {
        role: "ingest",
        outcome: "done",
        actor: { name: "Alice" },
        place: general,
        about: {
          knowledgeBase: "mindsdb.docs",
          way: by,
          done: "1",
          failed: "1",
          items: `${site.url}/a ${site.url}/missing`,
        },
      },
    ]);
  });
});

describe("INGEST_BY=parley", () => {
  it("is a ceiling: nobody can make the service read a page with `by service`", async () => {
    const strict = await openRoom({ settings: { by: "parley" } });
    await strict.makeBase("docs");
    const told: (readonly string[] | undefined)[] = [];
    strict.faults.insert = async (_project, _base, what) => {
      told.push(what.urls);
    };

    const said = await strict.say(`/kb ingest ${site.url}/a into docs by service`);

    expect(said.document.tone).toBe("failed");
    expect(said.text).toContain("Parley reads web pages itself here. Leave out by service.");
    expect(told).toEqual([]);
    expect(site.asked).toEqual([]);
    expect(await strict.parts().knowledge.jobs.recent(general, 1)).toEqual([]);
    await strict.close();
  });

  it("has Parley read with `by auto`, also where the service would keep the sources", async () => {
    const strict = await openRoom({ settings: { by: "parley" } });
    await strict.makeBase("docs");
    await strict.say(`/kb ingest ${site.url}/a into docs by auto`);

    expect((await strict.over()).way).toBe("parley");
    await strict.close();
  });

  it("also applies to a job that was stored before the setting became stricter", async () => {
    const settings: { by: "auto" | "parley" } = { by: "auto" };
    const changing = await openRoom({ settings });
    await changing.makeBase("docs");
    await changing.say(`/kb ingest ${site.url}/missing into docs by service`);
    const { id } = await changing.over();
    const told: (readonly string[] | undefined)[] = [];
    changing.faults.insert = async (_project, _base, what) => {
      told.push(what.urls);
    };
    site.set("/missing", article("Here", "It is here now."));

    settings.by = "parley";
    await changing.restart();
    await changing.press("retry-job", id);
    const job = await changing.over();

    expect(job.items).toMatchObject([{ state: "failed", reason: expect.stringContaining("INGEST_BY") }]);
    expect(told).toEqual([]);
    await changing.close();
  });
});

describe("Ask about it", () => {
  it("opens a form that names the knowledge base, and describes the added content to the agent", async () => {
    await room.client.createAgent(project, { name: "guide", knowledgeBases: ["docs"] });
    await room.parts().names.refresh();
    await room.say(`/kb ingest ${site.url}/a ${site.url}/missing into docs`);
    const { id } = await room.over();
    const { commands } = room.parts();
    const action = room.platform
      .thread(general)
      .at(-1)
      ?.payload.actions.find((one) => one.id === "ask-about");

    const { acknowledgement, role } = commands.planAction("ask-about", action?.value ?? "");
    if (acknowledgement.kind !== "form") throw new Error(acknowledgement.kind);
    const { form } = acknowledgement;
    const told = await commands.askedWith(form.id, form.context, room.context());

    expect([role, commands.roleOfForm(form.id)]).toEqual(["ask", "ask"]);
    expect(form.fields[0]?.hint).toBe("About what was added to docs");
    expect(form.context).toBe(id);
    if (told?.kind !== "ask") throw new Error("Nothing is asked");
    expect(told.context).toContain("added to the knowledge base docs:\n- ");
    expect(told.context).toContain(`- Refunds (${site.url}/a)`);
    expect(told.context).not.toContain("/missing");
  });

  it("goes to an agent there that looks in the knowledge base, else offers to let one look", async () => {
    await room.client.createAgent(project, { name: "sales" });
    await room.client.createAgent(project, { name: "guide" });
    await room.parts().bindings.setChannel(general, { agent: "sales", project });
    await room.say(`/kb ingest ${site.url}/a into docs`);
    const { id } = await room.over();
    const actions = () => room.platform.thread(general).at(-1)?.payload.actions ?? [];
    const { commands } = room.parts();

    const offered = actions().find((one) => one.id === "connect-base");
    const before = await room.press("ask-about", `${id} docs`);
    const refused = await commands.askedWith("ask-added", id, room.context());

    expect(offered?.label).toBe("Connect docs to sales");
    expect(commands.planAction("ask-about", `${id} docs`).acknowledgement.kind).toBe("defer-private");
    expect(before.text).toContain("No agent uses docs yet.");
    expect(before.document.actions).toMatchObject([{ label: "Connect docs to sales" }]);
    expect(refused).toMatchObject({ kind: "refused" });

    await room.press("connect-base", "docs guide");
    expect(await commands.askedWith("ask-added", id, room.context())).toMatchObject({ kind: "ask", agent: "guide" });
    await room.press("connect-base", "docs sales");
    expect(await commands.askedWith("ask-added", id, room.context())).toEqual({
      kind: "ask",
      context: expect.stringContaining("Refunds"),
    });
    expect(commands.planAction("ask-about", `${id} docs`).acknowledgement.kind).toBe("form");
  });

  it("gets a plain refusal when the job has expired or belongs to others", async () => {
    expect(await room.parts().commands.askedWith("ask-added", "gone", room.context())).toEqual({
      kind: "ask",
      context: "",
    });
    expect(await room.parts().commands.askedWith("kb save", "gone", room.context())).toBeUndefined();
  });
});

describe("an ingest", () => {
  it("asks the service once per URL, with a limit for each depth", async () => {
    const asked: Insert[] = [];
    room.faults.insert = async (_project, _base, what) => {
      asked.push(what);
    };
    await room.say(`/kb ingest ${site.url}/a ${site.url}/b depth 1 domains:example.com,docs.example.org by service`);
    await room.over();

    expect(asked.map(({ urls, limit, crawlDepth }) => ({ urls, limit, crawlDepth }))).toEqual([
      { urls: [`${site.url}/a`], limit: 20, crawlDepth: 1 },
      { urls: [`${site.url}/b`], limit: 20, crawlDepth: 1 },
    ]);
    expect(asked[0]?.allowedDomains).toEqual([new URL(site.url).hostname, "example.com", "docs.example.org"]);
  });

  it("limits nothing where no domain was named", () => {
    expect(withinDomains("https://example.com/", [])).toEqual({});
  });

  it("uses the way that keeps the sources by default", async () => {
    const profile = await room.client.profile();
    room.faults.profile = async () => ({ ...profile, urlSourcesSurvive: false });
    await room.say(`/kb ingest ${site.url}/a`);
    expect((await room.over()).way).toBe("parley");

    room.faults.profile = async () => ({ ...profile, generation: "25.x", urlSourcesSurvive: true });
    await room.say(`/kb ingest ${site.url}/b`);
    expect((await room.over()).way).toBe("service");
  });

  it("reads a URL that was given twice once", async () => {
    const said = await room.say(`/kb ingest ${site.url}/a ${site.url}/a#part ${site.url}/b`);
    await room.over();

    expect(said.text).toContain("Adding 2 pages");
    expect(said.text).toContain("1 duplicate URL skipped.");
  });

  it("reads URLs from a list as people write it", async () => {
    await room.say(`/kb ingest ${site.url}/a, ${site.url}/b; by parley`);
    const job = await room.over();

    expect(job.items.map(({ url }) => url)).toEqual([`${site.url}/a`, `${site.url}/b`]);
  });

  it("doesn't start a URL that is already being added", async () => {
    const gate = createGate();
    room.faults.insert = () => gate.wait();
    await room.say(`/kb ingest ${site.url}/a by service`);
    await gate.arrived;

    const again = await room.say(`/kb ingest ${site.url}/a`);
    gate.open();
    await room.over();

    expect(again.text).toBe(`Already being added by another job: ${site.url}/a`);
    expect(room.shown()).toHaveLength(1);
  });

  it("says immediately what is refused, and why", async () => {
    const said = await room.say(
      "/kb ingest http://169.254.169.254/latest ftp://example.com/x https://u:p@example.com/",
    );

    expect(said.text).toContain("http://169.254.169.254/latest · it leads to a cloud metadata service");
    expect(said.text).toContain("ftp://example.com/x · only http and https URLs can be read");
    expect(said.text).toContain("URLs with a user name or password in them aren't read");
    expect(room.shown()).toEqual([]);
    expect(await room.audit("kb ingest")).toMatchObject([{ outcome: "failed" }]);
  });

  it("shows refused URLs beside the good ones in its message", async () => {
    await room.say(`/kb ingest ${site.url}/a example.com/docs`);
    await room.over();

    expect(room.shown()[0]).toContain("not a web URL; did you mean https://example.com/docs?");
    expect(room.shown()[0]).toContain("1 of 2 done");
  });

  it("tries what failed again, but never what is refused", async () => {
    await room.say(`/kb ingest ${site.url}/a ${site.url}/late http://169.254.169.254/ by service`);
    const failed = await room.over();
    site.set("/late", article("Late", "It came late."));
    const asked: (readonly string[] | undefined)[] = [];
    room.faults.insert = async (_project, _base, what) => {
      asked.push(what.urls);
    };

    await room.press("retry-job", failed.id);
    const job = await room.over();

    expect(job.items.map(({ state }) => state)).toEqual(["done", "done", "failed"]);
    expect(asked).toEqual([[`${site.url}/late`]]);
    expect(room.shown()).toHaveLength(1);
    expect(room.shown()[0]).toContain("2 of 3 done");
  });

  it.each(["service", "parley"])(
    "by the %s pauses while the service restarts, and continues where it was",
    async (by) => {
      let isAway = false;
      room.faults.insert = async (...given) => {
        if (isAway) throw new ParleyError("service_unreachable");
        isAway = true;
        return room.client.insert(...given);
      };
      await room.say(`/kb ingest ${site.url}/a ${site.url}/b ${site.url}/c by ${by}`);
      const broken = await room.over();
      expect(broken.items.map(({ state }) => state).toSorted()).toEqual(["done", "failed", "failed"]);
      expect(room.shown()[0]).toContain("1 of 3 done, 2 failed");
      expect(room.shown()[0]).toContain("The agent service can't be reached.");

      room.faults.insert = (...given) => room.client.insert(...given);
      await room.press("retry-job", broken.id);
      await room.over();

      expect(room.shown()).toHaveLength(1);
      expect(room.shown()[0]).toContain("3 of 3 done");
      for (const words of ["five days", "noon", "two years"])
        expect((await room.passages("docs", words)).filter(({ content }) => content.includes(words))).toHaveLength(1);
    },
  );

  it("offers to create a knowledge base that doesn't exist", async () => {
    const { document } = await room.say(`/kb ingest ${site.url}/a into doks`);

    expect(document.actions).toMatchObject([{ id: "open-form", value: "kb create doks" }]);
    expect(room.shown()).toEqual([]);
  });

  it("accepts 200 URLs in one command", async () => {
    const paths = Array.from({ length: 200 }, (_, index) => `/page${index}`);
    for (const path of paths) site.set(path, article(path, `Words of ${path}.`));
    const before = room.platform.writes.length;
    const beganMs = performance.now();

    await room.say(`/kb ingest ${paths.map((path) => site.url + path).join(" ")} by parley`);
    const job = await room.over();

    expect(job.items.every(({ state }) => state === "done")).toBe(true);
    expect(room.shown()[0]).toContain("200 of 200 done");
    const seconds = (performance.now() - beganMs) / 1_000;
    expect(room.platform.writes.length - before).toBeLessThan(10 + seconds / 2);
  });

  it("says what the settings allow", async () => {
    expect((await room.say(`/kb ingest ${site.url}/a limit 101`)).text).toContain(
      "Limited to 100 pages and a link depth of 5",
    );
    for (const wrong of ["no_domain!", "a*a*a*a*b.example.com", "(a+)+.example.com"]) {
      expect((await room.say(`/kb ingest ${site.url}/a domains:${wrong}`)).text).toContain("isn't a domain name");
    }
  });

  it("fails with the service's reason, and with Try again", async () => {
    room.faults.insert = async () => {
      throw new ParleyError("insert_failed", { reason: "url-silent" });
    };
    await room.say(`/kb ingest ${site.url}/a by service`);
    const job = await room.over();

    expect(job.state).toBe("failed");
    expect(room.shown()[0]).toContain("the site didn't answer");
    expect(room.platform.thread(general)[0]?.payload.actions).toMatchObject([{ id: "retry-job", value: job.id }]);
  });

  it("says that there is no such project", async () => {
    expect((await room.say(`/kb ingest ${site.url}/a into other.docs`)).text).toContain(
      "There is no project called other.",
    );
  });
});

describe("what a reader of pages finds", () => {
  const withHead = (page: string, head: string) => page.replace("<head>", `<head>${head}`);

  it("is said of linked pages that failed, or that their site keeps back, by reason and name", async () => {
    site.set("/docs", article("Docs", "The docs.", ["/a", "/gone.html", "/old/", "/login", "/kept"]));
    site.set("/login", { status: 401 });
    site.set("/kept", withHead(article("Kept", "Not for robots."), '<meta name="robots" content="noindex">'));

    await room.say(`/kb ingest ${site.url}/docs limit 20 depth 1`);
    const job = await room.over();

    expect(job.way).toBe("parley");
    expect(job.items).toMatchObject([
      {
        state: "done",
        pages: 2,
        notes: [
          // The link to the start of the site is one of them.
          "4 linked pages failed: 3 not found (127.0.0.1, gone.html, …), 1 requires a login (login)".replace(
            "127.0.0.1",
            new URL(site.url).host,
          ),
          "1 linked page left out: asks not to be indexed (noindex) (kept)",
        ],
      },
    ]);
    expect(room.shown()[0]).toContain("4 linked pages failed: 3 not found");
  });

  it("is one document for one page with five URLs", async () => {
    const paths = ["/a", "/a/", "/a?utm_source=mail", "/a#days", "/A"];
    for (const path of paths) site.set(path, article("Refunds", "Refunds take five days."));

    await room.say(`/kb ingest ${paths.map((path) => site.url + path).join(" ")}`);
    const job = await room.over();
    const { documents } = await room.parts().knowledge.ledger.page({ project, name: "docs" }, 0, 10);

    expect(documents).toHaveLength(1);
    expect(job.items.every(({ state }) => state === "done")).toBe(true);
    expect(job.items.filter(({ notes }) => notes?.[0]?.startsWith("the same page as "))).toHaveLength(
      job.items.length - 1,
    );
  });

  it("is added again under its other URL once the first was removed or changed", async () => {
    site.set("/copy", article("Refunds", "Refunds take five days.", ["/b", "/c"]));
    await room.say(`/kb ingest ${site.url}/a`);
    await room.over();
    site.set("/a", article("Refunds", "Refunds take nine days."));
    await room.say(`/kb ingest ${site.url}/a`);
    await room.over();
    await room.say(`/kb ingest ${site.url}/copy`);
    await room.over();

    const { documents } = await room.parts().knowledge.ledger.page({ project, name: "docs" }, 0, 10);
    expect(documents.map(({ url }) => url).sort()).toEqual([`${site.url}/a`, `${site.url}/copy`]);
  });

  it("is three documents where three pages name the same URL as their own", async () => {
    for (const n of [1, 2, 3]) {
      const page = article(`Part ${n}`, `Lever ${n} moves the drum number ${n}.`);
      site.set(`/${n}`, withHead(page, `<link rel="canonical" href="/manual">`));
    }

    await room.say(`/kb ingest ${[1, 2, 3].map((n) => `${site.url}/${n}`).join(" ")}`);
    await room.over();
    const { documents } = await room.parts().knowledge.ledger.page({ project, name: "docs" }, 0, 10);

    expect(documents.map(({ url }) => url).sort()).toEqual([1, 2, 3].map((n) => `${site.url}/${n}`));
  });

  it("is said of a list that is longer than the limit", async () => {
    const urls = ["/a", "/b", "/c"].map((path) => `<url><loc>${site.url}${path}</loc></url>`).join("");
    site.set("/sitemap.xml", { headers: { "content-type": "text/xml" }, body: `<urlset>${urls}</urlset>` });

    await room.say(`/kb ingest ${site.url}/sitemap.xml limit 2 depth 1`);

    expect((await room.over()).items).toMatchObject([
      { state: "done", pages: 2, notes: ["1 more page in the list. Run the command again with a higher limit"] },
    ]);
  });
});
