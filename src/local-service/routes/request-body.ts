/** Reads JSON bodies, with the refusals of the API's other servers. */
import type { Context } from "hono";
import { problems } from "./problem.ts";

export async function readJson(context: Context): Promise<unknown> {
  if (!/^application\/json\b/i.test(context.req.header("content-type") ?? "")) throw problems.notJson();
  const text = await context.req.text();
  try {
    return JSON.parse(text);
  } catch {
    throw problems.badRequest();
  }
}
