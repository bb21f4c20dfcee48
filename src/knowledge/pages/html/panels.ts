/**
 * Opens what a reader can open (tabs, accordions, details), each part under its label, and removes what nobody sees.
 * Panels are known by their ARIA roles, else by the class names of the usual frameworks.
 */
import type { Element, Parents } from "hast";
import {
  attribute,
  type Child,
  classesOf,
  element,
  elementsIn,
  find,
  hasClass,
  isElement,
  lineOf,
  remove,
  rewrite,
  text,
} from "./nodes.ts";

/** Bootstrap, jQuery UI, Docusaurus, Sphinx, Material for MkDocs, VitePress, Confluence, MediaWiki and others. */
const panelClass =
  /^(?:tab-?(?:pane|panel|item|content|body)|tabs?-?(?:pane|panel)s?|ui-tabs-panel|sphinx-tabs-panel|sd-tab-content|tabbed-block|accordion(?:-|__)?(?:body|collapse|content|item|panel)?|collaps(?:e|ible)(?:-content)?|expand-content|expander-content|mw-collapsible-content|spoiler|faq-answer|toggle-content|details-content)$/i;
const tabListClass = ["tabbed-labels", "nav-tabs", "ui-tabs-nav", "sphinx-tabs-tab-list"];

/** What a component shows, where the page has it. */
export function openShadows(tree: Parents): void {
  rewrite(tree, (node) => {
    const isShown = isElement(node, "template") && attribute(node, "shadowRootMode") !== "";
    return isShown ? (node.content?.children ?? []) : undefined;
  });
}

export function openPanels(tree: Parents): void {
  const byId = new Map<string, Element>();
  const controls = new Map<string, Element>();
  const parents = new Map<Element, Parents>();
  for (const node of elementsIn(tree)) {
    const id = attribute(node, "id");
    if (id !== "" && !byId.has(id)) byId.set(id, node);
    for (const child of node.children) if (isElement(child)) parents.set(child, node);
    for (const target of targetsOf(node)) if (!controls.has(target)) controls.set(target, node);
  }
  const groups = new Map<Parents, Group>();
  const tabs = new Map<Parents, readonly Element[]>();
  const used = new Set<Element>();
  const openers = new Set<Element>();
  const labels = new Map<Element, string>();
  for (const node of elementsIn(tree)) {
    const control = controls.get(attribute(node, "id"));
    const list = parents.get(node);
    if (!isPanel(node, control) && !isInBlocks(list)) continue;
    open(node);
    if (control !== undefined && !isTab(control)) openers.add(control);
    const label = labelOf(node, { byId, control, parents, groups, tabs });
    if (label === undefined) continue;
    labels.set(node, lineOf(label));
    used.add(label);
  }
  rewrite(tree, (node) => {
    if (isElement(node, "summary")) return [element("p", [element("strong", [text(lineOf(node))])])];
    // Its words are the heading of what it opens.
    if (isElement(node, "button") && openers.has(node)) return node.children;
    const isTabList = attribute(node, "role") === "tablist" || hasClass(node, ...tabListClass) || isTabBar(node, used);
    // A tab whose panel isn't in the page stays: its name may be all there is.
    if (isTabList && [...elementsIn(node)].some((tab) => used.has(tab))) return [];
    if (isInPlaceLabel(node, parents)) return [element("p", [element("strong", [text(lineOf(node))])])];
    const label = labels.get(node);
    if (label === undefined || label === "") return undefined;
    return [element("p", [element("strong", [text(label)])]), node];
  });
}

function isTabBar(node: Element, used: ReadonlySet<Element>): boolean {
  return (
    hasClass(node, "tabs") && isElement(node, "div") && node.children.some((tab) => isElement(tab) && used.has(tab))
  );
}

