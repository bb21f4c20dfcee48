/** Loads a style sheet with what needs it, not with the page. */
import { at } from "../connection/address.js";
import { element } from "../drawing/element.js";

const loading = new Map();

/** `name`: of a file in the page's folder, such as "styles/keys.css". Resolves once it is loaded, or can't be. */
export function loadStyle(name) {
  const known = loading.get(name);
  if (known !== undefined) return known;
  const loaded = new Promise((resolve) => {
    document.head.append(
      element("link", { rel: "stylesheet", href: at(`page/${name}`), load: resolve, error: resolve }),
    );
  });
  loading.set(name, loaded);
  return loaded;
}
