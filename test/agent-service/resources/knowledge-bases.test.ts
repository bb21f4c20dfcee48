import { describe, expect, it } from "vitest";
import { bodyOf, callOf, failure, open } from "../open-service.ts";
import { json, play } from "../real-server.ts";

describe("knowledge bases", () => {
  it("are listed, read, created and deleted", async () => {
    const { server, service } = await open((asked, response) => {
      if (asked.method === "DELETE") return play(response, "26.1/kb_delete_unknown");
      if (asked.method === "POST") return play(response, "26.1/kb_create");
      play(response, asked.path.endsWith("/docs") ? "26.1/kb_get" : "26.1/kb_list");
    });

    expect(await service.listKnowledgeBases("mindsdb")).toMatchObject([
      { name: "docs", project: "mindsdb", embeddingModel: "text-embedding-3-small" },
    ]);
    expect(await service.getKnowledgeBase("mindsdb", "docs")).toMatchObject({ name: "docs" });
    await service.createKnowledgeBase("mindsdb", {
      name: "docs",
      embeddingModel: { provider: "openai", modelName: "m", apiKey: "k" },
    });
    expect(bodyOf(server)).toEqual({
      knowledge_base: { name: "docs", embedding_model: { provider: "openai", model_name: "m", api_key: "k" } },
    });
    await service.deleteKnowledgeBase("mindsdb", "docs");
  });

  it("take rows, files and URLs, with a limit for each depth", async () => {
    const { server, service } = await open((_, response) => play(response, "25.9/kb_rows"));

    await service.insert("mindsdb", "docs", { rows: [{ id: "1", content: "text", url: null }] });
    await service.insert("mindsdb", "docs", {
      urls: ["https://a.example", "https://b.example"],
      crawlDepth: 1,
      allowedDomains: [],
    });

    expect(bodyOf(server, 0)).toEqual({ knowledge_base: { rows: [{ id: "1", content: "text", url: null }] } });
    expect(bodyOf(server, 1)).toEqual({
      knowledge_base: { urls: ["https://a.example", "https://b.example"], limit: 2, crawl_depth: 1 },
    });
    expect(callOf(server)).toBe("PUT /api/projects/mindsdb/knowledge_bases/docs");
  });

  it("can take an hour before their first byte, and no longer", async () => {
    const { server, service, clock } = await open(() => {});
    const waiting = failure(service.insert("mindsdb", "docs", { query: "SELECT 1" }));
    await server.arrived();

    await clock.advance(3_599_999);
    expect(clock.pending()).toBe(1);
    await clock.advance(1);

    expect((await waiting).code).toBe("service_busy");
  });

  it("say when they are busy, and when content could not be added and why", async () => {
    const busy = await open((_, response) => play(response, "26.1/kb_put_parallel_busy"));
    expect(await failure(busy.service.insert("mindsdb", "docs", { query: "x" }))).toMatchObject({
      code: "knowledge_base_busy",
      retryAfterMs: 2000,
    });

    const refused = await open((_, response) => play(response, "26.1/kb_put_files_unknown"));
    expect((await failure(refused.service.insert("mindsdb", "docs", { files: ["x"] }))).reason).toBe("file-unknown");
  });
});

describe("a crawl within domains", () => {
  const crawl = { urls: ["https://example.com/"], limit: 10, crawlDepth: 1, allowedDomains: ["example.com", "[::1]"] };
  const documented = { allowed_domains: ["example.com", "[::1]"] };
  const expressions = [
    "^https?://([^/@]+\\.)?example\\.com(:\\d+)?(/|$)",
    "^https?://([^/@]+\\.)?\\[::1\\](:\\d+)?(/|$)",
  ];
  type Body = { readonly knowledge_base: { readonly filters: unknown } };
  /** A service that refuses `refused` as its generation does, and otherwise takes everything. */
  async function opened(generation: "25.9" | "26.1", refuses: (filters: unknown) => boolean) {
    const parts = await open((asked, response) => {
      if (asked.method === "GET") return play(response, `${generation}/status`);
      const { filters } = (JSON.parse(asked.body) as Body).knowledge_base;
      play(response, refuses(filters) ? `${generation}/kb_put_urls_filters_doc_shape` : "25.9/kb_rows");
    });
    const sent = () =>
      parts.server.asked
        .filter(({ method }) => method === "PUT")
        .map(({ body }) => (JSON.parse(body) as Body).knowledge_base.filters);
    return { ...parts, sent };
  }

  it.each(["25.9", "26.1"] as const)("is tried as documented once, then sent as %s takes it", async (generation) => {
    const { service, sent } = await opened(generation, (filters) => !Array.isArray(filters));

    await service.insert("mindsdb", "docs", crawl);
    await service.insert("mindsdb", "docs", crawl);

    expect(sent()).toEqual([documented, expressions, expressions]);
    const within = expressions.map((expression) => new RegExp(expression));
    const isWithin = (url: string) => within.some((expression) => expression.test(url));
    expect(["https://example.com/x", "http://docs.example.com:8080", "http://[::1]:80/"].map(isWithin)).toEqual([
      true,
      true,
      true,
    ]);
    expect(["https://example.com.evil.net/", "https://notexample.com/", "https://a@example.com"].map(isWithin)).toEqual(
      [false, false, false],
    );
  });

  it("is sent as documented where the service takes that, even after a page of it failed", async () => {
    let fails = false;
    const { service, sent } = await opened("26.1", () => fails);
    await service.insert("mindsdb", "docs", crawl);
    fails = true;
    expect((await failure(service.insert("mindsdb", "docs", crawl))).code).toBe("insert_failed");

    expect(sent()).toEqual([documented, documented]);
  });

  it("is not sent again when the page failed, or when the service may have inserted it", async () => {
    const broken = await open((asked, response) => {
      if (asked.method === "GET") return play(response, "26.1/status");
      json(response, 500, { title: "KeyError", detail: "0", message: "0" });
    });
    const silent = await open((asked, response) => {
      if (asked.method === "GET") return play(response, "26.1/status");
      json(response, 400, { title: "Preprocessing Error", detail: "HTTPConnectionPool: Connection refused" });
    });

    expect((await failure(broken.service.insert("mindsdb", "docs", crawl))).code).toBe("service_failed");
    expect((await failure(silent.service.insert("mindsdb", "docs", crawl))).reason).toBe("url-silent");

    for (const { server } of [broken, silent]) {
      expect(server.asked.filter(({ method }) => method === "PUT")).toHaveLength(1);
    }
  });

  it("is tried as documented again after the service was updated", async () => {
    let version = "26.1.0";
    const { service, server } = await open((asked, response) => {
      if (asked.method === "GET") return json(response, 200, { mindsdb_version: version });
      const { filters } = (JSON.parse(asked.body) as Body).knowledge_base;
      const isRefused = version === "26.1.0" && !Array.isArray(filters);
      play(response, isRefused ? "26.1/kb_put_urls_filters_doc_shape" : "25.9/kb_rows");
    });
    await service.insert("mindsdb", "docs", crawl);
    version = "27.0.0";
    await service.status();
    await service.insert("mindsdb", "docs", crawl);
    await service.insert("mindsdb", "docs", crawl);

    const sent = server.asked.flatMap(({ method, body }) =>
      method === "PUT" ? [(JSON.parse(body) as Body).knowledge_base.filters] : [],
    );
    expect(sent).toEqual([documented, expressions, documented, documented]);
  });
});

