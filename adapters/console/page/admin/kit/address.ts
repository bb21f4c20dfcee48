/** Addresses of the admin part: real paths below wherever Parley is served, with the Back button. */

import { root } from "../../connection/address.ts";

/** Parameters of an address. Those of "" and undefined are left out. */
export type Query = Readonly<Record<string, string | number | undefined>>;

/** "overview" with no parts, and what its query says. */
export type Address = {
  readonly page: string;
  readonly parts: readonly string[];
  readonly query: Readonly<Record<string, string>>;
};

const listeners = new Set<() => void>();

/** `href("questions", { parts: ["7KQ2"], query: { agent: "sales" } })`. */
export function href(
  page: string,
  { parts = [], query = {} }: { readonly parts?: readonly string[]; readonly query?: Query } = {},
): string {
  const url = new URL(["admin", page, ...parts.map(encodeURIComponent)].join("/"), root);
  url.search = searchOf(query);
  return `${url.pathname}${url.search}`;
}

export function searchOf(query: Query): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== "");
  return new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString();
}

export function addressNow(): Address {
  const [, page = "", ...parts] = location.pathname.slice(root.pathname.length).split("/");
  const query = Object.fromEntries(new URLSearchParams(location.search));
  return { page, parts: parts.filter((part) => part !== "").map(decoded), query };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    // An invalid percent escape: the address was cut off.
    return text;
  }
}

/** Opens another page. */
export function go(to: string, { isReplacing = false }: { readonly isReplacing?: boolean } = {}): void {
  history[isReplacing ? "replaceState" : "pushState"](null, "", to);
  for (const listener of listeners) listener();
}

export function replaceQuery(query: Query): void {
  const search = searchOf(query);
  history.replaceState(null, "", `${location.pathname}${search === "" ? "" : `?${search}`}`);
}

/** Also makes links within the admin part open their page without loading everything again. */
export function onNavigation(listener: () => void): void {
  listeners.add(listener);
  addEventListener("popstate", listener);
  document.addEventListener("click", (event) => {
    const link = event.target instanceof Element ? event.target.closest<HTMLAnchorElement>("a[href]") : null;
    if (link === null || !isOurs(link, event)) return;
    event.preventDefault();
    go(link.href);
  });
}

function isOurs(link: HTMLAnchorElement, event: MouseEvent): boolean {
  if (event.defaultPrevented || event.button !== 0) return false;
  if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return false;
  if (link.target !== "" || link.hasAttribute("download")) return false;
  const { origin, pathname, search, hash } = new URL(link.href);
  const admin = `${root.pathname}admin`;
  if (origin !== location.origin || !(pathname === admin || pathname.startsWith(`${admin}/`))) return false;
  const isWithin = hash !== "" && pathname === location.pathname && search === location.search;
  return !isWithin;
}
