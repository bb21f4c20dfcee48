/** What can be done about a person's data: exporting it, and erasing it. A part of the page System. */
import { stream } from "hono/streaming";
import { z } from "zod";
import type { Person } from "../../../src/core/content/privacy.ts";
import { ParleyError } from "../../../src/core/errors.ts";
import { adminSentences } from "../../../src/presentation/sentences.ts";
import { actorOf, visitorOf } from "../people/visitor.ts";
import type { OldPage } from "./admin-page.ts";

const request = z.object({ person: z.string().max(300) });

/** "slack:T1/U123". */
function personIn(value: unknown): Person {
  const { data } = request.safeParse(value);
  const [, platform, workspace, id] = /^\s*([a-z]+):([^/\s]+)\/(\S+)\s*$/.exec(data?.person ?? "") ?? [];
  if (platform === undefined || workspace === undefined || id === undefined) {
    throw new ParleyError("command_invalid", adminSentences.noPerson);
  }
  return { platform, workspace, id };
}

export const peoplePage: OldPage = {
  name: "people",
  least: "manage",
  isHidden: true,
  mount: (app, { overview }) => {
    app.post("/api/admin/people/erase", async (context) => {
      // A form on another site can't send a JSON body.
      if (context.req.header("content-type")?.startsWith("application/json") !== true) {
        return context.text("Send application/json.\n", 415);
      }
      const person = personIn(await context.req.json().catch(() => undefined));
      return context.json(await overview.people.erase(person, actorOf(visitorOf(context))));
    });

    app.get("/api/admin/people/export", (context) => {
      const person = personIn({ person: context.req.query("person") ?? "" });
      const { platform, workspace, id } = person;
      context.header("content-type", "application/json; charset=utf-8");
      context.header("content-disposition", 'attachment; filename="person.json"');
      return stream(context, async (body) => {
        await body.write(`{"version":1,"person":${JSON.stringify(`${platform}:${workspace}/${id}`)},"records":[`);
        let separator = "\n";
        for await (const record of overview.people.export(person, actorOf(visitorOf(context)))) {
          await body.write(`${separator}${JSON.stringify(record)}`);
          separator = ",\n";
        }
        await body.write("\n]}\n");
      });
    });
  },
};