/** Ids of what a tab or a button shows. */
function targetsOf(node: Element): readonly string[] {
  const isTab = attribute(node, "role") === "tab";
  const toggle = attribute(node, "dataToggle") || attribute(node, "dataBsToggle");
  const shows = isTab || attribute(node, "ariaExpanded") !== "" || /^(?:tab|pill|collapse|list)$/.test(toggle);
  if (!shows) return [];
  const named = [attribute(node, "ariaControls"), attribute(node, "dataTarget"), attribute(node, "dataBsTarget")];
  const href = attribute(node, "href");
  return [...named, href.startsWith("#") ? href : ""].map((id) => id.replace(/^#/, "")).filter((id) => id !== "");
}

/** Menus are opened by buttons too, and aren't content. */
function isPanel(node: Element, control: Element | undefined): boolean {
  const role = attribute(node, "role");
  if (/^(?:menu|dialog|alertdialog|listbox|navigation|search|tooltip|banner)$/.test(role) || isElement(node, "nav")) {
    return false;
  }
  if (role === "tabpanel" || classesOf(node).some((name) => panelClass.test(name))) return true;
  if (attribute(node, "hidden") === "until-found") return true;
  return control !== undefined && find(node, ({ tagName }) => tagName === "nav") === undefined && !isMenu(control);
}

function isMenu(control: Element): boolean {
  return (
    /^(?:menu|listbox|dialog|true)$/.test(attribute(control, "ariaHasPopup")) ||
    /menu|nav/i.test(attribute(control, "className"))
  );
}

/** The panels of a group of code blocks in VitePress have no name of their own. */
function isInBlocks(list: Parents | undefined): boolean {
  return isElement(list, "div") && hasClass(list, "blocks");
}

function open(node: Element): void {
  const { hidden: _hidden, ariaHidden: _ariaHidden, style, ...properties } = node.properties;
  const kept = String(style ?? "").replace(/(?:display\s*:\s*none|visibility\s*:\s*hidden)\s*(?:!important)?;?/gi, "");
  node.properties = kept.trim() === "" ? properties : { ...properties, style: kept };
}

/** The tabs of a list of panels, and the place of each panel in it. */
type Group = { readonly tabs: readonly Element[]; readonly places: ReadonlyMap<Element, number> };
type Known = {
  readonly byId: ReadonlyMap<string, Element>;
  readonly control: Element | undefined;
  readonly parents: ReadonlyMap<Element, Parents>;
  /** Filled here: a page can have a thousand panels. */
  readonly groups: Map<Parents, Group>;
  readonly tabs: Map<Parents, readonly Element[]>;
};

/** The tab of a panel: the one that names it, else the one at the same place in its list. */
function labelOf(panel: Element, { byId, control, parents, groups, tabs }: Known): Element | undefined {
  if (control !== undefined) return isTab(control) ? control : undefined;
  const [named = ""] = attribute(panel, "ariaLabelledBy").split(" ");
  const label = byId.get(named);
  if (label !== undefined) return isTab(label) ? label : undefined;
  const list = parents.get(panel);
  if (list === undefined) return undefined;
  const group = groups.get(list) ?? groupOf(list, parents.get(list as Element) ?? list, tabs);
  groups.set(list, group);
  const place = group.places.get(panel);
  return place !== undefined && group.tabs.length === group.places.size ? group.tabs[place] : undefined;
}

function groupOf(list: Parents, around: Parents, known: Known["tabs"]): Group {
  const panels = (list.children as readonly Child[]).filter(
    (child): child is Element => isElement(child) && (isPanel(child, undefined) || isInBlocks(list)),
  );
  const found = (part: Parents) => {
    const tabs = known.get(part) ?? tabsIn(part);
    known.set(part, tabs);
    return tabs;
  };
  const within = found(list);
  return {
    tabs: within.length > 0 ? within : found(around),
    places: new Map(panels.map((panel, place) => [panel, place])),
  };
}

function isTab(label: Element): boolean {
  return attribute(label, "role") === "tab" || isElement(label, "label") || isTabLink(label);
}

function isTabLink(control: Element): boolean {
  return /^(?:tab|pill|list)$/.test(attribute(control, "dataToggle") || attribute(control, "dataBsToggle"));
}

function tabsIn(around: Parents): readonly Element[] {
  for (const node of elementsIn(around)) {
    const isList = attribute(node, "role") === "tablist" || hasClass(node, ...tabListClass, "tabs");
    if (!isList || holdsPanels(node)) continue;
    const tabs = [...elementsIn(node)].filter((tab) => attribute(tab, "role") === "tab" || isElement(tab, "label"));
    if (tabs.length > 0) return tabs;
    return [...elementsIn(node)].filter(
      (tab) => isElement(tab, "a", "li") && find(tab, ({ tagName }) => tagName === "a") === undefined,
    );
  }
  return [];
}

function holdsPanels(node: Element): boolean {
  return find(node, (child) => attribute(child, "role") === "tabpanel") !== undefined;
}

/** Between a switch that no script needs and the part that it shows. */
function isInPlaceLabel(node: Element, parents: ReadonlyMap<Element, Parents>): boolean {
  if (!isElement(node, "label")) return false;
  const siblings: readonly Child[] = (parents.get(node)?.children ?? []).filter((child) => isElement(child));
  const at = siblings.indexOf(node);
  const before = siblings[at - 1];
  if (!isElement(before, "input") || !/^(?:radio|checkbox)$/.test(attribute(before, "type"))) return false;
  return isElement(siblings[at + 1], "div", "section");
}

const unseen = [
  "script",
  "style",
  "noscript",
  "template",
  "svg",
  "iframe",
  "dialog",
  "object",
  "embed",
  "canvas",
  "video",
  "audio",
];

/** What stays closed for everyone. */
export function removeHidden(tree: Parents): void {
  remove(tree, (node) => {
    if (unseen.includes(node.tagName) || attribute(node, "role") === "dialog") return true;
    if (node.properties["hidden"] !== undefined && node.properties["hidden"] !== false) return true;
    if (/(?:display\s*:\s*none|visibility\s*:\s*hidden)/i.test(attribute(node, "style"))) return true;
    return attribute(node, "ariaHidden") === "true" && !isElement(node, "pre", "code", "table");
  });
}
