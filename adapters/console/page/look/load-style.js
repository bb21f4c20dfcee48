/** Loads a style sheet with what needs it, not with the page. */
import { element } from "../drawing/element.js";

const loading = new Map();

/** `name`: of a file in the folder of the styles. Resolves once it is loaded, or can't be. */
export function loadStyle(name) {
  const known = loading.get(name);
  if (known !== undefined) return known;
  const loaded = new Promise((resolve) => {
    const href = new URL(`../styles/${name}`, import.meta.url).pathname;
    document.head.append(element("link", { rel: "stylesheet", href, load: resolve, error: resolve }));
  });
  loading.set(name, loaded);
  return loaded;
}
