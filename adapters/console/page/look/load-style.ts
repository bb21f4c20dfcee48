/** Loads a style sheet with what needs it, not with the page. */
import { at } from "../connection/address.ts";
import { element } from "../drawing/element.ts";

const loading = new Map<string, Promise<unknown>>();

/** `name`: of a file in the page's folder, such as "styles/keys.css". Resolves once it is loaded, or can't be. */
export function loadStyle(name: string): Promise<unknown> {
  const known = loading.get(name);
  if (known !== undefined) return known;
  const loaded = new Promise<unknown>((resolve) => {
    document.head.append(
      element("link", { rel: "stylesheet", href: at(`page/${name}`), load: resolve, error: resolve }),
    );
  });
  loading.set(name, loaded);
  return loaded;
}
