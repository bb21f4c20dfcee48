/** The resources of the MCP server: the knowledge bases that a person reaches, and the documents in them. */
import { randomUUID } from "node:crypto";
import { type McpServer, ProtocolError, ProtocolErrorCode, ResourceTemplate } from "@modelcontextprotocol/server";
import { toParleyError } from "../../../src/core/errors.ts";
import { errorText } from "../../../src/presentation/sentences.ts";
import type { Caller } from "./asking.ts";
import { type createMcpKnowledge, uriOf } from "./knowledge.ts";

const mimeType = "text/plain";
/** Documents in the list of resources, of all knowledge bases; those of one are in its own resource. */
const maxListed = 500;

export function registerResources(
  server: McpServer,
  { knowledge, caller }: { readonly knowledge: ReturnType<typeof createMcpKnowledge>; readonly caller: Caller },
): void {
  const { visitor } = caller;

  /** As tools are: within the person's calls, and every failure is a sentence. */
  async function safely<T>(uri: string, work: () => Promise<T>): Promise<T> {
    try {
      return await caller.during(randomUUID(), work);
    } catch (thrown) {
      const { what, hint } = errorText(toParleyError(thrown));
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, `${what} ${hint}`.trim(), { uri });
    }
  }

  const textOf = async (uri: URL, work: () => Promise<string>) => ({
    contents: [{ uri: uri.href, mimeType, text: await safely(uri.href, work) }],
  });

  server.registerResource(
    "knowledge",
    new ResourceTemplate("parley://knowledge/{base}", {
      list: () =>
        safely("parley://knowledge", async () => ({
          resources: (await knowledge.bases(visitor)).map((base) => ({
            uri: uriOf(base),
            name: base,
            title: `Documents in ${base}`,
            mimeType,
          })),
        })),
    }),
    { title: "Knowledge bases", description: "The documents of a knowledge base, with their URLs and resources" },
    (uri, { base }) => textOf(uri, () => knowledge.contents(visitor, decoded(base))),
  );

  server.registerResource(
    "document",
    new ResourceTemplate("parley://knowledge/{base}/{document}", {
      list: () =>
        safely("parley://knowledge", async () => {
          const listed: { uri: string; name: string; title: string; mimeType: string }[] = [];
          for (const base of await knowledge.bases(visitor)) {
            for (const { id, title, hasText } of await knowledge.documents(visitor, base)) {
              if (hasText) listed.push({ uri: uriOf(base, id), name: `${base}/${id}`, title, mimeType });
            }
            if (listed.length >= maxListed) break;
          }
          return { resources: listed.slice(0, maxListed) };
        }),
    }),
    { title: "Documents", description: "The text of a document in a knowledge base" },
    (uri, { base, document }) => textOf(uri, () => knowledge.read(visitor, decoded(base), decoded(document))),
  );
}

/** What isn't encoded as URIs are names nothing. */
function decoded(part: string | string[] | undefined): string {
  try {
    return decodeURIComponent(String(part));
  } catch {
    return "";
  }
}