describe("search and deletion by SQL", () => {
  it.each([
    ["25.9", "2026-11-21T04:54:49Z"],
    ["26.1", "2026-11-21T04:54:50Z"],
  ])("gives passages with their sources and dates (%s)", async (generation, updatedAt) => {
    const { server, service } = await open((_, response) => play(response, `${generation}/sql_select_metadata`));

    const passages = await service.search("mindsdb", "my-docs", "it's \\' where", 3.7);

    expect(bodyOf(server)).toEqual({
      query: "SELECT * FROM `mindsdb`.`my-docs` WHERE content = 'it''s  '' where' LIMIT 3",
    });
    expect(passages).toEqual([
      {
        content: "Text with metadata about whales.",
        source: {
          title: "Whales",
          url: "https://docs.example.com/whales",
          excerpt: "Text with metadata about whales.",
          updatedAtMs: Date.parse(updatedAt),
        },
      },
    ]);
  });

  it("gives the best passage first", async () => {
    const rows = [
      ["a", 0.2],
      ["b", 0.9],
      ["c", null],
      ["d", 0.5],
    ];
    const { service } = await open((_, response) =>
      json(response, 200, { type: "table", column_names: ["chunk_content", "relevance"], data: rows }),
    );

    const passages = await service.search("mindsdb", "docs", "x", 9);

    expect(passages.map(({ content }) => content)).toEqual(["b", "d", "a", "c"]);
  });

  it("reads the text of rows in their order, each with its passages in theirs", async () => {
    const rows = [
      ["r2", "Third.", "{'_chunk_index': 1}"],
      ["other", "Not this one.", "{}"],
      ["r1", "First.", null],
      ["r2", "Second.", "{'_chunk_index': 0}"],
    ];
    const { server, service } = await open((_, response) =>
      json(response, 200, { type: "table", column_names: ["id", "chunk_content", "metadata"], data: rows }),
    );

    const texts = await service.readRows("mindsdb", "docs", ["r1", "r2", "gone"], 100);

    expect(texts).toEqual(["First.", "Second.", "Third."]);
    expect(server.asked).toHaveLength(1);
  });

  it("sends no request when there are no words", async () => {
    const { server, service } = await open((_, response) => json(response, 200, {}));

    expect(await service.search("mindsdb", "docs", "  ", 5)).toEqual([]);
    expect(server.asked).toEqual([]);
  });

  it("recognises an error inside a 200", async () => {
    const { service } = await open((_, response) => play(response, "26.1/sql_error"));

    expect((await failure(service.search("mindsdb", "nowhere", "x", 5))).code).toBe("knowledge_base_not_found");
  });

  it("deletes rows by their ids, a hundred at a time", async () => {
    const { server, service } = await open((_, response) => play(response, "25.9/sql_delete_rows"));

    await service.deleteRows("mindsdb", "docs", ["it's"]);
    await service.deleteRows(
      "mindsdb",
      "docs",
      Array.from({ length: 101 }, (_, index) => `r${index}`),
    );
    await service.deleteRows("mindsdb", "docs", []);

    expect(bodyOf(server, 0)).toEqual({ query: "DELETE FROM `mindsdb`.`docs` WHERE id = 'it''s'" });
    expect(server.asked.map(({ body }) => body.match(/'r\d+'/g)?.length ?? 0)).toEqual([0, 100, 1]);
  });
});
