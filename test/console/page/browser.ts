/**
 * Opens the page in Debian's Chromium against the scripted console. Any error the page reports, and any request to
 * another host, fails the test.
 */
import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, expect } from "vitest";
import type { Form } from "../../../src/core/document.ts";
import type { Place } from "../../../src/core/model/place.ts";
import type { Inbound } from "../../../src/core/ports/chat-platform.ts";
import { launchChromium } from "../../doubles/processes/chromium.ts";
import { type ScriptedConsole, startScriptedConsole } from "../scripted-console.ts";

type Look = {
  readonly width?: number;
  readonly height?: number;
  readonly colorScheme?: "light" | "dark";
  /** The browser that is open stays open. */
  readonly isOther?: boolean;
};

export const form: Form = {
  id: "agent create",
  title: "Create an agent",
  submitLabel: "Create",
  context: "for general",
  fields: [
    { name: "name", label: "Name", hint: "Lower-case letters", isRequired: true, type: "text" },
    { name: "key", label: "API key", isRequired: false, type: "secret" },
    { name: "provider", label: "Provider", isRequired: false, type: "select", choices: [{ value: "x", label: "X" }] },
    {
      name: "tables",
      label: "Tables",
      isRequired: false,
      type: "multiselect",
      choices: [
        { value: "a", label: "A" },
        { value: "b", label: "B" },
      ],
      allowsFree: true,
    },
  ],
};

/** Registers the hooks that start and end what `start` and `open` begin. Call it once in a describe. */
export function useBrowser() {
  let browser: Browser;
  let contexts: BrowserContext[] = [];
  let scripted: ScriptedConsole | undefined;
  let problems: string[] = [];

  beforeAll(async () => {
    browser = await launchChromium();
  });
  afterAll(() => browser.close());
  afterEach(async () => {
    for (const context of contexts) await context.close();
    contexts = [];
    await scripted?.stop();
    expect(problems).toEqual([]);
  });

  const started = (): ScriptedConsole => {
    if (scripted === undefined) throw new Error("start a console first");
    return scripted;
  };
  const inboundOf = (kind: Inbound["kind"]) => started().inbounds.find((inbound) => inbound.kind === kind);

  return {
    inboundOf,

    /** Starts a console; the one before it, if any, must have been stopped. */
    start: async (options: Parameters<typeof startScriptedConsole>[0] = {}): Promise<ScriptedConsole> => {
      scripted = await startScriptedConsole(options);
      return scripted;
    },

    /** Opens the page in a browser of its own. */
    open: async ({ width = 1000, height = 800, colorScheme = "light", isOther = false }: Look = {}): Promise<Page> => {
      const context = await browser.newContext({ viewport: { width, height }, colorScheme, reducedMotion: "reduce" });
      contexts.push(context);
      if (!isOther) problems = [];
      context.on("page", (opened) => {
        opened.on("pageerror", (error) => problems.push(String(error)));
        opened.on("request", (request) => {
          if (!request.url().startsWith("http://127.0.0.1:")) problems.push(`asked for ${request.url()}`);
        });
      });
      const page = await context.newPage();
      await page.goto(started().url);
      return page;
    },

    /** Where the first question was said, once it was. */
    placeOfQuestion: async (): Promise<Place> => {
      await expect.poll(() => inboundOf("message")).toBeDefined();
      const place = inboundOf("message")?.place;
      if (place === undefined) throw new Error("no question");
      return place;
    },
  };
}

/** The page's one text field. */
export const boxOf = (page: Page) => page.getByLabel("Message", { exact: true });

export async function ask(page: Page, text: string): Promise<void> {
  await boxOf(page).fill(text);
  await boxOf(page).press("Enter");
}
