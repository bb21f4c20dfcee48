/** Where Parley is served, so that every URL works behind a proxy that shows it below a path. */

/** "https://x.example/parley/": above the folder of the page's modules. */
export const root = new URL("../../", import.meta.url);

/** The URL of "api/commands", or of a path that the server wrote: "/docs/deploy.md". */
export const at = (path) => `${root.pathname}${path.replace(/^\/+/, "")}`;
