/** Small helpers for the tree of a page (hast). */
import type { Element, ElementContent, Parents, Root, RootContent } from "hast";

export type Child = ElementContent | RootContent;

/** An element, and one of these if any are named. */
export function isElement<T extends string>(
  node: Child | Parents | undefined,
  ...tags: readonly T[]
): node is Element & { tagName: T } {
  return node?.type === "element" && (tags.length === 0 || (tags as readonly string[]).includes(node.tagName));
}

/** In document order, the parent itself not among them. */
export function* elementsIn(parent: Parents): Generator<Element, void, void> {
  // A stack, because each level of generators would cost again for every element below it.
  const waiting: Child[] = [...parent.children].reverse();
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    if (!isElement(node)) continue;
    yield node;
    for (let at = node.children.length - 1; at >= 0; at -= 1) {
      const child = node.children[at];
      if (child !== undefined) waiting.push(child);
    }
  }
}

export function find(parent: Parents, matches: (element: Element) => boolean): Element | undefined {
  for (const element of elementsIn(parent)) if (matches(element)) return element;
  return undefined;
}

/**
 * Replaces elements, those inside before those around them: with nothing, with other nodes, or not at all where
 * `change` returns undefined.
 */
export function rewrite(parent: Parents, change: (element: Element) => readonly Child[] | undefined): void {
  const children: Child[] = [];
  for (const child of parent.children) {
    if (!isElement(child)) {
      children.push(child);
      continue;
    }
    rewrite(child, change);
    const changed = change(child);
    if (changed === undefined) children.push(child);
    else for (const one of changed) children.push(one);
  }
  parent.children = children as ElementContent[];
}

/** Removes elements without looking inside them. */
export function remove(parent: Parents, matches: (element: Element) => boolean): void {
  parent.children = parent.children.filter((child) => !isElement(child) || !matches(child)) as ElementContent[];
  for (const child of parent.children) if (isElement(child)) remove(child, matches);
}

/** An attribute as text; "" if there is none. `name`: as a property, such as "ariaLabel" or "dataLang". */
export function attribute(element: Element, name: string): string {
  const value = element.properties[name];
  if (Array.isArray(value)) return value.join(" ");
  return value === null || value === undefined || value === false ? "" : String(value);
}

export function hasAttribute(element: Element, name: string): boolean {
  return element.properties[name] !== undefined && element.properties[name] !== null;
}

export function classesOf(element: Element): readonly string[] {
  const { className } = element.properties;
  return Array.isArray(className) ? className.map(String) : [];
}

export function hasClass(element: Element, ...names: readonly string[]): boolean {
  return classesOf(element).some((name) => names.includes(name));
}

/** All text inside, as it stands. */
export function rawText(node: Child | Parents): string {
  if (node.type === "text") return node.value;
  return "children" in node ? node.children.map(rawText).join("") : "";
}

/** All text inside, in one line. */
export function lineOf(node: Child | Parents): string {
  return oneLine(rawText(node));
}

export function oneLine(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}

export function text(value: string): { readonly type: "text"; value: string } {
  return { type: "text", value };
}

export function element(tagName: string, children: readonly Child[], properties: Element["properties"] = {}): Element {
  return { type: "element", tagName, properties, children: children as ElementContent[] };
}

/** The body, or all of a page that has none. */
export function bodyOf(tree: Root): Parents {
  return find(tree, ({ tagName }) => tagName === "body") ?? tree;
}
