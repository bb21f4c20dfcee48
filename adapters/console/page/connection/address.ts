/** Makes URLs that also work behind a proxy that serves Parley below a path. */

/** Where Parley is served, such as "https://x.example/parley/": the folder above the page's scripts. */
export const root = new URL("../", import.meta.url);

/** The path to request for "api/commands", or for a path that the server wrote, such as "/docs/deploy.md". */
export const at = (path: string) => `${root.pathname}${path.replace(/^\/+/, "")}`;

/**
 * The name under which this Parley keeps something in the browser. A Parley below another path of the same site has the
 * same storage, and must not show or send what belongs to this one.
 */
export const named = (what: string, path = root.pathname) => `parley${path === "/" ? "" : path}.${what}`;
