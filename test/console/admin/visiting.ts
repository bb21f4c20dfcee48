/** The admin pages of a Parley as its visitors use them, and what its audit log has of that. */
import { Hono } from "hono";
import type { ActParts } from "../../../adapters/console/admin/act.ts";
import { createAdminRoutes } from "../../../adapters/console/admin/routes.ts";
import { createChannels } from "../../../adapters/console/channels/channels.ts";
import { createAttachedFiles } from "../../../adapters/console/files/attached-files.ts";
import { createUploads } from "../../../adapters/console/files/uploads.ts";
import { localVisitor, type Visitor } from "../../../adapters/console/people/visitor.ts";
import { type AuditEntry, auditEntriesIn } from "../../../src/core/audit.ts";
import type { State } from "../../../src/core/ports/state.ts";

export type Line = {
  readonly kind: string;
  readonly form?: {
    readonly id: string;
    readonly context: string;
    readonly fields: readonly { readonly name: string }[];
  };
  readonly errors?: Readonly<Record<string, string>>;
  readonly payloads?: readonly { readonly actions: readonly { readonly id: string; readonly value: string }[] }[];
};

export type Acted = { readonly status: number; readonly text: string; readonly lines: readonly Line[] };

export function visiting(options: Omit<ActParts, "channels" | "attached"> & { readonly state: State }) {
  const { state, clock, log } = options;
  const uploads = createUploads({ ...state, clock });
  const attached = createAttachedFiles({ uploads, log });
  const parts: ActParts = { ...options, channels: createChannels({ ...state, clock }), attached };

  function pagesFor(visitor: Partial<Visitor>): Hono {
    const app = new Hono();
    app.use("*", async (context, next) => {
      context.set("visitor", { ...localVisitor, id: "ana", name: "Ana", ...visitor });
      await next();
    });
    app.route("/", createAdminRoutes(parts));
    return app;
  }

  let number = 0;
  async function act(visitor: Partial<Visitor>, request: object): Promise<Acted> {
    number += 1;
    const response = await pagesFor(visitor).request("/api/admin/act", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ id: `act-${number}`, ...request }),
    });
    const text = await response.text();
    const isStream = response.headers.get("content-type")?.startsWith("application/x-ndjson") === true;
    const lines = isStream ? text.split("\n").flatMap((line): Line[] => (line === "" ? [] : [JSON.parse(line)])) : [];
    return { status: response.status, text, lines };
  }

  return {
    pagesFor,
    act,
    uploads,
    get: async (visitor: Partial<Visitor>, path: string) => {
      const response = await pagesFor(visitor).request(path);
      return { status: response.status, body: JSON.parse(await response.text()) };
    },
    audit: async (): Promise<readonly AuditEntry[]> => {
      const found: AuditEntry[] = [];
      for await (const { record } of auditEntriesIn(state).entries()) found.push(record);
      return found;
    },
  };
}
