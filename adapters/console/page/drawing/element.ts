/**
 * Creates DOM elements and icons. Text always becomes a text node: no module of the page writes a string to innerHTML,
 * except markdown.js, which sanitises it first.
 */

type Child = Node | string | number | undefined | null;
export type Children = Child | readonly Child[];

/** Attributes, and listeners by the names of their events. */
type Properties = Readonly<Record<string, string | number | boolean | undefined | ((event: never) => unknown)>>;

type TagOf<Selector extends string> = Selector extends `${infer Tag}.${string}` ? Tag : Selector;
type ElementOf<Selector extends string> =
  TagOf<Selector> extends keyof HTMLElementTagNameMap ? HTMLElementTagNameMap[TagOf<Selector>] : HTMLElement;

/** `element("a.link", { href }, "text", child)`. Skips undefined and false properties; functions become listeners. */
export function element<const Selector extends string>(
  selector: Selector,
  properties: Properties = {},
  ...children: readonly Children[]
): ElementOf<Selector> {
  const [tag = "", ...classes] = selector.split(".");
  const node = document.createElement(tag);
  if (classes.length > 0) node.className = classes.join(" ");
  for (const [name, value] of Object.entries(properties)) {
    if (value === undefined || value === false) continue;
    if (typeof value === "function") node.addEventListener(name, value as EventListener);
    else node.setAttribute(name, value === true ? "" : String(value));
  }
  for (const child of children.flat()) {
    if (child !== undefined && child !== null) node.append(typeof child === "number" ? String(child) : child);
  }
  return node as ElementOf<Selector>;
}

/** The element of that id, which the page's HTML has. */
export function byId<Kind extends HTMLElement>(id: string, kind: new () => Kind): Kind {
  const node = document.getElementById(id);
  if (!(node instanceof kind)) throw new Error(`The page has no #${id}`);
  return node;
}

/** The small drawings, in a box of 16 by 16. */
export const shapes = {
  check: "M3.5 8.5l3 3 6-7",
  cross: "M4 4l8 8M12 4l-8 8",
  clock: "M8 4.5V8l2.2 1.6M14.2 8A6.2 6.2 0 1 1 1.8 8a6.2 6.2 0 0 1 12.4 0z",
  send: "M8 13V3.5M3.8 7.5L8 3.2l4.2 4.3",
  menu: "M2.5 4.5h11M2.5 8h11M2.5 11.5h7",
  lock: "M4 7.2h8v6H4zM5.7 7V5.2a2.3 2.3 0 0 1 4.6 0V7",
  file: "M4 2.2h5l3 3v8.6H4zM9 2.2v3h3",
  clip: "M13.2 7.4l-5.5 5.5a3.4 3.4 0 0 1-4.8-4.8l5.7-5.7a2.3 2.3 0 0 1 3.2 3.2l-5.5 5.5a1.1 1.1 0 0 1-1.6-1.6l5-5",
  warning: "M8 2.2l6.2 11.2H1.8zM8 6.4v3.2M8 11.5v.2",
  pen: "M3 13l.6-2.8 7-7 2.2 2.2-7 7z",
  bin: "M3.2 4.6h9.6M6.2 4.4V2.8h3.6v1.6M4.4 4.8l.6 8.6h6l.6-8.6",
  down: "M8 3v9.5M3.8 8.5L8 12.8l4.2-4.3",
  up: "M5 7.2v6H2.6v-6zM5 7.4l2.6-5a1.5 1.5 0 0 1 1.5 1.9l-.5 2.2h3.5a1.3 1.3 0 0 1 1.3 1.6l-1 4a1.5 1.5 0 0 1-1.4 1.1H5",
  bad: "M5 8.8v-6H2.6v6zM5 8.6l2.6 5a1.5 1.5 0 0 0 1.5-1.9l-.5-2.2h3.5a1.3 1.3 0 0 0 1.3-1.6l-1-4a1.5 1.5 0 0 0-1.4-1.1H5",
  more: "M3.4 8h.2M8 8h.2M12.6 8h.2",
  plus: "M8 3.2v9.6M3.2 8h9.6",
  pin: "M6 2.4h4l-.5 4.2 2.3 2.2H4.2l2.3-2.2zM8 8.8v4.8",
  search: "M7 11.6A4.6 4.6 0 1 0 7 2.4a4.6 4.6 0 0 0 0 9.2zM10.4 10.4l3.2 3.2",
  bell: "M3.4 11.4h9.2c-1-1-1.4-2-1.4-4.2a3.2 3.2 0 0 0-6.4 0c0 2.2-.4 3.2-1.4 4.2zM6.8 13.6a1.4 1.4 0 0 0 2.4 0",
  unfold: "M6 3.5l4.5 4.5L6 12.5",
  screen: "M2.2 3.2h11.6v7.6H2.2zM5.6 13.4h4.8M8 10.8v2.6",
  sun: "M8 5.1a2.9 2.9 0 1 0 0 5.8 2.9 2.9 0 0 0 0-5.8zM8 1.4v1.2M8 13.4v1.2M1.4 8h1.2M13.4 8h1.2M3.3 3.3l.9.9M11.8 11.8l.9.9M12.7 3.3l-.9.9M4.2 11.8l-.9.9",
  moon: "M13.3 9.7A5.7 5.7 0 0 1 6.3 2.7a5.7 5.7 0 1 0 7 7z",
  refresh: "M13 6.2A5.4 5.4 0 1 0 13.2 9.5M13.3 2.8v3.6H9.8",
  copy: "M5.5 5.5h8v8h-8zM3.8 10.5H2.5v-8h8v1.3",
  download: "M8 2.5v7.5M4.8 7.2L8 10.4l3.2-3.2M2.8 13.2h10.4",
  chart: "M3 13.2V8M8 13.2V3M13 13.2V6",
  table: "M2.4 3.2h11.2v9.6H2.4zM2.4 6.6h11.2M6.4 6.6v6.2",
  stop: "M4.5 4.5h7v7h-7z",
};

/** An element of a drawing. Skips undefined attributes. */
function svgElement(
  name: string,
  attributes: Readonly<Record<string, string | number | undefined>>,
  ...children: readonly Node[]
): SVGElement {
  const node = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) if (value !== undefined) node.setAttribute(key, String(value));
  node.append(...children);
  return node;
}

export type Shape = keyof typeof shapes;

/** A small drawing that screen readers skip. */
export function icon(name: Shape): SVGElement {
  const look = { viewBox: "0 0 16 16", "aria-hidden": "true", class: `icon icon-${name}` };
  return svgElement("svg", look, svgElement("path", { d: shapes[name] }));
}

// Bidi controls: embeddings, overrides, isolates and marks.
const turning = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/** A person's text without bidi controls, which could reverse the text around it. */
export function plain(text: string): string {
  return text.replace(turning, "");
}
