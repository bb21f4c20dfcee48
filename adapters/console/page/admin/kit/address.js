/** Addresses of the admin part: real paths below wherever Parley is served, with the Back button. */

import { root } from "../../connection/address.ts";

export { root };

const listeners = new Set();

/** `href("questions", { parts: ["7KQ2"], query: { agent: "sales" } })`. Values of "" and undefined are left out. */
export function href(page, { parts = [], query = {} } = {}) {
  const url = new URL(["admin", page, ...parts.map(encodeURIComponent)].join("/"), root);
  url.search = searchOf(query);
  return `${url.pathname}${url.search}`;
}

export function searchOf(query) {
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== "");
  return new URLSearchParams(given).toString();
}

/** `{ page, parts, query }`: "overview" with no parts, and an object of texts. */
export function addressNow() {
  const [, page = "", ...parts] = location.pathname.slice(root.pathname.length).split("/");
  return { page, parts: parts.filter((part) => part !== "").map(decoded), query: queryOf(location.search) };
}

function queryOf(search) {
  return Object.fromEntries(new URLSearchParams(search));
}

function decoded(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    // An invalid percent escape: the address was cut off.
    return text;
  }
}

/** Opens another page. */
export function go(to, { isReplacing = false } = {}) {
  history[isReplacing ? "replaceState" : "pushState"](null, "", to);
  for (const listener of listeners) listener();
}

export function replaceQuery(query) {
  const search = searchOf(query);
  history.replaceState(null, "", `${location.pathname}${search === "" ? "" : `?${search}`}`);
}

/** Also makes links within the admin part open their page without loading everything again. */
export function onNavigation(listener) {
  listeners.add(listener);
  addEventListener("popstate", listener);
  document.addEventListener("click", (event) => {
    const link = event.target instanceof Element ? event.target.closest("a[href]") : null;
    if (link === null || !isOurs(link, event)) return;
    event.preventDefault();
    go(link.href);
  });
}

function isOurs(link, event) {
  if (event.defaultPrevented || event.button !== 0) return false;
  if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return false;
  if (link.target !== "" || link.hasAttribute("download")) return false;
  const { origin, pathname, search, hash } = new URL(link.href);
  const admin = `${root.pathname}admin`;
  if (origin !== location.origin || !(pathname === admin || pathname.startsWith(`${admin}/`))) return false;
  const isWithin = hash !== "" && pathname === location.pathname && search === location.search;
  return !isWithin;
}
