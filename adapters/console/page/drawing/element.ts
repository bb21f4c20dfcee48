/**
 * Creates DOM elements and icons. Text always becomes a text node: no module of the page writes a string to innerHTML,
 * except markdown.js, which sanitises it first.
 */

import { type Shape, shapes } from "../parts/shapes.ts";

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
