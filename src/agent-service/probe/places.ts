/** Where the APIs of a service can begin, as its URL may be given with the version of the API or without. */
import { trimEnd } from "../../core/tools/trim-end.ts";

export type Places = {
  /** Of the service itself. */
  readonly root: string;
  /** Where the paths of the Responses API and of Chat Completions may begin, the likeliest first. */
  readonly apis: readonly [string, ...string[]];
};

export function placesOf(baseUrl: string): Places {
  const { origin, pathname } = new URL(baseUrl);
  const given = `${origin}${trimEnd(pathname, "/")}`;
  const [, root] = /^(.*?)(?:\/api)?\/v\d\w{0,10}$/.exec(given) ?? [];
  return root === undefined ? { root: given, apis: [`${given}/v1`, given] } : { root, apis: [given] };
}
